"""From patients to a safe table through a policy: tabulated, hidden, written, verified from the files alone."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.policy.profiles import profile
from sharewell.reports import CellProtection, TableInterval, read_table, tabulate

POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:TEST_TABLES_KEY}
datasets:
  wards:
    kind: reports
    read: {csv: a.csv}
    columns: {who: subject, ward: quasi, ill: quasi, cost: drop}
    require: [cell-protection: {threshold: 5}]
    using: cell-suppression
    attacks: [table-interval]
    utility: [suppressed-share]
write: {csv: out}
"""
COUNTS = {("n", "flu"): 20, ("n", "gout"): 3, ("n", "cold"): 30, ("s", "flu"): 15, ("s", "gout"): 12, ("s", "cold"): 9}
Written = Callable[..., Path]


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_TABLES_KEY", "an example secret, long enough")


def patients() -> list[list[str]]:
    """One row a person."""
    every = [cell for cell, count in COUNTS.items() for _ in range(count)]
    return [[f"p{i}", *cell, f"{100 + 7 * i % 90}.50"] for i, cell in enumerate(every)]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(*changes: tuple[str, str], **files: list[list[str]]) -> Path:
        text = POLICY
        for old, new in changes:
            assert old in text
            text = text.replace(old, new)
        (tmp_path / "policy.yaml").write_text(text)
        for name, rows in (files or {"a": patients()}).items():
            with (tmp_path / f"{name}.csv").open("w", newline="") as file:
                csv.writer(file).writerows([["who", "ward", "ill", "cost"], *rows])
        return tmp_path / "policy.yaml"

    return write


def published(policy: Path) -> dict[tuple[str, ...], str]:
    with (policy.parent / "out" / "r" / "public" / "wards.csv").open() as file:
        return {tuple(row[:-1]): row[-1] for row in list(csv.reader(file))[1:]}


def test_a_small_cell_is_hidden_with_what_gives_it_away(written: Written) -> None:
    policy = written()
    done = release(check(policy))
    cells = published(policy)
    assert cells["*", "*"] == "89"
    assert cells["n", "gout"] == ""
    assert sum(cell == "" for cell in cells.values()) == 4
    (found,) = verify(done.directory).raise_if_failed().findings["wards"]
    assert (found.ok, found.tier, found.value) == (True, "steward", 0)
    (told,) = verify(done.directory / "public").raise_if_failed().findings["wards"]
    assert told.tier == "attested"
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    assert certificate["datasets"]["wards"]["unit"] == "persons"
    assert "value" not in certificate["datasets"]["wards"]["findings"][0]
    public = "".join(path.read_text() for path in (done.directory / "public").iterdir())
    assert "p0" not in public


def test_rows_in_any_order_and_in_several_files_give_the_same_table(written: Written, tmp_path: Path) -> None:
    first = release(check(written())).directory / "public"
    before = {path.name: path.read_bytes() for path in first.iterdir() if path.name == "wards.csv"}
    (tmp_path / "out").rename(tmp_path / "kept")
    rows = patients()
    policy = written(
        ("read: {csv: a.csv}", "read: {csv: a.csv}\n    owners: [{csv: b.csv}]"),
        a=rows[40:][::-1],
        b=rows[:50],  # ten persons stand in both files, and count once
    )
    second = release(check(policy)).directory / "public"
    assert {path.name: path.read_bytes() for path in second.iterdir() if path.name == "wards.csv"} == before


def test_sums_are_protected_against_contributors(written: Written) -> None:
    policy = written(
        ("threshold: 5", "threshold: 5, p: 10, dominance: [1, 80]"), ("    using", "    measure: cost\n    using")
    )
    done = release(check(policy))
    assert verify(done.directory).ok
    cells = published(policy)
    assert cells["*", "*"].endswith(".5")
    assert cells["n", "gout"] == ""
    assert [path.name for path in (done.directory / "internal" / "persons").iterdir()] == ["wards.parquet"]


def test_an_edited_release_does_not_verify(written: Written) -> None:
    done = release(check(written()))
    evidence = done.directory / "internal" / "persons" / "wards.parquet"
    table = pq.read_table(evidence)
    amounts = [1, *table["amount"].to_pylist()[1:]]
    pq.write_table(table.set_column(2, "amount", pa.array(amounts)), evidence)
    assert not verify(done.directory).ok
    file = done.directory / "public" / "wards.csv"
    file.write_text(file.read_text().replace("89", "90"))
    assert not verify(done.directory / "public").ok


@pytest.mark.parametrize("style", ["blank", "negative"])
def test_counts_for_ohdsi_are_written_and_read(written: Written, style: str) -> None:
    policy = written(("using: cell-suppression", f"using: {{cell-suppression: {{style: {style}}}}}"))
    release(check(policy))
    cells = published(policy)
    assert cells["n", "gout"] == ("" if style == "blank" else "-5")
    table = read_table(policy.parent / "out" / "r" / "public" / "wards.csv", ["ward", "ill"], "count")
    found = TableInterval().mount(table)
    assert found.value == 0.0
    low, high = table.bounds()
    small = table.marked_small
    assert small.any() == (style == "negative")
    assert (low[small] == 1).all()
    assert (high[small] == 4).all()


def test_profiles_reach_tables_of_counts(written: Written) -> None:
    without = ("    require: [cell-protection: {threshold: 5}]\n", "")
    cms = check(written(without, ("release:", "profile: cms-cell-11\nrelease:")))
    assert cms.datasets["wards"].require[0].parameters == {"threshold": 11}
    safely = written(without, ("release:", "profile: opensafely\nrelease:"))
    policy = check(safely)
    assert policy.datasets["wards"].require[0].parameters == {"threshold": 8, "rounded": 5}
    release(policy)
    assert all(int(cell) % 5 == 0 for cell in published(safely).values() if cell)
    weaker = check(written(("release:", "profile: cms-cell-11\nrelease:")))
    assert any("threshold = 5 is weaker" in text for text in weaker.deviations)
    stricter = check(written(("release:", "profile: cms-cell-11\nrelease:"), ("threshold: 5", "threshold: 20")))
    assert not stricter.deviations
    assert profile("hipaa-expert-determination").by_kind["reports"] == ()


def test_a_plan_says_what_it_would_cost(written: Written) -> None:
    found = plan(check(written(("using: cell-suppression", "using: auto"))))["wards"]
    assert found.outcome.feasible
    assert found.using.startswith("cell-suppression")
    assert found.risks[0].value == 1.0


def test_what_cannot_hold_says_what_would_help(written: Written) -> None:
    policy = check(written(("threshold: 5", "threshold: 500")))
    with pytest.raises(Infeasible) as error:
        release(policy)
    assert error.value.relaxations


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ill: quasi", "ill: sensitive", "cannot be sensitive"),
        ("ward: quasi, ill: quasi", "ward: drop, ill: drop", "no dimension"),
        ("    using", "    measure: nothing\n    using", "no column 'nothing'"),
        ("    using", "    measure: ill\n    using", "only its sums"),
        ("who: subject", "who: drop", "how much each person adds"),
        ("    using", "    publish: within-class\n    using", "no pseudonym"),
        ("    using", "    owners: [{csv: nobody.csv}]\n    using", "no such file"),
        ("attacks: [table-interval]", "attacks: [snooper]", "about figures of owners"),
    ],
)
def test_a_policy_that_no_table_can_follow_is_refused(written: Written, old: str, new: str, said: str) -> None:
    more = (("    using", "    measure: cost\n    using"),) if said == "how much each person adds" else ()
    with pytest.raises(PolicyError, match=said):
        plan(check(written((old, new), *more)))


def test_persons_count_once_and_stand_in_one_cell() -> None:
    frame = pa.table({"who": ["a", "a", "b"], "ward": ["n", "n", "s"], "cost": ["1.25", "2", None]})
    assert tabulate(frame, ["ward"], subject="who").shown.tolist() == [2, 1, 1]
    assert tabulate(frame, ["ward"]).shown.tolist() == [3, 2, 1]
    assert tabulate(frame, ["ward"], subject="who", measure="cost").shown.tolist() == [325, 325]
    twice = pa.table({"who": ["a", "a"], "ward": ["n", "s"]})
    with pytest.raises(DataError, match="1 of 1 persons stand in more than one cell"):
        tabulate(twice, ["ward"], subject="who")
    missing = pa.table({"who": ["a", "b"], "ward": ["n", None]})
    assert tabulate(missing, ["ward"], subject="who").arrow["ward"].to_pylist() == ["*", None, "n"]


def test_a_query_on_a_database_is_a_source() -> None:
    with duckdb.connect() as database:
        database.execute("CREATE TABLE t AS SELECT i AS who, i % 2 AS ward, i * 0.5 AS cost FROM range(10) r(i)")
        counted = tabulate(database.sql("SELECT * FROM t"), ["ward"], subject="who")
        added = tabulate(database.sql("SELECT who, ward, cost::DOUBLE AS cost FROM t"), ["ward"], measure="cost")
    assert counted.shown.tolist() == [10, 5, 5]
    assert added.shown.tolist() == [225, 100, 125]
    assert added.decimals == 1


@pytest.mark.parametrize(
    ("frame", "options", "said"),
    [
        ({"who": ["a", None], "ward": ["n", "n"]}, {"subject": "who"}, "belong to nobody"),
        ({"who": ["a", "b"], "ward": ["n", "n"], "cost": ["x", "1"]}, {"measure": "cost"}, "1 row"),
        ({"who": ["a", "b"], "ward": ["n", "n"], "cost": ["-3", "1"]}, {"measure": "cost"}, "1 row"),
        ({"who": ["a"], "ward": ["n"], "cost": ["99999999999999999999"]}, {"measure": "cost"}, "too large"),
        ({"who": pa.array([], pa.string()), "ward": pa.array([], pa.string())}, {}, "no row"),
        ({"who": ["a"]}, {}, "no column 'ward'"),
    ],
)
def test_odd_data_is_told_without_a_value(frame: dict[str, object], options: dict[str, str], said: str) -> None:
    with pytest.raises(DataError, match=said):
        tabulate(pa.table(frame), ["ward"], **options)


def test_published_tables_of_others_are_read_with_care(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="stand twice"):
        read_table(pa.table({"a": ["x", "x"], "n": ["1", "2"]}), ["a"], "n")
    with pytest.raises(DataError, match="not whole numbers"):
        read_table(pa.table({"a": ["x"], "n": ["1.5"]}), ["a"], "n")
    with pytest.raises(DataError, match="no whole numbers add up"):
        TableInterval().mount(read_table(pa.table({"a": ["*", "x", "y"], "n": ["5", "7", None]}), ["a"], "n"))
    table = read_table(pa.table({"a": ["*", "x"], "n": ["5", "2"]}), ["a"], "n")
    assert CellProtection(threshold=3).check(table).ok is None
    assert np.array_equal(table.hidden, [False, False])
