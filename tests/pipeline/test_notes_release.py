"""Notes through a whole release: what is published, what stays inside, who can check it, and what a kill leaves."""

from __future__ import annotations

import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.findings import Tier
from sharewell.notes.engine import note_files
from sharewell.notes.engine.protection import person_by_person as engine
from sharewell.pipeline.plan import plan
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

PEOPLE = [("p1", "Rosa", "Delgado", "1961-03-05", "0041299"), ("p2", "Wei", "Okafor", "1950-12-24", "0077123")]
TEXTS = [
    ("p1", "Rosa Delgado, born 03/05/1961, MRN 0041299, was seen today and is stable."),
    ("p1", "Mrs. Delgado came back on 4 May 2020 with chest pain; aspirin 100 mg was given."),
    ("p2", "Wei Okafor (MRN 0077123) has no complaints and went home on 5/6/2020."),
    ("p2", ""),
]
POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:NOTES_KEY}
datasets:
  notes:
    kind: notes
    read: {READ}
    columns: {note_id: drop, who: subject, seen: shift, ward: keep, body: text}
    require:
      - no-known-identifiers:
          {people: {csv: people.csv}, subject: who, names: [given, family], dates: [born], ids: [mrn]}
    using: replace
"""


def desk(directory: Path, form: str = "jsonl", mixed: int | None = None, policy: str = POLICY) -> Path:
    """A directory with people, notes in one form, and the policy; returns the policy."""
    directory.mkdir(exist_ok=True)
    with (directory / "people.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("who", "given", "family", "born", "mrn"), *PEOPLE])
    rows = [
        {"note_id": str(i), "who": who, "seen": "2020-05-04", "ward": f"w{i % 2}", "body": text or None}
        for i, (who, text) in enumerate(TEXTS)
    ]
    if mixed is not None:
        rows = random.Random(mixed).sample(rows, len(rows))
    if form == "jsonl":
        (directory / "n.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif form == "csv":
        with (directory / "n.csv").open("w", newline="") as file:
            table = csv.DictWriter(file, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
    else:
        pq.write_table(pa.Table.from_pylist(rows), directory / "n.parquet")
    path = directory / "policy.yaml"
    path.write_text(policy.replace("{READ}", f"{{{form}: n.{form}}}"))
    return path


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTES_KEY", "a secret for these tests, long enough")


def published(directory: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(directory / "out/r/public/notes.parquet").to_pylist()
    return found


def same_data(one: Path, other: Path) -> bool:
    """The published data, byte by byte; certificates name their policies' own sources."""
    return all((d / "out/r/public/notes.parquet").is_file() for d in (one, other)) and (
        (one / "out/r/public/notes.parquet").read_bytes() == (other / "out/r/public/notes.parquet").read_bytes()
    )


def test_a_release_of_notes(tmp_path: Path) -> None:
    path = desk(tmp_path)
    done = release(check(path))
    rows = published(tmp_path)
    said = " ".join(row["body"] for row in rows)
    assert len(rows) == 3
    assert not [word for word in ("Rosa", "Delgado", "Okafor", "0041299", "0077123") if word in said]
    assert "aspirin" in said
    assert all(row["seen"] != "2020-05-04" for row in rows)
    assert done.findings["datasets"]["notes"]["mechanism"]["details"]["withheld"] == {"empty": 1}
    assert "changes" not in done.findings["datasets"]["notes"]["mechanism"]["details"]


def test_offsets_lead_from_the_original_to_the_published_text(tmp_path: Path) -> None:
    release(check(desk(tmp_path)))
    rows, inside = published(tmp_path), tmp_path / "out/r/internal"
    whose = pq.read_table(inside / "persons/notes.parquet")["person"].to_pylist()
    assert whose == ["p2" if "home" in row["body"] else "p1" for row in rows]
    for change in pq.read_table(inside / "offsets/notes.parquet").to_pylist():
        word = next(word for word in ("stable", "pain", "home") if word in rows[change["row"]]["body"])
        text = next(text for _, text in TEXTS if word in text)
        assert change["end"] <= len(text)
        now = rows[change["row"]]["body"][change["published_start"] : change["published_end"]]
        assert now != text[change["start"] : change["end"]] or change["kind"] in ("DATE", "AGE")


def test_tiers_say_what_was_opened(tmp_path: Path) -> None:
    release(check(desk(tmp_path)))
    tiers = {
        name: [finding.tier for finding in verify(place, with_=beside).findings["notes"]]
        for name, place, beside in (
            ("recipient", tmp_path / "out/r/public", None),
            ("internal alone", tmp_path / "out/r", None),
            ("with the people", tmp_path / "out/r", tmp_path),
        )
    }
    assert tiers == {
        "recipient": [Tier.ATTESTED],
        "internal alone": [Tier.ATTESTED],
        "with the people": [Tier.STEWARD],
    }


def test_a_planted_identifier_is_found_by_the_judge(tmp_path: Path) -> None:
    release(check(desk(tmp_path)))
    file = tmp_path / "out/r/public/notes.parquet"
    table = pq.read_table(file)
    who = pq.read_table(tmp_path / "out/r/internal/persons/notes.parquet")["person"].to_pylist().index("p1")
    texts = table["body"].to_pylist()
    texts[who] += " delgado"
    pq.write_table(table.set_column(0, "body", pa.array(texts)), file)
    found = verify(tmp_path / "out/r", with_=tmp_path)
    assert any("no-known-identifiers" in problem and "FAILS" in problem for problem in found.problems)


@pytest.mark.parametrize(("form", "mixed"), [("csv", 3), ("parquet", 4), ("jsonl", 5)])
def test_the_same_bytes_whatever_the_form_and_order_of_the_file(tmp_path: Path, form: str, mixed: int) -> None:
    release(check(desk(tmp_path / "a")))
    release(check(desk(tmp_path / "b", form, mixed)))
    assert same_data(tmp_path / "a", tmp_path / "b")


def test_the_same_bytes_from_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = "using: replace\n    attacks: [rare-words]\n    utility: [clinical-terms-kept]"
    policy = POLICY.replace("using: replace", looked)
    release(check(desk(tmp_path / "a", policy=policy)))
    monkeypatch.setattr(note_files, "IN_MEMORY", (1, 1))
    monkeypatch.setattr(engine, "BLOCK_NOTES", 1)
    found = release(check(desk(tmp_path / "b", policy=policy))).findings["datasets"]["notes"]
    assert "looked at 3 of 3 notes" in found["utility"][0]["note"]
    assert "looked at 3 of 3 notes" in found["attacks"][0]["after"]["note"]
    assert same_data(tmp_path / "a", tmp_path / "b")
    offsets = [pq.read_table(tmp_path / d / "out/r/internal/offsets/notes.parquet").to_pylist() for d in "ab"]
    assert offsets[0] == offsets[1]
    assert not list((tmp_path / "b/out").glob(".r*"))


def test_csv_holds_lines_and_quotes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = 'She said:\n"yes, no"\r\nand is stable today, and well.'
    monkeypatch.setattr(
        sys.modules[__name__], "TEXTS", [("p1", said), ("p2", "It was a good day for him, and he left.")]
    )
    path = desk(tmp_path, policy=POLICY + "write: {csv: out}\n")
    release(check(path))
    with (tmp_path / "out/r/public/notes.csv").open(newline="") as file:
        assert said in [row["body"] for row in csv.DictReader(file)]
    assert verify(tmp_path / "out/r", with_=tmp_path).ok


def test_a_plan_counts_what_is_odd(tmp_path: Path) -> None:
    path = desk(tmp_path)
    with (tmp_path / "n.jsonl").open("a") as file:
        odd = {"note_id": "0", "who": "p9", "seen": None, "ward": "w0", "body": "Nobody knows her."}
        file.write(json.dumps(odd) + "\n")
    found = plan(check(path))["notes"]
    assert found.size == {"rows": 5, "persons": 3}
    assert [caution.partition(":")[0] for caution in found.cautions] == ["body", "note_id", "who"]
    assert not found.outcome.feasible
    assert "undecided" in found.outcome.why_not
    with pytest.raises(Infeasible, match="no-known-identifiers"):
        release(check(path))
    path.write_text(path.read_text().replace("ids: [mrn]", "ids: [mrn], absent: allow"))
    assert plan(check(path))["notes"].outcome.feasible


MISTAKES = [
    ("ward: keep", "ward: quasi", "notes have no classes"),
    ("body: text", "body: keep", "no column has the text"),
    ("ward: keep", "ward: text", "2 columns have the text"),
    ("using: replace", "using: replace\n    publish: within-class", "without a pseudonym"),
    ("names: [given, family]", "names: [given, famly]", "no column 'famly'"),
    ("{people: {csv: people.csv}, subject: who,", "{dataset: persons,", "no dataset of this name"),
]


@pytest.mark.parametrize(("old", "new", "said"), MISTAKES, ids=[said for _, _, said in MISTAKES])
def test_mistakes_of_a_policy_for_notes(tmp_path: Path, old: str, new: str, said: str) -> None:
    path = desk(tmp_path, policy=POLICY.replace(old, new))
    with pytest.raises((PolicyError, DataError), match=said):
        release(check(path))


KILLED = """
import sys, time
from pathlib import Path
from sharewell.notes.engine import note_files
from sharewell.notes.engine.protection import person_by_person as engine
from sharewell.notes.mechanisms import replace
note_files.IN_MEMORY, engine.BLOCK_NOTES = (1, 1), 2
rewrite = replace.Replace.rewrite
def slow(self, texts, whose):
    time.sleep(float(sys.argv[2]))
    with Path(sys.argv[1]).with_name("done").open("a") as file:
        print(whose.person, file=file)
    return rewrite(self, texts, whose)
replace.Replace.rewrite = slow
from sharewell.policy import check
from sharewell.pipeline.run import release
release(check(sys.argv[1]), lambda step: print(step, flush=True))
"""


def test_killed_and_begun_again_it_goes_on_and_ends_the_same(tmp_path: Path) -> None:
    """A real kill: the second run skips what is finished, and writes what an undisturbed run writes."""
    paths = [desk(tmp_path / name) for name in "ab"]
    for path in paths:
        lines = [json.dumps({"note_id": i, "who": f"p{i}", "body": f"Seen on 3/{i}/2020."}) for i in range(1, 25)]
        (path.parent / "n.jsonl").write_text("\n".join(lines))
        text = path.read_text().replace(", seen: shift, ward: keep", "").replace("ids: [mrn]", "absent: allow")
        path.write_text(text.replace("using: replace", "using: {replace: {detectors: [dates], language: any}}"))
    command = [sys.executable, "-c", KILLED]
    child = subprocess.Popen([*command, str(paths[0]), "0.3"], stdout=subprocess.DEVNULL)
    left = tmp_path / "a/out"
    while len(list(left.glob(".r.partial-*/journal/*/notes/0*.parquet"))) < 4:
        assert child.poll() is None
        time.sleep(0.05)
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    (journal,) = left.glob(".r.partial-*/journal/*/notes")
    finished = {who for block in journal.glob("0*.parquet") for who in pq.read_table(block)["person"].to_pylist()}
    assert (journal.parents[2].stat().st_mode & 0o077) == 0
    (tmp_path / "a/done").unlink()
    subprocess.run([*command, str(paths[0]), "0"], check=True, stdout=subprocess.DEVNULL)
    again = [who for who in (tmp_path / "a/done").read_text().split() if who in {f"p{i}" for i in range(25)}]
    assert len(finished) >= 4
    assert sorted(again) == sorted({f"p{i}" for i in range(1, 25)} - finished), "what was finished is not done again"
    assert not list(left.glob(".r*"))
    subprocess.run([*command, str(paths[1]), "0"], check=True, stdout=subprocess.DEVNULL)
    assert same_data(tmp_path / "a", tmp_path / "b")
    certificates = [json.loads((tmp_path / d / "out/r/public/certificate.json").read_bytes()) for d in "ab"]
    assert certificates[0] == certificates[1]
