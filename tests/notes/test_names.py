"""Names in notes: what is found, and what is left alone."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.names import Names
from sharewell.notes.engine.lexicons import nameness, people, words
from sharewell.notes.engine.spans import resolve_overlaps

FOUND = [
    # titles
    ("Seen by Dr. Brown today", ["Brown"]),
    ("Mr. and Mrs. Okafor agree", ["Okafor"]),
    ("I spoke with Ms. May about it", ["May"]),
    ("dr hall saw mr brown", ["hall", "brown"]),
    ("Mrs. Van der Berg's chart", ["Van der Berg"]),
    ("per Dr. O'Brien-Nguyen", ["O'Brien-Nguyen"]),
    ("Drs. Patel, Kim and Johnson", ["Patel", "Kim", "Johnson"]),
    ("DR. WARD NOTIFIED OF THE RESULT BY PHONE", ["WARD"]),
    # headers
    ("Name: Shaun Castro\nSSN: x", ["Shaun Castro"]),
    ("PATIENT: Palmer, Danny\nMRN: 2", ["Palmer, Danny"]),
    ("Referring physician: Janice Black, M.D.", ["Janice Black"]),
    ("DICTATED BY: JAMES T KIRK MD", ["JAMES T KIRK"]),
    ("Attending: Strange, Stephen", ["Strange, Stephen"]),
    ("Sincerely,\nJ. Q. Public, MD", ["J. Q. Public"]),
    ("Name/DOB: Li, Wei / x", ["Li, Wei"]),
    # degrees
    ("Grant Hill, PA-C assisted", ["Grant Hill"]),
    ("signed K. Lindqvist RN", ["K. Lindqvist"]),
    ("Martin Luther Jr. came", ["Martin Luther Jr"]),
    # kin and doings
    ("her husband, Bob, called", ["Bob"]),
    ("patient's mother (Guadalupe) consents", ["Guadalupe"]),
    ("results d/w Smith by phone", ["Smith"]),
    ("son thomas\nknowles has poa", ["thomas\nknowles"]),
    ("my patient mark cermak was seen", ["mark cermak"]),
    ("Baby's name will be May.", ["May"]),
    ("reviewed by Will Smith", ["Will Smith"]),
    # lists alone
    ("WILLIAMS,KEISHA  F  67Y", ["WILLIAMS,KEISHA"]),
    ("Pt SMITH, JOHN A. in bed", ["SMITH, JOHN A"]),
    ("a lady, knowles, patricia, from home", ["knowles, patricia"]),
    ("JOSE GARCIA-LOPEZ IS HERE", ["JOSE GARCIA-LOPEZ"]),
    ("Samantha Bašić employs two", ["Samantha Bašić"]),
    ("anna kowalski came in", ["anna kowalski"]),
    ("RT Mike aware", ["Mike"]),
    # letters alone
    ("Joseph Lemon was seen", ["Joseph Lemon"]),
    ("correct it to Dr. Justin Beet", ["Justin Beet"]),
    ("patient: brown, evan\nmrn: 2", ["brown, evan"]),
    ("referring physician: amber branch, m.d.", ["amber branch"]),
    ("Mohmad R. Vizirov will be talking", ["Mohmad R. Vizirov"]),
    ("the film of Maciej Borkowski", ["Maciej Borkowski"]),
    # misspelt
    ("woman, PETERSON, Reebcca, from home", ["PETERSON, Reebcca"]),
    # again in the same note
    ("Dr. Castillo came. Later castillo left.", ["Castillo", "castillo"]),
    ("My patient Eric Bass is ill. Bass has failed three drugs.", ["Eric Bass", "Bass"]),
    # initials and spelling
]
LEFT = [
    "History of Parkinson's disease. Foley in place.",
    "Babinski downgoing. Romberg negative. Murphy's sign absent.",
    "Jackson-Pratt drain, Swan-Ganz catheter, Kelly clamp and a Bovie",
    "REVIEW OF SYSTEMS: GENERAL: NO FEVER. CARDIAC: NO CHEST PAIN.",
    "DISCHARGE SUMMARY\nHOSPITAL COURSE\nPAST MEDICAL HISTORY",
    "May need MRI. Will call. Art line placed. Pat dry. Bill for visit.",
    "Mother: breast cancer. Father: MI at 60. Brother: healthy.",
    "Patient: Alert and oriented x3. Physician: notified.",
    "E. coli and S. aureus, C. diff negative; Gram stain",
    "Hemoglobin A1c 7.2, Na 140, Cl 100, Mg 2, Phos 3",
    "MS Contin 15 mg. He lives at 12 Willow Dr Apt 3.",
    "CC: Abdominal pain, nausea. CC: Followup on diabetes.",
    "Zoloft 25 mg daily. Positive Hoffman's sign.",
    "Temperature 99.7 Fahrenheit, denies Covid exposure",
    "",
]


def found(text):
    """What detectors of names and safe phrases leave of a text as names, neighbours as one."""
    return [text[s.start : s.end] for s in Detectors.of("clinical-terms", "names", "safe-phrases").find(text)]


@pytest.mark.parametrize(("text", "names"), FOUND)
def test_names_are_found(text, names):
    assert found(text) == names


@pytest.mark.parametrize("text", LEFT)
def test_what_is_no_name_stays(text):
    assert found(text) == []


def test_a_doctor_named_like_a_disease():
    assert found("Dr. Parkinson treats Parkinson's disease") == ["Parkinson"]


def test_lists_tell_names_from_words():
    assert people()["castro"] == "S" or people()["castro"] == "B"
    assert "benicar" not in people()
    assert words()["pain"] == "1"
    assert nameness("srinivasan") > 50 > nameness("cholecystectomy")


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200))
def test_spans_lie_inside_any_text(text):
    spans = Names().find(text)
    assert all(0 <= s.start < s.end <= len(text) and s.kind == "NAME" and s.reason for s in spans)
    assert all(a.end <= b.start for a, b in zip(resolve_overlaps(spans), resolve_overlaps(spans)[1:], strict=False))


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["Mr.", "Mrs.", "Dr.", "Ms"]),
    st.sampled_from(["Castillo", "Nguyen", "Brown", "O'Neil", "Szczepanski", "Xhaka", "Hall", "Young"]),
    st.sampled_from(["{} denies pain.", "Seen with {} at noon.", "Daughter of {} called; {} is well."]),
)
def test_a_title_is_enough(title, name, sentence):
    text = sentence.replace("{}", f"{title} {name}")
    assert found(text) == [name] * sentence.count("{}")
