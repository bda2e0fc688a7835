"""Houses in any case, and places along roads: what is bracketed is found, and plain words are left alone."""

from __future__ import annotations

import pytest
from bracketed_text import covered, halves

from sharewell.notes import Detectors

HOUSES = """
went to [royal ludlow infirmary] last night with her son
she was sent home from [our lady of the fens medical center] in june
HE WAS SEEN AT [HASTINGS VETERANS AFFAIRS MEDICAL CENTER] AND SENT HOME
picked up at [harker's pharmacy] this morning by her sister
training by a nurse from [draper & hollins llc], wife is able
He drove a crane for [petrov brothers roofing] for years
transfer to [bramblecrest rehabilitation and nursing center] on friday
the walk-in at [ludlow walk-in clinic] was closed when he came
SEEN BY HER DOCTOR AT [BRISTOL KIDNEY ASSOCIATES] IN THE SPRING
he was a clerk at [thornbury self storage] until he fell
meals come from [st. hilda's parish] on two days of the week
found at [hereford shopping centre] by a guard at noon
Booked with [Haldane Auto Body] for the car
told to go to [queen astrid hospital] if the pain comes back
resident of [Cedar Rise nursing home] for years
[The Larches at Didcot] took her back
he went to [klinikum fulda] in the spring
moved from [UCLH] to us
Rx sent to [Walgreens #3301] today
she is a [wrmc] transfer, no fever, no cough
""".strip().splitlines()
ROADS = """
found beside [Hwy 41 mile marker 12] in the snow
drove out [Farm-to-Market 2210] to see him
she lives out [hwy 19] past the old barn, no phone
crash [12 km north of Beaufort], two hurt
He walked on [county road 88] at night
mail to [Avenida Reforma 310 Interior 14] please
sent to [27 Kelso Road, Timaru 7910]. Thanks
held by [Renfrew Co] sheriff overnight
""".strip().splitlines()
PLACES = """
his son is flying in from [Seattle] tonight
She flies to [Vienna] soon
he comes from [ft benning], no fever, no cough, eats well
lives in [west lindsey] with her dog and eats well
missed a dose while visiting [oberhausen] with her aunt
seen with her sister, of [toledo, oh]. no fever today
She grew up in [Broome WA] by the sea
Her son drove in from [tuscaloosa] and Dr. Hale met him
""".strip().splitlines()
PLAIN = [
    "ortho clinic today, pain center next, coumadin clinic called, seen in cath lab, long hospital stay",
    "Bariatric surgery evaluation. Poison Center called. District Nursing Service visit. Aboriginal Health Service.",
    "the usual pharmacy was closed, his new school is near, same hospital as before",
    "Interpreter used, explained in Spanish, then in Portuguese and in Arabic.",
    "Glasgow 14 on arrival, Boston prep 9, Deauville 2 was read, LIMA to LAD",
    "A clear. B RR 24. C HR 96, BP 120/70. D alert.",
    "Religion: Church of England",
    "CVS: heart sounds normal. apt w cardio soon",
    "growth hormone (GH), IGF, GnRH given, MCH 28, PMH none",
    "he had walked 2 miles down the hall, en route 2 doses given",
    "Home: 7 in house, tea ok",
]
EDGES = [
    ("Attends Ridley Baptist Church often.", "Attends"),
    ("Called Vale Ridge Plasma Services today", "Called"),
    ("Ward sister Ann Blofeld of Larkhill Manor rang", " of "),
    ("lives at 9 Fuller Way, Stroud GL5 7QX, ask the surgeon to operate", "surgeon to operate"),
    ("seen in Selby District Hospital. Cheerful nurse", "Cheerful"),
]


@pytest.fixture(scope="module")
def ours() -> Detectors:
    return Detectors.usual(without=("learned",))


@pytest.fixture(scope="module")
def alone() -> Detectors:
    return Detectors.of("addresses", "organisations", "places", "safe-phrases")


@pytest.mark.parametrize("marked", [*HOUSES, *ROADS, *PLACES])
def test_found_whole_in_any_case(ours: Detectors, marked: str) -> None:
    text, wanted = halves(marked)
    assert not covered(text, wanted, ours.find(text)).missed


@pytest.mark.parametrize("text", PLAIN)
def test_plain_words_stay(alone: Detectors, text: str) -> None:
    assert not [text[span.start : span.end] for span in alone.find(text)]


@pytest.mark.parametrize(("text", "outside"), EDGES)
def test_what_stands_beside_a_name_stays(alone: Detectors, text: str, outside: str) -> None:
    start = text.index(outside)
    assert not any(span.start < start + len(outside) and start < span.end for span in alone.find(text))
