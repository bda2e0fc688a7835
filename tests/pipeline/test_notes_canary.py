"""A word planted in notes stands in the published notes or nowhere: not in logs, errors, certificate or dossier."""

from __future__ import annotations

import csv
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from sharewell.cli import main

WORD = "zyxcanaryq"
POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:CANARY_KEY}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, name: drop, sex: quasi, remarks: text}
    require: [k-anonymity: {k: 2}]
    using: mondrian
  notes:
    kind: notes
    read: {jsonl: notes.jsonl}
    columns: {who: subject, body: text}
    require: [no-known-identifiers: {dataset: people}]
    using: replace
    attacks: [rare-words, note-linkage]
    utility: [clinical-terms-kept]
"""


def desk(directory: Path) -> Path:
    directory.mkdir(exist_ok=True)
    people = [(f"p{i}", f"Name{WORD}{i} Delgado", "F", f"She saw {WORD} and was stable.") for i in range(4)]
    with (directory / "people.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("who", "name", "sex", "remarks"), *people])
    texts = [f"Name{WORD}{i} was seen for {WORD} today, and is stable on aspirin {i + 1}0 mg." for i in range(4)]
    lines = [json.dumps({"who": f"p{i}", "body": text}) for i, text in enumerate(texts)]
    (directory / "notes.jsonl").write_text("\n".join(lines))
    (directory / "policy.yaml").write_text(POLICY)
    return directory


def run(directory: Path, *argv: str) -> tuple[int, str]:
    """Exit code, and all that was said."""
    said = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said), redirect_stderr(said):
        patch.chdir(directory)
        patch.setenv("CANARY_KEY", "a secret for canaries, long enough")
        patch.delenv("SHAREWELL_DEBUG", raising=False)
        code = main(list(argv))
    return code, said.getvalue()


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = desk(tmp_path_factory.mktemp("canary"))
    code, said = run(directory, "release", "policy.yaml", "--json")
    assert code == 0, said
    assert WORD not in said
    return directory


def test_what_is_said_holds_no_word(released: Path) -> None:
    written = (released / "policy.yaml").read_text()
    (released / "next.yaml").write_text(written.replace("release: {name: r", "release: {name: next"))
    for argv in (["plan", "next.yaml", "--preview", "--json"], ["verify", "out/r", "--with", ".", "--json"]):
        code, said = run(released, *argv)
        assert code == 0, said
        assert WORD not in said.lower()


def test_what_is_written_holds_it_in_the_notes_alone(released: Path) -> None:
    texts = 0
    for path in sorted(p for p in (released / "out").rglob("*") if p.is_file()):
        if path.parent.name == "public" and path.suffix == ".parquet":
            texts += 1
            continue
        assert WORD.encode() not in path.read_bytes().lower(), path
    assert texts == 2


@pytest.mark.parametrize(
    ("broken", "code"),
    [
        ('{"who": "p1", "body": "WORD}', 3),
        ('["WORD"]', 3),
        ('{"who": "", "body": "WORD"}', 3),
        ('{"who": "WORD", "body": "WORD today, and is stable and well."}', 4),
    ],
)
def test_errors_hold_no_word(tmp_path: Path, broken: str, code: int) -> None:
    place = desk(tmp_path / "d")
    with (place / "notes.jsonl").open("a") as file:
        file.write("\n" + broken.replace("WORD", WORD) + "\n")
    found, said = run(place, "release", "policy.yaml")
    assert found == code, said
    assert WORD not in said
    assert not (place / "out/r").exists()


def test_protecting_a_file_says_and_writes_no_identifier(tmp_path: Path) -> None:
    place = desk(tmp_path / "d")
    options = ["--text", "body", "--subject", "who", "--people", "people.csv", "--key", "env:CANARY_KEY"]
    code, said = run(place, "notes", "protect", "notes.jsonl", "--out", "one.jsonl", *options, "--json")
    assert code == 0, said
    told = json.loads(said)
    assert (told["notes"], told["published"], told["persons"], told["reproducible"]) == (4, 4, 4, True)
    assert told["searched"] == {"names": ["name"]}
    assert WORD not in said
    rows = [json.loads(line) for line in (place / "one.jsonl").read_text().splitlines()]
    assert [list(row) for row in rows] == [["body"]] * 4
    assert not [row for row in rows if f"Name{WORD}" in row["body"] or "aspirin" not in row["body"]]
    assert run(place, "notes", "protect", "notes.jsonl", "--out", "one.jsonl", *options)[0] == 3, "never replaced"
    assert run(place, "notes", "protect", "notes.jsonl", "--out", "two.jsonl", *options, "--resume")[0] == 0
    assert (place / "one.jsonl").read_bytes() == (place / "two.jsonl").read_bytes()
    assert not list(place.glob(".*partial*"))
