"""Categories in a given order.

>>> Ordered(["mild", "moderate", "severe"], groups={"at most moderate": ["mild", "moderate"]}).chain("mild")
('mild', 'at most moderate', '*')
>>> Ordered(["mild", "moderate", "severe"]).compile(["severe", "mild"]).values
('mild', 'severe')

`Ordered` lists its values; others are gaps. Its leaves are the values listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from sharewell.errors import PolicyError
from sharewell.hierarchy.chains import ROOT, Chain, OnGap
from sharewell.hierarchy.levels import ChainHierarchy, Levels
from sharewell.hierarchy.tree import Tree


@dataclass(frozen=True)
class Ordered(ChainHierarchy):
    """Values in a given order, with an optional level of `groups`, each of them neighbours in that order."""

    values: Sequence[str]
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    on_gap: OnGap = "refuse"
    name: ClassVar[str] = "order"

    def __post_init__(self) -> None:
        super().__post_init__()
        values = tuple(str(value).strip() for value in self.values)
        object.__setattr__(self, "values", values)
        if not values or "" in values or len(set(values)) < len(values):
            raise PolicyError(
                f"order — {len(values)} values, {len(set(values))} different — give each one once, none blank"
            )
        rank = {value: i for i, value in enumerate(values)}
        grouped = [str(member).strip() for members in self.groups.values() for member in members]
        if len(set(grouped)) < len(grouped) or not set(grouped) <= rank.keys():
            raise PolicyError("order — groups must share no value and hold only values of the order")
        for members in self.groups.values():
            ranks = sorted(rank[str(member).strip()] for member in members)
            if not ranks or ranks[-1] - ranks[0] + 1 != len(ranks):
                raise PolicyError("order — the values of a group must be neighbours in the order, one or more")

    def path(self, text: str) -> Chain | None:
        return self._tree.path(text)

    def compile(self, values: Sequence[str]) -> Levels:
        return self._tree.compile(values)

    @cached_property
    def _tree(self) -> Tree:
        group_of = {str(member).strip(): group for group, members in self.groups.items() for member in members}
        return Tree([[value, group_of.get(value, ""), ROOT] for value in self.values], self.on_gap, self.name)
