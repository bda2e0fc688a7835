"""Sensitive values of persons with several records: every criterion must hold over records and over persons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.tables import (
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    EntropyLDiversity,
    EpsilonMAnonymity,
    LDiversity,
    RecursiveLDiversity,
    Table,
    TCloseness,
)

F = Fraction
Shares = dict[str | None, Fraction]
TIE = Decimal(10) ** -40


class Visit(NamedTuple):
    who: Hashable
    cell: str
    ill: str | None


@dataclass(frozen=True)
class SensitiveCase:
    criterion: str
    parameters: tuple[Any, ...]
    visits: tuple[Visit, ...]


def spread(visits: Iterable[Visit]) -> Shares:
    """Everybody weighs 1, divided evenly among their records; as shares of the whole."""
    by_person = defaultdict(list)
    for visit in visits:
        by_person[visit.who].append(visit.ill)
    total: Shares = defaultdict(Fraction)
    for values in by_person.values():
        for value in values:
            total[value] += F(1, len(values) * len(by_person))
    return dict(total)


def readings(visits: tuple[Visit, ...]) -> list[tuple[Visit, ...]]:
    """Whose the records may be taken to be: each another one's, their persons', and the unnamed all of one."""
    alone = tuple(v._replace(who=i) for i, v in enumerate(visits))
    named = tuple(v._replace(who=i) if v.who is None else v for i, v in enumerate(visits))
    as_one = tuple(v._replace(who="nobody") if v.who is None else v for v in visits)
    return [alone, named, as_one]


def in_class(visits: Iterable[Visit]) -> list[list[Visit]]:
    found = defaultdict(list)
    for visit in visits:
        found[visit.cell].append(visit)
    return list(found.values())


def entropy(inside: Shares, whole: Shares, l: Fraction) -> bool:  # noqa: E741
    with localcontext(prec=60):
        shares = [Decimal(p.numerator) / Decimal(p.denominator) for p in inside.values()]
        bound = (Decimal(l.numerator) / Decimal(l.denominator)).ln()
        return bool(shares) and -sum(p * p.ln() for p in shares) >= bound - TIE


def recursive(inside: Shares, whole: Shares, c: Fraction, l: int) -> bool:  # noqa: E741
    falling = sorted(inside.values(), reverse=True)
    return len(falling) >= l and falling[0] < c * sum(falling[l - 1 :])


def closeness(inside: Shares, whole: Shares, t: Fraction) -> bool:
    """Earth that must be moved, each by 1: what a class has too much of some value."""
    return sum(max(F(0), inside.get(value, F(0)) - q) for value, q in whole.items()) <= t


def likeness(inside: Shares, whole: Shares, beta: Fraction, enhanced: bool) -> bool:
    for value, p in inside.items():
        gain = (p - whole[value]) / whole[value]
        if gain > beta:
            return False
        if enhanced and gain > 0:
            with localcontext(prec=60):
                q = Decimal(whole[value].numerator) / Decimal(whole[value].denominator)
                if Decimal(gain.numerator) / Decimal(gain.denominator) > -q.ln() + TIE:
                    return False
    return True


def disclosure(inside: Shares, whole: Shares, delta: Fraction) -> bool:
    """|log2(p / q)| < a / b means that (p / q)^b lies strictly between 2^-a and 2^a."""
    a, b = delta.numerator, delta.denominator
    return all(F(1, 2**a) < (p / whole[value]) ** b < 2**a for value, p in inside.items())


def neighbourhoods(inside: Shares, whole: Shares, epsilon: Fraction, m: int) -> bool:
    for centre in inside:
        near = [
            p
            for value, p in inside.items()
            if value == centre or (None not in (value, centre) and abs(int(value or 0) - int(centre or 0)) <= epsilon)
        ]
        if sum(near) > F(1, m):
            return False
    return True


def distinct(inside: Shares, whole: Shares, l: int) -> bool:  # noqa: E741
    return len(inside) >= l


DEFINITIONS: dict[str, tuple[Callable[..., Any], Callable[..., bool], bool, list[tuple[Any, ...]]]] = {
    "entropy l-diversity": (EntropyLDiversity, entropy, True, [(F(n, 4),) for n in (5, 6, 7, 8, 10, 12)]),
    "recursive l-diversity": (
        RecursiveLDiversity,
        recursive,
        True,
        [(F(c, 2), n) for c in (2, 3, 4, 6) for n in (2, 3)],
    ),
    "t-closeness": (TCloseness, closeness, False, [(F(n, 12),) for n in (0, 1, 2, 3, 4, 6, 8)]),
    "β-likeness": (BetaLikeness, likeness, False, [(F(n, 4), e) for n in (1, 2, 4, 6, 8) for e in (False, True)]),
    "δ-disclosure": (DeltaDisclosure, disclosure, False, [(F(n, 2),) for n in (1, 2, 3, 4, 5)]),
    "(ε,m)-anonymity": (
        EpsilonMAnonymity,
        neighbourhoods,
        False,
        [(F(e), m) for e in (0, 5, 10, 15) for m in (1, 2, 3)],
    ),
    "l-diversity": (LDiversity, distinct, True, [(2,), (3,)]),
}
"""Name → the package's criterion, its definition, whether a missing value counts for nothing, and parameters."""
ALPHA_K = "(α,k)-anonymity"
ALPHAS = [(F(n, 12), k) for n in (4, 6, 8, 9, 12) for k in (1, 2, 3)]
NAMES = [*DEFINITIONS, ALPHA_K]


def alpha_k(visits: tuple[Visit, ...], alpha: Fraction, k: int) -> bool:
    """k persons in a class, and no value that more than a share α of them has, nor of its records."""
    if any(len({v.who for v in some if v.who is not None}) < k for some in in_class(visits)):
        return False
    for reading in readings(visits):
        for some in in_class(reading):
            people = {v.who for v in some}
            for value in {v.ill for v in some}:
                if F(len({v.who for v in some if v.ill == value}), len(people)) > alpha:
                    return False
    return True


@lru_cache(maxsize=1)
def opened(visits: tuple[Visit, ...]) -> Table:
    columns = zip(Visit._fields, zip(*visits, strict=True), strict=True)
    frame = pa.table({name: pa.array(list(values), pa.string()) for name, values in columns})
    return Table.of(frame, quasi=["cell"], sensitive=["ill"], subject="who")


class SensitiveCases(Kind):
    """A table is asked about by several criteria in turn: each question is a case."""

    name = "sensitive values, several records a person"

    def __init__(self) -> None:
        self.visits: tuple[Visit, ...] = ()
        self.asked = len(NAMES)

    def draw(self, rng: np.random.Generator) -> SensitiveCase:
        if self.asked == len(NAMES):
            self.visits, self.asked = self._drawn(rng), 0
        name = NAMES[self.asked]
        self.asked += 1
        return SensitiveCase(name, pick(rng, ALPHAS if name == ALPHA_K else DEFINITIONS[name][3]), self.visits)

    def _drawn(self, rng: np.random.Generator) -> tuple[Visit, ...]:
        rows, people = int(rng.integers(3, 14)), int(rng.integers(2, 9))
        who: list[Any] = [f"p{i}" for i in rng.integers(0, people, rows)]
        if rng.random() < 0.3:  # one has many records
            who = ["p0" if many else one for one, many in zip(who, rng.random(rows) < 0.5, strict=True)]
        if rng.random() < 0.15:
            who = [None if lost else one for one, lost in zip(who, rng.random(rows) < 0.3, strict=True)]
        cells = rng.integers(0, int(rng.integers(1, 4)), rows)
        ill: list[Any] = [str(10 * i) for i in rng.integers(0, int(rng.integers(2, 6)), rows)]
        if rng.random() < 0.15:
            ill = [None if lost else one for one, lost in zip(ill, rng.random(rows) < 0.2, strict=True)]
        return tuple(Visit(a, f"c{b}", c) for a, b, c in zip(who, cells, ill, strict=True))

    def answer(self, case: SensitiveCase) -> Answer:
        built = AlphaKAnonymity if case.criterion == ALPHA_K else DEFINITIONS[case.criterion][0]
        return Answer(built(*case.parameters).check(opened(case.visits)).ok)

    def is_safe(self, case: SensitiveCase, published: Any) -> bool:
        if case.criterion == ALPHA_K:
            return alpha_k(case.visits, *case.parameters)
        _, holds, known_only, _ = DEFINITIONS[case.criterion]
        classes = {v.cell for v in case.visits}
        visits = tuple(v for v in case.visits if v.ill is not None) if known_only else case.visits
        if {v.cell for v in visits} < classes:
            return False
        return all(
            holds(spread(some), spread(reading), *case.parameters)
            for reading in readings(visits)
            for some in in_class(reading)
        )
