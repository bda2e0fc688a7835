"""Dates of birth and ages as the Safe Harbor rule publishes them: whoever is over 89 is `90+`.

>>> SafeHarborBirth(year=2026).chain("1981-05-01"), SafeHarborBirth(year=2026).chain("1930-02-03")
(('1981-05-01', '1981-05', '1981', '*'), ('1930-02-03', '1930-02', '1930', '90+', '*'))
>>> SafeHarborAge().chain("44"), SafeHarborAge().chain("95")
(('44', '*'), ('95', '90+', '*'))

`SafeHarborBirth` cuts a date to its year; a year more than 89 before that of the release lies below `90+`. Without the
year of a release (0) no year does. Both say what a published cell covers, so that it can be held against a list of
people with exact values. Leaves are the column's own values.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sharewell.errors import PolicyError
from sharewell.hierarchy.chains import ROOT, Chain, OnGap, all_chains, checked_on_gap, cover, distinct, one_chain
from sharewell.hierarchy.dates import Dates
from sharewell.hierarchy.levels import Levels, compile_chains

_OLDEST, _TOP = 89, "90+"
_AGE = re.compile(r"0*(\d{1,3})(?:\.(\d+))?", re.ASCII)
_HINT_BIRTH = "write dates as YYYY-MM-DD, YYYY-MM or YYYY, or set on_gap: root"
_HINT_AGE = "write ages in years as numbers, or set on_gap: root"


@dataclass(frozen=True)
class SafeHarborBirth:
    """Dates of birth → months → years → `90+` where that many years lie before the release."""

    year: int = 0
    on_gap: OnGap = "refuse"
    name: ClassVar[str] = "safe-harbor-birth-date"

    def __post_init__(self) -> None:
        checked_on_gap(self.on_gap)
        if not isinstance(self.year, int) or isinstance(self.year, bool) or not 0 <= self.year <= 9999:
            raise PolicyError("safe-harbor-birth-date — year is the year of the release, with four digits")

    def lists(self, value: str) -> bool:
        """Whether a value is an ISO date."""
        return cover(self._path, value) is not None

    def chain(self, value: str) -> Chain:
        return one_chain(self.name, self._path, value, self.on_gap, _HINT_BIRTH)

    def compile(self, values: Sequence[str]) -> Levels:
        ordered = distinct(values)
        chains, missing = all_chains(self.name, self._path, ordered, self.on_gap, _HINT_BIRTH)
        return compile_chains(ordered, chains, unknown=len(missing))

    @cached_property
    def _dates(self) -> Dates:
        return Dates(on_gap="root")

    def _path(self, text: str) -> Chain | None:
        if text == _TOP:
            return (_TOP, ROOT)
        chain = self._dates.chain(text) if self._dates.lists(text) else ()
        years = [place for place, label in enumerate(chain) if len(label) == 4 and label.isdecimal()]
        if not years:
            return None
        below = chain[: years[0] + 1]
        return (*below, _TOP, ROOT) if int(below[-1]) < self.year - _OLDEST else (*below, ROOT)


@dataclass(frozen=True)
class SafeHarborAge:
    """Ages in years → `90+` where they are more than 89."""

    on_gap: OnGap = "refuse"
    name: ClassVar[str] = "safe-harbor-age"

    def __post_init__(self) -> None:
        checked_on_gap(self.on_gap)

    def lists(self, value: str) -> bool:
        """Whether a value is written like an age in years."""
        return cover(_age, value) is not None

    def chain(self, value: str) -> Chain:
        return one_chain(self.name, _age, value, self.on_gap, _HINT_AGE)

    def compile(self, values: Sequence[str]) -> Levels:
        ordered = distinct(values)
        chains, missing = all_chains(self.name, _age, ordered, self.on_gap, _HINT_AGE)
        return compile_chains(ordered, chains, unknown=len(missing))


def _age(text: str) -> Chain | None:
    """However a number is written, `44` and `44.0` are one age."""
    if text == _TOP:
        return (_TOP, ROOT)
    match = _AGE.fullmatch(text)
    if not match:
        return None
    part = (match[2] or "").rstrip("0")
    plain = f"{match[1]}.{part}" if part else match[1]
    own = (text,) if text == plain else (text, plain)
    return (*own, _TOP, ROOT) if int(match[1]) > _OLDEST else (*own, ROOT)
