"""What the page says of a release: never more than the certificate and the findings do."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import pytest

from sharewell.dossier import render

Json = dict[str, Any]


def said(certificate: Json, findings: Json) -> str:
    page = render(certificate, findings).partition("\n")[2]
    return " ".join("".join(ElementTree.fromstring(page).itertext()).split())


def claims(certificate: Json) -> list[Json]:
    return certificate["datasets"]["patients"]["findings"]


def test_all_hold(certificate: Json, findings: Json) -> None:
    assert "All 3 criteria hold." in said(certificate, findings)


@pytest.mark.parametrize(("ok", "word"), [(False, "✗ fails"), (None, "? undecided: counts as failed")])
def test_one_that_does_not_hold_is_the_first_thing_said(certificate: Json, findings: Json, ok: Any, word: str) -> None:
    claims(certificate)[1]["ok"] = ok
    page = said(certificate, findings)
    assert "1 of 3 criteria does not hold." in page
    assert word in page


def test_when_certificate_and_findings_differ_the_worse_counts(certificate: Json, findings: Json) -> None:
    findings["datasets"]["patients"]["criteria"][0]["ok"] = False
    page = said(certificate, findings)
    assert "1 of 3 criteria does not hold." in page
    assert "The certificate and the findings differ on k-anonymity of patients" in page


def test_two_criteria_alike_are_two(certificate: Json, findings: Json) -> None:
    """A policy may ask the same of two readers; each claim of the certificate is one criterion, and counts."""
    claims(certificate).append(dict(claims(certificate)[0]))
    assert "All 4 criteria hold." in said(certificate, findings)
    claims(certificate)[-1]["ok"] = False
    assert "1 of 4 criteria does not hold." in said(certificate, findings)


def test_a_failed_part_fails_the_whole(certificate: Json, findings: Json) -> None:
    part = {"name": "l-diversity", "column": "diagnosis", "value": 1, "bound": 2, "sense": "≥", "ok": False}
    findings["datasets"]["patients"]["criteria"][1]["parts"] = [part]
    assert "1 of 3 criteria does not hold." in said(certificate, findings)


def test_a_bound_without_a_verdict_is_undecided(certificate: Json, findings: Json) -> None:
    del claims(certificate)[0]["ok"]
    assert "1 of 3 criteria does not hold." in said(certificate, findings)


def test_nothing_asked_is_not_everything_held(certificate: Json, findings: Json) -> None:
    claims(certificate).clear()
    findings["datasets"]["patients"]["criteria"] = []
    page = said(certificate, findings)
    assert "The policy requires no criterion, so nothing was judged." in page
    assert "hold." not in page
    assert "The policy requires no criterion of patients." in page


def test_values_that_the_certificate_keeps_back_come_from_the_findings(certificate: Json, findings: Json) -> None:
    for claim in claims(certificate):
        claim.pop("value")
        claim.pop("details", None)
    page = said(certificate, findings)
    assert "All 3 criteria hold." in page
    assert "2 values" in page


def test_tiers_are_explained(certificate: Json, findings: Json) -> None:
    page = said(certificate, findings)
    assert "recipient (1)The recipient can re-check it from the published files alone." in page
    assert "steward (1)" in page
    assert "attested (1)Only the certificate says so" in page


def test_deviations_and_missing_signatures_are_at_the_top(certificate: Json, findings: Json) -> None:
    certificate["signed_by"] = None
    top = said(certificate, findings).split("2 Criteria, and who")[1]
    assert "The policy deviates from its profile, or from the usual, in 1 point:" in top
    assert "patients: k-anonymity k = 5, the profile asks for 20" in top
    assert "Unsigned: someone could have altered the files and recomputed the hashes." in top
    assert "No second person has approved the policy." in top
    assert "patients counts records, not persons" in top


def test_each_question_says_when_it_was_not_measured(certificate: Json, findings: Json) -> None:
    findings["datasets"]["patients"]["attacks"] = []
    page = said(certificate, findings)
    linkability = page.partition("Linkability")[2].partition("Inference")[0]
    assert "Not measured by this release." in linkability
    assert "Anything about linkability in patients: it was not measured." in page
    assert "No attack was mounted." in page


def test_governance_has_hashes_files_and_versions(certificate: Json, findings: Json) -> None:
    page = said(certificate, findings).split("7 Who answers for it")[2]
    digest = certificate["policy"]["salted_sha256"]
    for known in (digest, digest[::-1], "SHA256:4mZ0bq1v7cXo", "patients.parquet", "dictionary.json", "numpy", "2.3.1"):
        assert known in page


def test_columns_show_role_style_and_distinct_values(certificate: Json, findings: Json) -> None:
    columns = findings["datasets"]["patients"]["columns"]
    page = said(certificate, findings)
    assert f"{columns['age']['distinct_before']} → {columns['age']['distinct_after']}" in page
    assert "quasi: may be known" in page
    assert "An attacker is assumed to know age, sex, zip, and to want diagnosis." in page


def test_what_attacks_on_every_release_found_is_said_first() -> None:
    """No criterion bounds it, so a reader must not have to look for it; few persons, or none raised, are not said."""
    from sharewell.dossier import render

    def page(alone: float, raised: int) -> str:
        attacks = [
            {"name": "accidental-identifiers", "after": {"name": "accidental-identifiers", "value": alone,
             "unit": "share", "details": {"columns": ["ward", "illness"]}}},
            {"name": "minimality", "after": {"name": "minimality", "value": 0.75, "unit": "probability",
             "details": {"raised": raised}}},
        ]  # fmt: skip
        claims = {"datasets": {"d": {"kind": "tables", "lookalikes": {"illness": 2}}}}
        return render(claims, {"datasets": {"d": {"attacks": attacks}}})

    told = page(0.8, 3)
    assert "of the persons have values of ward, illness that nobody else has." in told
    assert "learns more about 3 persons than their class shows" in told
    assert "2 values of " in told
    silent = page(0.1, 0)
    assert "are alone with" not in silent
    assert "learns more about" not in silent
