"""The classifier that is trained on published cells, against a plain one."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.tables import Table
from sharewell.tables.engine.attackers.naive_bayes import NaiveBayes, person_weights

ROWS = st.lists(
    st.tuples(
        st.sampled_from([1, 2, 3, 4, None]),
        st.sampled_from(["f", "m"]),
        st.sampled_from(["a", "b", "c", None]),
        st.sampled_from("123456"),
        st.sampled_from(["exact", "*", "[1-2]", "{1,4}"]),
    ),
    min_size=1,
    max_size=20,
)


def tables(rows: list[tuple[Any, ...]]) -> tuple[Table, Table]:
    """(original, release): a cell of age is the value itself, or what covers more."""
    age, sex, ill, who, how = zip(*rows, strict=True)
    strings = {"sex": pa.array(sex), "ill": pa.array(ill, pa.string()), "who": pa.array(who)}
    roles: dict[str, Any] = {"quasi": ["age", "sex"], "sensitive": ["ill"], "subject": "who"}
    original = Table.of(pa.table({"age": pa.array(age, pa.int64()), **strings}), **roles)
    cells = ["" if a is None else str(a) if h == "exact" else h for a, h in zip(age, how, strict=True)]
    return original, Table.of(pa.table({"age": cells, **strings}), **roles, published=True)


def left_open(cell: str, values: list[int], missing: bool) -> list[int | None]:
    line: list[int | None] = list(range(min(values), max(values) + 1)) if values else []
    if cell == "*":
        return line + [None] * missing
    if cell == "":
        return [None]
    if cell.startswith("["):
        return [1, 2]
    return [1, 4] if cell.startswith("{") else [int(cell)]


@settings(max_examples=120, deadline=None)
@given(ROWS)
def test_it_is_naive_bayes_over_spread_cells(rows: list[tuple[Any, ...]]) -> None:
    """Laplace's rule; everybody weighs one; a cell counts evenly for all it leaves open, cut off at the domain."""
    original, released = tables(rows)
    sensitive = released.sensitive[0]
    known = {one.name: one for one in original.quasi}
    guess, credence = NaiveBayes.trained(released, sensitive, known).guess(known, np.arange(len(rows)))
    ages = sorted({row[0] for row in rows if row[0] is not None})
    missing = any(row[0] is None for row in rows)
    if not ages:
        return  # without any number the column is no line
    bins = max(ages) - min(ages) + 1 + 1  # one bin for missing values, occurring or not
    records = Counter(row[3] for row in rows)
    prior: dict[Any, float] = defaultdict(float)
    by_age: dict[Any, float] = defaultdict(float)
    by_sex: dict[Any, float] = defaultdict(float)
    sexes = sorted({row[1] for row in rows})
    shown = released.columns["age"].arrow.to_pylist()
    for (_, sex, ill, who, _), cell in zip(rows, shown, strict=True):
        weight = 1 / records[who]
        prior[ill] += weight
        by_sex[sex, ill] += weight
        places = left_open(cell or "", ages, missing)
        for place in places:
            inside = place if place is None else min(max(place, ages[0]), ages[-1])
            by_age[inside, ill] += weight / len(places)
    for row, code, chance in zip(rows, guess, credence, strict=True):
        scores = {
            ill: math.log(prior[ill])
            + math.log((by_age[row[0], ill] + 1) / (prior[ill] + bins))
            + math.log((by_sex[row[1], ill] + 1) / (prior[ill] + len(sexes) + 1))
            for ill in prior
            if ill is not None
        }
        if not scores:
            assert chance == 0
            continue
        total = sum(math.exp(score) for score in scores.values())
        assert chance == pytest.approx(max(math.exp(score) for score in scores.values()) / total, abs=1e-6)
        assert scores[sensitive.texts[code]] == pytest.approx(max(scores.values()), abs=1e-6)


def test_everybody_weighs_one() -> None:
    frame = pa.table({"age": ["1"] * 4, "ill": list("abab"), "who": ["x", "x", "y", None]})
    table = Table.of(frame, quasi=["age"], sensitive=["ill"], subject="who")
    assert person_weights(table).tolist() == [0.5, 0.5, 1, 1]
