"""The examples of every help are commands that can be given, and the usual ones do what they should."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from sharewell.cli import main, parser
from sharewell.cli.argument_parser import ArgumentParser, command_parser
from sharewell.verb_examples import examples, help_text
from sharewell.verbs import VERBS

EXAMPLES = {words: re.split(r"\n  (?=\S)", block.strip()) for words, block in examples().items()}
SHIPPED = Path(__file__).parents[1] / "examples"
POLICY = """\
sharewell: 1
release: {name: r1}
secrets: {sign: file:steward.key}
datasets:
  patients:
    kind: tables
    read: {csv: patients.csv}
    columns: {patient_id: subject, sex: quasi, zip: quasi, illness: sensitive}
    require: [k-anonymity: {k: 2}]
    using: mondrian
write: {csv: out}
"""
REPORT = """\
report: r
table: {domain: [0, 100], decimals: 1}
published:
  sigma: sample
  rows: {A: {mean: 60.0}, B: {mean: 70.0}, C: {mean: 65.0}}
  columns: {HbA1c: {mean: 80.0, sigma: 5.0}, Eye exam: {mean: 50.0, sigma: 5.0}}
snoopers: {outsider: true}
protect: {default: {width: 1}}
"""
ANSWER_NO = {"risk": 1, "diff": 1, "reports": 1, "hierarchy": 1}
"""Verbs whose answer may be no."""
WRITTEN = {
    "keygen": ["steward.key", "steward.pub", "release.key"],
    "release": ["out"],
    "extract": ["privacy.csv", "utility.csv"],
}
"""What the examples of a verb make, and other verbs find there."""
RUN = [
    *("init", "risk", "attack", "check", "plan", "compare", "keygen", "approve", "release", "verify", "diff"),
    *(
        "notes detect",
        "notes rules",
        "notes explain",
        "genomes kinship",
        "reports audit",
        "extract",
        "ask",
        "budget",
        "token new",
        "token list",
    ),
    *("catalogue", "profiles", "hierarchy", "hierarchy gaps", "hierarchy show", "completion"),
]


def command(example: str) -> list[str]:
    """Its words, but for the name of the command and where a shell would put the output."""
    return shlex.split(example.replace("\\\n", "").partition(" > ")[0])[1:]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    desk = tmp_path_factory.mktemp("examples") / "desk"
    shutil.copytree(SHIPPED / "queries", desk)
    (desk / "diagnoses.csv").rename(desk / "listed.csv")
    text = (desk / "policy.yaml").read_text()
    (desk / "questions.yaml").write_text(text.replace("diagnoses.csv", "listed.csv"))
    shutil.copytree(SHIPPED / "genomes", desk, dirs_exist_ok=True, ignore=shutil.ignore_patterns("policy.yaml"))
    for name in ("diagnoses/diagnoses.csv", "visits/wards.csv"):
        shutil.copy(SHIPPED / name, desk)
    rows = [f"p{i},{'FM'[i % 2]},0213{i % 3},{'flu' if i % 4 else 'gout'}\n" for i in range(40)]
    (desk / "patients.csv").write_text("patient_id,sex,zip,illness\n" + "".join(rows))
    (desk / "policy.yaml").write_text(POLICY)
    (desk / "report.yaml").write_text(REPORT)
    (desk / "question.json").write_text('{"measure": "count"}')
    (desk / "notes.jsonl").write_text(json.dumps({"id": "1", "text": "Seen by Dr. Kaplan on 3 May 2021."}) + "\n")
    for name in ("steward", "officer"):
        assert main(["keygen", str(desk / name)]) == 0
    assert main(["keygen", "--secret", str(desk / "release.key")]) == 0
    assert main(["release", str(desk / "policy.yaml")]) == 0
    (desk / "second.yaml").write_text(POLICY.replace("r1", "r2").replace("k: 2", "k: 5"))
    assert main(["release", str(desk / "second.yaml")]) == 0
    return desk


def inner(words: list[str]) -> ArgumentParser:
    found: ArgumentParser = parser(words[0])
    for word in words:
        found = found.inner()[word]
    return found


def test_every_verb_that_can_be_given_has_two_examples() -> None:
    top = command_parser(*VERBS)
    todo = [((word,), one) for word, one in top.inner().items()]
    for words, one in todo:
        todo += [((*words, word), below) for word, below in one.inner().items()]
        assert len(EXAMPLES.get(" ".join(words), ())) == 2, words
    assert {" ".join(words) for words, _ in todo} == set(EXAMPLES)
    assert help_text("no such verb") == ""


@pytest.mark.parametrize("words", list(EXAMPLES))
def test_every_example_is_understood(words: str) -> None:
    for example in EXAMPLES[words]:
        given = command(example)
        assert given[: len(words.split())] == words.split()
        parser(given[0]).parse_args(given)
        assert max(map(len, example.split("\n"))) <= 98


@pytest.mark.parametrize("words", RUN)
def test_the_usual_ones_run(
    words: str, desk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here = Path(shutil.copytree(desk, tmp_path / "desk"))
    monkeypatch.chdir(here)
    monkeypatch.setenv("SHAREWELL_KEY", "a secret for the examples, of no use elsewhere")
    for name in WRITTEN.get(words, ()):
        shutil.rmtree(here / name) if (here / name).is_dir() else (here / name).unlink(missing_ok=True)
    for example in EXAMPLES[words]:
        code = main(command(example))
        assert code in (0, ANSWER_NO.get(words.split()[0], 0)), f"{example}\n{capsys.readouterr().err}"
