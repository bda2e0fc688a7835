"""Criteria about sensitive values as their definitions say, in plain Python with fractions: slow and independent."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

TREE = {
    "flu": ["flu", "upper", "chest", "*"],
    "cough": ["cough", "lower", "chest", "*"],
    "cold": ["cold", "lower", "chest", "*"],
    "ulcer": ["ulcer", "stomach", "belly", "*"],
}


@dataclass(frozen=True)
class Row:
    who: str | None
    cell: Any
    """All quasi values of the row."""
    number: str | None
    leaf: str | None
    guard: str | None


Rows = list[Row]


Distribution = dict[Any, Fraction]
"""value → its share; shares add up to 1."""


def over_records(rows: Rows, column: str) -> Distribution:
    return {v: Fraction(n, len(rows)) for v, n in Counter(getattr(row, column) for row in rows).items()}


def over_persons(rows: Rows, column: str, unnamed: str) -> Distribution:
    """Everybody has weight 1, spread equally over their records; who is unnamed is somebody else each time, or one."""
    owned: dict[Any, list[Any]] = {}
    for i, row in enumerate(rows):
        who = row.who if row.who is not None else (0, i if unnamed == "apart" else "one")
        owned.setdefault(who, []).append(getattr(row, column))
    found: Distribution = {}
    for values in owned.values():
        for value in values:
            found[value] = found.get(value, Fraction(0)) + Fraction(1, len(values) * len(owned))
    return found


def distributions(rows: Rows, column: str, by_person: bool, known: bool = False) -> list[Distribution]:
    """In every way in which a criterion must hold: over records, and over persons."""
    if known:
        rows = [row for row in rows if getattr(row, column) is not None]
    if not rows:
        return [{}] * (3 if by_person else 1)
    found = [over_records(rows, column)]
    return found + [over_persons(rows, column, unnamed) for unnamed in ("apart", "as one") if by_person]


def share(rows: Rows, by_person: bool, has: Callable[[Row], bool]) -> Fraction:
    """Of persons, those who have it; a record without a person adds to the first number only."""
    if not by_person:
        return Fraction(sum(map(has, rows)), len(rows))
    persons = {row.who for row in rows} - {None}
    having = {row.who for row in rows if has(row)} - {None}
    more = sum(row.who is None and has(row) for row in rows)
    return min(Fraction(1), Fraction(len(having) + more, len(persons))) if persons else Fraction(1)


def shares(rows: Rows, column: str, by_person: bool) -> dict[Any, Fraction]:
    values = {getattr(row, column) for row in rows}
    return {v: share(rows, by_person, lambda row, v=v: getattr(row, column) == v) for v in values}  # type: ignore[misc]


def entropy_holds(here: Distribution, l: Fraction) -> bool:  # noqa: E741
    """H ≥ ln l, as Π p^(−p) ≥ l, raised to the power of the common denominator."""
    n = math.lcm(*(p.denominator for p in here.values()))
    return bool(here) and math.prod((1 / p) ** int(p * n) for p in here.values()) >= l**n


def grassberger(rows: Rows, column: str) -> float:
    counts = Counter(value for row in rows if (value := getattr(row, column)) is not None)
    n = sum(counts.values())

    def g(count: int) -> float:
        return -0.5772156649015329 - math.log(2) + sum(2 / (2 * i - 1) for i in range(1, count // 2 + 1))

    return g(n) - sum(c * g(c) for c in counts.values()) / n if n else -math.inf


def recursive_holds(here: Distribution, c: Fraction, l: int) -> bool:  # noqa: E741
    falling = sorted(here.values(), reverse=True)
    return bool(falling) and falling[0] < c * sum(falling[l - 1 :])


def number(value: str) -> Fraction:
    return Fraction(value)


def ordered_apart(table: Distribution) -> Callable[[Any, Any], Fraction]:
    values = sorted((v for v in set(table) if v is not None), key=number) + [None] * (None in table)
    rank = {value: i for i, value in enumerate(values)}
    return lambda a, b: Fraction(abs(rank[a] - rank[b]), max(1, len(values) - 1))


def hierarchical_apart(_: Distribution) -> Callable[[Any, Any], Fraction]:
    def apart(a: Any, b: Any) -> Fraction:
        if a == b:
            return Fraction(0)
        if a is None or b is None:
            return Fraction(1)
        return Fraction(next(i for i in range(4) if TREE[a][i] == TREE[b][i]), 3)

    return apart


def equal_apart(_: Distribution) -> Callable[[Any, Any], Fraction]:
    return lambda a, b: Fraction(a != b)


def transport(p: Distribution, q: Distribution, apart: Callable[[Any, Any], Fraction]) -> Fraction:
    """The earth mover's distance, by cheapest paths (Bellman–Ford) from what is too much to what is too little."""
    nodes = list({*p, *q})
    excess = {v: p.get(v, Fraction(0)) - q.get(v, Fraction(0)) for v in nodes}
    flow: dict[tuple[Any, Any], Fraction] = {}
    cost = Fraction(0)
    while any(amount > 0 for amount in excess.values()):
        source = next(v for v in nodes if excess[v] > 0)
        best: dict[Any, tuple[Fraction, Any]] = {source: (Fraction(0), None)}
        for _ in nodes:
            for a in list(best):
                for b in nodes:
                    if a == b:
                        continue
                    back = flow.get((b, a), Fraction(0)) > 0
                    step = best[a][0] + (-apart(b, a) if back else apart(a, b))
                    if b not in best or step < best[b][0]:
                        best[b] = (step, a)
        sink = min((v for v in nodes if excess[v] < 0), key=lambda v: best[v][0])
        path = [sink]
        while path[-1] != source:
            path.append(best[path[-1]][1])
        steps = list(zip(path[:0:-1], path[-2::-1], strict=True))
        limits = [flow[b, a] for a, b in steps if flow.get((b, a), Fraction(0)) > 0]
        amount = min([excess[source], -excess[sink], *limits])
        for a, b in steps:
            if flow.get((b, a), Fraction(0)) > 0:
                flow[b, a] -= amount
            else:
                flow[a, b] = flow.get((a, b), Fraction(0)) + amount
        cost += amount * best[sink][0]
        excess[source] -= amount
        excess[sink] += amount
    return cost


def beta_holds(here: Distribution, p: Distribution, beta: Fraction, enhanced: bool) -> bool:
    gains = {v: (here[v] - p[v]) / p[v] for v in here}
    return all(g <= beta and not (enhanced and g > 0 and float(g) > -math.log(p[v])) for v, g in gains.items())


def delta_holds(here: Distribution, p: Distribution, delta: Fraction) -> bool:
    factors = [max(here[v] / p[v], p[v] / here[v]) for v in here]
    return all(factor**delta.denominator < 2**delta.numerator for factor in factors)


def near(here: Distribution, epsilon: Fraction) -> Fraction:
    """The largest share within ±ε of a value; a missing value is near missing ones only."""

    def close(a: Any, b: Any) -> bool:
        return a == b if a is None or b is None else abs(number(a) - number(b)) <= epsilon

    return max(sum(p for y, p in here.items() if close(x, y)) for x in here)  # type: ignore[type-var, return-value]


def span(rows: Rows, low: Fraction, high: Fraction) -> Fraction:
    numbers = [number(row.number) for row in rows if row.number is not None]
    return (max(numbers) - min(numbers)) / (high - low) if numbers and high > low else Fraction(0)


def covered(rows: Rows) -> Fraction:
    chains = [TREE[row.leaf] for row in rows if row.leaf is not None]
    if not chains:
        return Fraction(0)
    label = next(labels[0] for labels in zip(*chains, strict=True) if len(set(labels)) == 1)
    return Fraction(sum(label in chain for chain in TREE.values()), len(TREE))


def guarded(rows: Rows, by_person: bool) -> Fraction:
    """By person, those of the persons who have something under a guard, and those of the records."""
    if by_person:
        return max(_guarded(rows, True), _guarded(rows, False))
    return _guarded(rows, False)


def _guarded(rows: Rows, by_person: bool) -> Fraction:
    def under(label: str) -> Callable[[Row], bool]:
        return lambda row: label == "*" or (row.leaf is not None and label in TREE[row.leaf])

    return max((share(rows, by_person, under(row.guard)) for row in rows if row.guard), default=Fraction(0))


def owned(rows: Rows, subject: bool) -> list[int]:
    """Records of each person, those of nobody given to whoever has most."""
    if not subject:
        return [1] * len(rows)
    counts = sorted(Counter(row.who for row in rows if row.who is not None).values()) or [0]
    counts[-1] += sum(row.who is None for row in rows)
    return counts


def balance(rows: Rows, subject: bool) -> Fraction:
    return 1 - sum(Fraction(c, len(rows)) ** 2 for c in owned(rows, subject))
