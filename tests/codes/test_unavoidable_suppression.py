"""Set-based methods suppress last, and give up no more of what a study counts than the simplest recoding does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sharewell.codes import CBA, COAT, PCTA, UGACLIP, CodeSets, PrivacyPolicy, UtilityPolicy
from sharewell.errors import Infeasible

CODES = "abcdefgh"
METHODS = (UGACLIP(), CBA(), COAT(), PCTA())
Records = Sequence[frozenset[str]]


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[frozenset[str]], PrivacyPolicy, UtilityPolicy]:
    """Few records, combinations of which some identify, sets that a study counts, and further sets to merge in."""
    some = st.frozensets(st.sampled_from(CODES), min_size=1, max_size=5)
    records = draw(st.lists(some, min_size=3, max_size=12))
    listed = draw(st.lists(st.frozensets(st.sampled_from(CODES), min_size=1, max_size=4), min_size=1, max_size=5))
    owner = draw(st.lists(st.integers(-1, 3), min_size=len(CODES), max_size=len(CODES)))
    sets = [[code for code, number in zip(CODES, owner, strict=True) if number == i] for i in range(4)]
    private = PrivacyPolicy([sorted(one) for one in listed], k=draw(st.integers(2, 3)), strict=draw(st.booleans()))
    useful = UtilityPolicy([one for one in sets[:3] if one], others=[one for one in sets[3:] if one])
    return records, private, useful


def whole_sets(useful: UtilityPolicy) -> dict[str, frozenset[str]]:
    """The label of each code if every set is one label."""
    of_code = {code: frozenset(one) for one in (*useful.sets, *useful.others) for code in one}
    return {code: of_code.get(code, frozenset(code)) for code in CODES}


def support(
    records: Records, label_of: dict[str, frozenset[str]], suppressed: set[frozenset[str]], part: Iterable[str]
) -> int:
    """Records that show every label of a part, by the definition."""
    labels = {label_of[code] for code in part}
    if labels & suppressed:
        return 0
    return sum(all(label & record for label in labels) for record in records)


def is_met(
    records: Records,
    private: PrivacyPolicy,
    label_of: dict[str, frozenset[str]],
    suppressed: set[frozenset[str]],
    listed: Sequence[str],
) -> bool:
    parts = [listed] if not private.strict else [p for n in range(1, len(listed) + 1) for p in combinations(listed, n)]
    return all(support(records, label_of, suppressed, part) in (0, *range(private.k, 99)) for part in parts)


def trivially_suppressed(records: Records, private: PrivacyPolicy, useful: UtilityPolicy) -> set[frozenset[str]]:
    """Every set as one label; as long as a combination fails, all its labels go."""
    label_of, gone = whole_sets(useful), set[frozenset[str]]()
    while True:
        failing = [one for one in private.itemsets if not is_met(records, private, label_of, gone, one)]
        if not failing:
            return gone
        gone |= {label_of[code] for one in failing for code in one}


def kept_sets(useful: UtilityPolicy, shown: Iterable[str], records: Records) -> int:
    occurring = frozenset().union(*records)
    return sum(bool(set(one) & occurring) and set(one) & occurring <= set(shown) for one in useful.sets)


@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
@settings(max_examples=60, deadline=None)
@given(case=cases())
def test_no_method_keeps_fewer_utility_sets_than_the_simplest_recoding(method, case) -> None:  # type: ignore[no-untyped-def]
    records, private, useful = case
    gone = trivially_suppressed(records, private, useful)
    occurring = frozenset().union(*records)
    shown = [code for code in occurring if whole_sets(useful)[code] not in gone]
    assume(shown)
    released = method.protect(CodeSets.of([sorted(one) for one in records]), must=[private, useful])
    assert private.check(released.data).ok
    assert useful.check(released.data).ok
    assert kept_sets(useful, released.data.codes, records) >= kept_sets(useful, shown, records)
    if not gone:
        assert released.details.suppressed_codes == 0, "merging alone would have done"


def test_a_code_that_nobody_counts_is_suppressed_before_a_disease() -> None:
    """The rarest label of the combination is the disease, which the sketch of the literature suppresses."""
    rows = [["d1", "x"], ["d2", "x"], ["x"], ["x"], ["d1"], ["d2"], ["d1"]]
    data, private = CodeSets.of(rows), PrivacyPolicy([["d1", "d2", "x"]], k=3)
    released = UGACLIP().protect(data, must=[private, UtilityPolicy([["d1", "d2"]])])
    assert private.check(released.data).ok
    assert released.data.labels is not None
    assert released.data.labels["x"] is None
    assert released.data.labels["d1"] is not None


def test_sets_that_no_study_counts_are_given_up_first() -> None:
    rows = [["a1", "b1"], ["a2", "b2"], ["a1"], ["a2"], ["b1"], ["b2"]]
    data, private = CodeSets.of(rows), PrivacyPolicy([["a1", "b1"], ["a2", "b2"]], k=3)
    for first, other in (("a", "b"), ("b", "a")):
        policy = UtilityPolicy([[f"{first}1", f"{first}2"]], others=[[f"{other}1", f"{other}2"]])
        shown = UGACLIP().protect(data, must=[private, policy]).data.codes
        assert {f"{first}1", f"{first}2"} <= set(shown)


def test_a_budget_that_is_too_small_is_infeasible_all_the_same() -> None:
    data = CodeSets.of([["a", "b"], ["a"], ["b"], ["c"]])
    with pytest.raises(Infeasible):
        COAT(max_suppressed=0.0).protect(data, must=[PrivacyPolicy([["a", "b"]], k=2), UtilityPolicy([["a"], ["b"]])])


@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
def test_a_code_in_no_combination_stays(method) -> None:  # type: ignore[no-untyped-def]
    data, private = CodeSets.of([["c"], ["a", "b"]]), PrivacyPolicy([["b"]], k=2)
    released = method.protect(data, must=[private, UtilityPolicy([["a", "b"]])])
    assert private.check(released.data).ok
    assert "a" in released.data.codes
