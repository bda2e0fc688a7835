"""Doses, by a grammar: NUMBER [range] UNIT [per weight] [per time] [route] [frequency].

Numbers are digits, words, fractions and ranges; units are masses, volumes, equivalents, units and forms (tablet, puff,
amp). Percents count beside a drug, ratios (1:10,000) as dilutions. After the name of a drug a bare number counts if a
route, a frequency or a rate goes with it ("lasix 40 IV", "levophed at 12"). Not doses: laboratory values (mg/dL,
mEq/L), urine and other output, oxygen flow, blood products, diets, weights, ages, vital signs, times, "10 times".

Source: the paper on PACS (Ghemri and Kannah, Privacy in Medical Data Publishing) has such a grammar but does
not print it; this one is our own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.detectors.drugs import Drugs
from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known

_ONES = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty"
    "|eighty|ninety"
)
_NUMBER = (
    r"(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[ -]\d/\d|[½¼¾])?|\.\d+|[½¼¾]"
    rf"|(?:{_ONES})(?:[ -](?:{_ONES}))?(?: hundred| thousand)?(?: and a (?:half|quarter)| and one half"
    rf"| point (?:{_ONES}))?"
    r"|(?:a |one )?(?:half|quarter)(?: of)?(?: an?)?|(?:a|one) (?:hundred|thousand|couple(?: of)?)|a couple(?: of)?)"
)
_FRACTION = rf"(?:\d/\d{{1,2}}|{_NUMBER})"
_MASS = (
    r"m(?:illi|ili|icro)grams?|nanograms?|mgm?s?|mg's|mcg'?s?|microg|ugs?|[µμ]gs?|gms?|gr?ams?|g|ng|mics?"
    r"|mikes|milli ?equivalents?|m ?eq'?s?|"
    r"(?:milli)?moles?|mmols?|(?:million |international |thousand |k )?units?|million iu|iu|mu|u|grains?"
)
_VOLUME = (
    r"m(?:illi)?l(?:iters?|itres?)|mls?|cc'?s?|lit(?:er|re)s?|l|teaspoons?(?:fuls?)?|tsps?"
    r"|tablespoons?(?:fuls?)?|tbsps?|ounces?|oz"
)
_FORM = (
    r"(?:extra |more |whole |full )?(?:tab(?:let)?s?|cap(?:sule|let)?s?|pills?|puffs?|amp(?:ule|oule"
    r"|ul)?s?|vials?|gtts?|drops?|sprays?|patch(?:es)?|"
    r"supp?ositor(?:y|ies)|lozenges?|troches?|nebs?|nebuli[sz]ers?|neb treatments?|syringes?(?:ful)?"
    r"|packets?|sachets?|capfuls?|inhalations?|bags?|squirts?|boluses)"
)
_INCH = r"(?:inch(?:es)?|in|\")(?= (?:of )?(?:nitro|ntg))"
_WEIGHT = r"kg|kilo(?:gram)?s?|m2|m\^2|lb|dose"
_TIME = r"hours?|hrs?|h|minutes?|mins?|m|seconds?|sec|days?|d|24 ?h(?:ou)?rs?|weeks?|wk"
_CARRIER = (
    r"(?:\d+ ?)?(?:mls?|cc|tab(?:let)?|puff|actuation|spray|patch|bag|vial|amp|cap(?:sule)?|teaspoon|tsp"
    r"|l(?= bag)|liter(?= bag))"
)
_PER = rf"(?: ?(?:/|\bper\b|\ban?\b(?= (?:hour|minute|kilo))) ?(?:{_WEIGHT}|{_TIME}|{_CARRIER})(?![\w])){{0,3}}"
_ROUTE = (
    r"(?:ivpb|ivp|iv(?: push| bolus| piggyback| drip)?|i\.v\.|im|i\.m\.|p\.?o\.?|sq|subq"
    r"|subcut(?:aneous(?:ly)?)?|s\.?c\.?|sl|sublingual(?:ly)?|pr|per rectum|ngt?|"
    r"(?:via|per|by) (?:mouth|rectum|peg|ngt?|ng tube|neb(?:ulizer)?|iv|pump|gtube|g-tube|ett?)|orally"
    r"|intravenous(?:ly)?|intramuscular(?:ly)?|topical(?:ly)?|inhaled|intrathecal(?:ly)?|transdermal)"
)
_OFTEN = (
    r"(?:q ?\d{1,2}(?: ?- ?\d{1,2})? ?(?:h(?:ou)?rs?|h|min(?:utes)?|m|d)?|q ?(?:d|day|hs|am|pm|h|hr|hour"
    r"|od|shift|week|wk|mwf|ac)|q\.d\.|b\.?i\.?d\.?|t\.?i\.?d\.?|q\.?i\.?d\.?|od|hs|ac|prn|stat|daily"
    r"|nightly|weekly|monthly|"
    rf"(?:once|twice|(?:\d|{_ONES}) times|x ?\d)(?: (?:a|per|each|every) (?:day|week|night)| daily| weekly"
    r"| nightly)?|(?:a|per|each|every) (?:day|night|morning|evening|week)|"
    rf"every (?:other day|(?:\d{{1,2}}|{_ONES})(?: ?(?:-|to) ?\d{{1,2}})? ?(?:hours?|hrs?|h|days?|minutes?"
    r"|min|weeks?))|(?:in the|every) (?:morning|evening)|at (?:bedtime|night)|as needed"
    r"|over \d+ (?:minutes?|mins?|hours?|hrs?))"
)
_TAIL = rf"(?:,? ?\(?(?<![a-z0-9])(?:{_ROUTE}|{_OFTEN}|{_FRACTION} (?:{_FORM}))\)?(?![\w])){{0,4}}"
_TO = r" ?(?:-|–|to|or|and|/|->) ?"
_UNIT = rf"(?:(?P<mass>{_MASS})|(?P<volume>{_VOLUME})|(?P<form>{_FORM})|(?P<inch>{_INCH}))"
_DOSE = re.compile(
    r"(?:(?<![\w.,:/$#])"
    rf"|(?<=[a-z]{{4}})(?=\d))(?P<number>{_FRACTION}(?:{_TO}{_FRACTION})?)[ -]{{0,2}}{_UNIT}(?![\w]|-(?:old"
    rf"|year)|/(?!{_WEIGHT}|{_TIME}|{_CARRIER}))"
    rf"(?P<per>{_PER})(?:{_TO}{_FRACTION}[ -]?(?:{_MASS}|{_VOLUME}|{_FORM})(?![\w/]){_PER})?{_TAIL}"
    r"|\b(?:an?|half an?) (?P<single>amp(?:ule|oule)?)\b(?! of time)"
)
_PERCENT = re.compile(r"(?<![\w.,/-])(?:\d{1,2}(?:\.\d+)?|\.\d+) ?(?:%|percent\b)")
_RATIO = re.compile(r"(?<![\w:.])1 ?: ?(?:\d{1,3},?000|100)(?![\d:])")
_LAB_UNIT = re.compile(
    r"[ ]?(?:/|per ) ?(?:dl|deciliter|l\b|lit(?:er|re)\b|mm|cu|hpf|ul|µl|100 ?ml|24|mol|cells)|[ ]?(?:%|mmhg|/\d)"
)
_LAB_PER_ML = re.compile(r"(?:ng|pg|iu|u|miu|uiu|mcg|ug|µg) ?/ ?ml")
_LAB_BEFORE = re.compile(
    r"\b(?:level|levels|trough|peak|random|lactate|hemoglobin|hgb|hb|creatinine|cr|bun|bilirubin"
    r"|cholesterol|ldl|hdl|triglycerides?|ferritin|tsh|psa|bnp|troponin|ck|ast|alt|cea|a1c|glucose|sugar"
    r"|fsbs|fs|bg|bgl|fsbg|accucheck|protein"
    r"|salt|diet|dietary|sodium intake|fiber|caffeine|carbs?|carbohydrates?|weigh(?:s|ed|ing|t)?"
    r"|birth ?weight|wt)(?: level)?(?: (?:was|is|of|at|to|intake|down|came|back|result|noted|in|range"
    r"|found|be|less|than|under|up|with|reading|a|read)){0,4}[ :=<>(~]*$"
)
_DIET_AFTER = re.compile(
    r"(?: of)?(?: of)? ?-?(?:sodium|na|salt|fat|carb\w*|protein|fiber|cholesterol|sugar|caffeine"
    r"|alcohol)\b(?! (?:chloride|bicarb\w*|phos\w*|acetate|citrate|nitroprusside|polystyrene|shots?))"
    r"|-? ?(?:mass|nodule|tumou?r|stone|infant|baby|weight)\b"
)
_BLOOD = re.compile(
    r" ?(?:of )?(?:packed|prbcs?|rbcs?|blood|ffp|plasma|platelets?|plts?|cryo\w*|red cells|whole blood|o neg\w*)\b"
)
_OUTPUT = re.compile(
    r"\b(?:urine|output|out|uop|u/o|void(?:ed|ing)?|drain(?:ed|age|ing|s)?|chest tube|ebl|blood loss"
    r"|bleed(?:ing)?|lost|emesis|vomit(?:ed)?|stool|ostomy|residuals?|aspirat(?:ed|e)|oxygen|o2"
    r"|nasal cannula|nc|tidal|tv|vt|vc|flow|balloon|"
    r"ejection|volume of|effusion|ascites|paracentesis|thoracentesis|removed|negative|positive"
    r"|concentrator|foley|gallons?|ng tube put|suctioned|water|juice|milk|coffee|soda|beer|wine|drinks?"
    r"|drinking|liquor|mitral|cyst|hematoma|fluid restriction|restricted|ventilator|fev1?|cardiac)\b"
)
_GIVEN = re.compile(
    r"\b(?:bolus(?:ed)?|infus\w*|saline|ns|lr|fluids?|ivf|given|gave|drip|gtt|pump|order(?:ed)?|dos(?:e|es"
    r"|ed|age|ing)|iv|rate|running|ran|programmed|set at|push|received|administered|administer"
    r"|flush(?:ed)?|feeds?|tube feed\w*|tpn|lipids?|syringe|vial|bag|piggyback|instead of|meant|take|takes"
    r"|taking|inject\w*|epidural|pca)\b"
)
_BARE = re.compile(
    r"(?: (?:drip|gtts?|infusion|iv|po|pca|dose|rate))?(?:(?: (?:was|were|is|found|noted|to be|running|set"
    r"|infusing|going|increased|decreased|up|down|titrated|weaned|turned|hung|and))* ?(?:at|@"
    r"|to)(?: a rate of| rate of)? ?"
    rf"(?P<rate>(?:\d{{1,3}}(?:\.\d+)?|\.\d+)(?: ?(?:-|to) ?\d{{1,3}}(?:\.\d+)?)?(?: ?(?:/|per|an) ?(?:hr|h"
    r"|hour|min|kg(?:/min|/hr?)?)\b)?)(?! ?(?:[:%]|am\b|pm\b|a\.m|p\.m|hours?|hrs?|o'clock|minutes?|mins?"
    r"|days?|weeks?|months?|years?|times|x\b|beats|bpm|mm|cm|degrees)|[\d/.]*\d)"
    rf"|,? (?P<plain>\d{{1,4}}(?:\.\d+)?(?:(?:/|-)\d{{1,4}}(?:\.\d+)?)?)(?= ?(?:{_ROUTE}|{_OFTEN})(?![\w])){_TAIL})"
)
_OF = re.compile(r"(?<![\w.,:/-])(?P<plain>\d{1,4}(?:\.\d+)?) of (?:iv )?$")
_FIRST = re.compile(r"(?<![\w.,:/-])(?P<plain>\d{1,5}(?:\.\d+)?) (?:instead of|rather than|not)(?: the)? $")
_BLOOD_BEFORE = re.compile(r"\b(?:prbcs?|rbcs?|blood|ffp|plasma|platelets?|plts?|cryo\w*)[ ,:x]*$")
_INSTEAD = re.compile(
    r"[a-z ]{0,24}\b(?:instead of|rather than|not|vs\.?|versus)(?: the)?(?: ordered| prescribed"
    r"| intended)? (?P<plain>\d{1,5}(?:\.\d+)?|\.\d+)"
    r"(?! ?(?:[:%/]|[a-z]*m\b|hours?|hrs?|minutes?|days?|times|patients?|beats)|[\d,.]*\d)"
)
_MAYBE = re.compile(r"\d|[½¼¾]|\b(?:" + _ONES + r"|half|quarter|couple|amp)\b")
_SENTENCE = re.compile(r"[.;!?]\s+(?=\S)|\n")


class Doses:
    """Finds amounts of drugs."""

    name: ClassVar[str] = "doses"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        if not _MAYBE.search(text.folded):
            return []
        drugs = Drugs().find(text)
        found: list[Span] = []
        for span in sorted(_all(text.folded, drugs), key=lambda span: (-span.certainty, span.start)):
            if not any(span.overlaps(other) for other in found[-64:]):
                found.append(span)
        return sorted(found, key=lambda span: span.start)


def _all(low: str, drugs: list[Span]) -> Iterator[Span]:
    starts = [span.start for span in drugs]
    for match in _DOSE.finditer(low):
        if _is_dose(low, match, drugs, starts):
            yield Span(match.start(), len(low[: match.end()].rstrip(" ,(")), "DOSE", 0.85, "number and unit")
            if first := _FIRST.search(low, max(0, match.start() - 32), match.start()):
                yield Span(*first.span("plain"), "DOSE", 0.6, "number set against a dose")
            if other := _INSTEAD.match(low, match.end()):
                yield Span(*other.span("plain"), "DOSE", 0.6, "number set against a dose")
    for match in _PERCENT.finditer(low):
        if _beside(match, drugs, starts):
            yield Span(*match.span(), "DOSE", 0.7, "strength of a drug")
    for match in _RATIO.finditer(low):
        yield Span(*match.span(), "DOSE", 0.7, "dilution")
    for drug in drugs:
        if many := _OF.search(low, max(0, drug.start - 14), drug.start):
            yield Span(*many.span("plain"), "DOSE", 0.55, "number before a drug")
        bare = _BARE.match(low, drug.end)
        if bare and not (bare["plain"] and drug.reason.startswith("word for")):
            start = bare.start("rate") if bare["rate"] else bare.start("plain")
            yield Span(start, len(low[: bare.end()].rstrip(" ,(")), "DOSE", 0.6, "number after a drug")


def _is_dose(low: str, match: re.Match[str], drugs: list[Span], starts: list[int]) -> bool:
    """Is a number with a unit said of a drug, not of a value, an output or a diet?"""
    if match["single"]:
        return True
    before, end = low[max(0, match.start() - 48) : match.start()], match.end()
    unit = match["mass"] or match["volume"] or match["form"] or match["inch"]
    if _LAB_UNIT.match(low, end) or _DIET_AFTER.match(low, end) or _LAB_BEFORE.search(before):
        return False
    if _LAB_PER_ML.search(match[0]) and not _close(match, drugs, starts, 30):
        return False
    if match["mass"]:
        if unit in ("unit", "units", "u"):
            blood = _BLOOD.match(low, end) or _BLOOD_BEFORE.search(before)
            return not blood and (unit != "u" or match["number"][-1:].isdigit()) and not before.endswith("bed ")
        return unit not in ("mu", "mic", "k units") or bool(_close(match, drugs, starts, 80))
    sentence = _sentence(low, match)
    if match["volume"]:
        if _OUTPUT.search(sentence) and not _close(match, drugs, starts, 24):
            return False
        return bool(_close(match, drugs, starts, 120) or _GIVEN.search(sentence))
    if unit in ("cap", "caps", "drop", "drops", "patch", "patches", "bag", "bags", "in"):
        return bool(_close(match, drugs, starts, 60))
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


def _beside(match: re.Match[str], drugs: list[Span], starts: list[int]) -> bool:
    """Is a drug right before or after?"""
    between = re.compile(r"(?:(?: in| of)? ?|[ (]{0,2}|\s(?:drops|cream|ointment|gel|solution|patch)\s)")
    at = bisect_left(starts, match.start())
    after = at < len(drugs) and between.fullmatch(match.string, match.end(), drugs[at].start)
    before = at > 0 and between.fullmatch(match.string, drugs[at - 1].end, match.start())
    return bool(after or before)
