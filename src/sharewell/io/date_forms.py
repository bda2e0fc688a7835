"""Dates as exports write them: forms such as `%d.%m.%Y`, read strictly and written as ISO 8601.

A form names year (`%Y`, or `%y` with two digits), month (`%m`, or names, short as `%b` and full as `%B`, in the
languages of `months_in_dates`) and day (`%d`) once each, and possibly a time of day (`%H` or `%I` with `%p`, `%M`,
`%S`, `%f`), with an offset from universal time behind it (`%z`: `Z`, `+02:00`), which is read and left out: dates and
times stay those of the local clock. Texts are read column-wise, by one regular expression a form: a text is such a date
or it is none.

>>> import pyarrow as pa
>>> DateForm("%d.%m.%Y").read(pa.array(["29.2.2020", "29.02.2019", "2020-02-29"])).to_pylist()
['2020-02-29', None, None]
>>> DateForm("%Y-%m-%dT%H:%M:%S%z").read(pa.array(["2020-02-29T23:30:00+02:00", "2020-02-29T00:00:00Z"])).to_pylist()
['2020-02-29T23:30:00', '2020-02-29']
>>> DateForm("%d-%b-%y", first_year=1930).read(pa.array(["01-MAR-29", "01-Mar-30"])).to_pylist()
['2029-03-01', '1930-03-01']
>>> DateForm("%d. %b %Y").read(pa.array(["3. Mrz 2021", "14. Dez. 2021", "1. Foo 2021"])).to_pylist()
['2021-03-03', '2021-12-14', None]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from sharewell.errors import PolicyError
from sharewell.io.months_in_dates import FULL_MONTHS, MONTH_NUMBERS, SHORT_MONTHS, alternatives

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

_TWO = "[0-9]{1,2}"
_DIRECTIVES = {
    "Y": "[0-9]{4}",
    "y": "[0-9]{2}",
    "m": _TWO,
    "d": _TWO,
    "B": f"(?i:{alternatives(FULL_MONTHS)})",
    "b": f"(?i:(?:{alternatives(SHORT_MONTHS)})\\.?)",
    "H": _TWO,
    "I": _TWO,
    "M": _TWO,
    "S": _TWO,
    "f": "[0-9]{1,9}",
    "p": "(?i:am|pm|a\\.m\\.|p\\.m\\.)",
    "z": "(?:[Zz]|(?i:UTC|GMT)|[+-][0-9]{2}(?::?[0-9]{2})?)",
}
_MONTH_LENGTHS = (0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_CENTURY = 100


@dataclass(frozen=True)
class DateForm:
    """One form of dates. first_year: what two digits of a year begin with, as in 1930 to 2029."""

    form: str
    first_year: int | None = None
    time: bool = True
    """Does a time of day stay, where a text has one that is not midnight?"""

    def __post_init__(self) -> None:
        if problem := form_problem(self.form):
            raise PolicyError(f"a date form {problem}")
        if "y" in self._parts and self.first_year is None:
            raise PolicyError("a date form has years of two digits — say `first_year:`")

    @property
    def day_first(self) -> bool:
        """Does the day stand before the month?"""
        month = next(i for i, part in enumerate(self._parts) if part in "mbB")
        return self._parts.index("d") < month

    def read(self, texts: pa.Array) -> pa.Array:
        """Each text as an ISO date, with its time of day if it has one; null where it is no date of this form."""
        import pyarrow as pa
        import pyarrow.compute as pc

        fields = pc.extract_regex(texts, self._pattern)
        result = fields.is_valid().to_numpy(zero_copy_only=False)
        part = dict(zip(self._parts, fields.flatten(), strict=True))
        numbers = {name: _number(part[name]) for name in part if name not in "bBpfz"}
        year = numbers["Y"] if "Y" in numbers else _in_century(numbers["y"], self.first_year or 0)
        month = numbers["m"] if "m" in numbers else _month(part.get("b", part.get("B")))
        day = numbers["d"]
        result = result & (year >= 1) & (month >= 1) & (month <= 12) & (day >= 1) & (day <= _days_in(year, month))
        texts_of = [_padded(year, 4), _padded(month, 2), _padded(day, 2)]
        date = pc.binary_join_element_wise(*texts_of, "-")
        if {"H", "I"} & set(part):
            time, fits, midnight = _time(numbers, part)
            result = result & fits
            if self.time:
                date = pc.if_else(pa.array(midnight), date, pc.binary_join_element_wise(date, time, "T"))
        return pc.if_else(pa.array(result), date, pa.scalar(None, pa.string()))

    @cached_property
    def _parts(self) -> list[str]:
        return re.findall("%([^%])", self.form.replace("%%", ""))

    @cached_property
    def _pattern(self) -> str:
        pieces = re.findall(r"%.|\s+|[^%\s]+", self.form)
        return "^" + "".join(_piece(piece) for piece in pieces) + "$"


def form_problem(form: str) -> str | None:
    """What is wrong with a form of dates; None if nothing is.

    >>> form_problem("%d/%m/%Y"), form_problem("%d/%m")
    (None, 'must name a year (%Y)')
    """
    parts = re.findall("%(.?)", form.replace("%%", ""))
    if unknown := [part for part in parts if part not in _DIRECTIVES]:
        return f"has the unknown part %{unknown[0]}"
    for what, some in (("a year (%Y)", "Yy"), ("a month (%m)", "mbB"), ("a day (%d)", "d")):
        count = sum(part in some for part in parts)
        if count != 1:
            return f"must name {what}" if not count else f"must name {what} only once"
    if len(set(parts)) < len(parts) or {"H", "I"} <= set(parts):
        return "must name each part of a time only once"
    if ("I" in parts) != ("p" in parts):
        return "must have %I and %p together"
    needs = (("M", "HI"), ("S", "M"), ("f", "S"), ("p", "I"), ("z", "HI"))
    if any(part in parts and not set(before) & set(parts) for part, before in needs):
        return "must name hours before minutes and offsets, and minutes before seconds"
    return None


def _piece(piece: str) -> str:
    if piece.isspace():
        return r"\s+"
    if piece.startswith("%") and piece != "%%":
        return f"(?P<{piece[1]}>{_DIRECTIVES[piece[1]]})"
    return re.escape(piece.replace("%%", "%"))


def _number(texts: pa.Array) -> NDArray[np.int64]:
    """Digits as numbers; 0 where there are none."""
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers: NDArray[np.int64] = pc.fill_null(texts.cast(pa.int64()), 0).to_numpy(zero_copy_only=False)
    return numbers


def _in_century(two_digits: NDArray[np.int64], first_year: int) -> NDArray[np.int64]:
    return first_year + (two_digits - first_year) % _CENTURY


def _month(names: pa.Array) -> NDArray[np.int64]:
    import pyarrow as pa
    import pyarrow.compute as pc

    index = pc.index_in(pc.utf8_rtrim(pc.utf8_lower(names), "."), pa.array(list(MONTH_NUMBERS)))
    numbers = pa.array([*MONTH_NUMBERS.values(), 0])
    month: NDArray[np.int64] = numbers.take(pc.fill_null(index, len(MONTH_NUMBERS))).to_numpy(zero_copy_only=False)
    return month


def _days_in(year: NDArray[np.int64], month: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    days: NDArray[np.int64] = np.array(_MONTH_LENGTHS)[np.clip(month, 0, 12)] + (leap & (month == 2))
    return days


def _padded(numbers: NDArray[np.int64], width: int) -> pa.Array:
    import pyarrow as pa
    import pyarrow.compute as pc

    return pc.utf8_lpad(pa.array(numbers).cast(pa.string()), width, "0")


def _time(
    numbers: dict[str, NDArray[np.int64]], part: dict[str, pa.Array]
) -> tuple[pa.Array, NDArray[np.bool_], NDArray[np.bool_]]:
    """The time of day as ISO 8601 writes it, whether there is such a time, and whether it is midnight."""
    import numpy as np
    import pyarrow.compute as pc

    hour = numbers.get("H")
    if hour is None:
        after_noon = pc.fill_null(pc.starts_with(part["p"], "p", ignore_case=True), False)
        twelve = numbers["I"]
        fits = (twelve >= 1) & (twelve <= 12)
        hour = twelve % 12 + 12 * after_noon.to_numpy(zero_copy_only=False)
    else:
        fits = hour <= 23
    none = np.zeros_like(hour)
    minute, second = numbers.get("M", none), numbers.get("S", none)
    fits = fits & (minute <= 59) & (second <= 59)
    written = pc.binary_join_element_wise(_padded(hour, 2), _padded(minute, 2), _padded(second, 2), ":")
    midnight = (hour == 0) & (minute == 0) & (second == 0)
    if "f" in part:
        fraction = pc.utf8_rtrim(pc.fill_null(part["f"], ""), "0")
        whole = pc.equal(fraction, "")
        midnight = midnight & whole.to_numpy(zero_copy_only=False)
        written = pc.if_else(whole, written, pc.binary_join_element_wise(written, fraction, "."))
    return written, fits, midnight
