"""(h,k,p)-coherence and PS-rules with their mechanisms, against definitions written out as loops."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import plain_codes as plain
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets, Coherence, GreedySuppression, KmAnonymity, PSRules
from sharewell.codes.criteria import hkp_coherence
from sharewell.codes.engine.packed_sets import Sets
from sharewell.codes.engine.rules import cohorts
from sharewell.codes.mechanisms import greedy_suppression, rbat
from sharewell.codes.mechanisms.rbat import RBAT
from sharewell.errors import DataError, Infeasible, PolicyError

CODES = list("abcdefgh")
TEN = [list(row) for row in ("abcdefgh", "acefg", "cdefh", "acef", "efgh", "defg", "abde", "acf", "ac", "bh")]
HYPERTENSION = [["401.0", "401.1"], ["401.2", "401.3", "295"], ["401.0", "401.1"], ["401.4"]]
SHARES = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(3, 5), Fraction(1)])
rows = st.lists(st.sets(st.sampled_from(CODES), max_size=6), min_size=1, max_size=12)
labels = st.sampled_from([*CODES, "(a,b)", "(b,c)", "(c,g)", "(d,e,f)", "(g,h)"])
published_rows = st.lists(st.sets(labels, max_size=4), min_size=1, max_size=10)


def plainly(data: CodeSets) -> list[list[frozenset[str]]]:
    """Records as lists of labels."""
    return [[frozenset(data.members[i]) for i in data.sets.row(r)] for r in range(data.records)]


def reread(data: CodeSets) -> CodeSets:
    """The release as its recipient reads it: texts alone."""
    return CodeSets.of([[data.names[i] for i in data.sets.row(r)] for r in range(data.records)], published=True)


def moles_of(records: Any, private: set[str], k: int, p: int, most: Fraction) -> list[set[str]]:
    """By definition, over original codes."""
    known = [code for code in plain.universe(records) if code not in private]
    found = []
    for one in plain.combinations(known, p):
        support = plain.support(records, one)
        if support and (support < k or any(plain.support(records, (*one, s)) > most * support for s in private)):
            found.append(set(one))
    return found


def minimal(moles: list[set[str]]) -> list[set[str]]:
    return [one for one in moles if not any(other < one for other in moles)]


def without(records: list[Any], gone: Any) -> list[list[str]]:
    return [[code for code in row if code not in gone] for row in records]


def as_labels(records: list[Any]) -> list[list[frozenset[str]]]:
    return [[frozenset([code]) for code in row] for row in records]


def suppressed(data: CodeSets) -> set[str]:
    assert data.labels is not None
    return {code for code, label in data.labels.items() if label is None}


def check_recoding(before: CodeSets, after: CodeSets) -> None:
    """Truthful, and one recoding for all."""
    assert after.published
    assert after.labels is not None
    assert set(after.labels) == set(before.names)
    for record in range(before.records):
        codes = [before.names[i] for i in before.sets.row(record)]
        assert {after.names[i] for i in after.sets.row(record)} == {after.labels[code] for code in codes} - {None}
    for code, label in after.labels.items():
        assert label is None or code in after.members[after.names.index(label)]


# (h,k,p)-coherence


@settings(max_examples=100, deadline=None)
@given(published_rows, st.integers(1, 4), st.integers(1, 3), SHARES, st.sets(st.sampled_from("ghxa"), min_size=1))
def test_coherence_is_judged_on_what_labels_may_stand_for(
    records: Any, k: int, p: int, most: Fraction, private: set[str]
) -> None:
    data = CodeSets.of(records, published=True)
    found = Coherence(k, p, most, sorted(private)).check(data)
    assert found.ok is not bool(moles_of(plainly(data), private, k, p, most))
    assert found.details.absent == len(private - set(data.codes))


@settings(max_examples=80, deadline=None)
@given(rows, st.integers(1, 4), st.integers(1, 4), SHARES)
def test_moles_of_original_data_are_counted_exactly(records: Any, k: int, p: int, most: Fraction) -> None:
    data = CodeSets.of(records)
    found = Coherence(k, p, most, ["g", "h"]).check(data)
    plain_records = plainly(data)
    assert found.value == len(moles_of(plain_records, {"g", "h"}, k, p, most))
    known = [one for one in plain.combinations(CODES[:6], p) if plain.support(plain_records, one)]
    supports = {one: plain.support(plain_records, one) for one in known}
    assert found.details.smallest == min(supports.values(), default=None)
    shares = [Fraction(plain.support(plain_records, (*one, s)), supports[one]) for one in known for s in "gh"]
    assert found.details.confidence == max(shares, default=0)
    assert found.details.baseline == Fraction(max(plain.support(plain_records, s) for s in "gh"), len(records))


def test_the_tutorials_coherent_release_is_not_made_by_suppression() -> None:
    """It merges two codes. By suppression alone three of the five have to go: all smaller choices leave a mole."""
    coherent = Coherence(2, 2, 0.5, ["295"])
    assert minimal(moles_of(as_labels(HYPERTENSION), {"295"}, 2, 2, Fraction(1, 2))) == [
        {"401.2"},
        {"401.3"},
        {"401.4"},
    ]
    assert coherent.check(CodeSets.of(HYPERTENSION)).value == 4
    shown = [["401.0", "401.1"], ["(401.2,401.4)", "295"], ["401.0", "401.1"], ["(401.2,401.4)"]]
    found = coherent.check(CodeSets.of(shown, published=True))
    assert (found.ok, found.details.smallest, found.details.confidence) == (True, 2, Fraction(1, 2))
    assert Coherence(2, 2, 0.49, ["295"]).check(CodeSets.of(shown, published=True)).failed
    public = [f"401.{i}" for i in range(5)]
    enough = [
        set(gone)
        for gone in plain.combinations(public, 5)
        if not moles_of(as_labels(without(HYPERTENSION, gone)), {"295"}, 2, 2, Fraction(1, 2))
    ]
    assert minimal(enough) == [{"401.2", "401.3", "401.4"}]
    released = GreedySuppression().protect(CodeSets.of(HYPERTENSION), [coherent])
    assert suppressed(released.data) == {"401.2", "401.3", "401.4"}
    assert coherent.check(reread(released.data)).ok


@pytest.mark.parametrize(
    ("k", "moles", "optima"),
    [(2, ["b", "cd", "df", "ef"], ["bcf", "bde", "bdf"]), (3, ["b", "ad", "cd", "df", "ef"], ["bde", "bdf"])],
)
def test_ten_records_with_two_private_codes(k: int, moles: list[str], optima: list[str]) -> None:
    """All minimal moles, the smallest suppressions there are, and the greedy one, which is one of them."""
    private, most = {"g", "h"}, Fraction(3, 5)
    assert minimal(moles_of(as_labels(TEN), private, k, 2, most)) == [set(one) for one in moles]
    enough = [
        gone
        for gone in plain.combinations(CODES[:6], 6)
        if not moles_of(as_labels(without(TEN, gone)), private, k, 2, most)
    ]
    fewest = min(map(len, enough))
    assert ["".join(gone) for gone in enough if len(gone) == fewest] == optima
    coherent = Coherence(k, 2, 0.6, ["g", "h"])
    for mechanism in (GreedySuppression(), GreedySuppression("codes")):
        released = mechanism.protect(CodeSets.of(TEN), [coherent])
        assert suppressed(released.data) == {"b", "d", "e"}
        assert (released.details.moles, released.details.suppressed_occurrences) == (len(moles), 3 + 4 + 7)


@settings(max_examples=100, deadline=None)
@given(rows, st.integers(1, 4), st.integers(1, 4), SHARES, st.sets(st.sampled_from("ghx"), min_size=1))
def test_suppression_leaves_no_mole_and_no_code_out_in_vain(
    records: Any, k: int, p: int, most: Fraction, private: set[str]
) -> None:
    before = CodeSets.of(records)
    coherent = Coherence(k, p, most, sorted(private))
    moles = moles_of(plainly(before), private, k, p, most)
    alone = [one for one in moles if len(one) == 1]
    public = set(before.names) - private
    if len(records) < k or (public and len(alone) == len(public)):
        with pytest.raises(Infeasible, match=r"cannot hide anyone|every public code"):
            GreedySuppression().protect(before, [coherent])
        return
    released = GreedySuppression().protect(before, [coherent])
    check_recoding(before, released.data)
    assert not moles_of(plainly(released.data), private, k, p, most)
    assert coherent.check(reread(released.data)).ok
    assert released.details.moles == len(minimal(moles))
    gone = suppressed(released.data)
    assert not gone & private
    for code in gone:
        assert moles_of(as_labels(without(records, gone - {code})), private, k, p, most)


@settings(max_examples=40, deadline=None)
@given(rows, st.data())
def test_two_criteria_in_any_order_of_records(records: Any, data: Any) -> None:
    """A code may be private to one and public to the other."""
    must = [Coherence(2, 2, 0.5, ["g", "h"]), Coherence(1, 3, 0.7, ["a"])]
    shuffled = data.draw(st.permutations(records))
    try:
        released = GreedySuppression().protect(CodeSets.of(records), must).data
    except Infeasible:
        return
    assert all(one.check(reread(released)).ok for one in must)
    assert GreedySuppression().protect(CodeSets.of(shuffled), must).data.labels == released.labels


@settings(max_examples=40, deadline=None)
@given(rows, st.integers(2, 3))
def test_few_moles_at_a_time_are_enough(records: Any, k: int) -> None:
    """What is too much to hold is settled in turns, with the same guarantee."""
    coherent = Coherence(k, 3, 0.6, ["g", "h"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(greedy_suppression, "MOST_MOLES", 1)
        try:
            released = GreedySuppression().protect(CodeSets.of(records), [coherent])
        except Infeasible:
            return
    assert coherent.check(reread(released.data)).ok


def test_what_is_beyond_reach_is_undecided_or_settled_from_below(monkeypatch: pytest.MonkeyPatch) -> None:
    data = CodeSets.of([list("abcd")] * 4 + [["a", "b"]] * 4)
    coherent = Coherence(3, 4, 1, ["x"])
    assert coherent.check(data).ok
    monkeypatch.setattr(hkp_coherence, "MOST_OCCURRENCES", 27)
    found = coherent.check(data)
    assert (found.ok, found.failed, len(found.details.by_size)) == (None, True, 1)
    assert "combinations of 2 codes are too many" in found.note
    assert Coherence(5, 4, 1, ["x"]).check(data).value > 0  # single codes are moles already
    monkeypatch.setattr(greedy_suppression, "MOST_OCCURRENCES", 15)
    with pytest.raises(Infeasible, match="cannot be counted"):
        GreedySuppression().protect(data, [coherent])
    released = GreedySuppression().protect(data, [Coherence(5, 2, 1, ["x"])])
    assert set(released.data.names) == {"a", "b"}


@pytest.mark.parametrize("size", [1, 3, 13])
def test_cohorts_of_any_size(size: int) -> None:
    """13 of 40 codes do not fit into one number: they are counted first code by first code."""
    rng = np.random.default_rng(5)
    public = [sorted(rng.choice(40, size=14, replace=False).tolist()) for _ in range(6)]
    public += [public[0]] * 2
    private = [sorted(rng.choice(3, size=rng.integers(0, 3), replace=False).tolist()) for _ in public]
    support: Counter[tuple[int, ...]] = Counter()
    beside: Counter[tuple[tuple[int, ...], int]] = Counter()
    for known, hidden in zip(public, private, strict=True):
        for one in itertools.combinations(known, size):
            support[one] += 1
            beside.update((one, s) for s in hidden)
    wanted = {one: (n, max(beside[one, s] for s in range(3))) for one, n in support.items()}
    found = {
        tuple(one): (int(n), int(most))
        for part in cohorts(Sets.of(public), Sets.of(private), size)
        for one, n, most in zip(
            part.combinations(np.arange(len(part.support))).tolist(), part.support, part.shared, strict=True
        )
    }
    assert found == wanted


def test_compiled_loops_count_as_numpy_does(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    data = CodeSets.of([[f"{c:03}" for c in rng.zipf(1.3, size=8) % 50] for _ in range(300)])
    coherent = Coherence(3, 3, 0.5, ["003", "007", "011"])
    by_numpy, released = coherent.check(data), GreedySuppression().protect(data, [coherent]).data.labels
    monkeypatch.setattr("sharewell.codes.engine.rules._MANY", -1)
    assert coherent.check(data) == by_numpy
    assert GreedySuppression().protect(data, [coherent]).data.labels == released


def test_coherence_of_odd_data(tmp_path: Path) -> None:
    coherent = Coherence(2, 2, "1/2", ["s", "s", "t"])  # type: ignore[arg-type]
    assert coherent.private == ("s", "t")
    assert coherent.max_confidence == Fraction(1, 2)
    assert coherent.check(CodeSets.of([])).failed
    assert coherent.check(CodeSets.of([[], []])).ok
    assert coherent.check(CodeSets.of([["s"], ["s"]])).ok  # nothing is known that could find anyone
    wide = CodeSets.of([[f"c{i}" for i in range(500)]] * 2 + [["c1", "c1"]])
    assert coherent.check(wide).ok
    file = tmp_path / "private.csv"
    file.write_text("# mental health\n295 296\n303\n")
    assert Coherence(2, 2, 0.5, file=file).private == ("295", "296", "303")  # type: ignore[arg-type]
    for wrong in (
        lambda: Coherence(0, 2, 0.5, ["s"]),
        lambda: Coherence(2, 0, 0.5, ["s"]),
        lambda: Coherence(2, 2, 1.5, ["s"]),
        lambda: Coherence(2, 2, "much", ["s"]),  # type: ignore[arg-type]
        lambda: Coherence(2, 2, 0.5, []),
        lambda: Coherence(2, 2, 0.5, "s"),
        lambda: GreedySuppression("time"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ValueError, match=r"must|is a share"):
            wrong()


def test_suppression_refuses_what_it_cannot_do() -> None:
    coherent = Coherence(2, 2, 0.5, ["s"])
    with pytest.raises(PolicyError, match="cannot make km-anonymity hold"):
        GreedySuppression().protect(CodeSets.of([["a"]] * 3), [coherent, KmAnonymity(2)])
    with pytest.raises(PolicyError, match="none was asked for"):
        GreedySuppression().protect(CodeSets.of([["a"]] * 3), [])
    with pytest.raises(PolicyError, match="published already"):
        GreedySuppression().protect(CodeSets.of([["a"]] * 3, published=True), [coherent])
    with pytest.raises(Infeasible, match="0 records cannot hide"):
        GreedySuppression().protect(CodeSets.of([]), [coherent])
    released = GreedySuppression().protect(CodeSets.of([["s"], ["s", "s"], []]), [coherent])
    assert released.data.names == ("s",)


# PS-rules

sides = st.sets(st.sampled_from("abcdefx"), min_size=1, max_size=3)
inferred = st.sets(st.sampled_from("ghy"), min_size=1, max_size=2)
rules_drawn = st.lists(st.tuples(sides, inferred), min_size=1, max_size=4)


def unprotected(records: Any, rules: PSRules) -> list[int]:
    failing = []
    for place, rule in enumerate(rules.each, start=1):
        support = plain.support(records, rule.known)
        if support and (support < rule.k or plain.support(records, rule.known + rule.inferred) > rule.c * support):
            failing.append(place)
    return failing


def as_rules(drawn: Any, k: Any, c: Any) -> PSRules:
    return PSRules([[sorted(known), sorted(inferred)] for known, inferred in drawn], k, c)


@settings(max_examples=120, deadline=None)
@given(published_rows, rules_drawn, st.data())
def test_rules_are_judged_on_what_labels_may_stand_for(records: Any, drawn: Any, data: Any) -> None:
    release = CodeSets.of(records, published=True)
    k = data.draw(st.lists(st.integers(1, 4), min_size=len(drawn), max_size=len(drawn)))
    c = data.draw(st.lists(SHARES, min_size=len(drawn), max_size=len(drawn)))
    rules = as_rules(drawn, k, c)
    assert [(rule.k, rule.c) for rule in rules.each] == list(zip(k, c, strict=True))
    found = rules.check(release)
    failing = unprotected(plainly(release), rules)
    assert (found.value, list(found.details.failing), found.ok) == (len(failing), failing, not failing)


def test_the_tutorials_rules() -> None:
    shown = CodeSets.of([["401.0"], ["(401.2,401.4)", "295"], ["401.3"], ["(401.2,401.4)"]], published=True)
    found = PSRules([[["401.2"], ["295"]]], 2, 0.5).check(shown)
    assert (found.ok, found.details.smallest, found.details.confidence) == (True, 2, Fraction(1, 2))
    assert PSRules([[["401.2"], ["295"]]], 3, 0.5).check(shown).failed
    assert PSRules([[["401.2"], ["295"]]], 2, 0.49).check(shown).failed
    table = ["a b (c,d) g", "a (c,d) (e,f) h i", "b (c,d) g j", "(e,f) g h", "a b (c,d) (e,f) j", "(c,d) (e,f) i"]
    letters = CodeSets.of([row.split() for row in table], published=True)
    assert PSRules([["cd", "hi"]], 5, 0.2).rule_supports(letters) == [(0, 0)]  # a text is one code
    found = PSRules([[["c", "d"], ["h", "i"]]], 5, 0.2).check(letters)
    assert (found.ok, found.details.smallest, found.details.confidence) == (True, 5, Fraction(1, 5))
    alone = PSRules([[["c", "d"], ["h"]], [["c", "d"], ["i"]]], 5, 0.2)  # for h or i, two of the five
    assert alone.rule_supports(letters) == [(5, 1), (5, 2)]
    assert alone.check(letters).details.failing == (2,)


def test_a_rule_for_every_combination_is_coherence() -> None:
    data = CodeSets.of(TEN)
    for k, most in itertools.product((1, 2, 3), (0.4, 0.6, 1)):
        rules = [[list(one), [s]] for one in plain.combinations(CODES[:6], 2) for s in "gh"]
        coherent = Coherence(k, 2, most, ["g", "h"])  # type: ignore[arg-type]
        assert PSRules(rules, k, most).check(data).ok is coherent.check(data).ok  # type: ignore[arg-type]


@settings(max_examples=120, deadline=None)
@given(rows, rules_drawn, st.integers(1, 4), SHARES)
def test_rbat_protects_every_rule(records: Any, drawn: Any, k: int, c: Fraction) -> None:
    before, rules = CodeSets.of(records), as_rules(drawn, k, c)
    try:
        released = RBAT().protect(before, [rules])
    except Infeasible as refusal:
        if "no recoding protects" in str(refusal):
            assert not any_partition_protects(before, rules)
        return
    after = released.data
    check_recoding(before, after)
    assert not unprotected(plainly(after), rules)
    assert rules.check(reread(after)).ok
    sensitive = {code for rule in rules.each for code in rule.inferred}
    for code, label in after.labels.items():
        assert label is not None  # nothing is suppressed
        assert code not in sensitive or label == code
    assert released.details.labels == len(after.names)


def partitions(codes: list[str]) -> Any:
    if not codes:
        yield []
        return
    for rest in partitions(codes[1:]):
        yield [[codes[0]], *rest]
        for i, group in enumerate(rest):
            yield [*rest[:i], [codes[0], *group], *rest[i + 1 :]]


def any_partition_protects(before: CodeSets, rules: PSRules) -> bool:
    sensitive = {code for rule in rules.each for code in rule.inferred}
    original = plainly(before)
    public = set(before.names) - sensitive
    if len(public) > 5:  # enough of them, and quick
        return False
    for groups in partitions(sorted(public)):
        label = {code: frozenset(group) for group in groups for code in group}
        if not unprotected([[label.get(*one, one) for one in row] for row in original], rules):
            return True
    return False


@settings(max_examples=60, deadline=None)
@given(rows, rules_drawn, st.data())
def test_rbat_is_the_same_for_any_order_of_records(records: Any, drawn: Any, data: Any) -> None:
    rules = as_rules(drawn, 2, Fraction(1, 2))
    shuffled = data.draw(st.permutations(records))
    try:
        one = RBAT().protect(CodeSets.of(records), [rules]).data.labels
    except Infeasible:
        with pytest.raises(Infeasible):
            RBAT().protect(CodeSets.of(shuffled), [rules])
        return
    assert RBAT().protect(CodeSets.of(shuffled), [rules]).data.labels == one


def test_rbat_makes_the_tutorials_tables() -> None:
    data = CodeSets.of([["401.0"], ["401.2", "295"], ["401.3"], ["401.4"]])
    released = RBAT().protect(data, [PSRules([[["401.2"], ["295"]]], 2, 0.5)]).data
    assert sorted(released.names) == ["(401.2,401.4)", "295", "401.0", "401.3"]
    letters = CodeSets.of([list(row) for row in ("abcg", "acehi", "bdgj", "egh", "abcdfj", "dfi")])
    rules = PSRules([[["c", "d"], ["h", "i"]]], 5, 0.2)
    assert rules.check(letters).failed
    released = RBAT().protect(letters, [rules]).data
    assert rules.check(released).details.smallest == 5
    assert sorted(released.names) == [
        "(c,d)",
        *"abefghij",
    ]  # the tutorial merges e and f too, for no rule


def test_a_start_that_fails_does_not_end_the_search() -> None:
    """One label for all would betray s; x by itself does not."""
    data = CodeSets.of([["x"], ["x"], ["y", "s"], ["y", "s"]])
    rules = PSRules([[["x"], ["s"]]], 2, 0)
    assert rules.check(CodeSets.of([["(x,y)"]] * 2 + [["(x,y)", "s"]] * 2, published=True)).failed
    assert RBAT().protect(data, [rules]).data.labels == {"x": "x", "y": "y", "s": "s"}


def test_infeasible_means_that_rbat_found_none() -> None:
    """Merging a and c would protect the rule; the split that leads there leaves too few records with a."""
    data, rules = CodeSets.of([["a", "b", "c"], ["c"], ["b", "s"]]), PSRules([[["a"], ["s"]]], 2, 0)
    assert any_partition_protects(data, rules)
    with pytest.raises(Infeasible, match="found no recoding that protects 1 of 1 rules"):
        RBAT().protect(data, [rules])


def test_rbat_names_the_rules_it_could_not_protect() -> None:
    data = CodeSets.of([["x", "s"], ["x", "s"], ["y"], ["z"]])
    easy, hard = [["y"], ["t"]], [["x"], ["s"]]
    with pytest.raises(Infeasible, match="no recoding protects 1 of 2 rules") as refusal:
        RBAT().protect(data, [PSRules([easy, hard], 1, 0.25)])
    assert refusal.value.blocking == ("rules (by their place in the policy): 2",)
    both = [PSRules([easy], 1, 1), PSRules([[["x"], ["s"]]], 1, 0.25)]
    with pytest.raises(Infeasible) as refusal:
        RBAT().protect(data, both)
    assert refusal.value.blocking == ("rules (by their place in the policy): 1 of list 2",)
    many = CodeSets.of([[f"c{i}", "s"] for i in range(4)] + [[]] * 9)
    with pytest.raises(Infeasible, match="found no recoding that protects 1 of 1 rules"):
        RBAT().protect(many, [PSRules([[["c0"], ["s"]]], 2, 0.5)])
    with pytest.raises(Infeasible, match="4 records cannot hide anyone among 5"):
        RBAT().protect(data, [PSRules([easy], 5, 1)])


@pytest.mark.parametrize("all_pairs", [1, 500])
def test_labels_too_large_for_all_pairs(all_pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    data = CodeSets.of([[f"{c:03}" for c in rng.zipf(1.3, size=6) % 60] for _ in range(80)])
    rules = PSRules([[[a, b], [data.names[20]]] for a, b in itertools.pairwise(data.names[:20])], 4, 0.6)
    monkeypatch.setattr(rbat, "_ALL_PAIRS", all_pairs)
    by_numpy = RBAT().protect(data, [rules]).data
    assert rules.check(reread(by_numpy)).ok
    monkeypatch.setattr(rbat, "_LARGE", -1)
    assert RBAT().protect(data, [rules]).data.labels == by_numpy.labels


def test_rbat_refuses_what_it_cannot_do() -> None:
    rules = PSRules([[["a"], ["s"]]], 2, 0.5)
    with pytest.raises(PolicyError, match="cannot make km-anonymity hold"):
        RBAT().protect(CodeSets.of([["a"]] * 3), [rules, KmAnonymity(2)])
    with pytest.raises(PolicyError, match="none was asked for"):
        RBAT().protect(CodeSets.of([["a"]] * 3), [])
    with pytest.raises(PolicyError, match="published already"):
        RBAT().protect(CodeSets.of([["a"]] * 3, published=True), [rules])
    assert RBAT().protect(CodeSets.of([["s"], [], []]), [rules]).data.names == ("s",)
    assert RBAT().protect(CodeSets.of([[], []]), [rules]).data.names == ()
    assert rules.check(CodeSets.of([])).failed
    chained = PSRules([[["a"], ["s"]], [["s"], ["t"]]], 2, 0.5)  # what one rule infers another knows
    data = CodeSets.of([["a", "s"], ["a"], ["s", "t"], ["s"], ["b"]])
    assert chained.check(RBAT().protect(data, [chained]).data).ok


def test_rules_from_files(tmp_path: Path) -> None:
    file = tmp_path / "rules.csv"
    file.write_text("# what the insurer may know\n401.2 250.00 > 295\n401.4>303,304 k=5\n\n780.2 > 295 c=1/4 k=3\n")
    rules = PSRules(k=2, c=0.5, file=file)  # type: ignore[arg-type]
    assert rules.rules == (
        (("250.00", "401.2"), ("295",)),
        (("401.4",), ("303", "304")),
        (("780.2",), ("295",)),
    )
    assert rules.k == (2, 5, 3)
    assert rules.c == (Fraction(1, 2), Fraction(1, 2), Fraction(1, 4))
    for wrong in ("401.2 295\n", "a > b > c\n", "a > \n", "a > b k=x\n", "a > b k=0\n", "a > a\n", "a > b c=2\n"):
        file.write_text(f"ok > fine\n{wrong}")
        with pytest.raises(DataError, match="rule 2 of the file"):
            PSRules(k=2, c=0.5, file=file)  # type: ignore[arg-type]
    for bad in (
        lambda: PSRules([], 2, 0.5),
        lambda: PSRules("a > b", 2, 0.5),  # type: ignore[arg-type]
        lambda: PSRules([[["a"]]], 2, 0.5),
        lambda: PSRules([[["a"], []]], 2, 0.5),
        lambda: PSRules([[["a"], ["a", "b"]]], 2, 0.5),
        lambda: PSRules([[["a"], ["b"]]], 0, 0.5),
        lambda: PSRules([[["a"], ["b"]]], 2, -1),  # type: ignore[arg-type]
        lambda: PSRules([[["a"], ["b"]]], [2, 2], 0.5),
    ):
        with pytest.raises(ValueError, match=r"must|is a share"):
            bad()
