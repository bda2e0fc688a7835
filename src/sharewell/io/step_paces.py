"""How long work of some size takes on this machine: so that a first run can say it beforehand.

What earlier steps took, of this run and of others, is kept in the user's cache: for each kind of work a few amounts and
seconds, and nothing else. Work that this machine never did is estimated by what ships, measured by
`python -m benchmarks step-paces` on another machine: such estimates can be wrong by a factor of a few, hence "about".
Where nothing is known of a kind of work, nothing is said.
"""

from __future__ import annotations

import json
import math
import os
import re
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from sharewell.io.step_times import users_cache

Points = list[tuple[float, float]]
"""Amounts and seconds."""

LEAST = 0.2
"""Seconds: of shorter work, starting it is most."""
_MOST_POINTS = 8
_APART = 2.0
"""Amounts that differ by less tell nothing of how work grows."""
_FAR = 50
"""An amount that is this many times smaller or greater than any that was measured: its length is not known."""
_SLOPES = (0.5, 2.2)
"""From work that hardly grows with its amount to a little more than its square."""


@dataclass
class StepPaces:
    """Amounts and seconds of each kind of work."""

    file: Path | None = None
    own: dict[str, Points] = field(default_factory=dict)
    """What this machine did."""
    shipped: dict[str, Points] = field(default_factory=dict)
    changed: bool = False

    @classmethod
    def of_this_machine(cls) -> StepPaces:
        file = users_cache() / "sharewell" / "paces.json"
        try:
            own = _points(json.loads(file.read_bytes()))
        except (OSError, RuntimeError, ValueError, TypeError, AttributeError):
            own = {}
        return cls(file, own, _shipped())

    def estimate(self, work: str, amount: int) -> float | None:
        """Seconds, by the nearest amount that was measured, and by how such work grows."""
        own, others = self.own.get(work, []), self.shipped.get(work, [])
        points = own or others
        if not points or amount <= 0:
            return None
        slope = _slope(own) or _slope(others) or 1.0
        known, seconds = min(reversed(points), key=lambda point: abs(math.log(point[0] / amount)))
        if not 1 / _FAR <= amount / known <= _FAR:
            return None
        return float(seconds * (amount / known) ** slope)

    def add(self, work: str, amount: int, seconds: float) -> None:
        """Of amounts that are about the same, the last one counts."""
        if amount <= 0 or seconds < LEAST:
            return
        others = [one for one in self.own.get(work, []) if not 0.8 < one[0] / amount < 1.25]
        self.own[work] = [*others, (float(amount), round(seconds, 2))][-_MOST_POINTS:]
        self.changed = True

    def save(self) -> None:
        """Keep them, if that is possible here."""
        if self.file is None or not self.changed:
            return
        with suppress(OSError, RuntimeError):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            written = self.file.with_suffix(f".{os.getpid()}")
            written.write_text(json.dumps(self.own), encoding="ascii")
            written.replace(self.file)


def files_named_in(policy: Path) -> list[Path]:
    """What looks like the name of a file in a policy, and is one: the work of a verb grows with these."""
    names = set(re.findall(r"[\w./-]+\.\w+", policy.read_text(encoding="utf-8", errors="replace")))
    return [policy.parent / name for name in sorted(names) if (policy.parent / name).is_file()]


def _slope(points: Points) -> float | None:
    """By how much seconds grow with amounts, both by their logarithms; None where all amounts are about the same."""
    if not points or max(points)[0] < _APART * min(points)[0]:
        return None
    logs = [(math.log(amount), math.log(seconds)) for amount, seconds in points]
    middle = [sum(values) / len(logs) for values in zip(*logs, strict=True)]
    spread = sum((x - middle[0]) ** 2 for x, _ in logs)
    slope: float = sum((x - middle[0]) * (y - middle[1]) for x, y in logs) / spread
    return min(max(slope, _SLOPES[0]), _SLOPES[1])


def _points(kept: dict[str, list[list[float]]]) -> dict[str, Points]:
    """What a file says, as far as it makes sense."""
    checked = {
        str(work): [(float(amount), float(seconds)) for amount, seconds in points] for work, points in kept.items()
    }
    return {
        work: points
        for work, points in checked.items()
        if points and all(1 <= amount < 1e18 and 0 < seconds < 1e7 for amount, seconds in points)
    }


@cache
def _shipped() -> dict[str, Points]:
    from sharewell.io.shipped import shipped_text

    return _points(json.loads(shipped_text("step_paces.json")))
