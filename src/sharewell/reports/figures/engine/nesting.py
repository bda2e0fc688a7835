"""Levels of a report, one inside the other: patients of physicians, physicians of laboratories, those of health plans.

Only the lowest level has cells of its own. A unit above it has, for every measure, the mean (or the sum) of the units
directly below; that is as much a secret as the cells are, and has limits of its own.

>>> above = {"physician": {"P": ["a", "b"], "Q": ["c"]}, "plan": {"H": ["P", "Q"]}}
>>> nesting = Nesting.of("patient", ("a", "b", "c"), above)
>>> nesting.rows
('a', 'b', 'c', 'P', 'Q', 'H')
>>> nesting.known_to("P"), nesting.known_to("a", "b")
(('a', 'b', 'P'), ('a', 'b', 'P'))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sharewell.errors import DataError, PolicyError

RollUp = Literal["mean", "sum"]
ROLL_UPS: tuple[RollUp, ...] = ("mean", "sum")


@dataclass(frozen=True)
class Nesting:
    """Which units there are at every level, and what each is made of."""

    levels: Mapping[str, tuple[str, ...]]
    """Level → its units, the lowest level first."""
    members: Mapping[str, tuple[str, ...]]
    """Unit above the lowest level → the units directly below."""
    roll_up: RollUp = "mean"
    names_public: bool = False
    """May the names of all units, and who belongs to whom, be published?"""

    @classmethod
    def of(
        cls,
        lowest: str,
        rows: Sequence[str],
        above: Mapping[str, Mapping[str, Sequence[str]]],
        roll_up: RollUp = "mean",
        names_public: bool = False,
    ) -> Nesting:
        """From the units of each higher level, with those directly below. Each belongs to one unit of the next."""
        if roll_up not in ROLL_UPS:
            raise PolicyError("table.roll_up must be mean or sum")
        levels = {lowest: tuple(rows)}
        for level, units in above.items():
            below = next(reversed(levels.values()))
            times = Counter(name for members in units.values() for name in members)
            if set(times) != set(below) or any(number > 1 for number in times.values()):
                wrong = len(set(times) ^ set(below)) + sum(number > 1 for number in times.values())
                what = f"{wrong} unit(s) belong to none of its units, to several, or are not there"
                raise DataError(f"table.levels — {level} — {what} — put each unit below into one")
            levels[level] = tuple(units)
        names = [name for units in levels.values() for name in units]
        if len({*names, *levels}) < len(names) + len(levels) or len(levels) < len(above) + 1:
            raise DataError("table.levels — a unit or level has the name of another — give each one of its own")
        members = {unit: tuple(below) for units in above.values() for unit, below in units.items()}
        return cls(levels, members, roll_up, names_public)

    @property
    def rows(self) -> tuple[str, ...]:
        """All units, the lowest level first."""
        return tuple(name for units in self.levels.values() for name in units)

    @property
    def lowest(self) -> str:
        return next(iter(self.levels))

    def scope(self, within: str) -> tuple[str, ...]:
        """The rows that a column's figure is about: a level's, or those directly below a unit; else the lowest."""
        return self.members[within] if within in self.members else self.levels[within or self.lowest]

    def known_to(self, *owners: str) -> tuple[str, ...]:
        """The rows that owners know together: their own, all below, and units of which they know every part."""
        known = set(owners)
        for unit, members in reversed(list(self.members.items())):
            known |= {*members} if unit in known else set()
        for unit, members in self.members.items():
            known |= {unit} if set(members) <= known else set()
        return tuple(row for row in self.rows if row in known)


def nesting_of_rows(
    values: Mapping[str, Mapping[str, object]], lowest: str, levels: Sequence[str], roll_up: RollUp, public: bool
) -> tuple[dict[str, dict[str, object]], Nesting]:
    """The rows without the columns that name their unit on each level, and the nesting that these columns describe.

    >>> cells = {"a": {"x": 1, "physician": "P"}, "b": {"x": 2, "physician": "P"}}
    >>> rest, nesting = nesting_of_rows(cells, "patient", ["physician"], "mean", False)
    >>> rest, dict(nesting.members)
    ({'a': {'x': 1}, 'b': {'x': 2}}, {'P': ('a', 'b')})
    """
    missing = sum(row.get(level) in (None, "") for row in values.values() for level in levels)
    if missing:
        raise DataError(f"table.levels — {missing} row(s) name no unit of a level — name one for every row and level")
    above: dict[str, dict[str, list[str]]] = {level: {} for level in levels}
    for name, row in values.items():
        path = [name, *(str(row[level]) for level in levels)]
        for level, unit, part in zip(levels, path[1:], path, strict=False):
            members = above[level].setdefault(unit, [])
            if part not in members:
                members.append(part)
    ordered = {level: {unit: sorted(units[unit]) for unit in sorted(units)} for level, units in above.items()}
    rest = {name: {key: value for key, value in row.items() if key not in levels} for name, row in values.items()}
    names = sorted(values)
    return {name: rest[name] for name in names}, Nesting.of(lowest, names, ordered, roll_up, public)
