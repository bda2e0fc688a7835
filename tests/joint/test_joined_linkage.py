"""The attack on joined records finds who is alone, and says what it knows."""

from __future__ import annotations

import numpy as np
import pytest

from sharewell.joint.attacks.joined_linkage import JoinedLinkage, usual_knowledge
from sharewell.protocols import PersonFacts

WHO = list("abcd")
PEOPLE = PersonFacts(WHO, {"age": np.array([0, 0, 0, 1])}, ("age",))
VISITS = PersonFacts([*WHO, "a"], {"ward": np.array([0, 0, 1, 1, 1])}, ("ward",))


def test_the_mean_over_persons_of_one_among_those_who_fit() -> None:
    finding = JoinedLinkage().measure({"people": PEOPLE})
    assert finding.value == pytest.approx((3 * (1 / 3) + 1) / 4)
    assert finding.details.worst == 1
    assert "age of people" in finding.note


def test_more_datasets_find_more() -> None:
    both = JoinedLinkage().measure({"people": PEOPLE, "visits": VISITS})
    assert both.value is not None
    assert both.value > (JoinedLinkage().measure({"people": PEOPLE}).value or 1)


def test_usual_knowledge_is_columns_of_single_records_and_one_of_the_rest() -> None:
    assert usual_knowledge({"people": PEOPLE, "visits": VISITS}) == {"people": ["age"], "visits": 1}


def test_nobody_published_is_no_finding_of_zero() -> None:
    nobody = PersonFacts([], {"age": np.zeros(0, int)}, ("age",))
    assert JoinedLinkage().measure({"people": nobody}).value is None
