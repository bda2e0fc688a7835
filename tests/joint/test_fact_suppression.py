"""Facts that are left out go from a whole group, and nothing more than needed goes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from sharewell.joint.engine.joined_records import JoinedRecords
from sharewell.joint.engine.protection.fact_suppression import LargestShare, LeftOut, coarsened, facts_to_leave_out
from sharewell.protocols import CoarserFacts, PersonFacts

WHO = list("abcdef")
PEOPLE = PersonFacts(WHO, {"age": np.array([0, 0, 0, 1, 1, 1])}, ("age",), {"ill": np.array([0, 0, 1, 0, 1, 1])})


def test_nothing_goes_where_everything_is_shared() -> None:
    codes = PersonFacts(WHO, {}, sets=(np.arange(7), np.zeros(6, int)))
    assert facts_to_leave_out(
        JoinedRecords.of({"people": PEOPLE, "codes": codes}, {"people": ["age"], "codes": 1}), 3
    ).nothing


def test_a_rare_code_goes_from_its_group_alone() -> None:
    codes = PersonFacts(WHO, {}, sets=(np.arange(7), np.array([0, 0, 1, 1, 1, 1])))
    out = facts_to_leave_out(JoinedRecords.of({"people": PEOPLE, "codes": codes}, {"people": ["age"], "codes": 1}), 2)
    assert out.facts["codes"]["labels"].tolist() == [False, False, True, False, False, False]
    assert not out.records["codes"].any()


def test_of_a_rare_pair_one_code_goes() -> None:
    """Codes 0 and 1 are frequent, and only a has both."""
    starts, items = np.array([0, 2, 3, 4]), np.array([0, 1, 0, 1])
    codes = PersonFacts(list("abc"), {}, sets=(starts, items))
    out = facts_to_leave_out(JoinedRecords.of({"codes": codes}, {"codes": 2}), 2)
    assert out.facts["codes"]["labels"].tolist() in ([True, False, True, False], [False, True, False, True])


def test_a_place_goes_for_everybody() -> None:
    """Whoever knows a hidden value could tell apart those who show another one."""
    dna = PersonFacts(list("abc"), {"1": np.array([0, 0, 1]), "2": np.array([5, 5, 5])}, places=("1", "2"))
    out = facts_to_leave_out(JoinedRecords.of({"dna": dna}, {"dna": 1}), 2)
    assert out.facts["dna"]["places"].reshape(3, 2).tolist() == [[True, False]] * 3


def test_persons_of_small_groups_are_withheld() -> None:
    codes = PersonFacts([*WHO, "stranger"], {}, sets=(np.arange(8), np.zeros(7, int)))
    out = facts_to_leave_out(JoinedRecords.of({"people": PEOPLE, "codes": codes}, {"people": ["age"], "codes": 1}), 2)
    assert out.records["codes"].tolist() == [False] * 6 + [True]
    assert out.persons == 1


def test_whoever_shows_nothing_any_more_is_withheld_unless_enough_do() -> None:
    """Of four, one has another code, which goes: the empty record would tell whose it was."""
    starts, items = np.array([0, 1, 2, 3, 3]), np.zeros(3, int)
    codes = PersonFacts(list("abcd"), {}, sets=(starts, items))
    out = facts_to_leave_out(JoinedRecords.of({"codes": codes}, {"codes": 1}), 2)
    assert out.records["codes"].tolist() == [False, False, False, True]


def test_a_code_that_gives_a_value_away_goes() -> None:
    codes = PersonFacts(WHO, {}, sets=(np.arange(7), np.array([0, 0, 1, 1, 1, 1])))
    joined = JoinedRecords.of({"people": PEOPLE, "codes": codes}, {"people": ["age"], "codes": 1})
    share = LargestShare.of(joined, ("people", "ill"), Fraction(2, 3))
    out = facts_to_leave_out(joined, 1, [share])
    assert out.facts["codes"]["labels"].tolist() == [True, True, True, False, False, False]


def test_a_group_that_gives_a_value_away_by_itself_is_withheld() -> None:
    alike = PersonFacts(list("abc"), {"age": np.zeros(3, int)}, ("age",), {"ill": np.zeros(3, int)})
    joined = JoinedRecords.of({"people": alike}, {"people": ["age"]})
    out = facts_to_leave_out(joined, 1, [LargestShare.of(joined, ("people", "ill"), Fraction(2, 3))])
    assert out.persons == 3


def test_facts_that_nobody_knows_stay() -> None:
    codes = PersonFacts(list("abc"), {}, sets=(np.arange(4), np.array([0, 1, 2])))
    assert facts_to_leave_out(JoinedRecords.of({"codes": codes}, {"codes": 0}), 2).nothing


def test_a_category_takes_the_place_of_codes_where_k_persons_show_it_and_it_gives_no_value_away() -> None:
    """Codes 0 and 1 are of category 4, codes 2 and 3 of category 5; a and b have the same illness."""
    who = list("abcd")
    people = PersonFacts(who, {"age": np.zeros(4, int)}, ("age",), {"ill": np.array([0, 0, 0, 1])})
    codes = PersonFacts(who, {}, sets=(np.arange(5), np.arange(4)))
    joined = JoinedRecords.of({"people": people, "codes": codes}, {"people": ["age"], "codes": 1})
    half = LargestShare.of(joined, ("people", "ill"), Fraction(1, 2))
    tree = CoarserFacts(np.arange(6), np.array([4, 4, 5, 5, -1, -1]), np.array([0, 0, 0, 0, 0.25, 0.25]))
    out = LeftOut({"codes": {"labels": np.ones(4, bool)}}, {"codes": np.zeros(4, bool)})
    for k, shares, nodes in (
        (2, [], [4, 4, 5, 5]),
        (3, [], [-1, -1, -1, -1]),
        (2, [half], [-1, -1, 5, 5]),
        (3, [half], [-1, -1, -1, -1]),
    ):
        result = coarsened(joined, out, k, shares, {"codes": tree})
        assert result.coarser["codes"].tolist() == nodes, (k, shares)
        assert result.facts["codes"]["labels"].tolist() == [node < 0 for node in nodes]
