"""Several classifications side by side: a value is `system:code`, and each system is a branch below the root.

>>> from sharewell.hierarchy.icd import ICD9CM, ICD10CM
>>> both = Systems({"ICD9": ICD9CM(), "ICD10": ICD10CM()})
>>> both.chain("ICD9:401.1")
('ICD9:401.1', 'ICD9:401', 'ICD9:401-405', 'ICD9:ch07', 'ICD9', '*')
>>> both.lists("ICD10:I10"), both.lists("I10"), both.title("ICD10:I10")
(True, False, 'Essential (primary) hypertension')
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

from sharewell.hierarchy.chains import ROOT, Chain, HierarchyGap
from sharewell.hierarchy.gaps import ListingHierarchy
from sharewell.hierarchy.levels import Levels, compile_chains

APART = ":"


@runtime_checkable
class Titled(Protocol):
    """A classification that knows what its codes are called."""

    def title(self, code: str, /) -> str | None: ...


def joined(system: str, code: str) -> str:
    """A code with its system before it."""
    return f"{system}{APART}{code}"


@dataclass(frozen=True)
class Systems:
    """Each system's own hierarchy, by the word that names the system in the data."""

    name: ClassVar[str] = "systems"
    systems: Mapping[str, ListingHierarchy] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.systems or any(APART in system for system in self.systems):
            raise ValueError("systems must be named, without a colon")

    def lists(self, value: str) -> bool:
        system, code = self._apart(value)
        return system in self.systems and self.systems[system].lists(code)

    def chain(self, value: str) -> Chain:
        """A code that its system does not list gets the chain that this system gives it."""
        system, code = self._apart(value)
        if system not in self.systems:
            raise HierarchyGap(self.name, 1, 1, f"systems: {', '.join(self.systems)}")
        labels = self.systems[system].chain(code)
        return (*(joined(system, label) for label in labels if label != ROOT), system, ROOT)

    def compile(self, values: Sequence[str]) -> Levels:
        distinct = list(dict.fromkeys(values))
        return compile_chains(distinct, [self.chain(value) for value in distinct])

    def title(self, value: str) -> str | None:
        system, code = self._apart(value)
        hierarchy = self.systems.get(system)
        return hierarchy.title(code) if isinstance(hierarchy, Titled) else None

    def _apart(self, value: str) -> tuple[str, str]:
        system, _, code = value.partition(APART)
        return system, code
