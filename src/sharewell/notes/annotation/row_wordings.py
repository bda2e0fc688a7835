"""Wordings of an age or a sex that only a text beside a table must not say, for want of surer signs.

"Mrs. Lee is 63", "Pt 64 presents", "at 64, she", "64 next birthday", "edad 64", "YOB 1958", "64♀", a lone "M", "a
grandmother". What makes a table from notes does not look for these: too many are something else. Beside a published row
a mark costs less than a withheld text.

>>> texts = ("Pt 64 presents", "Seen, M.", "yob 1958")
>>> [text[m.start : m.end] for text in texts for m in sorted(set(wordings(text, ("age", "sex"))))]
['64', 'M', '1958']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sharewell.notes.annotation.extraction import Mention
from sharewell.notes.engine.pattern_pieces import DOSE_UNIT

_SPELT = r"(?:(?:twen|thir|fou?r|fif|six|seven|eigh|nine)ty(?:[ -]?(?:one|two|three|four|five|six|seven|eight|nine))?)"
_AGE = rf"(?<![\w$#])(?P<age>1[01]\d|[1-9]\d|(?i:{_SPELT}))\b"
_NO_MEASURE = (
    rf"(?!\.\d|,\d|[:/-]\d|\s?(?:(?:{DOSE_UNIT})\b"
    r"|%|°|/|[a-z]+/|bpm\b|mm\b|kg\b|lbs?\b|degrees|cm\b|beats|hours|hrs?\b|days"
    r"|weeks|months|min(?:utes)?\b|times\b|x\b|of\b|[ap]m\b|C\b|miles|blocks|steps|visits|pounds|percent))"
)
_WHO = (
    r"(?i:\b(?:adult|carpenter|child|clerk|client|cook|drinker|driver|engineer|farmer|homemaker|(?:in|out)?patient|individual"
    r"|infant|labou?rer|mechanic|nurse|painter|pensioner|person|pt|resident|retiree|senior|smoker|student|subject|survivor"
    r"|teacher|teenager|veteran|worker))"
)
_FEAST = r"b(?:irth)?-?days?|natal|cumplea[nñ]os|geburtstag|anniversaire|compleanno"
_ABROAD = (
    r"edad|et[aà]|idade|leeftijd|(?:lebens)?alter|wiek|v[eě]k|[aå]lder|ik[aä]|v[aâ]rst[aă]|ya[sş]|umur|usia|vanus|godine"
    r"|staro[sś][cć]|lebensjahr|[aâ]g[eé]{1,2}s?|cumpl(?:i[oó]|e)"
)
_YEARS_ABROAD = (
    r"a[nñ]os|ans|anni|jahre?n?|jaar|godina|vuotta|tahun|j[aä]hrige[rns]?|vuotias|aarig|[aå]rig|ya[sş][iı]nda|[eé]ves"
)
_AGES = [
    re.compile(pattern)
    for pattern in (
        rf"(?<=[A-Za-z]\s)(?:is|was|turns|turned)\s(?:now\s|only\s)?{_AGE}(?=[\s.,;)!?]|$){_NO_MEASURE}",
        rf"{_WHO}\.?\s?[,(:;|\[–—-]?\s{{0,2}}{_AGE}{_NO_MEASURE}",
        rf"{_WHO}\s?[,(]\s?(?P<age>[1-9])(?=[,)])",
        rf"(?i:\b(?:at|now|currently|presently|today))\s{_AGE}(?=,?\s(?i:(?:the\s)?(?:s?he|they|her|his|their|patient|pt)\b))",
        rf"(?:\A|[.!?\n]\s*)(?i:(?:at|now|currently|presently|today)\s)?{_AGE}(?=,\s?[A-Za-z])",
        rf"\b[A-Z][\w'’.-]*,\s?{_AGE}(?=,)",
        r"(?<![\w.,/$#-])(?P<age>\d{1,3})(?=(?i:y|yrs?|yo)[MFmf]?(?![\w/]))",
        rf"{_AGE}(?=\s(?:present(?:s|ed|ing)|who)\b)",
        r"(?<![\w.,/$#-])(?P<age>\d{1,3})(?=\s?[♀♂])",
        r"[♀♂]\s?,?\s?(?P<age>\d{1,3})\b",
        # 64 next birthday; her birthday (64)
        rf"{_AGE}(?=(?:[ ,'’(-]{{1,3}}[A-Za-z]+){{0,3}}[ ,(-]{{1,3}}(?i:{_FEAST})\b)",
        rf"\b(?i:{_FEAST})\b(?:[ ,:;'’(-]{{1,3}}[A-Za-z]+){{0,3}}[ ,:;(-]{{1,3}}{_AGE}",
        rf"(?<![\w$#])(?P<age>[1-9])(?= (?i:(?:\w+ )?{_FEAST})\b)",
        # edad 64, 64 ans
        rf"\b(?i:{_ABROAD})\b[ \t:=.,(-]{{0,3}}(?:(?i:de|di|von|los)\s)?(?P<age>\d{{1,3}})\b{_NO_MEASURE}",
        r"(?<![\w.,/$#-])(?<!(?i:seit|hace|para|nach|onde|puis|rant) )(?P<age>\d{1,3})[ -]{0,2}"
        rf"(?=(?i:{_YEARS_ABROAD})\b)",
    )
]
_FROM_TO = re.compile(
    rf"(?:\b(?i:ages?|aged|they are|s?he['’]s|(?:s?he|patient) (?:is|was)|(?:fe)?male|(?:wo)?man|lady|gentleman)"
    rf"|{_WHO})"
    r"[\s:=,(–-]{1,3}(?i:(?:(?:is|was|about|around|roughly|approximately|between|from|of|range) ){0,2})"
    rf"(?P<age>(?:1[01]\d|[1-9]\d)\s?(?:[/–—-]|(?i:to|and|or)\b)\s?(?:1[01]\d|[1-9]\d))(?!\d){_NO_MEASURE}"
)
_ABOUT = re.compile(
    rf"(?i)\b(?:(?P<age>(?:[2-9]0|{_SPELT})[ -]?(?:ish|something|odd))"
    r"|(?P<tens>(?:early|late|mid(?:dle)?|upper)[ -](?:(?:twen|thir|fou?r|fif|six|seven|eigh|nine)ties))"
    r"|(?<!the )(?:early|late|mid(?:dle)?|upper)[ -](?P<figures>[2-9]0)['’]?s"
    rf"|(?:older|younger) than (?P<than>[1-9]\d|{_SPELT})|(?:nearing|pushing|turning) (?P<nearly>[2-9]\d|{_SPELT})"
    r"|(?P<decade>(?:third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|3rd|[4-9]th|10th) decade))\b"
    r"(?! of (?:the|this|last))"
)
_BORN_IN_DECADE = re.compile(
    r"(?i)\b(?:born|birth) (?:\w+ ){0,3}?(?:\w+-)?(?P<birth>['’]?(?:\d\d)?[0-9]0['’]?s\b"
    r"|(?:nineteen[ -]|eighteen[ -])?(?:twenties|thirties|fou?rties|fifties|sixties|seventies|eighties|nineties)\b)"
)
_YEAR = re.compile(r"(?<!\d)(?:(?<!\d\.)|(?<=[./]\d\.)|(?<=[./]\d\d\.))(?:(?:18|19|20)\d\d|['’]\d\d)(?!\d)")
_OF_BIRTH = ("birth", "birthdate", "birthday", "birthyear", "born", "dob", "geb", "geboren", "vintage", "yob")
_BORN = ("born", "birthday")
_BEFORE_YEAR, _NEAR, _WORDS_AFTER_BORN = 48, 3, 8
"""Characters before a year that are looked at; how many words may stand between it and a word for birth, or `born`."""
_DAY_AND_MONTH = re.compile(r"(?<!\d)\d{1,2}[./-]\s?(?:\d{1,2}[./-])?\s?\Z")
_AFTER_YEAR = re.compile(r"[\s-](?:born|birth)\b", re.IGNORECASE)
_RELATIVES = {
    **dict.fromkeys(("mother", "father", "mom", "mum", "dad", "mommy", "daddy", "mama", "papa"), "parent"),
    **dict.fromkeys(
        ("grandmother", "grandfather", "grandma", "grandpa", "granny", "grandad", "granddad"), "grandparent"
    ),
    **dict.fromkeys(("nana", "nanny", "abuela", "abuelo", "oma", "opa"), "grandparent"),
    **dict.fromkeys(("madre", "padre", "stepmother", "stepfather", "mother-in-law", "father-in-law"), "parent"),
    **dict.fromkeys(("godmother", "godfather"), "godparent"),
    **dict.fromkeys(("matriarch", "patriarch"), "elder"),
    **dict.fromkeys(("senora", "señora", "senor", "señor", "lesbian"), "person"),
    **dict.fromkeys(("aunt", "auntie", "uncle", "niece", "nephew"), "relative"),
    **dict.fromkeys(("sister", "brother", "sister-in-law", "brother-in-law"), "sibling"),
    **dict.fromkeys(("daughter", "son", "stepdaughter", "stepson", "goddaughter", "godson"), "child"),
    **dict.fromkeys(("granddaughter", "grandson"), "grandchild"),
}
_KIN = "|".join(sorted(_RELATIVES, key=len, reverse=True))
_SEXES = [
    re.compile(pattern)
    for pattern in (
        rf"\b(?i:an?|una?)\s(?:[A-Za-z-]+\s){{0,2}}(?P<sex>(?i:{_KIN}))\b",
        "(?P<sex>[♀♂\U0001f6ba\U0001f6b9\U0001f466-\U0001f469]\ufe0f?)",
        r"(?:^|[,;|(/]|(?<=[.!?]\s))[ \t]{0,3}(?P<sex>[MF])[ \t]{0,3}(?=[,;|)]|\.?(?:\s|$)(?<!M |F )|$)",
        r"(?i:\b(?:patient|pt|client|subject|infant|baby|twin)(?:\s(?:is|was)(?:\san?)?|[:,])?)\s(?P<sex>[MF])\b(?![-/'’.]\w)",
        rf"{_WHO}\.?\s?[(\[]\s?(?P<sex>[mf])\s?(?=[)\]])",
        r"(?<=\d[yY])(?P<sex>[MFmf])\b",
        r"(?<!\d)4[5-8]\s?,\s?(?P<sex>X[XY]{0,2})\b",
    )
]


def wordings(text: str, wanted: Sequence[str]) -> Iterator[Mention]:
    """Mentions of the wanted sorts, age and sex; an age is a number where the text has one in figures."""
    if "age" in wanted:
        yield from (Mention(*match.span("age"), "age", "") for match in _FROM_TO.finditer(text))
        for match in (match for pattern in _AGES for match in pattern.finditer(text)):
            yield Mention(*match.span("age"), "age", match["age"] if match["age"].isdecimal() else "")
        for match in _ABOUT.finditer(text):
            yield Mention(*match.span(str(match.lastgroup)), "age", "")
        for match in _BORN_IN_DECADE.finditer(text):
            yield Mention(*match.span("birth"), "birth", "")
        for match in _YEAR.finditer(text):
            before = text[max(0, match.start() - _BEFORE_YEAR) : match.start()]
            if _AFTER_YEAR.match(text, match.end()) or _is_of_birth(before):
                yield Mention(*match.span(), "birth", "")
    if "sex" in wanted:
        for match in (match for pattern in _SEXES for match in pattern.finditer(text)):
            yield Mention(*match.span("sex"), "sex", "")


def neutral_relative(word: str) -> str | None:
    """What a relative is called where the sex is not said; None if the word is no relative's.

    >>> neutral_relative("Grandmother"), neutral_relative("nurse")
    ('Grandparent', None)
    """
    neutral = _RELATIVES.get(word.lower())
    return neutral.capitalize() if neutral and word[0].isupper() else neutral


def _is_of_birth(before: str) -> bool:
    """Is one of the last words before a year a word for birth, or `b.`, or an asterisk?

    >>> [_is_of_birth(text) for text in ("Y.O.B. ", "smoker, b.", "born about ", "geb. 3.5.", "birth of a son. In ")]
    [True, True, True, True, False]
    """
    before = _DAY_AND_MONTH.sub("", before)
    clause = re.split(r"[;!?]|(?<!\bgeb)(?<=\w\w)\. ", before)[-1]
    words = [word.replace(".", "").lower() for word in re.findall(r"[^\W\d_]+(?:\.[^\W\d_]+)*\.?", clause)]
    signs = re.search(r"(?<![\w.])b\.\s?\Z|\(b\s\Z|\*\s?\Z", before)
    near = any(word in _OF_BIRTH for word in words[-_NEAR:])
    return bool(signs) or near or any(word in _BORN for word in words[-_WORDS_AFTER_BORN:])
