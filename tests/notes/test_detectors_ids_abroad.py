"""Identifiers of many countries, trades and note forms, and numbers that only look like them."""

from __future__ import annotations

import pytest
from marked_text import parts

from sharewell.notes.detectors.ids import Ids
from sharewell.notes.engine.spans import tokens
from sharewell.notes.matcher.matching import RuleDetector

IDS = """
Surname: OYELARAN   Hosp. No: [LUTH/2019/44731]   NIN [71820044913]
Pt ID [KNH-2231908]; NHIF [R4471902]; next of kin informed
CNIC [35202-7719043-5], ward 7, attended by Dr Ambreen
Aadhaar [4417 8823 0917], ABHA [91-3320-7741-0082], PAN [CKDPS8831L]
NRIC no [T0417733J] and FIN [G8831204K] were both on the form
HKID [R771043(A)] seen with mother
Personnummer [811218-9876], journal in Swedish
CPR [040582-1133] (Danish), fnr [15047944123]
Rodné číslo [785512/0347]; pojišťovna 111
PESEL [79051812345]; dowód [AVK 771204]
DNI [48771203K], NHC [990317], SIP [1187730]
CPF [331.870.245-06]; cartão SUS CNS [704 5001 2288 1140]
RUT [14.338.771-9] consulta en Temuco
CURP [GOVL810917MDFNRR08], NSS [4471 82 1190 3]
Codice fiscale [BRNLCU74P51F205Z], tessera [80380001200177430021]
NIR [2 74 09 69 123 456 21], mutuelle 07
AHV [756.4471.8820.13], Fall-Nr. [2200471]
Versichertennummer [K881204417]
BSN [219840337]; polis [8830-114-77]
Rijksregister [74.09.17-233.18]
PPS No [8144073WA]; GMS card [D4471902B]
MBI [4TR7-KH2-QW88], Medicaid [AZ4410928]
my Emirates ID [784-1991-4471902-6]
Malaysian IC [740917-10-5521]
Thai ID [1-1017-44719-02-8], HN [55-44719]
IHI [8003 6044 7190 2218], DVA [NX887104]
NHI [JKV8830] checked, ACC45 no [GX44719]
OHIP [5584-907-112-VR]; RAMQ [LAVM 7451 1823]
KRA PIN [A004471902Z] needed for the refund
alien number [A 088 447 190]; passport [N8841207]
MCD: police report [HPD-22-118390], officer [4471]
Det. Ruiz, shield [8813], took photos
ambulance CAD [2208841], ePCR [A-44810]
evidence bag [B-77104], chain kept
driver license (TX) [08841207]; plate [LKR-4471]
her white Corolla [KBX 447J] is in bay 3
Registration [GJ 05 RT 8817]; the rickshaw fled
French plate [FK-447-ZB], German plate [HH-KL 4471]
Ireland reg [191-D-44718] parked outside
VIN [WVWZZZ1JZ3W386752] recalled
He flew in on flight [QF 447] yesterday; tail [N447KT]
air ambulance [G-KSSC] landed 14:20
Booking reference [QKJ7TL]; e-ticket [220-4471902288]
UDI [(01)00643169007222(17)261130(10)A44719(21)KZ8810]
ICD generator SN [BLH447190S], RV lead [LFP044719V]
pump serial: [NGP-447190H]; transmitter [8GZ44K]
mesh lot [HUDW4471], exp 2027
unit [W0447 22 318801 7] transfused over 3 h
vaccine batch [EW4471A]; second batch [FK8813]
Accession # [A22-044719]; slide [22-S-04471-B2]
cytology [NG22-8817] and [NG22-8819]
order [PO-44719]; RMA [R7719-02]; invoice [2023/4471]
tracking [1Z4471W90388123456], courier late
Ticket [CHG0044719] raised by IT, asset tag [LT-04471]
subject [017-0044] randomised; screening no. [S-0447]
participant [BRV-0117] withdrew consent
claim [22-4471-X9] denied; prior auth [A447190288]
IBAN [NL91 ABNA 0417 1643 00], BIC [ABNANL2A]
card ending [7719], cvv [447]; sort code [40-47-18]
account [0447-190-22]; routing [021000021]
username: [mkowal88], logged in as [t.brandt]
insta [lena_vdb.art], snapchat [kofi2k]
file [scan_okafor_0447.pdf] uploaded, see [IMG-20230417-WA0012.jpg]
badge [RN44719] swiped at 02:14
locker key [K-447]; student no. [u6644719]
GMC [7447190], HCPC [PA44719], AHPRA [MED0001447190]
Lic. No. [A-44719] (Dr. Villareal); PTR [0447190]
MRN [044-71-90] typed wrong; right one is [044-71-09]
chart # [R447-19], acct [H00044719022]
inmate [AF-4471]; booking no [2204471]
petition [23-GA-00447], docket [CR-2023-4471]
pt [0044719]; visit [V-88120-3]
employee id [e447190], payroll [77190]
union card [L-44719]
donor [DK-22-0447], cord unit [CB-00447-19]
""".strip().splitlines()

NOTHING = """
Na 138, K 4.1, Cr 88, eGFR 61, ferritin 1240, BNP 12450 pg/mL, CK 18220 U/L
Viral load 48210 copies, CD4 412, plt 187000, WBC 11200, ANC 1450
ICD-10 E11.65, Z79.4, M54.50; CPT 99214; DRG 470; HCPCS J1885, G0438
NICE NG28, TA623, SIGN 158; DSM-5; ISO 13485; CTCAE v5
EGFR L858R, BRAF V600E, MTHFR C677T, factor II G20210A, CYP2C19, BNT162b2
G3P2012 at 38+4, pT2N1M0, FIGO IB2, HER2 2+, Gleason 3+4, Ki-67 20%
moved to room 1412, bed 12, bay 4; ward 7B; theatre 3; clinic 5
metformin 1000 mg, heparin 5000 units, insulin 24 units, vitamin D 50000 IU
oxycodone 5 mg #120, disp #30, 2 of 3 refills
PHQ-9 14, GAD-7 11, MoCA 24/30, SF-36, EQ-5D, NIHSS 11, GCS 14
GIF-H190 scope, CPAP at 10, MRI 3T, 6F sheath, 3.0x28 mm stent
case 3 of 5, plan 2 visits, order 3 sets, group 4, unit 6, visit 2 of 8
BP 138/84, HR 92, RR 18, T 37.2, SpO2 97, 1200-1500 kcal, 150-400
shift 0700-1930, 0830-1600, 2019-2021, in 2023, 1998-99
IL-6 44, CA-125 36, CD34 4.2, HLA-B27 neg, anti-TPO 1300, T4 12, B12 220
called 911; 24/7 support; 9-5 job; 1:1 sitter; 50-50
$1,250 copay; 12,500 steps; 3,400 g; 250,000 /uL
LOINC 2160-0, 718-7; SNOMED listed; v 2.14.3; section 4.2
""".strip().splitlines()

WORDS = ["mrn", "passport", "serial", "accession", "badge", "account", "licence", "lot", "batch", "specimen", "docket"]


@pytest.mark.parametrize("marked", IDS)
def test_every_token_of_an_identifier_is_found(marked: str) -> None:
    assert _tokens(marked, Ids(), RuleDetector.shipped("phones")) == ([], [])


@pytest.mark.parametrize("text", NOTHING)
def test_values_and_codes_are_left(text: str) -> None:
    assert not [text[span.start : span.end] for span in Ids().find(text)]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("value", ["88120417", "AB-4417-9", "7K44190", "00-8817-2"])
@pytest.mark.parametrize("link", [" ", ": ", " # ", " no. ", " number is "])
def test_any_name_link_and_value(word: str, value: str, link: str) -> None:
    for text in (f"seen, {word}{link}{value} today", f"SEEN, {word}{link}{value} TODAY".upper()):
        at = text.upper().index(value)
        assert any(span.start <= at and at + len(value) <= span.end for span in Ids().find(text))


def test_the_same_value_is_found_again() -> None:
    text = "MRN 4471-K. Labels printed; 4471-K on both."
    assert sum(text[span.start : span.end] == "4471-K" for span in Ids().find(text)) >= 2


def _tokens(marked: str, *detectors: Ids | RuleDetector) -> tuple[list[str], list[str]]:
    """Tokens that were missed, and tokens too many; a number may be found as either sort."""
    text, _ = parts(marked)
    wanted: set[tuple[int, int]] = set()
    shift = start = 0
    for place, sign in enumerate(marked):
        if sign in "[]":
            if sign == "[":
                start = place - shift
            else:
                wanted |= {token for token in tokens(text) if start <= token[0] < place - shift - 0}
            shift += 1
    found = {
        token
        for detector in detectors
        for span in detector.find(text, None)
        for token in tokens(text)
        if token[0] < span.end and span.start < token[1]
    }
    return [text[a:b] for a, b in sorted(wanted - found)], [text[a:b] for a, b in sorted(found - wanted)]
