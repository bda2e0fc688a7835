"""A note that cannot be rewritten is withheld and counted; the others are published as if it were not there."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.keys import Key
from sharewell.notes import Notes, Replace
from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.protection.person_by_person import person_by_person
from sharewell.notes.engine.rewritten_text import NoteOwner, RewrittenNote, apply_edits

KEY = Key(b"an example key of enough bytes..")
POSSESSIVE = "Seen with Jeremy Hartmann of Gradiant Research LLC's, Ástríður Steinarsdóttir of Iku, for the fever."


def test_spans_never_overlap_whatever_grows() -> None:
    """The rule for shops grew over the 's, of which another detector had the s."""
    spans = Detectors.usual().find(POSSESSIVE)
    assert all(one.end <= other.start for one, other in itertools.pairwise(spans))
    (made,) = Replace().rewrite([POSSESSIVE], NoteOwner("p", KEY))
    assert made.text is not None
    assert "Hartmann" not in made.text
    assert "Gradiant" not in made.text


class Choking:
    """It cannot take some notes, alone or together."""

    name = "choking"

    def rewrite(self, texts: Sequence[str], whose: NoteOwner) -> list[RewrittenNote]:
        if any("bad" in text for text in texts) or sum("pair" in text for text in texts) > 1:
            raise ValueError("SECRET")
        return [apply_edits(text, []) for text in texts]


def test_a_note_that_cannot_be_rewritten_is_withheld_alone() -> None:
    texts = ["good one", "bad one", "good two", "bad alone", "pair a", "pair b"]
    notes = Notes.of(texts, ["p1", "p1", "p1", "p2", "p3", "p3"])
    made = person_by_person(Choking(), notes, [], KEY)
    assert made.details.withheld == {"could not be rewritten": 4}
    assert sorted(made.data.texts) == ["good one", "good two"]


def test_if_no_note_can_be_rewritten_nothing_is_published() -> None:
    with pytest.raises(DataError) as caught:
        person_by_person(Choking(), Notes.of(["bad one", "bad two"], ["p1", "p2"]), [], KEY)
    assert str(caught.value) == "notes — 2 could not be rewritten, and none is left to publish"


def test_the_command_counts_what_it_withholds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = Replace.rewrite

    def choking(self: Replace, texts: Sequence[str], whose: NoteOwner) -> list[RewrittenNote]:
        if any("odd" in text for text in texts):
            raise ValueError("SECRET")
        return usual(self, texts, whose)

    monkeypatch.setattr(Replace, "rewrite", choking)
    lines = ["The patient came with a fever and feels well.", "The patient is odd and came with a cough."]
    (tmp_path / "n.jsonl").write_text("".join(json.dumps({"text": line}) + "\n" for line in lines))
    assert main(["notes", "protect", str(tmp_path / "n.jsonl"), "--out", str(tmp_path / "out.jsonl")]) == 0
    told = capsys.readouterr().out
    assert "withheld 1 (could not be rewritten)" in told
    assert (tmp_path / "out.jsonl").read_text().count("\n") == 1
