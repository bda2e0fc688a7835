"""Notes as a release runs them: read, and rewritten person by person, in memory or on disk, by one process or two."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.notes.data import ColumnShift, Notes, WorkSettings
from sharewell.notes.engine import note_files
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.note_files import NoteColumns, SubjectCodes, TextsOnDisk, key_columns, read_notes
from sharewell.notes.engine.protection import person_by_person as engine
from sharewell.notes.engine.protection import worker_blocks
from sharewell.notes.engine.protection.person_by_person import person_by_person
from sharewell.notes.engine.rewritten_text import Edit, NoteOwner, RewrittenNote, apply_edits
from sharewell.protocols import Protected

KEY = Key(b"a key of enough bytes for tests..")


@dataclass(frozen=True)
class Marked:
    """Puts the person's own mark before every word in capitals; keeps back what is in another language."""

    name: ClassVar[str] = "marked"
    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = ()

    def protect(self, data: Notes, must: Sequence[Any], key: Key | None = None) -> Protected[Notes]:
        return person_by_person(self, data, must, key)

    def rewrite(self, texts: Sequence[str], whose: NoteOwner) -> list[RewrittenNote]:
        mark = whose.key.digest("mark", texts[0])[:3].hex() + str(whose.shift or "")
        return [self._one(text, mark) for text in texts]

    def _one(self, text: str, mark: str) -> RewrittenNote:
        if text.startswith("Der "):
            return RewrittenNote.withhold("language")
        if text.startswith("BREAK"):
            raise ValueError(text)
        return apply_edits(text, [Edit(0, text.find(" "), "NAME", mark)] if " " in text else [])


def rows(count: int = 60, people: int = 7) -> list[dict[str, Any]]:
    words = [f"ROSA came on day {i}" for i in range(count)]
    words[3], words[4], words[5] = "", "   ", "Der Patient kam"
    return [{"note": i, "who": f"p{i % people}", "body": words[i], "ward": f"w{i % 3}"} for i in range(count)]


def written(path: Path, given: list[dict[str, Any]]) -> Source:
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    return Source.of(path)


COLUMNS = NoteColumns("body", "who", ("ward",), ("note",), ("note",))


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(note_files, "IN_MEMORY", (10, 1 << 30))
    monkeypatch.setattr(note_files, "_BATCH_ROWS", 8)
    monkeypatch.setattr(engine, "BLOCK_NOTES", 9)


def by_row(done: Protected[Notes]) -> dict[int, str]:
    return dict(zip(done.rows.tolist(), done.data.texts, strict=True))


def test_json_lines_are_a_table_of_text(tmp_path: Path) -> None:
    path = tmp_path / "n.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"id": 007e, "a": 1}\n'))
    with pytest.raises(DataError, match="line 1 — is not a JSON object"):
        Source.of(path).read()
    path.write_bytes(
        gzip.compress(b'{"id": 10, "a": 1.50}\n\n{"id": "007", "a": null, "b": [true]}\n{"b": "\\ud800"}\n')
    )
    found = Source.of(path).read().to_pylist()
    assert found[0] == {"id": "10", "a": "1.50", "b": None}
    assert found[1:] == [{"id": "007", "a": None, "b": "[true]"}, {"id": None, "a": None, "b": "?"}]
    assert Source.of(path).read(["b"]).column_names == ["b"]


def test_a_key_that_comes_late_is_refused_and_not_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sharewell.io.jsonlines.LOOKED_AT", 1)
    source = written(tmp_path / "n.jsonl", [{"a": 1}, {"a": 2, "Rosa": 1}])
    with pytest.raises(DataError, match="line 2 — has a key") as caught:
        source.read()
    assert "Rosa" not in str(caught.value)


def test_notes_from_a_frame_and_from_a_file(tmp_path: Path) -> None:
    given = [{"who": "p1", "body": "one"}, {"who": 2, "body": None}]
    written(tmp_path / "n.jsonl", given)
    for notes in (
        Notes.from_frame(tmp_path / "n.jsonl", "body", "who"),
        Notes.from_frame(pa.table({"who": ["p1", "2"], "body": ["one", None]}), "body", "who"),
    ):
        assert (notes.texts, notes.persons, notes.column) == (("one", ""), ("p1", "2"), "body")
    assert Notes.from_frame(tmp_path / "n.jsonl", "body").persons is None


def test_what_is_odd_is_counted(tmp_path: Path) -> None:
    given = rows()
    given[7]["note"] = 8
    given[9]["ward"] = None
    notes = read_notes(written(tmp_path / "n.jsonl", given), COLUMNS)
    assert notes.rows == 60
    assert notes.facts["body"] == {"missing": 1, "blank": 1}
    assert notes.facts["note"] == {"missing": 0, "distinct": 59, "twice": 1}
    assert notes.facts["ward"] == {"missing": 1}
    assert key_columns(["note_id", "visit_id", "id", "NoteID", "body"]) == ("note_id", "id", "NoteID")


def test_a_note_of_nobody_is_refused(tmp_path: Path) -> None:
    given = rows()
    given[2]["who"] = " "
    with pytest.raises(DataError, match="1 of 60 notes belong to nobody"):
        read_notes(written(tmp_path / "n.jsonl", given), COLUMNS)


@pytest.mark.usefixtures("on_disk")
@pytest.mark.parametrize("subject", ["who", None])
def test_on_disk_and_in_memory_are_the_same(tmp_path: Path, subject: str | None) -> None:
    source = written(tmp_path / "n.jsonl", rows())
    columns = replace(COLUMNS, subject=subject)
    large = read_notes(source, columns, place=tmp_path / "work")
    assert isinstance(large.texts, TextsOnDisk)
    small = Notes.of([row["body"] for row in rows()], [row["who"] for row in rows()] if subject else None)
    small = replace(small, beside=source.read(list(COLUMNS.beside)))
    first, second = Marked().protect(large, [], KEY), Marked().protect(small, [], KEY)
    assert by_row(first) == by_row(second)
    assert first.data.withheld == second.data.withheld == {"empty": 2, "language": 1}
    assert first.details.changed == second.details.changed == {"NAME": 57}
    if subject:
        assert list(first.data.persons or ()) == [f"p{row % 7}" for row in first.rows]
    assert len(list(first.data.texts)) == len(first.data.texts) == 57


@pytest.mark.usefixtures("on_disk")
def test_people_are_never_parted(tmp_path: Path) -> None:
    """Every mark depends on the first of all texts of a person: it is one for each person, however blocks are cut."""
    large = read_notes(written(tmp_path / "n.jsonl", rows(people=3)), COLUMNS, place=tmp_path / "work")
    done = Marked().protect(large, [], KEY)
    marks = {(person, text.split()[0]) for person, text in zip(done.data.persons or (), done.data.texts, strict=True)}
    assert len(marks) == 3


@pytest.mark.parametrize("with_persons", [True, False])
def test_the_order_of_the_file_decides_nothing(with_persons: bool) -> None:
    given = rows()
    mixed = random.Random(5).sample(given, len(given))

    def published(some: list[dict[str, Any]]) -> list[tuple[str, str]]:
        whose = [row["who"] for row in some]
        done = Marked().protect(Notes.of([row["body"] for row in some], whose if with_persons else None), [], KEY)
        return sorted((whose[row], text) for row, text in by_row(done).items())

    assert published(given) == published(mixed)


def test_two_processes_do_the_same_as_one() -> None:
    from sharewell.notes.mechanisms.replace import Replace

    texts = [f"Rosa Delgado came on 3/{1 + i % 28}/2020, aspirin {i} mg." for i in range(2400)]
    notes = Notes.of(texts, [f"p{i % 50}" for i in range(2400)], {"p1": Known.of(names=["Rosa Delgado"])})
    told: list[int] = []
    spread = replace(notes, work=WorkSettings(2, told.append))
    mechanism = Replace(detectors=["dates", "doses"])
    one, two = mechanism.protect(notes, [], KEY), mechanism.protect(spread, [], KEY)
    assert tuple(one.data.texts) == tuple(two.data.texts)
    assert sum(told) == 2400


@dataclass(frozen=True)
class Sleeper:
    """Takes a minute for a note that asks for it."""

    name: ClassVar[str] = "sleeper"

    def rewrite(self, texts: Sequence[str], whose: NoteOwner) -> list[RewrittenNote]:
        time.sleep(60 if texts[0] == "slow" else 0)
        return [RewrittenNote(text, ()) for text in texts]


def test_whoever_stops_does_not_wait_for_the_notes_that_other_processes_have_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_blocks, "WORTH_PROCESSES", 1)
    blocks = [(number, pa.table({"text": [text]})) for number, text in enumerate(["quick", "slow", "slow"])]

    def people(block: pa.Table) -> list[worker_blocks.PersonNotes]:
        return [worker_blocks.PersonNotes(NoteOwner("a", KEY), (0,), block["text"].to_pylist())]

    others = multiprocessing.active_children()
    finished = worker_blocks.each_block(Sleeper(), iter(blocks), people, WorkSettings(2))
    assert next(finished)[0] == 0
    begun = time.monotonic()
    finished.close()  # type: ignore[attr-defined]
    # a worker may be waited for by the pool's own thread too, and is listed until that thread has noted its end
    while {*multiprocessing.active_children()} - {*others}:
        assert time.monotonic() - begun < 30
        time.sleep(0.05)


def test_what_breaks_says_no_word() -> None:
    for count in (1, 2500):
        notes = Notes.of(["BREAK canary word"] * count, ["p1"] * count)
        with pytest.raises(DataError, match="could not be rewritten, and none is left") as caught:
            Marked().protect(replace(notes, work=WorkSettings(2 if count == 1 else 1)), [], KEY)
        assert "canary" not in str(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.usefixtures("on_disk")
def test_finished_blocks_are_taken_over_by_the_same_work_alone(tmp_path: Path) -> None:
    source = written(tmp_path / "n.jsonl", rows())
    large = read_notes(source, COLUMNS, place=tmp_path / "work")
    first = by_row(Marked().protect(large, [], KEY))
    (block,) = (tmp_path / "work").glob("00000002.parquet")
    table = pq.read_table(block)
    kept = pa.array(["from the journal"] * table.num_rows)
    pq.write_table(table.set_column(table.column_names.index("text"), "text", kept), block)
    again = by_row(Marked().protect(large, [], KEY))
    assert sum(text == "from the journal" for text in again.values()) == table.num_rows
    other = by_row(Marked().protect(large, [], Key(b"another key of enough bytes .....")))
    assert "from the journal" not in other.values()
    assert by_row(Marked().protect(large, [], KEY)) == first
    assert (tmp_path / "work").stat().st_mode & 0o077 == 0


def test_dates_beside_move_with_those_in_the_text() -> None:
    beside = pa.table({"seen": ["2020-01-05", "2020-01-09"]})
    notes = replace(
        Notes.of(["ROSA came", "ROSA left"], ["p1", "p1"]), beside=beside, shifted={"seen": ColumnShift(30)}
    )
    done = Marked().protect(replace(notes, shift_key=KEY), [], KEY)
    days = KEY.shift_days("notes", "p1", 30)
    assert all(text.split()[0].endswith(str(days)) for text in done.data.texts)
    first, last = done.data.beside["seen"].to_pylist()
    assert first != "2020-01-05"
    assert (pa.scalar(last).cast(pa.date32()).as_py() - pa.scalar(first).cast(pa.date32()).as_py()).days == 4


def test_whom_is_a_sequence() -> None:
    whom = SubjectCodes.of([pa.chunked_array([["a", "b"]]), pa.chunked_array([["b", "c"]])])
    assert list(whom) == ["a", "b", "b", "c"]
    assert (whom[1], list(whom[2:]), whom.people, len(SubjectCodes.of([]))) == ("b", ["b", "c"], 3, 0)
