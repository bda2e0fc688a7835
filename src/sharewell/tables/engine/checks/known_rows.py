"""Who is left to an attacker who knows some rows of a person: every such knowledge, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from sharewell.tables.engine.array_types import Ints

Content = tuple[int, ...]
"""The cells of a trail, sorted."""
Dates = tuple[tuple[int, int, frozenset[int]] | None, ...]
"""Of each shifted column of a trail: its first and last day and its weekdays; None without a date."""


@dataclass(frozen=True, eq=False)
class KnownRows:
    """Distinct trails, who owns how many of each, and the days that each shows in shifted columns."""

    contents: Sequence[Content]
    owners: Sequence[Ints]
    """Of each content: the known persons who have such a trail, as often as they have it."""
    dates: Sequence[Dates]

    def fewest(self, most: int, steps: int) -> tuple[int | None, int]:
        """(the least number of persons left by any knowledge of at most this many rows, sets of rows looked at).

        No number where more sets than `steps` would have to be looked at.
        """
        least, done = None, 0
        seen: dict[tuple[Content, Dates], int] = {}
        for number, content in enumerate(self.contents):
            for known, candidates in self._knowledge(content, most):
                done += 1
                if done > steps:
                    return None, done
                key = (known, self.dates[number])
                if key not in seen:
                    seen[key] = self._persons([one for one in candidates if self._possible(one, number)])
                least = seen[key] if least is None else min(least, seen[key])
        return least, done

    @cached_property
    def _holding(self) -> dict[tuple[int, int], frozenset[int]]:
        """(cell, times) → the contents that hold the cell this many times or more."""
        results: dict[tuple[int, int], set[int]] = {}
        for number, content in enumerate(self.contents):
            for cell, times in Counter(content).items():
                for fewer in range(1, times + 1):
                    results.setdefault((cell, fewer), set()).add(number)
        return {key: frozenset(some) for key, some in results.items()}

    def _knowledge(self, content: Content, most: int) -> Iterator[tuple[Content, frozenset[int]]]:
        """Every set of at most this many rows of a trail, and the contents that hold all of them."""
        cells = [(cell, len(list(same))) for cell, same in groupby(content)]

        def longer(at: int, known: Content, left: frozenset[int] | None) -> Iterator[tuple[Content, frozenset[int]]]:
            for next_, (cell, times) in enumerate(cells[at:], at + 1):
                for taken in range(1, min(times, most - len(known)) + 1):
                    holding = self._holding[cell, taken]
                    both = holding if left is None else left & holding
                    more = known + (cell,) * taken
                    yield more, both
                    if len(more) < most:
                        yield from longer(next_, more, both)

        return longer(0, (), None)

    def _possible(self, candidate: int, target: int) -> bool:
        """Whatever is known of the period and of closed days: could the candidate's other dates be the target's?

        Certain only where they lie between the target's own first and last day and on weekdays of the target's own.
        """
        for theirs, ours in zip(self.dates[candidate], self.dates[target], strict=True):
            if theirs is None or candidate == target:
                continue
            if ours is None or theirs[0] < ours[0] or theirs[1] > ours[1] or not theirs[2] <= ours[2]:
                return False
        return True

    def _persons(self, candidates: Sequence[int]) -> int:
        """Trails of known persons among the candidates, divided (downwards) by the most that are one person's."""
        owners = np.concatenate([self.owners[one] for one in candidates]) if candidates else np.zeros(0, np.int64)
        if not len(owners):
            return 0
        return len(owners) // int(np.unique(owners, return_counts=True)[1].max())
