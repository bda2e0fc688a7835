"""Measures of cost: the oracles of the literature, and brute force over every kind of cell."""

from __future__ import annotations

import datetime
import math
import subprocess
import sys
from collections import Counter, defaultdict
from decimal import Decimal
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.errors import DataError
from sharewell.hierarchy import Dates, Hierarchy, Intervals, Ordered, Prefixes, Tree
from sharewell.roles import Role, Schema
from sharewell.tables import (
    LM,
    NCP,
    AverageClass,
    Classification,
    Correlation,
    Discernibility,
    EntropyLoss,
    Height,
    KAnonymity,
    Marginals,
    Mondrian,
    Pairwise,
    Prediction,
    QueryError,
    Table,
)
from sharewell.tables.engine.columns import encode
from sharewell.tables.engine.measures.cell_regions import MISSING, regions
from sharewell.tables.engine.measures.row_alignment import rows_behind
from sharewell.tables.utility.query_error import counts
from sharewell.testing import check_measure

DISEASES = Tree(
    [
        ["pneumonia", "lung", "respiratory", "*"],
        ["bronchitis", "lung", "respiratory", "*"],
        ["flu", "upper", "respiratory", "*"],
        ["ulcer", "stomach", "digestive", "*"],
        ["gastritis", "stomach", "digestive", "*"],
        ["cancer", "stomach", "digestive", "*"],
    ]
)


def cells(before: Table, shown: dict[str, list[str | None]], trees: dict[str, Hierarchy] | None = None) -> Table:
    frame = pa.table({name: pa.array(values, pa.string()) for name, values in shown.items()})
    roles = {name: before.schema.roles[name] for name in shown}
    return Table.from_arrow(frame, Schema(roles), trees or {}, published=True)


# The oracles of specs/tables.md.

AGES = [20, 30, 30, 40, 50, 60, 60, 75, 90]
CFS = [0, 10, 26, 75, 0, 45, 50, 80, 95]
ILL = ["HIV", "Cold", "Cancer", "Cold", "HIV", "Cancer", "Cold", "Cough", "HIV"]
NINE = Table.of(pa.table({"age": AGES, "cf": CFS, "ill": ILL}), quasi=["age", "cf"], sensitive=["ill"])
SHOWN: dict[str, list[str | None]] = {
    "age": [*["[20-30]"] * 2, *["[30-40]"] * 2, *["[50-60]"] * 2, *["[60-90]"] * 3],
    "cf": [*["[0-10]"] * 2, *["[26-75]"] * 2, *["[0-45]"] * 2, *["[50-95]"] * 3],
    "ill": [*ILL],
}
NINE_SHOWN = cells(NINE, SHOWN)
SIX_SHOWN = cells(NINE, {name: values[:6] for name, values in SHOWN.items()})
MARKED = cells(
    NINE, {name: values[:6] + [None if name == "ill" else "<suppressed>"] * 3 for name, values in SHOWN.items()}
)


def test_nine_rows_by_class_size() -> None:
    assert Discernibility().score(NINE, NINE_SHOWN).value == 21
    assert AverageClass().score(NINE, NINE_SHOWN).value == Fraction(9, 8)
    assert AverageClass(k=3).score(NINE, NINE_SHOWN).value == Fraction(9, 12)


@pytest.mark.parametrize("after", [SIX_SHOWN, MARKED], ids=["dropped", "marked"])
def test_nine_rows_with_the_last_group_withheld(after: Table) -> None:
    """C_AVG over published rows: 6 / (3 · 2), not 9 / (3 · 2)."""
    found = AverageClass().score(NINE, after)
    assert (found.value, found.details.withheld_records) == (1, 3)
    assert Discernibility().score(NINE, after).value == 39
    assert Classification("ill").score(NINE, after).value == Fraction(3 + 3, 9)
    assert (
        LM().score(NINE, after).details.total
        == Fraction(2 * 10 * 2 + 2 * 10, 70) + Fraction(2 * (10 + 49 + 45), 95) + 6
    )


def test_nine_rows_by_range() -> None:
    found = LM().score(NINE, NINE_SHOWN)
    assert found.details.total == Fraction(3826, 665)
    assert found.value == Fraction(1913, 5985)
    ncp = float(NCP().score(NINE, NINE_SHOWN).value or 0)
    assert Fraction(ncp).limit_denominator(10_000) == Fraction(1913, 5985)
    assert round(100 * ncp, 3) == 31.963


def test_nine_rows_by_label() -> None:
    assert Classification().score(NINE, NINE_SHOWN).value == Fraction(5, 9)
    other = cells(NINE, SHOWN | {"ill": [*ILL[:5], "HIV", *ILL[6:]]})
    assert Classification(label="ill").score(NINE, other).value == Fraction(4, 9)


def test_average_relative_error_of_four_queries() -> None:
    ages, places = [30, 24, 33, 40, 50, 60, 60, 75, 90], [1, 7, 30, 70, 0, 45, 50, 80, 95]
    before = Table.of(pa.table({"age": ages, "cf": places}), quasi=["age", "cf"])
    shown = cells(
        before,
        {
            "age": [*["[21-30]"] * 2, *["[31-40]"] * 2, *["[50-60]"] * 2, *["[60-90]"] * 3],
            "cf": [*["[1-10]"] * 2, *["[26-75]"] * 2, *["[0-45]"] * 2, *["[50-95]"] * 3],
        },
    )
    measure = QueryError(queries=({"age": "30", "cf": "1"}, {"age": "[21-25]"}, {"age": "[26-35]"}, {"cf": "[26-50]"}))
    actual, estimate = counts(before, shown, measure.given(before))
    assert actual.tolist() == [1, 1, 2, 3]
    exact = [Fraction(one).limit_denominator(1_000) for one in estimate]
    assert exact == [Fraction(1, 50), 1, 2, Fraction(89, 46)]
    found = measure.score(before, shown)
    assert Fraction(found.value or 0).limit_denominator(10_000) == Fraction(2303, 6900)
    assert Fraction(found.details.largest).limit_denominator(1_000) == Fraction(49, 50)
    assert found.details.empty_queries == 0


@pytest.mark.parametrize(
    ("ill", "label", "loss"),
    [
        (["ulcer", "gastritis", "cancer"], "stomach", Fraction(2, 5)),
        (["gastritis", "flu", "bronchitis"], "*", 1),
        (["bronchitis", "pneumonia", "cancer"], "*", 1),
    ],
)
def test_the_disease_at_its_common_ancestor(ill: list[str], label: str, loss: Fraction | int) -> None:
    before = Table.of(pa.table({"ill": ill}), quasi=["ill"], hierarchies={"ill": DISEASES})
    assert LM().score(before, cells(before, {"ill": [label] * 3})).value == loss
    assert Height().score(before, cells(before, {"ill": [label] * 3})).value == (1 if label == "stomach" else 3)


# Every kind of cell, by enumerating what it leaves open.

TREES: dict[str, Hierarchy] = {
    "born": Dates(),
    "zip": Prefixes(),
    "ward": Ordered(["east", "north", "south", "west"], groups={"upper": ["east", "north"]}),
    "years": Intervals(width=5, levels=2),
}
VALUES: dict[str, list[str | None]] = {
    "number": ["1", "3", "4", "9", None],
    "tenth": ["0.5", "1", "1.2", None],
    "day": ["2019-01-31", "2019-02-02", "2019-02-05"],
    "word": ["a", "ab", "b", "*", None],
    "born": ["1980-01-31", "1980-02-01", "1981-12-24", None],
    "zip": ["02139", "02138", "94110"],
    "ward": ["east", "north", "west"],
    "years": ["20", "23", "31", None],
}
CELLS = {
    "number": ["1", "3", "7", "[1-3]", "[2-12]", "[-5..3]", "{1,9}", "{,3}", "", "*", "1*", "x"],
    "tenth": ["0.5", "[0.5-1]", "[0.7-1.25]", "{1,1.2}", "", "*"],
    "day": ["2019-02-01", "[2019-01-31..2019-02-02]", "{2019-01-31,2019-02-05}", "2019-02*", "*", "[1-3]"],
    "word": ["a", "a*", "{a,b}", "{,b}", "\\*", "", "*", "[1-2]"],
    "born": ["1980-01-31", "1980-02", "1980", "1980-1984", "{1980-01-31,1981-12-24}", "", "*"],
    "zip": ["02139", "0213*", "0*", "{02139,94110}", "*", "7*"],
    "ward": ["east", "upper", "{east,west}", "*"],
    "years": ["20", "[20-24]", "[20-29]", "{20,31}", "*", ""],
}


def points(name: str, text: str, values: list[str | None]) -> list[Any]:
    """All that a cell leaves open, from the docstrings of cells and regions alone; None is the missing value."""
    own, tree = list(dict.fromkeys(values)), TREES.get(name)
    known = [value for value in own if value is not None]
    if name in ("number", "tenth", "day"):
        return _counted(name, text, own)
    if text == "*":
        return own
    if text == "":
        return [None] if None in own else []
    if text.startswith("{"):
        return [value for value in own if (value or "") in text[1:-1].split(",")]
    if tree is not None:
        return [value for value in known if text in tree.chain(value)]
    if text.startswith("["):
        return []
    if text.startswith("\\"):
        return [value for value in known if value == text[1:]]
    return [value for value in known if (value.startswith(text[:-1]) if text.endswith("*") else value == text)]


def _counted(name: str, text: str, own: list[str | None]) -> list[Any]:
    read: Any = (lambda t: datetime.date.fromisoformat(t).toordinal()) if name == "day" else Decimal
    known = sorted(read(value) for value in own if value is not None)
    tenths = any(Decimal(n) != int(n) for n in known)
    step = Decimal("0.1") if tenths else 1

    def steps(low: Any, high: Any) -> list[Any]:
        return [k * step for k in range(math.ceil(low / step), math.floor(high / step) + 1)]

    if text == "*":
        return steps(known[0], known[-1]) + [None] * (None in own) if known else own
    if text.endswith("*"):
        return [read(value) for value in own if value is not None and value.startswith(text[:-1])]
    if text == "":
        return [None]
    try:
        if text.startswith("{"):
            return [None if not part else read(part) for part in text[1:-1].split(",")]
        if text.startswith("["):
            low, high = text[1:-1].split("..") if ".." in text else text[1:-1].split("-")
            return steps(read(low), read(high))
        return [read(text)]
    except (ValueError, ArithmeticError):
        return []


def place(name: str, value: Any, line: Any, texts: tuple[str, ...]) -> int:
    if value is None:
        return MISSING
    return texts.index(value) if line.unit is None else int(value / line.unit)


def columns_of(name: str, values: list[str | None]) -> Any:
    forms = {"number": "number", "tenth": "number", "day": "date", "word": "text"}
    kind: Any = forms.get(name)
    return encode(name, Role.QUASI, pa.array(values, pa.string()), hierarchy=TREES.get(name), kind=kind)


@settings(max_examples=150, deadline=None)
@given(data=st.data(), name=st.sampled_from(sorted(VALUES)))
def test_a_cell_leaves_open_what_enumeration_says(data: st.DataObject, name: str) -> None:
    values = data.draw(st.lists(st.sampled_from(VALUES[name]), min_size=1, max_size=6).filter(any))
    column = columns_of(name, values)
    shown = encode(name, Role.QUASI, pa.array(CELLS[name]), kind="cells")
    found = regions(column, shown)
    line, edges = found.line, found.line.edges(data.draw(st.sampled_from([None, 2, 3])))
    spread, numbers = found.spread(edges), np.arange(1, len(shown.texts) + 1)
    for code, text in enumerate(shown.texts):
        open_places = {place(name, point, line, column.texts) for point in points(name, text, values)}
        runs = [(low, high) for cell, low, high in zip(found.cell, found.low, found.high, strict=True) if cell == code]
        assert {p for low, high in runs for p in range(low, high + 1)} == open_places, text
        assert found.volume[code] == len(open_places)
        held = found.hold(np.full(len(line.places), code), line.places)
        assert held.tolist() == [p in open_places for p in line.places.tolist()]
        ranks = Counter(_bin(p, edges) for p in open_places)
        expected = [ranks[b] / max(1, len(open_places)) for b in range(len(edges))]
        assert spread[code].tolist() == pytest.approx(expected)
    assert found.histogram(numbers, edges) == pytest.approx(numbers @ spread)
    low, high = sorted(data.draw(st.tuples(st.integers(-6, 14), st.integers(-6, 14))))
    low, high = low + line.first, high + line.first
    inside = found.inside(np.array([low, high + 2]), np.array([high, high + 2]))
    for code, text in enumerate(shown.texts):
        open_places = {place(name, point, line, column.texts) for point in points(name, text, values)}
        hit = sum(low <= p <= high or p == high + 2 for p in open_places)
        assert inside[code] == pytest.approx(hit / max(1, len(open_places)))


def _bin(at: int, edges: Any) -> int:
    if at == MISSING:
        return len(edges) - 1
    return int(np.clip(np.searchsorted(edges, at, side="right") - 1, 0, len(edges) - 2))


number_cells = st.sampled_from(CELLS["number"])
word_cells = st.sampled_from(CELLS["word"])
row = st.tuples(st.sampled_from(VALUES["number"]), st.sampled_from(VALUES["word"]))


@settings(max_examples=120, deadline=None)
@given(
    rows=st.lists(row, min_size=1, max_size=8).filter(lambda rows: any(n for n, _ in rows)),
    shown=st.lists(st.tuples(number_cells, word_cells), min_size=1, max_size=8),
    number=st.sampled_from([None, "3", "[2-4]", "{1,9}", "*", "1*"]),
    word=st.sampled_from(["a", "a*", "{a,b}", "{,b}", "*"]),
    floor=st.sampled_from([0.5, 1.0, 3.0]),
)
def test_query_estimates_by_enumerating_points(
    rows: list[Any], shown: list[Any], number: str | None, word: str, floor: float
) -> None:
    names = ("number", "word")
    frame = pa.table({n: pa.array([r[i] for r in rows], pa.string()) for i, n in enumerate(names)})
    schema = Schema(dict.fromkeys(names, Role.QUASI))
    before = Table.from_arrow(frame, schema, {}, kinds={"number": "number", "word": "text"})
    after = cells(before, {n: [s[i] for s in shown] for i, n in enumerate(names)})
    query = {"word": word} | ({"number": number} if number is not None else {})
    own = {n: [r[i] for r in rows] for i, n in enumerate(names)}
    asked = {n: set(points(n, text, own[n])) for n, text in query.items()}

    def true(name: str, value: str | None) -> Any:
        return Decimal(value) if name == "number" and value is not None else value

    actual = sum(all(true(n, r[names.index(n)]) in asked[n] for n in query) for r in rows)
    estimate = Fraction(0)
    for published in shown:
        if "<suppressed>" in published:
            continue
        share = Fraction(1)
        for name in query:
            left = points(name, published[names.index(name)], own[name])
            share *= Fraction(sum(p in asked[name] for p in left), max(1, len(left)))
        estimate += share
    measure = QueryError(queries=(query,), floor=floor)
    found_actual, found_estimate = counts(before, after, measure.given(before))
    assert found_actual.tolist() == [actual]
    assert found_estimate.tolist() == pytest.approx([float(estimate)])
    found = measure.score(before, after)
    assert found.value == pytest.approx(float(abs(estimate - actual)) / max(actual, floor))
    assert found.details.empty_queries == (actual == 0)


@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(row, min_size=1, max_size=8).filter(lambda rows: any(n for n, _ in rows)),
    shown=st.lists(st.tuples(number_cells, word_cells), min_size=1, max_size=8),
)
def test_histograms_by_enumerating_points(rows: list[Any], shown: list[Any]) -> None:
    """Marginals and pairwise against the mass that each point gets; there are fewer points than bins."""
    names = ("number", "word")
    frame = pa.table({n: pa.array([r[i] for r in rows], pa.string()) for i, n in enumerate(names)})
    schema = Schema(dict.fromkeys(names, Role.QUASI))
    before = Table.from_arrow(frame, schema, {}, kinds={"number": "number", "word": "text"})
    after = cells(before, {n: [s[i] for s in shown] for i, n in enumerate(names)})
    visible = [s for s in shown if "<suppressed>" not in s]
    found, joint = Marginals().score(before, after), Pairwise().score(before, after)
    if not visible:
        assert found.value is None is joint.value
        return
    own = {n: [r[i] for r in rows] for i, n in enumerate(names)}
    known = sorted(Decimal(n) for n in own["number"] if n is not None)

    def at(name: str, value: Any) -> Any:
        return value if name == "word" or value is None else min(max(Decimal(value), known[0]), known[-1])

    def mass(name: str, text: str) -> Counter[Any]:
        left = points(name, text, own[name])
        found: Counter[Any] = Counter()
        for point in left:
            found[at(name, point)] += 1 / len(left)
        return found

    old: dict[Any, float] = defaultdict(float)
    new: dict[Any, float] = defaultdict(float)
    single: dict[str, tuple[dict[Any, float], dict[Any, float]]] = {
        n: (defaultdict(float), defaultdict(float)) for n in names
    }
    for r in rows:
        values = [at(n, v) for n, v in zip(names, r, strict=True)]
        old[tuple(values)] += 1 / len(rows)
        for n, v in zip(names, values, strict=True):
            single[n][0][v] += 1 / len(rows)
    for s in visible:
        spread = [mass(n, text) for n, text in zip(names, s, strict=True)]
        for n, one in zip(names, spread, strict=True):
            for v, m in one.items():
                single[n][1][v] += m / len(visible)
        for v, m in spread[0].items():
            for w, k in spread[1].items():
                new[v, w] += m * k / len(visible)
    expected = [_variation(*single[n]) for n in names]
    assert [part.value for part in found.parts] == pytest.approx(expected, abs=1e-9)
    assert joint.value == pytest.approx(_variation(old, new), abs=1e-9)
    line = [Decimal(k) for k in range(int(known[0]), int(known[-1]) + 1)]
    total = [sum(m for v, m in one.items() if v is not None) for one in single["number"]]
    if all(t > 1e-9 for t in total):
        runs = np.cumsum([single["number"][0][v] / total[0] - single["number"][1][v] / total[1] for v in line])
        mover = found.details.earth_mover["number"]
        assert mover == pytest.approx(float(np.abs(runs).sum()) / max(1, len(line) - 1), abs=1e-9)


def _variation(old: dict[Any, float], new: dict[Any, float]) -> float:
    apart = sum(abs(old.get(v, 0) - new.get(v, 0)) for v in {*old, *new})
    return (apart + abs(sum(old.values()) - sum(new.values()))) / 2


# Whole releases, with the truth at hand.


def people(seed: int, rows: int) -> pa.Table:
    draw = np.random.default_rng(seed)

    def pick(values: list[Any]) -> list[Any]:
        return [values[draw.integers(len(values))] for _ in range(rows)]

    return pa.table(
        {
            "age": pa.array(pick([str(a) for a in range(20, 40)]), pa.string()),
            "sex": pick(["female", "male"]),
            "born": pa.array(pick(["1980-01-31", "1980-02-01", "1981-12-24", None]), pa.string()),
            "zip": pick(["02139", "02138", "02115", "94110", "021"]),
            "ward": pick(["east", "north", "south", "west"]),
            "illness": pick(["asthma", "gastritis", "influenza"]),
        }
    )


def opened(frame: pa.Table) -> Table:
    trees = {name: tree for name, tree in TREES.items() if name != "years"}
    return Table.of(frame, quasi=["age", "sex", "born", "zip", "ward"], sensitive=["illness"], hierarchies=trees)


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 40), k=st.integers(1, 5), gone=st.integers(0, 3))
def test_entropy_loss_needs_no_alignment(seed: int, rows: int, k: int, gone: int) -> None:
    """With the truth: each cell costs the surprise of its own value among what it covers."""
    frame = people(seed, rows)
    before = opened(frame)
    protected = Mondrian().protect(before, [KAnonymity(min(k, rows))])
    kept = np.arange(rows) >= min(gone, rows - 1)
    shown = protected.data.arrow.to_pylist()
    after = cells(
        before, {n: [shown[i][n] or "" for i in np.flatnonzero(kept)] for n in before.schema.quasi}, trees_of(before)
    )
    originals, lost, had = frame.to_pylist(), 0.0, 0.0
    for name in before.schema.quasi:
        own = [r[name] for r in originals]
        for i in range(rows):
            text = (shown[i][name] or "") if kept[i] else "*"
            covered = sum(_covers(name, text, value) for value in own)
            lost -= math.log2(own.count(own[i]) / covered)
            had -= math.log2(own.count(own[i]) / rows)
    found = EntropyLoss().score(before, after)
    assert found.details.bits == pytest.approx(lost, abs=1e-9)
    assert found.details.bits_before == pytest.approx(had, abs=1e-9)
    assert found.value == pytest.approx(lost / had if had else 0.0, abs=1e-9)


def trees_of(before: Table) -> dict[str, Hierarchy]:
    return {column.name: column.hierarchy for column in before.quasi if column.hierarchy is not None}


def _covers(name: str, text: str, value: str | None) -> bool:
    if text == "*":
        return True
    if text == "" or value is None:
        return text == "" and value is None
    if text.startswith("{"):
        return value in text[1:-1].split(",")
    if name == "age" and text.startswith("["):
        low, high = text[1:-1].split("-")
        return int(low) <= int(value) <= int(high)
    return text in TREES[name].chain(value) if name in TREES else text == value


def test_a_release_that_lies_has_no_entropy_loss() -> None:
    before = Table.of(pa.table({"x": ["a", "b"]}), quasi=["x"])
    found = EntropyLoss().score(before, cells(before, {"x": ["a", "c"]}))
    assert found.value is None
    assert "covers its original value" in found.note


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 60), k=st.integers(1, 6))
def test_losses_of_a_mondrian_release(seed: int, rows: int, k: int) -> None:
    """LM, height and the tightest NCP, cell by cell."""
    frame = people(seed, rows)
    before = opened(frame)
    after = Mondrian().protect(before, [KAnonymity(min(k, rows))]).data
    shown, originals = after.arrow.to_pylist(), frame.to_pylist()
    classes: dict[Any, list[int]] = defaultdict(list)
    for i, r in enumerate(shown):
        classes[tuple(r[n] for n in before.schema.quasi)].append(i)
    lm, ncp, height = LM().score(before, after), NCP(tightest=True).score(before, after), Height().score(before, after)
    steps = {part.column: part.value for part in height.parts}
    for j, name in enumerate(before.schema.quasi):
        column, own = before.columns[name], [r[name] for r in originals]
        loss, tight, climbed = Fraction(0), 0.0, Fraction(0)
        for members in classes.values():
            text, values = shown[members[0]][name] or "", {own[i] for i in members}
            if column.levels is not None:
                domain = column.levels.domain + column.has_missing
                left = domain if text == "*" else 1 if not text else _leaves(column, text)
                tight += len(members) * min(1.0, (len(values) - 1) / max(1, column.levels.domain - 1))
                climbed += len(members) * _climbed(name, text, {v for v in own if v}, column.levels.height)
            elif name == "age":
                low, high = min(int(v) for v in values), max(int(v) for v in values)
                first, last = min(map(int, own)), max(map(int, own))
                left, domain = high - low + 1, last - first + 1
                tight += len(members) * (high - low) / max(1, last - first)
            else:
                left, domain = len(values), len(set(own))
                tight += len(members) * (left - 1) / max(1, domain - 1)
            loss += len(members) * Fraction(left - 1, max(1, domain - 1))
        assert lm.parts[j].value == loss / rows
        assert ncp.parts[j].value == pytest.approx(tight / rows)
        if column.levels is not None:
            assert steps[name] == climbed / rows
    assert float(ncp.value or 0) <= float(NCP().score(before, after).value or 0) + 1e-12


def _leaves(column: Any, label: str) -> int:
    return int(column.levels.leaves[column.levels.node_of[label]])


def _climbed(name: str, text: str, values: set[str], height: int) -> int:
    """The level of a label: chains are as long as the longest one, and a short one repeats its first label."""
    if text in ("", "*"):
        return height if text else 0
    chains = [TREES[name].chain(value) for value in values]
    longest = max(map(len, chains))
    padded = [[chain[0]] * (longest - len(chain)) + list(chain) for chain in chains]
    return max(chain.index(text) for chain in padded if text in chain)


def test_a_release_is_read_with_the_hierarchies_of_the_original() -> None:
    """A reopened file knows none: its labels must not pass for exact values."""
    ill = pa.table({"ill": ["ulcer", "ulcer", "cancer", "flu"]})
    before = Table.of(ill, quasi=["ill"], hierarchies={"ill": DISEASES})
    shown: dict[str, list[str | None]] = {"ill": ["stomach", "stomach", "stomach", "flu"]}
    for measure in (NCP(), LM(), EntropyLoss(), Height(), Marginals()):
        bare, told = (measure.score(before, cells(before, shown, trees)) for trees in ({}, {"ill": DISEASES}))
        assert bare == told
        assert bare.value != 0


def test_the_tightest_loss_does_not_depend_on_the_style() -> None:
    """Nodes, sets and ranges of the same classes score alike."""
    before = Table.of(pa.table({"ill": ["ulcer", "cancer", "flu"]}), quasi=["ill"], hierarchies={"ill": DISEASES})
    nodes, sets = (
        cells(before, {"ill": ["stomach"] * 2 + ["flu"]}),
        cells(before, {"ill": ["{cancer,ulcer}"] * 2 + ["flu"]}),
    )
    scores = [NCP(tightest=True).score(before, after).value for after in (nodes, sets)]
    assert scores == pytest.approx([2 / 15, 2 / 15])


def test_rows_are_found_by_place_by_person_or_by_class() -> None:
    frame = pa.table({"age": [1, 2, 8, 9], "who": ["p", "q", "r", "s"]})
    before = Table.of(frame, quasi=["age"], subject="who")
    alone = Table.of(frame.select(["age"]), quasi=["age"])
    in_place = cells(alone, {"age": ["[1-2]", "[1-2]", "[8-9]", "[8-9]"]})
    moved = cells(before, {"age": ["[8-9]", "[1-2]", "[1-2]"], "who": ["s", "q", "p"]})
    apart = cells(alone, {"age": ["[8-9]", "<suppressed>", "[8-9]", "[1-2]", "[1-2]"]})
    assert _found(alone, in_place) == [0, 1, 2, 3]
    assert _found(before, moved) == [3, 1, 0]
    assert _found(alone, apart) == [2, -1, 3, 0, 1]
    assert rows_behind(alone, cells(alone, {"age": ["[1-9]", "[1-9]"]})) is None
    assert NCP(tightest=True).score(alone, cells(alone, {"age": ["[1-9]", "[1-9]"]})).value is None


def _found(before: Table, after: Table) -> list[int]:
    rows = rows_behind(before, after)
    assert rows is not None
    return rows.tolist()


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(2, 60), k=st.integers(1, 6))
def test_labels_of_a_mondrian_release(seed: int, rows: int, k: int) -> None:
    before = opened(people(seed, rows))
    after = Mondrian().protect(before, [KAnonymity(min(k, rows))]).data
    labels: dict[Any, list[str]] = defaultdict(list)
    for r in after.arrow.to_pylist():
        labels[tuple(r[n] for n in before.schema.quasi)].append(r["illness"])
    wrong = sum(len(own) - max(Counter(own).values()) for own in labels.values())
    assert Classification().score(before, after).value == Fraction(wrong, rows)


@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=12),
    width=st.integers(1, 5),
)
def test_correlations_of_mid_points(rows: list[tuple[int, int, int]], width: int) -> None:
    names = ("x", "y", "z")
    frame = pa.table({n: [r[i] for r in rows] for i, n in enumerate(names)})
    before = Table.of(frame, quasi=["x", "y"], sensitive=["z"])

    def ends(v: int) -> tuple[int, int]:
        return v - v % width, v - v % width + width - 1

    shown: dict[str, list[str | None]] = {
        n: [f"[{ends(v)[0]}-{ends(v)[1]}]" for v in frame[n].to_pylist()] for n in "xy"
    }
    after = cells(before, shown | {"z": [str(v) for v in frame["z"].to_pylist()]})
    new = {n: [sum(ends(v)) / 2 for v in frame[n].to_pylist()] for n in "xy"} | {"z": frame["z"].to_pylist()}
    changes = []
    for a, b in combinations(names, 2):
        old = _r(frame[a].to_pylist(), frame[b].to_pylist())
        if old is not None:
            changes.append(abs((_r(new[a], new[b]) or 0) - old))
    found = Correlation().score(before, after).value
    assert found == (pytest.approx(np.mean(changes), abs=1e-9) if changes else None)


def _r(x: list[Any], y: list[Any]) -> float | None:
    return None if len(set(x)) == 1 or len(set(y)) == 1 else float(np.corrcoef(x, y)[0, 1])


def test_correlation_reads_trees_of_numbers_and_leaves_codes_alone() -> None:
    """Ages under intervals are numbers; zip codes under prefixes are not, although they look like it."""
    frame = pa.table({"age": ["20", "23", "31"], "zip": ["02139", "02138", "94110"], "w": [1, 2, 3]})
    trees: dict[str, Hierarchy] = {"age": Intervals(width=5, levels=2), "zip": Prefixes()}
    before = Table.of(frame, quasi=["age", "zip"], sensitive=["w"], hierarchies=trees)
    after = cells(before, {"age": ["[20-24]"] * 2 + ["*"], "zip": ["*"] * 3, "w": ["1", "2", "3"]}, trees)
    found = Correlation().score(before, after)
    expected = abs(
        float(np.corrcoef([21.5, 21.5, 74 / 3], [1, 2, 3])[0, 1] - np.corrcoef([20, 23, 31], [1, 2, 3])[0, 1])
    )
    assert ([part.column for part in found.parts], found.value) == (["age", "w"], pytest.approx(expected))


# Prediction.


def ill_by_age(rows: int, subject: bool = True) -> Table:
    draw = np.random.default_rng(4)
    age, sex = draw.integers(20, 80, rows), draw.integers(0, 2, rows)
    ill = np.where(draw.random(rows) < 0.1, 1, 0) ^ (age + 10 * sex > 55)
    frame = pa.table(
        {
            "age": age,
            "sex": [("male", "female")[s] for s in sex],
            "state": [("healthy", "unwell")[i] for i in ill],
            "who": [f"person-{i}" for i in range(rows)],
        }
    )
    return Table.of(
        frame, quasi=["age", "sex"], sensitive=["state"], **({"subject": "who"} if subject else {"drop": ["who"]})
    )


@pytest.mark.parametrize("model", ["logistic", "tree"])
def test_a_mild_release_predicts_nearly_as_well_and_a_blank_one_not_at_all(model: Any) -> None:
    before = ill_by_age(600)
    mild = Prediction(model=model).score(before, Mondrian().protect(before, [KAnonymity(5)]).data)
    assert mild.details.majority < 0.65 < 0.85 < float(mild.value or 0)
    assert mild.details.accuracy_before > 0.85
    assert (mild.details.folds, mild.note) == (3, "")
    blank = cells(before, {"age": ["*"] * 600, "sex": ["*"] * 600, "state": before.arrow["state"].to_pylist()})
    assert float(Prediction(model=model).score(before, blank).value or 0) == pytest.approx(
        mild.details.majority, abs=0.05
    )


def test_prediction_says_when_records_cannot_be_told_apart() -> None:
    before = ill_by_age(200, subject=False)
    released = Mondrian(suppress=0.2).protect(before, [KAnonymity(20)])
    kept = before.arrow.take(pa.array(np.arange(150)))
    after = cells(before, {n: ["*"] * 150 for n in ("age", "sex")} | {"state": kept["state"].to_pylist()})
    found = Prediction().score(before, after)
    assert (found.details.folds, found.details.withheld_records) == (1, 50)
    assert "cannot be told" in found.note
    assert Prediction().score(before, released.data).value is not None


def test_prediction_does_not_depend_on_the_order_of_rows() -> None:
    before = ill_by_age(300)
    after = Mondrian().protect(before, [KAnonymity(5)]).data
    order = pa.array(np.random.default_rng(1).permutation(300))
    frame = before.arrow.append_column("who", before.columns["who"].arrow)
    other = Table.of(frame.take(order), quasi=["age", "sex"], sensitive=["state"], subject="who")
    assert Prediction().score(other, after).value == Prediction().score(before, after).value
    assert Prediction(limit=50).score(before, after).value is not None


def test_prediction_without_its_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.linear_model", None)
    before = ill_by_age(50)
    with pytest.raises(DataError) as caught:
        Prediction().score(before, before)
    assert (
        str(caught.value)
        == "prediction — needs the package scikit-learn, which is not installed — pip install 'sharewell[learn]'"
    )


def test_no_measure_loads_a_library_before_it_is_needed() -> None:
    names = [entry.target.partition(":")[0] for entry in registry.entries("tables", "utility")]
    code = f"import sys, importlib; [importlib.import_module(n) for n in {names!r}]; print('sklearn' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


# What every measure does.

MEASURES = [entry.load() for entry in registry.entries("tables", "utility")]
EVERY = [
    *(measure() for measure in MEASURES),
    NCP(tightest=True),
    QueryError(sensitive=True, number=50),
    Marginals(bins=2),
]


@pytest.mark.parametrize("measure", EVERY, ids=lambda m: repr(m)[:40])
def test_every_measure_keeps_the_contract(measure: Any) -> None:
    frame = people(3, 80)
    released = Mondrian().protect(opened(frame), [KAnonymity(4)]).data
    check_measure(measure, opened, frame, released)
    order = np.random.default_rng(2).permutation(80)
    shuffled, moved = opened(frame.take(pa.array(order))), released.arrow.take(pa.array(order))
    again = Table.from_arrow(moved, released.schema, trees_of(opened(frame)), published=True)
    assert measure.score(shuffled, again).value == pytest.approx(measure.score(opened(frame), released).value)


@pytest.mark.parametrize("measure", EVERY, ids=lambda m: repr(m)[:40])
def test_a_release_of_the_original_itself_costs_nothing(measure: Any) -> None:
    before = opened(people(6, 60))
    found = measure.score(before, before)
    if measure.name in ("prediction", "classification", "average-class", "discernibility"):
        assert found.value is not None
    else:
        assert found.value == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("measure", EVERY, ids=lambda m: repr(m)[:40])
def test_every_kind_of_cell_is_read(measure: Any) -> None:
    """Also with rows that are marked as withheld, cells that nobody understands, and a release without hierarchies."""
    rows = {name: [*values, *values, *values][:8] for name, values in VALUES.items()}
    frame = pa.table(
        {name: pa.array(values, pa.string()) for name, values in rows.items()} | {"label": list("aabbaabb")}
    )
    before = Table.of(frame, quasi=list(rows), sensitive=["label"], hierarchies=TREES)
    mixed: dict[str, list[str | None]] = {
        name: [*(texts[i % len(texts)] for i in range(6)), "<suppressed>", "*"] for name, texts in CELLS.items()
    }
    check_measure(measure, lambda f: before, frame, cells(before, mixed | {"label": [*"aabbaabb"]}))


@pytest.mark.parametrize("measure", EVERY, ids=lambda m: repr(m)[:40])
def test_nothing_is_found_in_nothing(measure: Any) -> None:
    before = opened(people(3, 10))
    nothing = opened(people(3, 10).slice(0, 0))
    for old, new in ((nothing, nothing), (before, nothing)):
        found = measure.score(old, new)
        assert found.value is None or math.isfinite(found.value)
    bare = Table.of(pa.table({"x": ["a", "b"]}), quasi=[], keep=["x"])
    assert measure.score(bare, bare).value is None or measure.name in ("discernibility", "average-class")


def test_drawn_queries_are_the_same_for_the_same_seed_and_others_for_another() -> None:
    before = opened(people(3, 100))
    after = Mondrian().protect(before, [KAnonymity(10)]).data
    first = QueryError(number=100).score(before, after)
    assert first == QueryError(number=100).score(before, after)
    assert first.value != QueryError(number=100, seed=1).score(before, after).value
    assert {part.column for part in first.parts} == set(before.schema.quasi)
    asked = QueryError(number=200, sensitive=True).score(before, after)
    assert {part.column for part in asked.parts} == {*before.schema.quasi, "illness"}


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: QueryError(floor=0),
        lambda: QueryError(number=0),
        lambda: QueryError(selectivity=1.5),
        lambda: AverageClass(k=0),
        lambda: Marginals(bins=1),
        lambda: Pairwise(bins=1),
        lambda: Prediction(folds=1),
        lambda: Prediction(limit=0),
    ],
)
def test_senseless_parameters_are_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="must be"):
        wrong()


def test_columns_that_are_not_there_are_told_without_values() -> None:
    before = opened(people(3, 10))
    with pytest.raises(DataError, match="queries ask for weight"):
        QueryError(queries=({"weight": "77"},)).score(before, before)
    for measure in (Classification(label="age"), Prediction(label="nothing")):
        with pytest.raises(DataError, match="not a sensitive or kept column — choose one of them: illness"):
            measure.score(before, before)


def test_a_kept_column_can_be_the_label() -> None:
    frame = pa.table({"x": ["a", "a", "b"], "state": [True, False, True]})
    before = Table.of(frame, quasi=["x"], keep=["state"])
    assert Classification(label="state").score(before, before).value == Fraction(1, 3)


def test_numbers_too_long_to_count_are_told_apart_by_their_own_values() -> None:
    low = 10**30
    before = Table.of(pa.table({"x": [str(low), str(low + 1), str(low + 5)]}), quasi=["x"])
    after = cells(before, {"x": [f"[{low}-{low + 1}]"] * 2 + [str(low + 5)]})
    assert LM().score(before, after).value == Fraction(2, 6)
    assert QueryError(queries=({"x": f"[{low}-{low}]"},)).score(before, after).value == 0.0


def test_measures_can_be_asked_for_in_a_policy(tmp_path: Path) -> None:
    from sharewell.policy import load

    (tmp_path / "d.csv").write_text("age,ill\n1,a\n2,b\n")
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: r}\nsecrets: {key: env:K}\ndatasets:\n  d:\n    kind: tables\n"
        "    read: {csv: d.csv}\n    columns: {age: quasi, ill: sensitive}\n    require: [k-anonymity: {k: 2}]\n"
        "    using: mondrian\n    utility:\n      - query-error: {queries: [{age: '[1-2]', ill: a}], floor: 2}\n"
        "      - prediction: {label: ill, model: tree}\n      - ncp: {tightest: true}\n      - classification\n"
        "write: {csv: out}\n"
    )
    built = [one.built for one in load(tmp_path / "policy.yaml").datasets["d"].utility]
    assert built[0].queries == [{"age": "[1-2]", "ill": "a"}]
    assert built[1:] == [Prediction(label="ill", model="tree"), NCP(tightest=True), Classification()]
