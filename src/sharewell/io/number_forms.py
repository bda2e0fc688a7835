"""Numbers as exports write them: `1.234,50` read strictly and written as `1234.50`.

A number is read in one way or not at all: groups of thousands have three digits each, and a sign of thousands or of
decimals, or a unit, that the form does not name makes a text unreadable. A unit may stand before or behind the number
or be left out; where one is named, brackets mean minus, as accounts have it.

>>> import pyarrow as pa
>>> german = NumberForm(decimal=",", thousands=".")
>>> german.read(pa.array(["1.234", "1.234,50", "-0,5", "1.23", "12 kg"])).to_pylist()
['1234', '1234.50', '-0.5', None, None]
>>> NumberForm(thousands=",", unit="$").read(pa.array(["$1,234.00", "-$5", "($7.50)", "12", "12 €"])).to_pylist()
['1234.00', '-5', '-7.50', '12', None]
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sharewell.errors import PolicyError

if TYPE_CHECKING:
    import pyarrow as pa

DECIMALS = (".", ",")
"""What may stand before decimals."""
THOUSANDS = (".", ",", " ", "'", "_")
"""What may stand between thousands; a blank stands for every kind of blank, an apostrophe for the curved one too."""
UNITS = ("$", "US$", "€", "£", "¥", "USD", "EUR", "GBP", "CHF", "Fr.", "kr", "%", "‰", "kg", "lb", "lbs", "cm", "mmHg",
         "°C", "°F", "years", "yrs", "Jahre", "ans", "años", "jaar")  # fmt: skip
"""Units by which a column of text is known to hold numbers. Doses (5 mg) are not among them: these are categories."""
_ALIKE = {" ": " \u00a0\u2009\u202f", "'": "'\u2019"}
_MINUS = "-\u2212"
_NO_UNIT = r"[\d+()−-]|^[\s.,'_]|[\s,'_]$|^$"


@dataclass(frozen=True)
class NumberForm:
    """How numbers are written."""

    decimal: str = "."
    thousands: str | None = None
    unit: str | None = None
    """What stands before or behind numbers, such as `$`, `%` or `kg`."""

    def __post_init__(self) -> None:
        if self.decimal not in DECIMALS:
            raise PolicyError("decimal must be a point or a comma")
        if self.thousands is not None and self.thousands not in THOUSANDS:
            raise PolicyError("thousands must be a point, a comma, a blank, an apostrophe or an underscore")
        if self.decimal == self.thousands:
            raise PolicyError("decimal and thousands must differ")
        if self.unit is not None and re.search(_NO_UNIT, self.unit):
            raise PolicyError("unit must be a sign or a word without digits, such as $, % or kg")

    def read(self, texts: pa.Array) -> pa.Array:
        """Each text as a plain number: no leading zeros, no plus, a point before decimals; null where it is none."""
        import pyarrow as pa
        import pyarrow.compute as pc

        fields = pc.extract_regex(texts if self.unit is None else self._without_unit(texts), self._pattern)
        sign, whole, part = fields.flatten()
        result = pc.or_(pc.not_equal(whole, ""), pc.not_equal(part, ""))
        if self.thousands is not None:
            whole = pc.replace_substring_regex(whole, "[^0-9]", "")
        whole = pc.utf8_ltrim(whole, "0")
        whole = pc.if_else(pc.equal(whole, ""), "0", whole)
        written = pc.if_else(pc.equal(part, ""), whole, pc.binary_join_element_wise(whole, part, "."))
        negative = pc.and_(pc.is_in(sign, pa.array(list(_MINUS))), pc.match_substring_regex(written, "[1-9]"))
        written = pc.if_else(negative, pc.binary_join_element_wise("-", written, ""), written)
        return pc.if_else(pc.fill_null(result, False), written, pa.scalar(None, pa.string()))

    def _without_unit(self, texts: pa.Array) -> pa.Array:
        """The texts without the unit at one end, and with a minus for brackets around the whole."""
        import pyarrow.compute as pc

        assert self.unit is not None
        unit, blanks = re.escape(self.unit), f"[{_ALIKE[' ']}]*"
        before, behind = f"^([-+{_MINUS[1]}]?){blanks}{unit}{blanks}", f"{blanks}{unit}$"
        texts = _signed(texts)
        ahead = pc.replace_substring_regex(texts, before, r"\1")
        return _signed(pc.if_else(pc.equal(ahead, texts), pc.replace_substring_regex(texts, behind, ""), ahead))

    @property
    def _pattern(self) -> str:
        decimals = f"(?:{re.escape(self.decimal)}(?P<part>[0-9]+))?"
        whole = "[0-9]*"
        if self.thousands is not None:
            between = f"[{re.escape(_ALIKE.get(self.thousands, self.thousands))}]"
            whole = f"[0-9]*|[0-9]{{1,3}}(?:{between}[0-9]{{3}})+"
        return f"^(?P<sign>[-+{_MINUS[1]}]?)(?P<whole>{whole}){decimals}$"


def _signed(texts: pa.Array) -> pa.Array:
    """A minus for brackets around the whole, in which no other sign stands."""
    import pyarrow.compute as pc

    return pc.replace_substring_regex(texts, f"^\\(([^-+{_MINUS[1]}()]*)\\)$", r"-\1")


def usual_forms(unit: str | None = None) -> tuple[NumberForm, ...]:
    """Forms that exports have, the plainest first."""
    signs = ((".", None), (",", None), (".", ","), (",", "."), (".", " "), (",", " "), (".", "'"))
    return tuple(NumberForm(decimal, thousands, unit) for decimal, thousands in signs)


def unit_of(texts: pa.Array) -> str | None:
    """The one of `UNITS` that stands before or behind numbers here, if there is one and no other."""
    import pyarrow.compute as pc

    listed = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
    patterns = (f"^[-+{_MINUS[1]}(]*(?P<unit>{listed})[^0-9]*[0-9]", f"[0-9][{_ALIKE[' ']}]*(?P<unit>{listed})[)]?$")
    fields = (pc.extract_regex(texts, pattern).flatten()[0] for pattern in patterns)
    seen = {unit for field in fields for unit in field.drop_null().unique().to_pylist()}
    return seen.pop() if len(seen) == 1 else None
