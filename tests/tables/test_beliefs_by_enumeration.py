"""Drawn values: what a reader may believe, by enumerating truths, properties, outputs and priors in fractions.

The draws are taken from what a release states in its dictionary; beliefs follow from Bayes' rule alone.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from math import prod

import pyarrow as pa
import pytest

from sharewell.keys import Key
from sharewell.protocols import Criterion
from sharewell.tables import DeltaGrowth, RetentionReplacement, Rho1ToRho2, Table
from sharewell.tables.engine.drawn_values import DrawnValues, ValueGroup

KEY = Key(b"an example key of enough bytes..")
Values = tuple[str, ...]


def released(
    codes: Sequence[str], values: object, must: Sequence[Criterion[Table]], rows: int = 1, columns: int = 1
) -> Table:
    """So many records a person, and columns that all have the same codes."""
    names = [f"code{i}" for i in range(columns)]
    frame = pa.table({"who": [f"p{i // rows}" for i in range(len(codes))], **{name: list(codes) for name in names}})
    table = Table.of(frame, quasi=[], sensitive=names, subject="who")
    how = RetentionReplacement(dict.fromkeys(names, values), rows_per_person=rows)  # type: ignore[arg-type]
    return how.protect(table, must, KEY).data


def chance(group: ValueGroup, true: str, shown: str) -> Fraction:
    """From the two facts that a dictionary states: how many of 2⁶⁴ draws tell the truth, and of how many values."""
    kept = Fraction(group.drawn.kept, 2**64)
    return kept if true == shown else (1 - kept) / (len(group.values) - 1)


def draws_of(data: Table) -> list[DrawnValues]:
    return [one.drawn for one in data.sensitive if one.drawn is not None]


def likelihoods(group: ValueGroup, times: int) -> Iterator[list[Fraction]]:
    """Of every output of so many draws of one person: how probable each truth makes it."""
    truths = list(itertools.product(group.values, repeat=times))
    for shown in truths:
        yield [_together(group, true, shown) for true in truths]


def _together(group: ValueGroup, true: Values, shown: Values) -> Fraction:
    """Draws are independent: their probabilities multiply."""
    return prod((chance(group, a, b) for a, b in zip(true, shown, strict=True)), start=Fraction(1))


def properties(truths: int) -> Iterator[tuple[int, ...]]:
    """All sets of truths but none and all."""
    for size in range(1, truths):
        yield from itertools.combinations(range(truths), size)


@cache
def extremes(group: ValueGroup, times: int) -> frozenset[tuple[Fraction, Fraction]]:
    """Of every output and property: the likeliest truth that has the property, and the unlikeliest that has not."""
    return frozenset(
        (max(likely[i] for i in some), min(one for i, one in enumerate(likely) if i not in some))
        for likely in likelihoods(group, times)
        for some in properties(len(likely))
    )


def largest_belief(group: ValueGroup, times: int, prior: Fraction) -> Fraction:
    """Over all outputs, all properties and all priors that give the property this belief.

    The posterior is largest where the belief lies on the likeliest truth that has the property, and the rest on the
    unlikeliest that has not.
    """
    return max(prior * one / (prior * one + (1 - prior) * other) for one, other in extremes(group, times))


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("values", [("a", "b"), ("a", "b", "c")])
@pytest.mark.parametrize(("prior", "most"), [("1/10", "1/2"), ("1/5", "3/5"), ("1/3", "1/2")])
def test_the_stated_posterior_is_the_largest_there_is(
    values: Values, rows: int, columns: int, prior: str, most: str
) -> None:
    rule = Rho1ToRho2(prior, most)
    data = released(list(values) * 2, values, [rule], rows, columns)
    [group] = draws_of(data)[0].groups
    finding = rule.check(data)
    worst = largest_belief(group, rows * columns, Fraction(prior))
    assert finding.value == worst <= Fraction(most)
    assert float(worst) == pytest.approx(float(Fraction(most)), rel=1e-6), "no more doubt than was asked for"
    for i in range(1, 20):  # and the other way round: what was believed beyond ρ₂ is not doubted below ρ₁
        before = Fraction(most) + (1 - Fraction(most)) * Fraction(i, 20)
        assert 1 - largest_belief(group, rows * columns, 1 - before) >= Fraction(prior)


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 1), (1, 2)])
@pytest.mark.parametrize("values", [("a", "b"), ("a", "b", "c")])
def test_no_belief_grows_by_more_than_stated(values: Values, rows: int, columns: int) -> None:
    """Priors of every hundredth: γ = 9 lets a belief of a quarter grow by a half."""
    rule = DeltaGrowth("1/2")
    data = released(list(values) * 2, values, [rule], rows, columns)
    [group] = draws_of(data)[0].groups
    priors = [Fraction(i, 100) for i in range(1, 100)]
    grown = {prior: largest_belief(group, rows * columns, prior) - prior for prior in priors}
    assert max(grown.values()) <= Fraction(1, 2)
    assert float(max(grown.values())) == pytest.approx(float(rule.check(data).value or 0), rel=1e-6)
    assert max(grown, key=lambda prior: grown[prior]) == Fraction(1, 4)


@pytest.mark.parametrize("sizes", [(60, 40), (50, 50), (30, 70)])
def test_within_groups_beliefs_that_follow_the_shares_stay_within_the_bound(sizes: tuple[int, int]) -> None:
    """A belief over all records becomes a belief within the published group; all properties of all values."""
    groups, rule = {"one": ["a", "b", "e"], "two": ["c", "d"]}, Rho1ToRho2("1/10", "1/2")
    data = released(["a"] * sizes[0] + ["c"] * sizes[1], groups, [rule])
    [how] = draws_of(data)
    worst = Fraction(0)
    for group, size in zip(how.groups, sizes, strict=True):
        worst = max(worst, largest_belief(group, 1, Fraction(1, 10) / Fraction(size, sum(sizes))))
    assert rule.check(data).value == worst <= Fraction(1, 2)


@pytest.mark.parametrize("ratio", [2, 9])
@pytest.mark.parametrize("truth", [("a", "a", "b"), ("a", "b", "c"), ("c", "c", "c", "c")])
def test_reconstructed_counts_are_true_on_average(truth: Values, ratio: int) -> None:
    """All outputs of a few records, each with its probability: the mean estimate is the true count, exactly."""
    frame = pa.table({"code": list(truth)})
    how = RetentionReplacement({"code": ["a", "b", "c"]}, ratio=ratio)
    data = how.protect(Table.of(frame, quasi=[], sensitive=["code"]), [], KEY).data
    [drawn] = draws_of(data)
    [group] = drawn.groups
    means, squares = dict.fromkeys("abc", 0.0), dict.fromkeys("abc", 0.0)
    for shown in itertools.product("abc", repeat=len(truth)):
        likely = float(_together(group, truth, shown))
        estimates = drawn.estimates({value: shown.count(value) for value in "abc"})
        for value, (count, _) in estimates.items():
            means[value] += likely * count
            squares[value] += likely * count * count
    stay, other = float(chance(group, "a", "a")), float(chance(group, "a", "b"))
    for value in "abc":
        having = truth.count(value)
        assert means[value] == pytest.approx(having, abs=1e-9)
        variance = (having * stay * (1 - stay) + (len(truth) - having) * other * (1 - other)) / (stay - other) ** 2
        assert squares[value] - means[value] ** 2 == pytest.approx(variance)
