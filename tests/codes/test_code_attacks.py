"""Attacks on sets of codes, against definitions written out as loops."""

from __future__ import annotations

import itertools
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import plain_codes as plain
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, KmAnonymity
from sharewell.codes.attacks.code_homogeneity import CodeHomogeneity
from sharewell.codes.attacks.code_linkage import CodeLinkage
from sharewell.codes.engine.attackers import known_codes
from sharewell.codes.engine.packed_sets import Sets
from sharewell.codes.mechanisms.apriori import Apriori
from sharewell.codes.mechanisms.greedy_partitioning import GreedyPartitioning
from sharewell.errors import DataError, PolicyError
from sharewell.hierarchy import Tree
from sharewell.protocols import Truth
from sharewell.testing import check_attack, check_finding

CODES = list("abcdefg")
TREE = Tree([[code, "one" if code < "d" else "two"] for code in CODES])
records = st.lists(st.sets(st.sampled_from(CODES), max_size=5), min_size=1, max_size=10)


def of(rows: Any, **more: Any) -> CodeSets:
    return CodeSets.of([sorted(row) for row in rows], **more)


def labels_of(data: CodeSets) -> list[list[frozenset[str]]]:
    return [[frozenset(data.members[i]) for i in data.sets.row(row)] for row in range(data.records)]


def itself(data: CodeSets) -> Truth[CodeSets]:
    return Truth(data, np.arange(data.records))


@settings(max_examples=100, deadline=None)
@given(records, records, st.integers(1, 4))
def test_all_codes_are_looked_for_as_defined(rows: Any, others: Any, k: int) -> None:
    """In the data itself, and in a population that lacks some of the people."""
    for population in (None, others):
        crowd = [[frozenset([code]) for code in row] for row in (rows if population is None else population)]
        supports = [plain.support(crowd, row) for row in rows if row]
        given_ = None if population is None else of(population)
        found = CodeLinkage("all", k=k, population=given_).mount(of(rows))
        if not supports:
            assert found.value is None
            continue
        mean = float(np.mean([1 / s if s else 0 for s in supports]))
        assert found.value == (pytest.approx(mean) if any(supports) else None)
        assert found.details.unique == pytest.approx(supports.count(1) / len(supports))
        assert found.details.below_k == pytest.approx(sum(0 < s < k for s in supports) / len(supports))
        assert found.details.absent == pytest.approx(supports.count(0) / len(supports))
        assert found.details.left_out == sum(not row for row in rows)
        assert sum(one.share for one in found.details.support) == pytest.approx(1)
        assert found.details.support[0].share == found.details.absent


@settings(max_examples=60, deadline=None)
@given(records, st.integers(2, 3))
def test_published_records_are_counted_that_may_hold_the_codes(rows: Any, k: int) -> None:
    if sum(map(bool, rows)) < k:
        return
    data = of(rows, hierarchy=TREE)
    for mechanism in (Apriori(), GreedyPartitioning()):
        released = mechanism.protect(data, [KmAnonymity(k, 2)])
        shown = labels_of(released.data)
        covered = set(plain.universe(shown))  # who has the release sees which codes it does not tell
        supports = [plain.support(shown, rows[row] & covered) for row in released.rows if rows[row]]
        found = CodeLinkage("all").mount(released.data, released.truth(data))
        assert found.value == pytest.approx(float(np.mean([1 / s if s else 0 for s in supports])))
        assert found.details.simulated is not None
        assert found.details.simulated.targets == len(supports)
        pairs = CodeLinkage("m", m=2, k=k).mount(released.data, released.truth(data))
        assert pairs.value is None or (pairs.details.below_k == 0 and pairs.value <= 1 / k)
        blind = CodeLinkage("m", m=2, k=k).mount(released.data)
        assert blind.value is None or blind.details.below_k == 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sets(st.integers(0, 6)), max_size=70), st.lists(st.sets(st.integers(0, 6)), max_size=20))
def test_compiled_counting_counts_as_numpy_does(rows: Any, wanted: Any) -> None:
    sets, asked = Sets.of(rows), Sets.of(wanted)
    by_numpy = known_codes.supports(sets, 7, asked).tolist()
    assert by_numpy == [sum(one <= row for row in rows) for one in wanted]
    kept = known_codes._SMALL
    try:
        known_codes._SMALL = -1
        assert known_codes.supports(sets, 7, asked).tolist() == by_numpy
    finally:
        known_codes._SMALL = kept


def test_random_codes_are_drawn_evenly_and_short_records_left_out() -> None:
    rows = [set("abcd")] * 3 + [set("ab"), set("a"), set()]
    found = CodeLinkage(m=2, draws=4000).mount(of(rows))
    assert found.details.persons == 4
    assert found.details.left_out == 2
    assert found.details.sets == 16_000
    singles = [[frozenset([code]) for code in row] for row in rows]
    exact = [
        np.mean([1 / plain.support(singles, pair) for pair in itertools.combinations(sorted(row), 2)])
        for row in rows[:4]
    ]
    assert found.value == pytest.approx(float(np.mean(exact)), abs=0.002)


def test_very_many_persons_are_drawn_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_codes, "MOST", 50)
    rows = [{"a", "b"}] * 200
    assert CodeLinkage("all").mount(of(rows)).details.sets == 50
    assert CodeLinkage(m=1, draws=3).mount(of(rows[:20])).details.sets == 40
    assert CodeLinkage(m=1).mount(of(rows)).details.sets == 50


def test_the_codes_of_one_visit() -> None:
    frame = pa.table(
        {"who": list("ppqqr"), "visit": ["1", "2", "1", "1", None], "code": ["zz", "aa", "zz", "bb", "aa"]}
    )
    data = CodeSets.from_long(frame, subject="who", code="code", visit="visit")
    found = CodeLinkage("visit").mount(data)
    assert found.details.sets == 3
    assert found.details.left_out == 1
    assert found.value == pytest.approx(float(Fraction(1, 3) * (Fraction(1, 2) + Fraction(1, 2) + 1)))
    assert CodeLinkage("visit").mount(data, itself(data)).value == found.value
    with pytest.raises(PolicyError, match="needs visits"):
        CodeLinkage("visit").mount(of([{"a"}]))


def test_the_attack_carried_out_succeeds_as_often_as_computed() -> None:
    rng = np.random.default_rng(4)
    data = of([set(rng.choice(CODES, 3, replace=False)) for _ in range(600)])
    found = CodeLinkage(m=2).mount(data, itself(data))
    simulated = found.details.simulated
    assert simulated.targets == 600
    assert abs(simulated.share - found.value) < 4 * simulated.error
    assert found.note == ""
    assert "not simulated" in CodeLinkage(m=2).mount(data).note


def test_a_population_file_is_read(tmp_path: Path) -> None:
    rows = {"subject": ["1", "1", "2", "3"], "code": ["a", "b", "a", "c"]}
    pacsv.write_csv(pa.table(rows), tmp_path / "people.csv")
    for population in (tmp_path / "people.csv", pa.table(rows)):
        found = CodeLinkage("all", population=population).mount(of([{"a"}, {"a", "b"}, {"d"}]))
        assert found.details.records == 3
        assert found.value == pytest.approx((1 / 2 + 1 + 0) / 3)
        assert found.details.absent == pytest.approx(1 / 3)
    with pytest.raises(DataError, match="no column 'person'"):
        CodeLinkage(population=tmp_path / "people.csv", subject="person").mount(of([{"a"}]))


def test_a_population_is_shown_as_the_release_shows_codes() -> None:
    released = Apriori().protect(of([{"a"}, {"b"}, {"d"}, {"d"}], hierarchy=TREE), [KmAnonymity(2, 2)])
    people = of([{"a"}, {"b"}, {"c"}, {"d"}, {"never seen"}])
    found = CodeLinkage("all", population=people).mount(released.data)
    assert found.value == pytest.approx((1 / 2 + 1 / 2 + 1 + 1) / 4)  # c is in no label: it was in no record


@settings(max_examples=60, deadline=None)
@given(records)
def test_sensitive_codes_are_guessed_as_defined(rows: Any) -> None:
    hidden = {"f", "g"}
    data = of(rows)
    found = CodeHomogeneity(["f", "g"], "all").mount(data, itself(data))
    chances = []
    for row in rows:
        if row - hidden:
            match = [other for other in rows if row - hidden <= other]
            chances.append(max(sum(code in other for other in match) for code in hidden) / len(match))
    if not chances:
        assert found.value is None
        return
    assert found.value == pytest.approx(max(chances))
    assert found.details.average == pytest.approx(float(np.mean(chances)))
    assert found.details.certain == pytest.approx(chances.count(1) / len(chances))
    assert found.details.at_risk == pytest.approx(sum(c > 0.5 for c in chances) / len(chances))


def test_two_alike_patients_with_the_same_illness() -> None:
    rows = [["401.0", "401.1", "295"], ["401.0", "401.1", "303", "295"]]
    found = CodeHomogeneity(["295", "303"], m=2).mount(CodeSets.of(rows))
    assert found.value == 1
    assert found.details.certain == 1
    mixed = {"label": ["295", "401.1"], "303": ["303"]}
    released = CodeSets.of([["label"], ["label", "303"]], published=True, members=mixed)
    assert CodeHomogeneity(["295", "303"], "all").mount(released).details.labels == 1


def test_findings_keep_the_contract() -> None:
    frame = pa.table(
        {"code": ["diabetes type 2", "asthma", "asthma", "influenza", "diabetes type 2"], "who": [1, 1, 2, 3, 3]}
    )

    def open_(table: Any) -> CodeSets:
        return CodeSets.from_long(table, subject="who", code="code")

    for attack in (CodeLinkage(), CodeLinkage("all"), CodeHomogeneity(["influenza"], m=1)):
        check_attack(attack, open_, frame)
        check_finding(attack.mount(open_(frame), itself(open_(frame))), frame)
        empty = attack.mount(open_(frame.slice(0, 0)))
        assert empty.value is None
        json.dumps(empty.to_json())


def test_wrong_parameters_are_told() -> None:
    for wrong in (
        lambda: CodeLinkage("some"),  # type: ignore[arg-type]
        lambda: CodeLinkage(m=0),
        lambda: CodeLinkage(draws=0),
        lambda: CodeHomogeneity([]),
        lambda: CodeHomogeneity("295"),
        lambda: CodeHomogeneity(["295"], "visit"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match="must"):
            wrong()


def test_codes_that_no_record_may_hold_decide_nothing() -> None:
    """A population with other codes altogether: nothing was measured, which is not a risk of 0."""
    found = CodeLinkage(knowledge="all", population=CodeSets.of([["250"]])).mount(CodeSets.of([["401"], ["402"]]))
    assert (found.value, found.details.absent) == (None, 1.0)
    assert found.note.startswith("undecided")
