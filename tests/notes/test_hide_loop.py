"""Annotate, tag, correct: marked notes come out as they went in, and the page holds them safely."""

import json
import re
import stat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.notes.annotation.marked import MOST, Mark, MarkedNote, page, read, tag, write, write_page

NOTE = {"id": "a", "text": "Rosa Delgado, 47 y/o, seen 3/5/2016.", "spans": [{"start": 0, "end": 12, "label": "NAME"}]}


def jsonl(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def held(html):
    """The notes that a page holds."""
    (inside,) = re.findall(r'<script type="application/json" id="notes">(.*?)</script>', html, re.DOTALL)
    return json.loads(inside)["notes"]


@given(st.lists(st.tuples(st.text(max_size=40), st.integers(0, 40), st.integers(0, 40)), max_size=6))
@settings(max_examples=60, deadline=None)
def test_marked_notes_come_back(tmp_path_factory, drawn):
    notes = []
    for at, (text, a, b) in enumerate(drawn):
        text = text.encode("utf-8", "replace").decode()
        start, end = sorted((min(a, len(text)), min(b, len(text))))
        notes.append(MarkedNote(str(at), text, (Mark(start, end, "NAME"),) if start < end else ()))
    path = tmp_path_factory.mktemp("marked") / "notes.jsonl"
    assert write(path, notes) == len(notes)
    assert list(read(path)) == notes
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@given(st.text(max_size=60))
@settings(max_examples=60, deadline=None)
def test_no_note_breaks_out_of_the_page(text):
    text = text.encode("utf-8", "replace").decode()
    note = {"id": "</script><script>alert(1)", "text": "</script><!-- " + text, "spans": []}
    html = page([note], "saved.jsonl")
    assert held(html) == [note]
    assert "default-src 'none'" in html
    assert html.count("</script>") == 2


def test_the_page_loads_nothing():
    html = page([NOTE], "saved.jsonl")
    assert not re.search(
        r"(?:src|href)\s*=\s*[\"'](?!data:)|https?:|@import|fetch\(|XMLHttp|WebSocket|localStorage", html
    )


def test_a_tagged_note_has_its_marks_and_certainties(tmp_path):
    file = jsonl(tmp_path / "notes.jsonl", NOTE, {"note_id": "b", "text": "Seen 3/5/2016."})
    tagged = list(tag(file))
    assert {note.text[m.start : m.end] for m in tagged[0].spans for note in tagged[:1]} >= {
        "Rosa Delgado",
        "47",
        "3/5/2016",
    }
    assert all(mark.certainty is not None for note in tagged for mark in note.spans)
    kept = list(tag(file, again=False))
    assert kept[0].spans == (Mark(0, 12, "NAME"),)
    assert [note.id for note in kept] == ["a", "b"]


def test_commands(tmp_path, capsys):
    file = jsonl(tmp_path / "notes.jsonl", NOTE)
    tagged, first, second, blank = (tmp_path / name for name in ("tagged.jsonl", "a.html", "b.html", "c.html"))
    assert main(["notes", "tag", str(file), "--out", str(tagged)]) == 0
    assert main(["notes", "correct", str(tagged), "--out", str(first)]) == 0
    assert main(["notes", "annotate", str(file), "--out", str(second), "--json"]) == 0
    assert main(["notes", "annotate", str(file), "--blank", "--out", str(blank)]) == 0
    assert "Delgado" not in capsys.readouterr().out
    assert len(held(first.read_text())[0]["spans"]) > 1
    assert [span["label"] for span in held(second.read_text())[0]["spans"]] == ["NAME"]
    assert stat.S_IMODE(first.stat().st_mode) == 0o600
    assert main(["notes", "correct", str(tagged), "--out", str(first)]) == 3


def test_half_of_a_surrogate_pair_comes_back_as_it_was(tmp_path):
    text = "Seen by Dr. Delgado \ud800 today \U0001f600"
    file, tagged = jsonl(tmp_path / "notes.jsonl", {"id": "a\udfff", "text": text}), tmp_path / "tagged.jsonl"
    assert main(["notes", "tag", str(file), "--out", str(tagged)]) == 0
    [note] = read(tagged)
    assert (note.id, note.text) == ("a\udfff", text)
    assert [note.text[m.start : m.end] for m in note.spans] == ["Delgado"]


@pytest.mark.parametrize(
    "row",
    [
        {"id": "a", "text": 3},
        {"id": "a", "text": "x", "spans": "all"},
        {"id": "a", "text": "x", "spans": [{"start": 0, "end": 5, "label": "NAME"}]},
        {"id": "a", "text": "x", "spans": [{"start": 0, "end": 1}]},
        {"id": "a", "text": "xyz", "spans": [{"start": 0, "end": 1, "label": "NAME", "text": "y"}]},
        {"id": "a", "text": "x", "spans": [7]},
    ],
)
def test_odd_notes_are_told_by_line(tmp_path, row):
    with pytest.raises(DataError, match="line 1"):
        list(read(jsonl(tmp_path / "odd.jsonl", row)))


def test_no_notes_and_too_many(tmp_path):
    with pytest.raises(DataError):
        write_page(tmp_path / "a.html", [], "m.jsonl")
    with pytest.raises(DataError, match="too many"):
        write_page(tmp_path / "a.html", (MarkedNote(str(i), "x") for i in range(MOST + 1)), "m.jsonl")
