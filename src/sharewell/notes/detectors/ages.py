"""Ages over 89, which identify by themselves. Younger ages are found on request, for tables made from notes.

A number is an age by the words around it: "94-year-old", "94 y/o", "aged 94", "died at 97", "94F", "in her 90s",
"95th birthday", "ninety-four years of age", "Mabel Kruse, 92,", "her twin, also 99", "F/94", and in a table under
"Age" or beside initials or a sex. Percents, counts, weeks of gestation, vital signs and pack-years are not. A year of
birth counts as a date if another year of the note makes that person older than 89.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.engine.lexicons import people, words
from sharewell.notes.engine.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_AFTER = re.compile(
    r"(?<![\w.,/-])(?P<age>\d{1,3})(?:"
    r"[ -]{0,2}(?:years?|yrs?|yr|y)\.?(?:[ -]{1,2}|(?=o))(?:old|o\b|of age|young)"
    r"|[ -]?y\.?[ /]?o\b\.?|[ -]?y/o\b|[ -]?yrs?\.?(?= (?:male|female|man|woman|gentleman|lady|m\b|f\b))"
    r"|[ -]?year(?:[ -]old)?s?(?= (?:male|female|man|woman|gentleman|lady))"
    r"|(?:st|nd|rd|th) (?:birthday|b-?day)|[ -]?(?:m|f)\b(?= (?:with|w/|presents|presenting|who|admitted|s/p|p/w"
    r"|c/o|here"
    r"|pt|patient|from|brought|hx|h/o))"
    r"|(?=,? (?:years|yrs)(?: |\.|,|;|$)(?!(?:ago|later|of (?!age)|and|or|prior|after|in|on|with|x|pack|smok"
    r"|experience|history)))"
    r"|[ -]?(?:yo|y\.o\.)(?:[mf]\b)?|yom\b|yof\b|y(?!\w|[/-])| ?y/?[mf]\b)"
)
_BEFORE = re.compile(
    r"\b(?P<cue>age(?:d|s)?(?:(?: in years| at [a-z ]{3,20}?)? ?[:=]| of| is| was|/sex:?)?|(?:died|passed away"
    r"|passed|deceased|expired|living|alive)(?:(?: [a-z]+){0,5}? at(?: the age of| age)?)?"
    r"|turn(?:s|ed|ing)|lived to(?: be)?|(?:s?he|patient|pt|mother|father|husband|wife|sister|brother"
    r"|grandmother|grandfather|aunt|uncle) (?:is|was)(?: now)?|is now"
    r"|(?:mother|father|husband|wife|sister|brother|grandmother|grandfather|mom|dad|son"
    r"|daughter),|dob[^\n]{4,16}\(?age:?)"
    r"[ \t:=(]{1,3}(?P<age>\d{1,3})(?![\d.,:/-]*\d|\s?(?:%|mg|mcg|ml|kg|lbs?|pounds?|cm|mm|in\b|inch|bpm|beats"
    r"|degrees|weeks?|wks?|months?|mos?\b|days?|hours?|hrs?|minutes?|min\b|units?|points?|percent|packs?|on (?:ra"
    r"|room|\d|o2|nc|hfnc|bipap|cpap)\b"
    r"|over|systolic|steps|feet|ft))"
)
_CERTAIN_CUES = ("age", "died", "passed", "deceased", "expired", "turn", "lived", "dob")
_DECADE = re.compile(r"\b(?:early |mid |late |mid-)?(?P<age>9\d|1[0-2]\d)['’]?s\b(?! (?:systolic|%|on\b|bpm|mmhg|/))")
_DECADE_BEFORE = re.compile(r"\b(?:his|her|their|the|in)(?: (?:early|mid|late|mid-))?[ ]*$")
_WORDS = re.compile(
    r"\b(?:ninety(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:(?:a|one)[ -])?hundred(?:[ -]and)?(?:[ -](?:one|two|three|four|five|six|seven|eight|nine|ten))?)"
    r"(?=[ -](?:years?|yrs?)[ -](?:old|of age))|\b(?:nonagenarians?|centenarians?|supercentenarians?)\b"
)
_NINETIES = re.compile(r"\b(?:her|his|their)(?: (?:early|mid|late)[ -]?)? ?(?P<age>nineties)\b")

_ALONE = re.compile(
    r"(?<![\w.,/-])(?P<age>\d{2,3}) ?[mf]\b(?![./°-]|,? (?:and|at|tmax|temp|today|overnight|this|to|or|in)\b)"
    r"|(?<=is )(?P<other>\d{2,3})(?=, |\.\s|\.$| and (?:lives|has|is|still)|; )"
)
_NAMED = re.compile(r"[A-ZÀ-Þ](?:[\w'’-]+|\.)(?: \(?\"?[A-ZÀ-Þ](?:[\w'’-]+|\.)\"?\)?)?,? \(?$")
_AFTER_NAME = re.compile(
    r"(?=[,;)\t!]|\.(?: [A-Z]|\s*$)|\s*$| [–—-] | (?:of|was|is|has|had|last|passed|died|peacefully|next|and|with"
    r"|who|from|lives|living|here|admitted|on|this|in|now|at|today"
    r"|but|tomorrow)\b)"
)
_KIN = (
    r"mother|father|mum|mom|mam|mama|dad|dada|gran|granny|nan|nana|nanny|grandmother|grandfather|grandma|grandpa"
    r"|grandad"
    r"|granddad|gramps|grandparents?|great-?\s?(?:aunt|uncle|grandmother|grandfather|gran)|aunt|auntie|aunty|uncle|wife"
    r"|husband|spouse|partner|widow|widower|sister|brother|twin|cousin|neighbou?r|friend|carer|lady|gentleman|woman|man"
    r"|patient|pt|client|resident|participant|veteran|male|female|nun|priest|mother-in-law|father-in-law|mil|fil"
    r"|oma|opa|abuela|abuelo|nonna|nonno|parents?"
)
_SPELT = re.compile(
    r"\b(?:ninety(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?|(?:a |one )hundred(?:(?: and)?[ -](?:one|two"
    r"|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen))?)\b"
)
_NO_AGE = re.compile(
    r"\s?(?:%|°|percent|per\b|mg|mcg|µg|ug|g\b|ml|l\b|kg|kilos?|lbs?|pounds?|cm|mm|m\b|km|in\b(?! (?:jan|feb|mar|apr"
    r"|may|"
    r"jun|jul|aug|sep|oct|nov|dec|a |her|his|two|three|the (?:spring|summer|autumn|fall|winter)))|inch|bpm|beats"
    r"|degrees"
    r"|weeks?|wks?|months?|mos?\b|days?|hours?|hrs?|minutes?|mins?\b|secs?|units?|points?|packs?|over|systolic|steps"
    r"|feet"
    r"|ft|meters?|metres?|miles?|dollars|euros|times|x\b|mmhg|ms\b|msec|mmol|meq|calls?|tablets?|tabs|pills|caps|people"
    r"|patients|beds|cases|doses|ampoules|thousand|on (?:ra|room|\d|o2|nc|hfnc|bipap|cpap|air|oxygen)\b|to \d|[-–] ?\d"
    r"|[:/.,]\d|and ninety|or so (?:ml|mg))"
)
_TOLD_BEFORE = re.compile(
    r"(?:\b(?:man|woman|lady|gentleman|patients?|pts?|residents?|is|are|aged?|those) (?:well )?"
    r"(?:over|past|above) |\bage[ds]?(?: of| is| was| at [a-z ]{3,16})?[ :=(]*|\b(?:turn(?:s|ed|ing)?|liv(?:es?"
    r"|ed|ing) to(?: be"
    r"| see)?|reach(?:ed|es"
    r"|ing)?(?: the age of)?|nearly|almost|approaching|pushing|insists|says|a ripe old|ripe old age of|until|till"
    r"|mak(?:es|ing) (?:him|her|them)|celebrat(?:es|ed|ing)(?: (?:his|her|their))?"
    r"|died(?: [a-z]+){0,5}? at|passed(?: away)?(?: [a-z]+){0,4}? at"
    r"|dead at|alive at|well at|be|he[’']?s|she[’']?s|they[’']?re|i am|i[’']?m|who is|who was|is now|now|also|just)"
    rf" [\"“']?|\b(?:{_KIN})(?:[’']s|,? (?:is|was|at|of|to|now|aged?|also|died at|who is|will be|turns"
    rf"|turned))?[,:]? [(\"“']?"
    rf"|\b(?:he|she|they)(?:[’']s| is| was| will be| turns| turned)(?: now| nearly| almost| only| just)? )$"
)
_TOLD_AFTER = re.compile(
    r"[\"”']? (?:too (?:old|young|frail)|already|next(?: birthday| year| month| week)|years? young|tomorrow|candles"
    r"|now[,;.]|\) (?:lady|gentleman|man|woman|male|female)\b|at enrol\w*|at diagnosis|at (?:the )?time of death"
    r"|when (?:he|she) died|yrs?\b|y\b|not out)"
)
_PAIRED = re.compile(r"(?<![\w./-])(?P<other>9\d|1[01]\d)(?: and| or| &) $")
_WITH_SEX = re.compile(r"(?:\b(?:sex|gender)[: ]+)?(?<![\w/])(?:[mf]|male|female|man|woman|fem)\b ?[/,|( ] ?$")
_THEN_SEX = re.compile(r" ?[/,|] ?(?:[mf]|male|female|man|woman)\b(?!['’])")
_CELL = re.compile(r"[ \t]*(?:[|;\t]|$)", re.MULTILINE)
_CELL_BEFORE = re.compile(
    r"(?:\b(?:[A-Z]\.? ?){2,3}|\b[A-Z]\.? ?[A-Z][A-Za-z]{1,3}\.?|\b[A-Z][a-z'’-]+,? [A-Z][A-Za-z.'’-]*"
    r"|\b[MF])[ \t]*[|;\t][ \t]*$"
)
_BORN = re.compile(
    r"\b(?:born|b\.|birth year|year of birth|yob|dob)[ :]{0,2}(?:(?:in|on"
    r"|year)[ :]){0,2}(?P<year>1[89]\d\d)\b(?![-/]\d)"
)
_SUBJECT = re.compile(
    rf"(?:\b(?:[Ss]he|[Hh]e|[Tt]hey|[Ww]ho|{_KIN}|{_KIN.title()}|(?P<name>[A-ZÀ-Þ][a-zà-ÿ]+))[\")”]*,?)"
    r" (?:is|was|will be|turned|turns|turning|now|also|just turned|being|is now|is also)(?: now| almost| nearly|"
    r" only)? $"
)
_MEASURED = re.compile(
    r"\b(?:temp(?:erature)?|fever|t|tm|tmax|febrile|afebrile|sats?|saturations?|saturating|spo2|sao2|o2|pulse|hr|rr"
    r"|rate|bp"
    r"|map|sbp|dbp|pressure|systolic|diastolic|weigh(?:s|ed|t)|glucose|sugars?|scores?|scored|levels?|wt|height|sodium"
    r"|na|cl|chloride|potassium|creatinine|cr|bun|count|platelets?|plts?|iq|heart|result|value|dose|goal|max|e?gfr|hb"
    r"|hgb|ldl|hdl|inr|ptt|aptt|pao2|paco2|co2|crp|esr|wbc|bmi|qtc|qrs|bgl?|bm|cbg|fbs|fsbs|bsl|peak flow|percentile"
    r"|fio2|ef|mch|mcv|mchc|alt|ast|alp|ggt|ldh|ck|troponin|tsh|psa|urea|cvp|icp|cpp|bis|room|bed|ward|page|case|step"
    r"|rates?|readings?|cost|ekg|ecg|tachy\w*|brady\w*|sinus|rhythm|interval|suite|unit|apt|flat"
    r"|number|line|bay|code|extension|ext|pager|hwy|highway|route|exit|version|type|mg|ml|vol(?:ume)?|rpm|dial)\b"
)
_AFTER_AGE = frozenset("ymfsnrt")
"""What the words behind an age begin with: years, male, 90s, 95th birthday."""
_Places = Sequence[tuple[int, int]]


def _in_words(low: str) -> bool:
    return "ninet" in low or "hundred" in low or "enarian" in low


def _great(low: str, start: int, end: int) -> bool:
    """May a number over 89 be an age?"""
    if low[max(0, start - 4) : start] in ("age=", "mid-") or (
        low[start - 1 : start] in ("~", ">") and low[end : end + 2].strip(" -")[:1] == "y"
    ):
        return True
    return (
        (low[end : end + 1] != "/" or bool(_THEN_SEX.match(low, end)))
        and low[max(0, start - 1) : start] != "."
        and not low[max(0, start - 2) : start].endswith((":", "#", "$", "£", "€", "<", ">", "=", "~", "-", "–"))
    )


_THEN_THEY = re.compile(r",? (?:he|she|they|pt|patient|mum|mom|dad|gran|nan)\b")
_DEAD = re.compile(r"\bd\.? (?:at |aged? )?$")
_BORN_BEFORE = re.compile(r"\b(?:dob|d\.o\.b\.?|born|birth)[ :.]{1,4}[\w/.,-]{4,12}(?: [\w,]{2,9}){0,2} {0,3}\($")
"""DOB 30/04/1933 (91)."""
_OF_KIN = re.compile(rf"\b(?:{_KIN}|[mp]?g[mf]|m|f)\b[^\n]{{0,14}}$")


def _told(low: str, start: int, end: int, paired: bool = True) -> bool:
    """Do the words around say that a great number is an age, and not a measure?"""
    if _NO_AGE.match(low, end):
        return False
    before = low[max(0, start - 40) : start]
    said = before[max(before.rfind(". "), before.rfind("; "), before.rfind("\n")) + 1 :]
    if _MEASURED.search(said):
        return False
    if _TOLD_BEFORE.search(said) or _TOLD_AFTER.match(low, end):
        return True
    if said.endswith("at ") and (_THEN_THEY.match(low, end) or (said.strip() == "at" and low[end : end + 1] == ",")):
        return True
    if low[end : end + 1] == ")" and _BORN_BEFORE.search(before):
        return True
    if _DEAD.search(before) and _OF_KIN.search(before):
        return True
    if paired and (pair := _PAIRED.search(said)):  # both alive at 90 and 92
        return _told(low, start - len(said) + pair.start("other"), start - len(said) + pair.end("other"), paired=False)
    return bool(_WITH_SEX.search(said) or _THEN_SEX.match(low, end)) and low[end : end + 1] != "-"


def _in_cell(text: Text, start: int, end: int) -> bool:
    """Does a number fill a cell of a table under "Age", or beside initials, a name or a sex?"""
    line = text.rfind("\n", max(0, start - 400), start) + 1
    if start - line > 400:  # no row of a table is so long
        return False
    before = text[line:start]
    mark = next((sign for sign in "|\t;," if sign in before or text[end : end + 1] == sign), "")
    if not mark or not (_CELL.match(text, end) or text[end : end + 1] == mark):
        return False
    if before.rstrip(" ")[-1:] not in ("", mark):
        return False
    if mark != "," and _CELL_BEFORE.search(before) and not _MEASURED.search(before[-16:].lower()):
        return True
    column, upto = before.count(mark), line
    for _ in range(40):  # the header is the nearest row above whose cell of this column says so
        above = text.rfind("\n", 0, max(0, upto - 1)) + 1
        row = text[above : max(above, upto - 1)].split(mark)
        if len(row) > column and row[column].strip(' "*').lower() in (
            "age",
            "age (y)",
            "age (yrs)",
            "age/yrs",
            "age, y",
            "years",
        ):
            return len(row) > 1
        if above == 0:
            return False
        upto = above
    return False


def _spelt(text: Text) -> Iterator[Span]:
    """Ages in words."""
    low = text.folded
    for match in _SPELT.finditer(low):
        start, end = match.span()
        if low[end : end + 4] == " in " and _DIED.search(low, max(0, start - 8), start):
            yield Span(start, end, "AGE", 0.6, "age in words")
        elif _told(low, start, end) or (
            (_after_name(text, start, end) or _set_off(low, start, end)) and not _NO_AGE.match(low, end)
        ):
            yield Span(*match.span(), "AGE", 0.6, "age in words")


_DIED = re.compile(r"\bat $")
_THEN_STOP = re.compile(r"[,.;)]| (?:but|and|from|who|lives|last|next)\b")
_SET_OFF = re.compile(r"(?:[.?!:,(]|\ba:) ?$")


def _set_off(low: str, start: int, end: int) -> bool:
    """ "Ninety-two, from Hull": between stops, and no amount before or after."""
    if low[start : start + 3] != "nin" or not _THEN_STOP.match(low, end):
        return False
    before = low[max(0, start - 40) : start]
    return _SET_OFF.search(before) is not None and not _MEASURED.search(before[before.rfind("\n") + 1 :])


def _births(text: Text) -> Iterator[Span]:
    """Years of birth that make somebody older than 89 by another year of the note."""
    low = text.folded
    years = [(start, end, int(low[start:end])) for start, end in text.digits if end - start == 4]
    written = [year for start, _, year in years if 2000 <= year < 2100 or (year >= 1900 and not _in_date(low, start))]
    latest = max((year for year in written if year < 2100), default=0)
    for start, end, year in years:
        if 1800 <= year < 2000 and latest - year > 89:
            for match in _BORN.finditer(low, max(0, start - 32), end + 2):
                if match.start("year") == start:
                    yield Span(start, end, "DATE", 0.6, "year of birth that tells a great age")


def _in_date(low: str, start: int) -> bool:
    return low[start - 1 : start] in _DATE_SIGNS


_DATE_SIGNS = frozenset("/.-")


def _after_name(text: Text, start: int, end: int) -> bool:
    """Miss Pettibone, 97, came: a comma between a capitalised word and the number, and nothing measured."""
    before = text[max(0, start - 40) : start]
    if not _AFTER_NAME.match(text, end):
        return False
    before = before[max(before.rfind("\n"), before.rfind(";")) + 1 :]
    if (titled := _TITLED.search(before)) and not _MEASURED.search(titled[0].lower()):
        return True
    subject = _SUBJECT.search(before)
    if subject and not _MEASURED.search(before.lower()):
        return not subject["name"] or words().get(subject["name"].lower(), "9") > "2"
    if not before.endswith((", ", " (", ", (")):
        return False
    if text[start].isdigit() and before.endswith(", ") and _BETWEEN.match(text, end) and before[-3:-2].isalpha():
        return int(text[start:end]) < 110 and not _MEASURED.search(before.lower())
    named = _NAMED.search(before)
    last = before.rstrip(" ,()")[-2:]
    shout = last.isalpha() and last.isupper() and not text.caseless and not _is_surname(before)
    return bool(named) and not _MEASURED.search(before.lower()) and not shout


_BETWEEN = re.compile(r", [a-z]{2}")
"""frail, 95, lives alone: a great number by itself between two commas, and words after it."""
_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Mister|Madam|Dame|Sir|Sr|Fr|MR|MRS|MS"
    r"|MISS)\.?(?: [\"“(]?[A-ZÀ-Þ][\w'’.-]*[\"”)]?){1,3},? \(?$"
)
"""Mrs Ada Kell 94, …"""


def _is_surname(before: str) -> bool:
    """Is the last word, all in capitals, a surname and no abbreviation?"""
    word = before.rstrip(" ,()").rpartition(" ")[2].lower()
    return len(word) > 3 and word in people() and words().get(word, "9") > "2"


@dataclass(frozen=True)
class Ages:
    """Finds ages of `least` years and more."""

    name: ClassVar[str] = "ages"
    least: int = 90

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        low = text.folded
        if self.least < 90:
            everywhere = [(0, len(low))]
            return list(self._find(low, everywhere, everywhere))
        large = [run for run in text.digits if 1 < run[1] - run[0] < 4 and 90 <= int(low[run[0] : run[1]]) < 130]
        great = [run for run in large if _great(low, *run)]
        places = [(max(0, start - 80), end + 60) for start, end in great]
        spans = [
            Span(start, end, "AGE", 0.6, "age by the words or the table around it")
            for start, end in great
            if _after_name(text, start, end) or _told(low, start, end) or _in_cell(text, start, end)
        ]
        if places or _in_words(low):
            letters = {low[end : end + 3].lstrip(" ,-'’")[:1] for _, end in large}
            announced = not _AFTER_AGE.isdisjoint(letters) or "is 9" in low or "is 1" in low
            spans += self._find(low, places, places if announced else [])
        if "ninety" in low or "hundred" in low:
            spans += _spelt(text)
        if "b" in low and ("born" in low or "birth" in low or "dob" in low or "b." in low or "yob" in low):
            spans += _births(text)
        return spans

    def _find(self, low: str, places: _Places, announced: _Places) -> Iterator[Span]:
        """Ages; where only great ones count, numbers are tried around such numbers alone, and what is told by the
        words behind it where a letter stands there that may begin them."""
        for pattern, certainty, tried in ((_AFTER, 0.95, announced), (_BEFORE, 0.85, places)):
            for match in chain.from_iterable(pattern.finditer(low, *place) for place in tried):
                sure = pattern is _AFTER or match["cue"].startswith(_CERTAIN_CUES)
                if self.least <= int(match["age"]) <= 125 and (sure or int(match["age"]) < 112):
                    yield Span(*match.span("age"), "AGE", certainty if sure else 0.6, "age in years")
        for match in chain.from_iterable(_ALONE.finditer(low, *place) for place in announced):
            before = low[max(0, match.start() - 32) : match.start()]
            group = "age" if match["age"] else "other"
            if self.least <= int(match[group]) <= 112 and not _MEASURED.search(before):
                yield Span(*match.span(group), "AGE", 0.6, "age and sex, or an age in passing")
        if self.least >= 20:
            for match in chain.from_iterable(_DECADE.finditer(low, *place) for place in announced):
                said = low[max(0, match.start() - 24) : match.start()]
                theirs = int(match["age"]) < 100 or not said.rstrip().endswith(("in the", " in"))
                if theirs and _DECADE_BEFORE.search(said) and not _MEASURED.search(said):
                    yield Span(*match.span("age"), "AGE", 0.6, "decade of life")
            for match in _WORDS.finditer(low) if _in_words(low) else ():
                yield Span(*match.span(), "AGE", 0.9, "age in words")
            for match in _NINETIES.finditer(low) if "nineties" in low else ():
                yield Span(*match.span("age"), "AGE", 0.9, "age in words")
