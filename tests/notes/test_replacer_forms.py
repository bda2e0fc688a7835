"""Numbers, contacts, places, ages, ZIP codes, doses, drugs: what stands for them has their form and is nobody's."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.hierarchy import Tree
from sharewell.keys import Key
from sharewell.notes.engine.gazetteer import STATES
from sharewell.notes.engine.protection.drugs_and_doses import generalise_drug
from sharewell.notes.engine.spans import KINDS
from sharewell.notes.replacers.ages import birth_years, cap_age, is_birth
from sharewell.notes.replacers.doses import round_dose
from sharewell.notes.replacers.identifiers import identifier, internet_address, mail, phone, social_number, web
from sharewell.notes.replacers.keyed_draws import Draws, is_real
from sharewell.notes.replacers.places import PlaceSurrogates, zip3
from sharewell.notes.replacers.tags import omitted_span, suppression_mark, tag

KEY = Key(b"an example key of enough bytes..")
DRAWS = Draws(KEY)
NAMES = {"rosa": "Sara", "delgado": "Ortiz"}


@pytest.mark.parametrize(
    ("replace", "written", "form"),
    [
        (phone, "617-253-1000", r"555-\d{3}-\d{4}"),
        (phone, "(617) 253-1000 ext. 214", r"\(555\) \d{3}-\d{4} ext\. \d{3}"),
        (phone, "+1 617 253 1000", r"\+1 555 \d{3} \d{4}"),
        (phone, "253-1000", r"555-\d{4}"),
        (phone, "+44 20 7946 0958", r"\+99 9\d \d{4} \d{4}"),
        (phone, "4471", r"\d{4}"),
        (social_number, "078-05-1120", r"9\d\d-[0-4]\d-\d{4}"),
        (social_number, "078051120", r"9\d\d[0-4]\d{5}"),
        (social_number, "1120", r"\d{4}"),
        (internet_address, "18.26.0.36", r"2[45]\d\.\d+\.\d+\.\d+"),
        (internet_address, "2001:0:53aa::1", r"2001:db8(?::[0-9a-f]{1,4}){6}"),
        (internet_address, "00:1B:44:11:3A:B7", r"[0-9a-f]{2}(?::[0-9a-f]{2}){5}"),
        (identifier, "S16-412", r"[A-Z]\d\d-\d{3}"),
        (identifier, "MRN-00412", r"MRN-\d{5}"),
        (identifier, "jq4k", r"[a-z]{2}\d[a-z]"),
    ],
)
def test_numbers_keep_their_form(replace, written, form) -> None:
    made = replace(DRAWS, written)
    assert re.fullmatch(form, made)
    assert made != written
    assert replace(DRAWS, written) == made
    assert len({replace(Draws(KEY.scoped("notes", str(n))), written) for n in range(20)}) > 12


def test_the_same_number_stays_the_same_in_another_form() -> None:
    assert identifier(DRAWS, "MRN-0041288")[4:] == identifier(DRAWS, "0041288")
    assert phone(DRAWS, "617-253-1000")[-4:] == phone(DRAWS, "(617) 253.1000")[-4:] == phone(DRAWS, "253-1000")[-4:]
    assert re.sub(r"\D", "", social_number(DRAWS, "078-05-1120")) == social_number(DRAWS, "078051120")


@given(st.text(max_size=24))
def test_digits_for_digits_and_letters_for_letters(written) -> None:
    made = DRAWS.like("identifier", written)
    if made.isascii() and written.isascii():
        assert [c.isdigit() for c in made] == [c.isdigit() for c in written]
        assert [c.isupper() for c in made] == [c.isupper() for c in written]
    assert len(made) == len(written)


def test_what_is_real_is_drawn_again() -> None:
    first = identifier(DRAWS, "123456")
    again = identifier(Draws(KEY, frozenset({first})), "123456")
    assert again != first
    assert is_real("AB-12345", {"ab12345"})
    assert is_real("9-12345", {"12345"})
    assert not is_real("AB-123", {"123"})


@pytest.mark.parametrize(
    ("replace", "written", "form"),
    [
        (mail, "rosa.delgado@gmail.com", r"sara\.ortiz@[a-z]+\d{3}\.example"),
        (mail, "RDelgado7@gmail.com", r"[A-Z]ortiz\d@[a-z]+\d{3}\.example"),
        (mail, "abc99@mit.edu", r"[a-z]{3}\d\d@[a-z]+\d{3}\.example"),
        (mail, "chiefofstaff@mit.edu", r"[a-z]+@[a-z]+\d{3}\.example"),
        (mail, "no address", r"[a-z]{2} [a-z]{7}|no [a-z]{7}"),
        (web, "https://www.delgado.com/~rosa/x1", r"https://www\.[a-z]+\d{3}\.example/~[a-z]{4}/[a-z]\d"),
        (web, "www.delgadofamily.net", r"www\.[a-z]+\d{3}\.example"),
        (web, "delgado.org", r"[a-z]+\d{3}\.example"),
        (web, "@rosa", "@sara"),
    ],
)
def test_contacts_are_nobodys(replace, written, form) -> None:
    assert re.fullmatch(form, replace(DRAWS, NAMES.get, written))


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("12 Elm Street", r"\d\d [A-Z][a-z]+ Street"),
        ("1064 Park Dr", r"\d{4} (?!Park)[A-Z][a-z]+ Dr"),
        ("96378 Buchanan Turnpike Apt. 4", r"\d{5} (?!Buch)[A-Z][a-z]+ Turnpike Apt\. \d"),
        ("PO Box 512", r"PO Box \d{3}"),
        ("32620", r"\d{5}"),
        ("12 N Elm St, Boston, MA 02139", r"\d\d N [A-Z][a-z]+ St, [A-Z][a-z]+, [A-Z]{2} \d{5}"),
    ],
)
def test_addresses(written, form) -> None:
    made = PlaceSurrogates(DRAWS).address(written)
    assert re.fullmatch(form, made)
    assert made != written


def test_places() -> None:
    places = PlaceSurrogates(DRAWS)
    assert places.place("France") == "France"
    assert places.place("MA") in set(STATES) - {"MA"}
    assert places.place("Massachusetts") in set(STATES.values()) - {"Massachusetts"}
    city, state = places.place("Boston, MA").split(", ")
    assert (city, state) == (places.place("Boston"), places.place("MA"))
    assert places.place("BOSTON") == city.upper()
    assert places.place("Suffolk County").endswith(" County")
    assert places.place("Boston MA") == f"{city} {state}"
    assert re.fullmatch(rf"{city}, {state} \d{{5}}", places.place("Boston, MA 02139"))
    assert PlaceSurrogates(DRAWS, "zip3").place("Boston, MA 02139") == f"{city}, {state} 021"
    assert PlaceSurrogates(DRAWS, "zip3").address("03601") == "000"
    assert PlaceSurrogates(DRAWS, "suppress").address("12 Elm St 02139").endswith(" St [ZIP]")


@pytest.mark.parametrize(
    ("written", "form"),
    [
        ("St. Mary's Hospital", r"St\. (?!Mary)[A-Z][a-z]+'s Hospital"),
        ("Chang-Wilson", r"[A-Z][a-z]+-[A-Z][a-z]+"),
        ("Ruizberg Family Clinic", r"(?!Ruiz)[A-Z][a-z]+ Family Clinic"),
        ("MGH", r"(?!MGH)[A-Z]{3}"),
        ("Gardner, Martinez and Wilson", r"[A-Z][a-z]+, [A-Z][a-z]+ and [A-Z][a-z]+"),
    ],
)
def test_organisations(written, form) -> None:
    assert re.fullmatch(form, PlaceSurrogates(DRAWS).organisation(written))


def test_words_of_which_nobody_knows_what_they_are() -> None:
    assert re.fullmatch(r"[A-Z][a-z]+-\d\d [a-z]{2}", PlaceSurrogates(DRAWS).other("Tigrinya-16 xy"))


@pytest.mark.parametrize(
    ("written", "after", "expected"),
    [
        ("92", " y/o", ("90+", 0)),
        ("92", "yo", ("90+", 0)),
        ("ninety-two", " year old", ("90+", 0)),
        ("95", "th birthday", ("90+", 2)),
        ("90", "'s", ("90+", 2)),
        ("nonagenarian", "", ("90+ year-old", 0)),
    ],
)
def test_ages(written, after, expected) -> None:
    assert cap_age(written, after) == expected


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("born in 1921.", ["1921"]),
        ("dob: 1921", ["1921"]),
        ("year of birth 1921", ["1921"]),
        ("born 1940", []),
        ("moved here in 1921", []),
        ("", []),
    ],
)
def test_years_of_birth(text, years) -> None:
    assert [text[span.start : span.end] for span in birth_years(text, 2016)] == years


def test_words_about_birth() -> None:
    assert all(map(is_birth, ("DOB: ", "D.O.B. ", "Date of Birth: ", "she was born on ", "b. ")))
    assert not any(map(is_birth, ("seen on ", "birth control started. Seen ", "")))


@pytest.mark.parametrize(
    ("written", "expected"),
    [("02139", "021"), ("02139-4307", "021"), ("03601", "000"), ("1234", None), ("K1A 0B1", None)],
)
def test_three_digits_of_a_zip_code(written, expected) -> None:
    assert zip3(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("37.5 mg", "40 mg"),
        ("2 tablets", "2 tablets"),
        ("12.5-25 mg q12h", "10-30 mg q12h"),
        ("5,250 units/hr", "5,000 units/hr"),
        ("950 ml", "1000 ml"),
        (".125 mg", "0.1 mg"),
        ("0 mg", "0 mg"),
        ("two puffs", "two puffs"),
        ("twenty-five mg", None),
        ("twelve units", None),
        ("1,2,3 mg", "100 mg"),
    ],
)
def test_doses_are_rounded_to_one_digit(written, expected) -> None:
    assert round_dose(written) == expected


def test_drugs_at_a_level() -> None:
    paper = Tree([["phenylephrine", "decongestant", "vasopressor", "medication"]], name="the paper's")
    assert [generalise_drug("phenylephrine", level, paper) for level in (1, 2, "full")] == [
        "decongestant",
        "vasopressor",
        "medication",
    ]


@pytest.mark.parametrize(
    ("text", "piece", "left"),
    [
        ("given Lasix (40 mg), then", "40 mg", "given Lasix, then"),
        ("given 40 mg of Lasix", "40 mg", "given Lasix"),
        ("Lasix 40 mg.", "40 mg", "Lasix."),
        ("seen by Chen today", "Chen", "seen by today"),
        ("Chen", "Chen", ""),
    ],
)
def test_what_is_left_out_takes_its_blanks_along(text, piece, left) -> None:
    start, end = omitted_span(text, text.index(piece), text.index(piece) + len(piece))
    assert text[:start] + text[end:] == left


def test_nothing_is_taken_from_a_neighbour() -> None:
    assert omitted_span("a (b) c", 3, 4, least=3, most=4) == (3, 4)
    assert omitted_span("a  b.", 3, 4, least=2) == (2, 4)


def test_marks_and_tags() -> None:
    assert [suppression_mark("NAME", mark) for mark in ("kind", "line", "nothing")] == ["[NAME]", "___", ""]
    assert tag("NAME", "AAA BBB") == "**NAME[AAA BBB]"
    assert tag("URL") == "**WEB-LOC"
    assert all(tag(kind).startswith("**") for kind in KINDS)
