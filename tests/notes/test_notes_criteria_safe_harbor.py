"""The checklist of Safe Harbor for notes: forms that count, and forms that may stay."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.hospital import Hospital
from sharewell.notes import Notes, SafeHarborText
from sharewell.notes.engine.checks.identifier_formats import LISTED, count_formats
from sharewell.testing import check_criterion

FORBIDDEN = {
    "A names": ["Mr. Delgado came", "MRS DELGADO", "Ms O'Neil"],
    "B places smaller than a state": ["12 Main Street", "4410 N. Old Mill Rd", "9 Oak Dr, Salem", "9 Oak St Salem",
        "P.O. Box 114", "MA 02139", "02139-4307",
        "ZIP code: 02139", "zip 036"],
    "C dates finer than the year": ["3/5/2019", "03-05-19", "2019-03-05", "20190305", "5 March", "March 5th",
        "Mar 2019", "on 3/5", "in March", "5.3.2019", "1st of June 2019", "05MAR2019", "since late November",
        "11/2019", "May 2", "seen 5 may 2019"],
    "C ages over 89": ["93 year old", "93-year-old", "93yo", "aged 101", "ninety-two year old", "age: 94", "90 y.o."],
    "D telephone numbers": ["617-555-0142", "(617) 555-0142", "617.555.0142", "+1 617 555 0142", "+44 20 7946 0958",
        "pager 555-0142", "call 5550142"],
    "E fax numbers": ["fax: 617-555-0142", "Fax 555-0142"],
    "F e-mail addresses": ["rosa.d+x@mail.example.org"],
    "G social security numbers": ["123-45-6789", "SSN 123456789", "social security number ending in 6789"],
    "H medical record numbers": ["MRN 00412", "MRN: A-4471", "medical record number 884213", "chart #55120"],
    "I health plan numbers": ["Member ID: XJ-44120", "policy no. 998123"],
    "J account numbers": ["account number 55-1029", "Acct # 771200"],
    "K certificate and licence numbers": ["licence no. D4412091", "DEA BX1234567", "NPI: 1234567890"],
    "L vehicle numbers": ["VIN 1HGCM82633A004352", "license plate 4ABC123"],
    "M device numbers": ["serial number SN-44120", "pacemaker # PJN551200"],
    "N web addresses": ["https://example.org/a", "www.example.org"],
    "O IP addresses": ["10.0.0.17", "2001:db8::8a2e:370:7334"],
    "R other unique numbers and codes": ["accession no. S16-4123", "S-1612345", "0048213399"],
}  # fmt: skip
ALLOWED = [
    "**NAME[AAA BBB] seen by Dr. **NAME[CCC], [DATE], [PHONE], [ID]",
    "a 90+ year old man, aged 90 or older, age over 89",
    "born in 2019, seen in 2019, since 2015",
    "BP 120/80, strength 5/5, murmur 2/6, 98.6 F, SpO2 95%, platelets 250000, WBC 12.5",
    "lisinopril 20 mg, may take 2 tablets, 2 may repeat, patient may 2 times a day",
    "45 year old, 89-year-old, T12 fracture, C5-6, L4/L5, G2P1, pain 7/10, 1:1000, 3-4 days, 2 x 3 x 4 cm",
    "zip 021, zip 000, in Massachusetts, MA",
    "in 2024 Attending Dr. **NAME[AAA]\n2024\nDear Dr [NAME], Dr. Chen",
    "MR of the knee 2019, record reviewed, device check 2019, account of events",
    "version 1.2.3, ratio 3:4:5, at 10:30, hemoglobin A1c 7.2, CD4 450, ICD code E11.9",
]


@pytest.mark.parametrize(("part", "text"), [(part, text) for part, texts in FORBIDDEN.items() for text in texts])
def test_what_has_the_form_of_an_identifier_counts(part: str, text: str) -> None:
    for written in (text, f"note: {text}.", f"({text})", f"{text}\nstable"):
        found = SafeHarborText(year=2026).check(Notes.of([written]))
        assert part in [one.name for one in found.parts if one.failed], written
        assert found.ok is False


@pytest.mark.parametrize("text", ALLOWED)
def test_what_may_stay(text: str) -> None:
    found = SafeHarborText(year=2026).check(Notes.of([text]))
    assert found.ok is True, [part.name for part in found.parts if part.failed]


def test_there_are_eighteen_kinds_and_what_patterns_cannot_tell_is_said() -> None:
    found = SafeHarborText().check(Notes.of(["fine"]))
    assert [one.letter for one in LISTED] == [*"ABCCDEFGHIJKLMNOPQR"]
    assert len(found.parts) == len(LISTED)
    told = {part.name: part.note for part in found.parts}
    assert "no-known-identifiers" in told["A names"]
    assert told["Q full-face photographs"] == told["P biometric identifiers"] == "not in text"
    assert "actual knowledge" in found.note


def test_years_of_birth_want_the_year_of_the_release() -> None:
    born = Notes.of(["born in 1931, doing well"])
    undecided = SafeHarborText().check(born)
    assert undecided.failed
    assert undecided.value is None
    assert SafeHarborText(year=2026).check(born).value == 1
    assert SafeHarborText(year=2020).check(born).value == 0  # 89 at most
    assert SafeHarborText().check(Notes.of(["born in 1931", "call 617-555-0142"])).value == 1
    with pytest.raises(ValueError, match="year"):
        SafeHarborText(year=26)


def test_surrogates_count_like_what_they_replace() -> None:
    """A judge cannot tell them apart; the page says what to do."""
    assert SafeHarborText().check(Notes.of(["Mr. Ortiz, call 617-555-0187"])).value == 2


def test_pieces_are_counted_over_all_notes() -> None:
    found = SafeHarborText().check(Notes.of(["3/5/2019 and 4/5/2019", "fine", "a@b.org"]))
    assert (found.value, found.details.notes_with, found.details.notes) == (3, 2, 3)


def test_contract() -> None:
    frame = pa.table({"text": ["Delgadoesque 3/5/2019", "quite fine", "rosalind@example.org"]})
    check_criterion(SafeHarborText(), lambda table: Notes.of(table["text"].to_pylist()), frame)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_can_be_judged(text: str) -> None:
    assert all(count >= 0 for count in count_formats(text))


def test_a_long_line_of_anything_is_judged_in_time() -> None:
    for piece in ("1", "a", "1-", "a@", "Mr. ", "A ", "1:", "zip ", "5 of "):
        count_formats(piece * 4000)


def test_the_synthetic_hospital() -> None:
    """Originals are full of them; with every true piece masked nothing is left."""
    block = next(iter(Hospital(patients=60, seed=5).blocks()))
    masked = []
    for note, truth in zip(block.notes, block.note_spans, strict=True):
        text = note["body"]
        for span in sorted(truth["spans"], key=lambda span: -span["start"]):
            text = text[: span["start"]] + "[X]" + text[span["end"] :]
        masked.append(text)
    before = SafeHarborText(year=2026).check(Notes.of([note["body"] for note in block.notes]))
    assert sum(part.failed for part in before.parts) > 8
    assert SafeHarborText(year=2026).check(Notes.of(masked)).value == 0
