"""The templates of notes, cut into pieces once: plain text, fixed text with a label, and slots to fill."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache

from sharewell.io.shipped import shipped_rows, shipped_text

_CHRONIC = "genetic or chronic dx"
_CODE = re.compile(r"[A-Z]\d\w(?:\.\w+)?")
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
    """One kind of note and the patients it suits; a special one asks for a diagnosis or a narrow age."""

    id: str
    kind: str
    ages: tuple[int, int]
    codes: frozenset[str]  # the patient holds one of them; empty: any patient
    special: bool
    pieces: tuple[Piece, ...]
    visits: frozenset[str]  # the kinds of visits it is written at
    kin: str  # the relative that it names in its own words
    of_women: bool
    two_patients: bool  # it confuses the patient with another one

    def suits(self, age: int, female: bool, codes: frozenset[str], other: bool) -> bool:
        """Whether the note could be about the patient; `other` = there is another patient to confuse with."""
        if not self.ages[0] <= age <= self.ages[1] or (self.codes and not self.codes & codes):
            return False
        return (female or not self.of_women) and (other or not self.two_patients)


@lru_cache(maxsize=1)
def slot_labels() -> dict[str, str | None]:
    """Slot → label (None = not an identifier)."""
    rows = shipped_rows("hospital/note_slots.csv")
    return {row["slot"]: None if row["label"] == "none" else row["label"] for row in rows}


def _slot(name: str) -> Piece:
    shift, unit = 0, ""
    if moved := _SHIFT.match(name):
        name, shift, unit = moved[1], int(moved[2]), moved[3] or "y"
    if many := _NUMBERED.match(name):
        form = "other" if many[3] else many[4] or ""
        return Piece(label=slot_labels()[many[1]], slot=many[1], number=int(many[2]), form=form)
    return Piece(label=slot_labels()[name], slot=name, shift=shift, unit=unit)


def _piece(text: str) -> Piece:
    if text.startswith("{{"):
        return _slot(text[2:-2])
    if text.startswith("[["):
        label, _, fixed = text[2:-2].partition("|")
        return Piece(text=fixed, label=label)
    return Piece(text=text)


def _ages(needs: str, grown: bool) -> tuple[int, int]:
    """`grown`: the note speaks of a job, children or an adult's life."""
    if needs.startswith("age>="):
        return int(needs[5:]), 200
    if needs.startswith("age "):
        low, high = needs[4:].split("-")
        return int(low), int(high)
    return (32 if needs == _CHRONIC else 18 if grown else 0), 200


def _codes(needs: str) -> frozenset[str]:
    if needs == _CHRONIC:
        return frozenset(row["code"] for row in shipped_rows("hospital/diagnoses.csv") if row["chronic"] == "1")
    return frozenset(_CODE.findall(needs))


@lru_cache(maxsize=1)
def load_templates() -> dict[str, Template]:
    """Read the shipped templates (once)."""
    templates = {}
    for line in shipped_text("hospital/note_templates.jsonl").splitlines():
        row = json.loads(line)
        pieces = tuple(_piece(part) for part in _PIECE.split(row["text"]) if part)
        needs, ages = row["needs"], _ages(row["needs"], row.get("grown", False))
        special = needs not in ("", "age>=16", "age>=18", _CHRONIC)
        visits, kin = frozenset(row["visits"]), row.get("kin", "")
        words = visits, kin, row.get("female", False), row.get("other_patient", False)
        templates[row["id"]] = Template(row["id"], row["kind"], ages, _codes(needs), special, pieces, *words)
    return templates
