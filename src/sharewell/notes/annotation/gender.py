"""Words that tell a patient's sex, neutral words for them, and ages beside a letter for the sex.

>>> text = "She is a 47-year-old woman; her son drove."
>>> made = [(text[start:end], neutral_word(text[start:end], text[end:])) for start, end, sex, sure in sex_words(text)]
>>> made
[('She', 'They'), ('woman', 'person'), ('her', 'their')]
>>> [pair[:4] for pair in ages_beside_sex("41/F, T 101F, bed F12, 14F Foley")]
[(0, 2, 3, 4)]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sharewell.io.shipped import shipped_rows

_ROWS = {row["word"]: row for row in shipped_rows("notes/sex_words.csv")}
_SEX = {word: row["sex"] for word, row in _ROWS.items()}
_NEUTRAL = {word: row["neutral"] for word, row in _ROWS.items()}
_TITLES = frozenset(("mr", "mrs", "ms", "miss", "sir", "mister"))
_PARENTS = frozenset(("mother", "father", "mom", "mum", "dad", "grandmother", "grandfather", "grandma", "grandpa"))
"""Somebody's mother tells nothing of the patient; "a mother of two" does."""
_PLAIN_WORDS = "|".join(sorted(set(_SEX) - _TITLES - _PARENTS, key=len, reverse=True)).replace("'", "['’]")
_NO_NAME = (
    r"(?i:contin|brain|head|neck|spine|cervical|thoracic|lumbar|abdomen|pelvis|knee|hip|shoulder|cardiac|liver|breast"
    r"|prostate|angio\w*|imag\w*|venogr\w*|enterogr\w*|elastogr\w*|cholangio\w*|arthro\w*|urogr\w*|spectro\w*|scans?"
    r"|and|or|with|without|wo|tr|ar|as|ai|pr|ms|mr|mild\w*|moderate\w*|severe\w*|trace|no|not|noted|seen|excluded|is|was"
    r"|has|due|to|of|in|on|by|for|from|at|patient|pt|symptoms|flares?|exacerbation|changes|gradient|jet|vena|grade"
    r"|eccentric|functional|ischemic|secondary|primary|degenerative|significant|iv|po|prn|im|sc|sl|ir|er|sr|mg)\b"
)
"""What follows MR (regurgitation, resonance) and MS (a disease, morphine), where a name would follow a title."""
_RACES = r"white|black|caucasian|cauc|african[ -]american|hispanic|latin[oax]|asian|native american|aa|wh|blk"
_RACE = rf"(?:{_RACES}|w|b|h|o)"
_OLD = r"(?:\by ?[/.-]? ?o\b\.?|\d ?yo\b|\bold\b|\byrs?\b\.?|\d ?y\b)"
_WEEKDAYS = r"(?![-/, ]{0,2}(?:W|T|Th|Tu|We|F|Fr)\b)"
_NO_TRACER = r"(?![ -]?(?:FDG|PET|PSMA|DOPA|NaF|fluor\w*|florbet\w*)\b)"
_LETTER_ENDS = rf"\b(?!\.\d|°|/[uµ]?L\b|/[uUcCrRnN]\b){_NO_TRACER}"
"""After the letter: no decimals, no units, no f/u or m/r/g, no fluorine."""
_WORDS = re.compile(
    rf"\b(?!(?i:her?|m[rs])-\d)(?P<sex>(?i:{_PLAIN_WORDS})|Mrs|Mr|Ms|Miss|MRS|Mister|MISTER"
    r"|(?<!(?i:near) )MISS|Sir|SIR"
    rf"|(?:MR|MS)(?=\.? ?(?:[A-Z]['’\w-]|\*\*|[\[<]))(?!\.? ?{_NO_NAME})"
    rf"|(?i:{'|'.join(sorted(_PARENTS, key=len, reverse=True))})(?= (?i:of|to|x) ))\b"
)
_LETTERS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?i:new|single|nursing|expectant|working|first[ -]time|stay[ -]at[ -]home) "
        r"(?P<sex>(?i:mother|mom|father|dad))\b",
        rf"(?i:{_OLD})[ ,/(-]{{0,3}}(?:[\w-]+ ){{0,2}}(?i:{_RACE})?[ -]?(?P<sex>[MF]){_LETTER_ENDS}{_WEEKDAYS}",
        rf"(?i:{_OLD})[ ,/(-]{{0,3}}(?i:{_RACE} ?)?(?P<sex>[mf])\b(?![.°/'’]\w)",
        r"(?i:yo|y/o)(?P<sex>[MFmf])\b",
        r"\((?P<sex>[MF])\)",
        r"\b(?i:sex|gender)(?:[ \t]{0,2}[:=/|-])?[ \t]{0,3}(?P<sex>[MFmf])\b(?!['’/])",
        rf"\b(?i:{_RACES})[ /-](?P<sex>[MF]){_LETTER_ENDS}",
        r"\b(?P<sex>(?i:wf|aaf|aam))\b",
        r"(?:[1-9]\d|\d[\]}]|\[age\]|\bold|\byo|y/o)[ ,-]{0,2}(?P<sex>(?i:[bwh][mf]))\b",
        r"(?:\d[\]}]|\[age\])[ \t]?[/;,|(-]?[ \t]?(?P<sex>[MF])\b(?!\.|/|['’])",
        r"(?<![\w&])(?P<sex>[MF])[ \t]?[/;,|]?[ \t]?(?=\[age\]|\[\d|\{\d)",
        r"\b(?P<sex>(?i:[bw][mf]))(?=,? {0,2}(?:aged? )?[1-9]\d\b)",
        r"\b(?i:elderly|young|pleasant|obese|healthy|this) (?P<sex>[MF])\b(?![.'’-])",
        r"\b(?P<sex>[MF]) (?=(?:pt|patient)s?\b)",
    )
)
_OF_PATIENT = re.compile(
    r"(?:years?[ -]old|y/?o|yo|year|aged? \d+|patient is an?|pleasant|\d)[ ,-]*(?:\w+ ){0,2}$", re.IGNORECASE
)
_PLAIN = ("he", "she", "his", "her", "him")

_AGE = r"(?P<age>1[01]\d|[1-9]\d)"
_NO_AMOUNT = (
    r"(?![a-xzA-XZ\d%°]|[.:/-]\d|[ \t]?(?:%|°|kgs?|lbs?|pounds|cm|mm|mg|mcg|ml|cc|bpm|hrs?|hours?|mins?|minutes|secs?"
    r"|days?|weeks?|wks?|months?|mos?|am|pm|a\.m|p\.m|units?|percent|degrees|miles|blocks|steps|feet|ft|inch\w*)\b)"
)
_BEFORE_AGE = r"(?<![\w$€£])(?<!\d[.,:/-])"
_YEARS = r"(?:[ \t-]{0,2}(?:y(?:ea)?rs?|y)\b\.?)?"
_PAIRS = (
    # 41F, 41/F, 41;F, 41 white F, 41 yrs F
    re.compile(
        rf"{_BEFORE_AGE}(?P<age>1[01]\d|[1-9]\d|\d(?=[ \t]?[/;|])){_YEARS}[ \t]{{0,2}}[/;,|(-]?[ \t]{{0,2}}"
        rf"(?:(?i:{_RACE})[ \t/]{{0,2}})?(?P<sex>[MF]){_LETTER_ENDS}"
    ),
    # 41/f, 41f, 41 wf, 41m with pain
    re.compile(
        rf"{_BEFORE_AGE}{_AGE}{_YEARS}(?:[ \t]?[/;|][ \t]?(?P<sex>[mf])|[ \t]?(?:f|(?:w|b|aa)[mf])"
        r"|[ \t]?m(?= (?:with|w/|c/o|s/p|p/w|presents|presenting|here|who|h/o|hx|admitted)))\b(?![/.°'’]\w)"
    ),
    # F41, F/41, F, 41, M 41
    re.compile(rf"(?<![\w&])(?<!M-)(?P<sex>[MF])(?:[ \t]?[/;,|-][ \t]?|[ \t]{{0,2}}){_AGE}{_NO_AMOUNT}{_NO_TRACER}"),
    re.compile(rf"(?<![\w&/])(?P<sex>[mf])[ \t]?/[ \t]?{_AGE}{_NO_AMOUNT}"),
    re.compile(r"(?<![\w&/])(?P<sex>[MF])[ \t]?/[ \t]?(?P<age>\d)\b(?![.:/-]\d)"),
    # WF 41, AAM, 41
    re.compile(rf"\b(?P<sex>(?i:(?:w|b|aa)[mf])),? {{0,2}}{_AGE}{_NO_AMOUNT}"),
)
_MEASURE = (
    r"hr|rr|bp|sbp|dbp|map|sats?|spo2|o2|pulse|rate|wt|weight|bmi|wbc|hgb|hb|hct|plts?|glucose|ef|inr|score|gcs|bun"
)
_NUMBERED = re.compile(
    r"(?:\b(?:bed|beds|room|rm|ward|bay|pod|apt|suite|size|gauge|stage|grade|table|figure|fig|tooth"
    rf"|icd(?:[ -]?10)?(?:-?cm)?|{_MEASURE})\.?[ :=#]{{0,2}}(?:code |of |is |was |at )?)\Z",
    re.IGNORECASE,
)
"""Before a number that is no age: a bed's, a size, a code, a measure."""
_MONTHS = re.compile(r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? \Z", re.IGNORECASE)
_FEVER = re.compile(
    r"\b(?:temp\w*|t|tm|tc|tmax|t-max|fevers?|febrile|afebrile|spik\w+|hypotherm\w+|hypertherm\w+|grade|vs|vitals?)"
    r"(?:[ \t:=~<>(-]|\b(?:max|curr?ent|temp|fevers?|oral|po|of|is|was|to|at|up|as|high|low|grade|around|about|now"
    r"|today)\b){0,8}\Z",
    re.IGNORECASE,
)
_TAKEN = re.compile(r"[,;)]? ?(?:oral\w*|rectal\w*|axillary|tympanic|temporal|degrees)\b", re.IGNORECASE)
_DEVICE = re.compile(
    r"[ -](?:(?:chest|feeding|ng|nasogastric|urinary|biliary|suprapubic|arterial|venous|dialysis|silicone|peg) )?"
    r"(?:foley|catheter|sheath|introducer|tube|dilator|drain|pigtail|coude|cannula|french)\b",
    re.IGNORECASE,
)
_DECIMAL = re.compile(r"\d\.\d ?\Z")
_COLD, _THICK, _LAST_DAY = 85, 36, 31
"""Degrees Fahrenheit of a body begin there, French sizes and days of a month end there."""


class AgeBesideSex(NamedTuple):
    """An age and the letter that stands beside it; no letter where the words of the sex are found by themselves."""

    start: int
    end: int
    letter: int
    letter_end: int
    sex: str
    sure: bool
    """May a row say it? F41 may be a code as well."""


def ages_beside_sex(text: str) -> Iterator[AgeBesideSex]:
    """Ages beside a letter for the sex: 41/F, 41F, F41. Temperatures, beds, sizes and codes are none."""
    for rank, pattern in enumerate(_PAIRS):
        for match in pattern.finditer(text):
            start, end = match.span("age")
            number_first = match.end() > end  # the number stands before the letter
            day = int(match["age"]) if text[end : end + 1] in (" ", ",") else None
            if is_other_number(text, match.start(), day) or (number_first and is_measure(text, start, match.end())):
                continue
            letter_group = "sex" in pattern.groupindex and match["sex"]
            letters = match.span("sex") if letter_group else (match.end() - int(number_first), match.end())
            sex = text[slice(*letters)][-1:].upper()
            yield AgeBesideSex(start, end, *letters, sex, sure=rank == 0 or len(match[0]) > 3)


def is_other_number(text: str, start: int, day: int | None) -> bool:
    """Do the words right before a number say that it is a bed's, a code, a measure, or (if it may be) a month's day?"""
    before = text[max(0, start - 20) : start]
    return bool(_NUMBERED.search(before)) or (day is not None and day <= _LAST_DAY and bool(_MONTHS.search(before)))


def is_measure(text: str, start: int, end: int) -> bool:
    """A number and an F: 101F after a word for fever, 14F before one for a tube."""
    figures = re.match(r"\d+", text[start:end])
    if not figures or text[end - 1] not in "Ff":
        return False
    number, before = int(figures[0]), text[max(0, start - 30) : start]
    if number >= _COLD and (_FEVER.search(before) or _TAKEN.match(text, end)):
        return True
    return number <= _THICK and _DEVICE.match(text, end) is not None


def sex_words(text: str) -> list[tuple[int, int, str, bool]]:
    """(start, end, M or F, is it said of the patient rather than of anybody): words and letters that tell a sex."""
    sexes = {(pair.letter, pair.letter_end, pair.sex, pair.sure) for pair in ages_beside_sex(text) if pair.sex}
    for pattern in (_WORDS, *_LETTERS):
        for match in pattern.finditer(text):
            before = text[max(0, match.start() - 30) : match.start()]
            if match[0].startswith("(") and (_FEVER.search(before) or _DECIMAL.search(before)):
                continue
            word = match["sex"].lower().replace("’", "'")
            if word in _SEX:
                of_patient = word in _PLAIN or _OF_PATIENT.search(before) is not None
                sexes.add((*match.span("sex"), _SEX[word], of_patient))
            else:
                sexes.add((*match.span("sex"), word[-1].upper(), True))
    return sorted(sexes)


def neutral_word(word: str, after: str = "") -> str:
    """The same without the sex, written alike; a letter becomes a mark."""
    lower = word.lower().replace("’", "'")
    if lower not in _NEUTRAL:
        return "[sex]"
    replacement = "them" if lower == "her" and not re.match(r" \w", after) else _NEUTRAL[lower]
    return (
        replacement.upper()
        if word.isupper() and len(word) > 1
        else replacement[0].upper() + replacement[1:]
        if word[0].isupper()
        else replacement
    )
