"""Demographics, codes and DNA protected together: every order keeps what it promises, and the least lossy is taken."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from typing import Any

import numpy as np
import plain_dna
import plain_joint as plain
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.codes import CodeSets
from sharewell.errors import Infeasible, PolicyError
from sharewell.findings import json_details
from sharewell.joint import (
    NCP,
    CodesNCP,
    DnaNCP,
    JoinedAnonymization,
    JoinedRecord,
    KKmAnonymity,
    RelationalNCP,
    RTAnonymization,
    RTData,
    SnpCells,
)
from sharewell.tables import Table
from sharewell.testing import check_mechanism

ORDERS = ("search", "people", "codes", "code-groups", "dna")
people = st.lists(plain_dna.person(plain_dna.calls), min_size=1, max_size=10) | st.lists(
    plain_dna.person(plain_dna.bases), min_size=1, max_size=8
)


@pytest.mark.parametrize("order", ORDERS)
@given(rows=people, k=st.integers(1, 3), m=st.integers(1, 2), snps=st.integers(1, 3), quasi=st.booleans())
@settings(max_examples=40, deadline=None)
def test_every_order_keeps_what_it_promises(order: Any, rows: Any, k: int, m: int, snps: int, quasi: bool) -> None:
    data = plain_dna.opened(rows, quasi)
    must = [JoinedRecord(k, m, snps)]
    try:
        found = JoinedAnonymization(order, bound=1.0, sizes=(1, 2)).protect(data, must)
    except Infeasible:
        assert sum(bool(row[2]) for row in rows) < k
        return
    reached = plain.least_joined(plain_dna.shown(found.data), m, snps)
    assert reached is not None
    assert reached >= k
    assert must[0].check(found.data).ok
    assert found.data.published
    assert found.data.dna is not None
    assert data.dna is not None
    assert ((found.data.dna.sets & data.dna.sets) == data.dna.sets).all(), "a cell that does not cover what is true"
    assert found.details.relational_loss == pytest.approx(RelationalNCP().score(data, found.data).value or 0.0)
    assert found.details.dna_loss == pytest.approx(DnaNCP().score(data, found.data).value)
    assert found.details.code_loss == pytest.approx(CodesNCP().score(data, found.data).value)
    assert found.details.loss == pytest.approx(NCP().score(data, found.data).value)
    losses = [one.loss for one in found.details.tried if one.loss is not None]
    assert found.details.loss == pytest.approx(min(losses))


@given(people, st.sampled_from(ORDERS), st.integers(1, 3), st.integers(1, 2), st.integers(1, 2), st.booleans())
@settings(max_examples=150, deadline=None)
def test_no_cell_is_shown_by_too_few(rows: Any, order: Any, k: int, m: int, snps: int, quasi: bool) -> None:
    """The texts of the file, compared for equality: of whoever is in it, any labels and cells together."""
    data = plain_dna.opened(rows, quasi)
    try:
        found = JoinedAnonymization(order, bound=1.0, sizes=(1, 2)).protect(data, [JoinedRecord(k, m, snps)]).data
    except Infeasible:
        return
    assert found.dna is not None
    table = found.arrow
    people_of = list(zip(*(table[name].to_pylist() for name in found.table.schema.quasi), strict=True))
    labels = [text.split() for text in table["codes"].to_pylist()]
    columns = list(found.dna.columns().values())
    dna = list(zip(*columns, strict=True)) if found.dna.alphabet == "calls" else columns[0]
    shared: Counter[Any] = Counter()
    for row in range(found.rows):
        for known in (one for size in range(m + 1) for one in itertools.combinations(sorted(labels[row]), size)):
            for places in (one for size in range(snps + 1) for one in itertools.combinations(range(len(dna[0])), size)):
                cells = tuple((place, dna[row][place]) for place in places)
                shared[people_of[row] if people_of else (), known, cells] += 1
    assert min(shared.values()) >= k


@given(people, st.sampled_from(ORDERS), st.integers(1, 2), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_the_people_does_not_matter(rows: Any, order: Any, snps: int, random: Any) -> None:
    data = plain_dna.opened(rows)
    other = list(range(len(rows)))
    random.shuffle(other)
    mechanism, must = JoinedAnonymization(order, bound=1.0), [JoinedRecord(2, 2, snps)]
    try:
        one = mechanism.protect(data, must)
    except Infeasible:
        return
    two = mechanism.protect(data.take(np.array(other)), must)
    assert one.details == two.details
    texts = [sorted(map(str, found.data.arrow.to_pylist())) for found in (one, two)]
    assert texts[0] == texts[1]


def test_the_tutorials_patients_are_grouped_by_their_codes() -> None:
    """Two pairs by codes, as in the figure of 2-complete anonymity; the bases of each pair are put together."""
    rows = [["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]]
    who = Table.of(pa.table({"who": list("1234")}), quasi=[], subject="who")
    dna = SnpCells.of_bases([[1, 2, 8], [4, 2, 2], [2, 2, 1], [2, 1, 8]], "dna")
    data = RTData.of(who, CodeSets.of(rows), dna)
    found = JoinedAnonymization("code-groups", sizes=(1,)).protect(data, [JoinedRecord(2, 2, 3)])
    assert found.data.arrow["dna"].to_pylist() == ["MCW", "SMY", "MCW", "SMY"]
    assert found.data.arrow["codes"].to_pylist()[::2] == ["401.0 401.1"] * 2


def many(size: int, seed: int = 3, demographics: bool = True) -> pa.Table:
    rng = np.random.default_rng(seed)
    drawn = [rng.choice(["alpha1", "alpha2", "beta1"], 2, p=[0.6, 0.3, 0.1]) for _ in range(size)]
    listed = [" ".join(sorted(set(one.tolist()))) for one in drawn]
    columns: dict[str, Any] = {"listed": listed, "kept": [f"remark {i % 7}" for i in range(size)]}
    if demographics:
        columns["age"] = rng.integers(20, 60, size)
    snps = {f"rs{i}": rng.binomial(2, 0.2 + i / 10, size).astype(str) for i in range(4)}
    return pa.table(columns | snps)


def open_(table: pa.Table) -> RTData:
    codes = CodeSets.of([text.split() for text in table["listed"].to_pylist()])
    quasi = [name for name in ("age",) if name in table.column_names]
    snps = [name for name in table.column_names if name.startswith("rs")]
    shown = Table.of(table.drop_columns(["listed", *snps]), quasi=quasi, keep=["kept"])
    calls = np.array([[int(text) for text in table[name].to_pylist()] for name in snps], dtype=np.int8).T
    return RTData.of(shown, codes, SnpCells.of_calls(calls.reshape(table.num_rows, len(snps)), snps))


@pytest.mark.parametrize("order", ORDERS)
def test_contracts(order: Any) -> None:
    check_mechanism(JoinedAnonymization(order, bound=1.0, sizes=(1,)), open_, many(60), [JoinedRecord(3, 1, 1)])


@pytest.mark.parametrize("order", ORDERS)
def test_the_only_carrier_of_a_value_does_not_keep_it_alone(order: Any) -> None:
    """Six people, one of whom has a 1: a row that shows it alone would be that person's, whatever others show."""
    rows = [(20, "F", {"a"}, [int(i == 5), 0, 0]) for i in range(6)]
    found = JoinedAnonymization(order, bound=1.0).protect(plain_dna.opened(rows, False), [JoinedRecord(3, 1, 1)])
    texts = found.data.arrow["rs0"].to_pylist()
    assert "1" not in texts
    assert texts.count(texts[5]) >= 3


def test_merged_cells_keep_more_than_groups_that_show_the_same() -> None:
    """One SNP known: large classes need few merges."""
    data = open_(many(400, demographics=False))
    must = [JoinedRecord(5, 2, 1)]
    lost = {
        order: JoinedAnonymization(order, sizes=(1,)).protect(data, must).details  # type: ignore[arg-type]
        for order in ("codes", "dna")
    }
    assert lost["codes"].dna_loss < 0.2
    assert lost["codes"].loss < lost["dna"].loss


def test_a_class_shows_the_same_dna_where_merging_is_out_of_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    from sharewell.joint.engine.protection import dna_groups

    monkeypatch.setattr(dna_groups, "MOST_STEPS", 1)
    found = JoinedAnonymization("people", bound=1.0, sizes=(1,)).protect(open_(many(60)), [JoinedRecord(3, 1, 2)])
    assert JoinedRecord(3, 1, 4).check(found.data).ok


def test_whoever_knows_all_of_very_many_snps_is_kept_out() -> None:
    """More combinations than a number can hold: only groups that show the same DNA are left, and are enough."""
    rng = np.random.default_rng(1)
    data = open_(many(40, demographics=False))
    names = [f"rs{i}" for i in range(700)]
    wide = RTData.of(data.table, data.codes, SnpCells.of_calls(rng.binomial(2, 0.3, (40, 700)), names))
    must = JoinedRecord(2, 1, 700)
    found = JoinedAnonymization(sizes=(1,)).protect(wide, [must])
    assert must.check(found.data).ok
    assert must.check(wide).ok is not True


def test_very_many_groups_are_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    from sharewell.joint.mechanisms import joined_anonymization

    monkeypatch.setattr(joined_anonymization, "MOST_GROUPS", 10)
    found = JoinedAnonymization(bound=1.0).protect(open_(many(60)), [JoinedRecord(2, 1, 1)])
    assert {one.method.split()[-1] for one in found.details.tried} == {"8", "32"}
    alone = JoinedAnonymization("people", bound=1.0, sizes=(1,)).protect(open_(many(60)), [JoinedRecord(2, 1, 1)])
    assert alone.details.size == 2
    everybody = JoinedAnonymization().protect(open_(many(60, demographics=False)), [JoinedRecord(2, 1, 1)])
    assert everybody.details.tried[0].method == "codes first, groups of 2"


def test_a_part_that_must_not_lose_much_is_bounded() -> None:
    data, must = open_(many(60)), [JoinedRecord(3, 1, 1)]
    kept = JoinedAnonymization(bound=1.0, code_bound=0.2, dna_bound=0.2).protect(data, must).details
    assert kept.code_loss <= 0.2
    assert kept.dna_loss <= 0.2
    with pytest.raises(Infeasible, match="DNA, more than the bound"):
        JoinedAnonymization("dna", dna_bound=0.0, sizes=(4,)).protect(data, must)


def test_what_is_asked_wrongly_is_refused() -> None:
    data = open_(many(30))
    must = [JoinedRecord(2, 2)]
    released = JoinedAnonymization(bound=1.0).protect(data, must).data
    with pytest.raises(PolicyError, match="published already"):
        JoinedAnonymization().protect(released, must)
    with pytest.raises(PolicyError, match="no DNA beside the codes"):
        JoinedAnonymization().protect(RTData.of(data.table, data.codes), [KKmAnonymity(2)])
    with pytest.raises(PolicyError, match="does not protect the DNA"):
        RTAnonymization().protect(data, [KKmAnonymity(2)])
    with pytest.raises(PolicyError, match="cannot make joined-record hold"):
        RTAnonymization().protect(data, must)
    with pytest.raises(Infeasible, match="hold a code"):
        JoinedAnonymization().protect(data, [JoinedRecord(31)])
    with pytest.raises(Infeasible, match="more than the bound"):
        JoinedAnonymization("people", bound=0.0).protect(data, [JoinedRecord(20)])
    for bad in ({"order": "X"}, {"bound": 2}, {"sizes": ()}, {"sizes": (0,)}, {"start": "X"}):
        with pytest.raises(ValueError, match=next(iter(bad))):
            JoinedAnonymization(**bad)  # type: ignore[arg-type]
    assert registry.compatible(JoinedAnonymization, KKmAnonymity)
    assert not registry.compatible(RTAnonymization, JoinedRecord)


def test_details_hold_no_value() -> None:
    found = JoinedAnonymization(bound=1.0).protect(open_(many(40)), [JoinedRecord(3)])
    told = json.dumps(json_details(found.details))
    assert "alpha" not in told
    assert "rs1" not in told
