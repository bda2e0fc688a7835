"""Acronyms of the clinic are nobody's initials."""

from __future__ import annotations

from sharewell.notes import Detectors
from sharewell.notes.detectors.acronyms import ACRONYMS


def test_they_are_written_in_small_letters_and_are_not_found_as_initials() -> None:
    assert all(word.islower() and word.isalnum() for word in ACRONYMS)
    assert Detectors.of("names").find("Pt with COPD, CHF and DVT on CPAP.") == []
