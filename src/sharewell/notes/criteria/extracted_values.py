"""Extracted values: of what was made a table from notes, a note shows what the person's published row shows, no more.

## Guarantee
The rows that the steward keeps person by person are those of the published table; and no published note holds an age, a
birth date, a day, a year of an event, a zip code or a word for the patient's sex that says more than the cell of that
person's row. The value is the number of persons whose notes hold one.

## Adversary
Reads the notes and the table, and tells the people of one class apart by the ages, sexes, dates and places in their
notes: the table's k would then be worth nothing.

## What it does not protect
**The table's criterion, such as k-anonymity, holds for the extracted values alone.** A rare diagnosis, occupation or
story may single a person out, whatever k is. Names of towns and states are not judged: without the detectors' lists
they look like other words. First names, occupations ("waitress"), diagnoses of one sex, and MR or MS with no name after
it may tell the sex. Forms that neither the detectors nor this judge know stay: "genleman", "41 summers", an age in a
table far from its heading, in another language, or by an event ("since the war").

## Parameters
None in a policy: a release fills them in.
rows: whose row shows what (`person`, then a column for each attribute).
table: the published table.
columns: the attributes, of age, sex, first, last, year, zip, city, state.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.notes import ExtractedValues, Notes
>>> rows = pa.table({"person": ["p1", "p2"], "age": ["[45-49]", "[45-49]"]})
>>> must = ExtractedValues(rows, rows.select(["age"]), ("age",))
>>> texts = ["A [45-49]-year-old man.", "Aged 47, well."]
>>> print(must.check(Notes.of(texts, ["p1", "p2"])))
extracted-values = 1 persons (≤ 0: FAILS)

## Why it is safe
Patterns that share nothing with the detectors search every published note for such values, after the cells of the
person's own row are taken out. Entities of HTML, odd blanks, hyphens and digits are read as a screen shows them. A
number that may be an age, by the words before and after it, counts as one, so a doubt fails. A row that is not in the
published table fails the criterion.

## Cost
O(length of the text) for each note.

## Source
Gardner and Xiong, HIDE: An integrated system for health information de-identification, 2008; the judge is ours.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from sharewell.findings import Finding, Sense
from sharewell.io.sources import Evidence
from sharewell.notes.data import Notes
from sharewell.notes.engine.checks.known_value_search import plain
from sharewell.parameters import Declared
from sharewell.protocols import Criterion

PERSON = "person"
NO_ROWS = "no table was made from these notes — give the dataset `extract`"
OTHER_ROWS = "the rows are not those of the published table"
NOBODY = "nobody says whose notes these are"
_DAYS, _DATES = ("first", "last"), ("first", "last", "year")
_MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_UNIT = r"(?! ?(?:mg|mcg|ml|cc|g|kg|units?|iu|h|hrs?|hours?|cal|steps|%))"
_FIRST = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_WORTH = {word: at for at, word in enumerate([*re.findall(r"\w+", _FIRST), "eighteen", "nineteen"], 1)}
_WORTH |= {"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80}
_WORTH |= {"ninety": 90, "hundred": 100}
_IN_WORDS = "|".join(sorted(_WORTH, key=len, reverse=True))
_NUMBER = re.compile(
    rf"(?<!\d)(?:\d{{1,3}}|1\d{{3}})(?!\d)|\b(?:{_IN_WORDS})(?:[\s_-]{{0,2}}(?:and[\s-])?(?:{_IN_WORDS}))*(?![a-z])",
    re.IGNORECASE,
)
_SPACE = r"[\s_-]{0,3}"
_RACES = r"white|black|caucasian|african.american|hispanic|asian|aa|wh"
_RACE = rf"(?:{_RACES}|w|b)"
_WHO = r"(?:male|female|man|woman|gentleman|lady|boy|girl)"
_OLD = re.compile(
    rf"{_SPACE}(?:(?:years?|yrs?|yeras?|yaers?)\.?{_SPACE}(?:olds?\b|of\s+age|young\b|o\b)|y\s?[/.\\-]?\s?o(?:\b|\.|[mf]\b))"
    r"|(?:st|nd|rd|th)\s(?:birthday|b-?day)"
    rf"|{_SPACE}(?:years?|yrs?|y)\b\.?[\s,]{{1,2}}(?:{_RACE}\s)?(?:{_WHO}\b|[mf]\b(?!['/]))",
    re.IGNORECASE,
)
_YOUNG = re.compile(
    rf"{_SPACE}(?:(?:months?|mos?)\b\.?{_SPACE}(?:old\b|of\s+age)"
    rf"|(?:weeks?|wks?|days?){_SPACE}(?:old\b|of\s+age)[\s,-]{{1,2}}(?:{_WHO}|infant|baby|newborn|neonate|child|patient|pt)\b)",
    re.IGNORECASE,
)
"""Months, weeks and days say more than any year."""
_AGO = re.compile(r"\s(?:years?|yrs?|y)\sago", re.IGNORECASE)
_BORN_BEFORE = re.compile(r"\bborn\s(?:about\s|some\s|approximately\s)?(?:an?\s)?\Z", re.IGNORECASE)
_AGED = re.compile(
    r"\bage[ds]?(?:\b|\Z)(?:\s?/\s?sex|\s?\((?:in\s)?y(?:ea)?rs?\.?\)|\sin\syears)?(?:\s(?:of|is|was|about))?[\s:=~>(|-]{0,3}\Z",
    re.IGNORECASE,
)
_IS = re.compile(
    r"(?:\b(?:s?he|they|patient|pt)(?:\s(?:is|was|will\sbe)|['’]s)(?:\s(?:now|only|just|almost|nearly))?|\bturn(?:s|ed|ing))\s\Z"
    rf"|\b{_WHO}[\s,/;(]{{1,3}}(?:of\s|aged?\s)?\Z",
    re.IGNORECASE,
)
_OLD_BEFORE = re.compile(r"(?<![\d\]\0])(?<![\d\]\0][\s-])\b(?:y\s?/\s?o|y\.o\.|yo)[\s:=]{1,3}\Z", re.IGNORECASE)
_AMOUNT = re.compile(
    r"[a-xz\d%°]|[.:/-]\d|[\s-]{0,2}(?:%|°|k?gs?\b|kilo|lbs?\b|pound|[cm]m\b|mc?g|m[lL]\b|cc\b|bpm|beat|h(?:ou)?rs?\b|min|sec|day"
    r"|we?e?ks?\b|mo(?:nth)?s?\b|[ap]\.?m\b|unit|per\b|percent|degree|mile|block|step|feet|ft\b|inch|point|times|pack|ppd|over\b"
    r"|systolic|on\s(?:ra\b|room|\d)|y(?:ea)?rs?\s(?:ago|post|after|out|sober|clean))",
    re.IGNORECASE,
)
"""What makes a number after "she is" another thing than an age."""
_LETTER = re.compile(
    r"[ \t-]{0,2}(?:(?:y(?:ea)?rs?|y)\b\.?[ \t]{0,2})?(?:[/;,|(-][ \t]{0,2})?"
    rf"(?:(?i:{_RACE})[ \t/]{{0,2}})?(?P<letter>[MF])\b"
    r"(?!\.\d|°|/[uµ]?L\b|/[uUcCrRnN]\b|[ -]?(?:FDG|PET|PSMA|DOPA|NaF|[Ff]l[uo]))"
    r"|[ \t]?[/;|][ \t]?(?P<small>[mf])\b(?![/.°'’]\w)|[ \t]?(?P<near>f|(?:w|b|aa)[mf])\b(?![/.°'’]\w)"
    r"|[ \t]?m(?= (?:with|w/|c/o|s/p|p/w|presents|presenting|here|who|h/o|admitted))"
    rf"|[\s,/;(-]{{1,2}}(?:(?i:{_RACE})\s)?(?i:{_WHO})\b"
)
"""A sex right after a number …"""
_LETTER_BEFORE = re.compile(
    r"(?<![\w&])(?<!M-)[MF](?:[ \t]?[/;,|-][ \t]?|[ \t]{0,2})\Z|(?<![\w&/])[mf][ \t]?/[ \t]?\Z"
    r"|\b(?i:(?:w|b|aa)[mf]),?[ \t]{0,2}\Z"
)
"""… and right before it."""
_TRACER = re.compile(r"[ -]?(?:FDG|PET|PSMA|DOPA|NaF|[Ff]l[uo])")
_COUNTED = re.compile(
    r"(?:\b(?:beds?|room|rm|ward|bay|pod|apt|suite|size|gauge|stage|grade|table|fig(?:ure)?|tooth"
    r"|icd[ -]?(?:10)?(?:-?cm)?|hr|rr|s?bp|dbp|map|sats?|spo2|o2|pulse|rate|wt|weight|bmi|wbc|hgb|hb|hct"
    r"|plts?|glucose|ef|inr|score|gcs|bun)\.?[\s:=#]{0,3}(?:code |of |is |was |at )?)\Z",
    re.IGNORECASE,
)
"""Before the number of a bed, a size, a code, a measure."""
_IN_MONTH = re.compile(rf"\b{_MONTH}\.?\s\Z", re.IGNORECASE)
_WARM = re.compile(
    r"\b(?:temp\w*|t|tm|tc|t-?max|a?febrile|fevers?|spik\w+|hyp\w+therm\w+|grade|vs|vitals?)"
    r"(?:[\s:=~<>(-]|\b(?:max|curr?ent|temp|fevers?|oral|po|of|is|was|to|at|up|as|high|low|grade|around|about|now"
    r"|today)\b){0,8}\Z",
    re.IGNORECASE,
)
_TAKEN = re.compile(r"[,;)]? ?(?:oral|rectal|axillary|tympanic|temporal|degrees)", re.IGNORECASE)
_TUBE = re.compile(
    r"[ -](?:(?:chest|feeding|ng|nasogastric|urin\w+|biliary|suprapubic|arterial|venous|dialysis|silicone|peg) )?"
    r"(?:foley|catheter|sheath|introducer|tube|dilator|drain|pigtail|coude|cannula|french)\b",
    re.IGNORECASE,
)
_ROUGH = re.compile(
    r"\b(?:his|her|their)\s(?:(?:early|mid|late)[\s-]?)?(?:(?:[1-9]0|1[01]0)['’]?s\b"
    r"|(?:twent|thirt|fou?rt|fift|sixt|sevent|eight|ninet)ies\b)|\b\w+genarian|\bcentenarian"
    r"|\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|\w+tieth)\sbirthday",
    re.IGNORECASE,
)
_DAY = re.compile(
    r"\b(?:\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/(?:\d{4}|\d\d)\b|\d{1,2}-\d{1,2}-\d{4}"
    rf"|{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? (?:19|20)\d\d"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\.?,? (?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_BORN = re.compile(
    r"\b(?:dob|d\.o\.b\.|born|birth ?date|date of birth|birthday)\b\W{0,3}(?:on |in |is )?"
    rf"(?:\d{{1,2}}[/-]\d{{1,2}}[/-]\d{{2,4}}|\d{{4}}-\d\d|(?:19|20)\d\d|{_MONTH}\.? \d)",
    re.IGNORECASE,
)
_YEAR = re.compile(rf"\b(?:in|since|during|until|year|{_MONTH}) ((?:19|20)\d\d)\b{_UNIT}", re.IGNORECASE)
_ZIP = re.compile(r"\b(?:[A-Z]{2},? |zip:? ?)(\d{5})(?:-\d{4})?\b")
_BY = r"(?:\by ?[/.-]? ?o\b\.?|\d ?yo\b|\bold\b|\byrs?\b\.?)"
_NO_TITLE = (
    r"(?i:contin|brain|head|neck|spine|cervical|thoracic|lumbar|abdom|pelvi|knee|hip|shoulder|cardiac|liver|breast|prostate|angio"
    r"|imag|venog|entero|elasto|cholang|arthro|urog|spectr|scan|and\b|or\b|with|wo\b|[tap]r\b|a[si]\b|m[sr]\b|mild|moder|sever"
    r"|trace|not?\b|noted|seen|excl|is\b|was\b|has\b|due|to\b|of\b|in\b|on\b|by\b|for\b|from|at\b|patient|pt\b|sympt|flare|exac"
    r"|chang|gradi|jet|vena|grade|eccen|funct|isch|second|prim|degen|signif|iv\b|po\b|prn|im\b|s[clr]\b|[ie]r\b|mg\b)"
)
_SEX = tuple(
    re.compile(pattern)
    for pattern in (
        r"\b(?!(?i:her?)-\d)(?i:he|she|him|his|her|hers|himself|herself|(?:fe)?males?|m[ae]n|wom[ae]n|gentlem[ae]n|lady|ladies|boys?|girls?"
        r"|housewife|widow(?:er)?|madam|ma['’]am|husband|wife|mrs)\b",
        r"\b(?:Mr|Ms|Miss|Mister|MISTER|Sir|SIR|(?<!(?i:near) )MISS)\b(?!-?\d)",
        rf"\bM[RS]\b\.? ?(?!{_NO_TITLE})(?:[A-Z]['’\w-]|\*\*|[\[<])",
        r"\b(?i:(?:grand)?(?:mother|father|ma|pa)|mom|mum|dad)\b (?i:of|to) ",
        rf"(?i:{_BY})[ ,/(-]{{0,3}}(?:[\w-]+ ){{0,2}}(?i:{_RACE} ?)?[MF]\b"
        r"(?!\.\d|°|/|[-/, ]{0,2}(?:W|T|Th|Tu|We|F|Fr)\b|[ -]?(?:FDG|PET|PSMA|DOPA|NaF|[Ff]l[uo]))",
        rf"(?i:{_BY})[ ,/(-]{{0,3}}(?i:{_RACE} ?)?[mf]\b(?![.°/'’]\w)",
        r"(?i:yo|y/o)[MFmf]\b",
        r"\b(?i:sex|gender)(?:[ \t]{0,2}[:=/|-])?[ \t]{0,3}[MFmf]\b(?!['’/])",
        rf"\b(?i:{_RACES})[ /-][MF]\b(?!\.\d|°|/|[ -]?[A-Zf]\w)",
        r"\b(?i:wf|aaf|aam)\b",
        r"(?:[1-9]\d|\[age\]|\0|\bold|\byo|y/o)[ ,-]{0,2}(?i:[bwh][mf])\b",
        r"(?:\[age\]|\0)[ \t]?[/;,|(-]?[ \t]?[MF]\b(?!\.|/|['’])|(?<![\w&])[MF][ \t]?[/;,|]?[ \t]?(?:\0|\[age\])",
        r"\b(?:[MF]) (?:pt|patient)s?\b",
    )
)
_IN_BRACKETS = re.compile(r"\([MF]\)")


@dataclass(frozen=True)
class ExtractedValuesProfile:
    """How much was read, and what says more than its row."""

    persons: int
    notes: int
    without_row: int
    """Persons whose row is not published: their notes show marks alone."""
    telling: Mapping[str, int]
    """Persons of whom a note says more, by attribute."""


@dataclass(frozen=True)
class ExtractedValues(Declared, Criterion[Notes]):
    """Persons whose notes say more of an extracted attribute than their published row."""

    rows: Evidence | None = None
    table: Evidence | None = None
    columns: tuple[str, ...] = ()

    name: ClassVar[str] = "extracted-values"
    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0
    needs_evidence: ClassVar[bool] = True

    def check(self, data: Notes) -> Finding:
        if self.rows is None or self.table is None or data.persons is None:
            note = NOBODY if data.persons is None else NO_ROWS
            return Finding.judge(self.name, None, "≤", 0, unit="persons", note=note)
        rows, published = self.rows.read([PERSON, *self.columns]).to_pydict(), self.table.read(list(self.columns))
        row_cells = [tuple(rows[name][i] or "" for name in self.columns) for i in range(len(rows[PERSON]))]
        published_cells = [tuple(row[name] or "" for name in self.columns) for row in published.to_pylist()]
        if Counter(row_cells) != Counter(published_cells) or len(set(rows[PERSON])) < len(row_cells):
            return Finding.judge(self.name, None, "≤", 0, unit="persons", note=OTHER_ROWS)
        row_of = {
            str(name_of_row): dict(zip(self.columns, row, strict=True))
            for name_of_row, row in zip(rows[PERSON], row_cells, strict=True)
        }
        telling: set[tuple[str, str]] = set()
        for person, text in zip(data.persons, data.texts, strict=True):
            row = row_of.get(str(person), dict.fromkeys(self.columns, ""))
            telling |= {(str(person), name) for name in reveals_more(text, row)}
        people = set(map(str, data.persons))
        by_name = Counter(name for _, name in telling)
        profile = ExtractedValuesProfile(
            len(people), data.rows, len(people - set(row_of)), dict(sorted(by_name.items()))
        )
        value = len({person for person, _ in telling})
        return Finding.judge(self.name, value, "≤", 0, unit="persons", details=profile)


def reveals_more(text: str, row: Mapping[str, str]) -> set[str]:
    """Attributes of which a text says more than a row (empty: nothing is published of them).

    >>> sorted(reveals_more("She is 47 y/o, seen 3/5/2016", {"age": "47", "sex": "*", "last": "2016"}))
    ['date', 'sex']
    """
    for name, cell in sorted(row.items(), key=lambda item: len(item[1]), reverse=True):
        if cell and not cell.isalnum() and cell != "*":  # ranges and sets, as they are written
            text = text.replace(cell, "\0" if name == "age" else "\1")
    text = _as_seen(text)
    attributes = set()
    if "age" in row and (_BORN.search(text) or _ROUGH.search(text) or any(age != row["age"] for age in _ages(text))):
        attributes.add("age")
    if "sex" in row and row["sex"] not in ("M", "F") and _tells_sex(text):
        attributes.add("sex")
    if set(row) & set(_DATES) and (_DAY.search(text) or _later(text, row)):
        attributes.add("date")
    if "zip" in row and any(m[1] != row["zip"] for m in _ZIP.finditer(text)):
        attributes.add("zip")
    return attributes


def _as_seen(text: str) -> str:
    """With entities of HTML as what they stand for, and plain blanks, hyphens and digits."""
    for _ in range(3):  # an entity may be written with entities
        if "&" not in text or (text := html.unescape(was := text)) == was:
            break
    return plain(text).translate(_HYPHENS)


_HYPHENS = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0x2043), "-")


def _ages(text: str) -> Iterator[str]:
    """Numbers that are ages, or may be; what is told more exactly than in years is no number."""
    for match in _NUMBER.finditer(text):
        start, end = match.span()
        before, value = text[max(0, start - 48) : start], _value(match[0])
        if _YOUNG.match(text, end):
            yield "months"
        elif value < _NOBODY and _is_age(text, before, end, value, match[0].isdigit()):
            yield str(value)


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    words = re.findall(_IN_WORDS, number.lower())
    return sum(_WORTH[word] for word in (words[1:] if words[:2] == ["one", "hundred"] else words))


def _is_age(text: str, before: str, end: int, value: int, figures: bool) -> bool:
    """May a number be an age, by what stands before it and behind?"""
    if _OLD.match(text, end) or (_AGO.match(text, end) and _BORN_BEFORE.search(before)):
        return True
    if _AGED.search(before) and not _GOES_ON.match(text, end):
        return True
    if figures and _GLUED.match(text, end) and not _SO_LONG.search(before):
        return True
    if value < (10 if figures else 20):
        ahead = _SEX_SLASH.search(before) and not _WORD_GOES_ON.match(text, end)
        behind = _SLASHED.match(text, end) and not _IN_NUMBER.search(before)
        return figures and bool(ahead or behind)
    if figures and value < 120 and _NAMED.search(before) and _SET_OFF.match(text, end):
        return True
    amount = _AMOUNT.match(text, end)
    if (_IS.search(before) or _OLD_BEFORE.search(before)) and not amount:
        return not _counted(text, before, end, value)
    return figures and value < 120 and _has_sex(text, before, end, value, amount is not None)


_GLUED = re.compile(r"y(?![\w/-])", re.IGNORECASE)
_SO_LONG = re.compile(r"(?:[\w.,/-]|\b(?:for|x|past|last|over|in|after|since|about|than|every)\s)\Z", re.IGNORECASE)
_NAMED = re.compile(r"(?:\bM(?:r|rs|s|x|iss|R|RS|S)\.?|\b[A-Z][\w'’-]+)\s[A-Z][\w'’-]+(?:,\s\(?|\s\()\Z")
_SET_OFF = re.compile(r"\)|,\s(?!(?:19|20)\d\d)")
"""Ada Kell, 41, came."""
_GOES_ON = re.compile(r"\d|[./-]\d")
_WORD_GOES_ON = re.compile(r"\w|[.:/-]\d")
_SEX_SLASH = re.compile(r"(?<![\w&/])[MF]/\Z")
_IN_NUMBER = re.compile(r"(?:[\w$€£#]|\d[.,:/-])\Z")
_SLASHED = re.compile(r"[ \t]?/[ \t]?[MF]\b(?!/|\.\d)")


def _has_sex(text: str, before: str, end: int, value: int, amount: bool) -> bool:
    """41/F, F41, 41 female; no temperature, no tube, no bed."""
    if not amount and _LETTER_BEFORE.search(before) and not _TRACER.match(text, end):
        return not _COUNTED.search(_LETTER_BEFORE.sub("", before))
    if _IN_NUMBER.search(before):
        return False
    after = _LETTER.match(text, end)
    if after is None or _counted(text, before, end, value):
        return False
    if text[after.end() - 1] in "Ff" and value >= _LEAST_DEGREES:
        return not (_WARM.search(before) or _TAKEN.match(text, after.end()))
    return not (value <= _MOST_FRENCH and _TUBE.match(text, after.end()))


_LEAST_DEGREES, _MOST_FRENCH, _LAST_DAY, _NOBODY = 85, 36, 31, 1000


def _counted(text: str, before: str, end: int, value: int) -> bool:
    """Is it a bed's number, a measure, or the day of a month?"""
    day = value <= _LAST_DAY and text[end : end + 1] in (" ", ",") and _IN_MONTH.search(before)
    return bool(_COUNTED.search(before) or day)


def _tells_sex(text: str) -> bool:
    if any(pattern.search(text) for pattern in _SEX):
        return True
    for match in _IN_BRACKETS.finditer(text):
        before = text[max(0, match.start() - 30) : match.start()]
        if not (_WARM.search(before) or re.search(r"\d\.\d ?\Z", before)):
            return True
    return any(_letter_beside(text, match) for match in _NUMBER.finditer(text) if match[0].isdigit())


def _letter_beside(text: str, match: re.Match[str]) -> bool:
    """Does a letter stand beside a number that may be an age?"""
    start, end = match.span()
    before, value = text[max(0, start - 48) : start], int(match[0])
    amount = _AMOUNT.match(text, end) is not None
    return 10 <= value < 120 and _has_sex(text, before, end, value, amount)


def _later(text: str, row: Mapping[str, str | None]) -> bool:
    """A year beside words of time that no cell of the row is."""
    years = {cell[:4] for name in _DATES if (cell := row.get(name, "")) and cell[:4].isdigit()}
    return any(m[1] not in years for m in _YEAR.finditer(text))
