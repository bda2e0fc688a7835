"""Names told by their place in a sentence, and what grows on a name: what is bracketed is found, the rest stays."""

from __future__ import annotations

import pytest
from bracketed_text import covered, halves
from time_growth import grows_with_the_square

from sharewell.notes import Detectors
from sharewell.notes.detectors.names import Names
from sharewell.notes.engine.spans import Text

MESSAGES = """
is [Nkechi] in today
book a table for [Oisin] at seven
can [Faith] cover the late shift
ask [hope] whether it is free
tell [gurmeet] i moved the slot
does [ruby] still need her inhaler
[jack] should ring the ward
[amber] is allergic to latex
remind [drew] to bring his card
my coworker [chase] fainted at lunch
meet [june] at the door
when is [Precious] back from leave
could [Ngaire] or [Tama] call me
has [Birgitta] signed the form
asked [wojciech] to ring the pharmacy
pick it up by six, love [beatriz]
[Min-jun]'s teacher rang
""".strip().splitlines()
NOTES = """
Found on the stairs by his neighbour [Petal], who rang.
Taken in by his landlady [Blossom].
Her boss [Rocky] sent her home.
Crew: [D] [Whitcombe], [K] [Osei].
Spoke w/ [Sunny], who will bring the pump.
Told [Art] that the scan was clear.
Letter from [J]. [de] [Boer] received.
Foster carers [Joy] and [Grant] [Tregenza] attended.
Read by [QZW], no change.
Wound dry, home with patient leaflet. [tqk]
The report was sent on.\n[QF]/trw
Witness: [Ivy], carer. [Ivy]'s statement is filed.
[Hyacinth] objects to the depot.
[Dolly] texted a photo of the wound.
[Fern] (daughter) brought his glasses.
A patient with the stage name [Crystal] [Moon].
A man named [River] gave the patient a lift.
[Kowalczyk], 57F, bed 4
[Winnie] [Blackett], 84, slipped on ice.
His sister in law [Ken] drives him.
HER NEPHEW [DALE] SIGNED THE FORM
THE PATIENT, [ROSE] [HOLLOWAY], WAS SEEN
the patient fell; dr [achterberg-stone] saw him, daughter [grace] rang
Discussed with [Ravindran] and [Ó] [Dálaigh].
Call [Delphine] first, then the patient's GP.
Please fax the plan to nurse [B]. at the clinic.
[KARAGIANNOPOULOS] SEEN IN CLINIC, WELL
""".strip().splitlines()
PLAIN = [
    "Patient scored: Berg 41/56, Barthel 60/100.",
    "Patient due for endoscopy next year per Barrett protocol.",
    "Spirometry done. Echocardiogram pending. Hepatomegaly noted in this patient.",
    "Intubated for airway protection. Patient stable.",
    "Meds: none. Dispo: home. Neuro: intact. Resp: clear.",
    "Problems of the patient: HTN, GERD, HLD and OSA.",
    "Patient's dressing: Mepilex and Profore changed.",
    "Patient under a Bair Hugger, Xience stent in place.",
    "Patient speaks Punjabi and Urdu. Farsi line not needed.",
    "The bill is overdue and hope is fading.",
    "Will discuss at rounds. May need a scan.",
    "mark the site before surgery",
    "Rose to 38.5 overnight, then fell.",
    "Patient arrived by EMS, read by CT.",
    "Vitamin D low. Hepatitis B immune.",
    "6 Fr sheath, 5 Fr catheter",
    "Charge nurse to review. School nurse will call.",
    "Seen by Dr. at the desk, M.D. to follow.",
]


@pytest.mark.parametrize("marked", [*MESSAGES, *NOTES])
def test_names_by_their_place(marked: str) -> None:
    text, wanted = halves(marked)
    assert not covered(text, wanted, Detectors.usual(without=("learned",)).find(text)).missed


@pytest.mark.parametrize("text", PLAIN)
def test_what_stays(text: str) -> None:
    found = Detectors.usual(without=("learned",)).find(text)
    assert [text[span.start : span.end] for span in found if span.kind not in ("DRUG", "DOSE", "AGE")] == []


def test_a_degree_is_no_given_name() -> None:
    text = "Referring physician: Tamara Watkins, M.D."
    assert [text[s.start : s.end] for s in Detectors.usual(without=("learned",)).find(text)] == ["Tamara Watkins"]


def test_a_note_with_few_capitals_and_none_in_title_case_has_no_case() -> None:
    assert Text("pt on O2, seen by rahel, sats 94, likes tea").caseless
    assert not Text("Pt on O2, seen by rahel, sats 94, likes tea").caseless


def test_long_notes_take_time_in_proportion() -> None:
    piece = "Spoke w/ Sunny and Joy Tregenza, 84F, by QZW. D Whitcombe told Art, husband of Fern. D. K. de Boer/Osei. "
    assert not grows_with_the_square(Names().find, piece * 100, piece * 1000, 10)
