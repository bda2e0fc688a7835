"""Ages and sexes as clinicians write them: what becomes of each, and whether the judge sees one that is left."""

import re
from itertools import pairwise

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.keys import Key
from sharewell.notes import ExtractedValues, Notes, Replace
from sharewell.notes.annotation.extraction import extract_table, mentions, row_of
from sharewell.notes.annotation.gender import ages_beside_sex, sex_words
from sharewell.notes.annotation.written_back import WrittenBack
from sharewell.notes.criteria.extracted_values import reveals_more
from sharewell.notes.engine.rewritten_text import Edit, NoteOwner, apply_edits
from sharewell.notes.engine.spans import Text

KEY = Key(b"a key of enough bytes for tests..")
OWN = "41 y/o. 41 years old. Smith."
"""Another note of the person, so that this is the age of the row."""
ROW = {"age": "[38-45]", "sex": "*"}


class AsItIs:
    """An inner mechanism that changes nothing: what is written back is seen alone."""

    name = "as-it-is"

    def rewrite(self, texts, whose):
        return [apply_edits(text, []) for text in texts]


class Renames(AsItIs):
    """Puts an invented name in place of Smith."""

    def __init__(self, name):
        self.new = name

    def rewrite(self, texts, whose):
        places = [(text, text.index("Smith")) for text in texts]
        return [apply_edits(text, [Edit(at, at + 5, "NAME", self.new)]) for text, at in places]


def back(text, row, inner=None):
    mechanism = WrittenBack(inner or AsItIs(), tuple(row), {"p": row})
    made, _ = mechanism.rewrite([text, OWN], NoteOwner("p", KEY))
    return made.text


AGES = {
    "forty-one-year-old": "38-45-year-old",
    "forty one years old": "38-45 years old",
    "fortyone y/o": "38-45 y/o",
    "aged forty-one": "aged 38-45",
    "a hundred and two years old": "[age] years old",
    "41/F": "38-45/F",
    "F/41": "F/38-45",
    "f/41": "f/38-45",
    "F41": "F 38-45",
    "41F": "38-45 F",
    "41 F": "38-45 F",
    "41;F": "38-45;F",
    "41 (F)": "38-45 (F)",
    "97F": "[age]F",
    "y/o 41": "y/o 38-45",
    "41 y/ o": "38-45 y/ o",
    "41-y-o": "38-45-y-o",
    "41 y o": "38-45 y o",
    "41yoF": "38-45 yoF",
    "41 yom": "38-45 yom",
    "41 wf": "38-45 wf",
    "AAM 41": "AAM 38-45",
    "41 white F": "38-45 white F",
    "41 female": "38-45 female",
    "woman of 41": "woman of 38-45",
    "female, 41": "female, 38-45",
    "41‑year‑old": "38-45‑year‑old",
    "41–year–old": "38-45–year–old",
    "41&nbsp;year&nbsp;old": "38-45&nbsp;year&nbsp;old",
    "41&#8209;year&#8209;old": "38-45&#8209;year&#8209;old",
    "41\xa0years\xa0old": "38-45\xa0years\xa0old",
    "4\xad1 y/o": "38-45 y/o",
    "４１ year old": "38-45 year old",
    "٤١ years old": "38-45 years old",
    "41 year\nold": "38-45 year\nold",
    "41 YEAR OLD": "38-45 YEAR OLD",
    "492 months old": "38-45 years old",
    "6-month-old": "[age] years-old",
    "3 week old boy": "[age] years old boy",
    "born 41 years ago": "born 38-45 years ago",
    "born forty-five years ago": "born 38-45 years ago",
    "she is 41": "she is 38-45",
    "she's forty-one": "she's 38-45",
    "turned 41": "turned 38-45",
    "41y": "38-45 y",
    "age41": "age 38-45",
    "Ada Kell, 41, came": "Ada Kell, 38-45, came",
    "her forty-first birthday": "her [age] birthday",
    "41st birthday": "38-45 birthday",
    "in her 40s": "in her [age]",
    "in her early forties": "in her early [age]",
    "an octogenarian": "an [age]",
    "40-41 years old": "[age] years old",
    "2.5 years old": "[age] years old",
    "Age/Sex 41/F": "Age/Sex 38-45/F",
    "Age (yrs): 41": "Age (yrs): 38-45",
    "DOB 3/5/1975/F": "DOB [date]/F",
    "MRN 7; 41 years of age": "MRN 7; 38-45 years of age",
}
SEXES = {
    "y/o F": "y/o [sex]",
    "y/o M": "y/o [sex]",
    "40 yo obese white F": "40 yo obese white [sex]",
    "white F": "white [sex]",
    "yof": "yo[sex]",
    "wf": "[sex]",
    "40 bm": "40 [sex]",
    "AAM": "[sex]",
    "(F)": "([sex])",
    "40/F": "40/[sex]",
    "F/40": "[sex]/40",
    "40;F": "40;[sex]",
    "F40": "[sex]40",
    "Sex F": "Sex [sex]",
    "gender - M": "gender - [sex]",
    "a F patient": "a [sex] patient",
    "MR SMITH": "MX SMITH",
    "MR. Smith": "MX. Smith",
    "MRS": "MX",
    "MS JONES": "MX JONES",
    "Mr Jones": "Mx Jones",
    "housewife": "homemaker",
    "a mother of two": "a parent of two",
    "Ladies": "People",
    "gentlemen": "people",
    "GIRLS": "CHILDREN",
    "ma’am": "Mx",
    "Sir": "Mx",
    "his wife": "their spouse",
    "SHE": "THEY",
    "m&#97;le": "[sex]",
    "a widow": "a widowed person",
}
NEITHER = """
T 101F|T 99F|99.1 F|temp of 98 F|fever to 101F today|98.6 (F)|bed F12|rm 12F|bed 12, M|F32.9|F2 fibrosis|14F Foley
20F chest tube|18F-FDG PET|F-18 fluoride|M-F 10-4|BP 120/80|HR 80, well|HD M/W/F|10 F/U|12 mg|3M company|MR moderate
MS CONTIN 15 mg|MR brain|T2N1M0|E3V5M6|2 BM today|$41M|she is 41 kg|he was 20 minutes late|a 3 week old wound|near MISS
she is one of many|for 10 years|May Day, 12, 2016|mother died|born two days ago
WBC 12, M|10 M/R/G|for one year|ICD-10 F41|May 12, M. Ortiz
""".replace("\n", "|").strip("|")


@pytest.mark.parametrize(("said", "wanted"), AGES.items())
def test_an_age_is_written_back_however_it_is_spelt(said, wanted):
    text, row = f"Sheet: {said}. Sent home.", {"age": "[38-45]"}
    assert back(text, row) == f"Sheet: {wanted}. Sent home."
    assert reveals_more(text, row) == {"age"}
    assert not reveals_more(back(text, row), row)


@pytest.mark.parametrize(("said", "wanted"), SEXES.items())
def test_a_sex_is_taken_out_however_it_is_told(said, wanted):
    text, row = f"Sheet: {said}. Sent home.", {"sex": "*"}
    assert back(text, row) == f"Sheet: {wanted}. Sent home."
    assert reveals_more(text, row) == {"sex"}
    assert not reveals_more(back(text, row), row)
    assert back(text, {"sex": "F"}) == text
    assert not reveals_more(text, {"sex": "F"})


@pytest.mark.parametrize("said", NEITHER.split("|"))
def test_what_is_neither_stays(said):
    text = f"Sheet: {said}. Sent home."
    assert not [text[a:b] for a, b, *_ in sex_words(text) if text[a:b].lower() not in ("he", "she")]
    assert not list(ages_beside_sex(text))
    row = {"age": "[38-45]"}
    assert back(text, row) == text
    assert not reveals_more(text, row)
    assert reveals_more(text, {"sex": ""}) <= ({"sex"} if "he " in said else set())


def test_an_exact_row_is_shown_and_no_more():
    """Months say more than a year does, even of the right age."""
    row = {"age": "41"}
    assert back("forty-one years old, 41/F", row) == "41 years old, 41/F"
    assert not reveals_more("forty-one years old, 41/F", row)
    assert reveals_more("492 months old", row)
    assert back("492 months old", row) == "41 years old"


@pytest.mark.parametrize(
    ("text", "age", "sex"),
    [
        ("４１ year old ｗｏｍａｎ", "41", "F"),
        ("A forty-one-year-old man", "41", "M"),
        ("41/F, T 99F", "41", "F"),
        ("041 y/o", "41", None),
        ("492 months old", "41", None),
        ("a 6 month old graft", None, None),
        ("a 6 month old boy", "0", "M"),
        ("F41 is a code", None, None),
        ("in her 40s", None, "F"),
    ],
)
def test_what_enters_the_table(text, age, sex):
    assert row_of([text], ("age", "sex")) == {"age": age, "sex": sex}
    (row,) = extract_table(Notes.of([text], ["p"]), ("age",)).to_pylist()
    assert row["age"] is None or (row["age"].isascii() and row["age"].isdigit())


@pytest.mark.parametrize("name", ["Guy Male", "Lady", "He", "41F"])
def test_what_another_mechanism_invents_tells_nothing(name):
    made = back("Seen by Smith today.", ROW, Renames(name))
    assert not reveals_more(made, ROW)
    assert made.startswith("Seen by ")
    assert made.endswith(" today.")


def test_an_invented_name_may_touch_what_stays():
    """What only comes to stand together is found in what is published."""
    made = back("Smith/F here", ROW, Renames("Bo 41"))
    assert made == "38-45/[sex] here"


@pytest.mark.parametrize("text", ["M 41 y/o F/41 and 41;F 41", "41 wf 41 WF, F, 41/F", "４１F&nbsp;F４１"])
def test_mentions_never_overlap(text):
    found = mentions(Text.of(text), ("age", "sex"))
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert not any(sign.isdigit() for sign in back(text, {"age": "*", "sex": "*"}))


FIRST = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
WORDS = [*re.findall(r"\w+", FIRST), "eighteen", "nineteen"]
TENS = re.findall(r"\w+", "twenty thirty forty fifty sixty seventy eighty ninety")


def in_words(number, gap):
    if number >= 100:
        rest = number - 100
        return "one hundred" + (f" and {in_words(rest, gap)}" if rest else "")
    if number < 20:
        return WORDS[number - 1]
    return TENS[number // 10 - 2] + (gap + WORDS[number % 10 - 1] if number % 10 else "")


SPELLINGS = """
{w}-year-old|{w} years old|{w} y/o|{n}-year-old|{n} y/o|{n}yo|{n} y/ o|{n} y o|{n}-y-o|{n} y.o.|{n} yrs old|aged {w}
{n} years of age|aged {n}|Age: {n}|Age/Sex {n}/F|{n}/F|F/{n}|{n}\u2011year\u2011old|{n}&nbsp;year&nbsp;old|{f} year old
born {n} years ago|born {w} years ago|{m} months old|{n} yoM|{n}yof|{n} YEAR OLD|{n}\u2013yr\u2013old
""".replace("\n", "|").strip("|")  # fmt: skip
GROWN = "|{n}F|F{n}|{n} M|{n};F|{n} wf|{n} WM|y/o {n}|{n} AAM|{n} white F|she is {n}|{n} female|man, {n}"
AROUND = ("This is {}, who was sent home.", "Seen: {}.", "{} with pain", "T 99F, BP 120/80; {}; well.", "(\n{}\n)")
WIDE = str.maketrans("0123456789", "０１２３４５６７８９")


@given(st.integers(1, 119), st.data())
@settings(max_examples=150, deadline=None)
def test_no_age_passes_both_sides(age, data):
    """Whatever the age and its spelling: the judge sees it in the original, and the published note does not have it."""
    spelling = data.draw(st.sampled_from((SPELLINGS + (GROWN if age > 9 else "")).split("|")))
    words = in_words(age, data.draw(st.sampled_from([" ", "-", "\u2010"])))
    said = spelling.format(n=age, w=words, f=str(age).translate(WIDE), m=age * 12 + data.draw(st.integers(0, 11)))
    text = data.draw(st.sampled_from(AROUND)).format(said)
    low = age - age % 10
    row = {"age": data.draw(st.sampled_from([f"[{low}-{low + 9}]", "*", ""])), "sex": ""}
    table = pa.table({"person": ["p"], **{name: [cell] for name, cell in row.items()}})
    must = ExtractedValues(table, table.drop_columns(["person"]), tuple(row))
    assert must.check(Notes.of([text], ["p"])).failed
    made = WrittenBack(Replace(language="any"), tuple(row), {"p": row}).protect(Notes.of([text], ["p"]), [], KEY)
    (shown,) = made.data.texts
    assert said not in shown
    assert must.check(made.data).ok, (text, shown)
