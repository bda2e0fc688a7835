"""Missing values under two readings: by brute force over everything an attacker might know."""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import Infeasible, PolicyError
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check, load
from sharewell.tables import KAnonymity, KMember, Linkage, Mondrian, Prosecutor, Table
from sharewell.tables.engine.wildcards import candidates

Row = tuple[str | None, ...]
rows_of = st.lists(st.tuples(*[st.sampled_from(["0", "1", None])] * 3), min_size=1, max_size=7)


def opened(rows: list[Row], **more: Any) -> Table:
    frame = pa.table(
        {name: pa.array(values, pa.string()) for name, values in zip("abc", zip(*rows, strict=True), strict=False)}
    )
    return Table.of(frame, quasi=frame.column_names, **more)


def by_row(table: Table, counts: Any) -> list[int]:
    found = np.zeros(table.rows, dtype=np.int64)
    found[table.classes.order] = np.repeat(counts, table.classes.sizes)
    return found.tolist()


def left_with(rows: list[Row], row: Row) -> int:
    """The fewest records that fit the owner of a row, over every true value that the row leaves open.

    `other` is a value that no record shows.
    """
    truths = itertools.product(*([cell] if cell is not None else ["0", "1", "other"] for cell in row))
    return min(sum(_fits(record, truth) for record in rows) for truth in truths)


def _fits(record: Row, truth: Row) -> bool:
    """Can whoever knows the truth not exclude the record?"""
    return all(cell is None or cell == known for cell, known in zip(record, truth, strict=True))


def agreeing(rows: list[Row], row: Row) -> int:
    """The usual count: records that agree wherever neither is missing."""
    pairs = [zip(record, row, strict=True) for record in rows]
    return sum(all(None in (a, b) or a == b for a, b in pair) for pair in pairs)


@settings(max_examples=200, deadline=None)
@given(rows_of)
def test_candidates_are_what_an_attacker_is_left_with_at_worst(rows: list[Row]) -> None:
    table = opened(rows)
    found = by_row(table, candidates(table))
    assert found == [left_with(rows, row) for row in rows]
    own = by_row(table, table.classes.sizes)
    assert all(a <= b <= c for a, b, c in zip(own, found, [agreeing(rows, row) for row in rows], strict=True))
    assert KAnonymity(1, missing="wildcard").check(table).value == min(found)


def test_the_usual_count_promises_more_than_it_keeps() -> None:
    rows: list[Row] = [("42", "F"), (None, "F")]
    assert [agreeing(rows, row) for row in rows] == [2, 2]
    assert [left_with(rows, row) for row in rows] == [2, 1]
    table = opened(rows)
    assert candidates(table).tolist() == [2, 1]
    assert KAnonymity(2, missing="wildcard").check(table).failed


@settings(max_examples=80, deadline=None)
@given(rows_of, st.integers(1, 3), st.sampled_from([Mondrian(), KMember()]))
def test_a_release_by_own_value_holds_under_both_readings(rows: list[Row], k: int, mechanism: Any) -> None:
    """Whatever the attacker knows of a person, as recorded or in truth, k published records fit."""
    table = opened(rows)
    try:
        protected = mechanism.protect(table, [KAnonymity(k, missing="wildcard")])
    except Infeasible:
        assert len(rows) < k
        return
    released = protected.data
    assert not KAnonymity(k).check(released).failed
    assert not KAnonymity(k, missing="wildcard").check(released).failed
    shown = [tuple(row.values()) for row in released.arrow.to_pylist()]
    for recorded in (rows[row] for row in protected.rows):
        for truth in itertools.product(*([cell] if cell is not None else ["0", "1", "9"] for cell in recorded)):
            assert sum(all(_covers(c, t) for c, t in zip(cells, truth, strict=True)) for cells in shown) >= k


def _covers(cell: str | None, truth: str) -> bool:
    """As wildcard, and as a set that holds a missing value: the person may be one of those without."""
    if cell in (None, "*"):
        return True
    if cell.startswith("["):
        low, high = cell.strip("[]").split("-")
        return low <= truth <= high
    members = cell.strip("{}").split(",") if cell.startswith("{") else [cell]
    return truth in members or "" in members


def test_stars_and_cells_that_were_withheld_count_like_missing_ones() -> None:
    frame = pa.table({"age": ["[20-25]", "*", "<suppressed>", None, "[20-25]"], "sex": ["F", "F", "F", "F", "M"]})
    table = Table.of(frame, quasi=["age", "sex"], published=True)
    assert sorted(by_row(table, candidates(table))) == [1, 3, 3, 3, 4]
    literal = Table.of(pa.table({"age": ["x", "*"]}), quasi=["age"])
    assert candidates(literal).tolist() == [1, 1]
    assert candidates(Table.of(frame.slice(0, 0), quasi=["age", "sex"], published=True)).tolist() == []
    assert KAnonymity(1, missing="wildcard").check(Table.of(frame.slice(0, 0), quasi=["age", "sex"])).failed


def test_one_person_in_several_classes_is_one_candidate() -> None:
    """Pseudonyms that are the same within a class cannot tell, so that the largest class counts and not the sum."""
    rows: list[Row] = [("1", "x"), (None, "x"), (None, "x")]
    frame = pa.table({"a": [a for a, _ in rows], "b": [b for _, b in rows], "who": ["p", "p", "q"]})
    table = Table.of(frame, quasi=["a", "b"], subject="who")
    assert by_row(table, candidates(table)) == [2, 2, 2]
    assert by_row(table, candidates(table, by_person=False)) == [3, 2, 2]
    named = Table.of(frame.set_column(2, "who", pa.array(["p", "q", "r"])), quasi=["a", "b"], subject="who")
    assert by_row(named, candidates(named)) == [2, 2, 2]
    assert KAnonymity(3, "record", "wildcard").check(table).value == 2


def test_the_attacks_know_both_readings() -> None:
    shown = Table.of(pa.table({"age": ["42", None], "sex": ["F", "F"]}), quasi=["age", "sex"], published=True)
    assert Prosecutor().mount(shown).details.average == 1.0
    assert Prosecutor(missing="wildcard").mount(shown).details.average == 0.75
    register = pa.table({"age": [42, 70, 71], "sex": ["F", "F", "M"]})
    own, wild = Linkage(register).mount(shown), Linkage(register, missing="wildcard").mount(shown)
    assert (own.details.unmatched_records, wild.details.unmatched_records) == (1, 0)
    assert own.details.risk.records_by_risk != wild.details.risk.records_by_risk
    assert wild.details.risk.average == pytest.approx((1 + 1 / 2) / 2)
    gaps = pa.table({"age": [42, None], "sex": ["F", "F"]})
    assert Linkage(gaps, missing="wildcard").mount(shown).details.unique_records == 1


def test_the_simulated_attack_knows_them_too() -> None:
    frame = pa.table({"age": [42, 42, None, None], "sex": ["F"] * 4})
    table = Table.of(frame, quasi=["age", "sex"])
    protected = Mondrian().protect(table, [KAnonymity(2)])
    own = Prosecutor().mount(protected.data, protected.truth(table))
    wild = Prosecutor(missing="wildcard").mount(protected.data, protected.truth(table))
    assert own.details.simulated.targets == wild.details.simulated.targets == 4
    assert wild.value == own.value == 0.5
    assert wild.details.average == pytest.approx((2 / 4 + 2 / 2) / 4)


POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {age: quasi, sex: quasi, ill: sensitive}
    require: [k-anonymity: {k: 3, missing: wildcard}]
    using: mondrian
    attacks: [prosecutor: {missing: wildcard}]
write: {csv: out}
"""


def test_a_policy_says_which_reading(tmp_path: Any) -> None:
    rows = [f"{20 + i % 9 if i % 5 else ''},{'FM'[i % 2]},flu" for i in range(40)]
    (tmp_path / "people.csv").write_text("age,sex,ill\n" + "\n".join(rows) + "\n")
    (tmp_path / "policy.yaml").write_text(POLICY)
    done = release(check(tmp_path / "policy.yaml"))
    alone = verify(done.directory / "public")
    assert alone.ok
    finding = alone.findings["people"][0]
    assert finding.note == "a missing cell is taken to fit every value"
    (tmp_path / "policy.yaml").write_text(POLICY.replace("wildcard}]\n    using", "maybe}]\n    using"))
    with pytest.raises(PolicyError, match="missing must be one of own, wildcard"):
        load(tmp_path / "policy.yaml")


@pytest.mark.parametrize("style", ["range", "low-high", "mean", "common", "set"])
@pytest.mark.parametrize("kind", ["number", "date"])
def test_a_column_in_which_everything_is_missing_has_every_style(tmp_path: Any, kind: str, style: str) -> None:
    text = POLICY.replace("age: quasi", f"age: {{role: quasi, type: {kind}, style: {style}}}")
    assert style in text
    (tmp_path / "people.csv").write_text("age,sex,ill\n" + ",F,flu\n" * 4)
    (tmp_path / "policy.yaml").write_text(text)
    assert verify(release(check(tmp_path / "policy.yaml")).directory).ok


def test_a_profile_calls_the_weaker_reading_a_deviation(tmp_path: Any) -> None:
    (tmp_path / "policy.yaml").write_text(POLICY.replace("datasets:", "profile: el-emam/3\ndatasets:"))
    assert any("missing = wildcard" in line for line in load(tmp_path / "policy.yaml").deviations)


def test_large_tables_with_few_patterns_are_quick() -> None:
    rng = np.random.default_rng(1)
    columns = {}
    for name in "abcdef":
        values = rng.integers(0, 30, 200_000)
        columns[name] = pa.array(values, mask=rng.random(200_000) < 0.02)
    table = Table.of(pa.table(columns), quasi=list("abcdef"))
    sizes = table.classes.sizes
    start = time.process_time()
    found = candidates(table)
    assert time.process_time() - start < 20
    assert (found >= sizes).all()
    assert found.max() > 1
