"""Hiding combinations, rules and sequences, against definitions written out as loops and against brute force."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import plain_codes as plain
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, HiddenPattern, KmAnonymity, LostPatterns, PatternHiding, SequenceHiding
from sharewell.codes.engine.combinations import patterns
from sharewell.codes.engine.frequent_itemsets import frequent
from sharewell.codes.engine.packed_sets import Sets
from sharewell.codes.engine.protection.sequence_cut import Node, cheapest_cut, passable
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.io.sources import Source
from sharewell.testing import check_criterion, check_measure

CODES = list("abcdef")
rows = st.lists(st.sets(st.sampled_from(CODES), max_size=5), min_size=1, max_size=12)
part = st.lists(st.sampled_from([*CODES, "never"]), min_size=1, max_size=2, unique=True)
combos = st.lists(
    st.lists(st.sampled_from([*CODES, "never"]), min_size=1, max_size=3, unique=True), min_size=1, max_size=4
)
visit = st.lists(st.sampled_from(CODES[:4]), min_size=1, max_size=3, unique=True)
people = st.lists(st.lists(visit, max_size=5), min_size=1, max_size=8)
sequence = st.lists(st.lists(st.sampled_from(CODES[:4]), min_size=1, max_size=2, unique=True), min_size=1, max_size=3)
OBJECTIVES: list[Any] = ["distortion", "side-effects"]


# Definitions


def has(visits: Any, wanted: Any, ordered: bool) -> bool:
    """Is there any way to place the parts, one after the other, each within one visit?"""
    ends = {(-1, 10**6)}  # (visit, place) after which the next part must begin
    for codes in wanted:
        reached = set()
        for i, held in enumerate(visits):
            if set(codes) <= set(held):
                places = [held.index(code) for code in codes]
                for end_visit, end_place in ends:
                    if i > end_visit or (ordered and i == end_visit and min(places) > end_place):
                        reached.add((i, max(places)))
        ends = reached
    return bool(ends)


def fewest(visits: Any, wanted: Any, ordered: bool) -> int:
    """The fewest codes to delete so that a sequence is gone, by trying all."""
    places = [(i, code) for i, held in enumerate(visits) for code in held if any(code in codes for codes in wanted)]
    for count in range(len(places) + 1):
        for gone in itertools.combinations(places, count):
            left = [[code for code in held if (i, code) not in gone] for i, held in enumerate(visits)]
            if not has(left, wanted, ordered):
                return count
    raise AssertionError("deleting everything breaks any sequence")


def exposed(records: Any, criterion: HiddenPattern) -> int:
    """Patterns of kind itemset or rule that are not hidden."""
    shown = [[frozenset([code]) for code in record] for record in records]
    failing = 0
    for one in criterion.patterns:
        whole = plain.support(shown, [code for codes in one for code in codes])
        over = criterion.max_support is not None and whole > criterion.max_support
        if criterion.max_confidence is not None:
            applies = plain.support(shown, one[0])
            over |= applies > 0 and Fraction(whole, applies) > Fraction(str(criterion.max_confidence))
        failing += over
    return failing


def hidden(mechanism: Any, data: CodeSets, must: Any) -> Any:
    """What a mechanism returns; None if nothing could be left."""
    try:
        return mechanism.protect(data, must)
    except Infeasible as error:
        told = str(error)
    assert "every code had to be deleted" in told
    return None


def records_of(data: CodeSets) -> list[set[str]]:
    return [{data.members[i][0] for i in data.sets.row(r)} for r in range(data.records)]


def visits_of(data: CodeSets) -> list[list[list[str]]]:
    assert data.visits is not None
    return data.visits.listed([codes[0] for codes in data.members], data.records)


# The criterion


@settings(max_examples=100, deadline=None)
@given(rows, combos, st.integers(0, 4))
def test_hidden_combinations_are_as_defined(records: Any, listed: Any, most: int) -> None:
    criterion = HiddenPattern(listed, most)
    assert criterion.check(CodeSets.of(records)).value == exposed(records, criterion)


@settings(max_examples=100, deadline=None)
@given(rows, st.lists(st.tuples(part, part), min_size=1, max_size=3), st.data())
def test_hidden_rules_are_as_defined(records: Any, rules: Any, data: Any) -> None:
    listed = [[left, right] for left, right in rules if not set(left) & set(right)]
    if not listed:
        return
    most, share = data.draw(st.sampled_from([None, 0, 1, 3])), data.draw(st.sampled_from([0, 0.3, 0.5, 1]))
    criterion = HiddenPattern(listed, most, share, kind="rule")
    assert criterion.check(CodeSets.of(records)).value == exposed(records, criterion)


@settings(max_examples=200, deadline=None)
@given(people, sequence, st.booleans())
def test_sequences_are_found_as_defined(everyone: Any, wanted: Any, ordered: bool) -> None:
    data = CodeSets.of_visits(everyone, ordered=ordered)
    shown = HiddenPattern([wanted], 0, kind="sequence").shows(data)[0]
    assert shown.support == sum(has(visits, wanted, ordered) for visits in everyone)


def test_sequences_count_what_labels_may_stand_for() -> None:
    released = CodeSets.of_visits([[["(a,b)"], ["c"]], [["c"], ["(a,b)", "(b,c)"]]], published=True)
    found = {
        text: HiddenPattern([text], 0, kind="sequence").shows(released)[0].support for text in ("b > c", "c > b c")
    }
    assert found == {"b > c": 1, "c > b c": 1}
    ordered = CodeSets.of_visits([[["(a,b)", "(b,c)", "d"]]], ordered=True, published=True)
    for text, holds in (("b > b > d", 1), ("a > c", 1), ("c > a", 0), ("a b > d", 1), ("d > b", 0)):
        assert HiddenPattern([text], 0, kind="sequence").shows(ordered)[0].support == holds


def test_patterns_are_written_in_many_ways(tmp_path: Path) -> None:
    assert patterns([["a", "b"], "b a", [["a", "b"]]]) == ((("a", "b"),),)
    assert patterns([["a", ["b", "c"]], "a>b > c"]) == ((("a",), ("b", "c")), (("a>b",), ("c",)))
    path = tmp_path / "patterns.csv"
    path.write_text("# what to hide\n401.2;295 > 303\n\n295 > 303,780\n")
    criterion = HiddenPattern(max_confidence=0.5, kind="rule", file=Source.of(path))
    assert criterion.patterns == ((("295", "401.2"), ("303",)), (("295",), ("303", "780")))
    path.write_text("# nothing\n")
    with pytest.raises(DataError, match="lists no"):
        HiddenPattern(max_support=1, file=Source.of(path))


def test_wrong_parameters_are_told() -> None:
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (["a"], {}, "max_support or max_confidence"),
        ([], {"max_support": 1}, "hold a pattern"),
        (["a > b"], {"max_support": 1}, "must have 1 part"),
        (["a"], {"max_support": 1, "kind": "rule"}, "must have 2 part"),
        (["a > a b"], {"max_support": 1, "kind": "rule"}, "share a code"),
        (["a >"], {"max_support": 1, "kind": "sequence"}, "every part"),
        (["a"], {"max_support": -1}, "must be at least 0"),
        (["a"], {"max_support": 1, "max_confidence": 0.5}, "unless kind is rule"),
        (["a"], {"max_support": 1, "kind": "string"}, "kind — must be one of itemset, rule, sequence"),
        ("a b", {"max_support": 1}, "must be a list"),
    ]
    for listed, options, message in wrong:
        with pytest.raises(ValueError, match=message):
            HiddenPattern(listed, **options)
    wrong_word: Any = "harm"
    for build in (lambda: PatternHiding(wrong_word), lambda: SequenceHiding(frequent=0), lambda: PatternHiding(size=0)):
        with pytest.raises(ValueError, match="must"):
            build()
    assert HiddenPattern(["a"], 0).check(CodeSets.of([])).failed
    with pytest.raises(PolicyError, match="name the visit"):
        HiddenPattern(["a"], 0, kind="sequence").check(CodeSets.of([["a"]]))


# Combinations and rules


def lists(found: Any) -> list[HiddenPattern]:
    """Criteria from drawn combinations, rules, and their bounds."""
    combined, most, rules, share, both = found
    asked = [HiddenPattern(combined, most)]
    told = [[left, right] for left, right in rules if not set(left) & set(right)]
    return asked + ([HiddenPattern(told, most if both else None, share, kind="rule")] if told else [])


bounds = st.tuples(
    combos,
    st.integers(0, 3),
    st.lists(st.tuples(part, part), max_size=3),
    st.sampled_from([0, 0.25, 0.5, 0.7]),
    st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(rows, bounds, st.sampled_from(OBJECTIVES), st.sampled_from([None, 1, 2]), st.integers(1, 3))
def test_combinations_and_rules_are_hidden(records: Any, found: Any, objective: Any, least: Any, size: int) -> None:
    must, before = lists(found), CodeSets.of(records)
    released = hidden(PatternHiding(objective, least, size), before, must)
    if released is None:
        return
    left = records_of(released.data)
    assert all(now <= set(was) for now, was in zip(left, records, strict=True))
    for criterion in must:
        assert exposed(left, criterion) == 0
        again = [[released.data.names[i] for i in released.data.sets.row(r)] for r in range(released.data.records)]
        assert criterion.check(CodeSets.of(again, published=True)).ok
    assert released.details.deleted == sum(map(len, records)) - sum(map(len, left))
    if released.details.deleted:
        assert released.details.shown_before > 0
    for codes in plain.combinations(CODES, 3):
        was, now = (sum(set(codes) <= set(record) for record in some) for some in (records, left))
        assert now <= was
    if released.details.lost is not None:
        least = least or max(-(-len(records) // 100), *(1 + (one.max_support or 0) for one in must))
        assert_border(records, left, must, least, size, released.details)


def assert_border(records: Any, left: Any, must: Any, least: int, size: int, details: Any) -> None:
    """As many combinations of the border were watched, and lost, as the definition says."""
    listed = [{c for codes in one for c in codes} for criterion in must for one in criterion.patterns]
    known = {code for record in records for code in record}
    victims = {
        code
        for criterion in must
        for one in criterion.patterns
        if {c for codes in one for c in codes} <= known
        for code in (one[1] if criterion.max_confidence is not None else [c for codes in one for c in codes])
    }
    count = {one: sum(set(one) <= set(record) for record in records) for one in plain.combinations(CODES, size)}
    kept = [set(one) for one, n in count.items() if n >= least and set(one) & victims]
    kept = [one for one in kept if not any(codes <= one for codes in listed)]
    border = [one for one in kept if not any(one < other for other in kept)]
    assert details.watched == len(border)
    assert details.lost == sum(sum(one <= set(record) for record in left) < least for one in border)


@settings(max_examples=60, deadline=None)
@given(rows, bounds, st.sampled_from(OBJECTIVES), st.randoms(use_true_random=False))
def test_the_order_of_records_does_not_matter(records: Any, found: Any, objective: Any, random: Any) -> None:
    must, shuffled = lists(found), list(records)
    random.shuffle(shuffled)
    try:
        one = PatternHiding(objective).protect(CodeSets.of(records), must).data
        other = PatternHiding(objective).protect(CodeSets.of(shuffled), must).data
    except Infeasible:
        return
    assert sorted(map(sorted, records_of(one))) == sorted(map(sorted, records_of(other)))


@settings(max_examples=80, deadline=None)
@given(rows, st.lists(st.sampled_from(CODES), min_size=1, max_size=3, unique=True), st.integers(0, 3))
def test_one_combination_costs_as_little_as_can_be(records: Any, codes: Any, most: int) -> None:
    """Each record beyond the bound loses one code, and none loses two."""
    held = sum(set(codes) <= set(record) for record in records)
    for objective in OBJECTIVES:
        try:
            released = PatternHiding(objective).protect(CodeSets.of(records), [HiddenPattern([codes], most)])
        except Infeasible:
            continue
        assert released.details.deleted == max(0, held - most)


def test_a_rule_that_another_deletion_strengthens_is_hidden_too() -> None:
    """Deleting c weakens a > c; it also takes records without d away from c > d, which is then too strong."""
    records = [["a", "c"]] * 4 + [["c", "d"]] * 4 + [["a"], ["d"]]
    first = HiddenPattern(["a > c"], max_confidence=0.2, kind="rule")
    second = HiddenPattern(["c > d"], max_confidence=0.5, kind="rule")
    data = CodeSets.of(records)
    assert second.check(data).ok
    alone = PatternHiding().protect(data, [first]).data
    assert not second.check(alone).ok
    both = PatternHiding().protect(data, [first, second]).data
    assert first.check(both).ok
    assert second.check(both).ok


def test_watching_the_border_spares_other_combinations() -> None:
    """The shortest records hold a and e, which are together just often enough to be frequent."""
    records = [["a", "b", "e"]] * 3 + [["a", "b", *"xy"], ["a", "b", *"xz"], ["a", "b", *"zw"]] + [["a"]] * 3
    must, data = [HiddenPattern(["a b"], 3)], CodeSets.of(records)
    measure = LostPatterns(min_support=3, sensitive=["a b"])
    lost = [measure.score(data, PatternHiding(o, frequent=3).protect(data, must).data).details.lost for o in OBJECTIVES]
    assert lost == [1, 0]


def test_what_cannot_be_hidden_is_told() -> None:
    pattern, steps = HiddenPattern(["a"], 0), HiddenPattern(["a > b"], 0, kind="sequence")
    data = CodeSets.of_visits([[["a"], ["b"]]])
    cases: list[tuple[Any, CodeSets, list[Any], type[Exception], str]] = [
        (PatternHiding(), CodeSets.of([]), [pattern], Infeasible, "no record"),
        (PatternHiding(), CodeSets.of([["a"]]), [pattern], Infeasible, "every code"),
        (PatternHiding(), data, [], PolicyError, "none was asked"),
        (PatternHiding(), data, [steps], PolicyError, "choose sequence-hiding"),
        (SequenceHiding(), data, [pattern], PolicyError, "choose pattern-hiding"),
        (PatternHiding(), data, [KmAnonymity(2)], PolicyError, "km-anonymity"),
        (SequenceHiding(), CodeSets.of([["a"]]), [steps], PolicyError, "need visits"),
        (SequenceHiding(), CodeSets.of_visits([[["a"]]], published=True), [steps], PolicyError, "published already"),
    ]
    for mechanism, given_data, must, error, message in cases:
        with pytest.raises(error, match=message):
            mechanism.protect(given_data, must)
    nothing_to_do = PatternHiding("side-effects").protect(data, [HiddenPattern(["never"], 0)])
    assert nothing_to_do.details.deleted == 0


# Sequences


@settings(max_examples=200, deadline=None)
@given(st.lists(visit, max_size=6), sequence, st.booleans())
def test_the_cut_is_a_cut_and_smallest_if_codes_differ(visits: Any, wanted: Any, ordered: bool) -> None:
    data = CodeSets.of_visits([visits, [["spare"]]], ordered=ordered)
    released = SequenceHiding().protect(data, [HiddenPattern([wanted], 0, kind="sequence")])
    assert not has(visits_of(released.data)[0], wanted, ordered)
    least = fewest(visits, wanted, ordered)
    if len({code for codes in wanted for code in codes}) == sum(map(len, wanted)):
        assert released.details.deleted == least
    assert released.details.deleted >= least


@settings(max_examples=150, deadline=None)
@given(st.lists(st.lists(st.tuples(st.integers(0, 8), st.integers(1, 4)), max_size=5), min_size=1, max_size=4))
def test_the_cheapest_cut_is_the_cheapest(drawn: Any) -> None:
    """Nodes of different weight, against all sets of nodes."""
    layers = [
        [Node(place, place, weight, event=100 * part + place) for place, weight in sorted(dict(nodes).items())]
        for part, nodes in enumerate(drawn)
    ]
    every = [node for layer in layers for node in layer]
    best = sum(node.weight for node in every)
    for chosen in itertools.product([False, True], repeat=min(len(every), 11)):
        gone = {node.event for node, out in zip(every, chosen, strict=False) if out}
        cost = sum(node.weight for node in every if node.event in gone)
        if cost < best and not passable([[node for node in layer if node.event not in gone] for layer in layers]):
            best = cost
    cost, nodes = cheapest_cut(layers)
    assert cost == sum(node.weight for node in nodes)
    events = {node.event for node in nodes}
    assert not passable([[node for node in layer if node.event not in events] for layer in layers])
    assert cost <= best
    if len(every) <= 11:
        assert cost == best


@settings(max_examples=120, deadline=None)
@given(
    people, st.lists(sequence, min_size=1, max_size=3), st.integers(0, 3), st.sampled_from(OBJECTIVES), st.booleans()
)
def test_sequences_are_hidden(everyone: Any, listed: Any, most: int, objective: Any, ordered: bool) -> None:
    data = CodeSets.of_visits(everyone, ordered=ordered)
    must = [HiddenPattern(listed, most, kind="sequence")]
    released = hidden(SequenceHiding(objective, frequent=2), data, must)
    if released is None:
        return
    left = visits_of(released.data)
    for wanted in must[0].patterns:
        assert sum(has(visits, wanted, ordered) for visits in left) <= most
    for now, was in zip(left, everyone, strict=True):
        assert is_within(now, [visit if ordered else sorted(visit) for visit in was])
    deleted = sum(len(v) for visits in everyone for v in visits) - sum(len(v) for visits in left for v in visits)
    assert released.details.deleted == deleted
    assert records_of(released.data) == [{code for v in visits for code in v} for visits in left]
    again = CodeSets.of_visits(
        released.data.visits.listed(released.data.names, len(left)), ordered=ordered, published=True
    )
    assert must[0].check(again).ok


def is_within(visits: Any, all_visits: Any) -> bool:
    """Each visit is a part of one before, in the same order."""
    rest = iter(all_visits)
    return all(any([code for code in whole if code in one] == one for whole in rest) for one in visits)


@settings(max_examples=60, deadline=None)
@given(people, st.lists(st.sampled_from(CODES[:4]), min_size=1, max_size=3, unique=True), st.integers(0, 3))
def test_one_sequence_costs_as_little_as_can_be(everyone: Any, codes: Any, most: int) -> None:
    wanted = [[code] for code in codes]
    costs = sorted(cost for visits in everyone if (cost := fewest(visits, wanted, False)))
    data = CodeSets.of_visits([*everyone, [["spare"]]])
    released = SequenceHiding().protect(data, [HiddenPattern([wanted], most, kind="sequence")])
    assert released.details.deleted == sum(costs[: max(0, len(costs) - most)])


@settings(max_examples=60, deadline=None)
@given(people, st.lists(sequence, min_size=1, max_size=2), st.integers(0, 2), st.sampled_from(OBJECTIVES), st.data())
def test_the_order_of_people_does_not_matter(everyone: Any, listed: Any, most: int, objective: Any, data: Any) -> None:
    must = [HiddenPattern(listed, most, kind="sequence")]
    shuffled = data.draw(st.permutations(everyone))
    try:
        one = SequenceHiding(objective, frequent=2).protect(CodeSets.of_visits(everyone), must).data
        other = SequenceHiding(objective, frequent=2).protect(CodeSets.of_visits(shuffled), must).data
    except Infeasible:
        return
    assert sorted(visits_of(one)) == sorted(visits_of(other))


def test_side_effects_spare_what_is_nearly_rare() -> None:
    """Both records lose one code. x before b is in three records, and two would be too few: b stays where x is."""
    everyone = [[["a"], ["x"], ["b"]], [["a"], ["y"], ["b"]], [["x"], ["b"]], [["x"], ["b"]], [["a"]], [["a"]]]
    must = [HiddenPattern(["a > b"], 1, kind="sequence")]
    data = CodeSets.of_visits(everyone)
    released = SequenceHiding("side-effects", frequent=2).protect(data, must)
    assert (released.details.deleted, released.details.lost) == (1, 0)
    measure = LostPatterns(min_support=2, kind="sequence", sensitive=["a > b"])
    assert measure.score(data, released.data).details.lost == 0


def test_side_effects_choose_the_code_of_a_visit_that_harms_least() -> None:
    """Of a, b and c only b is in no frequent sequence."""
    data = CodeSets.of_visits([[["x"], ["a", "b"], ["c"]], [["x"], ["a"]], [["x"], ["c"]]])
    must = [HiddenPattern(["a b > c"], 0, kind="sequence")]
    released = SequenceHiding("side-effects", frequent=2).protect(data, must)
    assert released.details.lost == 0
    assert visits_of(released.data)[0] == [["x"], ["a"], ["c"]]


def test_contracts() -> None:
    frame = pa.table(
        {"who": list("ppqqr"), "code": ["I10.9-like", "E11.9-like", "I10.9-like", "E11.9-like", "E11.9-like"]}
    )

    def open_frame(given_frame: Any) -> CodeSets:
        return CodeSets.from_long(given_frame, subject="who", code="code")

    criterion = HiddenPattern(["I10.9-like E11.9-like"], 1)
    check_criterion(criterion, open_frame, frame)
    released = PatternHiding().protect(open_frame(frame), [criterion])
    check_measure(LostPatterns(min_support=1, min_confidence=0.5), open_frame, frame, released.data)
    assert "like" not in repr(released.details)


def test_codes_outside_visits_are_not_published() -> None:
    table = pa.table({"who": ["p", "p", "p"], "code": ["a", "b", "c"], "visit": [1, 2, None]})
    data = CodeSets.from_long(table, subject="who", code="code", visit="visit")
    released = SequenceHiding().protect(data, [HiddenPattern(["b > a"], 0, kind="sequence")])
    assert released.details.outside_visits == 1
    assert records_of(released.data) == [{"a", "b"}]


# Measures


@settings(max_examples=100, deadline=None)
@given(rows, st.integers(1, 4), st.integers(1, 3))
def test_frequent_combinations_are_as_defined(records: Any, least: int, size: int) -> None:
    numbers = [[CODES.index(code) for code in record] for record in records]
    found = frequent(Sets.of(numbers), len(CODES), least, size)
    assert found is not None
    told = {tuple(found.sets.row(i).tolist()): int(found.supports[i]) for i in range(found.sets.count)}
    count = {
        one: sum(set(one) <= set(record) for record in numbers)
        for one in itertools.chain(*(itertools.combinations(range(len(CODES)), s) for s in range(1, size + 1)))
    }
    assert told == {one: n for one, n in count.items() if n >= least}


@settings(max_examples=80, deadline=None)
@given(rows, st.data(), st.integers(1, 3), st.sampled_from([0.5, 0.8, 1.0]))
def test_lost_combinations_and_ghost_rules_are_as_defined(records: Any, data: Any, least: int, share: float) -> None:
    left = [sorted(code for code in sorted(record) if data.draw(st.integers(0, 3))) for record in records]
    measure = LostPatterns(least, 3, share, sensitive=["a b"])
    details = measure.score(CodeSets.of(records), CodeSets.of(left, published=True)).details

    def count(some: Any, codes: Any) -> int:
        return sum(set(codes) <= set(record) for record in some)

    was = [one for one in plain.combinations(CODES, 3) if count(records, one) >= least and not {"a", "b"} <= set(one)]
    assert details.frequent == len(was)
    assert details.lost == sum(count(left, one) < least for one in was)
    ghosts = 0
    for one in was:
        for code in one if len(one) > 1 else ():
            rest = [other for other in one if other != code]
            before = count(records, one) >= Fraction(str(share)) * count(records, rest)
            after = count(left, one) >= least and count(left, one) >= Fraction(str(share)) * count(left, rest)
            ghosts += after and not before
    assert details.ghost_rules == ghosts


@settings(max_examples=80, deadline=None)
@given(people, st.data(), st.integers(1, 3), st.booleans())
def test_lost_sequences_are_as_defined(everyone: Any, data: Any, least: int, ordered: bool) -> None:
    left = [[[code for code in held if data.draw(st.integers(0, 3))] for held in visits] for visits in everyone]
    measure = LostPatterns(least, kind="sequence", sensitive=["a > b", "c"])
    before = CodeSets.of_visits(everyone, ordered=ordered)
    details = measure.score(before, CodeSets.of_visits(left, ordered=ordered, published=True)).details

    def count(some: Any, wanted: Any) -> int:
        return sum(has(visits, wanted, ordered) for visits in some)

    every = [[[x]] for x in CODES] + [[[x], [y]] for x in CODES for y in CODES]
    was = [one for one in every if count(everyone, one) >= least and ["c"] not in one and one != [["a"], ["b"]]]
    assert details.frequent == len(was)
    assert details.lost == sum(count(left, one) < least for one in was)


def test_measures_of_little() -> None:
    nobody = CodeSets.of([])
    assert LostPatterns().score(nobody, nobody).value == 0
    some = CodeSets.of([["a", "b"]] * 3)
    grouped = CodeSets.of([["(a,b)"]] * 3, published=True)
    assert LostPatterns(min_support=2).score(some, grouped).value == 0
    assert LostPatterns(min_support=2).score(some, CodeSets.of([["a"], [], []], published=True)).value == 1
    with pytest.raises(ValueError, match="must"):
        LostPatterns(kind="sequence", min_confidence=0.5)


def test_many_records() -> None:
    """More than one round, and more than one chunk."""
    rng = np.random.default_rng(7)
    records = [[f"c{i}" for i in rng.integers(0, 12, 5)] for _ in range(400)]
    data = CodeSets.of(records)
    must = [HiddenPattern(["c0 c1", "c1 c2 c3", "c4"], 5), HiddenPattern(["c5 > c6", "c6 > c7"], None, 0.1, "rule")]
    for objective in OBJECTIVES:
        released = PatternHiding(objective).protect(data, must).data
        assert all(criterion.check(released).ok for criterion in must)
