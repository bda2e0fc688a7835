"""Attacks on files without a policy: one small case of every kind of data, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sharewell.cli import main
from sharewell.pipeline.run import release
from sharewell.policy import check

EXAMPLES = Path(__file__).parents[2] / "examples"
COUNTS = "ward,illness,n\nA,flu,20\nA,gout,\nB,flu,15\nB,gout,12\nA,*,23\nB,*,27\n*,flu,35\n*,gout,15\n*,*,50\n"


def attacked(capsys: pytest.CaptureFixture[str], *given: str) -> dict[str, Any]:
    assert main(["attack", *given, "--json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def reached(one: dict[str, Any]) -> dict[str, Any]:
    return {finding["name"]: finding["value"] for finding in one["attacks"]}


SAID: dict[str, tuple[list[str], str, str]] = {
    "tables": (["register/patients.csv", "--quasi", "age,sex,zip", "--sensitive", "diagnosis"], "tables", "prosecutor"),
    "codes": (
        ["diagnoses/diagnoses.csv", "code-linkage: {m: 3}", "--kind=codes", "--subject=patient_id", "--quasi=code"],
        "codes",
        "code-linkage",
    ),
    "visits": (
        [
            *("diagnoses/diagnoses.csv", "code-linkage: {knowledge: visit}", "--kind=codes", "--subject=patient_id"),
            *("--quasi=code", "--keys=visit: visit_id"),
        ],
        "codes",
        "code-linkage",
    ),
    "notes": (
        ["plausible/notes.jsonl", "rare-words", "--kind=notes", "--subject=patient_id", "--text=body"],
        "notes",
        "rare-words",
    ),
    "sequences": (["genomes/sequences.fasta"], "genomes", "sequence-linkage"),
    "genotypes": (["genomes/cohort.bed"], "genomes", "selection-membership"),
    "members": (
        ["genomes/cohort.bed", "likelihood-ratio", f"--reference={EXAMPLES}/genomes/reference.bed"],
        "genomes",
        "likelihood-ratio",
    ),
    "figures": (["reports/rates.csv"], "reports", "snooper"),
    "counts": (
        ["reports-table/north.csv", "--kind=reports", "--subject=patient_id", "--quasi=ward,illness"],
        "reports",
        "table-interval",
    ),
    "joint": (
        [
            *("diagnoses/diagnoses.csv", "--kind=joint", "--subject=patient_id", "--quasi=age,sex,code"),
            f"--keys=demographics: {{csv: {EXAMPLES}/joint/patients.csv}}",
        ],
        "joint",
        "rt-linkage",
    ),
    "joint with DNA": (
        [
            *("joint-dna/diagnoses.csv", "--kind=joint", "--subject=biobank_id", "--quasi=code,sex,syn0101"),
            f"--keys=demographics: {{csv: {EXAMPLES}/joint-dna/people.csv}}",
            f"--keys=genotypes: {{csv: {EXAMPLES}/joint-dna/snps.csv}}",
        ],
        "joint",
        "rt-linkage",
    ),
}


@pytest.mark.parametrize("case", SAID)
def test_every_kind_of_data_is_attacked(case: str, capsys: pytest.CaptureFixture[str]) -> None:
    (file, *rest), kind, attack = SAID[case]
    [one] = attacked(capsys, str(EXAMPLES / file), *rest).values()
    assert (one["kind"], one["released"]) == (kind, False)
    assert reached(one)[attack] is not None


def test_a_list_of_people_is_used_by_every_attack_that_takes_one(capsys: pytest.CaptureFixture[str]) -> None:
    register = EXAMPLES / "register"
    given = [str(register / "patients.csv"), "--quasi=age,sex,zip", f"--population={register / 'people.csv'}"]
    [one] = attacked(capsys, *given).values()
    assert {"linkage", "prosecutor"} <= set(reached(one))
    assert "linkage" not in one["others"]


def test_what_was_not_mounted_is_listed_with_what_it_needs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attack", str(EXAMPLES / "register" / "patients.csv"), "--quasi=age,sex"]) == 0
    shown = capsys.readouterr().out
    assert "also     linkage (needs population) — " in shown
    assert "patients: kind tables, 12 records, unprotected" in shown


def test_hidden_counts_are_computed_from_totals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "counts.csv").write_text(COUNTS)
    given = [str(tmp_path / "counts.csv"), "--kind=reports", "--quasi=ward,illness", "--published"]
    [one] = attacked(capsys, *given).values()
    assert reached(one) == {"table-interval": 1.0}
    assert one["released"]


def test_published_cells_are_ranges(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "shown.csv").write_text("age,illness\n[20-29],flu\n[20-29],gout\n[30-39],flu\n[30-39],gout\n")
    given = [str(tmp_path / "shown.csv"), "prosecutor", "--kind=tables", "--quasi=age", "--published"]
    [one] = attacked(capsys, *given).values()
    assert reached(one) == {"prosecutor": 0.5}


def test_published_frequencies_are_attacked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cohort, written = EXAMPLES / "genomes" / "cohort.bed", tmp_path / "frequencies.csv"
    assert main(["genomes", "frequencies", str(cohort), "--out", str(written)]) == 0
    capsys.readouterr()
    given = [str(written), f"likelihood-ratio: {{targets: {{bed: {cohort}}}}}", "--kind=genomes", "--published"]
    reference = EXAMPLES / "genomes" / "reference.bed"
    [one] = attacked(capsys, *given, "--keys={}", "--quasi=frequency", f"--reference={reference}").values()
    assert reached(one)["likelihood-ratio"] is not None


def test_what_cannot_be_read_as_published_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "codes.csv").write_text("id,code\n1,E11\n1,I10\n2,E11\n")
    given = ["--kind=codes", "--subject=id", "--quasi=code", "--published"]
    assert main(["attack", str(tmp_path / "codes.csv"), *given]) == 2
    assert "a published file of kind codes cannot be read without its certificate" in capsys.readouterr().err


def test_rows_to_be_asked_about_are_not_attacked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "rows.csv").write_text("age,sex\n30,F\n40,M\n")
    assert main(["attack", str(tmp_path / "rows.csv"), "--kind=queries", "--quasi=age,sex"]) == 3
    assert "attacks of kind queries are mounted on what a release answers or publishes" in capsys.readouterr().err


@pytest.mark.parametrize("example", ["register", "reports", "reports-answers", "queries", "joint", "linked"])
def test_a_file_of_a_release_is_opened_as_its_certificate_says(
    example: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import shutil

    monkeypatch.setenv("SHAREWELL_KEY", "a secret of the tests, long enough")
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    done = release(check(tmp_path / "examples" / example / "policy.yaml"))
    names = json.loads((done.directory / "public" / "certificate.json").read_text())["datasets"]
    for name, claim in names.items():
        found = attacked(capsys, str(done.directory / "public" / claim["file"]))
        assert found[name]["released"]
        assert any(value is not None for value in reached(found[name]).values())


@pytest.mark.parametrize(
    ("given", "code", "what"),
    [
        (["nosuch"], 2, "no attacks named 'nosuch' for tables"),
        (["linkage"], 2, "the parameter 'population' is missing — name a file, such as {csv: people.csv}"),
        (["prosecutor: [1"], 2, "attack"),
        (["--kind=codes", "--quasi=nowhere"], 3, "no column 'nowhere'"),
        (["--keys=visit"], 2, "must be keys of a dataset"),
        (["--kind=notes"], 2, "not like notes"),
    ],
)
def test_mistakes_are_told(given: list[str], code: int, what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attack", str(EXAMPLES / "register" / "patients.csv"), *given]) == code
    assert what in capsys.readouterr().err


def test_no_value_of_the_data_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "\n".join(f"q{i}canary,{20 + i % 3},z{i}canary" for i in range(12))
    (tmp_path / "people.csv").write_text(f"person,age,illness\n{rows}\n")
    given = ["attack", str(tmp_path / "people.csv"), "--subject=person", "--quasi=age", "--sensitive=illness"]
    for more in ([], ["--json"]):
        assert main([*given, *more]) == 0
        told = capsys.readouterr()
        assert "canary" not in told.out + told.err
