"""The encoding of a text is found by one rule, and never guessed where the rule does not decide."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.io.encodings import WINDOWS, detect_encoding, first_invalid, line_of, utf_16

WESTERN = st.text(st.sampled_from("abcdefgh ,;0123456789\näöüßéèñçÅØ€“”–"), min_size=4)


@given(WESTERN)
def test_text_is_decoded_as_it_was_encoded(text: str) -> None:
    """Whatever is decided reads the text back, or, for a text that is valid UTF-8 by chance, is UTF-8."""
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        raw = text.encode(encoding)
        try:
            found = detect_encoding(raw, True, "a.csv")
        except DataError:  # refused only if most of its bytes beyond ASCII would be valid UTF-8 by chance
            assert encoding == "cp1252"
            assert len(raw.decode("utf-8", "ignore").encode()) > len(text.encode("ascii", "ignore"))
            continue
        if encoding == "cp1252" and found.name == "utf-8":
            assert first_invalid(raw, "utf-8", True) is None
        else:
            assert raw.decode(found.name) == text


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark_is_found_by_its_zero_bytes(order: str) -> None:
    raw = "name;age\nMüller;40\n".encode(order)
    assert utf_16(raw) == order
    assert detect_encoding(raw, True, "a.csv").name == order


def test_a_character_that_is_cut_at_the_end_of_what_is_looked_at_is_no_mistake() -> None:
    raw = "name\nMüller ü".encode()[:-1]
    assert detect_encoding(raw, False, "a.csv").name == "utf-8"
    assert first_invalid(raw, "utf-8", True) == len(raw) - 1


def test_windows_and_latin_are_told_apart_only_where_they_differ() -> None:
    both = detect_encoding("Müller".encode("latin-1"), True, "a.csv")
    assert (both.name, "Latin-1" in both.reason) == (WINDOWS, True)
    euro = detect_encoding("5 €".encode("cp1252"), True, "a.csv")
    assert (euro.name, "Latin-1" in euro.reason) == (WINDOWS, False)


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_a_line_is_counted_by_whichever_line_ends_there_are(ends: str) -> None:
    raw = ends.join(["a", "b", "c"]).encode()
    assert line_of(raw, raw.index(b"c")) == 3
