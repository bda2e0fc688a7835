"""Phrases of medicine that look like names, places or numbers."""

import pytest

from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.spans import SAFE, Text

SAFE_ONES = [
    ("History of Parkinson's disease", ["Parkinson's disease"]),
    ("A Foley catheter was placed", ["Foley catheter"]),
    ("positive Murphy's sign", ["Murphy's sign"]),
    ("Stevens-Johnson syndrome", ["Stevens-Johnson syndrome"]),
    ("Wolff-Parkinson-White syndrome", ["Wolff-Parkinson-White syndrome"]),
    ("free fluid in the pouch of Douglas", ["pouch of Douglas"]),
    ("aneurysm of the circle of Willis", ["circle of Willis"]),
    ("Glasgow Coma Scale was 15", ["Glasgow Coma Scale"]),
    ("Babinski absent", ["Babinski absent"]),
    ("a Holter was worn", ["Holter"]),
    ("grew E. coli", ["E. coli"]),
    ("L4-5 disc bulge", ["L4-5"]),
    ("CA 19-9 and hemoglobin A1c", ["CA 19-9", "hemoglobin A1c"]),
    ("lactated Ringer's", ["lactated Ringer's"]),
    ("St. Jude valve", ["St. Jude valve"]),
    ("Rocky Mountain spotted fever", ["Rocky Mountain spotted fever"]),
]
NOT_SAFE = [
    "her GP is Tracy Williams at Juniper surgery",
    "subject p53-131",
    "Mr. Wilson came",
    "seen by Dr. Turner",
    "Johnson denies pain",
    "Foster lives in Boston",
    "",
]


def find(text):
    return Detectors.of("clinical-terms", "safe-phrases").candidates(Text.of(text))


@pytest.mark.parametrize(("text", "phrases"), SAFE_ONES)
def test_phrases_of_medicine(text, phrases):
    all_spans = sorted({(s.start, s.end): s for s in find(text)}.values(), key=lambda s: s.start)
    spans = [s for s in all_spans if not any(o != s and o.start <= s.start and s.end <= o.end for o in all_spans)]
    assert [text[s.start : s.end] for s in spans] == phrases
    assert {s.kind for s in spans} == {SAFE}


@pytest.mark.parametrize("text", NOT_SAFE)
def test_names_are_not_safe(text):
    assert find(text) == []


def test_an_eponym_alone_is_weaker_than_a_title():
    (span,) = find("Dr. Holter")
    assert span.certainty < 0.7
