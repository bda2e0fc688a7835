"""Columns whose values were drawn: what the dictionary says about the draws, and the counts that can be had back.

>>> drawn = DrawnValues((ValueGroup(("flu", "HIV", "none"), Randomised.within(Fraction(4), 3)),))
>>> DrawnValues.from_facts(drawn.facts) == drawn
True
>>> {value: round(count) for value, (count, _) in drawn.estimates({"flu": 40, "HIV": 20, "none": 60}).items()}
{'flu': 40, 'HIV': 0, 'none': 80}
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol, runtime_checkable

from sharewell.errors import DataError
from sharewell.plain_data import JsonObject
from sharewell.randomised import Randomised

HOW = "drawn: the true value with a known probability, else another declared one"
DRAWN_FROM = "drawn_from"
"""The fact by which a dictionary tells a drawn column."""
_ROWS = "rows_per_person"


@runtime_checkable
class BoundsRatio(Protocol):
    """A criterion that says how truthful draws may be."""

    def largest_ratio(self, share: Fraction) -> Fraction:
        """For all that is drawn of a person, where this share of the records is in the group that is published."""
        ...


@dataclass(frozen=True)
class ValueGroup:
    """Public values, and how each of them is drawn from the others."""

    values: tuple[str, ...]
    drawn: Randomised


@dataclass(frozen=True)
class DrawnValues:
    """How the values of one column were drawn: within groups of public values, or within all of them."""

    groups: tuple[ValueGroup, ...]
    rows_per_person: int = 1

    @property
    def facts(self) -> JsonObject:
        """What the dictionary says, from which anybody can recompute what a value tells."""
        groups = [{"values": list(group.values), "kept": group.drawn.kept} for group in self.groups]
        return {"falsified": HOW, DRAWN_FROM: groups, _ROWS: self.rows_per_person}

    @classmethod
    def from_facts(cls, facts: JsonObject) -> DrawnValues | None:
        """As a dictionary has it; None for a column that was not drawn."""
        if DRAWN_FROM not in facts:
            return None
        try:
            groups = tuple(
                ValueGroup(tuple(map(str, one["values"])), Randomised(_whole(one["kept"]), len(one["values"])))
                for one in facts[DRAWN_FROM]
            )
            result = cls(groups, _whole(facts[_ROWS]))
        except (LookupError, TypeError, ValueError):
            raise DataError("the dictionary does not say how values were drawn") from None
        if not groups or result.rows_per_person < 1 or len(result.group_of) < sum(len(one.values) for one in groups):
            raise DataError("the dictionary does not say how values were drawn")
        return result

    @cached_property
    def group_of(self) -> dict[str, int]:
        """Value → its group."""
        return {value: i for i, group in enumerate(self.groups) for value in group.values}

    def sizes(self, counts: Mapping[str, int]) -> list[int]:
        """How many records each group has."""
        return [sum(counts.get(value, 0) for value in group.values) for group in self.groups]

    def ratio(self, group: ValueGroup) -> Fraction:
        """The ratio of all records of one person together."""
        return group.drawn.ratio**self.rows_per_person

    def estimates(self, counts: Mapping[str, int]) -> dict[str, tuple[float, float]]:
        """Value → (how many records truly have it, by an unbiased estimate; the standard error of that)."""
        results = {}
        for group, size in zip(self.groups, self.sizes(counts), strict=True):
            for value in group.values:
                seen = counts.get(value, 0)
                error = group.drawn.error(seen, size) if size else 0.0
                results[value] = (group.drawn.estimate(seen, size, 1), error)
        return results


def most_truthful(ratio: Fraction, answers: int, draws: int) -> Randomised | None:
    """Draws of which this many together keep within the ratio; None if they would tell nothing.

    >>> result = most_truthful(Fraction(9), 2, 2)
    >>> result.ratio**2 <= 9, round(float(result.ratio), 6)
    (True, 3.0)
    """
    root = ratio if draws == 1 else Fraction(math.exp(math.log(ratio) / draws)) * (1 - Fraction(1, 1 << 40))
    try:
        result = Randomised.within(root, answers)
    except ValueError:
        return None
    return result if result.ratio**draws <= ratio else None


def _whole(number: object) -> int:
    if type(number) is not int:
        raise TypeError
    return number
