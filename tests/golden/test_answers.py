"""The keys and types of what every verb prints with `--json`, on small inputs that ship with the project."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from golden.canonical import shape
from golden.store import Golden
from golden.test_help import verbs
from sharewell.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
CASES = [  # in order: some read what an earlier one wrote
    "check visits/policy.yaml",
    "check mistaken.yaml",
    "plan visits/policy.yaml",
    "plan diagnoses/policy.yaml",
    "plan joint/policy.yaml",
    "plan notes-checked/policy.yaml",
    "plan reports-rounded/policy.yaml",
    "plan reports/policy.yaml",
    "plan nowhere.yaml",
    "compare visits/policy.yaml --k 2,3",
    "release visits/policy.yaml",
    "release reports-table/policy.yaml",
    "release diagnoses/policy.yaml",
    "diff visits/out/visits-2026 diagnoses/out/diagnoses-2026",
    "completion bash",
    "keygen steward",
    "keygen a-secret --secret",
    "approve visits/policy.yaml --sign steward.key",
    "approve visits/out/visits-2026 --sign steward.key",
    "init safe-harbor/patients.csv",
    "init visits/visits.csv -o draft.yaml",
    "risk safe-harbor/patients.csv --k 3",
    "attack safe-harbor/patients.csv",
    "risk register/patients.csv --population register/people.csv",
    "catalogue",
    "catalogue k-anonymity",
    "profiles",
    "hierarchy show icd10cm E11.9 A00",
    "hierarchy gaps visits/wards.csv",
    "hierarchy gaps diagnoses/diagnoses.csv --hierarchy icd9cm --column code",
    "extract privacy diagnoses/diagnoses.csv --subject patient_id --code code --visit visit_id --out privacy.csv",
    "extract utility diagnoses/diagnoses.csv --subject patient_id --code code --hierarchy icd9cm --out utility.csv",
    "hospital ward --patients 20",
    "demo demo --patients 60",
    "notes evaluate marked.jsonl",
    "notes detect few.jsonl",
    "notes annotate few.jsonl --out few.html",
    "notes tag few.jsonl --out tagged.jsonl",
    "notes correct tagged.jsonl --out tagged.html",
    "notes train marked.jsonl --out house.model",
    "notes persistence few.jsonl --clusters 2",
    "notes rules test",
    "notes explain 03/05/2016",
    "notes protect few.jsonl --out protected.jsonl --key env:SHAREWELL_KEY --processes 1",
    "genomes membership --pool genomes/cohort.bed --reference genomes/reference.bed",
    "genomes kinship genomes/cohort.bed",
    "genomes frequencies genomes/cohort.bed --out frequencies.csv",
    "genomes release genomes/bins.yaml",
    "plan queries/policy.yaml",
    "ask queries/policy.yaml count --epsilon 0.5 --dry-run",
    "budget queries/policy.yaml",
    'ask queries/policy.yaml {"measure":{"mean":"age"},"group_by":["sex"]} --epsilon 0.5 --analyst Ada',
    "ask queries/policy.yaml count --epsilon 9",
    "release queries/policy.yaml",
    "budget queries/policy.yaml --analyst Ada",
    "token new queries/policy.yaml --analyst Ada",
    "token list queries/policy.yaml",
    "token revoke queries/policy.yaml --analyst Ada",
    "serve queries/policy.yaml --host 0.0.0.0",
    "reports audit report.yaml",
    "reports aggregate report.yaml",
    "reports release report.yaml --to reports-out",
    "reports gather plan plan.yaml",
    "reports gather randomise answers.csv --subject id --columns smokes --epsilon 1"
    " --key env:SHAREWELL_KEY --out randomised.csv",
    "reports gather estimate randomised.csv",
]
ELSEWHERE = [
    *(f"verify {path.parent.name}" for path in EXAMPLES.glob("*/policy.yaml")),  # in tests/pipeline/test_examples.py
    *(f"reports gather {who}" for who in ("mediator", "owner")),  # in tests/reports/test_gathering_processes.py
]
"""Answers that are compared where another test has them anyway. That of `schema` is in test_catalogue.py."""
FILES = {
    "mistaken.yaml": "sharewell: 1\nrelease: {name: r}\ndatasets: {a: {kind: tabels}}\n",
    "answers.csv": "id,smokes\n" + "".join(f"{i},{'yes' if i % 3 else 'no'}\n" for i in range(30)),
    "plan.yaml": "gathering: g\nmeasures: {HbA1c: [0, 100]}\nowners: {A: 1.pub, B: 2.pub, C: 3.pub}\nthreshold: 3\n",
    "report.yaml": """\
report: r
table: {domain: [0, 100], decimals: 1}
published:
  sigma: sample
  rows: {A: {mean: 60.0}, B: {mean: 70.0}, C: {mean: 65.0}}
  columns: {HbA1c: {mean: 80.0, sigma: 5.0}, Eye exam: {mean: 50.0, sigma: 5.0}}
known: {A: {HbA1c: 75.0, Eye exam: 45.0}}
snoopers: {outsider: true, owners: [A]}
protect: {default: {width: 1}}
""",
    "genomes/bins.yaml": """\
sharewell: 1
release: {name: bins}
datasets:
  bins:
    kind: genomes
    read: {csv: sequences.csv}
    columns: {person: subject, sequence: quasi}
    require: [snp-bins: {B: 3, B_prime: 5}]
    using: {binning: {B: 3, B_prime: 5}}
    utility: [bases-kept]
write: {csv: out}
""",
}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the examples and the files above, in which the commands are given."""
    desk = Path(shutil.copytree(EXAMPLES, tmp_path / "desk"))
    for name, text in FILES.items():
        (desk / name).write_text(text)
    for name in ("1", "2", "3"):
        assert main(["keygen", str(desk / name)]) == 0
    rows = (desk / "notes-checked" / "marked.jsonl").read_text().splitlines()[:12]
    (desk / "marked.jsonl").write_text("\n".join(rows))
    few = [json.dumps({"id": str(i), "text": json.loads(row)["text"]}) for i, row in enumerate(rows[:8])]
    (desk / "few.jsonl").write_text("\n".join(few))
    (desk / "demo").mkdir()  # a key of its own each time would withhold other notes each time
    (desk / "demo" / "release.key").write_text("c1088316fed885d003bc025e06abfc3d3723c7284465c8b45260422492065b16\n")
    (desk / "demo" / "release.key").chmod(0o600)
    monkeypatch.chdir(desk)
    monkeypatch.setenv("SHAREWELL_KEY", "a secret for the examples, of no use elsewhere")
    return desk


@pytest.mark.usefixtures("desk", "every_world")
def test_the_answers_keep_their_shapes(golden: Golden, capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for case in CASES:
        capsys.readouterr()
        code = main([*case.split(), "--json"])
        printed = capsys.readouterr()
        assert printed.out, f"{case}: {printed.err}"
        found[case] = {"exit code": code, "answer": shape(json.loads(printed.out))}
    golden.check_several("answers", found)


def test_every_verb_with_json_is_asked(golden: Golden) -> None:
    asked = [*CASES, *ELSEWHERE, "schema"]
    for words, parser in verbs():
        if any("--json" in action.option_strings for action in parser._actions):
            same = [one for one in asked if tuple(one.split()[: len(words)]) == words]
            assert same, f"no answer of {' '.join(words)} is compared"
    golden.names("answers", [*CASES, *ELSEWHERE])
