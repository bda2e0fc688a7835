"""Doses, by a grammar: NUMBER [range] UNIT [per weight] [per time] [route] [frequency].

Numbers are digits, words, fractions and ranges; units are masses, volumes, equivalents, units and forms (tablet, puff,
amp). Percents count beside a drug, ratios (1:10,000) as dilutions. A bare number counts right after the name of a drug
("etomidate 20", "Sinemet 25/100", "levophed at 12"), set against a dose ("10 units read as 100"), per weight or time,
and as a count before it ("thirty propranolol", "a handful of"). Not doses: laboratory values (mg/dL, mEq/L), urine and
other output, oxygen flow, blood products, diets, weights, gauges, ages, vital signs, times, days, "10 times".

Source: the paper on PACS (Ghemri and Kannah, Privacy in Medical Data Publishing) has such a grammar but does
not print it; this one is our own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.detectors.dose_chains import CLOCK, DOTTED, chained
from sharewell.notes.detectors.dose_contexts import (
    BLOOD,
    BLOOD_BEFORE,
    DIET_AFTER,
    GAUGES,
    GIVEN,
    LAB_BEFORE,
    LAB_PER_ML,
    LAB_UNIT,
    LINES,
    OUT_AFTER,
    OUT_BEFORE,
    OUTPUT,
    VITAL_BEFORE,
)
from sharewell.notes.detectors.dose_grammar import DOSE, OFTEN, ONES, ROUTE, TAIL, UNIT_NEAR
from sharewell.notes.detectors.drugs import Drugs
from sharewell.notes.engine.drug_lexicon import lexicon
from sharewell.notes.engine.drug_spelling import generic
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.engine.word_lists import listed

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_PERCENT = re.compile(r"(?<![\w.,/-])(?:\d{1,2}(?:\.\d+)?|\.\d+) ?(?:%|percent\b)")
_RATIO = re.compile(r"1(?<![\w:.]1) ?(?::|in) ?(?:\d{1,3}[, ]?000|100|200)(?![\d:])")
_CHANGED = (
    r"(?:was|were|is|now|found|noted|to be|running|set|infusing|going|increased|decreased|up|down|titrated|weaned"
    r"|turned|halved|doubled|raised|lowered|tapered|adjusted|bumped|escalated|changed|uptitrated|downtitrated"
    r"|hung|and|restarted|started|reduced|resumed|given|gave|maxed|maxed out|dropped|cut|load(?:ed)?|bolus(?:ed)?"
    r"|push(?:ed)?"
    r"|back|currently|still|only|total|stat|just|then|ordered|charted|prescribed|xl|xr|sr|er|cr|la|mr|ec|ds|hfa|pen)"
)
_ANY = r"(?:\d{1,3}(?:,\d{3})+|\d{1,5}(?:\.\d+)?|\.\d+)"
_SPAN = r"(?:\d{1,3}(?:\.\d+)?|\.\d+)"
_NO_DOSE_AFTER = (
    rf"{CLOCK}(?!\+(?!\d))(?! ?(?:%|:\d|hours?\b|hrs?\b|h\b(?! ?r)|o'clock|minutes?|mins?\b|min\b|secs?\b"
    r"|days?(?! ?\d)|d\b|y\b|more (?:days?|weeks?|hours?|doses?|cycles?|months?)|weeks?(?! ?\d)|wks?"
    r"|months?|years?|yrs?|y/?o\b|yo\b|times|x\b(?! ?\d)|×(?! ?\d)|troughs?\b|levels?\b|peak\b|beats|bpm|mm|cm"
    r"|mmhg|degrees|kg\b|lbs?\b|fr\b|ch\b|st\b|nd\b|rd\b"
    r"|th\b"
    r"|patients?|pts\b|doses?\b|cycles?|episodes?|visits?|attempts?|shocks?|people|nurses?|staff|bottles? in|beds?"
    r"|other\b|different|separate|new\b|drugs?|meds|medications?|agents?|points?|percent|out of|of \d|g/dl|mmol/l"
    r"|-day"
    r"|-?hour|french|gauge|ga\b|ett\b|blade|bougie|sutures?|joules?|j\b|bags? (?:left|remaining)"
    r"|jan(?:uary)?\b|feb|mar(?:ch)?\b|apr|may\b|june?\b|july?\b|aug|sep|oct|nov|dec)|[\d,./:-]*\d)"
)
_BARE = re.compile(
    rf"(?: (?:drip|gtts?|infusion|iv|po|im|sl|pca|dose|rate|patch|tabs?|nebs?|spray"
    rf"|inhaler|s\.?/?c|sq|subcut|subq|pr|pv|inh|inhaled|oral|susp(?:ension)?|soln|solution|elixir|syrup|liquid"
    rf"|cream|gel"
    rf"|ointment|caps?|supps?|inj(?:ection)?|depot|chewable|powder|tart(?:rate)?|succ(?:inate)?|hcl|sodium|odt"
    rf"|neb(?:uli[sz]ed)?)){{0,2}}(?:(?: {_CHANGED})* ?(?:at|@"
    r"|to|from|by)(?: a rate of| rate of)? ?"
    rf"(?P<rate>{_SPAN}(?: ?(?:-|–|to|→|->) ?{_SPAN})?(?: ?(?:/|per|an) ?(?:hr|h"
    rf"|hour|min|kg(?:/min|/hr?)?)\b)?){_NO_DOSE_AFTER}"
    rf"|,? (?P<plain>(?:{_ANY}(?:(?:/|-)\d{{1,4}}(?:\.\d+)?)?|i{{2,3}}|(?:{ONES})(?: hundred)?))(?= ?(?:{ROUTE}"
    rf"|{OFTEN})(?![\w])){TAIL}"
    rf"|(?: {_CHANGED}){{0,2}}(?:(?<=load|olus|dose|push)(?:ed|es)?(?: with| of))?[ (:]{{1,2}}"
    rf"(?P<alone>(?:{ONES})(?: hundred)?(?= ?(?:[,;.)]|and\b|then\b|iv\b|im\b|po\b|sc\b|at \d|\n|$))"
    rf"|(?:auc ?)?{_ANY}(?: ?(?:[-–/→+]|->) ?"
    rf"(?:\d{{1,4}}(?:\.\d+)?|\.\d+)){{0,2}}s?){_NO_DOSE_AFTER})"
)
_MORE = re.compile(
    rf"(?:,|, then| then|/(?!(?:7|52|12)\b)| →| ->| and) ?(?P<plain>{_ANY}){_NO_DOSE_AFTER}"
    rf"(?! ?(?!(?:{ROUTE}|{OFTEN}|then|and|for)\b)[a-z%])"
)
_OFTEN_BARE = re.compile(
    r"\b(?:given|gave|takes?|taking|took|received|dose|charted|prescribed|increased?|decreased?|reduced?|down|up"
    r"|changed"
    rf"|back|now|only|usual|gives?|giving|gets?|got|pushed|drew up)(?: to| at| from| of| on| only"
    rf"| just)? (?P<plain>{_ANY}) ?(?:b\.?d|b\.?i\.?d|t\.?d\.?s"
    rf"|t\.?i\.?d"
    r"|q\.?d\.?s|q\.?i\.?d|od|daily|nocte|mane|iv|po|im|s/?c|q\d{1,2}h?|qhs|twice (?:a day|daily))\b"
)
_MONTH = re.compile(r"\d{1,2}/(?:19|20)\d\d")
_SAID_BARE = re.compile(
    r"\b(?:drew up|drawn up|draws? up|should (?:be|have been)|supposed to be|meant to be|dos(?:e|es|ed)(?: was| is"
    r"| of| at)"
    r"|(?:pump|rate|infusion|syringe|driver)(?: was| is)?(?: set| programmed| running| going)?(?: at| to| for)"
    r"|ran at)"
    rf" (?P<plain>{_ANY})(?= ?(?:[,;)!?]|\.(?!\d)|$|\n|(?:instead|not|rather|but|and|then|until|when|once)\b))"
)
_SAID_WORDS = listed(
    "drew drawn draw draws should supposed meant dose doses dosed pump rate infusion syringe driver ran"
)
_PAIR = re.compile(r"(?P<upper>\d{1,3})/(?P<lower>\d{1,3})")
_MEASURED = (
    "b12,vitamin b12,vit b12,vitamin d,vit d,vitamin a,vitamin e,folate,testosterone,progesterone,estradiol,zinc"
)
_LEVELS = frozenset(_MEASURED.split(","))
"""What a laboratory measures more often than a ward gives: a bare number after it is no dose."""
_MONITORED = listed(
    """
    vancomycin gentamicin tobramycin amikacin tacrolimus sirolimus everolimus cyclosporine phenytoin valproate digoxin
    carbamazepine theophylline phenobarbital
    """
)
"""What has levels: 8.4 after it is one, 8.5 may be a dose."""
_OF = re.compile(r"(?<![\w.,:/-])(?P<plain>\d{1,4}(?:\.\d+)?) of (?:(?:iv|the|his|her|their|my|these) )?$")
_DAY = re.compile(
    r"\b(?:day|dose|bag|week|wk|cycle|number|no\.?|stage|grade|step|bed|bay|room|d|pod|month|hour|part|page) $"
)
_COUNT = re.compile(
    r"(?:\b(?:took|taken|take|takes|swallowed|swallowing|ingested|ate|ingesting|overdosed on|overdose of|od of|had"
    r"|gave"
    r"|given) (?:(?:about|around|approx\.?|up to|maybe|some|at least|another) )?(?P<digits>\d{1,3}(?: ?(?:-|–|or"
    r"|to) ?\d{1,3})?) (?:x )?"
    rf"|\b(?P<words>(?:up to )?(?:{ONES})(?:[ -](?:{ONES}))?(?: hundred| thousand| and a half)?|(?:a"
    rf"|one) (?:hundred|thousand|half)|half|(?:an?|two|several|some|half (?:an?|the|his|her)|one|another|the whole"
    rf"|a few)"
    r" (?:handfuls?|fistfuls?|bunch|bottles?|packets?|packs?|box(?:es)?|strips?|blisters?|couple|few|dozen|sips?"
    r"|squirts?|dabs?|bags?|pots?|sachets?|mouthfuls?|lots?)|handfuls?|several|a few|a couple|dozens) "
    r"(?:more )?(?:of )?(?:(?:the|his|her|their|my|our|some|these|those|extra|old|[a-z]{2,10}['’]s"
    r"|mum['’]?s?) ){0,2})$"
)
_AGAINST = re.compile(
    r"(?P<words>[a-z ,;'’]{0,40}?)\b(?:instead of|rather than|not|vs\.?|versus|read as|given as|taken as|written as"
    r"|charted as"
    r"|entered as|transcribed as|heard as|interpreted as|programmed as|misread as|keyed as|typed as|went in as"
    r"|should be"
    r"|should have been|supposed to be|meant to be|intended|max(?:imum)?|limit|was meant to be|but got|and got"
    r"|became)"
    r"(?: (?:the|ordered|prescribed|intended|usual|a|at|was|about)){0,2} (?P<plain>\d{1,5}(?:,\d{3})?(?:\.\d+)?"
    r"|\.\d+)"
    r"(?! ?(?:[:%/]|[a-z]*m\b|hours?|hrs?|minutes?|days?|times|patients?|beats|in \d|puffs|tabs|doses|per day)"
    r"|[\d,.:/]*\d)"
)
_FIRST = re.compile(r"(?<![\w.,:/-])(?P<plain>\d{1,5}(?:\.\d+)?) (?:instead of|rather than|not)(?: the)? $")
_PER_BARE = re.compile(
    rf"(?<![\w.,:/-])(?:\d{{1,4}}(?:\.\d+)?|\.\d+|(?:{ONES})(?: point (?:{ONES}))?)(?: ?(?:-|–|to) ?\d+(?:\.\d+)?)?"
    r" ?(?:/|per ) ?(?:kg|kilo(?:gram)?|hr?|hour|min(?:ute)?)(?:/(?:min|hr?|day|d))?(?![\w/])"
)
_YET_MORE = re.compile(
    rf"[^.;\n]{{0,48}}?\b(?:then|and|plus|with) (?P<plain>(?:{ONES}|\d{{1,3}}) more)\b(?! (?:days|times|hours"
    rf"|minutes))"
)
_NUMBER_WORDS = frozenset(
    [*ONES.split("|"), *["half", "quarter", "third", "hundred", "thousand", "couple", "dozen", "few"]]
)
_SINGLES_SAID = """
    amp ampule ampoule gram grams milligram vial puff tablet tab capsule neb spray sachet suppository unit drop
    teaspoon tablespoon spoonful dropperful squirt scoop capful applicatorful packet lozenge pill film gummy wafer
"""
_SINGLES = frozenset(_SINGLES_SAID.split())
_NEEDS_DRUG_SAID = """
    cap caps drop drops patch patches bag bags in film films strip strips pen pens stick sticks tube tubes clicks
    scoop scoops oz ounce ounces pumps pump boluses bolus applications application syringe syringes packet packets
    spray sprays vials vial
"""
_NEEDS_DRUG = frozenset(_NEEDS_DRUG_SAID.split())
"""Forms that also hold other things than drugs."""
_MAYBE = listed("quarter third couple handful handfuls several few half gram") | frozenset(ONES.split("|")) | _SINGLES
_FRACTIONS = "½¼¾⅓⅔"
_STARTS = frozenset(ONES.split("|")) | listed(
    "a an half quarter third dozen few another the first second last next extra whole"
)
"""What a number in words, or one amp of something, begins with."""
_OFTEN_WORDS = listed(
    """
    given gave take takes taking took received dose charted prescribed increase increased decrease decreased reduce
    reduced down up changed back now only usual give gives giving get gets got pushed drew
    """
)
_PER_SIGNS = ("/k", "/h", "/m", "/ k", "/ h", "/ m", "per k", "per h", "per m", "per  ")
_LAST_BEFORE = frozenset(ONES.split("|")) | listed(
    """
    x s more of iv the his her their my our some these those extra old mum mums handful handfuls fistful fistfuls
    bunch
    bottle bottles packet packets pack packs box boxes strip strips blister blisters couple few dozen dozens sip sips
    half squirt squirts dab dabs bag bags pot pots sachet sachets mouthful mouthfuls lot lots several
    """
)
"""The last word of a count before the name of a drug."""
_SENTENCE = re.compile(r"[.;!?]\s+(?=\S)|\n")
_CLASS = "word for"
_MIXED = re.compile(r"(?:\d ?(?:mls?|cc|l)|bag|lit(?:er|re)s?|amps?|ampoules?|vials?)(?: of)?(?: an?)? $")
_BOLUS = re.compile(r" (?:as an? )?(?:bolus|iv bolus|solution|strength|cream|ointment|gel|drops)\b")
_OWN = re.compile(r" ?(?:of )?(?:(?:iv|po|the|his|her|oral) ){0,2}")
_TIMES = re.compile(rf"(?<![\w.,/:-])(?:(?:{ONES}|\d{{1,2}}) ?(?:of|of the|x|×|\*)|(?:{ONES})(?= )) ?$")
"""How many of a dose: "ten of 2.5 mg", "2 x 500 mg", "two 5 mg tablets"."""
_LITRES = 16
"""Nobody is given more."""
_NO_AMOUNT = re.compile(r"0\d{3}|\d{7}|\d{1,2}/\d{1,2}/(?:19|20)?\d\d$")
"""Identifiers and dates that a unit happens to follow."""
_HOUR = re.compile(r" (?:at|@) ?(?:\d|1[0-2])")
_DOSED = re.compile(
    r"(?:\d ?(?:m[lg]s?|mcg|g|cc|units?|tabs?|tablets?|caps|puffs?|tsps?)|spoons?(?:ful)?|tablets?|half|puffs?|tabs?"
    r"|dose)(?: of)?(?: [a-z'’]{2,10})? $"
)
"""A dose before the name: what comes at three after it is an hour."""
_CHAIN = 160
"""How far a dose goes on, in characters."""


class Doses:
    """Finds amounts of drugs."""

    name: ClassVar[str] = "doses"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        if not text.digits and text.words.isdisjoint(_MAYBE) and not any(sign in text for sign in _FRACTIONS):
            return []
        drugs = Drugs().find(text)
        spans: list[Span] = []
        for span in sorted(_all(text, drugs), key=lambda span: (-span.certainty, span.start)):
            if not any(span.overlaps(other) for other in spans[-64:]):
                spans.append(span)
        return sorted(spans, key=lambda span: span.start)


def _numbers(text: Text) -> Iterator[re.Match[str]]:
    """Numbers with a unit: the long pattern is tried where a number may begin, and nowhere else."""
    low, tokens = text.folded, text.tokens
    places = {start - (low[start - 1 : start] == ".") for start, _ in text.digits if UNIT_NEAR.match(low, start)}
    if not low.isascii():
        places |= {at for sign in _FRACTIONS if sign in low for at, other in enumerate(low) if other == sign}
    for at in text.where(_NUMBER_WORDS):
        for start, _, word in tokens[max(0, at - 2) : at + 1]:  # half an amp, a couple
            if word in _STARTS:
                places.add(start)
    for at in text.where(_SINGLES):
        places.update([start for start, _, word in tokens[max(0, at - 2) : at] if word in _STARTS])
    past = 0
    for start in sorted(places):
        if start >= past and (match := DOSE.match(low, start)):
            past = match.end()
            if "\n" not in text[start : max(match.end("number"), match.start("per"))]:  # a unit ends the line it is on
                yield match


def _all(text: Text, drugs: list[Span]) -> Iterator[Span]:
    low = text.folded
    starts = [span.start for span in drugs]
    for match in _numbers(text):
        if _is_dose(low, match, drugs, starts):
            times = _TIMES.search(low, max(0, match.start() - 16), match.start()) if match["mass"] else None
            start = times.start() if times else match.start()
            yield Span(start, _trimmed(low, match.end()), "DOSE", 0.85, "number and unit")
            yield from _set_against(low, match.start(), match.end())
            yield from _going_on(low, match.end(), drugs, starts, match[0])
    if not drugs:
        return
    for match in _PERCENT.finditer(low) if "%" in low or "percent" in low else ():
        beside = _beside(match, drugs, starts) or _MIXED.search(low, max(0, match.start() - 20), match.start())
        if (beside or _BOLUS.match(low, match.end())) and not VITAL_BEFORE.search(
            low, max(0, match.start() - 40), match.start()
        ):
            yield Span(*match.span(), "DOSE", 0.7, "strength of a drug")
    for match in _RATIO.finditer(low):
        if ":" in match[0] or _close(match, drugs, starts, 40):
            yield Span(*match.span(), "DOSE", 0.7, "dilution")
    for match in _PER_BARE.finditer(low) if any(sign in low for sign in _PER_SIGNS) else ():
        before = low[max(0, match.start() - 40) : match.start()]
        near = _close if match[0].rstrip().endswith(("kg", "kilo", "kilogram")) else _together
        if near(match, drugs, starts, 60) and not VITAL_BEFORE.search(before) and not OUT_BEFORE.search(before):
            yield Span(*match.span(), "DOSE", 0.6, "number per weight or time")
    for match in text.cued(_OFTEN_BARE, _OFTEN_WORDS):
        if _close(match, drugs, starts, 90):
            yield Span(match.start("plain"), match.end(), "DOSE", 0.55, "number and how often")
    for match in text.cued(_SAID_BARE, _SAID_WORDS):
        if _together(match, drugs, starts, 60) and not _timed(low, match):
            yield Span(*match.span("plain"), "DOSE", 0.5, "number said of a dose")
    for drug in drugs:
        for span in (*_before(text, drug), *_after(text, drug)):
            yield span
            yield from _going_on(low, span.end, drugs, starts, low[span.start : span.end])


def _going_on(low: str, end: int, drugs: list[Span], starts: list[int], dose: str) -> Iterator[Span]:
    """Bare numbers after a dose that change or repeat it, up to the next drug."""
    at = bisect_left(starts, end)
    if at < len(drugs) and _OWN.fullmatch(low, end, starts[at]):
        end, at = drugs[at].end, at + 1
    stop = min(starts[at] if at < len(drugs) else len(low), end + _CHAIN)
    for start, past in chained(low, end, stop, dose):
        yield Span(start, past, "DOSE", 0.5, "number after a dose")


def _timed(low: str, match: re.Match[str]) -> bool:
    """Is a number after "should be" or "rate" a vital sign or a time?"""
    before = low[max(0, match.start() - 40) : match.start()]
    vital = VITAL_BEFORE.search(before + " ") or re.search(r"(?:heart|resp\w*|vent\w*|pulse|set) $", before)
    return bool(vital) or bool(re.fullmatch(r"[01]\d{3}|2[0-4]\d\d", match["plain"]))


def _set_against(low: str, start: int, end: int) -> Iterator[Span]:
    """Bare numbers that are compared with a dose."""
    if first := _FIRST.search(low, max(0, start - 32), start):
        yield Span(*first.span("plain"), "DOSE", 0.6, "number set against a dose")
    if other := _AGAINST.match(low, end):
        yield Span(*other.span("plain"), "DOSE", 0.6, "number set against a dose")
    if more := _YET_MORE.match(low, end):
        yield Span(*more.span("plain"), "DOSE", 0.5, "more of a dose")


def _before(text: Text, drug: Span) -> Iterator[Span]:
    """Counts before the name of a drug."""
    at, low = text.starts[drug.start], text.folded
    last = text.tokens[at - 1].lower if at else ""
    if last not in _LAST_BEFORE and not last.isdigit():
        return
    if many := _OF.search(low, max(0, drug.start - 14), drug.start):
        if not _DAY.search(low, max(0, many.start() - 8), many.start()):
            yield Span(*many.span("plain"), "DOSE", 0.55, "number before a drug")
    elif not drug.reason.startswith(_CLASS) and (count := _COUNT.search(low, max(0, drug.start - 60), drug.start)):
        group = "digits" if count["digits"] else "words"
        yield Span(count.start(group), len(low[: count.end(group)].rstrip()), "DOSE", 0.55, "count of a drug")


def _after(text: Text, drug: Span) -> Iterator[Span]:
    """Bare numbers after the name of a drug, one or several in a row."""
    low = text.folded
    bare = _BARE.match(low, drug.end)
    if not bare or (not bare["rate"] and drug.reason.startswith(_CLASS) and low[drug.start : drug.end] != "ppi"):
        return
    group = next(name for name in ("rate", "plain", "alone") if bare[name])
    if group == "rate" and _HOUR.fullmatch(bare[0]) and _DOSED.search(low, max(0, drug.start - 40), drug.start):
        return
    start, end = bare.start(group), bare.end() if group == "plain" else bare.end(group)
    if group == "alone" and ("\n" in text[drug.end : start] or not _alone(low, drug, bare["alone"], start, end)):
        return
    yield Span(start, len(low[:end].rstrip(" ,(")), "DOSE", 0.6, "number after a drug")
    yield from _set_against(low, start, end)
    while more := _MORE.match(low, end):
        yield Span(*more.span("plain"), "DOSE", 0.5, "number after a drug")
        end = more.end("plain")


def _alone(low: str, drug: Span, said: str, start: int, end: int) -> bool:
    """Is a bare number after a drug its dose, not a pressure, a time, a year, a level or the next item of a list?"""
    name = generic(low[drug.start : drug.end])
    label, group = lexicon().classes.get(name, ("", ""))
    if low[drug.start : drug.end] in _LEVELS or group == "vaccine" or "immune globulin" in name:
        return False
    if said.startswith("auc"):
        return name == "carboplatin"
    if (pair := _PAIR.fullmatch(said)) and "/" not in name and label not in ("partial opioid agonist", "insulins"):
        upper, lower = int(pair["upper"]), int(pair["lower"])
        if lower in (7, 10, 12, 52) or (70 <= upper <= 260 and 30 <= lower <= 140 and lower < upper):
            return False
        if min(upper, lower) <= 12 and max(upper, lower) <= 31:  # a date, or a day of a course
            return False
    if _MONTH.fullmatch(said) or DOTTED.fullmatch(said):
        return False
    if said.isdigit():
        number = int(said)
        if said[0] == "0" or number == 0 or (1000 <= number < 2400 and number % 250):  # times and years
            return False
        if number < 40 and re.match(r"[.)]\s+\S", low[end : end + 3]):  # 1. aspirin 2. metoprolol
            return not re.search(rf"(?<!\d){number - 1}[.)]\s", low[max(0, start - 120) : start])
    if name in _MONITORED and re.fullmatch(r"\d+\.\d", said) and float(said) * 8 % 1:
        return False
    return not (name == "lithium" and re.fullmatch(r"[0-3]\.\d+", said))


def _trimmed(low: str, end: int) -> int:
    """An end without the blanks, commas and brackets before it."""
    while low[end - 1] in " ,(":
        end -= 1
    return end


def _is_dose(low: str, match: re.Match[str], drugs: list[Span], starts: list[int]) -> bool:
    """Is a number with a unit said of a drug, not of a value, an output or a diet?"""
    if match["single"]:
        return not match["close"] or _close(match, drugs, starts, 32)
    before, end = low[max(0, match.start() - 48) : match.start()], match.end()
    if _NO_AMOUNT.match(match["number"]):
        return False
    if LAB_UNIT.match(low, end) and not before.endswith(("bag (", "bag ", "fluid (", "solution (")):
        return False
    if DIET_AFTER.match(low, end) or (LAB_BEFORE.search(before) and not _dosed_lab(before, match)):
        return False
    if LAB_PER_ML.search(match[0]) and not _close(match, drugs, starts, 30):
        return False
    if match["mass"]:
        return _is_mass(low, match, before, drugs, starts)
    unit = match["volume"] or match["form"] or match["inch"]
    if match["volume"]:
        if OUT_BEFORE.search(before) or OUT_AFTER.match(low, end) or (unit == "l" and not _litres(match, before)):
            return False
        sentence = _sentence(low, match)
        if OUTPUT.search(sentence) and not _close(match, drugs, starts, 24):
            return False
        return bool(_close(match, drugs, starts, 100) or GIVEN.search(sentence))
    if unit in _NEEDS_DRUG:
        return bool(_close(match, drugs, starts, 160 if unit == "clicks" else 60))
    return True


def _litres(match: re.Match[str], before: str) -> bool:
    """Is it a volume, not a pressure on the left side or a flow of oxygen?"""
    whole = match["number"].split(".")[0]
    return (
        not (whole.isdigit() and int(whole) > _LITRES)
        and "/" not in match["number"]
        and not re.search(r"(?:%|\bon|\bat)[ ,]*$", before)
    )


def _dosed_lab(before: str, match: re.Match[str]) -> bool:
    """Is it potassium by its letter, in an amount that no blood holds, or a volume of glucose?"""
    if match["volume"] and re.search(r"\b(?:glucose|sugar) $", before):
        return True
    number = match["number"].replace(",", "")
    return bool(re.search(r"\bk\+? ?[:=]? ?$", before)) and number.isdigit() and int(number) > 9


def _is_mass(low: str, match: re.Match[str], before: str, drugs: list[Span], starts: list[int]) -> bool:
    """Masses, equivalents and units: not gauges of needles, weights of babies, blood, or beds."""
    unit, number = match["mass"], match["number"]
    if unit in ("unit", "units", "u"):
        blood = BLOOD.match(low, match.end()) or BLOOD_BEFORE.search(before)
        return not blood and (unit != "u" or number[-1:].isdigit()) and not before.endswith("bed ")
    last = re.split(r"[^\d.,]", number)[-1].replace(",", "")
    if unit in ("g", "gram", "grams") and low.startswith((" pos", " neg", " stain", "-pos", "-neg"), match.end()):
        return False
    if unit == "g" and last in GAUGES and LINES.search(before):
        return False
    if unit == "g" and last.isdigit() and int(last) >= 14:  # a needle, an organ, a baby
        return _together(match, drugs, starts, 8 if last in GAUGES or int(last) >= 300 else 30)
    if (
        unit.startswith("mmol")
        and re.search(r"(?<![-\w])(?:mg|ca|phos|po4|ica)[ :=]*$", before)
        and len(last.split(".")[0]) == 1
    ):
        return False
    if unit in ("mu", "mic", "mics", "micro", "micr", "k units", "pe", "ppm"):
        return _close(match, drugs, starts, 80 if unit != "ppm" else 24)
    return True


def _sentence(low: str, match: re.Match[str]) -> str:
    start, end = max(0, match.start() - 90), min(len(low), match.end() + 60)
    before = _SENTENCE.split(low[start : match.start()])[-1]
    return before + match[0] + _SENTENCE.split(low[match.end() : end])[0]


def _close(match: re.Match[str], drugs: list[Span], starts: list[int], reach: int) -> bool:
    """Is a drug within so many characters?"""
    at = bisect_left(starts, match.start())
    return any(
        drug.start - match.end() <= reach and match.start() - drug.end <= reach
        for drug in drugs[max(0, at - 1) : at + 1]
    )


def _together(match: re.Match[str], drugs: list[Span], starts: list[int], reach: int) -> bool:
    """Is a drug within so many characters of the same sentence?"""
    at, low = bisect_left(starts, match.start()), match.string
    return any(
        drug.start - match.end() <= reach
        and match.start() - drug.end <= reach
        and not _SENTENCE.search(low, min(drug.end, match.end()) - 1, max(drug.start, match.start()) + 1)
        for drug in drugs[max(0, at - 1) : at + 1]
    )


_BETWEEN = re.compile(
    r"(?:(?: in| of)? ?|[ (]{0,2}|\s(?:drops|cream|ointment|gel|solution|patch|bag|infusion|eye drops|with)\s)"
)


def _beside(match: re.Match[str], drugs: list[Span], starts: list[int]) -> bool:
    """Is a drug right before or after?"""
    at = bisect_left(starts, match.start())
    after = at < len(drugs) and _BETWEEN.fullmatch(match.string, match.end(), drugs[at].start)
    before = at > 0 and _BETWEEN.fullmatch(match.string, drugs[at - 1].end, match.start())
    return bool(after or before)
