"""Replacers see what a reader sees: one surrogate however a name is encoded, and nothing known is cut in two."""

from __future__ import annotations

import random
import re
import unicodedata
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from time_growth import grows_with_the_square

from sharewell.keys import Key
from sharewell.notes import Known, NoKnownIdentifiers, Notes, Replace
from sharewell.notes.engine.known_identifiers import one_letter_off
from sharewell.notes.engine.readable_text import edits_in_source, readable
from sharewell.notes.engine.rewritten_text import Edit, apply_edits
from sharewell.notes.replacers import name_parts
from sharewell.notes.replacers.name_words import WrittenName

KEY = Key(b"a secret for these tests, long enough")
BEFORE = "The patient was seen today in the clinic and said that she feels well. "
ROSALIND = Known.of(
    names=["Rosalind", "Delgadillo"],
    ids=["0041299"],
    places=["12 Elm Street, Waverly, MA 02139"],
    phones=["617-253-1000"],
)


def published(known: Known, *texts: str) -> list[str]:
    made = Replace().protect(Notes.of(list(texts), ["p"] * len(texts), {"p": known}), [], KEY)
    assert NoKnownIdentifiers().check(made.data).ok
    return list(made.data.texts)


JOSE = "Patient José Núñez was seen today and he is well."


@pytest.mark.parametrize(
    "text",
    [
        unicodedata.normalize("NFD", JOSE),
        "Patient Jose Nunez was seen today and he is well.",
        "Patient Jos&eacute; N&uacute;&ntilde;ez was seen today and he is well.",
        "Patient Jos&#233;&nbsp;N&#xfa;&#241;ez was seen today and he is well.",
        "Patient Jo\u00ads\u00e9 Nú\u200bñez was seen today and he is well.",
        "Patient Jo&shy;s\u00e9 Nú&#8203;ñ&zwnj;ez was seen today and he is well.",
        r"{\rtf1 Patient Jos\'e9 N\'fa\'f1ez was seen today and he is well.}",
        r"{\rtf1 Patient Jos\u233? N\u250?\u241?ez was seen today and he is well.}",
        r"{\rtf1\uc0 Patient Jos\u233  N\u250 \u241 ez was seen today and he is well.}",
        r"{\rtf1 Patient Jos\u233e N\u250\'fa\u241nez was seen today and he is well.}",
    ],
)
def test_one_person_has_one_surrogate_however_it_is_encoded(text: str) -> None:
    plain, other = published(Known.of(names=["José", "Núñez"]), JOSE, text)
    name = re.search(r"Patient (.*) was seen", plain)
    assert name is not None
    assert f"Patient {name[1]} was seen" in other
    assert other.startswith("{\\rtf1") == text.startswith("{\\rtf1")


def test_numbers_and_dates_are_read_through_entities() -> None:
    numbers, dates = published(
        Known.of(names=["Rosa"]),
        "She was seen today in the clinic; call 617&#45;253&#45;1000 or 617-253-1000 about it.",
        "She was seen on March&nbsp;5,&nbsp;2016 and again on March 7, 2016 in the clinic.",
    )
    assert len(set(re.findall(r"555-\d{3}-\d{4}", numbers))) == 1
    assert numbers.count("555-") == 2
    assert "[DATE]" not in dates
    assert len(re.findall(r"[A-Z][a-z]+ \d+, 20\d\d", dates)) == 2


def test_groups_of_rtf_stay_whole() -> None:
    note = r"{\rtf1 Patient {\b Rosalind} {\i Delgad\'edllo} was seen today and she is well.\par}"
    (text,) = published(ROSALIND, note)
    assert text.count("{") == text.count("}")
    assert "was seen today" in text


def test_carriage_returns_stay() -> None:
    (text,) = published(ROSALIND, "Patient\r\nRosalind\r\nDelgadillo was seen today and she is well.")
    assert text.count("\r\n") == 2
    assert text.count("\n") == 2


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("Elm Street is where she lives.", r"\belm\b"),
        ("Elm St. is home.", r"\belm\b"),
        ("Elm Street neighbours brought her.", r"\belm\b"),
        ("Delga-\ndillo was here.", "delga|dillo"),
        ("Delga\u2010\r\ndillo was here.", "delga|dillo"),
        ("D.e.l.g.a.d.i.l.l.o was here.", r"d\.e\.l|l\.l\.o"),
        ("253 10 00 is the number.", r"253|10 00"),
        ("00 41 299 is on the label.", r"00 41|299"),
        ("Delga&shy;dillo was here.", "delga|dillo"),
        ("Delga&#173;dillo was here.", "delga|dillo"),
        ("MsDelgadillo was here.", "delgadillo"),
        ("DelgadilloCT was here.", "delgadillo"),
        ("CTDelgadillo was here.", "delgadillo"),
        ("patientDelgadillo was here.", "delgadillo"),
    ],
)
def test_nothing_known_is_cut_in_two(said: str, gone: str) -> None:
    for number in range(4):
        notes = Notes.of([BEFORE + said], ["p"], {"p": ROSALIND})
        made = Replace().protect(notes, [], Key(sha256(bytes([number + 1])).digest())).data
        assert NoKnownIdentifiers().check(made).ok
        (text,) = made.texts
        assert not re.search(gone, text[len(BEFORE) :].lower())


def test_a_name_that_is_broken_or_spelt_out_has_its_own_surrogate() -> None:
    texts = ("Mrs. Delgadillo is well.", "Delga-\ndillo came.", "D E L G A D I L L O came.", "MsDelgadillo came.")
    one, two, three, four = (text[len(BEFORE) :] for text in published(ROSALIND, *(BEFORE + text for text in texts)))
    name = one.split()[1]
    assert two.split()[0] == name
    assert three.split()[0] == name.upper()
    assert four.split()[0].endswith(name)


def test_a_street_is_one_street_with_and_without_its_number() -> None:
    said = ("She lives at 12 Elm Street now.", "Elm St. is home.", "Found near Elm Street by police.")
    texts = published(ROSALIND, *(BEFORE + text for text in said))
    streets = [re.findall(r"([A-Z]\w+) St(?:reet)?\b", text) for text in texts]
    assert len({name for found in streets for name in found}) == 1


ODD = (
    "é",
    "e\u0301",
    "ﬁ",
    "&eacute;",
    "&shy;",
    "\u200b",
    "\r\n",
    "\\'e9",
    "\\u233?",
    "{",
    "}",
    "\\par ",
    " ",
    "a",
    "B",
)
PIECES = st.lists(st.sampled_from(ODD), max_size=20)


@settings(deadline=None)
@given(PIECES, st.booleans(), st.data())
def test_edits_come_back_to_their_places(pieces: list[str], rtf: bool, data: st.DataObject) -> None:
    note = ("{\\rtf1 " if rtf else "") + "".join(pieces)
    shown, places = readable(note)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(shown)), max_size=6)))
    edits = [Edit(a, b, "NAME", "Zoë\n{k}") for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a < b]
    made = apply_edits(note, edits_in_source(note, edits, places)).text or ""
    if not edits:
        assert made == note
    if rtf:
        bare = made.replace("\\{", "").replace("\\}", "")
        assert bare.count("{") - bare.count("}") == note.count("{") - note.count("}")
        assert readable(made)[0].count("Zoë\n{k}") == min(len(edits), made.count("Zo\\'eb"))


@pytest.mark.parametrize(
    "piece", ["a b c d ", "Rosa ", "Rose\u0301 Nu\u0301n\u0303ez ", "a", "e\u0301", "Dr. Smith, ", "aB"]
)
def test_long_notes_take_time_in_proportion(piece: str) -> None:
    known = Known.of(names=["Rosa", "Delgado"], dates=["1961-03-05"], ids=["0041299"])

    def noted(length: int) -> Notes:
        return Notes.of([BEFORE * 20 + piece * (length // len(piece))], ["p"], {"p": known})

    def work(notes: Notes) -> None:
        Replace(language="any").protect(notes, [], KEY)

    assert not grows_with_the_square(work, noted(4_000), noted(40_000), 10)


def test_words_are_compared_with_those_alone_that_may_be_one_slip_away(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(1)
    words = {"".join(draw.choices("bcdfgklmnprstv", k=8)) for _ in range(5000)}
    compared: list[str] = []

    def counted(word: str, other: str) -> bool:
        compared.append(word)
        return one_letter_off(word, other)

    monkeypatch.setattr(name_parts, "one_letter_off", counted)
    name_parts.NameParts.of([WrittenName.of(f"Dr. {word.title()}") for word in words])
    assert len(compared) < 2 * len(words)


@settings(deadline=None)
@given(st.lists(st.text("abc", min_size=5, max_size=7), min_size=2, max_size=6, unique=True))
def test_no_slip_is_overlooked(words: list[str]) -> None:
    for word in words:
        near = [other for other in words if other[0] == word[0] and one_letter_off(word, other)]
        own = name_parts._canonical(dict.fromkeys(words, 1), set(near))
        assert not near or own[word] == min(near)


def test_a_list_of_people_tells_no_initials() -> None:
    names = [f"{first}{second}{third}" for first in "BDFGK" for second in "aeiou" for third in ("nt", "rr", "lk")]
    told = name_parts.NameParts.of([WrittenName.of("Rosa Rosa Delgado"), WrittenName.of(", ".join(names))])
    assert told.abbreviations == {("rosa", "d"): "delgado", ("delgado", "r"): "rosa"}
