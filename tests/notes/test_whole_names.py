"""Names grow over what is joined to them, and over nothing else."""

from __future__ import annotations

import pytest

from sharewell.notes.engine.spans import SAFE, Span, Text
from sharewell.notes.matcher.whole_names import whole_names


@pytest.mark.parametrize(
    ("text", "span", "wanted"),
    [
        ("Ann Mokoena-Black came", (0, 11, "NAME"), "Ann Mokoena-Black"),
        ("seen by J. de Boer today", (14, 18, "NAME"), "J. de Boer"),
        ("went to Teesmouth Alkalis yesterday", (8, 17, "ORGANISATION"), "Teesmouth Alkalis"),
        ("lives in Dayton, OH 45402 now", (9, 15, "PLACE"), "Dayton, OH 45402"),
        ("Brown-appearing sputum", (0, 5, "NAME"), "Brown"),
        ("at 12 Elm Street, flat 4, since", (3, 16, "ADDRESS"), "12 Elm Street, flat 4"),
    ],
)
def test_growth(text: str, span: tuple[int, int, str], wanted: str) -> None:
    [grown] = whole_names(Text.of(text), [Span(*span, 0.7)])
    assert text[grown.start : grown.end] == wanted


def test_a_safe_phrase_stops_it() -> None:
    text = Text("Dr. Ann Foley Catheter placed")
    [kept] = whole_names(text, [Span(4, 7, "NAME", 0.7)], [Span(8, 22, SAFE, 0.9)])
    assert (kept.start, kept.end) == (4, 7)
