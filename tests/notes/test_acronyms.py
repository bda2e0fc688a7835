"""Acronyms of the clinic are nobody's initials."""

from __future__ import annotations

from sharewell.notes import Detectors
from sharewell.notes.engine.word_lists import lexicon


def test_they_are_written_in_small_letters_and_are_not_found_as_initials() -> None:
    assert all(word.islower() and word.isalnum() for word in lexicon("acronyms"))
    assert Detectors.of("name-forms", "names").find("Pt with COPD, CHF and DVT on CPAP.") == []
