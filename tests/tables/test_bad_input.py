"""Bad input is normal input: through the whole mechanism and through a whole release."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cells import parse
from sharewell.cli import main
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.hierarchy import from_spec
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.protocols import AnyMechanism
from sharewell.tables import (
    BottomUp,
    KAnonymity,
    KMap,
    KMember,
    LDiversity,
    LocalRecoding,
    MarketerRisk,
    Mondrian,
    Packing,
    Table,
    TopDown,
)


def desk(directory: Path, data: Any, columns: str, *, read: str = "csv: d.csv", more: str = "", k: int = 2) -> Path:
    """A directory with data and a policy."""
    directory.mkdir(exist_ok=True)
    if isinstance(data, bytes):
        (directory / "d.csv").write_bytes(data)
    elif data is not None:
        pq.write_table(data, directory / "d.parquet")
    path = directory / "policy.yaml"
    path.write_text(
        f"""\
sharewell: 1
release: {{name: r}}
datasets:
  d:
    kind: tables
    read: {{{read}}}
    columns: {{{columns}}}
    require: [k-anonymity: {{k: {k}}}]
    using: mondrian
    attacks: [prosecutor]
    utility: [ncp, discernibility]
{more}
write: {{parquet: out}}
"""
    )
    return path


def rows(count: int, **cells: str) -> bytes:
    """`count` rows of persons p0, p1, …, with age, sex and an illness, unless a cell is given."""
    lines = ["id,age,sex,ill"]
    for i in range(count):
        cell = {"id": f"p{i}", "age": str(20 + i % 5), "sex": "FM"[i % 2], "ill": "flu"} | cells
        lines.append(",".join(cell.values()))
    return ("\n".join(lines) + "\n").encode()


ROLES = "id: subject, age: quasi, sex: quasi, ill: sensitive"


def released(path: Path) -> pa.Table:
    done = release(check(path))
    assert verify(done.directory).ok
    assert verify(done.directory / "public").ok
    return pq.read_table(done.directory / "public" / "d.parquet")


@pytest.mark.parametrize(
    ("data", "k", "message"),
    [
        pytest.param(rows(0), 2, "mondrian — the data has no rows — there is nothing to release", id="header only"),
        pytest.param(rows(1), 2, "k-anonymity ≥ 2: all rows as one class reach 1", id="one row"),
        pytest.param(rows(9), 10, "k-anonymity ≥ 10: all rows as one class reach 9", id="k larger than n"),
        pytest.param(
            rows(9, id="p"), 2, "k-anonymity ≥ 2: all rows as one class reach 1", id="nine rows of one person"
        ),
        pytest.param(rows(9, id=""), 1, "k-anonymity ≥ 1: all rows as one class reach 0", id="nobody's rows"),
        pytest.param(
            rows(9, id="", age="", sex="", ill=""),
            1,
            "k-anonymity ≥ 1: all rows as one class reach 0",
            id="all missing",
        ),
    ],
)
def test_what_cannot_be_protected_is_infeasible(tmp_path: Path, data: bytes, k: int, message: str) -> None:
    path = desk(tmp_path, data, ROLES, k=k)
    with pytest.raises(Infeasible) as caught:
        release(check(path))
    assert message in str(caught.value).splitlines()[-1 if "no rows" in message else 1]
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["audit.jsonl"]
    assert main(["plan", str(path)]) == 1, "a plan can always be made, and the answer is no"
    assert main(["release", str(path)]) == 4


def test_one_row_is_released_if_one_is_enough(tmp_path: Path) -> None:
    assert released(desk(tmp_path, rows(1), ROLES, k=1)).to_pylist() == [{"age": "20", "sex": "F", "ill": "flu"}]


def test_columns_of_missing_values_are_released_as_missing(tmp_path: Path) -> None:
    found = released(desk(tmp_path, rows(6, age="", sex="", ill=""), ROLES))
    assert found.to_pylist() == [{"age": None, "sex": None, "ill": None}] * 6


def test_leading_zeros_stay(tmp_path: Path) -> None:
    found = released(desk(tmp_path, rows(6, age="007", ill="00.10"), ROLES))
    assert set(found["age"].to_pylist()) == {"007"}
    assert set(found["ill"].to_pylist()) == {"00.10"}


LITERALS = ["*", "[1-2]", "{a}", "<suppressed>", "\\*", "021*", "<node:x>", "[a..b]"]


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_values_that_look_like_cells_are_published_as_values(tmp_path: Path, form: str) -> None:
    lines = ["id,age,sex,ill"] + [f"p{i},{LITERALS[i % 8]},F,{LITERALS[i % 8]}" for i in range(24)]
    path = desk(tmp_path, ("\n".join(lines) + "\n").encode(), ROLES, k=3)
    path.write_text(path.read_text().replace("parquet: out", f"{form}: out"))
    done = release(check(path))
    assert verify(done.directory).ok
    assert done.findings["datasets"]["d"]["risks_after"][0]["value"] == 3
    if form == "parquet":
        found = pq.read_table(done.directory / "public" / "d.parquet")
        assert sorted({parse(text).value for text in found["age"].to_pylist()}) == sorted(LITERALS)
        assert sorted(set(found["ill"].to_pylist())) == sorted(LITERALS), "sensitive values are no cells"


def test_a_literal_mark_of_suppression_hides_no_row() -> None:
    table = Table.of(pa.table({"a": ["<suppressed>", "<suppressed>", "b", "b"]}), quasi=["a"])
    after = Mondrian().protect(table, [KAnonymity(2)]).data
    assert not after.suppressed.any()
    assert after.classes.sizes.tolist() == [2, 2]


@pytest.mark.parametrize(
    ("header", "columns"),
    [
        ("person,suppressed,__index_level_0__,ill", "person: subject, suppressed: quasi, __index_level_0__: quasi"),
        ("id,person,suppressed,ill", "id: subject, person: quasi, suppressed: quasi"),
        ("id,pseudonym,person_,ill", "id: subject, pseudonym: quasi, person_: keep"),
        ("id,rows,[/bold],ill", 'id: subject, rows: quasi, "[/bold]": quasi'),
        ("id,:dog:,a b,ill", 'id: subject, ":dog:": quasi, a b: quasi'),
    ],
)
@pytest.mark.parametrize("publish", ["none", "within-class"])
def test_columns_may_be_named_like_ours(
    tmp_path: Path, header: str, columns: str, publish: str, capsys: pytest.CaptureFixture[str]
) -> None:
    data = rows(12).replace(b"id,age,sex,ill", header.encode())
    path = desk(tmp_path, data, f"{columns}, ill: sensitive", more=f"    publish: {publish}\n    map: true")
    assert main(["plan", str(path)]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in header.split(","))
    assert released(path).column_names == header.split(",")[publish == "none" :]


def test_no_quasi_column_is_one_class(tmp_path: Path) -> None:
    found = released(desk(tmp_path, rows(5), "id: subject, age: keep, sex: drop, ill: sensitive", k=5))
    assert found.column_names == ["age", "ill"]


@pytest.mark.parametrize("subject", ["subject", "drop"])
def test_a_release_of_nothing_is_refused_as_such(tmp_path: Path, subject: str) -> None:
    path = desk(tmp_path, rows(5), f"id: {subject}, age: drop, sex: drop, ill: drop")
    assert main(["release", str(path)]) in (2, 4)


def test_unknown_codes_are_counted_and_released(tmp_path: Path) -> None:
    codes = ["E11.9", "E11.65", "ZZZ9", "I10"]
    lines = ["id,ill"] + [f"p{i},{codes[i % 4]}" for i in range(16)]
    path = desk(tmp_path, "\n".join(lines).encode(), "id: subject, ill: {role: quasi, hierarchy: icd10cm}", k=4)
    done = release(check(path))
    assert done.findings["datasets"]["d"]["columns"]["ill"]["unknown"] == 1
    published = pq.read_table(done.directory / "public" / "d.parquet")
    assert published["ill"].to_pylist().count("ZZZ9") == 4


def test_a_gap_in_a_hierarchy_is_told_with_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tree.csv").write_text("20;20-24;*\n21;20-24;*\n22;20-24;*\n")
    spec = "{role: quasi, hierarchy: {csv: tree.csv}}"
    path = desk(tmp_path, rows(10), f"id: subject, age: {spec}, sex: quasi, ill: sensitive")
    with pytest.raises(DataError) as caught:
        release(check(path))
    assert str(caught.value).startswith("column age — hierarchy tree")
    assert "2 of 5 values" in str(caught.value)
    assert main(["release", str(path)]) == 3


def test_two_rows_of_one_person_are_one_person(tmp_path: Path) -> None:
    """Ten rows, five persons: k = 5 holds for all rows as one class only."""
    lines = ["id,age,sex,ill"] + [f"p{i % 5},{20 + i // 5},F,flu" for i in range(10)]
    path = desk(tmp_path, "\n".join(lines).encode(), ROLES, k=5)
    assert released(path)["age"].to_pylist() == ["20"] * 5 + ["21"] * 5
    mixed = ["id,age,sex,ill"] + [f"p{i // 2},{20 + i // 5},F,flu" for i in range(10)]
    path = desk(tmp_path / "b", "\n".join(mixed).encode(), ROLES, k=5)
    assert set(released(path)["age"].to_pylist()) == {"[20-21]"}


@pytest.mark.parametrize("publish", ["none", "within-class"])
def test_rows_of_nobody_add_no_person_in_the_release(tmp_path: Path, publish: str) -> None:
    lines = ["id,age,sex,ill"] + [f"{'' if i < 4 else f'p{i}'},30,F,flu" for i in range(8)]
    path = desk(tmp_path, "\n".join(lines).encode(), ROLES, more=f"    publish: {publish}")
    done = release(check(path))
    assert verify(done.directory).findings["d"][0].value == 4


@pytest.mark.parametrize(
    ("dates", "message"),
    [
        ("2019-02-29", "1 of 1 distinct value(s) are not dates in any one form"),
        ("2019-01-01 SECRET", "1 of 1 distinct value(s) are not dates in any one form"),
    ],
)
def test_dates_that_cannot_be_shifted(
    tmp_path: Path, dates: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = desk(tmp_path, rows(6, ill=dates), ROLES.replace("sensitive", "shift"))
    assert main(["release", str(path)]) == 3
    told = f"column ill — cannot be shifted: {message} — write it as YYYY-MM-DD, or give it another role"
    assert capsys.readouterr().err.splitlines()[-1] == f"sharewell release: {told}"


def test_dates_to_be_shifted_whose_order_is_ambiguous_need_a_word_of_the_policy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = desk(tmp_path, rows(6, ill="01/02/2019"), ROLES.replace("sensitive", "shift"))
    assert main(["release", str(path)]) == 2
    told = capsys.readouterr().err
    assert "columns.ill — read as text, but 1 of 1 different values are dates — ask whether the day comes first" in told


def test_the_policy_can_say_how_ambiguous_dates_are_written(tmp_path: Path) -> None:
    form = '{role: shift, type: {date: "%d/%m/%Y"}}'
    path = desk(tmp_path, rows(6, ill="01/02/2019"), f"id: subject, age: quasi, sex: quasi, ill: {form}")
    assert all(day.startswith("20") for day in released(path)["ill"].to_pylist())


@pytest.mark.parametrize("name", ["list", "struct"])
def test_nested_columns_are_kept(tmp_path: Path, name: str) -> None:
    kept = {"list": [[i] for i in range(6)], "struct": [{"a": i} for i in range(6)]}[name]
    data = pa.table({"id": [f"p{i}" for i in range(6)], "age": [30] * 6, "kept": kept})
    path = desk(tmp_path, data, "id: subject, age: quasi, kept: keep", read="parquet: d.parquet")
    assert sorted(map(str, released(path)["kept"].to_pylist())) == sorted(map(str, kept))


def test_integers_beyond_floating_point_are_kept_and_ranged_exactly(tmp_path: Path) -> None:
    first = 2**53
    data = pa.table({"id": list(range(4)), "n": [first, first + 1, first + 2, first + 3], "m": [first + 1] * 4})
    path = desk(tmp_path, data, "id: subject, n: quasi, m: keep", read="parquet: d.parquet")
    found = released(path)
    assert set(found["n"].to_pylist()) == {f"[{first}-{first + 1}]", f"[{first + 2}-{first + 3}]"}
    assert set(found["m"].to_pylist()) == {first + 1}


def test_infinite_numbers_are_told_with_their_count(tmp_path: Path) -> None:
    data = pa.table({"id": list(range(4)), "n": [1.0, float("inf"), float("nan"), None]})
    path = desk(tmp_path, data, "id: subject, n: quasi", read="parquet: d.parquet")
    with pytest.raises(DataError) as caught:
        release(check(path))
    assert str(caught.value) == "column n — 1 infinite value(s) — correct them, or leave them out"
    assert main(["plan", str(path)]) == 3


def test_long_cells_nul_bytes_and_newlines_pass_through(tmp_path: Path) -> None:
    odd = ["x" * 100_000, "a\0b", 'line\nbreak, "quoted"', "\u2028\x85", "🩺"]
    data = pa.table({"id": [f"p{i}" for i in range(10)], "age": odd * 2, "ill": odd * 2})
    path = desk(tmp_path, data, "id: subject, age: quasi, ill: keep", read="parquet: d.parquet")
    assert sorted(released(path)["ill"].to_pylist()) == sorted(odd * 2)


def test_a_population_that_shares_no_column_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "people.csv").write_text("name,phone\nSECRET,1\n")
    path = desk(tmp_path, rows(6), ROLES)
    path.write_text(path.read_text().replace("[prosecutor]", "[linkage: {population: {csv: people.csv}}]"))
    assert main(["release", str(path)]) == 3
    told = "people.csv — shares no quasi column with the release (age, sex) — map names with `columns:`"
    assert capsys.readouterr().err.splitlines()[-1] == f"sharewell release: {told}"


def test_a_million_rows_take_seconds() -> None:
    draw = np.random.default_rng(1)
    count = 1_000_000
    frame = pa.table(
        {
            "age": draw.integers(0, 100, count),
            "zip": pa.array([f"{z:05}" for z in range(1_000)]).take(pa.array(draw.integers(0, 1_000, count))),
            "ill": pa.array(list("abcdefgh")).take(pa.array(draw.integers(0, 8, count))),
        }
    )
    started = time.process_time()
    table = Table.of(frame, quasi=["age", "zip"], sensitive=["ill"])
    after = Mondrian().protect(table, [KAnonymity(50), LDiversity(2)]).data
    assert KAnonymity(50).check(after).ok
    assert time.process_time() - started < 30


# Whatever the table, what is dropped or tells persons apart is never published.

word = st.none() | st.sampled_from(["", "a", "*", "[1-2]", "{a}", "1", "2", "007", "<suppressed>", "1900-02-28"])


@settings(max_examples=60, deadline=None)
@given(
    cells=st.lists(st.tuples(word, word, word), min_size=1, max_size=20),
    k=st.integers(1, 4),
    suppress=st.sampled_from([0.0, 0.3]),
)
def test_dropped_and_subject_values_are_never_published(cells: list[Any], k: int, suppress: float) -> None:
    one, two, kept = (pa.array(list(values), pa.string()) for values in zip(*cells, strict=True))
    secret = [f"DROPPED-{i}" for i in range(len(cells))]
    who = [f"PERSON-{i // 2}" for i in range(len(cells))]
    frame = pa.table({"who": who, "secret": secret, "one": one, "two": two, "kept": kept})
    table = Table.of(frame, quasi=["one", "two"], subject="who", drop=["secret"], keep=["kept"])
    try:
        protected = Mondrian(suppress=suppress).protect(table, [KAnonymity(k)])
    except Infeasible:
        return
    for shown in (protected.data.frame, table.frame):
        assert shown.column_names == ["one", "two", "kept"]
        text = json.dumps(shown.to_pydict())
        assert "DROPPED" not in text
        assert "PERSON" not in text
    assert protected.data.frame["kept"].to_pylist() == [cells[row][2] for row in protected.rows.tolist()]


@settings(max_examples=60, deadline=None)
@given(
    values=st.lists(st.none() | st.text(max_size=6), min_size=1, max_size=15),
    spec=st.sampled_from([None, "zip", "prefix", "icd10cm"]),
)
def test_any_text_can_be_generalised_or_is_refused_politely(values: list[str | None], spec: str | None) -> None:
    hierarchies = {"x": from_spec(spec, Path())} if spec else {}
    try:
        table = Table.of(pa.table({"x": pa.array(values, pa.string())}), quasi=["x"], hierarchies=hierarchies)
        after = Mondrian().protect(table, [KAnonymity(2)]).data
    except (Infeasible, DataError):
        return
    assert after.classes.sizes.min() >= 2


@pytest.mark.parametrize("mechanism", [LocalRecoding(), TopDown(), BottomUp(), KMember(), Packing(), Mondrian()])
def test_criteria_about_a_population_are_refused_by_mechanisms_that_form_classes(mechanism: AnyMechanism) -> None:
    """By name and with what to do, as `sharewell check` does, not with an error from inside."""
    people = pa.table({"age": [20, 20, 30, 30], "sex": ["F", "M", "F", "M"]})
    table = Table.of(people, quasi=["age", "sex"])
    for criterion in (KMap(k=2, population=people), MarketerRisk("1/2", population=people)):
        with pytest.raises(PolicyError, match=f"{mechanism.name} — cannot make {criterion.name} hold.*take optimal-"):
            mechanism.protect(table, must=[KAnonymity(2), criterion])
