"""Notes are rewritten once, whatever tables they must agree with, and come out as without memory."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from sharewell.keys import Key
from sharewell.notes import Notes, Replace, TextAgreesWithTable
from sharewell.notes.annotation.remembered_rewrites import RememberedRewrites
from sharewell.notes.data import WorkSettings
from sharewell.notes.engine.protection import worker_blocks
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
    for cells, shown in ((["[60-69]", "41"], ["60s", "41"]), (["[40-69]", "[40-69]"], ["40-69", "40-69"])):
        agreeing = NotesWing().agreeing(remembered, judge, NOTES, {"age": cells}, {"age": cells})
        texts = list(agreeing.protect(NOTES, [], KEY).data.texts)
        assert all(age in text for age, text in zip(shown, texts, strict=True))
    assert len(inner.calls) == 2  # two persons


def test_another_process_begins_without_memory() -> None:
    remembered = RememberedRewrites(Replace())
    remembered.protect(NOTES, [], KEY)
    assert remembered.memory
    assert not pickle.loads(pickle.dumps(remembered)).memory


def test_other_processes_are_given_what_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one pass makes is learnt; the next one, in other processes, works with it and not with the note anew."""
    monkeypatch.setattr(worker_blocks, "WORTH_PROCESSES", 1)
    several = replace(NOTES, work=WorkSettings(processes=2))
    remembered, judge = RememberedRewrites(Replace()), TextAgreesWithTable(ages=("age",))
    cells = ["[60-69]", "[40-49]"]
    agreeing = NotesWing().agreeing(remembered, judge, NOTES, {"age": cells}, {"age": cells})
    remembered.protect(several, [], KEY)
    alone = RememberedRewrites(Replace())
    alone.protect(NOTES, [], KEY)
    assert remembered.memory == alone.memory
    assert list(agreeing.protect(several, [], KEY).data.texts) == list(agreeing.protect(NOTES, [], KEY).data.texts)
    for place in remembered.memory:
        remembered.memory[place] = [RewrittenNote.withhold("as remembered")]
    agreeing.memory[next(iter(remembered.memory))] = [RewrittenNote(NOTES.texts[0], ())]
    assert agreeing.protect(several, [], KEY).data.withheld == {"as remembered": 1}


def test_a_note_that_could_not_be_rewritten_is_not_learnt() -> None:
    remembered = RememberedRewrites(Replace())
    owner = NoteOwner("a", KEY)
    remembered.learn(["x"], owner, [RewrittenNote.withhold(worker_blocks.UNCLEAR)])
    assert remembered.recall(["x"], owner) is None
    remembered.learn(["x"], owner, [RewrittenNote("y", ())])
    assert remembered.recall(["x"], owner) == [RewrittenNote("y", ())]
