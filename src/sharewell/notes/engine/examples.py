"""Invented notes of the synthetic hospital, before and after the mechanism of a release, for readers of the dossier.

They are always the same notes, protected under a key that is no secret; no real note is ever shown.
"""

from __future__ import annotations

from functools import cache

from sharewell.errors import SharewellError
from sharewell.keys import Key
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.rewritten_text import NoteOwner, Rewriter

SHOWN = 3
_PATIENTS, _SEED = 12, 21
_SHORTEST, _LONGEST = 150, 700
"""Characters of a note that is shown."""
_KEY = Key(b"for invented notes only, no secret")

Pieces = list[list[str]]
"""Text, and its kind where it is replaced; of the whole note, in order."""


def examples(mechanism: Rewriter) -> list[dict[str, object]]:
    """A few notes of different people, each with its kind and its pieces before and after; none if that fails."""
    examples_shown: list[dict[str, object]] = []
    for person, known, notes in _invented():
        owner = NoteOwner(person, _KEY.scoped("examples", person), known)
        try:
            rewritten_notes = mechanism.rewrite([text for _, text in notes], owner)
        except (SharewellError, ValueError):
            return []
        for (kind, text), note in zip(notes, rewritten_notes, strict=True):
            if (
                note.text is not None
                and len(note.changes) > 2
                and kind not in {shown["kind"] for shown in examples_shown}
            ):
                before = _pieces(text, [(c.start, c.end, c.kind) for c in note.changes])
                after = _pieces(note.text, [(c.published_start, c.published_end, c.kind) for c in note.changes])
                examples_shown.append({"kind": kind, "before": before, "after": after})
                break
        if len(examples_shown) == SHOWN:
            break
    return examples_shown


def _pieces(text: str, spans: list[tuple[int, int, str]]) -> Pieces:
    """
    >>> _pieces("Dr. Chen called.", [(4, 8, "NAME")])
    [['Dr. ', ''], ['Chen', 'NAME'], [' called.', '']]
    """
    pieces: Pieces = []
    offset = 0
    for start, end, kind in sorted(spans):
        pieces += [[text[offset:start], ""], [text[start:end], kind]]
        offset = end
    return [piece for piece in [*pieces, [text[offset:], ""]] if piece[0]]


@cache
def _invented() -> list[tuple[str, Known, list[tuple[str, str]]]]:
    """(person, what their row says, (kind, text) of their notes) of a small hospital."""
    from sharewell.hospital import Hospital

    hospital = Hospital(patients=_PATIENTS, seed=_SEED)
    notes: dict[str, list[tuple[str, str]]] = {}
    for block in hospital.blocks():
        for note in block.notes:
            if _SHORTEST <= len(note["body"]) <= _LONGEST:
                notes.setdefault(note["patient_id"], []).append((note["kind"], note["body"]))
    people = []
    for row in (row for table in hospital.tables("patients") for row in table.to_pylist()):
        if texts := notes.get(row["patient_id"]):
            ids = [row[name] for name in ("mrn", "ssn") if row[name]]
            known = Known.of(names=[row["given"], row["family"]], ids=ids, phones=[row["phone"] or ""])
            people.append((row["patient_id"], known, texts))
    return people
