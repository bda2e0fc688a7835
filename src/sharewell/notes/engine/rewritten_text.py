"""Edits of a note, and the rewritten note with a map from the original's offsets to the published ones.

A mechanism for notes has the method `rewrite(texts, owner)`: it takes all notes of one person and returns what is
published of each. The result depends on these notes, the person's known identifiers and the person's own key alone; so
notes can be rewritten in any order, by several processes, and again after an interruption.

>>> made = apply_edits("Seen by Dr. Delgado.", [Edit(12, 19, "NAME", "Ortiz")])
>>> made.text, made.changes
('Seen by Dr. Ortiz.', (Change(start=12, end=19, kind='NAME', published_start=12, published_end=17),))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, runtime_checkable

from sharewell.keys import Key
from sharewell.notes.engine.known_identifiers import Known


class Edit(NamedTuple):
    """A span of the original, half-open, and the text that replaces it."""

    start: int
    end: int
    kind: str
    text: str


class Change(NamedTuple):
    """A span that was replaced: its place, its kind, and the place of its replacement. It holds no words."""

    start: int
    end: int
    kind: str
    published_start: int
    published_end: int


@dataclass(frozen=True)
class RewrittenNote:
    """What is published of one note: a text, or nothing and the reason in `withheld`."""

    text: str | None = field(repr=False)
    changes: tuple[Change, ...] = ()
    withheld: str = ""
    """In a word or two, such as `language`."""

    @classmethod
    def withhold(cls, why: str) -> RewrittenNote:
        return cls(None, (), why)


@dataclass(frozen=True)
class NoteOwner:
    """The person whose notes are rewritten."""

    person: str = field(repr=False)
    """As in the data; where no person is named, a name for this note alone."""
    key: Key = field(repr=False)
    """The key of this person in this dataset: every random choice about the person derives from it."""
    known: Known | None = field(default=None, repr=False)
    """What the person's own row says."""
    shift: int | None = None
    """Days by which the person's dates move, if dates in another column of the dataset move with them."""
    scopes: tuple[str, ...] = field(default=(), repr=False)
    """Of each note, within what the person has one set of surrogates, such as a class; empty: in all notes."""


@runtime_checkable
class Rewriter(Protocol):
    """The one method of a mechanism for notes, beside `protect`."""

    @property
    def name(self) -> str: ...

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]: ...


@runtime_checkable
class Preloadable(Protocol):
    """A mechanism that loads what it needs before the first note."""

    def ready(self) -> None: ...


@runtime_checkable
class Remembering(Protocol):
    """A mechanism that remembers what another one, which it works with, made of a person's notes."""

    def recall(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote] | None:
        """What was made of these notes before, if they were rewritten."""
        ...

    def remember(self, texts: Sequence[str], owner: NoteOwner, notes: list[RewrittenNote]) -> None:
        """What was recalled in another process."""
        ...

    def learn(self, texts: Sequence[str], owner: NoteOwner, notes: list[RewrittenNote]) -> None:
        """What another process made of these notes with this mechanism, to be recalled if that is worth it."""
        ...


def apply_edits(text: str, edits: Iterable[Edit]) -> RewrittenNote:
    """The text with its pieces replaced. Edits do not overlap; their order does not matter."""
    parts: list[str] = []
    changes: list[Change] = []
    last_end = length = 0
    for start, end, kind, new in sorted(edits):
        if start < last_end or end < start or end > len(text):
            raise ValueError("edits overlap, or leave the text")
        length += start - last_end
        parts += (text[last_end:start], new)
        changes.append(Change(start, end, kind, length, length + len(new)))
        length += len(new)
        last_end = end
    return RewrittenNote("".join((*parts, text[last_end:])), tuple(changes))
