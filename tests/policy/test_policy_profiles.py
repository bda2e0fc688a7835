"""Profiles add criteria, list what is weaker, and claim nothing they do not enforce."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from policy_texts import VALID

from sharewell.errors import PolicyError
from sharewell.policy import Policy
from sharewell.policy.profiles import FACTS, profile, profiles

Loaded = Callable[[str], Policy]
K_OF = {
    "ema-policy-0070": 11,
    "health-canada-prci": 11,
    "ipc-ontario-2025/low": 11,
    "ipc-ontario-2025/medium": 14,
    "ipc-ontario-2025/high": 20,
    "cms-cell-11": 11,
    "opensafely": 8,
    "el-emam/3": 3,
    "el-emam/5": 5,
    "el-emam/11": 11,
    "el-emam/20": 20,
}


def _with(name: str, require: str = "k-anonymity: {k: 5}") -> str:
    return f"profile: {name}\n" + VALID.replace("k-anonymity: {k: 5}", require)


def test_every_profile_has_a_title_a_citation_and_notes() -> None:
    assert all(p.title and p.citation and p.notes for p in profiles())
    assert len({p.name for p in profiles()}) == len(FACTS)


def test_each_profile_enforces_its_class_size_and_no_other() -> None:
    asked = [(p.name, one) for p in profiles() for one in p.criteria]
    assert {name: one.parameters["k"] for name, one in asked if one.name == "k-anonymity"} == K_OF
    assert [name for name, one in asked if one.name != "k-anonymity"] == ["hipaa-safe-harbor"]


@pytest.mark.parametrize("name", [n for n in K_OF if profile(n).bound is not None])
def test_the_class_size_is_the_smallest_within_the_bound(name: str) -> None:
    bound, k = profile(name).bound, K_OF[name]
    assert bound is not None
    assert Fraction(1, k) <= bound < Fraction(1, k - 1)


def test_no_number_is_attributed_to_expert_determination() -> None:
    found = profile("hipaa-expert-determination")
    assert not found.criteria
    assert not any(character.isdigit() for note in found.notes for character in note)


def test_what_the_policy_does_not_ask_for_is_added(loaded: Loaded) -> None:
    policy = loaded(_with("ipc-ontario-2025/high", "l-diversity: {l: 3}"))
    added = policy.datasets["patients"].require[-1]
    assert (added.name, added.parameters, added.from_profile) == ("k-anonymity", {"k": 20}, True)
    assert policy.decisions == ("datasets.patients: profile ipc-ontario-2025/high adds k-anonymity (k = 20)",)
    assert not policy.deviations


def test_a_weaker_criterion_is_enforced_as_written_and_listed(loaded: Loaded) -> None:
    policy = loaded(_with("ema-policy-0070"))
    assert [one.built.bound for one in policy.datasets["patients"].require] == [5, 2]
    assert policy.deviations == (
        "datasets.patients: k-anonymity k = 5 is weaker than profile ema-policy-0070 (k = 11)",
    )


@pytest.mark.parametrize("k", [11, 12, 100])
def test_a_criterion_as_strong_is_left_alone(loaded: Loaded, k: int) -> None:
    policy = loaded(_with("ema-policy-0070", f"k-anonymity: {{k: {k}}}"))
    assert len(policy.datasets["patients"].require) == 2
    assert not policy.deviations


def test_the_strongest_of_several_counts(loaded: Loaded) -> None:
    assert not loaded(_with("ema-policy-0070", "k-anonymity: {k: 5}\n      - k-anonymity: {k: 15}")).deviations
    weaker = loaded(_with("ema-policy-0070", "k-anonymity: {k: 5}\n      - k-anonymity: {k: 20, unit: record}"))
    assert weaker.deviations == (
        "datasets.patients: k-anonymity unit = record is weaker than profile ema-policy-0070 (k = 11)",
    )


def test_safe_harbor_refuses_shifted_dates(loaded: Loaded) -> None:
    with pytest.raises(PolicyError, match=r"15:7: .*admitted — profile hipaa-safe-harbor keeps only the year"):
        loaded(_with("hipaa-safe-harbor"))


def test_direct_identifiers_published_as_they_are_are_listed(loaded: Loaded) -> None:
    policy = loaded(_with("hipaa-limited-data-set").replace("name: drop", "name: keep"))
    assert policy.deviations == (
        "datasets.patients.columns.name: published as it is, and by its name it may hold a name",
    )
