"""Notes are rewritten once, whatever tables they must agree with, and come out as without memory."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field

from sharewell.keys import Key
from sharewell.notes import Notes, Replace, TextAgreesWithTable
from sharewell.notes.annotation.remembered_rewrites import RememberedRewrites
from sharewell.notes.engine.protection.person_by_person import NoteMechanism
from sharewell.notes.engine.rewritten_text import NoteOwner, RewrittenNote
from sharewell.notes.wing import NotesWing

NOTES = Notes.of(["A 63-year-old with asthma.", "Aged 41."], persons=["a", "b"])
KEY = Key(b"an example key of enough bytes..")


@dataclass(frozen=True)
class Counting(NoteMechanism):
    """Replaces as usual, and counts how often."""

    calls: list[int] = field(default_factory=list, compare=False)
    name = "counting"

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
        self.calls.append(1)
        return Replace().rewrite(texts, owner)


def test_texts_agree_with_one_table_after_another_and_are_rewritten_once() -> None:
    inner, judge = Counting(), TextAgreesWithTable(ages=("age",))
    remembered = NotesWing().remembering(inner)
    remembered.protect(NOTES, [], KEY)
    for cells in (["[60-69]", "41"], ["[40-69]", "[40-69]"]):
        agreeing = NotesWing().agreeing(remembered, judge, NOTES, {"age": cells}, {"age": cells})
        texts = list(agreeing.protect(NOTES, [], KEY).data.texts)
        assert all(cell in text for cell, text in zip(cells, texts, strict=True))
    assert len(inner.calls) == 2  # two persons


def test_another_process_begins_without_memory() -> None:
    remembered = RememberedRewrites(Replace())
    remembered.protect(NOTES, [], KEY)
    assert remembered.memory
    assert not pickle.loads(pickle.dumps(remembered)).memory
