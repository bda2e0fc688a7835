"""How guards are listed: a function is one by its name, alone, with a number or with a lexicon behind a colon."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sharewell.notes.matcher.rule import Guard

MakeNumbered = Callable[[int], Guard]
MakeWorded = Callable[[frozenset[str]], Guard]


@dataclass(frozen=True)
class GuardList:
    """The guards of a file, each under the name of its function."""

    plain: dict[str, Guard] = field(default_factory=dict)
    numbered: dict[str, MakeNumbered] = field(default_factory=dict)
    worded: dict[str, MakeWorded] = field(default_factory=dict)

    def add(self, guard: Guard) -> Guard:
        self.plain[guard.__name__] = guard
        return guard

    def add_numbered(self, make: MakeNumbered) -> MakeNumbered:
        self.numbered[make.__name__] = make
        return make

    def add_worded(self, make: MakeWorded) -> MakeWorded:
        self.worded[make.__name__] = make
        return make
