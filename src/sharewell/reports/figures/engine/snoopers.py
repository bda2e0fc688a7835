"""Who may snoop: a stranger, every owner with its own row, and owners who put their rows together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal, Protocol, TypedDict, runtime_checkable

from sharewell.errors import PolicyError
from sharewell.reports.figures.data import Knowledge, Publication


class Who(TypedDict):
    """The fields of `Snoopers`, which criteria have too."""

    outsider: bool
    owners: tuple[str, ...] | Literal["all", "known"]
    coalitions: int


@dataclass(frozen=True)
class Snoopers:
    """Whom to simulate. Whoever knows more infers more: the largest coalitions decide, the others are told beside."""

    outsider: bool = True
    owners: tuple[str, ...] | Literal["all", "known"] = "known"
    """Names of owners; all of them; or those whose rows are given (default)."""
    coalitions: int = 1
    """How many owners may put their rows together."""

    def __post_init__(self) -> None:
        if self.coalitions < 1:
            raise PolicyError("snoopers — coalitions must be 1 or more — 1 is every owner alone")

    @property
    def who(self) -> Who:
        return {"outsider": self.outsider, "owners": self.owners, "coalitions": self.coalitions}

    def mounted(self, publication: Publication) -> tuple[Knowledge, ...]:
        """What each of them knows; a coalition of all owners has nothing to learn and is left out."""
        owners = self._owners(publication)
        found = [publication.knowledge()] if self.outsider else []
        for size in range(1, min(self.coalitions, len(publication.frame.rows) - 1) + 1):
            found += [publication.knowledge(*rows) for rows in combinations(owners, size)]
        if not found:
            raise PolicyError("snoopers — nobody is left who could learn anything — set outsider: true")
        twice = [name for name, times in Counter(one.name for one in found).items() if times > 1]
        if twice:
            raise PolicyError(f"snoopers — two of them would be called '{twice[0]}' — give the row another name")
        return tuple(found)

    def not_mounted(self, publication: Publication) -> tuple[str, ...]:
        """Owners whose snooping is not simulated: they were not named, or their rows are not given."""
        return tuple(row for row in publication.frame.rows if row not in self._owners(publication))

    def _owners(self, publication: Publication) -> Sequence[str]:
        if self.owners == "known":
            frame, truth = publication.frame, publication.truth
            return [row for row in frame.rows if all(cell in truth for cell in frame.line("rows", row))]
        return publication.frame.rows if self.owners == "all" else tuple(dict.fromkeys(self.owners))


@runtime_checkable
class Snooped(Protocol):
    """A criterion that names its snoopers."""

    @property
    def snoopers(self) -> Snoopers: ...


def common(must: Iterable[object]) -> Snoopers:
    """The snoopers of criteria, which must be the same for all: a report is judged for them together."""
    found = list(dict.fromkeys(one.snoopers for one in must if isinstance(one, Snooped)))
    if len(found) > 1:
        raise PolicyError("snoopers — differ from criterion to criterion — say them once, for all")
    return found[0] if found else Snoopers()


def named(publication: Publication, name: str) -> Knowledge:
    """A snooper by name: `outsider`, an owner, or owners joined by +."""
    if name in publication.frame.rows:
        return publication.knowledge(name)
    return publication.knowledge(*(part.strip() for part in name.split("+") if name != "outsider"))
