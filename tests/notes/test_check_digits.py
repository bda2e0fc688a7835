"""Check digits: numbers that their makers publish as examples pass, one digit more or less fails."""

from __future__ import annotations

import re

import pytest

from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.check_digits import CHECKS
from sharewell.notes.matcher.rule import Candidate

PUBLISHED = {
    "luhn": "4111 1111 1111 1111",
    "ean": "756.9217.0769.85",
    "iban": "ES91 2100 0418 4502 0005 1332",
    "german_insured": "A123456780",
    "german_tax": "86095742719",
    "german_pension": "15070649C103",
    "austrian_insured": "1237 010180",
    "spanish_identity": "X1234567L",
    "spanish_insured": "28 12345678 40",
    "mexican_curp": "BOXW310820HNERXN09",
    "chilean_rut": "30.686.957-4",
}


def passes(name: str, written: str) -> bool:
    match = re.compile(".*", re.DOTALL).match(written)
    assert match
    return CHECKS.plain[name](Candidate(Text(written), match, 0, len(written)))


@pytest.mark.parametrize("name", CHECKS.plain)
def test_a_wrong_digit_is_told(name: str) -> None:
    """Every check of this sort finds one wrong digit at any place, but for those that it does not weigh."""
    number = PUBLISHED[name]
    assert passes(name, number)
    places = [place for place, sign in enumerate(number) if sign.isdecimal()]
    wrong = [f"{number[:place]}{(int(number[place]) + 1) % 10}{number[place + 1 :]}" for place in places]
    assert sum(passes(name, one) for one in wrong) <= (
        1 if name in ("austrian_insured", "chilean_rut", "mexican_curp") else 0
    )


@pytest.mark.parametrize("name", sorted(CHECKS.plain.keys() - {"luhn", "ean"}))
@pytest.mark.parametrize("written", ["", "x", "12", "Ärzte", "١٢٣٤٥٦٧٨٩٠", "A" * 40, "²²²"])
def test_what_has_another_form_fails(name: str, written: str) -> None:
    assert not passes(name, written)
