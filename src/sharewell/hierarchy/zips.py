"""US ZIP codes, and the three digits that the Safe Harbor rule allows.

>>> Zip().chain("02139-4307")
('02139-4307', '02139', '021*', '0*', '*')
>>> SafeHarborZip().chain("02139"), SafeHarborZip().chain("03601")
(('02139', '021', '*'), ('03601', '000', '*'))

`Zip` cuts where the post does: delivery area, sectional centre (three digits), group of states (one digit).

`SafeHarborZip` publishes the first three digits only where they hold more than 20,000 people, and `000` otherwise
(45 CFR 164.514(b)(2)(i)(B)). People are counted in the 2020 census, summed over the census's own ZIP areas; a prefix
without such an area (boxes, single organisations) becomes `000`. Before legal use, compare with the current census.

Values with fewer than five digits are gaps: most often a spreadsheet has eaten the leading zeros. Leaves are the
column's own values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

from sharewell.hierarchy.chains import ROOT, Chain, OnGap
from sharewell.hierarchy.levels import ChainHierarchy
from sharewell.io.shipped import shipped_rows

SAFE_HARBOR_PEOPLE = 20_000
_ZIP = re.compile(r"(\d{5})(?:-?(\d{4}))?", re.ASCII)
_HINT = "write ZIP codes with five digits (leading zeros lost?), or set on_gap: root"


@dataclass(frozen=True)
class Zip(ChainHierarchy):
    """ZIP+4 → ZIP → three digits → one digit."""

    on_gap: OnGap = "refuse"
    name: ClassVar[str] = "zip"
    hint: ClassVar[str] = _HINT

    def path(self, text: str) -> Chain | None:
        if re.fullmatch(r"\d{3}\*|\d\*", text, re.ASCII):
            return (text, f"{text[0]}*", ROOT) if len(text) == 4 else (text, ROOT)
        zip5 = _digits(text)
        return (*zip5, f"{text[:3]}*", f"{text[0]}*", ROOT) if zip5 else None


@dataclass(frozen=True)
class SafeHarborZip(ChainHierarchy):
    """ZIP → three digits if more than 20,000 people share them, else `000`."""

    on_gap: OnGap = "refuse"
    name: ClassVar[str] = "safe-harbor-zip"
    hint: ClassVar[str] = _HINT
    census: ClassVar[int] = 2020

    def path(self, text: str) -> Chain | None:
        area = text[:3] if text[:3] in populous() else "000"
        if re.fullmatch(r"\d{3}", text, re.ASCII):
            return (text, ROOT) if text == area else (text, area, ROOT)
        zip5 = _digits(text)
        return (*zip5, area, ROOT) if zip5 else None


@cache
def populous() -> frozenset[str]:
    """The three-digit prefixes with more than 20,000 people."""
    rows = shipped_rows("zip3_population_2020.csv")
    return frozenset(row["zip3"] for row in rows if int(row["population_2020"]) > SAFE_HARBOR_PEOPLE)


def _digits(text: str) -> Chain | None:
    """ZIP+4 and ZIP, or ZIP alone."""
    match = _ZIP.fullmatch(text)
    if not match:
        return None
    return (f"{match[1]}-{match[2]}", match[1]) if match[2] else (match[1],)
