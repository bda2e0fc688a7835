"""What stands beside a verdict, from the certificate and the findings alone."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from sharewell.findings import Tier
from sharewell.pipeline.verdict_facts import UNREADABLE, Cautions

CERTIFICATE: dict[str, Any] = {
    "after": [],
    "release": {"name": "clinic"},
    "datasets": {
        "patients": {
            "columns": {
                "age": {"role": "quasi"},
                "plan": {"role": "keep"},
                "illness": {"role": "sensitive"},
                "income": {"role": "sensitive", "style": "rounded"},
                "remarks": {"role": "text"},
            },
            "findings": [{"name": "k-anonymity", "tier": "recipient"}, {"name": "k-map", "tier": "steward"}],
            "texts": {"columns": {"remarks": {"findings": [{"name": "text-agrees-with-table", "tier": "steward"}]}}},
            "utility": [{"name": "ncp", "tier": "attested"}],
        },
        "wards": {"columns": {"ward": {"role": "quasi"}}, "findings": [{"name": "cells", "tier": "recipient"}]},
    },
    "together": {"judged": [], "not_judged": [["patients", "wards"]]},
}


def test_every_claim_is_counted_by_who_can_recheck_it() -> None:
    told = Cautions.of(CERTIFICATE)
    assert (told.rechecked_by_recipients, told.rechecked_by_steward, told.attested, told.claims) == (2, 2, 1, 5)
    assert told.lines()[0] == (
        "Recipients can re-check 2 of 5 claims themselves; 2 need the steward's files;"
        " 1 rests on the certificate's word."
    )


def test_what_is_published_as_it_is_comes_by_dataset() -> None:
    """A sensitive column whose cells were changed is not among them."""
    told = Cautions.of(CERTIFICATE)
    assert (told.kept_columns, told.text_columns) == ({"patients": ("plan",)}, {"patients": ("remarks",)})
    assert told.sensitive_columns == {"patients": ("illness",)}
    assert told.lines()[1] == (
        "Published unchanged: plan of patients. Sensitive values published unchanged: illness of patients."
        " Free text: remarks of patients."
    )


def test_linking_is_measured_only_by_an_attack_with_a_list_of_others() -> None:
    known = {"name": "linkage", "against": ["population"], "after": {"value": 0.1}}
    own = {"name": "prosecutor", "after": {"value": 0.1}}
    findings = {"datasets": {"patients": {"attacks": [known]}, "wards": {"attacks": [own]}}}
    assert Cautions.of(CERTIFICATE, findings).not_measured[0] == "linking wards with data that others hold"
    failed = {**known, "after": {"value": None}}
    findings["datasets"]["patients"] = {"attacks": [failed]}
    assert Cautions.of(CERTIFICATE, findings).not_measured[0] == "linking patients and wards with data that others hold"
    assert "a verification mounts no attack" in Cautions.of(CERTIFICATE).not_measured[0]


def test_earlier_releases_and_pairs_that_nobody_judged_are_named() -> None:
    certificate = copy.deepcopy(CERTIFICATE)
    assert Cautions.of(certificate).not_measured[1:] == (
        "other releases about the same people (none was named)",
        "patients with wards, taken together",
    )
    certificate["after"] = [{"name": "wards-2025"}]
    certificate["together"]["not_judged"] *= 6
    assert Cautions.of(certificate).not_measured[1:] == (
        "other releases about the same people (other than wards-2025)",
        "6 pairs of datasets, taken together",
    )


def test_a_verification_counts_what_it_could_open() -> None:
    told = Cautions.of(CERTIFICATE).rechecked([Tier.RECIPIENT, Tier.ATTESTED, Tier.ATTESTED])
    assert told.lines()[0] == "Recipients can re-check 1 of 3 claims themselves; 2 rest on the certificate's word."


@pytest.mark.parametrize("part", [None, *CERTIFICATE])
def test_a_damaged_certificate_never_sounds_better(part: str | None) -> None:
    damaged = {} if part is None else {**CERTIFICATE, part: None}
    assert UNREADABLE in Cautions.of(damaged).lines()[2]


def test_a_text_that_nothing_holds_against_its_row_is_said() -> None:
    certificate = copy.deepcopy(CERTIFICATE)
    certificate["datasets"]["patients"]["texts"]["columns"]["remarks"]["findings"] = []
    assert "whether remarks of patients discloses more than its row" in Cautions.of(certificate).not_measured
    assert not any("than its row" in words for words in Cautions.of(CERTIFICATE).not_measured)


def test_a_table_without_quasi_columns_is_said_to_be_one_class() -> None:
    """k-anonymity counts all its rows as one class, and so holds over columns that single everybody out."""
    said = "who the rows of patients are about"
    assert not any(one.startswith(said) for one in Cautions.of(CERTIFICATE).not_measured)
    alone = copy.deepcopy(CERTIFICATE)
    alone["datasets"]["patients"]["columns"] = {"age": {"role": "keep"}, "illness": {"role": "sensitive"}}
    assert any(one.startswith(said) for one in Cautions.of(alone).not_measured)
    alone["datasets"]["patients"]["columns"] = {}
    assert not any(one.startswith(said) for one in Cautions.of(alone).not_measured)


def test_records_that_are_counted_for_want_of_a_person_are_said() -> None:
    told = copy.deepcopy(CERTIFICATE)
    told["datasets"]["wards"] |= {"unit": "records", "persons": "none"}
    told["datasets"]["patients"] |= {"unit": "records", "persons": "internal"}
    line = "whether a person has several records in wards (no column identifies persons: records are counted)"
    assert line in Cautions.of(told).not_measured
    assert not any("several records in patients" in one for one in Cautions.of(told).not_measured)
    assert line not in Cautions.of(CERTIFICATE).not_measured
