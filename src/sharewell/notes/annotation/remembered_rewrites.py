"""A mechanism around another one that rewrites each person's notes once, and makes them agree with ever other rows.

Protecting several datasets together tries several tables of the people. What identifies is replaced in the notes in the
same way each time; only what must agree with a row differs. Results are remembered in this process; other processes,
which come and go, are given what belongs to their people, and come to the same: a person's key does not depend on the
table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from sharewell.keys import Key
from sharewell.notes.annotation.row_agreement import RowAgreement
from sharewell.notes.data import Notes
from sharewell.notes.engine.protection.person_by_person import NoteMechanism, person_by_person
from sharewell.notes.engine.protection.worker_blocks import UNCLEAR
from sharewell.notes.engine.rewritten_text import NoteOwner, RewrittenNote
from sharewell.notes.mechanisms.replace import refuse_unread
from sharewell.protocols import Criterion, Protected

Memory = dict[tuple[str, bytes, tuple[str, ...]], list[RewrittenNote]]


@dataclass(frozen=True)
class RememberedRewrites:
    """Rewrites as another mechanism does, and then makes every note agree with the row of its person, if there is one.

    Only the inner mechanism decides about random choices: the rows do not count.
    """

    inner: NoteMechanism
    agreement: RowAgreement | None = field(default=None, compare=False)
    memory: Memory = field(default_factory=dict, repr=False, compare=False)
    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = ()
    measured_by: ClassVar[str] = ""

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def falsifies(self) -> bool:
        return self.inner.falsifies

    def __reduce__(self) -> tuple[type[RememberedRewrites], tuple[NoteMechanism, RowAgreement | None]]:
        """Other processes begin without memory."""
        return RememberedRewrites, (self.inner, self.agreement)

    def protect(self, data: Notes, must: Sequence[Criterion[Notes]], key: Key | None = None) -> Protected[Notes]:
        refuse_unread(self.inner, data, [criterion.name for criterion in must])
        return person_by_person(self, data, must, key)

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
        if (notes := self.recall(texts, owner)) is None:
            notes = self.inner.rewrite(texts, owner)
            self.remember(texts, owner, notes)
        return notes if self.agreement is None else self.agreement.agreed(texts, notes, owner)

    def recall(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote] | None:
        return self.memory.get((owner.person, owner.key.secret, tuple(texts)))

    def remember(self, texts: Sequence[str], owner: NoteOwner, notes: list[RewrittenNote]) -> None:
        self.memory[owner.person, owner.key.secret, tuple(texts)] = notes

    def learn(self, texts: Sequence[str], owner: NoteOwner, notes: list[RewrittenNote]) -> None:
        """Only what the inner mechanism made of all of them alone: a note that made it fail is tried again."""
        if self.agreement is None and all(note.withheld != UNCLEAR for note in notes):
            self.remember(texts, owner, notes)
