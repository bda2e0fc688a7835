"""The encoding of a text is found by one rule, and never guessed where the rule does not decide."""

from __future__ import annotations

import re

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
        except DataError as refused:  # only if its bytes beyond ASCII are UTF-8 by chance, in rows, or inside words
            assert encoding == "cp1252"
            by_chance = len(raw.decode("utf-8", "ignore").encode()) > len(text.encode("ascii", "ignore"))
            in_rows = re.search(r"[^\x00-\x7f]{2}", text) and "Western European" in str(refused)
            garbled = re.search(r"[^\W\d_][€“”–ÅØ]", text) and "in their middle" in str(refused)
            assert by_chance or in_rows or garbled
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


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("Иванов;Москва", "koi8-r"),
        ("Иванов;Москва", "cp1251"),
        ("Παπαδόπουλος;Αθήνα", "iso8859-7"),
        ("名前;山田", "shift_jis"),
        ("患者;北京", "gbk"),
        ("Michałowski;Łódź", "cp1250"),
    ],
)
def test_other_scripts_are_not_read_as_western_letters(line: str, code: str) -> None:
    content = f"id;x\n{f'1;{line}' * 12}".encode(code)
    with pytest.raises(
        DataError, match=r"^a\.csv — line 2: (text that is neither UTF-8 nor|not valid UTF-8, and its letters)"
    ) as refused:
        detect_encoding(content, True, "a.csv")
    assert "name its encoding" in str(refused.value)


@pytest.mark.parametrize(
    "line", ["10³/µl;Größe ¾ m²", "«été» — l’œuvre", "¿Qué?;año", "“Übung” … 5 €", "Þórður;Sjúkrahúsið"]
)
def test_western_letters_and_signs_are(line: str) -> None:
    assert detect_encoding(("id;x\n" + f"{line}\n" * 12).encode("cp1252"), True, "a.csv").name == "windows-1252"


def test_text_that_changes_its_script_by_escapes_is_not_read_as_utf_8() -> None:
    raw = "id,name\n1,山田\n".encode("iso2022_jp")
    with pytest.raises(DataError, match="escape sequences, as in iso2022_jp") as refused:
        detect_encoding(raw, True, "a.csv")
    assert "$" not in str(refused.value)
