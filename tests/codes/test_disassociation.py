"""Disassociation, against every reconstruction written out."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from typing import Any

import numpy as np
import plain_chunks as plain
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sharewell.codes import (
    ChunkLinking,
    CodeSets,
    CoOccurrence,
    CoverFree,
    Disassociation,
    KmAnonymity,
    KmDisassociation,
    RetainedCodes,
)
from sharewell.codes.criteria import km_disassociation
from sharewell.codes.engine.chunks import Chunks, Cluster, Joint
from sharewell.codes.engine.reconstructions import PossibleRecords, reconstructed
from sharewell.errors import DataError, Infeasible, PolicyError

BIPOLAR = [["296.00", "296.01", "296.02"]] * 3 + [["296.00", "296.02"], ["296.00", "296.01"]]
SKIN = [["692.71", "695.10"]] * 3 + [["692.71"]]
MENTAL = [["295.04", "296.03"], ["294.10", "296.03"], ["294.10", "295.04"]] + [["294.10", "295.04", "296.03"]] * 2
FIRST = Cluster.of(5, [BIPOLAR, SKIN], ["401.0", "834.0", "944.01"])
SECOND = Cluster.of(5, [MENTAL], ["404.00", "480.1", "834.0", "944.01"])
PAPER = Chunks.of([Joint((FIRST,)), Joint((SECOND,))])


def cut(record: set[str], codes: str) -> list[str]:
    return sorted(record & set(codes))


@st.composite
def joints(draw: Any) -> Joint:
    """Small clusters that some records may have been: few enough to write out every reconstruction."""
    several = draw(st.booleans())
    sizes = [draw(st.integers(1, 2)) for _ in range(2)] if several else [draw(st.integers(1, 4))]
    clusters, shared = [], []
    for size in sizes:
        records = [draw(st.sets(st.sampled_from("abcdexyzw"), min_size=1, max_size=5)) for _ in range(size)]
        bags = [[cut(record, codes) for record in records] for codes in ("abc", "de")]
        items = set().union(*records) & set("xy" if size < 3 else "x")
        if several:
            shared += [cut(record, "zw") for record in records]
        clusters.append((records, bags, items))
    found = [
        Cluster.of(len(records), [some for bag in bags if (some := [one for one in bag if one])], items)
        for records, bags, items in clusters
    ]
    pooled = [one for one in shared if one]
    assume(not several or pooled)
    joint = Joint.of(found, [pooled] if several else [])
    try:
        Chunks.of([joint])
    except DataError:  # a record held only codes that were left out
        assume(False)
    assume(plain.ways(joint) < 5_000)
    return joint


@settings(max_examples=40, deadline=None)
@given(st.lists(joints(), min_size=1, max_size=2), st.integers(1, 4), st.integers(1, 3))
def test_the_check_agrees_with_every_reconstruction(some: list[Joint], k: int, m: int) -> None:
    released = Chunks.of(some)
    least = plain.least(released, m)
    finding = KmDisassociation(k, m).check(released)
    if least is None:  # no record holds a code
        assert finding.value == released.records
    else:
        assert finding.ok == (least >= k)
        assert finding.value == least if least < k else k <= finding.value <= least


@settings(max_examples=50, deadline=None)
@given(joints())
def test_how_often_codes_can_meet_is_exact(joint: Joint) -> None:
    possible, counted = PossibleRecords(joint), plain.supports(joint, 3)
    for size in (1, 2, 3):
        for codes in itertools.combinations(possible.codes, size):
            assert possible.most(codes) == counted.get(frozenset(codes), 0)


@settings(max_examples=50, deadline=None)
@given(joints())
def test_a_cover_is_a_link_that_every_reconstruction_has(joint: Joint) -> None:
    found = CoverFree().check(Chunks.of([joint]))
    if not joint.shared:
        assert found.value == len({y for _, y in plain.certain_links(joint.clusters[0], joint)})
    elif found.ok:  # of clusters that share: nothing is certain for all records of one that holds more than this code
        ways = list(plain.reconstructions(joint))
        for place, cluster in enumerate(joint.clusters):
            for code in cluster.codes if len(cluster.codes) > 1 else ():
                assert len(cluster.chunks) == 1 or any(code not in record for way in ways for record in way[place])


@settings(max_examples=40, deadline=None)
@given(joints(), st.integers(0, 3))
def test_a_drawn_reconstruction_is_one_of_them(joint: Joint, seed: int) -> None:
    drawn = reconstructed(Chunks.of([joint]), seed)
    records = [frozenset(drawn.names[i] for i in drawn.sets.row(row)) for row in range(drawn.records)]
    ends = np.cumsum([cluster.size for cluster in joint.clusters])
    parts = [Counter(records[end - cluster.size : end]) for cluster, end in zip(joint.clusters, ends, strict=True)]
    assert any([Counter(cluster) for cluster in way] == parts for way in plain.reconstructions(joint))


records = st.lists(st.sets(st.sampled_from("abcdefghij"), max_size=6), min_size=1, max_size=12)
methods = st.builds(
    Disassociation,
    max_cluster=st.sampled_from([None, 2, 4, 6]),
    sets=st.sampled_from([(), [["a", "c", "e"], ["b", "d"]]]),
    joint=st.sampled_from([1, 2, 4]),
    safe=st.booleans(),
)


@settings(max_examples=120, deadline=None)
@given(records, st.integers(1, 4), st.integers(1, 3), methods, st.sampled_from([None, 1.0, 0.7]))
def test_what_is_published_holds_what_was_asked(rows: Any, k: int, m: int, method: Any, share: float | None) -> None:
    must: list[Any] = [KmDisassociation(k, m)] + ([] if share is None else [CoverFree(share)])
    try:
        found = method.protect(CodeSets.of([sorted(row) for row in rows]), must)
    except Infeasible:
        assert sum(map(bool, rows)) < k
        return
    released = Chunks.from_arrow(found.data.to_arrow("icd"), "icd")
    assert released.joints == found.data.joints
    for criterion in must:
        assert criterion.check(released).ok
    if method.safe:
        assert CoverFree().check(released).ok
    check_true(found, rows, suppresses=method.safe or share is not None)
    for joint in released.joints:
        assert all(cluster.size >= k or not cluster.codes for cluster in joint.clusters)
        for bag in [*joint.shared, *(bag for cluster in joint.clusters for bag in cluster.chunks)]:
            times = Counter(
                some for codes in bag for size in range(1, m + 1) for some in itertools.combinations(codes, size)
            )
            assert min(times.values()) >= k  # each chunk by itself is k^m-anonymous


def check_true(found: Any, rows: Any, suppresses: bool) -> None:
    """Everybody is in one cluster, whose chunks show what its people have, and nothing else."""
    assert sorted(found.rows.tolist()) == list(range(len(rows)))
    place = lost = 0
    for joint in found.data.joints:
        people = [rows[row] for row in found.rows[place : place + joint.size]]
        lost += sum(check_bag(bag, people, suppresses) for bag in joint.shared)
        shown = {code for bag in joint.shared for codes in bag for code in codes}
        for cluster in joint.clusters:
            own = [rows[row] for row in found.rows[place : place + cluster.size]]
            assert set().union(*own) == cluster.codes | (shown & set().union(*own))
            lost += sum(check_bag(bag, own, suppresses) for bag in cluster.chunks)
            place += cluster.size
    assert lost == found.details.suppressed_occurrences
    assert suppresses or not lost


def check_bag(bag: Any, people: Any, suppresses: bool) -> int:
    """How many occurrences a chunk lacks."""
    codes = {code for one in bag for code in one}
    true = [tuple(sorted(person & codes)) for person in people]
    if not suppresses:
        assert Counter(bag) == Counter(one for one in true if one)
    return sum(map(len, true)) - sum(map(len, bag))


@settings(max_examples=40, deadline=None)
@given(records, st.integers(1, 3), methods, st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(rows: Any, k: int, method: Any, random: Any) -> None:
    assume(sum(map(bool, rows)) >= k)
    must = [KmDisassociation(k, 2)]
    mixed = random.sample(rows, len(rows))
    first = method.protect(CodeSets.of([sorted(row) for row in rows]), must).data
    assert method.protect(CodeSets.of([sorted(row) for row in mixed]), must).data == first


def test_the_verifier_example_of_the_paper() -> None:
    assert KmDisassociation(3, 2).check(PAPER).value == 3
    assert KmDisassociation(4, 2).check(PAPER).ok is False
    assert KmDisassociation(3, 3).check(PAPER).value == 2
    cover = CoverFree().check(PAPER)
    assert (cover.value, cover.details.covered, cover.details.records) == (1, 1, 5)
    broken = Cluster.of(5, [[*MENTAL[:-1], ["294.10", "404.00"]]], ["480.1"])
    assert KmDisassociation(3, 2).check(Chunks.of([Joint((broken,))])).value == 1


def test_support_adds_up_over_clusters() -> None:
    """Two records in each of two clusters: together four may hold the code."""
    two = [Joint((Cluster.of(2, [[["a"], ["a"]]]),)), Joint((Cluster.of(2, [[["a"], ["a", "b"]]], ["b1"]),))]
    assert KmDisassociation(4, 1).check(Chunks.of([two[0], two[0]])).ok
    assert KmDisassociation(3, 1).check(Chunks.of(two)).value == 1


def test_without_an_item_chunk_sub_records_must_be_left_over() -> None:
    """Three records, each with one of the chunks: k records with both would leave others empty."""
    both = [[["a"]] * 3, [["b"]] * 3]
    assert KmDisassociation(3, 2).check(Chunks.of([Joint((Cluster.of(5, both),))])).value == 1
    assert KmDisassociation(3, 2).check(Chunks.of([Joint((Cluster.of(5, both, ["x"]),))])).ok
    assert KmDisassociation(3, 2).check(Chunks.of([Joint((Cluster.of(3, both),))])).ok


def test_one_occurrence_less_is_enough() -> None:
    """All hold a; one occurrence is removed where nothing becomes rare, and counted."""
    rows = [["a", "b"]] * 4 + [["a", "c"]] * 4 + [["a", "d"], ["a", "e"]]
    found = Disassociation(max_cluster=10, safe=True).protect(CodeSets.of(rows), [KmDisassociation(3, 2)])
    assert found.details.suppressed_occurrences == 1
    assert CoverFree().check(found.data).ok
    plainly = Disassociation(max_cluster=10).protect(CodeSets.of(rows), [KmDisassociation(3, 2)])
    assert CoverFree().check(plainly.data).value == 1


def test_rare_codes_of_neighbours_are_shared() -> None:
    rows = [["a", "x", "y"]] * 2 + [["a"]] * 2 + [["b", "x", "y"]] * 2 + [["b"]] * 2
    data = CodeSets.of(rows)
    found = Disassociation(max_cluster=4).protect(data, [KmDisassociation(3, 2)])
    assert found.details.shared_chunks == 1
    assert CoOccurrence().score(data, found.data).details.occurrences_in_pieces == 16
    alone = Disassociation(max_cluster=4, joint=1).protect(data, [KmDisassociation(3, 2)])
    assert alone.details.listed_codes == 4


def test_clusters_that_nothing_tells_apart_end() -> None:
    found = Disassociation(max_cluster=5).protect(CodeSets.of([["a", "b"]] * 100 + [[]] * 3), [KmDisassociation(3, 2)])
    assert (found.details.largest, found.details.without_codes, found.data.records) == (100, 3, 103)
    assert KmDisassociation(100, 2).check(found.data).value == 100


def test_utility_sets_stay_together() -> None:
    rows = [["a1", "a2", "b1"]] * 3 + [["a1", "b1", "b2"]] * 3
    sets = [["a1", "a2"], ["b1", "b2"]]
    found = Disassociation(max_cluster=6, sets=sets).protect(CodeSets.of(rows), [KmDisassociation(3, 2)])
    assert (found.details.utility_sets, found.details.utility_sets_together) == (2, 2)
    with pytest.raises(ValueError, match="share"):
        Disassociation(sets=[["a"], ["a", "b"]])


def test_what_cannot_be() -> None:
    with pytest.raises(Infeasible):
        Disassociation().protect(CodeSets.of([["a"], ["b"], []]), [KmDisassociation(3, 2)])
    with pytest.raises(PolicyError, match="km-anonymity"):
        Disassociation().protect(CodeSets.of([["a"]]), [KmAnonymity(1)])
    with pytest.raises(PolicyError, match="chunks"):
        KmDisassociation(2).check(CodeSets.of([["a"]]))  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="chunks"):
        CoverFree().check(CodeSets.of([["a"]]))  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="in chunks"):
        KmAnonymity(2).check(PAPER)  # type: ignore[arg-type]
    with pytest.raises(PolicyError, match="in chunks"):
        RetainedCodes().score(CodeSets.of([["a"]]), PAPER)  # type: ignore[arg-type]
    assert KmDisassociation(1).check(Chunks.of([])).failed
    assert CoverFree().check(Chunks.of([])).failed
    for wrong in (lambda: KmDisassociation(0), lambda: KmDisassociation(2, 0), lambda: CoverFree(0.5)):
        with pytest.raises(ValueError, match=r"must be|above"):
            wrong()


def test_too_much_to_look_at_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(km_disassociation, "_LOOKED_AT", 3)
    few = Joint((Cluster.of(2, [[["a", "b"], ["a", "b"]]], ["x", "y"]),))
    assert KmDisassociation(4, 2).check(Chunks.of([few, few])).ok is None
    assert KmDisassociation(5, 2).check(Chunks.of([few, few])).ok is False


def damaged(**changes: Any) -> pa.Table:
    """The paper's chunks in their file, with one row changed."""
    rows = PAPER.to_arrow("codes").to_pylist()
    rows[0] |= changes
    return pa.Table.from_pylist(rows)


@pytest.mark.parametrize(
    "table",
    [
        damaged(records=4),
        damaged(records=0),
        damaged(codes="()"),
        damaged(codes=None),
        damaged(codes="294.10 294.10"),
        damaged(codes="404.00"),
        damaged(codes="296.03"),
        damaged(chunk="shared 1"),
        damaged(chunk="items"),
        damaged(chunk="7"),
        damaged(cluster="9"),
        damaged(cluster="1+2"),
        damaged(cluster="1+1", chunk="shared 1"),
        damaged(cluster="1+9", chunk="shared 1"),
        damaged(cluster="1+2", chunk="shared 1", codes="834.0", records=10),
        PAPER.to_arrow("codes").slice(0, 15),
        PAPER.to_arrow("codes").take(pa.array(list(range(16))[::-1])),
        PAPER.to_arrow("codes").drop(["records"]),
        PAPER.to_arrow("codes").set_column(1, "records", pa.array(["many"] * 16)),
    ],
)
def test_damaged_files_are_refused(table: Any) -> None:
    with pytest.raises(DataError) as refused:
        Chunks.from_arrow(table, "codes")
    assert "294.10" not in str(refused.value)


def test_files_keep_everything() -> None:
    shared = Joint.of([Cluster.of(2, [[["a"], ["a"]]]), Cluster.of(2, [[["heart disease"], ["b"]]])], [[["x"], ["x"]]])
    released = Chunks.of([shared, Joint((Cluster(3),))], "icd")
    table = released.to_arrow("icd")
    assert table.num_rows == released.rows
    assert Chunks.from_arrow(table, "icd") == released
    assert Chunks.from_arrow(Chunks.of([]).to_arrow("icd"), "icd").records == 0
    with pytest.raises(PolicyError):
        released.to_arrow("chunk")


def test_details_are_numbers() -> None:
    for finding in (KmDisassociation(3).check(PAPER), CoverFree().check(PAPER)):
        json.dumps(finding.to_json(), allow_nan=False)
        assert "296.00" not in str(finding.to_json())


def test_whoever_finds_the_cluster_learns_what_covers_it() -> None:
    rows = [["a", code, f"{code}{place}"] for code in "bcde" for place in range(4)] * 2
    data = CodeSets.of(rows)
    must = [KmDisassociation(4, 2)]
    plainly = Disassociation(max_cluster=8).protect(data, must)
    found = ChunkLinking(m=2).mount(plainly.data, plainly.truth(data))
    assert (found.value, found.details.certain) == (1.0, 1.0)
    assert found.details.simulated.share > 0.6  # unless both codes of the first chunk are known
    safe = Disassociation(max_cluster=8, safe=True).protect(data, must)
    assert ChunkLinking().mount(safe.data, safe.truth(data)).details.certain == 0
    with pytest.raises(PolicyError):
        ChunkLinking().mount(data)  # type: ignore[arg-type]
    assert ChunkLinking().mount(Chunks.of([Joint((Cluster.of(1, [[["a"]]]),))])).value is None
    with pytest.raises(ValueError, match="m — must be at least 1"):
        ChunkLinking(m=0)


def test_pairs_that_stay_together() -> None:
    data = CodeSets.of([["a", "b", "x"]] * 4 + [["c"]])
    found = Disassociation().protect(data, [KmDisassociation(3, 2)])
    score = CoOccurrence(number=5).score(data, found.data)
    assert score.value == 1.0
    assert (score.details.error, score.details.kept) == (0.0, 12)
    assert CoOccurrence().score(CodeSets.of([["a"], ["b"]]), found.data).value is None
    assert CoOccurrence(number=5, frequent=0.9).score(data, found.data).details.error is None
    for wrong in ({"pairs": [["a"]]}, {"number": 0}, {"frequent": 2}):
        with pytest.raises(ValueError, match=r"pairs|number|frequent"):
            CoOccurrence(**wrong)
    with pytest.raises(PolicyError):
        CoOccurrence().score(data, data)  # type: ignore[arg-type]
