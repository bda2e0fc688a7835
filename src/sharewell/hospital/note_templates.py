"""The templates of notes, cut into pieces once: plain text, fixed text with a label, and slots to fill."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from sharewell.io.shipped import shipped_rows, shipped_text

HELD_OUT = ("n04", "n07", "n09", "n13", "n16", "n19", "n23", "n25")  # not for developing a detector
_PIECE = re.compile(r"(\{\{.*?\}\}|\[\[.*?\]\])", re.S)
_SHIFT = re.compile(r"^(.*?)([+-]\d+)([dy]?)$")
_NUMBERED = re.compile(r"^(drug|dose|route|freq|dx|icd)(\d)(b?)(?:_(typo|brand|words))?$")


@dataclass(frozen=True)
class Piece:
    """`slot` is empty for plain and fixed text; `label` is None where nothing is to be hidden."""

    text: str = ""
    label: str | None = None
    slot: str = ""
    number: int = 0
    form: str = ""
    shift: int = 0
    unit: str = ""


@dataclass(frozen=True)
class Template:
    """One kind of note; `needs` says which patients it suits."""

    id: str
    kind: str
    needs: str
    pieces: tuple[Piece, ...]


@lru_cache(maxsize=1)
def slot_labels() -> dict[str, str | None]:
    """Slot → label (None = not an identifier)."""
    return {
        row["slot"]: None if row["label"] == "none" else row["label"] for row in shipped_rows("hospital/note_slots.csv")
    }


def _slot(inside: str) -> Piece:
    shift, unit = 0, ""
    if moved := _SHIFT.match(inside):
        inside, shift, unit = moved[1], int(moved[2]), moved[3] or "y"
    if many := _NUMBERED.match(inside):
        form = "other" if many[3] else many[4] or ""
        return Piece(label=slot_labels()[many[1]], slot=many[1], number=int(many[2]), form=form)
    return Piece(label=slot_labels()[inside], slot=inside, shift=shift, unit=unit)


def _piece(text: str) -> Piece:
    if text.startswith("{{"):
        return _slot(text[2:-2])
    if text.startswith("[["):
        label, _, fixed = text[2:-2].partition("|")
        return Piece(text=fixed, label=label)
    return Piece(text=text)


@lru_cache(maxsize=1)
def load_templates() -> dict[str, Template]:
    """Read the shipped templates (once)."""
    templates = {}
    for line in shipped_text("hospital/note_templates.jsonl").splitlines():
        row = json.loads(line)
        pieces = tuple(_piece(part) for part in _PIECE.split(row["text"]) if part)
        templates[row["id"]] = Template(row["id"], row["kind"], row["needs"], pieces)
    return templates
