"""A mechanism around another one that writes the published cells of the extracted table into the notes.

Every mention of an extracted attribute becomes the published cell of the person's row, if the cell covers it (47
becomes [45-49]), and a mark (`[age]`) if not: another age, or a person whose row is not published. Surrogates of the
inner mechanism for such attributes (a shifted date, an invented town) become marks too, and so do dates of birth. Words
that tell the sex stay if the row publishes a sex, and become neutral if not. At the end the search for known
identifiers is repeated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from sharewell import cells
from sharewell.keys import Key
from sharewell.notes.annotation.extraction import DATES, PLACES, Mention, ages_and_sexes, mentions, row_from
from sharewell.notes.annotation.gender import neutral_word
from sharewell.notes.annotation.readable_ages import readable_wordings
from sharewell.notes.data import Notes
from sharewell.notes.engine.protection.person_by_person import NoteMechanism, person_by_person
from sharewell.notes.engine.rewritten_text import Change, Edit, NoteOwner, RewrittenNote, apply_edits
from sharewell.notes.engine.spans import Text
from sharewell.notes.mechanisms.replace import refuse_unread
from sharewell.notes.replacers.survivors import tag_survivors
from sharewell.protocols import Criterion, Protected

_KIND = {
    "age": "AGE",
    "sex": "OTHER",
    "date": "DATE",
    "birth": "DATE",
    "zip": "ADDRESS",
    "city": "PLACE",
    "state": "PLACE",
    "postcode": "PLACE",
    "diagnosis": "OTHER",
    "trait": "OTHER",
}
UNCLEAR = "not written back"
"""Why a note is withheld whose changes cannot be told apart from its text."""
_ROUNDS = 4


@dataclass(frozen=True)
class WrittenBack:
    """Rewrites as another mechanism does, and then writes a row's published cells back."""

    inner: NoteMechanism
    columns: tuple[str, ...]
    cells: Mapping[str, Mapping[str, str | None]] = field(repr=False, compare=False)
    """Person → column → the published cell, as a file shows it; a person whose row is not published is missing."""
    engine: ClassVar[str] = "check"
    refuses: ClassVar[tuple[str, ...]] = ()
    measured_by: ClassVar[str] = ""

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def falsifies(self) -> bool:
        return self.inner.falsifies

    def __repr__(self) -> str:
        """With a digest of the cells, so that work begun with others is not gone on with."""
        return f"WrittenBack({self.inner!r}, {self.columns!r}, {self._digest})"

    @cached_property
    def _digest(self) -> str:
        content = repr([(person, sorted(row.items())) for person, row in sorted(self.cells.items())])
        return hashlib.sha256(content.encode()).hexdigest()

    def protect(self, data: Notes, must: Sequence[Criterion[Notes]], key: Key | None = None) -> Protected[Notes]:
        refuse_unread(self.inner, data, ["extracted-values"])
        return person_by_person(self, data, must, key)

    def rewrite(self, texts: Sequence[str], owner: NoteOwner) -> list[RewrittenNote]:
        row = self.cells.get(owner.person, {})
        by_note = [mentions(Text.of(text), self.columns, owner.known) for text in texts]
        replacement = MentionText(
            self.columns,
            row,
            row_from([mention for note_mentions in by_note for mention in note_mentions], self.columns),
        )
        inner_notes = self.inner.rewrite(texts, owner)
        notes = zip(texts, inner_notes, by_note, strict=True)
        written = [write_back_note(text, inner, result, replacement, owner) for text, inner, result in notes]
        cell = row.get("age") or ""
        return [with_readable_ages(text, note, cell) for text, note in zip(texts, written, strict=True)]


@dataclass(frozen=True)
class MentionText:
    """What stands for a mention: the cell of the row, or a mark."""

    columns: tuple[str, ...]
    row: Mapping[str, str | None] = field(repr=False)
    extracted: Mapping[str, str | None] = field(repr=False)

    def text_for(self, mention: Mention, text: str) -> str | None:
        """The text for a mention; None leaves it: a published sex, or the other one, which is somebody else's."""
        if mention.sort == "sex":
            published = self.row.get("sex") in ("M", "F")
            return (
                None
                if published
                else neutral_word(text[mention.start : mention.end], text[mention.end : mention.end + 2])
            )
        if mention.sort == "birth":
            return "[date]"
        for column in self._columns_of(mention.sort):
            cell = self.row.get(column)
            value = mention.value[:4] if column == "year" else mention.value
            if cell is not None and value and (value == self.extracted.get(column) or covers(cell, value)):
                parsed = cells.parse(cell)
                if not isinstance(parsed, cells.Any | cells.Suppressed) and cell:
                    return cell + mention.tail
        return f"[{mention.sort}]{mention.tail}"

    def _columns_of(self, sort: str) -> list[str]:
        return [name for name in self.columns if name == sort or (sort == "date" and name in DATES)]

    def mark_for(self, kind: str) -> str | None:
        """The mark for what the inner mechanism replaced, of a kind that was extracted."""
        if kind == "DATE" and DATES & set(self.columns):
            return "[date]"
        if kind == "AGE" and "age" in self.columns:
            return "[age]"
        named = kind == "PLACE" and {"city", "state"} & set(self.columns)
        return "[place]" if named or (kind == "ADDRESS" and PLACES & set(self.columns)) else None


def covers(cell: str, value: str) -> bool:
    """Does a published cell cover a value, as far as the cell itself tells?"""
    match cells.parse(cell):
        case cells.Exact(exact):
            return exact == value
        case cells.Interval(low, high):
            if all(part.isdigit() for part in (low, high, value)):
                return int(low) <= int(value) <= int(high)
            return len(low) == len(value) == len(high) and low <= value <= high
        case cells.Prefix(start):
            return value.startswith(start)
        case cells.Set(members):
            return value in members
    return False


def write_back_note(
    text: str, note: RewrittenNote, results: Sequence[Mention], replacement: MentionText, owner: NoteOwner
) -> RewrittenNote:
    if note.text is None:
        return note
    inner = [Edit(c.start, c.end, c.kind, note.text[c.published_start : c.published_end]) for c in note.changes]
    if apply_edits(text, inner).text != note.text:
        return RewrittenNote.withhold(UNCLEAR)
    inner = [edit._replace(text=replacement.mark_for(edit.kind) or edit.text) for edit in inner]
    written_back = []
    for mention in results:
        new = replacement.text_for(mention, text)
        if new is not None:
            written_back.append(Edit(mention.start, mention.end, _KIND[mention.sort], new))
    edits = _hide_new_mentions(text, combined_edits(inner, written_back), replacement)
    return RewrittenNote.withhold(UNCLEAR) if edits is None else tag_survivors(text, edits, owner.known)


def _hide_new_mentions(text: str, edits: list[Edit], replacement: MentionText) -> list[Edit] | None:
    """Edits after which no age and no sex is told but what the row tells; None if that does not end.

    An invented name may be a word for a sex, and what the inner mechanism wrote may come to stand beside a number.
    """
    for _ in range(_ROUNDS):
        note = apply_edits(text, edits)
        hits = [
            (hit.start, hit.end, new, _KIND[hit.sort])
            for hit in ages_and_sexes(note.text or "", replacement.columns)
            if (new := replacement.text_for(hit, note.text or "")) not in (None, (note.text or "")[hit.start : hit.end])
        ]
        if not hits:
            return edits
        for start, end, new, kind in reversed(hits):
            edits = hide_span(edits, note.changes, start, end, Edit(start, end, kind, new or ""))
    return None


def hide_span(edits: list[Edit], changes: Sequence[Change], start: int, end: int, new: Edit) -> list[Edit]:
    """Edits with one more, given by its place in what they make; those that it touches become one with it."""
    touched = [i for i, change in enumerate(changes) if change.published_start < end and start < change.published_end]
    first = min(touched, default=sum(change.published_end <= start for change in changes))
    moved = changes[first - 1].end - changes[first - 1].published_end if first else 0
    last = changes[touched[-1]] if touched else None
    begin = min([start + moved, *(changes[i].start for i in touched)])
    finish = end + moved if last is None else last.end + max(0, end - last.published_end)
    kept = [edit for edit in edits if edit.end <= begin or finish <= edit.start]
    return sorted([*kept, new._replace(start=begin, end=finish)])


def with_readable_ages(text: str, note: RewrittenNote, cell: str) -> RewrittenNote:
    """The note with such a cell of ages in words. What else a change had written there stays."""
    shown = note.text or ""
    for start, end, new in reversed(list(readable_wordings(shown, cell))):
        touched = [one for one in note.changes if one.published_start < end and start < one.published_end]
        first = min([start, *(one.published_start for one in touched)])
        last = max([end, *(one.published_end for one in touched)])
        edits = [Edit(c.start, c.end, c.kind, shown[c.published_start : c.published_end]) for c in note.changes]
        whole = Edit(first, last, _KIND["age"], shown[first:start] + new + shown[end:last])
        note = apply_edits(text, hide_span(edits, note.changes, first, last, whole))
        shown = note.text or ""
    return note


def combined_edits(inner: Sequence[Edit], written_back: Sequence[Edit]) -> list[Edit]:
    """Edits of both. Where they overlap, their whole stretch shows what is written back, each thing once.

    >>> address = Edit(0, 30, "ADDRESS", "[place]")
    >>> combined_edits([address], [Edit(13, 19, "PLACE", "{Dayton,Xenia}"), Edit(24, 29, "ADDRESS", "454*")])
    [Edit(start=0, end=30, kind='ADDRESS', text='{Dayton,Xenia} 454*')]
    """
    ranked = sorted(
        [(edit.start, edit.end, 0, edit) for edit in inner] + [(edit.start, edit.end, 1, edit) for edit in written_back]
    )
    groups: list[list[tuple[int, Edit]]] = []
    end = -1
    for start, stop, outer, edit in ranked:
        if start < end:
            groups[-1].append((outer, edit))
        else:
            groups.append([(outer, edit)])
        end = max(end, stop)
    combined = []
    for group in groups:
        edits = [edit for _, edit in group]
        texts = list(dict.fromkeys(edit.text for outer, edit in group if outer)) or [edits[0].text]
        combined.append(Edit(edits[0].start, max(edit.end for edit in edits), edits[0].kind, " ".join(texts)))
    return combined
