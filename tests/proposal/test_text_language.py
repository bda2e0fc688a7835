"""Columns of text in another language are not drafted as if they could be judged."""

from __future__ import annotations

import random
from pathlib import Path

import plain_files
import pyarrow as pa

from sharewell.policy import check
from sharewell.proposal import Proposal
from sharewell.proposal.text_language import UNKNOWN, language_of
from sharewell.roles import Role

REMARKS = (
    "Husten seit drei Tagen.",
    "Keine Beschwerden.",
    "Der Patient wohnt in Mannheim.",
    "Kontrolle in zwei Wochen.",
)
FRENCH = ["Le patient est venu hier avec une toux et il va bien.", "Pas de fièvre depuis deux jours, il est sorti."] * 5


def test_a_language_without_a_pack_has_no_name() -> None:
    assert language_of(pa.array(FRENCH)) == UNKNOWN


def test_texts_that_a_release_would_withhold_one_by_one_are_not_english() -> None:
    """As one text, names, numbers and places outweigh the few words that tell the language."""
    draw = random.Random(2)
    names = ["Müller", "Krüger", "Weiß", "Köhler", "Vogel", "Franke"]
    texts = [
        f"{draw.randint(20, 90)}-jähriger Patient, Herr {draw.choice(names)}, geb. 0{draw.randint(1, 9)}.05.1961, aus"
        f" Dresden. Tel. 0351/{draw.randint(100000, 999999)}. Vorstellung bei Dr. {draw.choice(names)}."
        for _ in range(60)
    ]
    assert language_of(pa.array(texts)) == "german"


def test_german_remarks_beside_a_table_are_dropped_with_the_reason(tmp_path: Path) -> None:
    """Else the plan of the untouched draft would fail, or the remarks be judged as if they were English."""
    draw = random.Random(1)
    rows = [(f"p{i}", 20 + i % 50, "FM"[i % 2], f"{draw.choice(REMARKS)} {i % 40}") for i in range(120)]
    path = plain_files.write(tmp_path / "visits.csv", ["patient_id", "age", "sex", "remarks"], rows)
    draft = Proposal.of([path], base=tmp_path)
    [table] = draft.datasets
    assert {column.name: column.role for column in table.columns}["remarks"] is Role.DROP
    assert "free text in German; nothing can tell whether it discloses more than its row" in draft.text


def test_german_letters_are_read_in_german_and_judged_by_what_can_read_them(tmp_path: Path) -> None:
    rows = [
        (f"p{i // 2}", f"{REMARKS[i % 4]} Er klagt über Schmerzen im Knie, und die Lunge ist frei.") for i in range(60)
    ]
    letters = plain_files.write(tmp_path / "letters.csv", ["patient_id", "letter_text"], rows)
    alone = Proposal.of([letters], base=tmp_path).text
    assert "replace: {language: german" in alone
    assert "require: []" in alone
    assert "safe-harbor:" not in alone
    people = plain_files.people(tmp_path / "people.csv")
    together = Proposal.of([people, letters], base=tmp_path).text
    assert "no-known-identifiers: {dataset: people, absent: allow}" in together
    (tmp_path / "policy.yaml").write_text(together, "utf-8")
    check(tmp_path / "policy.yaml")
