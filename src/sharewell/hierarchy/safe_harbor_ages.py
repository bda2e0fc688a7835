"""Dates of birth and ages as the Safe Harbor rule publishes them: ages over 89 become `90+`.

>>> SafeHarborBirth(year=2026).chain("1981-05-01"), SafeHarborBirth(year=2026).chain("1930-02-03")
(('1981-05-01', '1981-05', '1981', '*'), ('1930-02-03', '1930-02', '1930', '90+', '*'))
>>> SafeHarborAge().chain("44"), SafeHarborAge().chain("95")
(('44', '*'), ('95', '90+', '*'))

`SafeHarborBirth` cuts a date to its year; a year more than 89 before that of the release lies below `90+`. Without the
year of a release (0) no year does. Both say what a published cell covers, so that it can be compared with a list of
people with exact values. Leaves are the column's own values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sharewell.errors import PolicyError
from sharewell.hierarchy.chains import ROOT, Chain, OnGap
from sharewell.hierarchy.dates import Dates
from sharewell.hierarchy.levels import ChainHierarchy

_OLDEST, _TOP = 89, "90+"
_AGE = re.compile(r"0*(\d{1,3})(?:\.(\d+))?", re.ASCII)


@dataclass(frozen=True)
class SafeHarborBirth(ChainHierarchy):
    """Dates of birth → months → years → `90+` where that many years lie before the release."""

    year: int = 0
    on_gap: OnGap = "refuse"
    name: ClassVar[str] = "safe-harbor-birth-date"
    hint: ClassVar[str] = Dates.hint

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.year, int) or isinstance(self.year, bool) or not 0 <= self.year <= 9999:
            raise PolicyError("safe-harbor-birth-date — year is the year of the release, with four digits")

    @cached_property
    def _dates(self) -> Dates:
        return Dates(on_gap="root")

    def path(self, text: str) -> Chain | None:
        if text == _TOP:
            return (_TOP, ROOT)
        chain = self._dates.chain(text) if self._dates.lists(text) else ()
        years = [place for place, label in enumerate(chain) if len(label) == 4 and label.isdecimal()]
        if not years:
            return None
        below = chain[: years[0] + 1]
        return (*below, _TOP, ROOT) if int(below[-1]) < self.year - _OLDEST else (*below, ROOT)


@dataclass(frozen=True)
class SafeHarborAge(ChainHierarchy):
    """Ages in years → `90+` where they are more than 89."""

    on_gap: OnGap = "refuse"
    name: ClassVar[str] = "safe-harbor-age"
    hint: ClassVar[str] = "write ages in years as numbers, or set on_gap: root"

    def path(self, text: str) -> Chain | None:
        """However a number is written, `44` and `44.0` are one age."""
        if text == _TOP:
            return (_TOP, ROOT)
        match = _AGE.fullmatch(text)
        if not match:
            return None
        part = (match[2] or "").rstrip("0")
        plain = f"{match[1]}.{part}" if part else match[1]
        exact = (text,) if text == plain else (text, plain)
        return (*exact, _TOP, ROOT) if int(match[1]) > _OLDEST else (*exact, ROOT)
