"""The judge's own units of measurement."""

from __future__ import annotations

import re

import pytest

from sharewell.notes.engine.checks.person_wordings import _NO_AGE_BEHIND
from sharewell.notes.engine.checks.unit_words import AFTER_NUMBERS, DOSE_UNIT


@pytest.mark.parametrize("unit", ["ml", "mcg", "mg", "unit", "units"])
def test_what_follows_a_dose_shows_that_a_number_is_no_age(unit: str) -> None:
    assert re.fullmatch(DOSE_UNIT, unit)
    assert unit in AFTER_NUMBERS <= _NO_AGE_BEHIND
