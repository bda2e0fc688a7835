"""Drafts are complete: an untouched one passes `check` and `plan`, or names the one decision that it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import plain_files
import pytest
from ruamel.yaml import YAML

from sharewell.errors import PolicyError
from sharewell.hospital import Hospital
from sharewell.pipeline.plan import DatasetPlan, plan
from sharewell.policy import check
from sharewell.proposal import Proposal

EXAMPLES = Path(__file__).parents[2] / "examples"
TOO_FEW = {"visits"}
"""Examples of so few persons that nothing can meet the profile of a draft; the plan says so."""
SLOW = {"hide", "codes", "mechanisms", "limited-data-set", "perturbed", "publications", "reports-answers"} | {
    "reports-ohdsi",
    "reports-redacted",
    "reports-rounded",
}
"""Examples that read the same files as others, or many notes."""


def planned(files: Sequence[Path], folder: Path) -> dict[str, DatasetPlan]:
    (folder / "policy.yaml").write_text(Proposal.of(files, base=folder).text, encoding="utf-8")
    return plan(check(folder / "policy.yaml"))


def sources(policy: Path) -> list[Path]:
    """The files that the datasets of a policy read."""
    found: list[Path] = []
    for dataset in YAML(typ="safe", pure=True).load(policy)["datasets"].values():
        named: list[dict[str, Any]] = [dataset["read"], *dataset.get("owners", [])]
        named += [dataset["demographics"]] if "demographics" in dataset else []
        paths = [one[form] for one in named for form in ("csv", "jsonl", "bed", "fasta") if form in one]
        found += [path for path in ((policy.parent / path).resolve() for path in paths) if path not in found]
    return found


@pytest.mark.parametrize(
    "policy",
    [path for path in sorted(EXAMPLES.glob("*/policy.yaml")) if path.parent.name not in SLOW],
    ids=lambda path: path.parent.name,
)
def test_the_draft_of_every_example_is_planned(policy: Path, tmp_path: Path) -> None:
    found = planned(sources(policy), tmp_path)
    feasible = {name: part.outcome.feasible for name, part in found.items()}
    assert all(feasible.values()) is (policy.parent.name not in TOO_FEW), feasible


def test_the_draft_of_a_hospital_ties_its_files_and_is_planned(tmp_path: Path) -> None:
    Hospital(patients=40, seed=3).write(tmp_path)
    names = ("patients.csv", "visits.csv", "diagnoses.csv", "medications.csv", "register.csv", "notes.jsonl")
    found = planned([tmp_path / name for name in names], tmp_path)
    assert {name: part.kind for name, part in found.items()} == {
        "patients": "tables",
        "visits": "tables",
        "diagnoses": "codes",
        "medications": "tables",
        "notes": "notes",
    }
    text = (tmp_path / "policy.yaml").read_text(encoding="utf-8")
    assert "# About the same people: patients, visits, diagnoses, medications, notes." in text
    assert "linkage: {population: {csv: register.csv}" in text


@pytest.mark.parametrize(
    "make", [plain_files.wide_codes, plain_files.genotypes, plain_files.variants], ids=lambda one: str(one.__name__)
)
def test_the_draft_of_a_file_of_each_form_is_planned(make: Callable[[Path], Path], tmp_path: Path) -> None:
    path = make(tmp_path / ("a.vcf" if make is plain_files.variants else "a.csv"))
    assert all(part.outcome.feasible for part in planned([path], tmp_path).values())


def test_an_order_that_the_data_does_not_tell_is_the_one_decision(tmp_path: Path) -> None:
    rows = [(f"p{i}", "FM"[i % 2], f"0{1 + i % 9}/0{1 + i % 7}/2020") for i in range(40)]
    path = plain_files.write(tmp_path / "a.csv", ["patient_id", "sex", "admitted"], rows)
    with pytest.raises(PolicyError, match=r"clean\.admitted\.day_first") as caught:
        planned([path], tmp_path)
    assert len(caught.value.mistakes) == 1
    text = (tmp_path / "policy.yaml").read_text(encoding="utf-8").replace("day_first: undecided", "day_first: true")
    (tmp_path / "policy.yaml").write_text(text, encoding="utf-8")
    assert plan(check(tmp_path / "policy.yaml"))["a"].outcome.feasible


def test_the_bounds_of_figures_are_the_one_decision(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="domain"):
        planned([plain_files.rates(tmp_path / "a.csv", least=4000)], tmp_path)


def test_a_draft_holds_no_cell_of_any_column(tmp_path: Path) -> None:
    """Every cell of a messy file is a canary or a word that ships."""
    rows = [
        (f"canary{i}", f"canary-{i % 3} ", f"{1 + i % 28}.{1 + i % 12}.2017", f"7{i % 9},25", "CANARY|canary")
        for i in range(60)
    ]
    path = plain_files.write(tmp_path / "a.csv", ["patient_id", "ward", "seen", "weight", "codes"], rows)
    text = Proposal.of([path], base=tmp_path).text
    assert "canary" not in text.lower()
    assert not [cell for row in rows for cell in row[2:4] if cell in text]
