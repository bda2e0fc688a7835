"""Names that sign, are listed or stand in any case of letters; what is bracketed is found, what is not stays."""

from __future__ import annotations

import pytest
from bracketed_text import covered, halves

from sharewell.notes import Detectors
from sharewell.notes.detectors.proper_nouns import ProperNouns
from sharewell.notes.engine.spans import SAFE

FOUND = r"""
Dressing changed, tolerated well.\n[b. holroyd] rmn
Seen with family, plan as above. signed [k. ostrander] pgy1
Wound clean and dry. Notes closed [l. tremaine] RM
LEVEL LOW, TOLD [J. PELL] RPH 0755
No distress overnight, see flowsheet.\n[QV], RN
Vitals stable all shift.\nScribe [jkw]/Attending on call
Intake done. Screener: [kqd] RN
Mdm [Meena] [a/p] [Rajoo] came with her aunt
Seen by [Arul] [s/o] [Maniam], stable
08:40;[BOTHMA K];1981/02/11;growth scan
night list\n- [Marlowe] (12): comfort care
can someone call me about the forms -[bibek]
Neighbour rang; midwife [ottilie] attended, baby well.
The sho [bilal] reviewed and was happy with the plan.
SHO [Amadi] to review bloods, HO [Teoh] aware
Seen in clinic today; letter dictated for [kowalczyk] and posted.
The form was addressed to [LINDQVIST] at the front desk.
Billing sent to the insurer today: [ZHENG], [MARTIN] / 9904 / paid
Blood issued for [LUNDGREN], [D] (band read twice)
Dad ([Wasim]) works away. Boyfriend [Dinesh] drives her.
Wife Puan [Salmah] and father Alhaji [Garba] were told.
His driver Herr [Dietrich] waited outside.
""".strip().splitlines()
PLAIN = """
Breathing easily on 3 L. Small effusion seen.
Tracing is category I. Reassuring so far.
Ramsay Hunt excluded, Austin Flint heard.
Kirby-Bauer plate read; Mann-Whitney used.
Lysholm 71, Caprini 4, Pfirrmann 3.
Nocardia grown, no Leptospira, Yersinia pending.
Ate Shreddies, drank Lucozade, drove a Peugeot.
Televisit done. Crossmatch sent.
Comes on Thursdays and Sundays with the volunteer.
Quaker, speaks Konkani; other parent Anglican.
asked for the rabbi. Tired today.
pulse width 1.5 ms. Capture good.
he takes sinemet for parkinsons
call me back before five
""".strip().splitlines()


@pytest.mark.parametrize("marked", [line.replace("\\n", "\n") for line in FOUND])
def test_who_signs_and_who_is_listed(marked: str) -> None:
    text, wanted = halves(marked)
    assert not covered(text, wanted, Detectors.usual(without=("learned",)).find(text)).missed


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_nobody(text: str) -> None:
    found = Detectors.usual(without=("learned",)).find(text)
    names = [text[span.start : span.end] for span in found if span.kind in ("NAME", "OTHER", "ORGANISATION")]
    assert not names


def test_things_are_shielded() -> None:
    text = "Given Lucozade and Osmolite after the dose."
    assert [text[s.start : s.end] for s in ProperNouns().find(text) if s.kind == SAFE] == ["Lucozade", "Osmolite"]
