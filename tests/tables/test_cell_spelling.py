"""One spelling for published cells."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.tables.engine.checks.cell_spelling import normalised, pieces, without_accents

PRINTED = string.ascii_letters + string.digits + "-./:@ "


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("617\u2013555\u2014014\u22122", "617-555-014-2"),
        ("\uff11\uff12\uff13", "123"),
        ("\u0967\u0968\u0669", "129"),
        ("4\u00a05\u2009\u202f6", "4 5  6"),
        ("1\u200b2\u200d3\ufeff", "123"),
        ("1\u00ad2", "1-2"),
        ("192\u00b7168\uff0e1", "192.168.1"),
        ("ann\uff20example", "ann@example"),
        ("a_b\\c\td", "a-b/c d"),
        ("1\ufe0f\u20e3", "1"),
        ("2025\u5e741\u670831\u65e5", "2025-1-31 "),
    ],
)
def test_spellings_of_one_text(text: str, plain: str) -> None:
    assert normalised(text) == plain


@given(st.text())
def test_a_text_has_one_spelling(text: str) -> None:
    """Normalising twice changes nothing, and leaves no digit of another script."""
    once = normalised(text)
    assert normalised(once) == once
    assert not [c for c in once if c.isdecimal() and not c.isascii()]


@given(st.text(PRINTED))
def test_pieces_are_the_letters_and_digits_of_a_text(text: str) -> None:
    found = pieces(text)
    assert "".join(piece.text for piece in found) == "".join(c for c in text if c.isalnum())
    assert all(text[piece.start : piece.end] == piece.text for piece in found)
    assert all(piece.text.isdecimal() == piece.is_number for piece in found)


def test_words_are_looked_up_without_accents() -> None:
    assert without_accents("Téléphone") == "telephone"
