"""Doses by their grammar, and numbers that are none."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_text import check, found

from sharewell.notes.matcher.matching import RuleDetector

DETECTOR = RuleDetector.shipped("doses")

DOSES = """
We will increase her lisinopril to [40 mg daily] and initiate Lasix [20 mg daily].
Pharmacy sent insulin [100 mcg] but order was for heparin [0.5 mg].
Pt received [2 tablets] of vancomycin meant for another patient in bed 4.
Order for heparin [500 mL q6h] was transcribed as q4h.
vancomycin [1gm] instead of gentamicin [80mg IVPB]; zosyn [3.375 g q6]; Kayexalate [30 g PO]
norepinephrine at [0.2 mcg/kg/min]; heparin [1800 units/hr] rather than [800 units/hr]
insulin [10u/hr]; vasopressin [0.04 units/min]; [25,000 units] heparin in [250 ml] D5W
increase Lasix from [20 mg to 60 mg] for 4 days; fentanyl [25-50 mcg q1h prn]; ceftriaxone [1-2 g IV daily]
Tylenol [500 mg, 2 tablets], and ibuprofen [200 mg, 2 tablets, 3 times daily]
[half a tablet] of warfarin; [1/2 tab] coumadin; [one and a half tablets] of digoxin [0.125 mg]; [½ tab daily]
[twenty units] of regular insulin, [ten mg] morphine, [two puffs] of albuterol [2 puffs q4h prn]
epinephrine [1:10,000] [1 amp]; then [two amps] of bicarb and [an amp] of D50
[1%] lidocaine [5 ml] injected; [0.9%] NaCl [1 L] bolus; [500 cc] NS bolus; dextrose [5%]
KCl [20 meq/100 ml over 1 hour]; morphine [0.1 mg/kg IV]; [5 million units] penicillin G
lasix [40 IV] given, metoprolol [25 bid], asa [81 daily]; gave [50] of benadryl
propofol turned up to [50]; nitro gtt at [20]; levophed at [12]
TPN ran at [150 cc/hr] instead of [50]; pump set for [25] instead of [2.5 mg/hr] of versed
[1 inch] nitropaste; fentanyl [25 mcg/hr] patch; vitamin D [50,000 IU weekly]
lorazepam [1 mg], then another [one], then [0.5] at 0310; ketamine [40 mg] load then [20]; diazepam [10 mg IV] plus [5]
prednisolone [50 mg] x4d, [25] x4d, [10] x4d; tapentadol [50-100 mg prn]; given [50] at 0815, [100] at 1130
labetalol [2 mg/min] titrated by [0.5] every 10 to max [6]; clevidipine at [4 mg/hr], now [8], up to [16]
gave Zyprexa [ten] and Cogentin [one IM]; told to give [7.5 po] of the midodrine; insulin [forty units], not [four]
glucose [50 mL of 20% twice]; KCl [10 mL] of [11.2%]; saline [100 mL] [3%]; heparin s/c [7500]
took [six of 10 mg] citalopram, [30 tabs] of [20]; [2 x 500 mg] naproxen; [two 250 mg] caps of Keppra; senna [ii nocte]
terlipressin [2 mg/1 mg q6h]; articaine [3 carpules]; [a capful] of Miralax; [a teaspoon and a half] of Calpol at 5
[one and a half] digoxin; buprenorphine patch [10] swapped to [20]; heparin [18 u/kg/h] down [2 to 16]
carboplatin [AUC 4]; dexmed [.3-.9]; torsemide [60] AM, [20] PM; losartan [25] + amlodipine; zolpidem [five nightly]
[a hundred] of propofol; [half the bottle] of Sudafed; spiro halved to [12.5]; Keppra loaded with [2500]; NPH [18/9]
Cialis [5 mg] tablet by mouth; [five milligrams] of haldol; [10-mg] tablet; [100 micrograms]; [2µg]
""".strip().splitlines()

NO_DOSES = """
Patient on vasopressors noted to have dose of phenylephrine which was 10 times recommended maximum dose.
Total cholesterol 222 mg/dL, HDL 44 mg/dL; 156 IU/L; sodium 135 mEq/L; glucose 45 mg/dl; lactate 4 mmol/L
2 L NC, sat 92%; urine output 30 cc/hr; voided 500 ml; chest tube 200 cc; tidal volume 500 ml; EBL 300 ml
BP 80/40, pulse 110, temp 38.5, RR 24, FiO2 50%, EF 35%, PEEP 5
Transfused 2 units PRBCs and 4 units of FFP, platelets 2 units; weight 80 kg
2 gram sodium diet; limiting salt to 2300 mg daily
The 65 year old, room 10, at 10:30 on 3/4/2005; 3 of 10 patients; 5 mm; 3 cm; in 2 ICUs
vanc trough was 25 mcg/ml; digoxin level 2.5 ng/ml; hemoglobin 7.2 g/dL; A1c 8.2%
Order was transcribed as q4h. Every 6 hours. Twice daily. For 10 days.
vancomycin given at 10:00, heparin stopped at 6 am, insulin at 8 hours, gentamicin for 10 days
amoxicillin 9 d, hold losartan 1 more day, cefepime x 2/52, vanc 14.3, sirolimus 7.9; given cefepime 17.30
ketorolac given, pain down to 2, BP up to 160; Humalog given, then 88; a 20 mL syringe; feeds at 55 mL/h; leak 80 ml
14 g and 18 g lines, then crystalloid; compressions 100/min on adrenaline; 10 g monofilament; 2 units crossmatched
Sodium 131 L; 4/15/2021 unit no. 12; LAD 70%; PPH 2 L; tapped 6 L; heroin 7/2019; aciclovir over 15 mins not 60
1 liter of oxygen; drinks 2 liters of water; two beers; 10 ml of urine; 3 times a week
""".strip().splitlines()


@pytest.mark.parametrize("marked", DOSES)
def test_doses_are_found(marked) -> None:
    check(DETECTOR, marked)


@pytest.mark.parametrize("text", NO_DOSES)
def test_other_numbers_are_not(text) -> None:
    assert found(DETECTOR, text) == []


UNITS = ["mg", "mcg", "g", "mEq", "units", "tablets", "puffs", "milligrams"]


@given(
    st.integers(1, 9999),
    st.sampled_from(UNITS),
    st.sampled_from(["", " IV", " PO daily", " q6h", " twice a day", "/hr"]),
)
def test_every_number_with_a_unit_is_found(number, unit, tail) -> None:
    dose = f"{number} {unit}{tail if tail != '/hr' or unit not in ('tablets', 'puffs') else ''}"
    assert found(DETECTOR, f"Give heparin {dose} now.") == [dose]


@given(st.text("0123456789./-,% mgculunits:()", max_size=200))
def test_any_text(text) -> None:
    spans = DETECTOR.find(text)
    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(one.end <= two.start for one, two in pairwise(spans))


def test_a_long_run_of_numbers_is_quick() -> None:
    assert DETECTOR.find("1 " * 20_000) == []
