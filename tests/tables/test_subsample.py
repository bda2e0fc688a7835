"""Subsample: who is drawn, by which key, and what the criteria make of it."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sharewell
from sharewell.errors import Infeasible, PolicyError
from sharewell.keys import Key
from sharewell.tables import JournalistRisk, KAnonymity, KMap, Subsample, Table
from sharewell.testing import check_mechanism

KEY, OTHER = Key(b"an example key of enough bytes.."), Key(b"another example key of 32 bytes.")
ROWS = st.lists(
    st.tuples(st.sampled_from([20, 30, 40, None]), st.sampled_from(["a", "b", "c", "d", "e", None])),
    min_size=1,
    max_size=20,
)


def table_of(rows: list[tuple[Any, ...]]) -> Table:
    age, who = zip(*rows, strict=True)
    frame = pa.table({"age": pa.array(age, pa.int64()), "who": pa.array(who, pa.string())})
    return Table.of(frame, quasi=["age"], subject="who")


def drawn(table: Table, mechanism: Subsample, key: Key = KEY) -> list[Any]:
    released = mechanism.protect(table, [], key)
    whose = table.subject.arrow.to_pylist() if table.subject else list(range(table.rows))
    return sorted((str(whose[row]), str(table.columns["age"].arrow[int(row)].as_py())) for row in released.rows)


@settings(max_examples=100, deadline=None)
@given(ROWS, st.integers(1, 6), st.randoms(use_true_random=False))
def test_persons_are_drawn_whole_whatever_the_order_of_rows(
    rows: list[tuple[Any, ...]], persons: int, random: Any
) -> None:
    """Several records a person, records of nobody, missing values."""
    table = table_of(rows)
    units = len({who for _, who in rows if who}) + sum(who is None for _, who in rows)
    mechanism = Subsample(persons=persons)
    if persons > units:
        with pytest.raises(Infeasible, match="would be drawn"):
            mechanism.protect(table, [], KEY)
        return
    found = drawn(table, mechanism)
    named = {who for who, _ in found if who != "None"}
    records = Counter(who for _, who in rows if who)
    assert Counter(who for who, _ in found if who != "None") == {who: records[who] for who in named}, "all or none"
    assert len(named) + sum(who == "None" for who, _ in found) == persons
    shuffled = rows.copy()
    random.shuffle(shuffled)
    assert drawn(table_of(shuffled), mechanism) == found


def test_the_draw_follows_from_key_content_and_parameters() -> None:
    table = table_of([(20, f"p{i}") for i in range(200)])
    found = drawn(table, Subsample(share=0.5))
    assert len(found) == 100
    assert drawn(table, Subsample(share=0.5)) == found
    assert drawn(table, Subsample(share=0.5), OTHER) != found
    assert not set(drawn(table, Subsample(share=0.25))) <= set(found), "a smaller draw is no part of a larger one"
    more = table_of([*((20, f"p{i}") for i in range(200)), (20, "newcomer")])
    assert len(set(drawn(more, Subsample(persons=100))) ^ set(found)) > 20, "other data, other draw"


def test_everybody_is_drawn_equally_often() -> None:
    """In 400 draws of three in ten, everybody about 120 times; also somebody with many records."""
    rows = [(20, f"p{i}") for i in range(10)] + [(30, "p0")] * 30
    counts = Counter[str]()
    for i in range(400):
        key = Key(hashlib.sha256(str(i).encode()).digest())
        counts.update({who for who, _ in drawn(table_of(rows), Subsample(persons=3), key)})
    assert sum(counts.values()) == 1200
    assert all(80 < counts[f"p{i}"] < 160 for i in range(10)), counts


def people(seed: int, rows: int = 300) -> pa.Table:
    rng = np.random.default_rng(seed)
    who = np.char.add("p", rng.integers(0, rows // 2, rows).astype(str))
    return pa.table({"age": rng.integers(20, 60, rows), "sex": rng.choice(["f", "m"], rows), "who": who})


def open_(frame: pa.Table) -> Table:
    return Table.of(frame, quasi=["age", "sex"], subject="who")


@pytest.mark.parametrize("then", [None, "mondrian", {"mondrian": {"suppress": 0.05}}, {"optimal-recoding": None}])
def test_criteria_judge_the_sample(then: Any) -> None:
    table = open_(people(1))
    mechanism = Subsample(share=0.4, then=then)
    if then is None:
        with pytest.raises(Infeasible, match="subsample — what would be published fails"):
            mechanism.protect(table, [KAnonymity(5)], KEY)
        return
    released = mechanism.protect(table, [KAnonymity(5)], KEY)
    assert KAnonymity(5).check(released.data).ok
    assert released.details.drawn_persons == int(0.4 * table.persons)
    assert released.details.then is not None
    original = table.arrow.take(pa.array(released.rows))
    assert original.num_rows == released.data.rows


def test_who_does_not_know_the_draw_faces_the_source() -> None:
    """The journalist's risk is one over those who fit in the source; the sample's own classes are smaller."""
    source = people(2)
    released = Subsample(share=0.3, then="mondrian").protect(open_(source), [KAnonymity(2)], KEY)
    fewest = KMap(source, 1, subject="who").check(released.data).value
    assert released.details.fewest_who_fit == fewest
    assert fewest >= KAnonymity(2).check(released.data).value
    risk = JournalistRisk(source, "1/2", subject="who").check(released.data)
    assert risk.value == pytest.approx(1 / fewest)


def test_what_cannot_be_asked_for() -> None:
    for wrong in (
        {},
        {"share": 0.5, "persons": 3},
        {"share": 1},
        {"persons": 0},
        {"share": 0.5, "then": {"mondrian": {"suppress": 3}}},
        {"share": 0.5, "then": {"mondrian": {}, "packing": {}}},
        {"share": 0.5, "then": "pram"},
        {"share": 0.5, "then": "subsample"},
    ):
        with pytest.raises(ValueError, match=r"either|must|then"):
            Subsample(**wrong)  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="mondriaan"):
        Subsample(share=0.5, then="mondriaan")
    source = people(3)
    with pytest.raises(PolicyError, match="cannot make k-map hold"):
        Subsample(share=0.5, then="mondrian").protect(open_(source), [KMap(source, 2, subject="who")], KEY)
    with pytest.raises(Infeasible, match="0 of 1"):
        Subsample(share=0.5).protect(open_(source.slice(0, 1)), [], KEY)


def test_it_keeps_the_contract() -> None:
    check_mechanism(Subsample(share=0.6, then="mondrian"), open_, people(4), [KAnonymity(3)])
    assert not Subsample(share=0.5).protect(open_(people(5)), []).reproducible


POLICY = """\
sharewell: 1
release: {{name: {name}}}
secrets: {{key: file:secret.key}}
datasets:
  people:
    kind: tables
    read: {{csv: people.csv}}
    columns: {{who: subject, age: {{role: quasi, type: number}}, sex: quasi, ill: sensitive}}
    require: [k-anonymity: {{k: 3}}]
    using: {{subsample: {{share: 0.5, then: {{mondrian: {{suppress: 0.01}}}}}}}}
write: {{csv: out}}
"""


def test_two_releases_under_one_key_draw_differently(tmp_path: Path) -> None:
    frame = people(6).append_column("ill", pa.array([f"value {i}" for i in range(300)]))
    pyarrow.csv.write_csv(frame, tmp_path / "people.csv")
    (tmp_path / "secret.key").write_text("7f3a9c55d1e04b8896a2c7e1f0b3d4a85e6c9b17")
    published = []
    for name in ("one", "two"):
        (tmp_path / "policy.yaml").write_text(POLICY.format(name=name))
        done = sharewell.release(tmp_path / "policy.yaml")
        assert sharewell.verify(done.directory / "public").ok
        text = (done.directory / "public" / "people.csv").read_text()
        published.append({line.rpartition(",")[2] for line in text.splitlines()[1:]})
    assert 100 < len(published[0]) < 200
    assert 20 < len(published[0] & published[1]) < len(published[0]) - 20
