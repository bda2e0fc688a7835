"""Plans: made without a row, charged by opendp's statement, and right but for their noise."""

from __future__ import annotations

import math

import numpy as np
import pyarrow as pa
import pytest
from small_visits import table

from sharewell.io.sources import Source
from sharewell.opendp_noise import Price
from sharewell.queries import ConfidentialTable, Question, Range
from sharewell.queries.engine.plans import Plan, plan_of
from sharewell.queries.engine.row_store import RowStore

QUESTIONS = [
    "count",
    {"measure": {"histogram": "age"}},
    {"measure": "count", "filter": {"sex": "F"}, "group_by": ["ward", "sex"]},
    {"measure": {"sum": "age"}},
    {"measure": {"sum": "age"}, "group_by": ["sex"]},
    {"measure": {"mean": "age"}, "group_by": ["sex"]},
    {"measure": {"median": "age"}},
    {"measure": {"quantile": {"column": "age", "at": 0.9}}, "group_by": ["ward"]},
    {"measure": {"top": {"column": "age", "k": 3}}},
]


@pytest.fixture(scope="module")
def store() -> RowStore:
    return RowStore(table())


def plan(question: object, amount: float = 0.5, accounting: str = "pure", neighbours: str = "add-remove") -> Plan:
    of = table(neighbours)  # type: ignore[arg-type]
    return plan_of(Question.of(question), of, Price(accounting, amount))  # type: ignore[arg-type]


class Untouched(Source):
    """A source that nobody may read."""

    def read(self, columns: object = None) -> object:  # type: ignore[override]
        raise AssertionError("a row was read")


@pytest.mark.parametrize("question", QUESTIONS, ids=range(len(QUESTIONS)))
@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
def test_loss_and_accuracy_are_known_before_any_row_is_read(question: object, accounting: str) -> None:
    unread = ConfidentialTable(Untouched(), table().domains, "who", 2)
    price = Price(accounting, 0.5)  # type: ignore[arg-type]
    made = plan_of(Question.of(question), unread, price)  # type: ignore[arg-type]
    assert 0.5 * (1 - 1e-9) <= made.loss <= 0.5
    assert made.accuracy.note
    assert made.accuracy.scale > 0


@pytest.mark.parametrize("question", QUESTIONS, ids=range(len(QUESTIONS)))
@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
def test_a_generous_price_gives_nearly_the_truth(question: object, accounting: str, store: RowStore) -> None:
    """At 50 the noise is below 2 rows but for a probability of e^-50."""
    ages = np.array([20 + i % 60 for i in range(60)])
    sexes = np.array(["FM"[i % 3 == 0] for i in range(60)])
    wards = np.array(["AB"[i % 5 == 0] for i in range(60)])
    made = plan(question, 50.0, accounting)
    rows = made.answer(store)
    asked = Question.of(question)  # type: ignore[arg-type]
    for row in rows:
        inside = np.ones(60, bool)
        for name, label in row["group"].items():
            columns = {
                "sex": sexes,
                "ward": wards,
                "age": np.char.add(np.char.add("[", (ages // 10 * 10).astype(str)), ""),
            }
            if name in columns:
                found = columns[name]
                inside &= np.char.startswith(found, label.partition(",")[0]) if name == "age" else found == label
        if asked.measure.name == "count":
            if asked.columns != asked.group_by or asked.to_json().get("filter"):
                inside &= sexes == "F"
            assert abs(row["value"] - inside.sum()) <= 2
        elif asked.measure.name == "sum":
            assert abs(row["value"] - ages[inside].sum()) <= 300
            assert row["low"] <= row["value"] <= row["high"]
        elif asked.measure.name == "mean" and inside.any():
            assert abs(row["value"] - ages[inside].mean()) <= 12
            assert row["low"] <= row["value"] <= row["high"]
        elif asked.measure.name == "quantile" and inside.any():
            share = float((ages[inside] <= row["value"]).mean())
            assert abs(share - (asked.measure.at or 0)) <= 0.3


def test_every_label_is_in_an_answer_also_where_nobody_is(store: RowStore) -> None:
    rows = plan({"measure": {"mean": "age"}, "group_by": ["sex", "ward"]}).answer(store)
    assert [tuple(row["group"].values()) for row in rows] == [
        (sex, ward) for sex in ("F", "M", "other") for ward in ("A", "B", "other")
    ]
    for row in rows:
        assert 0 <= row["low"] <= row["value"] <= row["high"] <= 100


def test_a_filter_that_nobody_or_one_passes_costs_and_looks_the_same(store: RowStore) -> None:
    one = plan({"measure": "count", "filter": {"age": 20}})
    nobody = plan({"measure": "count", "filter": {"or": []}})
    assert one.loss == nobody.loss
    assert one.accuracy == nobody.accuracy
    [row] = nobody.answer(store)
    assert row["high"] - row["low"] == 2 * one.accuracy.half_width


@pytest.mark.parametrize("accounting", ["pure", "zcdp"])
def test_replacing_a_person_needs_more_noise_than_adding_one(accounting: str) -> None:
    for question in QUESTIONS:
        usual, doubled = (plan(question, 0.5, accounting, how) for how in ("add-remove", "change-one"))
        assert doubled.accuracy.scale >= usual.accuracy.scale * 1.4
        assert doubled.loss <= 0.5


def test_intervals_hold_as_often_as_they_promise(store: RowStore) -> None:
    """Of 600 groups at least 92 % are inside: fewer have a probability below one in 10^6 if 95 % are promised."""
    made = plan({"measure": {"histogram": "age"}}, 0.5)
    truth = table().counts(["age"]).tolist()
    inside, answers = 0, 60
    for _ in range(answers):
        inside += sum(row["low"] <= true <= row["high"] for row, true in zip(made.answer(store), truth, strict=True))
    drawn = answers * len(truth)
    assert inside / drawn >= 0.95 - 4.9 * math.sqrt(0.95 * 0.05 / drawn)


def test_rows_of_one_person_beyond_the_limit_do_not_count() -> None:
    one = table(rows_per_person=1)
    [row] = plan_of(Question.of("count"), one, Price("pure", 50.0)).answer(RowStore(one))
    assert abs(row["value"] - 30) <= 2


@pytest.mark.parametrize(("epsilon", "scale", "off"), [(1.0, 1.0, 3), (0.1, 10.0, 30)])
def test_the_four_ages_of_the_tutorial(epsilon: float, scale: float, off: int) -> None:
    """Three of 20, 23, 25 and 40 are below 40; one person moves the count by one. ln 20 / ε is 2.9957, and 29.957."""
    people = ConfidentialTable(Source.of(pa.table({"age": [20, 23, 25, 40]})), {"age": Range(0, 110, 11)})
    asked = Question.of({"measure": "count", "filter": {"age": {"<": 40}}})
    found = plan_of(asked, people, Price("pure", epsilon))
    assert (found.loss, found.accuracy.scale, found.accuracy.sensitivity) == (epsilon, scale, 1)
    assert found.accuracy.half_width == off == math.ceil(math.log(20) / epsilon)
    rows = RowStore(people)
    assert rows.counts(asked.condition, (), 1).tolist() == [3]
    rows.close()
