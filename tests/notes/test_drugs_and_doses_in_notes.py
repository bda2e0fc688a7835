"""Drugs and doses in invented notes of many hands: [a drug], {a dose}; everything marked is met, and nothing else."""

from __future__ import annotations

import re

import pytest

from sharewell.notes.engine.drug_names import Drugs
from sharewell.notes.matcher.matching import RuleDetector

NOTES = """
Overnight: [levo] weaned from {14} to {6}, [vaso] off at 0400, still on [prop] {30 mcg/kg/min} and [fent] {100 mcg/h}.
RSI with [ketamine] {120 mg} and [roc] {100}. Tube 8.0 at 23 cm, EtCO2 34.
Post: [propofol] gtt, [norad] {0.05 mcg/kg/min}.
Rate 148 irregular. [Dilt] {20} IV then gtt at {10 mg/hr}; [metoprolol] {5 mg IV x3} no effect.
BP 104/62, K 3.9, Mg 1.6.
Pt c/o pain 8/10, given [dilaudid] {0.5} at 2210 and again at 0130. Sats 94% on 2 L NC. Asleep by 0200.
Wrong patient: bed 12 got bed 11's [enoxeparin] {40mg SC}. Both obs stable, HR 78, BP 122/70. Duty of candour done.
Infusion pump set to {50 mL/hr} instead of {5} for the [morphine] syringe ({1 mg/mL}); [naloxone] {400 mcg} given.
[Piperacilin-tazobactam] {4.5 g} hung before cultures. Lactate 4.1 -> 2.2. {Third litre} of [Hartmanns] running.
Home meds: [Eliquis] {5 bid}, [Toprol XL] {50}, [Lipitor] {40 qhs}, [Synthroid] {88 mcg}, [MVI] daily.
Discharge on [co-amoxiclav] {625 TDS} for 5/7 and [pred] {30mg OD}. GP to recheck CRP.
K 2.8 - replaced with {40 mEq} [KCl] in {250 mL} over 4 h via CVC, repeat 3.4. Phos 0.5, [K-phos] {15 mmol}.
Seizing on arrival: [midazalom] {10 mg} buccal by crew, [loraz] {4 mg IV}, then [levetiracitam] {60 mg/kg} ({4.5 g}).
GCS 6.
DKA: [insulin] {0.1 u/kg/h}, glucose 31.4, pH 7.05, ketones 6.2. {0.9%} [saline] {1 L} stat then {500 mL/h}.
Anaphylaxis in CT after [Ultravist] {80 mL}.
IM [adrenaline] {500 micrograms}, [chlorphenamine] {10 mg}, [hydrocort] {200}.
Took {a handful} of [paracetamol] and {two} [codeine] about 3 pm. Level 112 at 4 h, below line. [NAC] not started.
Warfarinised for AF, INR 8.9, no bleeding. [Vit K] {2 mg PO}, [warfarin] held. Recheck INR in am.
Mum gives {5 ml} [Calpol] and {2.5 ml} of [Nurofen] when hot. Temp 39.2, weight 11.4 kg, RR 36.
OR: [ancef] {2 g} at 0732, [TXA] {1 g}, [decadron] {8}, [zofran] {4}. EBL 350 mL, urine 200 mL, crystalloid per chart.
Stroke call. NIHSS 14, BP 192/104. [Labetolol] {10 mg}, then [tPA] {0.9 mg/kg} ({67 mg}), door to needle 38 min.
Massive transfusion: 6 units PRBC, 4 FFP, 1 pool platelets; [calcium chloride] {10 mL of 10%}; [TXA] {2 g}.
[Mag] {2 g} over 20 min, [albuterol] {10 mg/hr} continuous neb, [solumedrol] {125}. Peak flow 140.
New [abx]: [mero] {1 g q8}, [vanc] {1250 q12}, [caspo] {70} load. WCC 22, temp 38.9, day 6 of ICU.
Pharmacist query: [digoxin] {62.5 mcg} charted twice. HR 48. [Dig] level 2.6. Second dose withheld.
[Heparin] {5000 U} sc given to pt with HIT. Plts 48 from 210. Switched to [argatrobin] {0.5 mcg/kg/min}.
[Sinemet] {25/250} missed x2 on ward, pt rigid. Restarted with [domperidone] {10mg tds}. No [haloperidol] please.
Syringe driver: [diamorphine] {20 mg}, [midaz] {15 mg}, [glyco] {1.2 mg} over 24 h. Breakthrough {2.5-5 mg} sc prn.
Spinal: heavy [bupivacaine] {0.5%} {2.4 mL} with [fentanyl] {15 mcg}. Block to T4. [Phenylephrine] {50 mcg} boluses x5.
RN found empty bag, [norepi] ran dry for about 4 minutes; SBP 52. New bag {16 mg/250 mL} hung. MAP back to 65.
PICU: 4.2 kg, [milrinone] {0.5 mcg/kg/min}, [lasix] {1 mg/kg q6}, [dopamine] {5 mics}. CVP 9, UO 2.1 mL/kg/h.
Pump was programmed {8 units/hr} not {0.8}. BG 41, {one amp} [D50], recheck 132.
Patient self-increased [gabapentine] to {900 tid} and takes {3 or 4} [Percocet] a day. Ataxic, fell twice.
Allergies: [penicilin] (rash), [sulfa], [morphine] (itch). No latex allergy.
[Prednisilone] taper {40/30/20/10 mg}, each for 3 days.
Sugars 14-18, [novorapid] {4 units} with meals, [lantus] {12 u} nocte.
Ran out of [Seretide] {250/25}, using [salbutamol] {2 puffs} 4-hourly. PEFR 320. [Doxy] {200} then {100 daily}.
Chest drain 450 mL overnight. [Toradol] {15 mg}, [oxy] {5} PO. IS to 1250. Pain 3/10.
Vented day 9, FiO2 0.45, PEEP 8. Sedation [dex] {0.7}, [seroquel] {50 BID}. RASS -1. Trach consult.
Eclampsia: [MgSO4] {4 g} load, {1 g/h}. [Hydralazine] {5mg} x2. Reflexes 2+, urine 40 ml/h.
[Ceftriaxone] {2 g} reconstituted with [lidocaine] {1%} and pushed IV by mistake. No arrhythmia, SpO2 98%.
ED: [ASA] {324}, [NTG] {0.4 SL} x3, [heparin] {4,000 units} bolus. Trop 0.09. Cath at 1430. ASA 3 for sedation.
Nurse drew up {100 units} of [humalog] rather than {10}. Found at double check, not given.
[Bactrim DS] {1 tab bid}, [flucanazole] {200}, [valgancyclovir] {450 daily}; [tacro] {3 mg bid}, trough 8.8.
[Colchicine] {0.6}, [allopurinol] {300}, [febuxostat] stopped. Uric acid 9.1. Left knee tapped, 30 mL straw fluid.
Dialysis: [epo] {6000 units}, [venofer] {100 mg}, [heparin] {1,000 u/h}. UF 2.4 L, post weight 71.2 kg.
Gave {1.5} of [ativan] and {5} of [haldol], still climbing out of bed. Sitter ordered. QTc 488.
Line flushed with [KCl] instead of [saline]. {10 mL} of {15%}.
Arrested at 1107, ROSC 1121 after [adrenaline] {1 mg} x4, [calcium gluc] {30 mL}.
Start [apixaban] {10 mg BID} x7d then {5 mg}. Stop [clexane]. Weight 84 kg, CrCl 66.
[Amiodorone] {300 mg}, shock x3 at 200 J, [lignocaine] {1.5 mg/kg}. pH 6.98, lactate 11.
Codes: [epi] {1 mg} q3-5 x6, [bicarb] {2 amps}, [calcium] {1 g}. Time of death 0352.
PRN list: [Tylenol] {650 q6h}, [Benadryl] {25}, [Colace] {100 bid}, [Miralax] {17 g}, [melatonin] {3}.
Epidural [ropi] {0.2%} at {8 mL/hr} with [fentanyl] {2 mcg/mL}. Pt numb to T2, rate halved.
[Fluoxitine] {20mg}, [risperidon] {0.5 mg nocte}; last depot [zuclopenthixol] {200 mg} 14/3.
INCIDENT: [Noradrenaline] {8mg/50ml} run at {80 ml/hr} not {8.0}; BP 220/110 for 3 min. Duty reg informed.
Pt handed over on [metaraminol] {5 mL/h} peripherally, switched to [norad] once CVC in. CVP 12.
[Cyclizine] {50mg}, [ondans] {4mg}, no better; [droperidol] {0.625} settled it. Urine dip NAD.
Gave [sugamadex] {200}, TOF 4/4, extubated at 1645. RR 14.
1 x [Laxido] BD, [senna] {15mg ON}, [phosphate enema] if BNO day 4.
Start [PTU] {150 mg} q6, [propanolol] {40}, [Lugols] {5 drops}, [hydrocortisone] {100}. T 40.1 HR 164.
[Vasopresin] {2.4 units/h}, [epinephrin] {0.1}, [hydrocort] {50 q6}. Lactate 9. Mottled to knees.
Missed two doses of [rifaximin]. Ammonia 98. [Lactulose] {30 ml} qid, 2 BMs.
Clinic: stop [amlodipene], begin [losarten] {50}, recheck BP 2/52. BP 158/92 today, BMI 31.
Bottle of [Benylin] found empty, approx {150 mL}. HR 120, pupils 6 mm.
[Tinzaparin] {4,500} given at 1800, epidural out at 1900. Needs incident form.
Pt refused [risperdal consta] {37.5} IM. Last given 3 weeks ago.
Gave {1/2 tab} [xanax] & {one} [ambien]; pt somnolent. BiPAP 12/5.
[Fentynal] patch {75} on since Tues, second patch found on back. RR 6, [narcan] gtt {0.4 mg/hr}.
[Ampho B] {5 mg/kg} over 2 h, premed [tylenol], [benadryl]. Rigors; [demerol] {25 mg}.
She is on the pill, [lamotrigine] {100 mg bd} and [folic acid] {5}.
CRRT: effluent 25 mL/kg/h, [citrate] {220 mL/h}, [CaCl2] {30 mL/hr}; filter down at 14 h.
[Sotalol] {80mg} instead of [Sitagliptin] {100mg} - LASA error, blister cut from strip. QTc 470.
Received [Moderna booster] 12/1. [Metformin] {1000} bid, [Januvia] {100}, [Jardiance] {10}. A1c 8.1.
[Nitro paste] {1 inch}, [bumex] {2}, BiPAP 14/6; UO 900 mL. Weight down 2.1 kg.
[Bupivicaine] {0.25%} with [epi] {20 cc} infiltrated. Sponge count correct x2.
[MTX] {15 mg} once weekly was charted daily: 4 doses given. WCC 1.1, [folinic acid] {15 mg} q6h.
[Alteplase] {50} for PE arrest, CPR 60 min. [Heparin] after. Hb 71 from 124.
Pt brought own [Madopar] {125} x5/day; on ward given {62.5} TDS. Stiff, not swallowing.
[Dantroline] {2.5 mg/kg}, cooled. CK 24,000, temp 41.3, EtCO2 11.
Overfed? No: [TPN] {75 mL/h}, [SMOF] {20%} {10 mL/h}. TG 2.1.
tx w [rocephine] {250mg} IM + [azithro] {1g} po, partner notified
[Ketorlac] {30}, [norflex] {60} IM for LBP. Walks ok.
Inhaler check: [Symbicort] {200/6} {two puffs} bd, technique poor. FeNO 48.
dad given [tramodol] {50-100 mg} qds prn, hallucinating. Na 121.
Switch [MS Contin] {60 q12} to [methadone] {10 tid}; [naloxone] kit given. QTc 441.
[Oxytocin] {40 units} in {500 ml} at {125 ml/h}; [ergometrin] {500mcg}; [misoprostal] {800 mcg} PR. EBL 1.8 L.
child 14 kg, [ibuprofen] {10 mg/kg}, [paracetamol] {15mg/kg}; given {210 mg}. temp 37.8
two person check not done for [KCl] {20 mmol}/{100 mL}. ran over 10 min. K 6.8, peaked T.
[Versed] {2}, [fent] {50} for scope; sat 84% for 20 s, jaw thrust. Cecum 8 min.
He's been taking {3} of his [lisinopril] a day since Monday. Cr 3.1, K 6.1.
[Cisatracuruim] {0.15mg/kg} then {3 mcg/kg/min}, BIS 44, prone 16 h. P/F 108.
Chart review: [amox] {500 tid} x 10d, rash day 8. [Penicillin] allergy added? [Amoxicillin] stopped.
[Nimodipine] {60 mg q4h} via NG drawn up in luer syringe. Vasospasm day 7. ICP 14.
On arrival [GTN] {2 sprays}, [aspirin] {300}, [morphine] {5+5}, [metoclop] {10}. ECG: 3 mm STE V2-4.
Sliding scale [actrapid] {6u}; BM 17.2 then 3.1; [glucogel] {1 tube}, BM 5.9.
[Zopiclone] {3.75mg} given at 0300 after [lorazepam] {1mg} at 2300. Fell 0450. Hip XR clear.
""".strip().splitlines()

NOTHING = """
HR 112, BP 94/50, RR 24, SpO2 91% on 15 L, temp 38.7, GCS 13, pain 6/10, glucose 6.2, K 4.4, Na 138, lactate 2.0.
18G left ACF, 20 G right hand, 7.5 ETT at 22 cm, 14 Fr NG, 16 Fr Foley, 8 Fr sheath removed at 1430.
Urine 35 mL/h, drain 120 mL, EBL 400 mL, stool x2, NG aspirate 200 mL, net negative 1.2 L, chest tube 60 cc.
Baby 3,420 g, length 51 cm, Apgars 8 and 9. Placenta 540 g. Second twin 2,950 g.
Room 12, bed 4, extension 4410, pager 20155, 3 nurses, 2 patients, ward 6B, code at 0312, 10 minutes late.
FEV1 1.8 L, FVC 2.6 L, EF 35%, hct 32%, burns 18% TBSA, A1c 7.2%, ferritin 212 ng/mL, B12 201, vitamin D 18.
Drinks 20 units a week, 1 L of cider a day, smokes 20 a day, 30 pack years. Low salt diet, 2 g sodium.
He weighs 82 kg and is 1.79 m; his brother is 45; they live 10 miles apart; seen at 10:30 on 3/4.
Day 3 of admission, cycle 2, 5 of 7 sutures out; sutures 4-0; tibial nail 10 mm x 340 mm; tourniquet 250 mmHg.
Alert and orientated, sepsis screen negative, propped up, digging at line, the vast majority, epidermal cyst, neonate.
CT chest with nodule 8 mm; echo normal; ECG sinus 88; QTc 430; Hb 92; plts 110; CRP 201; WCC 14.
""".strip().splitlines()


def _marked(note: str) -> tuple[str, dict[str, list[tuple[int, int]]]]:
    text, marks, opened = "", {"DRUG": [], "DOSE": []}, 0
    for piece in re.split(r"([\[\]{}])", note):
        if piece in ("[", "{"):
            opened = len(text)
        elif piece in ("]", "}"):
            marks["DRUG" if piece == "]" else "DOSE"].append((opened, len(text)))
        else:
            text += piece
    return text, marks


@pytest.mark.parametrize("note", NOTES)
def test_notes(note: str) -> None:
    text, marks = _marked(note)
    for kind, detector in (("DRUG", Drugs()), ("DOSE", RuleDetector.shipped("doses"))):
        found = [(span.start, span.end) for span in detector.find(text)]
        missed = [text[a:b] for a, b in marks[kind] if not any(start < b and a < end for start, end in found)]
        wrong = [text[start:end] for start, end in found if not any(start < b and a < end for a, b in marks[kind])]
        assert (missed, wrong) == ([], []), kind


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_is_found(text: str) -> None:
    drugs = {text[span.start : span.end] for span in Drugs().find(text)}
    assert drugs <= {"B12", "vitamin D"}  # measured here, but told apart only by the number after them
    assert [text[span.start : span.end] for span in RuleDetector.shipped("doses").find(text)] == []
