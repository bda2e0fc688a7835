"""The criterion of demographics, codes and DNA in one record, against its definition and the tutorial's figures."""

from __future__ import annotations

from typing import Any

import plain_dna
import plain_joint as plain
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, CompleteKAnonymity, KmAnonymity
from sharewell.errors import PolicyError
from sharewell.joint import JoinedRecord, KKmAnonymity, RTData, SnpCells
from sharewell.joint.criteria import joined_record
from sharewell.tables import Table
from sharewell.testing import check_finding

rows_of_calls = st.lists(plain_dna.person(plain_dna.calls), min_size=1, max_size=8)
rows_of_bases = st.lists(plain_dna.person(plain_dna.bases), min_size=1, max_size=8)


@given(rows_of_calls | rows_of_bases, st.integers(1, 3), st.integers(1, 3), st.integers(1, 4), st.booleans())
@settings(max_examples=120, deadline=None)
def test_the_criterion_is_its_definition(rows: Any, k: int, m: int, snps: int, quasi: bool) -> None:
    data = plain_dna.opened(rows, quasi)
    finding = JoinedRecord(k, m, snps).check(data)
    least = plain.least_joined(plain_dna.shown(data), m, snps)
    assert least is not None
    assert finding.value is not None
    assert finding.ok is (least >= k)
    if finding.note:
        assert finding.note.startswith("at least")
        assert k <= finding.value <= least
    else:
        assert finding.value == least


cell = st.sampled_from(sorted(plain_dna.CALLS))
label = st.sampled_from(["a", "b", "(a,b)", "(b,c)", "c"])
published = st.lists(
    st.tuples(st.sampled_from(["[20-29]", "30"]), st.sets(label, max_size=2), st.lists(cell, min_size=2, max_size=2)),
    min_size=1,
    max_size=8,
)


def release_of(rows: list[Any]) -> RTData:
    ages, codes, dna = zip(*rows, strict=True)
    table = Table.of(pa.table({"age": list(ages)}), quasi=["age"], published=True)
    texts = {f"rs{i}": pa.chunked_array([[row[i] for row in dna]]) for i in range(len(dna[0]))}
    sets = CodeSets.of([sorted(one) for one in codes], published=True)
    return RTData.of(table, sets, SnpCells.reopened(texts, "calls"))


@given(published, st.integers(1, 3), st.integers(1, 2), st.integers(1, 2))
@settings(max_examples=150, deadline=None)
def test_labels_and_cells_that_overlap_are_counted_as_they_are_defined(rows: Any, k: int, m: int, snps: int) -> None:
    """What anybody could have written: cells that were generalised person by person, labels that share codes."""
    data = release_of(rows)
    least = plain.least_joined(plain_dna.shown(data), m, snps)
    covering = plain.least_covering(plain_dna.shown(data), m, snps)
    assert least is not None
    assert covering is not None
    assert least <= covering
    assert JoinedRecord(k, m, snps).check(data).ok is (least >= k)


@pytest.mark.parametrize(
    ("cells", "reached"),
    [
        (["0", "0", "0", "1", "{0,1}", "{0,1}"], 1),
        (["0", "0", "0", "{0,1}", "{0,1}", "{0,1}"], 3),
        (["0", "0", "0", "*", "*", "1"], 1),
        (["0", "0", "0", "0", "0", "*"], 1),
    ],
)
def test_a_cell_counts_only_with_its_equals(cells: list[str], reached: int) -> None:
    """Three cells of the first file may hold a 1. The carrier is the one who shows it alone."""
    data = release_of([("30", {"a"}, [cell]) for cell in cells])
    assert JoinedRecord(3, 1, 1).check(data).value == reached


def figure(codes: list[list[str]], dna: list[str], members: dict[str, tuple[str, ...]] | None = None) -> RTData:
    people = Table.of(pa.table({"who": [str(i) for i in range(len(dna))]}), quasi=[], subject="who")
    sets = CodeSets.of(codes, published=True, members=members or {})
    return RTData.of(people, sets, SnpCells.reopened({"dna": pa.chunked_array([dna])}, "bases"))


DNA = ["ACT", "GCC", "CCA", "CAT"]
"""AC...T, GC...C, CC...A and CA...T without what the slides leave out."""
ROOT = {"401": ("401.0", "401.1", "401.2", "401.3", "401.4")}
COMPLETE = [["401.0", "401.1"], ["401", "401.3"], ["401.0", "401.1"], ["401", "401.3"]]
POLICY = [["401.0", "401.1"], ["(401.2,401.4)", "401.3"], ["401.0", "401.1"], ["(401.2,401.4)", "401.3"]]


@pytest.mark.parametrize(
    ("codes", "members", "by_codes"), [(COMPLETE, ROOT, 2), ([["401"]] * 4, ROOT, 4), (POLICY, {}, 2)]
)
def test_the_tutorials_figures_protect_codes_and_not_the_record(codes: Any, members: Any, by_codes: int) -> None:
    """Each figure keeps its promise about codes. Its DNA stands beside them untouched: one base finds somebody."""
    data = figure(codes, DNA, members)
    assert KmAnonymity(by_codes, 2).check(data.codes).ok
    assert KKmAnonymity(by_codes, 2).check(data).ok
    assert plain.least_joined(plain_dna.shown(data), 2, 1) == 1
    assert JoinedRecord(2, 2, 1).check(data).value == 1


def test_the_tutorials_2_complete_figure_holds_by_labels_and_by_codes_it_may_stand_for() -> None:
    """Its second and fourth record show `401 401.3`, and `401` may stand for 401.0 in them, too."""
    data = figure(COMPLETE, DNA, ROOT)
    assert CompleteKAnonymity(2).check(data.codes).ok
    assert plain.least_joined(plain_dna.shown(data), 5, 0) == 2


def test_a_group_that_shows_the_same_dna_is_enough_for_any_number_of_bases() -> None:
    data = figure(COMPLETE, ["MCW", "SMY", "MCW", "SMY"], ROOT)
    found = JoinedRecord(2, 2, 3).check(data)
    assert (found.ok, found.value) == (True, 2)
    assert found.details.dna_shown == 2
    check_finding(found, pa.table({"dna": ["MCW", "SMY", "MCW", "SMY"]}))


def test_a_withheld_record_must_show_no_dna() -> None:
    cells = pa.table({"age": ["[20-29]"] * 3 + ["<suppressed>"]})
    table = Table.of(cells, quasi=["age"], published=True)
    codes = CodeSets.of([["401"]] * 3 + [[]], published=True)
    for text, reached in (("*", 3), ("0", 1)):
        dna = SnpCells.reopened({"rs1": pa.chunked_array([["1", "1", "1", text]])}, "calls")
        assert JoinedRecord(3, 1).check(RTData.of(table, codes, dna)).value == reached


def test_what_is_too_much_to_count_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined_record, "MOST_STEPS", 10)
    found = JoinedRecord(2, 2, 2).check(figure(COMPLETE, DNA, ROOT))
    assert (found.ok, found.value) == (None, None) or found.ok is False
    assert "too many to count" in found.note


def test_codes_without_dna_are_refused() -> None:
    data = figure(COMPLETE, DNA, ROOT)
    with pytest.raises(PolicyError, match="no DNA beside the codes"):
        JoinedRecord(2).check(RTData.of(data.table, data.codes))
    with pytest.raises(PolicyError, match="together with their codes"):
        JoinedRecord(2).check(data.codes)  # type: ignore[arg-type]
