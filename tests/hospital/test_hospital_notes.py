"""Notes: spans read back exactly, slots come from the patient's row, the mess is as frequent as it should be."""

from __future__ import annotations

import re
from collections import Counter
from datetime import date
from typing import Any

import pytest

from sharewell.hospital import Hospital
from sharewell.hospital.draws import Dice
from sharewell.hospital.note_mess import finished, muddled
from sharewell.hospital.note_templates import load_templates, slot_labels
from sharewell.hospital.note_words import spoken_date, spoken_dose, spoken_number, written_date
from sharewell.hospital.voters import misspelt

Pairs = list[tuple[dict[str, Any], dict[str, Any]]]
LABELS = {"NAME", "DATE", "LOCATION", "PHONE", "EMAIL", "SSN", "ID", "AGE90", "URL", "IP", "DRUG", "DOSE"}


def _flat(text: str) -> str:
    return text.replace("\n", " ")


def _spans(pairs: Pairs, label: str) -> list[str]:
    return [_flat(span["text"]) for _, truth in pairs for span in truth["spans"] if span["label"] == label]


def test_spans_read_back_exactly_and_do_not_overlap(notes: Pairs) -> None:
    for note, truth in notes:
        end = 0
        for span in truth["spans"]:
            assert note["body"][span["start"] : span["end"]] == span["text"]
            assert end <= span["start"] < span["end"]
            assert span["label"] in LABELS
            end = span["end"]


def test_no_mark_of_a_template_is_left(notes: Pairs) -> None:
    assert not any(re.search(r"\{\{|\}\}|\[\[|\]\]", note["body"]) for note, _ in notes)


def test_note_ids_tie(notes: Pairs) -> None:
    ids = [note["note_id"] for note, _ in notes]
    assert len(set(ids)) == len(ids)
    assert ids == [truth["note_id"] for _, truth in notes]
    visits = Hospital(patients=1_200, seed=5).frame("visits").to_pylist()
    whose = {visit["visit_id"]: visit["patient_id"] for visit in visits}
    assert all(whose[note["visit_id"]] == note["patient_id"] for note, _ in notes)
    assert len(notes) / len(visits) == pytest.approx(0.8, abs=0.04)


def test_slots_come_from_the_patients_own_row(notes: Pairs) -> None:
    rows = {
        row["patient_id"]: row for row in Hospital(patients=1_200, seed=5, dirty=False).frame("patients").to_pylist()
    }
    numbers = Counter[bool]()
    for note, truth in notes:
        if truth["template"] == "n23" and not truth["copied"]:
            ssn = next(span["text"] for span in truth["spans"] if span["label"] == "SSN")
            numbers[_flat(ssn) == rows[note["patient_id"]]["ssn"]] += 1
    assert numbers[True] > 50
    assert numbers[False] == 0


def test_labels_of_reserved_kinds_lie_in_reserved_ranges(notes: Pairs) -> None:
    assert all(re.fullmatch(r"9\d\d-\d\d-\d{4}|\d{4}", text) for text in _spans(notes, "SSN"))
    assert all(re.search(r"555.01\d\d$|^\d{4}$", text) for text in _spans(notes, "PHONE"))
    assert all(re.search(r"(?i)@example\.(com|org)$", text) for text in _spans(notes, "EMAIL"))
    assert all(re.match(r"(?i)https:/ ?/example\.com/|https://example\.com/", text) for text in _spans(notes, "URL"))
    assert all(re.match(r"192\.0\.2\.|198\.51\.100\.|203\.0\.113\.", text) for text in _spans(notes, "IP"))


def _luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed([int(d) for d in "80840" + digits])):
        total += sum(divmod(2 * digit, 10)) if place % 2 else digit
    return total % 10 == 0


def test_provider_numbers_fail_their_check_digit(notes: Pairs) -> None:
    found = [m for note, _ in notes for m in re.findall(r"(?i)NPI\s+(\d{10})", note["body"])]
    assert len(found) > 50
    assert _luhn("1234567893")
    assert not any(_luhn(number) for number in found)


def test_ages_are_labelled_only_above_89(notes: Pairs) -> None:
    assert all(int(text) > 89 for text in _spans(notes, "AGE90"))


def test_every_template_occurs(notes: Pairs) -> None:
    used = {name for _, truth in notes for name in truth["template"].split("+")}
    assert len(used) >= 38
    assert len(load_templates()) == 41


def test_mess_is_as_frequent_as_it_should_be(notes: Pairs) -> None:
    bodies = [note["body"] for note, _ in notes]
    share = {
        "lower": sum(body.islower() for body in bodies) / len(bodies),
        "upper": sum(body.isupper() for body in bodies) / len(bodies),
        "glued": sum("+" in truth["template"] for _, truth in notes) / len(bodies),
        "vitals": sum("\t" in body for body in bodies) / len(bodies),
    }
    assert share == pytest.approx({"lower": 0.22, "upper": 0.11, "glued": 0.01, "vitals": 0.05}, abs=0.05)
    assert any(" " not in span["text"] and "\n" in span["text"] for _, truth in notes for span in truth["spans"])


def test_copied_notes_keep_old_dates(notes: Pairs) -> None:
    copied = sum(truth["copied"] for _, truth in notes) / len(notes)
    assert 0.05 < copied < 0.12


def test_some_notes_name_another_patient(notes: Pairs) -> None:
    rows = Hospital(patients=1_200, seed=5, dirty=False).frame("patients").to_pylist()
    names = {(row["family"].upper(), row["given"].upper()) for row in rows}
    found = [
        tuple(part.strip().upper() for part in _flat(span["text"]).split(","))
        for _, truth in notes
        for span in truth["spans"]
        if truth["template"] == "n24" and span["label"] == "NAME" and "," in span["text"]
    ]
    assert found
    assert sum(name in names for name in found) / len(found) > 0.8  # the rest carry a typo


def test_every_slot_of_the_templates_has_a_label() -> None:
    slots = {piece.slot for template in load_templates().values() for piece in template.pieces if piece.slot}
    assert slots <= set(slot_labels())


def test_mess_keeps_spans_exact_whatever_the_letters() -> None:
    parts = [("Seen: ", None), ("Weiß-Muñoz, Ann", "NAME"), (" on, 3 Jun. ", None), ("Đỗ", "NAME"), (" " * 3, None)]
    for seed in range(300):
        dice = Dice(seed)
        text, spans = finished(muddled(list(parts), dice), dice)
        assert [text[int(s["start"]) : int(s["end"])] for s in spans] == [s["text"] for s in spans]
        assert {s["label"] for s in spans} == {"NAME"}


@pytest.mark.parametrize(
    ("style", "text"),
    list(enumerate(["6/3/24", "06/03/2024", "3 Jun 24", "2024-06-03", "June 3rd", "6-3", "06032024"])),
)
def test_dates_are_written_in_seven_ways(style: int, text: str) -> None:
    assert written_date(date(2024, 6, 3), style) == text


def test_dictation() -> None:
    assert spoken_date(date(2024, 6, 3)) == "june third twenty twenty four"
    assert spoken_date(date(2005, 10, 20)) == "october twentieth two thousand five"
    assert spoken_number(1250) == "one thousand two hundred fifty"
    assert spoken_dose("20 mg") == "twenty milligrams"
    assert spoken_dose("0.4 mg") == "zero point four milligrams"


def test_a_typo_is_one_edit() -> None:
    for seed in range(50):
        typo = misspelt("metformin", Dice(seed))
        assert typo != "metformin"
        assert abs(len(typo) - len("metformin")) <= 1
