"""What is random in two releases has nothing in common, unless they are the same release of the same rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets
from sharewell.genomes import BeaconRelease, Genotypes
from sharewell.key_scope import described, drawing_key
from sharewell.keys import Key
from sharewell.notes import Notes
from sharewell.notes.mechanisms.replace import Replace
from sharewell.pipeline.run import release
from sharewell.policy import check
from sharewell.reports import CountTable
from sharewell.reports.counts.mechanisms.controlled_rounding import ControlledRounding
from sharewell.row_digest import content_of
from sharewell.tables import PRAM, Noise, RankSwapping, Rounding, Table

KEY = Key(b"a secret for the tests of scopes")
ROWS = 400
SECRET = "a secret for the tests of scopes"


def people(salary: int = 100) -> pa.Table:
    number = np.arange(ROWS)
    columns = {"who": [f"p{i // 2}" for i in number], "sex": ["F", "M"] * (ROWS // 2)}
    columns |= {"pay": (number * 7919 % 1009 * salary).tolist(), "ill": ["flu", "hiv", "ulcer", "acne"] * (ROWS // 4)}
    return pa.table(columns)


def opened(frame: pa.Table) -> Table:
    return Table.of(frame, quasi=["sex"], sensitive=["pay", "ill"], subject="who")


def paid(mechanism: Any, frame: pa.Table) -> Any:
    return np.array(mechanism.protect(opened(frame), [], KEY).data.arrow["pay"].to_pylist(), dtype=float)


def test_two_amounts_of_noise_do_not_give_the_values() -> None:
    """2·(x + ½e) − (x + e) was x, for every row."""
    truth = np.array(people()["pay"].to_pylist(), dtype=float)
    half, whole = paid(Noise({"pay": 0.5}), people()), paid(Noise({"pay": 1.0}), people())
    assert (np.abs(2 * half - whole - truth) < 2).mean() < 0.02
    assert abs(np.corrcoef(half - truth, whole - truth)[0, 1]) < 0.25


def test_no_linear_combination_of_several_amounts_gives_the_values() -> None:
    truth = np.array(people()["pay"].to_pylist(), dtype=float)
    amounts = (0.3, 0.5, 0.8, 1.0, 1.5)
    seen = np.stack([paid(Noise({"pay": amount}), people()) for amount in amounts])
    best = np.linalg.lstsq(np.c_[seen.T, np.ones(ROWS)], truth, rcond=None)[0]  # better than any attacker can choose
    left = (np.c_[seen.T, np.ones(ROWS)] @ best - truth).std() / truth.std()
    assert left > 0.7 / np.sqrt(1 + sum(1 / amount**2 for amount in amounts))


@pytest.mark.parametrize(
    "other", [people(101), people().slice(1), people().rename_columns(["who", "sex", "pay", "dx"])]
)
def test_another_table_has_other_noise(other: pa.Table) -> None:
    sensitive = [name for name in other.column_names if name not in ("who", "sex")]
    table = Table.of(other, quasi=["sex"], sensitive=sensitive, subject="who")
    noisy = np.array(Noise({"pay": 0.5}).protect(table, [], KEY).data.arrow["pay"].to_pylist(), dtype=float)
    there = noisy - np.array(other["pay"].to_pylist(), dtype=float)
    here = paid(Noise({"pay": 0.5}), people()) - np.array(people()["pay"].to_pylist(), dtype=float)
    assert abs(np.corrcoef(here[-len(there) :], there)[0, 1]) < 0.25


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (PRAM({"ill": 0.5}), PRAM({"ill": 0.7})),
        (PRAM({"ill": 0.5}), PRAM({"ill": 0.5}, invariant=True)),
        (RankSwapping(["pay"], 5), RankSwapping(["pay"], 6)),
        (Rounding({"pay": 500}, random=True), Rounding({"pay": 500.5}, random=True)),
        (Noise({"pay": 0.5}), Noise({"pay": 0.5}, correlated=True)),
    ],
)
def test_other_parameters_draw_anew(one: Any, other: Any) -> None:
    table = opened(people())
    keys = [drawing_key(KEY, mechanism, table.content) for mechanism in (one, other)]
    first, second = (key.rng("columns", "ill").random(64) for key in keys)
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.5
    assert (first != second).all()


PLACES = st.tuples(st.sampled_from(["r", "r2", "r\0d"]), st.sampled_from(["d", "d2"]), st.sampled_from(["a", "b"]))


@given(PLACES, PLACES, st.sampled_from(["p1", "p2"]))
def test_places_share_a_stream_only_if_they_are_the_same(one: Any, other: Any, person: str) -> None:
    first, second = KEY.for_release(*one), KEY.for_release(*other)
    same = one == other
    assert (first.scoped("d", "class").pseudonym(person) == second.scoped("d", "class").pseudonym(person)) is same
    assert (first.digest("date shift", person) == second.digest("date shift", person)) is same
    assert (first.rng("noise", "x").random() == second.rng("noise", "x").random()) is same


CELLS = st.one_of(st.none(), st.sampled_from(["a", "b", "", "ab", "\0missing "]))
FRAMES = st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6)


def digest(rows: list[tuple[str | None, str | None]]) -> str:
    return content_of({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate("xy")})


@settings(max_examples=120, deadline=None)
@given(FRAMES, FRAMES, st.randoms())
def test_a_digest_is_that_of_the_rows_in_any_order(one: list[Any], other: list[Any], draw: Any) -> None:
    shuffled = draw.sample(one, len(one))
    assert digest(one) == digest(shuffled)
    order = repr
    assert (digest(one) == digest(other)) is (sorted(one, key=order) == sorted(other, key=order))


def test_a_digest_is_the_same_in_pieces_and_across_kinds_of_columns() -> None:
    frame = pa.table({"n": [1, 2, None], "f": [0.5, None, 2.0], "l": [[1], None, []]})
    chunked = pa.concat_tables([frame.slice(0, 1), frame.slice(1)])
    assert content_of(dict(zip("nfl", frame.columns, strict=True))) == content_of(
        dict(zip("nfl", chunked.columns, strict=True))
    )


def test_every_kind_of_data_has_a_digest_that_no_order_changes() -> None:
    notes = [Notes.of(texts, who) for texts, who in ((["a", "b"], ["1", "2"]), (["b", "a"], ["2", "1"]))]
    codes = [CodeSets.of(rows, persons=who) for rows, who in (([["x"], ["y"]], "12"), ([["y"], ["x"]], "21"))]
    dna = [Genotypes.of(calls, persons=who) for calls, who in (([[0, 1], [2, 0]], "ab"), ([[2, 0], [0, 1]], "ba"))]
    for one, other in (notes, codes, dna):
        assert one.content == other.content
    assert codes[0].content != CodeSets.of([["x"], ["y"]], persons="21").content
    assert dna[0].content != Genotypes.of([[0, 1], [2, 0]], persons="ba").content
    assert dna[0].take(snps=[1, 0]).content == dna[0].content
    assert replace(notes[0], beside=pa.table({"day": [1, 2]})).content != notes[0].content


def test_parameters_are_told_alike_in_every_process() -> None:
    assert described(Noise({"b": 1, "a": 2.0})) == described(Noise({"a": 2, "b": 1.0}))
    assert described(Replace(days=30)) != described(Replace(days=31))
    assert " at 0x" not in described([Replace(), object()])


def test_surrogates_of_other_notes_are_others() -> None:
    seen = "Mrs. Rosa Delgado was seen on 03/05/2016 by Dr. Whitfield."
    made = [Replace().protect(Notes.of([seen, more], ["p", "q"]), [], KEY).data for more in ("Well.", "Better.")]
    assert made[0].texts[0] != made[1].texts[0]
    again = Replace().protect(Notes.of(["Well.", seen], ["q", "p"]), [], KEY).data
    assert again.texts[1] == made[0].texts[0]


def test_rounding_another_table_draws_anew() -> None:
    """Two tables of the same shape took the same draws."""
    shown = []
    for more in (0, 1):
        counts = {(str(i),): 7 + i % 5 + more * (i == 0) for i in range(60)}
        table = CountTable.of_cells(counts, ["ward"])
        shown.append(ControlledRounding(base=5, reach=1).protect(table, [], KEY).data.shown[2:])
    assert (shown[0] != shown[1]).sum() > 5


POLICY = """
sharewell: 1
release: {name: NAME}
secrets: {key: env:SHAREWELL_SCOPE}
datasets:
  DATASET:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, sex: quasi, day: {role: shift, most_days: 3000}, pay: {keep: anyway}, ill: drop}
    require: [k-anonymity: {k: LEAST}]
    using: mondrian
    publish: within-class
"""


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SHAREWELL_SCOPE", SECRET)
    write(tmp_path, people().slice(0, 120))
    return tmp_path


def write(desk: Path, frame: pa.Table) -> None:
    days = pa.array([f"2020-0{1 + i % 9}-1{i % 7}T10:{i % 50 + 10}:07" for i in frame["pay"].to_pylist()])
    pyarrow.csv.write_csv(frame.append_column("day", days), desk / "people.csv")


def released(desk: Path, name: str, dataset: str = "d", least: int = 5) -> pa.Table:
    text = POLICY.replace("NAME", name).replace("DATASET", dataset).replace("LEAST", str(least))
    (desk / f"{name}.yaml").write_text(text)
    release(check(desk / f"{name}.yaml"))
    return pq.read_table(desk / "out" / name / "public" / f"{dataset}.parquet")


def shared(one: pa.Table, other: pa.Table) -> tuple[int, int]:
    """Pseudonyms in both, and rows of one pay whose days are the same in both."""
    pseudonyms = set(one["who"].to_pylist()) & set(other["who"].to_pylist())
    days = [{row["pay"]: row["day"] for row in table.to_pylist()} for table in (one, other)]
    return len(pseudonyms), sum(days[0][pay] == days[1].get(pay) for pay in days[0])


def test_releases_under_one_key_share_neither_pseudonyms_nor_shifts(desk: Path) -> None:
    """All of them were the same: two files of the same people could be joined row by row."""
    first = released(desk, "first")
    others = [released(desk, "second"), released(desk, "third", dataset="e"), released(desk, "fourth", least=6)]
    write(desk, people().slice(0, 122))
    others.append(released(desk, "fifth"))
    for other in others:
        pseudonyms, days = shared(first, other)
        assert pseudonyms == 0
        assert days <= 3
    assert not pc.any(pc.match_substring(first["day"], ":")).as_py(), "the time of day is not published"


def test_the_order_of_rows_changes_no_byte(desk: Path) -> None:
    bytes_of = []
    for turn in range(2):
        if turn:
            order = np.random.default_rng(3).permutation(120)
            write(desk, people().slice(0, 120).take(pa.array(order)))
        released(desk, "same")
        public = desk / "out" / "same" / "public"
        bytes_of.append((public / "d.parquet").read_bytes())
        (desk / "out").rename(desk / f"out{turn}")
    assert bytes_of[0] == bytes_of[1]


def test_what_a_beacon_denies_it_denies_in_every_release() -> None:
    """A yes is true: were denials drawn anew, two releases would answer more than each of them."""
    calls = (np.random.default_rng(1).random((50, 200)) < 0.02).astype(np.int8)
    asked = [KEY.for_release(name, "d") for name in ("first", "second")]
    one, other = (BeaconRelease(0.5, 2).protect(Genotypes.of(calls), [], key).data.answers for key in asked)
    assert (one == other).all()
