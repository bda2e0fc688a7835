"""Numbers that tell nothing about who somebody is: scores, blood pressures, spells of time, hours, values, counts.

A model learnt from notes takes them for dates, telephone numbers and identifiers now and then. They are claimed as SAFE
with little certainty: enough to keep a guess away, and too little for a rule that knows better. Names of fields ("DOB",
"Fax") and days of the week are no findings either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.notes.detectors.identifier_words import STRONG, WEAK
from sharewell.notes.engine.spans import SAFE, Span, Text
from sharewell.notes.engine.word_lists import listed

_LITTLE = 0.45
_WEEKDAY_CERTAINTY = 0.62
_SCALE = (
    r"strength|pain|power|reflexes|dtrs?|pulses|scor\w+|scale|grade|motor|rated?|rating|gcs|apgars?|iop|va|acuity|vision"
    r"|snellen|ishihara|mmse|moca|slums|phq(?:-?\d)?|gad(?:-?7)?|epds|epworth|ess|braden|berg|barthel|fim|nihss|cage"
    r"|audit|q?sofa|mews|news2?|norton|morse|tinetti|gds|katz|lawton|fried|rockwood|amts?|4at|mrc|murmur|ef|quad\w*"
    r"|biceps|triceps|flex\w+|extens\w+|dorsi\w+|plantar\w+|grip|abduct\w+|adduct\w+|psoas|deltoids?|rue|lue|rle|lle"
    r"|ue|le|leg|arm|mmt|orient\w+|recall|memory|nrs|vas|cpot|flacc|rass|intensity|severity|dysp\w+|anxiety|mood"
    r"|tone|mallampati|naming|satisf\w+|likert|borg|rpe|energy|monofilament|weinstein|bottles|cultures?|nodes?|cores"
    r"|page|p|visit|session|sess|slide|photo|image|photos|images|series|case|cycle|bipap|cpap|niv|peep|hfnc|dose|part"
    r"|tanner|bishop|aldrete|waterlow|ratio|positive|fluency|clock|delay|trials?|correct"
)
_SCORED = re.compile(
    rf"\b(?:{_SCALE})\b[^\d\n/.;]{{0,22}}?(?P<value>\d{{1,3}} ?/ ?\d{{1,3}}(?:[-/]\d{{1,3}})?)(?![\d/]|\.\d)"
)
_SCALES = frozenset(word for word in re.findall("[a-z]{1,14}", _SCALE) if word not in ("d", "w")) | listed(
    """
    phq9 phq2 gad7 score scores scored scoring scale rate rated rating apgar apgars reflexes news2 sofa qsofa amt amts
    flexion flexors flexor extension extensors extensor dorsiflexion plantarflexion dorsiflexors plantarflexors
    abduction abductors adduction adductors oriented orientation dyspnea dyspnoea satisfaction satisfied quads quad
    quadriceps culture cultures node nodes trial trials dtr dtrs deltoid deltoids
    """
)
_PAIR = re.compile(r"(?<![\w./-])(?P<a>\d{1,3}) ?/ ?(?P<b>\d{1,3})(?![\w/]|\.\d)")
_CLOCK = re.compile(
    r"(?:[01]?\d|2[0-3])(?:[:h.]?[0-5]\d)?(?: ?h(?:rs?|ours)?| ?[ap]\.?m)\b|(?:[01]?\d|2[0-3])[:h][0-5]\d(?!\d)"
    r"|0\.\d+(?![\w.])"
)
_BARE_CLOCK = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d(?![\w%/]|[.,:]\d)(?: ?[-–] ?(?:[01]\d|2[0-3])[0-5]\d(?!\w))?")
_DOTTED_CLOCK = re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d(?![\w/]|\.\d)")
_CLOCK_BEFORE = re.compile(
    r"(?:\b(?:at|@|til|till|until|since|from|around|about|approx|eta|by|time|rcv|coll|ver|in|out|on|between|before|after)"
    r" ?|[@~] ?|\d[/-]\d{1,2}(?:[/-]\d{2,4})?,? {1,2}"
    r"|\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? (?:\d{1,2}(?:st|nd|rd|th)?,? )?"
    r"(?:(?:19|20)\d\d,? )?|\d(?:st|nd|rd|th)? (?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]* )$"
)
_VALUE = re.compile(
    r"(?P<name>[a-z]{1,12}\d?)(?: (?:of|is|was|are|on meter|trend|levels?|in|at|to|up|down|now|range"
    r"|fasting))?[ :=~<>(]{1,3}"
    r"(?P<value>\d{1,4}(?:\.\d+)?(?:(?: ?[-–/,→>] ?| to | ?-> ?)\d{1,4}(?:\.\d+)?){0,6})(?![\w/]|[.-]\d)"
)
_MEASURED = listed(
    """
    na k cl bic bicarb co2 bun cr creat creatinine gluc glucose sugar sugars bg bgl bm fbs fsbs cbg bsl fasting ca mg
    phos alb albumin prealb zn cu fe tg ldl hdl chol wbc hgb hb hct plt plts platelets inr ptt aptt pt fibrinogen crp
    esr trop troponin ck ldh alt ast alp ggt bili tsh t4 ft4 psa urea egfr gfr lactate ph pco2 po2 pao2 paco2 fio2 hr
    rr bp sbp dbp map pulse temp temperature t tmax sats sat spo2 sao2 o2 wt weight ht height bmi waist hc ofc map cvp
    icp ap vp qb qd uf tv vt pip peep rate steps range ebl uop urine drain output intake iv ivpb po ng jp dp age para
    gravida fundal fh fhr bpd ac fl efw hr mhz kv ma ctdi dlp ef gcs borg mileage level trough peak tacro dig
    ferritin hba1c a1c vs vitals pain rom arom prom mp pip dip karvonen grip
    """
)
_COUNTED = re.compile(
    r"(?:7\.[0-5]\d(?:/[\d.]{2,4}){1,4}|x ?\d{1,2}|\d{1,3}x(?:\d{1,3}(?:x\d{1,3})?)?|\d{1,2}[mf]"
    r"|\d{1,2} ?y)(?!\w)|\d{1,3} of \d{1,3}(?!\w)"
    r"|\d{5}(?= x ?\d)|q\d{1,2}(?:h|hrs|hourly)?(?!\w)"
)
_CHAIN = re.compile(r"(?<![\w./-])\d{1,3}(?:\.\d)?(?:(?: - |-|/)\d{1,3}){3,}(?:\.\d)?(?![\w/])")
_YEAR = re.compile(r"(?:19|20)\d\d(?:[-–](?:(?:19|20)?\d\d))?(?![\w/%]|[.,:-]\d)")
_YEAR_BEFORE = re.compile(r"\b(?:in|since|until|till|from|by|circa|of|ca|year|around|about|before|after|,) $")
_LABELS = listed(
    """
    dob mrn npi dea nhs ihi gmc nmc ahpra chi ramq personnr pgr pager bleep bleeps tel fax mob edd lmp grp acct
    csn rrn ssn hicn ubrn acc dos ssdi viber whatsapp uci card cha2ds2 brca1 brca2 t1dm t2dm caco3
    """
)
_YEARS_OLD = frozenset(("y",))
_NAMELIKE_DAYS = frozenset(("mon", "sun", "sat", "wed"))
_AFTER_DATE = frozenset((" ", ", ", " (", "(", " - ", " – "))
_WEEKDAYS = frozenset(
    f"{day}{s}" for day in listed("monday tuesday wednesday thursday friday saturday sunday") for s in ("", "s")
)


_TIMED = re.compile(r"\b(?:on|since|until|till|by|from|dated?|due|next) $")


_MAY = re.compile(
    r"may (?:i|we|you|she|he|they|be|have|cause|ask|need|want|not|also|take|use|come|go|get|feel|help|benefit|require"
    r"|resume|return|increase|represent|reflect|still|well|develop|become|occur|continue|start|travel|drive|improve)\b(?!['’])"
)
_MAY_WORD = frozenset(("may",))
_MONTH_BEFORE = re.compile(r"\b(?:in|since|by|until|till|last|next|of|this|from) $")


def measures(text: Text) -> Iterator[Span]:
    """What is measured, scored, timed or counted, and names of fields."""
    for at in text.where(_WEEKDAYS):
        yield Span(text.tokens[at].start, text.tokens[at].end, SAFE, _WEEKDAY_CERTAINTY, "day of the week")
    for at in text.where(_NAMELIKE_DAYS):  # Mon, Sun: after a date only
        start, end, _ = text.tokens[at]
        if at and text.written[at - 1].isdigit() and text.breaks[at] in _AFTER_DATE:
            yield Span(start, end, SAFE, _WEEKDAY_CERTAINTY, "day of the week")
    for at in text.where(_YEARS_OLD):
        if at + 1 < len(text.tokens) and text.lowered[at + 1] == "o" and text.breaks[at + 1] in (".", "/"):
            yield Span(text.tokens[at].start, text.tokens[at + 1].end, SAFE, _LITTLE, "years old")
    for match in text.cued(_MAY, _MAY_WORD):
        if not _MONTH_BEFORE.search(text.folded, max(0, match.start() - 8), match.start()):
            yield Span(match.start(), match.start() + 3, SAFE, _LITTLE, "verb")
    for at in text.where(_LABELS):
        yield Span(text.tokens[at].start, text.tokens[at].end, SAFE, _LITTLE, "name of a field")
    if text.digits:
        low = text.folded
        for match in text.cued(_SCORED, _SCALES) if "/" in low else ():
            if not _TIMED.search(low, match.start(), match.start("value")):
                yield Span(*match.span("value"), SAFE, _LITTLE, "score")
        for match in text.cued(_VALUE, _MEASURED):
            yield Span(*match.span("value"), SAFE, _LITTLE, "value")
        yield from _numbers(text, low)


def _numbers(text: Text, low: str) -> Iterator[Span]:
    """Pairs, hours, counts and years, by the number that they begin with."""
    spells, past = _spells(low), 0
    for start, end in text.digits:
        if start < past:
            continue
        before, after = low[start - 1 : start], low[end : end + 1]
        first = start - 1 if before in ("x", "q") and not low[start - 2 : start - 1].isalnum() else start
        if first == start:
            if before.isalnum():
                continue
            if end - start < 4 and (after not in _GOES_ON or (after == " " and low[end + 1 : end + 2] not in _THEN)):
                if low[end : end + 2] in _TH and low[max(0, start - 4) : start] == "the ":
                    yield Span(start - 4, start - 1, SAFE, _LITTLE, "article")
                continue
        match = _harmless(text, low, first, start, end, spells)
        if match:
            past = match.end()
            yield Span(first, past, SAFE, _LITTLE, "hour, count or spell")


_GOES_ON = frozenset("/:.hapxmfy -")
_THEN = frozenset("/ahpoyx-")
"""What stands right behind a number, or behind a blank, if it goes on as an hour, a pair, a count or a chain."""
_TH = frozenset(("st", "nd", "rd", "th"))


def _harmless(text: Text, low: str, first: int, start: int, end: int, spells: bool) -> re.Match[str] | None:
    if first == start and (match := _PAIR.match(low, start)) and _no_day(text, match, spells):
        return match
    if match := _CLOCK.match(low, start) or _COUNTED.match(low, first):
        return match
    if low[end : end + 1] == "." and _CLOCK_BEFORE.search(low, max(0, start - 24), start):
        return _DOTTED_CLOCK.match(low, start)
    if end - start == 4:
        if (match := _BARE_CLOCK.match(low, start)) and (
            match.end() > end or _CLOCK_BEFORE.search(low, max(0, start - 24), start) or _after_word(text, start)
        ):
            return match
        if _YEAR_BEFORE.search(low, max(0, start - 8), start):
            return _YEAR.match(low, start)
    return _CHAIN.match(low, start) if end - start < 4 else None


def _after_word(text: Text, start: int) -> bool:
    """An hour after a plain word: no year, and no word that names a number."""
    at = text.starts.get(start, 0)
    if not at or text.folded.startswith(("19", "20"), start):
        return False
    word = text.lowered[at - 1]
    small = text.written[at - 1].islower() or text.folded[start] == "0"
    return small and text.breaks[at] == " " and word.isalpha() and word not in _NAMING


_NAMING = (
    STRONG
    | WEAK
    | listed(
        """
    pager pgr beeper bpr ext extn extension bleep bleeps bleeped paged page phone fax tel cell mobile home work call
    vocera ascom dect dial text spectralink handset switchboard operator ending ends last four line desk
    """
    )
)


def _spells(low: str) -> bool:
    """Does a note write spells in the British way, 3/52 for three weeks?"""
    return "/52" in low or "/40" in low or "tds" in low or "/12 ago" in low


_SPELL_BEFORE = re.compile(
    r"\b(?:for|over|past|last|x|within|every|in|with|hx|h/o|of|each|per|further|bd|tds|qds|qid|bid|tid|od|daily"
    r"|nocte) ?$"
)
_LINE_HEAD = re.compile(r"(?:^|\n)[ \t>*•-]{0,3}$")
_SPELL_AFTER = re.compile(r" (?:ago|history|hx|post|of|course|supply|worsening|old|minimum|and|then)\b")


def _no_day(text: Text, match: re.Match[str], spells: bool) -> bool:
    """ "148/90", "3/52", "26/40": no day and month. "4/7" and "6/12" are spells where the words or the note say so."""
    one, two = int(match["a"]), int(match["b"])
    if one > 31 or two in (40, 52, 60, 100) or two > 99:
        return True
    if two in (7, 12) and (one < two or two == 7 == one) and "0" not in (match["a"][0], match["b"][0]):
        low = text.folded
        told = _SPELL_BEFORE.search(low, max(0, match.start() - 9), match.start())
        opens = _LINE_HEAD.search(text, max(0, match.start() - 4), match.start())
        return (spells and not opens) or bool(told) or _SPELL_AFTER.match(low, match.end()) is not None
    return False
