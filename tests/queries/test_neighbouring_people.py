"""Tables that differ in one person, who has many rows with odd cells: no answer is moved by more than its noise hides.

Losses are computed from the definitions: the difference of what is drawn on, over the scale of the noise.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
import pytest

from sharewell.io.sources import Source
from sharewell.opendp_noise import Price
from sharewell.plain_data import Json
from sharewell.queries.data import ConfidentialTable, Domain, Range, Values
from sharewell.queries.engine.plans import (
    CountPlan,
    MeanPlan,
    Plan,
    QuantilePlan,
    SumPlan,
    TopPlan,
    _either_side,
    plan_of,
)
from sharewell.queries.engine.row_store import RowStore
from sharewell.queries.question import Question

ODD = [*("", "NA", "nan", "inf", "-inf", "1e400", "-0", "0x1F", "1_0", "٣", " 5 ", "True"), None, "1e-400", "9" * 20]
DOMAINS: dict[str, Domain] = {
    "sex": Values(("F", "M")),
    "ward": Values(("1", "2", "3")),
    "x": Range(-5, 10, 5),
    "y": Range(0, 1, 3),
}
PRICE = 0.5
Row = tuple[str | None, ...]


def person(draw: random.Random, name: str, rows: int) -> list[Row]:
    def usual() -> dict[str, str]:
        number, share = str(draw.randint(-9, 14)), repr(1.5 * draw.random())
        return {"sex": draw.choice("FMf"), "ward": str(draw.randint(1, 4)), "x": number, "y": share}

    rows_of = [usual() for _ in range(rows)]
    return [(name, *(draw.choice(ODD) if draw.random() < 0.25 else row[c] for c in DOMAINS)) for row in rows_of]


def table(rows: list[Row], rows_per_person: int, neighbours: str) -> ConfidentialTable:
    columns = {name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(("who", *DOMAINS))}
    return ConfidentialTable(Source.of(pa.table(columns)), DOMAINS, "who", rows_per_person, neighbours)  # type: ignore[arg-type]


def condition(draw: random.Random, depth: int = 0) -> Json:
    kind = draw.random()
    if depth < 2 and kind < 0.3:
        return {draw.choice(["and", "or"]): [condition(draw, depth + 1) for _ in range(draw.randint(1, 3))]}
    if depth < 2 and kind < 0.4:
        return {"not": condition(draw, depth + 1)}
    column = draw.choice(list(DOMAINS))
    if isinstance(DOMAINS[column], Values):
        return {column: draw.sample(list(DOMAINS[column].labels), draw.randint(1, 2))}
    return {column: {draw.choice(["<", "<=", ">", ">="]): draw.choice([-5, 0, 0.5, 3, 10])}}


def question(draw: random.Random) -> Question:
    number = draw.choice(["x", "y"])
    at = {"column": number, "at": draw.choice([0.1, 0.5, 0.9])}
    measures: list[Json] = ["count", {"sum": number}, {"mean": number}, {"quantile": at}]
    measures.append({"top": {"column": "ward", "k": 2}})
    asked: dict[str, Json] = {"measure": draw.choice(measures), "filter": condition(draw)}
    if asked["measure"] != measures[-1]:
        asked["group_by"] = draw.sample(list(DOMAINS), draw.randint(0, 2))
    return Question.of(asked).about(DOMAINS)


def drawn_on(plan: Plan, asked: Question, rows: RowStore) -> list[np.ndarray]:
    """The exact vectors that get noise, one after the other."""
    if isinstance(plan, CountPlan):
        return [plan.exact_counts(rows)]
    if isinstance(plan, TopPlan):
        return [rows.counts(asked.condition, ("ward",), len(DOMAINS["ward"].labels))]
    assert isinstance(plan, SumPlan | MeanPlan | QuantilePlan)
    found = rows.cells(asked.condition, asked.group_by, asked.measure.column).collect()
    cell, amount, groups = found["cell"].to_numpy(), found["amount"].to_numpy(), len(plan.groups)
    if isinstance(plan, QuantilePlan):
        below, above = _either_side(cell, amount, np.array(plan._noise.candidates), groups)
        return [plan._noise.scores(*one) for one in zip(below, above, strict=True)]
    amount = amount - (plan._middle if isinstance(plan, MeanPlan) else 0)
    sums = np.zeros(groups, np.int64)
    np.add.at(sums, cell, amount)
    return [sums] if isinstance(plan, SumPlan) else [sums, np.bincount(cell, minlength=groups)]


def loss(plan: Plan, price: Price, moved: list[np.ndarray]) -> float:
    """By the definition: Laplace L1/scale, Gaussian (L2/scale)²/2, a noisy comparison 2·L∞/scale, or its square / 8."""
    pure = price.accounting == "pure"
    if isinstance(plan, QuantilePlan | TopPlan):
        one_way = isinstance(plan, TopPlan) and all((each >= 0).all() or (each <= 0).all() for each in moved)
        times = plan._noise.k if isinstance(plan, TopPlan) else 1
        ratios = [(1 if one_way else 2) * float(abs(each).max()) / plan._noise.scale for each in moved]
        return times * sum(one if pure else one * one / 8 for one in ratios)
    if isinstance(plan, CountPlan):
        scales = [plan._noise.scale]
    else:
        assert isinstance(plan, SumPlan | MeanPlan)
        scales = [plan._noise.sum_scale, plan._noise.count_scale]
    losses = [
        float(abs(each).sum()) / scale if pure else float((each.astype(float) ** 2).sum()) / (2 * scale * scale)
        for each, scale in zip(moved, scales, strict=False)
    ]
    return sum(losses)


@contextmanager
def stores(*tables: ConfidentialTable) -> Iterator[list[RowStore]]:
    made = [RowStore(one) for one in tables]
    yield made
    for one in made:
        one.close()


@pytest.mark.parametrize("neighbours", ["add-remove", "change-one"])
@pytest.mark.parametrize("seed", range(12))
def test_no_person_moves_an_answer_by_more_than_its_price(seed: int, neighbours: str) -> None:
    draw = random.Random(seed)
    rows_per_person = draw.randint(1, 4)
    others = [row for i in range(draw.randint(1, 5)) for row in person(draw, f"p{i}", draw.randint(1, 6))]
    one, another = person(draw, "z", draw.choice([1, 2, 5, 40])), person(draw, draw.choice(["z", "q", " Z "]), 20)
    first, second = others + (another if neighbours == "change-one" else []), others + one
    draw.shuffle(first)
    draw.shuffle(second)
    with stores(table(first, rows_per_person, neighbours), table(second, rows_per_person, neighbours)) as (old, new):
        for _ in range(8):
            asked, price = question(draw), Price(draw.choice(["pure", "zcdp"]), PRICE)  # type: ignore[arg-type]
            plan = plan_of(asked, table(first, rows_per_person, neighbours), price)
            before, after = drawn_on(plan, asked, old), drawn_on(plan, asked, new)
            moved = [late.astype(np.int64) - early for early, late in zip(before, after, strict=True)]
            assert loss(plan, price, moved) <= PRICE * (1 + 1e-9), asked.text


def test_two_rows_counted_as_one_would_be_noticed() -> None:
    """The control: noise for one row of a person, where two count, loses twice the price."""
    rows: list[Row] = [("z", "F", "1", "0", "0"), ("z", "F", "1", "0", "0")]
    asked, price = Question.of("count").about(DOMAINS), Price("pure", PRICE)
    plan = plan_of(asked, table(rows, 1, "add-remove"), price)
    assert loss(plan, price, [np.array([2])]) == pytest.approx(2 * PRICE)


def test_a_person_with_a_million_rows_counts_like_one_with_three() -> None:
    many = 1_000_000
    columns = {
        "who": pa.array(["z"] * many + ["p"]),
        "sex": pa.array(["F"] * (many + 1)),
        "ward": pa.array((np.arange(many + 1) % 3 + 1).astype(str)),
        "x": pa.array(np.full(many + 1, 1e308)),
        "y": pa.array(np.arange(many + 1) / many),
    }
    with stores(ConfidentialTable(Source.of(pa.table(columns)), DOMAINS, "who", 3)) as (rows,):
        assert rows.counts(Question.of("count").condition, (), 1).tolist() == [4]
        asked = Question.of({"measure": {"sum": "x"}}).about(DOMAINS)
        found = rows.cells(asked.condition, (), "x").collect()["amount"].to_numpy()
        assert found.tolist() == [DOMAINS["x"].unit_bounds[1]] * 4  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "measure",
    ["count", {"sum": "x"}, {"mean": "x"}, {"median": "y"}, {"histogram": "ward"}, {"top": {"column": "ward", "k": 1}}],
)
def test_a_filter_that_one_person_passes_or_nobody_has_an_answer(measure: Json) -> None:
    """As many lines, of the same labels, for one person as for none: noise is all there is."""
    rows: list[Row] = [("z", "F", "1", "4", "0.5"), *(("p" + str(i), "M", "2", "4", "0.5") for i in range(20))]
    public = table(rows, 2, "add-remove")
    with stores(public, table(rows[1:], 2, "add-remove")) as (one, nobody):
        asked = Question.of({"measure": measure, "filter": {"sex": "F"}})
        plan = plan_of(asked, public, Price("pure", PRICE))
        answers = [plan.answer(store) for store in (one, nobody)]
        labels = [[row["group"] for row in answer] for answer in answers]
        assert labels[0] == labels[1]
        assert all(isinstance(row["value"], str) or math.isfinite(row["value"]) for answer in answers for row in answer)
