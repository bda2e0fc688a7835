"""Numbers as exports write them: `1.234,50` read strictly and written as `1234.50`.

A number is read in one way or not at all: groups of thousands have three digits each, and a sign of thousands or of
decimals that the form does not name makes a text unreadable.

>>> import pyarrow as pa
>>> german = NumberForm(decimal=",", thousands=".")
>>> german.read(pa.array(["1.234", "1.234,50", "-0,5", "1.23", "12 kg"])).to_pylist()
['1234', '1234.50', '-0.5', None, None]
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
_ALIKE = {" ": " \u00a0\u2009\u202f", "'": "'\u2019"}
_MINUS = "-\u2212"


@dataclass(frozen=True)
class NumberForm:
    """How numbers are written."""

    decimal: str = "."
    thousands: str | None = None

    def __post_init__(self) -> None:
        if self.decimal not in DECIMALS:
            raise PolicyError("decimal must be a point or a comma")
        if self.thousands is not None and self.thousands not in THOUSANDS:
            raise PolicyError("thousands must be a point, a comma, a blank, an apostrophe or an underscore")
        if self.decimal == self.thousands:
            raise PolicyError("decimal and thousands must differ")

    def read(self, texts: pa.Array) -> pa.Array:
        """Each text as a plain number: no leading zeros, no plus, a point before decimals; null where it is none."""
        import pyarrow as pa
        import pyarrow.compute as pc

        fields = pc.extract_regex(texts, self._pattern)
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

    @property
    def _pattern(self) -> str:
        decimals = f"(?:{re.escape(self.decimal)}(?P<part>[0-9]+))?"
        whole = "[0-9]*"
        if self.thousands is not None:
            between = f"[{re.escape(_ALIKE.get(self.thousands, self.thousands))}]"
            whole = f"[0-9]*|[0-9]{{1,3}}(?:{between}[0-9]{{3}})+"
        return f"^(?P<sign>[-+{_MINUS[1]}]?)(?P<whole>{whole}){decimals}$"
