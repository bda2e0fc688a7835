"""Unusual wordings of ages and sexes that the judge of texts beside rows knows, and what it lets pass."""

from __future__ import annotations

import pytest
from tests.notes.test_text_agrees_with_table import beyond

from sharewell.notes import TextAgreesWithTable

UNUSUAL_AGES = (
    *(
        "The patient (62) is well.",
        "Sue Smith (62) presents.",
        "Pt 64 presents with cough.",
        "Pt: 64",
        "at 64, she walks",
    ),
    *(
        "At 64 the patient walks.",
        "At 64, now well.",
        "Smith, 61, retired.",
        "The patient, 61, is well.",
        "This 64 presents",
    ),
    *(
        "Sixty-four, retired.",
        "64M with cough",
        "64yM",
        "64♀",
        "♂ 64",
        "in his sixties",
        "now sixtyish",
        "60-something",
    ),
    *("YOB 1958.", "yob: 1958", "Year of birth 1958", "b. 1958", "Smoker, b.1958", "born in '58", "DOB: '58"),
    *(
        "64 next birthday.",
        "Will be 64 on the next birthday",
        "Birthday soon (64).",
        "For the 64 birthday",
        "5 next birthday",
    ),
    *(
        "Spouse at bedside, edad 64",
        "Edad: 64.",
        "64 ans, retraite",
        "64-jährige Person",
        "64 años",
        "età 64",
        "im Alter von 64",
    ),
    *("in the sixth decade of life", "A smoker, 64, came.", "Mid sixties, well.", "Smoker, late-fifties."),
    *("Well, in mid-60s.", "Seen in late 50s and well.", "Smoker, early 60's."),
    *("Nearing 70 and well.", "Pushing seventy.", "Is older than 67.", "younger than sixty-nine"),
    *("Born on the 5th of March 1958.", "born in the spring of 1958", "geb. 05.03.1958", "*05.03.1958", "1958-born"),
    *("a 1958 birth", "Well (b 1958)", "The birthday is the 5th of March 1958.", "Birthday 05/03/1958"),
)
UNUSUAL_SEXES = (
    *("The patient (f) is well.", "Pt [m] came."),
    *(
        "M, well.",
        "Pt is M.",
        "Cough, F",
        "Seen. F. Well.",
        "64♀",
        "♂",
        "64yM",
        "46,XY",
        "A waitress.",
        "retired fireman",
    ),
    *(
        "A grandmother.",
        "Is a proud mother",
        "A devoted young father.",
        "is an aunt",
        "A loving grandma, well.",
        "una abuela",
    ),
    *(
        "A nice chap.",
        "This lass smokes.",
        "lovely gentlewoman",
        "tough old bloke",
        "A young lad.",
        "This laddie smokes.",
    ),
    *("Works as a policewoman.", "a former stewardess", "Actress", "two businessmen", "a cowboy"),
)
NOTHING_SAID = (
    *("Her mother had gout.".replace("Her", "The patient's"), "Has a sister with asthma.", "The mother reports cough."),
    *(
        "DOB: unknown   Sex: not known   Seen: 1958",
        "Nearing completion.",
        "Moved here in 1999.",
        "Stillborn in 2001 was her first.".replace("her", "the"),
    ),
    *("Walks in the late 1990s.", "The mid 80s were cold.", "Version 2.1998."),
    *("ETA 30 min.", "Cough seit 20 Jahren.", "12 guests came."),
    *("Chapped lips, glass in the foot.", "HR in the mid 60s.", "Walks far (m).", "Since the sixties."),
    *(
        "Took 64 mg.",
        "HR 64, BP 120/64.",
        "Room 64.",
        "Bed 64, ward M.",
        "Score (62).",
        "O2 sat 98 (95).",
        "Weight 64 kg (62).",
    ),
    *(
        "at 64 bpm",
        "at 64 %, better",
        "Patient 12 of 40",
        "Hb 64, stable.",
        "EF 55, 60 before.",
        "Stage M0 N1.",
        "T1 M",
    ),
    *(
        "Vitamin B. In 1958 a storm.",
        "Glucose 120 at 64 min.",
        "a specimen of the abdomen",
        "human",
        "regimen",
        "CK-MB 64.",
    ),
)


@pytest.mark.parametrize("text", UNUSUAL_AGES)
def test_unusual_wordings_of_an_age(text: str) -> None:
    assert beyond(text, TextAgreesWithTable(ages=("age",)), age="[60-69]")


@pytest.mark.parametrize("text", UNUSUAL_SEXES)
def test_unusual_wordings_of_a_sex(text: str) -> None:
    assert beyond(text, TextAgreesWithTable(sexes=("sex",)), sex="*")


@pytest.mark.parametrize("text", NOTHING_SAID)
def test_numbers_and_letters_of_something_else(text: str) -> None:
    assert not beyond(text, TextAgreesWithTable(ages=("age",), sexes=("sex",)), age="[60-69]", sex="*")


def test_an_age_that_the_row_publishes_may_be_said_in_any_wording() -> None:
    judge = TextAgreesWithTable(ages=("age",))
    assert not beyond("Pt 64 presents; Lowe (64) sleeps.", judge, age="64")
    assert not beyond("Pt [60-69] presents.", judge, age="[60-69]")
