"""Generated texts beside generalised rows: after rewriting, no stated value says more than the row's cell."""

from __future__ import annotations

import re
from dataclasses import replace

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.keys import Key
from sharewell.notes import Known, Notes, Replace, TextAgreesWithTable
from sharewell.notes.annotation.row_agreement import SAYS_MORE, RowAgreement
from sharewell.notes.data import ListedIdentifiers

KEY = Key(b"an example key of enough bytes..")
JUDGE = TextAgreesWithTable(
    ages=("age",), sexes=("sex",), dates=("seen",), zips=("zip",), places=("city",), diagnoses=("illness",)
)
VALUES = {"city": ("Boston", "Cambridge", "Quincy"), "illness": ("asthma", "influenza", "type 2 diabetes")}
ROW = {
    "age": "[60-69]",
    "sex": "*",
    "seen": "2016-03",
    "zip": "021*",
    "city": "{Boston,Cambridge}",
    "illness": "{asthma,type 2 diabetes}",
}
AGES = (
    *("A {age}-year-old patient.", "{age} y/o here.", "Aged {age}.", "age: {age}", "Patient is {age} years old."),
    *(
        "{age}yo, well.",
        "Pt is {age} yrs old.",
        "{age} year old, stable.",
        "Mrs. Lee is {age}.",
        "He turned {age}.",
    ),
)
SEXES = (
    "She is well.",
    "A woman who walks.",
    "{age}F here.",
    "his pain",
    "The patient, a man, left.",
    "Sex: F",
    "Mr. Lee",
)
DATES = ("Seen on 3/{day}/2016.", "Came 2016-03-{day:02d}.", "Seen March {day}, 2016.", "On {day} March 2016 again.")
PLACES = ("Lives in Boston, MA 02139.", "From Cambridge, MA.", "Moved to Quincy, MA 02169 once.", "zip: 02139")
ILLNESSES = ("Has asthma.", "Known type 2 diabetes, diet.", "ASTHMA since youth.", "Type 2 Diabetes (stable).")
PLAIN = ("Lungs clear.", "BP 120/80, HR 72.", "Plan: aspirin 81 mg daily.", "Walks 2 miles.", "Temp 99.1.")


@st.composite
def stories(draw: st.DrawFn) -> tuple[str, int, int]:
    """(a text, its age, its day)."""
    age, day = draw(st.integers(60, 69)), draw(st.integers(10, 28))
    parts = [draw(st.sampled_from(forms)) for forms in (AGES, SEXES, DATES, PLACES, ILLNESSES, PLAIN)]
    order = draw(st.permutations(parts))
    return " ".join(order).format(age=age, day=day), age, day


def rewritten(texts: list[str], rows: list[dict[str, str]], judge: TextAgreesWithTable = JUDGE) -> list[str | None]:
    notes = Notes.of(texts, [f"p{i}" for i in range(len(texts))])
    done = RowAgreement.of(Replace(), judge, notes, rows, VALUES).protect(notes, [], KEY)
    by_row = dict(zip(map(int, done.rows), done.data.texts, strict=True))
    return [by_row.get(i) for i in range(len(texts))]


def judged(texts: list[str], rows: list[dict[str, str]], judge: TextAgreesWithTable = JUDGE) -> int:
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    found = judge.check(replace(Notes.of(texts), beside=pa.table(columns)))
    assert isinstance(found.value, int)
    return found.value


@settings(max_examples=60, deadline=None)
@given(stories())
def test_nothing_in_the_text_says_more_than_the_row(story: tuple[str, int, int]) -> None:
    """By a brute-force search for the values themselves, which is neither the judge's nor the mechanism's."""
    text, age, day = story
    [published] = rewritten([text], [ROW])
    if published is None:
        return  # withheld: nothing is said
    outside = published
    for cell in ROW.values():
        outside = outside.replace(cell, " ") if cell != "*" else outside
    outside = re.sub(r"(?<!early )(?<!mid )(?<!late )(?<![\d-])60s\b|\b60-69\b", " ", outside)  # no more than the cell
    assert not re.search(rf"(?<![\d/.]){age}(?!\d)", outside), published
    assert not re.search(rf"\b{day}\b(?!\d)", outside), published
    assert not re.search(r"\b(she|he|his|her|wom[ae]n|man|mrs|mr)\b|\bF\b", outside, re.IGNORECASE), published
    assert not re.search(r"boston|cambridge|021\d\d|asthma|diabetes", outside, re.IGNORECASE), published
    assert judged([published], [ROW]) == 0


@settings(max_examples=40, deadline=None)
@given(stories())
def test_without_the_mechanism_the_criterion_fails(story: tuple[str, int, int]) -> None:
    """The control: the usual protection of a text knows nothing of its row."""
    notes = Notes.of([story[0]], ["p"])
    [published] = Replace().protect(notes, [], KEY).data.texts
    assert judged([published], [ROW]) == 1


def test_most_texts_are_kept_and_the_rest_of_them_stays() -> None:
    texts = [f"{form.format(age=63)} {plain}" for form in AGES for plain in PLAIN]
    published = rewritten(texts, [ROW] * len(texts))
    kept = [text for text in published if text is not None]
    assert len(kept) == len(texts)
    assert all(any(plain.split()[0] in text for plain in PLAIN) for text in kept)
    assert sum("60s" in text or "60-69" in text for text in kept) > len(kept) * 0.8


def test_a_diagnosis_whose_first_word_passes_for_a_name_is_generalised() -> None:
    [text] = rewritten(["Mr. Lee Type 2 Diabetes (stable)."], [ROW])
    assert text == "Mx. {asthma,type 2 diabetes} (stable)."


def test_a_value_is_generalised_to_the_cell_that_covers_it() -> None:
    [text] = rewritten(["A 63-year-old man from Boston seen on 3/5/2016 with asthma."], [ROW])
    assert text == ("A person in their 60s from {Boston,Cambridge} seen on 2016-03 with {asthma,type 2 diabetes}.")


def test_the_plural_of_a_value_is_generalised_too() -> None:
    texts = ["Known asthmas of childhood.", "Influenzas, three."]
    assert rewritten(texts, [ROW, ROW | {"illness": "*"}]) == [
        "Known {asthma,type 2 diabetes} of childhood.",
        "[diagnosis], three.",
    ]
    assert judged(texts, [ROW, ROW | {"illness": "{asthma,influenza}"}], JUDGE) == 2


def test_what_the_row_publishes_as_it_is_may_be_said() -> None:
    row = ROW | {"age": "63", "sex": "F", "illness": "asthma"}
    [text] = rewritten(["A 63-year-old woman with asthma."], [row])
    assert text == "A 63-year-old woman with asthma."


def test_each_row_of_a_person_has_its_own_cells() -> None:
    """Texts of one person are rewritten in the order of their content, whatever the order of rows."""
    texts = ["Now 63 years old.", "At 58 years old, well."]
    rows = [ROW | {"age": "[60-69]"}, ROW | {"age": "[50-59]"}]
    for order in ([0, 1], [1, 0]):
        notes = Notes.of([texts[i] for i in order], ["p", "p"])
        done = RowAgreement.of(Replace(), JUDGE, notes, [rows[i] for i in order], VALUES).protect(notes, [], KEY)
        found = dict(zip(map(int, done.rows), done.data.texts, strict=True))
        assert [found[order.index(i)] for i in (0, 1)] == ["Now in their 60s.", "At 50-59 years old, well."]


def test_a_diagnosis_of_a_dropped_column_becomes_a_mark() -> None:
    judge = TextAgreesWithTable(hidden=("diagnosis",))
    people = ListedIdentifiers({"p": Known.of(others=["asthma"])})
    notes = replace(Notes.of(["Seen for Asthma today."], ["p"]), people=people)
    done = RowAgreement.of(Replace(), judge, notes, [{}], {}).protect(notes, [], KEY)
    assert list(done.data.texts) == ["Seen for [diagnosis] today."]


@pytest.mark.parametrize(
    ("value", "text"), [("migraine", "Has migraines."), ("abscess", "Has ABSCESSES."), ("psoriasis", "Has psoriasis.")]
)
def test_so_does_its_plural(value: str, text: str) -> None:
    judge = TextAgreesWithTable(hidden=("diagnosis",))
    notes = replace(Notes.of([text], ["p"]), people=ListedIdentifiers({"p": Known.of(others=[value])}))
    done = RowAgreement.of(Replace(), judge, notes, [{}], {}).protect(notes, [], KEY)
    assert list(done.data.texts) == ["Has [diagnosis]."]


def test_a_text_whose_row_is_not_known_is_withheld() -> None:
    notes = Notes.of(["Well."], ["p"])
    done = RowAgreement(Replace(), JUDGE, {}, VALUES).protect(notes, [], KEY)
    assert done.details.withheld == {SAYS_MORE: 1}


def test_day_and_month_are_read_in_the_order_that_the_policy_gives() -> None:
    """3/5/2016 is in May where the day comes first, and then no part of March."""
    notes = Notes.of(["Seen on 3/5/2016."], ["p"])
    for day_first, expected in ((False, "Seen on 2016-03."), (True, "Seen on [date].")):
        mechanism = RowAgreement.of(Replace(day_first=day_first), JUDGE, notes, [ROW], VALUES)
        assert list(mechanism.protect(notes, [], KEY).data.texts) == [expected]


@given(
    st.sampled_from(
        ["Lives near {}.", "Moved to {} in May.", "Seen at home, {}.", "postcode {}", "Comes from {} by bus."]
    ),
    st.sampled_from(["BD1 1HX", "LS2 9JT", "LS6 2AB", "SW1A 1AA", "M1 4BT"]),
    st.booleans(),
    st.integers(0, 8),
)
def test_a_british_postcode_says_no_more_than_its_cell(form: str, postcode: str, whole: bool, length: int) -> None:
    """Whatever is left of it is a beginning of the cell; a vertebra and a vitamin stay."""
    judge = TextAgreesWithTable(zips=("postcode",))
    values = {"postcode": ("BD1 1HX", "LS2 9JT", "LS6 2AB", "SW1A 1AA", "M1 4BT")}
    cell = postcode if length >= len(postcode) else f"{postcode[:length]}*"
    text = form.format(postcode if whole else postcode.split()[0]) + " Pain at L5, takes B12."
    notes = Notes.of([text], ["p"])
    replaced = Replace(places="keep", contacts="tag", ids="tag")
    made = RowAgreement.of(replaced, judge, notes, [{"postcode": cell}], values).protect(notes, [], KEY).data.texts
    [shown] = made
    said = re.findall(r"\b(?:BD1|LS2|LS6|SW1A|M1)\b(?: \d[A-Z]{2})?", shown.replace(cell, "…"))
    assert all(cell.startswith(one) for one in said)
    assert "L5, takes B12." in shown
    assert not judge.beyond(shown, {"postcode": cell}, {})
