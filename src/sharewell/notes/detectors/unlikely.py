"""What a model takes for something that identifies, and is not: degrees, acronyms of the clinic, countries and
languages, names of fields, small numbers, scores, amounts, words that only join others.

A model sees how a word is written and what stands around it, and knows few words as such. What rules and lists know
for certain is taken from its findings: whole ones are dropped, and both ends are trimmed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import replace
from functools import cache
from operator import itemgetter

from sharewell.notes.detectors.clinical_words import PRODUCTS, clinical
from sharewell.notes.detectors.name_words import DEGREE_WORDS
from sharewell.notes.detectors.things import CLIPPED, GERMS, GOODS, KITH, PEOPLES
from sharewell.notes.engine.gazetteer import countries, places
from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import TITLES, listed

ACRONYMS = listed(
    """
    ct mr us xr nm
    aaa abg abx acei acl acls acs adhd adl adls aed aep afb afib afp aicd aids aka aki alf alp als alt ama ami amt ana
    anca aom apap apr aptt arb ards arf arni asa ascus asd asis ast atn avf avm avr bbb bcc bid bipap bka bls bmi bmp
    bmt bnp bph bpm bps bun cabg cad cap cbc cbt ccb ccu cdiff cea chf chl cic ckd cll cmp cmv cnm cns copd cpap cpk cpr
    crf crp crrt csf ctab cta ctr cva cvad cvat cvc cvp cxr dapt dbp dcis ddx dexa dip djd dka dlbcl dmard dnr dni doac
    doe dpl dre dsm dvt ebl ebv ecg echo ecmo eeg egd egfr eia ekg emg ems emtala ent eom eomi epo ercp esbl esi esld
    esr esrd etoh etco2 ett evd evar fast fbs fena ferpa ffp fess fev1 ffr fhr fna fob fsbs ftt fuo fvc gad gbs gcs gdm
    gerd gfr ggt gib gist gtt gu gvhd hcc hcg hcv hbv hct hdl hdu hfnc hfpef hfref hgb hhs hida hit hiv hla hld hlh hob
    hpi hpv hrt hsv htn hus iabp ibd ibs icd icp icu iddm ild imrt inr ipf ird itp iud iugr iup iv ivc ivf ivig ivp jvd
    jvp kub lad lbbb lbp lcx ldh ldl leep lfts lima lle llq lmp lmwh los lpn lue luq lvad lvef lvh lvot map mca mcl mcv
    mds meld mets mgus mi mmr moca mra mrcp mri mrsa ms mssa mtp mva mvc mvp mvr nafld nash ncs ngt nicu niddm nihss niv
    nkda nmj npo nsaid nsaids nsclc nsr nstemi nsvd nvd nyha ocd ocp oer oob orif osa osh otc pacu pad pap pci pcn pcos
    pcp pcr pcv pda pdx pe peep peg perrl perrla pet pft pfts phq picc picu pid pip plt pmh pmr pna pnd pod pop posttx
    ppd ppi ppm prbc prn prom psa psh psvt ptca pth ptsd ptt ptx pud pvc pvd pvr qhs qid raas rbbb rbc rca rcc rds rfa
    rhd rle rlq rml ros rrt rsv rta rue ruq rvh rvr sah sbo sbp sbrt sclc sdh ses siadh sids sirs sle smbg snf sob spep
    spect ssri ssris stat std stemi sti svc svt swan tah tavr tbi tee tefr tens tfts tha tia tias tips tka tlc tlif tmj
    tnf tpa tpn trh tsh tte ttp turp tvr ua uds ufh ugi upep uri usg uti utis uvb vac vap vas vats vbac vbg vre vsd vt
    vte vzv wbc wnl xrt zes ed er or ir rt pt ot slp rd cm sw ob gyn gi uro ns hr bp rr ht wt dob dod doa sob nok poa
    hcp adv dispo appt amb eta etd tbd tba asap fyi info attn inpatient outpatient emergent urgent latex nkfa nka aaox3
    aox3 iddsi cvicu sicu micu nsicu tele obs los soc sec reg ins auth ext fx tx rx hx sx dx cx bx px mx sn vin npi
    mdm phn uhid csn gmc nnp dpoa cwocn lsw eol dsn igg igm iga g6pd bcx dka afib hsc dod avs mcps pers rm res addr zip
    mbr hicn lmp edd edc sga lga nbm bd tds qds od os ou va iop oct cmt npdr pdr vh gxp txp obgyn peds neuro psych ortho
    """
)
"""Acronyms and shorthand of the clinic, which a note writes in capitals."""
_GLUE = listed("of in the at on and to via for with near by from as a an or is was per")
_FIELDS = listed("ward clinic page site bay room bed")
"""Names of fields that are names of people too."""
_SHORT_TITLES = TITLES | listed("mx fr lt sgt capt rev sir")
_SUFFIXES = listed("jr sr ii iii iv")
LADDER = ((0.95, 0.63), (0.8, 0.42), (0.0, 0.4))
"""How probable a finding is, and how certain that makes it. The highest step stands above an eponym by itself and a
number that is measured, the lowest below every rule."""
_UNSURE = LADDER[-1][1]
"""What lists take for an everyday word or a score counts all the same where a model is surer than that."""
_KIN_AND_ROLES = listed(
    """
    warden nanny deacon landlord landlady concierge doorman sitter babysitter stepdad stepmum stepmom fiance fiancee
    roommate housemate flatmate coworker workmate teammate classmate caregiver caretaker abuela abuelo mam nain taid
    hospitalist intensivist nephrologist urologist neonatologist proband scheduler transporter unitclerk handover
    daycare preschool kindergarten friend friends mother father mom mum dad wife husband son sons daughter daughters
    brother sister brothers sisters aunt uncle cousin niece nephew grandson granddaughter grandmother grandfather
    neighbour neighbor partner patient physician nurse interpreter
    """
)
_MORE_DEGREES = listed("rpsgt rpsg cci rvt rcis acp dch dgo frcog mrcog frcem mcem bchd rncm ccm otr cscs ocs")
_AT_ENDS = _GLUE | _SHORT_TITLES | _KIN_AND_ROLES | DEGREE_WORDS | _MORE_DEGREES
"""What may be taken off at the ends of a finding, beside the names of fields."""
_AMOUNT = re.compile(
    r"\d[\d.,]*(?: ?[-–/x] ?\d[\d.,]*)? ?(?:yrs?|years?|y|mos?|months?|wks?|weeks?|days?|hrs?|mins?|min|secs?|kg|g|mg"
    r"|mcg|ml|l|cc|cm|mm|lbs?|oz|kcal|fr|ga|gy|bpm|mmhg|%|o2|x)\b\.?",
    re.IGNORECASE,
)
_CLINICAL_CODE = re.compile(
    r"\d{1,2}[wW]\d[dD]|\d{1,2}\+\d|[gG]\d{1,2}[pP]\d{1,4}|[pP]\d{4}|[tT]\d[a-d]?[nN]\d[a-c]?(?:[mM]\d)?|\d{1,2}[gG]"
    r"|[eE]\dv\dm\d|\d{3,4}(?:del|ins|dup)[A-Z]+|[cCtTlLsS]\d{1,2}",
)
_SCORE = re.compile(r"\d{1,2}/(?:5|10|15|30)")
_ID_KINDS = frozenset(("ID", "PHONE"))
_NUMBERED = frozenset(("DATE", "PHONE"))
_EVERYDAY = frozenset("123")
_GIVEN = frozenset("GB")
_DIGIT = re.compile(r"\d")
_LONG_NUMBERS = frozenset(("DATE", "PHONE", "ID"))
_LONG_NUMBER = re.compile(r"\d[\d/. -]+\d")
_LONG = 7
"""So long a number is no score, count or amount."""


def certainty(probable: float) -> float:
    """Of a finding that a careful model makes."""
    return next(told for least, told in LADDER if probable >= least)


def likely(note: Text, span: Span) -> Span | None:
    """A finding of a model without what is certainly nobody's at its ends; None if nothing is left."""
    if (
        span.kind in _LONG_NUMBERS
        and span.end - span.start > _LONG
        and _LONG_NUMBER.fullmatch(note, span.start, span.end)
    ):
        return span
    found = _without(note, span, glue=True)
    return None if found is None or _nobodys(note, found) else found


def titleless(note: Text, span: Span) -> Span | None:
    """A finding without titles, degrees and roles at its ends; None if nothing is left."""
    return _without(note, span, glue=False)


def _without(note: Text, span: Span, glue: bool) -> Span | None:
    first, last = _tokens(note, span)
    while first <= last and _empty(note, span, first, glue):
        first += 1
    while first <= last and _empty(note, span, last, glue):
        last -= 1
    if first > last:
        return None
    start, end = max(span.start, note.tokens[first].start), min(span.end, note.tokens[last].end)
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)


def _tokens(note: Text, span: Span) -> tuple[int, int]:
    """The first and last token of a span."""
    tokens, first = note.tokens, note.starts.get(span.start, -1)
    if first < 0:  # inside of a word
        first = max(0, bisect_right(tokens, span.start, key=itemgetter(0)) - 1)
    last, many = first, len(tokens)
    while last + 1 < many and tokens[last + 1][0] < span.end:
        last += 1
    return first, last


def _empty(note: Text, span: Span, at: int, glue: bool) -> bool:
    """Is a word no part of what identifies?"""
    word, said = note.lowered[at], note.written[at]
    if word not in _AT_ENDS and not note.startswith(":", note.tokens[at][1]):
        return False
    if glue and word in _GLUE and (said.islower() or note.caseless):
        return True
    if span.kind == "ID" or (word in _KIN_AND_ROLES and span.certainty > _UNSURE):
        return False
    if note.startswith(":", note.tokens[at].end) and _label(word):
        return True
    named = word in _SHORT_TITLES and span.kind == "NAME"
    return named or word in _KIN_AND_ROLES or _degree(note, at)


def _label(word: str) -> bool:
    """May a word before a colon be the name of a field? City:, ST:, Zip:, First:, MI:"""
    if word in _FIELDS:
        return True
    return (words().get(word, "") in _EVERYDAY or word in ACRONYMS) and people().get(word, "") not in _GIVEN


def _degree(note: Text, at: int) -> bool:
    """MD, RPSGT after a name and a comma, or M and D with full stops."""
    word, said = note.lowered[at], note.written[at]
    if (word not in DEGREE_WORDS and word not in _MORE_DEGREES) or word in _SUFFIXES:
        return False
    if len(word) == 1:
        near = note.written[at - 1 : at] + note.written[at + 1 : at + 2]
        return word in "md" and any(other in ("M", "D") for other in near) and "." in "".join(note.breaks[at : at + 2])
    return (said.isupper() or note.caseless) and note.breaks[at] in (", ", ",", "/", "-", " (", "(", " ")


def _nobodys(note: Text, span: Span) -> bool:
    first, last = _tokens(note, span)
    low = note.lowered[first : last + 1]
    piece = note[span.start : span.end]
    sure = span.certainty > _UNSURE
    if _DIGIT.search(piece):
        if _AMOUNT.fullmatch(piece) or _CLINICAL_CODE.fullmatch(piece):
            return True
        if not sure and span.kind == "DATE" and _SCORE.fullmatch(piece):
            return True
        if not (sure and span.kind in _ID_KINDS) and piece.isdigit() and len(piece) < 4:
            return True
    elif span.kind in _NUMBERED:  # those that have words only are known to rules
        return True
    if all(_plain(note, at, sure) for at in range(first, last + 1)):
        return True
    return _things().issuperset(low) or (first == last and _thing(note, first, sure))


@cache
def _things() -> frozenset[str]:
    return countries() | PEOPLES | PRODUCTS


def _plain(note: Text, at: int, sure: bool) -> bool:
    """An everyday word in small letters, or one of the clinic."""
    word = note.written[at]
    if sure and people().get(word, "") in _GIVEN:
        return False
    if not note.caseless and word.islower() and words().get(word, "") in _EVERYDAY:
        return True
    return clinical(note, note.tokens[at])


def _opens(note: Text, at: int) -> bool:
    """Does a sentence or a line begin with a token?"""
    before = note.breaks[at]
    return at == 0 or "\n" in before or before.strip()[-1:] in (".", "!", "?")


def _thing(note: Text, at: int, sure: bool) -> bool:
    """An acronym of the clinic in capitals, the name of a field, a thing or a role."""
    word, said = note.lowered[at], note.written[at]
    if word in ACRONYMS and (note.caseless or said.isupper() or said.islower()):
        return True
    if said.istitle() and _opens(note, at) and words().get(word, "") in _EVERYDAY and word not in places().marks:
        return word not in people() or (not sure and words()[word] == "1" and people()[word] not in _GIVEN)  # Rash.
    if word in _KIN_AND_ROLES or word in KITH or word in GERMS or word in GOODS or word in CLIPPED:
        return True
    return note.startswith(":", note.tokens[at].end) and _label(word)
