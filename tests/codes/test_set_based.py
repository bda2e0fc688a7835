"""The set-based methods, their policies and their engine, against definitions written out as loops."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import plain_codes as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, KmAnonymity, PrivacyPolicy, UtilityPolicy
from sharewell.codes.engine.protection import label_groups
from sharewell.codes.engine.protection.label_groups import LabelGroups
from sharewell.codes.mechanisms.aclip import ACLIP
from sharewell.codes.mechanisms.cba import CBA
from sharewell.codes.mechanisms.coat import COAT
from sharewell.codes.mechanisms.pcta import PCTA
from sharewell.codes.mechanisms.ugaclip import UGACLIP
from sharewell.codes.utility.ul import UL
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.hierarchy import ICD9CM

CODES = list("abcdefgh")
rows = st.lists(st.sets(st.sampled_from(CODES), max_size=6), min_size=1, max_size=12)
combos = st.lists(st.sets(st.sampled_from([*CODES, "never"]), min_size=1, max_size=4), min_size=1, max_size=4)
TEN = [list(row) for row in ("abcdefgh", "acefg", "cdefh", "acef", "efgh", "defg", "abde", "acf", "ac", "bh")]
BIPOLAR = [["296.00", "296.01", "296.02"], ["295.00", "295.01", "295.02"], ["296.00", "296.02"]]
ALL_OF_IT = ["296.00", "296.01", "296.02"]
WITH_UTILITY = [UGACLIP(), COAT(), PCTA(), CBA()]


def plainly(data: CodeSets) -> list[list[frozenset[str]]]:
    """Records as lists of labels."""
    return [[frozenset(data.members[i]) for i in data.sets.row(r)] for r in range(data.records)]


def check_release(before: CodeSets, after: CodeSets, policy: PrivacyPolicy) -> None:
    """Truthful, one recoding for all, and every combination hidden, by definition."""
    assert plain.policy_holds(plainly(after), policy.itemsets, policy.k, policy.strict)
    assert policy.check(after).ok
    assert after.labels is not None
    assert set(after.labels) == set(before.names)
    for record in range(before.records):
        codes = [before.names[i] for i in before.sets.row(record)]
        shown = {after.names[i] for i in after.sets.row(record)}
        assert shown == {after.labels[code] for code in codes} - {None}
    for code, label in after.labels.items():
        assert label is None or code in after.members[after.names.index(label)]


@settings(max_examples=120, deadline=None)
@given(rows, combos, st.integers(1, 4), st.booleans(), st.data())
def test_every_method_hides_every_combination_inside_the_sets(
    records: Any, listed: Any, k: int, strict: bool, data: Any
) -> None:
    before = CodeSets.of(records)
    policy = PrivacyPolicy([sorted(one) for one in listed], k, strict)
    numbers = data.draw(st.lists(st.integers(0, 3), min_size=8, max_size=8))
    sets = [[c for c, n in zip(CODES, numbers, strict=True) if n == which] for which in range(3)]
    share = data.draw(st.sampled_from([0, 0.25, 0.5, 1]))
    useful = UtilityPolicy([one for one in sets if one], max_suppressed=share)
    for mechanism in WITH_UTILITY:
        try:
            released = mechanism.protect(before, [policy, useful])
        except Infeasible:
            continue
        check_release(before, released.data, policy)
        assert useful.check(released.data).ok
        for label in released.data.members:
            assert len(label) == 1 or any(set(label) <= set(one) for one in useful.sets)
        gone = sum(label is None for label in released.data.labels.values())
        assert gone <= share * len(before.names)


@settings(max_examples=80, deadline=None)
@given(rows, combos, st.integers(1, 4), st.booleans())
def test_without_a_utility_policy_nothing_is_infeasible_that_could_be_merged(
    records: Any, listed: Any, k: int, strict: bool
) -> None:
    before = CodeSets.of(records)
    policy = PrivacyPolicy([sorted(one) for one in listed], k, strict)
    for mechanism in (ACLIP(), *WITH_UTILITY):
        if len(records) < k:
            with pytest.raises(Infeasible, match="cannot hide anyone"):
                mechanism.protect(before, [policy])
        elif sum(map(bool, records)) >= k:
            released = mechanism.protect(before, [policy])
            check_release(before, released.data, policy)
            assert released.details.suppressed_codes == 0


@settings(max_examples=60, deadline=None)
@given(rows, combos, st.data())
def test_the_order_of_records_changes_nothing(records: Any, listed: Any, data: Any) -> None:
    policy = PrivacyPolicy([sorted(one) for one in listed], min(2, len(records)))
    shuffled = data.draw(st.permutations(records))
    for mechanism in (PCTA(), CBA()):
        try:
            one = mechanism.protect(CodeSets.of(records), [policy]).data.labels
        except Infeasible:
            continue
        assert mechanism.protect(CodeSets.of(shuffled), [policy]).data.labels == one


# The engine

steps = st.lists(st.tuples(st.sampled_from(["merge", "suppress"]), st.integers(0, 99), st.integers(0, 99)), max_size=7)


@settings(max_examples=60, deadline=None)
@given(rows, steps, st.data())
def test_compiled_and_numpy_engines_count_as_the_release_they_publish(records: Any, todo: Any, data: Any) -> None:
    before = CodeSets.of(records)
    if not before.names:
        return
    engines = [
        LabelGroups(before),
        LabelGroups(before, large=True),
        LabelGroups(before),
        LabelGroups(before, large=True),
    ]
    for engine in engines[2:]:
        engine._bits = None  # as where there are too many records for a bit each
    for step, first, second in todo:
        alive = np.flatnonzero(engines[0].alive).tolist()
        if len(alive) < 2:
            break
        one, other = alive[first % len(alive)], alive[second % len(alive)]
        for engine in engines:
            if step == "suppress":
                engine.suppress(one)
            elif one != other:
                engine.merge(one, other)
    alive = np.flatnonzero(engines[0].alive).tolist()
    if not alive:
        return
    wanted = data.draw(st.lists(st.sampled_from(alive), min_size=1, max_size=4, unique=True))
    k = data.draw(st.integers(1, 4))
    shown = plainly(engines[0].published())
    codes = [before.names[label] for label in wanted]
    for engine in engines:
        assert [int(engine.support[label]) for label in alive] == [
            plain.support(shown, [before.names[label]]) for label in alive
        ]
        assert engine.held_by_all(wanted) == plain.support(shown, codes)
        overlap = engine.overlaps(wanted)
        assert [int(overlap[label]) for label in alive] == [
            plain.support(shown, [*codes, before.names[label]]) for label in alive
        ]
        assert engine.shared(wanted[0], np.array(alive)).tolist() == engine.overlaps(wanted[:1])[alive].tolist()
        if len(wanted) > 1:
            near, missing = engine.near(wanted)
            held = [[before.names[x] for place, x in enumerate(wanted) if place != lacks] for lacks in missing]
            assert all(plain.support([shown[row]], some) for row, some in zip(near, held, strict=True))
            assert sorted(near) == [
                r for r, row in enumerate(shown) if sum(plain.support([row], [c]) for c in codes) >= len(codes) - 1
            ]
        some = data.draw(st.lists(st.integers(0, len(records) - 1), unique=True))
        counted = engine.shown_in(np.array(some, dtype=np.int64))
        assert [int(counted[x]) for x in alive] == [
            plain.support([shown[r] for r in some], [before.names[x]]) for x in alive
        ]
        assert engine.parts_held_by(wanted, k) is plain.policy_holds(shown, [codes], k, strict=True)


@settings(max_examples=60, deadline=None)
@given(rows, steps)
def test_undone_merges_leave_no_trace(records: Any, todo: Any) -> None:
    engine = LabelGroups(CodeSets.of(records))
    before = [array.copy() for array in (engine.label_of, engine.support, engine.size, engine.alive, engine.first)]
    for _, first, second in todo:
        alive = np.flatnonzero(engine.alive).tolist()
        if len(alive) > 1 and (one := alive[first % len(alive)]) != (other := alive[second % len(alive)]):
            engine.merge(one, other)
    engine.back_to(0)
    after = (engine.label_of, engine.support, engine.size, engine.alive, engine.first)
    assert all((a == b).all() for a, b in zip(before, after, strict=True))


def test_parts_of_more_than_64_labels() -> None:
    """They do not fit into one number; the parts are compared all the same."""
    wide = [f"c{i:03}" for i in range(100)]
    data = CodeSets.of([wide[:99], wide[:99], wide[1:], wide[1:]])
    engine = LabelGroups(data, large=True)
    labels = [engine.number[code] for code in wide]
    assert engine.parts_held_by(labels, 2)
    assert not engine.parts_held_by(labels, 3)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 140))
def test_parts_are_those_that_each_label_by_itself_tells(seed: int, wide: int) -> None:
    """The same distinct parts, equally often, as asking for the records of one label after the other."""
    rng = np.random.default_rng(seed)
    data = CodeSets.of([[f"c{c:03}" for c in np.flatnonzero(rng.random(wide) < 0.6)] for _ in range(25)])
    for engine in (LabelGroups(data), LabelGroups(data, large=True)):
        for _ in range(wide // 4):
            kept, gone = rng.choice(np.flatnonzero(engine.alive), 2, replace=False).tolist() if wide > 3 else (0, 0)
            if kept != gone:
                engine.merge(kept, gone)
        labels = np.flatnonzero(engine.alive).tolist()
        if not labels:
            continue
        rarest = min(labels, key=lambda label: engine.support[label])
        by_code = engine._by_code
        holding = {x: set(by_code.take(np.array(engine.codes(x))).items.tolist()) for x in labels}
        expected = Counter(tuple(row in holding[x] for x in labels) for row in holding[rarest])
        found = np.unique(engine._parts(labels, rarest), axis=0, return_counts=True)
        assert sorted(found[1].tolist()) == sorted(expected.values())
        sizes: Counter[int] = Counter()
        for part, often in zip(*found, strict=True):
            sizes[int(np.bitwise_count(part).sum())] += int(often)
        assert sizes == Counter(sum(part) for part in expected.elements())


def test_one_combination_of_hundreds_of_codes_takes_no_minute() -> None:
    """Each step looks at what records show of hundreds of labels."""
    rng = np.random.default_rng(1)
    wide = [f"w{i:03}" for i in range(300)]
    data = CodeSets.of([[wide[i] for i in rng.zipf(1.3, 12) % 300] for _ in range(600)])
    policy = PrivacyPolicy([wide], 5)
    began = time.process_time()
    assert policy.check(UGACLIP().protect(data, [policy]).data).ok
    assert time.process_time() - began < 20


@pytest.mark.parametrize("mechanism", [ACLIP(), UGACLIP(), COAT(), PCTA(), CBA()], ids=lambda m: m.name)
def test_compiled_loops_choose_as_numpy_does(mechanism: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    data = CodeSets.of([[f"{c:03}" for c in rng.zipf(1.3, size=6) % 60] for _ in range(80)])
    policy = PrivacyPolicy.extract(data, 3, "m", m=2)
    by_numpy = mechanism.protect(data, [PrivacyPolicy(policy.itemsets[:40], 3)]).data.labels
    monkeypatch.setattr(label_groups, "_LARGE", -1)
    assert mechanism.protect(data, [PrivacyPolicy(policy.itemsets[:40], 3)]).data.labels == by_numpy


# The examples of the literature


def test_one_label_of_two_codes_hides_all_pairs() -> None:
    """The tutorial's table; two codes that no record has together have a support all the same."""
    data = CodeSets.of([["401.0", "401.1"], ["401.2", "401.3"], ["401.0", "401.1"], ["401.4", "401.3"]])
    pairs = [list(pair) for pair in itertools.combinations([f"401.{i}" for i in range(5)], 2)]
    released = ACLIP().protect(data, [PrivacyPolicy(pairs, 2)]).data
    assert released.labels["401.2"] == released.labels["401.4"] == "(401.2,401.4)"
    assert {released.support(pair) for pair in pairs} == {0, 2}
    assert released.support(["401.2", "401.4"]) == 2
    assert KmAnonymity(2, 2).check(released).ok


@pytest.mark.parametrize("mechanism", [UGACLIP(), COAT()], ids=lambda m: m.name)
def test_the_tutorials_ugaclip_table(mechanism: Any) -> None:
    data = CodeSets.of(BIPOLAR)
    released = mechanism.protect(data, [PrivacyPolicy([ALL_OF_IT], 2), UtilityPolicy([ALL_OF_IT[:2]])]).data
    shown = [sorted(released.names[i] for i in released.sets.row(r)) for r in range(3)]
    assert shown == [["(296.00,296.01)", "296.02"], ["295.00", "295.01", "295.02"], ["(296.00,296.01)", "296.02"]]
    assert {released.support(part) for part in plain.combinations(ALL_OF_IT, 3)} == {2}
    assert UL().score(data, released).value == pytest.approx(3 / 63 * 2 / 3)


def test_the_tutorials_cba_policy() -> None:
    released = CBA().protect(CodeSets.of(BIPOLAR), [PrivacyPolicy([ALL_OF_IT], 2), UtilityPolicy([ALL_OF_IT])]).data
    assert released.support(ALL_OF_IT) == 2


def partitions(codes: list[str]) -> Any:
    if not codes:
        yield []
        return
    for rest in partitions(codes[1:]):
        yield [[codes[0]], *rest]
        for i, group in enumerate(rest):
            yield [*rest[:i], [codes[0], *group], *rest[i + 1 :]]


def test_no_method_beats_the_best_of_all_partitions() -> None:
    """Of the 4,140 partitions of eight codes the best loses 0.02863; loose and strict agree here."""
    data, listed, best = CodeSets.of(TEN), [list("abc"), list("defgh")], {True: 9.0, False: 9.0}
    holders = {code: sum(1 << r for r, row in enumerate(TEN) if code in row) for code in CODES}
    for groups in partitions(CODES):
        shown = dict.fromkeys(CODES, 0)
        loss = 0.0
        for group in groups:
            bits = 0
            for code in group:
                bits |= holders[code]
            shown |= dict.fromkeys(group, bits)
            loss += (2 ** len(group) - 1) / 255 * bits.bit_count() / 10
        for strict in (True, False):
            parts = itertools.chain.from_iterable(
                plain.combinations(one, len(one)) if strict else [tuple(one)] for one in listed
            )
            supports = [(np.bitwise_and.reduce([shown[c] for c in part])).item().bit_count() for part in parts]
            if loss < best[strict] and all(s == 0 or s >= 5 for s in supports):
                best[strict] = loss
    assert best[True] == best[False] == pytest.approx(0.02863, abs=5e-6)
    for mechanism in (ACLIP(), *WITH_UTILITY):
        released = mechanism.protect(data, [PrivacyPolicy(listed, 5)]).data
        assert UL(singles=True).score(data, released).value >= best[True] - 1e-12
    assert UL(singles=True).score(data, CBA().protect(data, [PrivacyPolicy(listed, 5)]).data).value < 0.03


def test_a_suppressed_code_may_leave_a_part_that_identifies() -> None:
    """Why `strict` is the default: the loose form is met although one record alone shows a and b."""
    data = CodeSets.of([["a", "b", "c"], ["a"], ["b"], ["d"]])
    none = UtilityPolicy([])
    loose = UGACLIP().protect(data, [PrivacyPolicy([["a", "b", "c"]], 2, strict=False), none]).data
    assert loose.support(["a", "b"]) == 1
    strict = UGACLIP().protect(data, [PrivacyPolicy([["a", "b", "c"]], 2), none]).data
    assert strict.support(["a", "b"]) == 0


# Policies


def test_what_cannot_be_met_names_the_combinations_by_place() -> None:
    data = CodeSets.of([["Zulu", "Yankee"], ["Zulu"], ["Xray"], ["Xray"]])
    policy = PrivacyPolicy([["Zulu"], ["Yankee", "Zulu"]], 2)
    with pytest.raises(Infeasible, match=r"1 of 2 combinations") as caught:
        COAT().protect(data, [policy, UtilityPolicy([], max_suppressed=0)])
    assert caught.value.blocking == ("combinations (by their place in the policy): 2",)
    assert "Zulu" not in str(caught.value)
    with pytest.raises(Infeasible, match="1 of 3 codes had to be suppressed, and 0 may be"):
        UGACLIP().protect(data, [policy, UtilityPolicy([], max_suppressed=0)])
    with pytest.raises(Infeasible, match="every code had to be suppressed"):
        UGACLIP().protect(CodeSets.of([["a"], ["b"]]), [PrivacyPolicy([["a"], ["b"]], 2), UtilityPolicy([])])
    assert COAT().protect(data, [policy, UtilityPolicy([], max_suppressed=0.34)]).details.suppressed_codes == 1
    with pytest.raises(Infeasible, match="cannot be hidden"):
        COAT(max_suppressed=0).protect(data, [policy, UtilityPolicy([])])


def test_what_a_method_does_not_know_is_refused() -> None:
    data = CodeSets.of([["a"], ["a"]])
    for mechanism in (ACLIP(), *WITH_UTILITY):
        with pytest.raises(PolicyError, match="needs a privacy-policy"):
            mechanism.protect(data, [])
        with pytest.raises(PolicyError, match="cannot make km-anonymity hold"):
            mechanism.protect(data, [PrivacyPolicy([["a"]], 1), KmAnonymity(2)])
    with pytest.raises(PolicyError, match="knows no utility policy"):
        ACLIP().protect(data, [PrivacyPolicy([["a"]], 1), UtilityPolicy([])])
    released = UGACLIP().protect(data, [PrivacyPolicy([["a"]], 1)]).data
    with pytest.raises(PolicyError, match="published already"):
        UGACLIP().protect(released, [PrivacyPolicy([["a"]], 1)])


def test_odd_input_is_defined() -> None:
    wide = [f"w{i:03}" for i in range(500)]
    data = CodeSets.of([wide, ["a", "a", " a "], [], ["a"], ["b"]])
    policy = PrivacyPolicy([wide, ["a"], ["unknown", "b"]], 2)
    for mechanism in (UGACLIP(), COAT(), PCTA(), CBA()):
        released = mechanism.protect(data, [policy, UtilityPolicy.extract(["b", *wide], diseases={"w": ["w", "b"]})])
        assert policy.check(released.data).ok
        assert released.data.support([*wide, "a"]) == 0
        assert released.data.sets.row(2).tolist() == []
    with pytest.raises(Infeasible, match="0 records"):
        UGACLIP().protect(CodeSets.of([]), [policy])


@settings(max_examples=100, deadline=None)
@given(rows, st.integers(1, 4), st.integers(1, 3), st.sampled_from(["all", "m"]))
def test_an_extracted_policy_covers_whoever_can_be_found(records: Any, k: int, m: int, mode: Any) -> None:
    """Met strictly, nobody is found among fewer than k by all codes, or by up to m; and nothing needless is listed."""
    data, most = CodeSets.of(records), 8 if mode == "all" else m
    labels = [[frozenset(code) for code in row] for row in records]
    found = {
        part
        for row in records
        for part in plain.combinations(sorted(row), min(most, len(row)))
        if plain.support(labels, part) < k and (mode == "m" or len(part) == len(row))
    }
    largest = {one for one in found if not any(set(one) < set(other) for other in found)}
    if not largest:
        with pytest.raises(DataError, match="nothing to protect"):
            PrivacyPolicy.extract(data, k, mode, m)
        return
    policy = PrivacyPolicy.extract(data, k, mode, m)
    assert set(policy.itemsets) == largest
    assert f"{len(records)} records" in policy.check(data).note


def test_extraction_by_visit() -> None:
    import pyarrow as pa

    frame = pa.table({"who": list("pppqq"), "code": list("abcab"), "visit": list("11212")})
    data = CodeSets.from_long(frame, subject="who", code="code", visit="visit")
    assert PrivacyPolicy.extract(data, 2, "visit").itemsets == (("c",),)
    assert "one visit" in PrivacyPolicy.extract(data, 2, "visit").origin
    with pytest.raises(DataError, match="has no visits"):
        PrivacyPolicy.extract(CodeSets.of([["a"]]), 2, "visit")
    with pytest.raises(ValueError, match="mode must"):
        PrivacyPolicy.extract(data, 2, "none")  # type: ignore[arg-type]


def test_utility_sets_from_categories_trees_and_diseases() -> None:
    codes = ["250.00", "250.01", "401.1", "401.9", "296.00"]
    assert UtilityPolicy.extract(codes).sets == (("250.00", "250.01"), ("401.1", "401.9"))
    data = CodeSets.of([codes], hierarchy=ICD9CM())
    assert UtilityPolicy.extract(data).sets == (("250.00", "250.01"), ("401.1", "401.9"))
    assert UtilityPolicy.extract(data, level="chapter").sets == (("250.00", "250.01"), ("401.1", "401.9"))
    assert UtilityPolicy.extract(data, level=1).sets == (("250.00", "250.01"), ("401.1", "401.9"))
    mixed = {"heart": ["401.1", "250.0"], "sugar": ["250"]}
    assert UtilityPolicy.extract(codes, diseases=mixed).sets == (("250.00", "250.01", "401.1"),)
    with pytest.raises(PolicyError, match="needs a hierarchy"):
        UtilityPolicy.extract(codes, level="block")


def test_policies_from_files(tmp_path: Path) -> None:
    file = tmp_path / "privacy.csv"
    file.write_text("# known from discharge letters\n401.1 250.00\n250.00;296.0\n\n780.2, 401.1\n401.1 250.00\n")
    policy = PrivacyPolicy(str(file), 3)  # type: ignore[arg-type]
    assert policy.itemsets == (("250.00", "401.1"), ("250.00", "296.0"), ("401.1", "780.2"))
    file.write_text("\n\n")
    with pytest.raises(DataError, match=r"privacy\.csv — lists no combination"):
        PrivacyPolicy(file, 3)  # type: ignore[arg-type]
    file.write_text("a b\nc d\n")
    assert UtilityPolicy(file).sets == (("a", "b"), ("c", "d"))  # type: ignore[arg-type]


def test_a_utility_policy_judges_what_is_published() -> None:
    policy = UtilityPolicy([["a", "b"]], max_suppressed=0.5, codes=["a", "b", "c", "d", "e"])
    shown = CodeSets.of([["(a,b)", "c"]], published=True)
    assert policy.check(shown).ok
    assert policy.check(shown).details.suppressed == 2
    assert policy.check(CodeSets.of([["a"]], published=True)).value == 2
    assert UtilityPolicy([], 0.5).check(shown).ok is None
    assert "name all `codes`" in UtilityPolicy([], 0.5).check(shown).note
    assert UtilityPolicy([["a", "c"]]).check(shown).value == 1
    assert UtilityPolicy([]).check(CodeSets.of([["a"]])).ok
    assert UtilityPolicy([]).check(CodeSets.of([])).failed
    for wrong in (
        lambda: UtilityPolicy([["a"], ["a", "b"]]),
        lambda: UtilityPolicy([[]]),
        lambda: UtilityPolicy([], 2),
    ):
        with pytest.raises(ValueError, match=r"must not|at most 1"):
            wrong()
