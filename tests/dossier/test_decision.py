"""The first page: verdict, cautions, risk, losses and signatures, for a board that reads nothing else."""

from __future__ import annotations

import copy
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from page_structure import words

from sharewell.dossier import render
from sharewell.pipeline.verdict_facts import Cautions

Json = dict[str, Any]


def first_page(certificate: Json, findings: Json) -> ElementTree.Element:
    root = ElementTree.fromstring(render(certificate, findings).partition("\n")[2])
    return next(section for section in root.iter("section") if section.get("class") == "first")


def test_the_three_cautions_are_those_of_the_terminal(certificate: Json, findings: Json) -> None:
    certificate |= {"after": [], "together": {"judged": [], "not_judged": []}}
    told = words(first_page(certificate, findings))
    for line in Cautions.of(certificate, findings).lines():
        assert line.removeprefix("Not measured: ")[1:] in told
    headings = [told.index(one) for one in ("Who can re-check it", "Unchanged, or free text", "Not measured")]
    assert headings == sorted(headings)


def test_losses_are_named(certificate: Json, findings: Json) -> None:
    columns = findings["datasets"]["patients"]["columns"]
    columns["zip"] |= {"distinct_after": 1, "exact_share": 0.0}
    columns["sex"]["exact_share"] = 1.0
    facts = {words(row[0]): words(row[1]) for row in first_page(certificate, findings).iter("div") if len(row) == 2}
    assert facts["Not published"] == "patient_id"
    assert facts["Nothing left: one value throughout"] == "zip"
    assert facts["Unchanged, though an attacker may know them"] == "sex"
    assert facts["Coarsened (cells still exact)"].startswith("age (")


def test_who_signed_and_lines_to_sign_on_paper(certificate: Json, findings: Json) -> None:
    told = words(first_page(certificate, findings))
    assert "Files signed with key SHA256:4mZ0bq1v7cXo" in told
    assert "Policy not approved by key" in told
    assert told.count("Signature") == 3
    certificate |= {"signed_by": None, "policy": {"approved_by": "SHA256:approver"}}
    told = words(first_page(certificate, findings))
    assert "Files not signed" in told
    assert "Policy approved with key SHA256:approver" in told


def test_each_of_several_datasets_has_its_sentence(certificate: Json, findings: Json) -> None:
    findings["datasets"]["second"] = copy.deepcopy(findings["datasets"]["patients"])
    told = [words(item) for item in first_page(certificate, findings).iter("li")]
    sentence = "picks their record with a chance of at most"
    assert [one.partition(":")[0] for one in told if sentence in one] == ["patients", "second"]


@pytest.mark.parametrize(("kind", "attack"), [("codes", "code-linkage"), ("joint", "rt-linkage")])
def test_codes_have_a_sentence_too(kind: str, attack: str, certificate: Json, findings: Json) -> None:
    one = copy.deepcopy(findings["datasets"]["patients"]) | {"kind": kind}
    sides = {side: {"name": attack, "value": value} for side, value in (("before", 0.5), ("after", 0.0625))}
    findings["datasets"]["second"] = one | {"attacks": [{"name": attack} | sides]}
    [told] = [told for item in first_page(certificate, findings).iter("li") if "on average" in (told := words(item))]
    assert told.startswith("second: An attacker who knows ")
    assert re.search(r"picks their record with a chance of 6\.25.% on average, down from 50.%\.", told)


def test_criteria_of_several_datasets_count_in_the_verdict(certificate: Json, findings: Json) -> None:
    own = sum(len(one["criteria"]) for one in findings["datasets"].values())
    joint = {"name": "joined-k-anonymity", "ok": True, "datasets": ["patients"], "value": 5}
    findings["together"] = {"criteria": [joint, joint]}
    assert f"All {own + 2} criteria hold." in words(first_page(certificate, findings))
    findings["together"]["criteria"][1] = joint | {"ok": False}
    assert f"1 of {own + 2} criteria does not hold." in words(first_page(certificate, findings))


def with_datasets(findings: Json, count: int) -> Json:
    one = findings["datasets"]["patients"]
    return findings | {"datasets": {f"set {i}": copy.deepcopy(one) for i in range(count)}}


def test_columns_of_many_datasets_are_counted_and_lost_ones_named(certificate: Json, findings: Json) -> None:
    findings["datasets"]["patients"]["columns"]["zip"] |= {"distinct_after": 1, "exact_share": 0.0}
    told = [words(item) for item in first_page(certificate, with_datasets(findings, 5)).iter("li")]
    assert [line for line in told if line.startswith("set 4: 1 not published; 1 with nothing left (zip); ")]
    assert not [line for line in told if "Not published" in line]


@pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed")
@pytest.mark.parametrize("count", [1, 3, 5, 7])
def test_the_first_page_is_one_sheet_of_paper(tmp_path: Path, certificate: Json, findings: Json, count: int) -> None:
    page = render(certificate, with_datasets(findings, count))
    first, _, _ = page.partition("</section>")
    (tmp_path / "page.html").write_text(f"{first}</section></main></body></html>", encoding="utf-8")
    assert 'class="first"' in first
    quiet = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}"]
    target = f"--print-to-pdf={tmp_path / 'page.pdf'}"
    command = ["chromium", *quiet, "--no-pdf-header-footer", target, (tmp_path / "page.html").as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", (tmp_path / "page.pdf").read_bytes())) == 1


def test_an_empty_release_has_no_cautions() -> None:
    told = words(first_page({}, {}))
    assert "This release contains no dataset." in told
    assert "Not measured" not in told
