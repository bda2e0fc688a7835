"""Columns of text that are really dates or numbers, and how a policy would have them read.

A column is *mistyped* if it is read as text although at least four in five of its different values are dates, in
whichever usual form, or numbers, with a point or a comma before decimals, with or without signs of thousands and one
unit of money, share, age or body (`$`, `%`, `kg`). Not counted as numbers are columns in which a number begins with
zeros, as codes do (`007`, `02139`), and those with fewer than three different values. Times of day, where there are
more of them than hours, are neither: a set of them is as good as a set of numbers. Of columns with very many values the
first ten thousand are looked at.

A quasi or sensitive column may also be *free text* that somebody took for categories: most of its different values are
of several words, and they hardly repeat, or are sentences. Published as sets, remarks would be published word by word.

>>> import pyarrow as pa
>>> mistyped(pa.array(["01.02.1950", "1951-03-04", "1.12.1960", "17.5.1971", "not known"]))
Mistyped(what='dates', count=4, of=5, cleaning='{date: ["%d.%m.%Y", "%Y-%m-%d"], unreadable: missing}')
>>> mistyped(pa.array(["72,5", "81", "1.064,0"]))
Mistyped(what='numbers', count=3, of=3, cleaning='{number: {decimal: ",", thousands: "."}}')
>>> mistyped(pa.array(["$72.50", "$81.00", "$1,064.00"])).cleaning
'{number: {thousands: ",", unit: "$"}}'
>>> mistyped(pa.array(["250.00", "E11.9", "I10"])), mistyped(pa.array(["02139", "94110", "10001"]))
(None, None)
>>> mistyped(pa.array([f"{hour:02}:{minute:02}" for hour in range(24) for minute in (7, 43)])).what
'times of day'
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sharewell.date_shift import DATE_FORMATS
from sharewell.io.cleaning import BLANKS, Cleaning
from sharewell.io.number_forms import unit_of, usual_forms

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

MOST = 0.8
"""The share of different values from which on a column is taken for dates or numbers."""
_LEAST_VALUES = 3
_LOOKED_AT = 10_000
_TIMES = ("%H:%M", "%H:%M:%S", "%H:%M:%S.%f", "%I:%M %p", "%I:%M:%S %p")
_OFFSET = r"[0-9] ?(Z|z|UTC|GMT|[+-][0-9]{2}:?([0-9]{2})?)$"
_DAYS = (*(form for form in DATE_FORMATS if form != "%Y%m%d"), "%d-%b-%Y", "%d %b %Y", "%d %B %Y", "%B %d, %Y",
         "%d. %b %Y", "%d. %B %Y", "%d.%m.%y", "%d/%m/%y", "%m/%d/%y", "%d-%b-%y")  # fmt: skip
_CODE = "^0[0-9]"
_TIME_OF_DAY = r"(?i)^[0-2]?[0-9]:[0-5][0-9](:[0-5][0-9]([.,][0-9]+)?)?( ?[ap][.]?m[.]?)?$"
_HOURS = 24
_WORDS = 4
_SEVERAL_WORDS = rf"^\s*(\S+\s+){{{_WORDS - 1},}}\S"
_SENTENCE = r"\pL{2}[.!?](\s|$)"
_LEAST_TEXTS, _LEAST_VARIETY = 20, 0.3
"""Fewer different values can be read one by one; those that repeat more are categories."""
_ANY_CENTURY = 1930


@dataclass(frozen=True)
class Mistyped:
    """What a column of text really holds."""

    what: str
    """dates, numbers or times of day"""
    count: int
    of: int
    cleaning: str
    """The entry of `clean` that would read it; empty for times of day, which no entry reads."""
    unclear: bool = field(default=False, repr=False)
    """Would the dates be read as well with the month before the day? Only the steward knows."""
    two_digits: bool = field(default=False, repr=False)
    """Has a year two digits? Only the steward knows the century."""

    def problem(self, column: str, may_be_text: bool = True) -> tuple[str, str]:
        """(what is wrong, what to do)."""
        values = f"{self.count} of {self.of} different values are {self.what}"
        otherwise = "say `type: text`" if may_be_text else "give it another role"
        if not self.cleaning:
            coarser = "generalise it with `hierarchy: prefix` (10:43 becomes 10:4*, then 1*), or "
            return f"read as categories, but {values}", f"{coarser if may_be_text else ''}{otherwise}"
        first = "ask whether the day comes first (the month: %m before %d), then " if self.unclear else ""
        first += f"ask which hundred years %y means (those from {_ANY_CENTURY} on?), then " if self.two_digits else ""
        advice = f"{first}read it with `clean: {{{column}: {self.cleaning}}}` under `read`, or {otherwise}"
        return f"read as text, but {values}", advice


@dataclass(frozen=True)
class FreeText:
    """What a column of categories really holds: texts of several words that hardly repeat, or sentences."""

    count: int
    of: int

    def problem(self, column: str, may_be_text: bool = True) -> tuple[str, str]:
        """(what is wrong, what to do)."""
        what = f"taken for categories, but {self.count} of {self.of} different values have {_WORDS} words or more"
        return (
            f"{what}, as free text has",
            "give it the role `text` or `drop`; if these are categories, say `type: text`",
        )


def free_text(distinct: pa.Array, filled: int, *, sentences: bool = False) -> FreeText | None:
    """Whether these different values, of `filled` cells, are free text; None if they are not, or are too few to tell.

    sentences: must half of them also have the end of a sentence, as the names of diagnoses have several words as well?
    So they must where they repeat often: what repeats without being sentences is categories.

    >>> import pyarrow as pa
    >>> remarks = pa.array([f"Seen on day {day}, doing well." for day in range(20)])
    >>> wards = pa.array([f"ward of internal medicine {ward}" for ward in range(20)])
    >>> free_text(remarks, 20), free_text(remarks, 1000), free_text(wards, 20), free_text(wards, 1000)
    (FreeText(count=20, of=20), FreeText(count=20, of=20), FreeText(count=20, of=20), None)
    """
    import pyarrow.compute as pc

    some = distinct.slice(0, _LOOKED_AT)
    if len(some) < _LEAST_TEXTS:
        return None
    wordy = pc.match_substring_regex(some, _SEVERAL_WORDS)
    prose = pc.and_(wordy, pc.match_substring_regex(some, _SENTENCE))
    judged = prose if sentences or len(distinct) < _LEAST_VARIETY * filled else wordy
    return FreeText(pc.sum(wordy).as_py(), len(some)) if 2 * pc.sum(judged).as_py() >= len(some) else None


def mistyped(distinct: pa.Array) -> Mistyped | None:
    """What the values of a column that is read as text really are; None if they are text."""
    import pyarrow.compute as pc

    bare = pc.utf8_trim(distinct.slice(0, _LOOKED_AT), BLANKS).unique()
    bare = bare.filter(pc.fill_null(pc.not_equal(bare, ""), False))
    if not len(bare) or not pc.any(pc.match_substring_regex(bare, "[0-9]")).as_py():
        return None
    return _as_dates(bare) or _as_numbers(bare) or _as_times_of_day(bare)


def _as_dates(texts: pa.Array) -> Mistyped | None:
    import pyarrow as pa

    if not _any(texts, "[0-9].*[0-9].*[0-9]"):  # a day and two digits of a year at least
        return None
    forms = _day_forms(texts)
    read = _read_by(texts, forms)
    if not forms or read.mean() < MOST:
        return None
    listed = ", ".join(f'"{form}"' for form in forms)
    cleaning = f"date: [{listed}]"
    short = any("%y" in form for form in forms)
    cleaning += f", first_year: {_ANY_CENTURY}" if short else ""
    if Cleaning(date=tuple(forms), first_year=_ANY_CENTURY).apply(pa.chunked_array([texts]))[1].ambiguous:
        cleaning += ", day_first: true"
    swapped = [_month_first(form) for form in forms]
    unclear = swapped != forms and bool((_read_by(texts, swapped) >= read).all())
    return Mistyped("dates", int(read.sum()), len(texts), _entry(cleaning, read), unclear, short)


def _month_first(form: str) -> str:
    """The same form with day and month in the other order; with the year first, or a month's name, there is one."""
    return (
        form
        if form.startswith("%Y") or "%m" not in form
        else form.replace("%d", "\0").replace("%m", "%d").replace("\0", "%m")
    )


def _day_forms(texts: pa.Array) -> list[str]:
    """The fewest forms that read what any of them reads, the most frequent first; days before months if both do."""
    import numpy as np

    times: tuple[str, ...] = _TIMES if _any(texts, "[0-9]:[0-9]{2}") else ()
    if times and _any(texts, _OFFSET):
        times = (*times, *(time + blank + "%z" for time in _TIMES for blank in ("", " ")))
    known = [day + glue + time for day in _DAYS for glue, time in (("", ""), *((g, t) for t in times for g in " T"))]
    reads = {form: result for form in known if (result := _read_by(texts, [form])).any()}
    left, chosen = np.ones(len(texts), dtype=bool), list[str]()
    while reads:
        best = max(reads, key=lambda form: int((reads[form] & left).sum()))
        if not (reads[best] & left).any():
            break
        chosen.append(best)
        left = left & ~reads.pop(best)
    return chosen


def _as_numbers(texts: pa.Array) -> Mistyped | None:
    if len(texts) < _LEAST_VALUES or _any(texts, _CODE):
        return None
    forms = usual_forms(unit_of(texts))
    reads = [(form, form.read(texts).is_valid().to_numpy(zero_copy_only=False)) for form in forms]
    form, read = max(reads, key=lambda one: int(one[1].sum()))
    if read.mean() < MOST:
        return None
    signs = {"decimal": form.decimal if form.decimal != "." else None, "thousands": form.thousands, "unit": form.unit}
    named = ", ".join(f'{name}: "{sign}"' for name, sign in signs.items() if sign is not None)
    return Mistyped(
        "numbers", int(read.sum()), len(texts), _entry(f"number: {{{named}}}" if named else "number: true", read)
    )


def _as_times_of_day(texts: pa.Array) -> Mistyped | None:
    """Where they are finer than hours; `08:30` alone could as well be a category of a few shifts."""
    import pyarrow.compute as pc

    count = pc.sum(pc.match_substring_regex(texts, _TIME_OF_DAY)).as_py()
    fine = len(texts) > _HOURS and count >= MOST * len(texts)
    return Mistyped("times of day", count, len(texts), "") if fine else None


def _entry(cleaning: str, read: NDArray[np.bool_]) -> str:
    return f"{{{cleaning}{'' if read.all() else ', unreadable: missing'}}}"


def _read_by(texts: pa.Array, forms: Sequence[str]) -> NDArray[np.bool_]:
    import numpy as np

    result = np.zeros(len(texts), dtype=bool)
    for form in Cleaning(date=tuple(forms), first_year=_ANY_CENTURY).date_forms():
        result = result | form.read(texts).is_valid().to_numpy(zero_copy_only=False)
    return result


def _any(texts: pa.Array, pattern: str) -> bool:
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(texts, pattern)).as_py())
