"""Ages and sexes that a text gives away by an unusual wording: "Pt 64 presents", "64 next birthday", "edad 64", "64♀".

The judge reads words and numbers one after the other and asks of each number what stands on either side, where what
rewrites a text searches with patterns. It rather takes the number of a patient for an age than the reverse.

>>> ages_beside_persons("The patient (62) is well. HR 64, BP 120/80."), years_of_birth("Smoker, b. 1958")
(['62'], True)
>>> ages_beside_persons("Pt 63-65 presents"), ages_beside_persons("Pain 63-65 of 100")
(['about'], [])
>>> ages_beside_persons("64 next birthday"), ages_beside_persons("Spouse here, edad 64"), ages_beside_persons("64 ans")
(['64'], ['64'], ['64'])
>>> [tells_sex(text) for text in ("64♀ with cough", "M, well.", "A retired fireman", "Stage M0", "Ward M.")]
[True, True, True, False, False]
>>> tells_sex("A proud grandmother"), tells_sex("Family history: mother had gout, a sister too")
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sharewell.notes.engine.checks.month_words import SHORT
from sharewell.notes.engine.checks.plain_text import plain
from sharewell.notes.engine.checks.unit_words import AFTER_NUMBERS

_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50} | {
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_OLDEST, _SMALLEST = 119, 10
"""Ages that are looked for, and the first that a number may be where little says so."""
_PERSONS = frozenset(("patient", "pt", "client", "resident", "person", "individual", "subject", "inpatient")) | {
    *("outpatient", "adult", "child", "senior", "veteran", "retiree", "pensioner", "smoker", "student", "worker"),
    *("homemaker", "teacher", "farmer", "nurse", "driver"),
}
_PRONOUNS = frozenset(("she", "he", "they", "her", "his", "their", "patient", "pt"))
_COMES = frozenset(("presents", "presenting", "presented", "who"))
_NOW = frozenset(("at", "now", "currently", "presently", "today"))
_NEARLY, _COMPARED = frozenset(("nearing", "pushing", "turning")), frozenset(("older", "younger"))
_NO_AGE_BEHIND = AFTER_NUMBERS | {
    *("hours", "hrs", "h", "min", "minutes", "days", "weeks", "months", "times", "tabs", "percent", "degrees", "c"),
    *("am", "pm", "x", "beats", "breaths", "pounds", "kilos", "steps", "miles", "blocks", "visits", "admissions", "of"),
}
_BIRTHDAY = frozenset(
    ("birthday", "birthdays", "bday", "natal", "cumpleanos", "geburtstag", "anniversaire", "compleanno")
)
_BIRTHDAY_NEAR = 4
"""So many words may stand between a birthday and its number."""
_CALLED_AGE = frozenset(
    ("edad", "eta", "idade", "leeftijd", "alter", "wiek", "vek", "alder", "ika", "varsta", "yas")
) | {
    *("umur", "usia", "vanus", "godine", "starosc", "lebensjahr", "lebensalter", "agee", "agees", "cumplio", "cumple"),
}
_CALLED_YEARS = frozenset(("anos", "ans", "anni", "jahre", "jahren", "jahr", "jaar", "godina", "vuotta", "tahun")) | {
    *("jahrige", "jahriger", "jahrigen", "jahriges", "vuotias", "aarig", "arig", "yasinda", "eves"),
}
_SINCE = frozenset(("seit", "desde", "depuis", "hace", "vor", "pendant", "durante", "da", "nach", "il", "ya", "sinds"))
"""Before so many years that are no age."""
_OF_BOTH_SIDES = frozenset(
    ("mother", "father", "mom", "mum", "dad", "mommy", "daddy", "mama", "papa", "matriarch", "patriarch")
) | {
    *("grandmother", "grandfather", "grandma", "grandpa", "granny", "grandad", "granddad", "nana", "nanny"),
    *("stepmother", "stepfather", "godmother", "godfather", "mother-in-law", "father-in-law", "lesbian"),
    *("abuela", "abuelo", "madre", "padre", "senora", "senor", "oma", "opa"),
}
"""Words after "a" that tell the sex of whoever is called so."""
_OF_WHOM = frozenset(("aunt", "auntie", "uncle", "niece", "nephew", "sister", "brother", "daughter", "son")) | {
    *(
        "granddaughter",
        "grandson",
        "stepdaughter",
        "stepson",
        "sister-in-law",
        "brother-in-law",
        "goddaughter",
        "godson",
    ),
}
"""The same, where nobody is said to have one: "is an aunt", but not "has a sister"."""
_PIECE = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|\n+|[^\w\s]")
_OPENS = frozenset(",(:;-–—[|")
_ENDS = frozenset(".!?\n")
_ROUGH = re.compile(
    r"(?i)\b[2-9]\d ?ish\b|\b(?:[2-9]0|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)[ -]?(?:ish|something|odd)\b"
    r"|\b(?:early|mid|late|upper)\W{1,2}(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies\b"
    r"|(?<!\bthe )\b(?:early|mid|middle|late|upper)\W[2-9]0['’]?s\b"
    r"|\b(?:3r|[4-9]t|10t|thir|four|fif|six|seven|eigh|nin|ten)[dth]{0,2} decade(?! of (?:the|this|last))"
)
_TWO_AGES = re.compile(
    r"(?i)\b(?:age[sd]?|adult|patient|pt|person|client|resident|individual|(?:wo)?man|(?:fe)?male|lady|gentleman"
    r"|(?:s?he|they) (?:is|are|was))"
    r"\b\W{0,3}(?:(?:is|was|about|around|approximately|roughly|between|from|of|range)\W{1,2}){0,2}"
    r"(?:1[01]\d|[1-9]\d)\s?(?:[-–—/]|to|and|or)\s?(?:1[01]\d|[1-9]\d)"
    rf"(?![\d%°/:]|[.,]\d|\W?(?:{'|'.join(sorted(_NO_AGE_BEHIND))})\b)"
)
_BETWEEN_AGES = re.compile(
    r"(?i)\b(?:from|between)\W+\d{2,3}\W+(?:to|and)\W+\d{2,3}\W{1,2}(?:y\W?o\b|ye?a?rs?\W{1,2}(?:old|of\sage)|year-olds?)"
)
_GLUED = re.compile(r"(?<![\w.,/$#-])(\d{1,3})(?:y|yr|yrs|yo)[MF]?(?![\w/])", re.IGNORECASE)
_BIRTH_YEAR = re.compile(
    r"(?i)(?:\by\.?\s?o\.?\s?b\b\.?|\b(?:yr|year)s?\s(?:of|when)\s(?:his\s|her\s|their\s)?(?:birth|born)|\bbirth\W?year"
    r"|\bbirthda(?:te|y)|\bd\.?o\.?b\b\.?|\bborn|(?<![\w.])(?-i:b)\.|(?<=\()b(?=\s)|\bgeb(?:oren|\.)|\bvintage|\*)"
    r"[\s:=(,-]{0,3}(?:in|is|was|about|around|ca?\.?|the year)?\s?(?:\d{1,2}[./-]\s?){0,2}"
    r"(?:(?:18|19|20)\d\d(?!\d)|['’]\d\d\b)"
    r"|\b(?:born|birthday)\s(?:[a-z\d]+\s){1,6}(?:18|19|20)\d\d(?!\d)|(?<!\d)(?:18|19|20)\d\d[\s-](?:born|birth)\b"
)
_BIRTH_DECADE = re.compile(
    r"(?i)\bborn\W+(?:[a-z]+\W+){0,3}?(?:[a-z]+-)?(?:(?:18|19|20)?\d0\W?s\b"
    r"|(?:twent|thirt|fou?rt|fift|sixt|sevent|eight|ninet)ies\b)"
)
_SIGNS = re.compile("[♀♂\U0001f6ba\U0001f6b9\U0001f469\U0001f468\U0001f467\U0001f466]")
_KARYOTYPE = re.compile(r"(?<!\d)4[5-8]\s?,\s?X[XY]{0,2}\b")
_GLUED_LETTER = re.compile(r"(?<![\w.])\d{1,3}\s?(?:y|yr|yrs|yo)[MFmf]\b")
_TRADES = re.compile(
    r"(?i)\b(?:(?:wait|act|seamst|mist|headmist|laund|schoolmist)ress|(?:host|steward|govern|heir|abb|priest|poet|mana?ger)ess"
    r"|(?:business|police|fire|sales|chair|handy|door|fisher|milk|mail|post|camera|crafts|service|repair|delivery|clergy"
    r"|congress|council|crew|horse|line|middle|noble|patrol|spokes|sports|states|stunt|watch|weather|air|boat|lumber"
    r"|garbage|tax|trades|dustbin|night)s?(?:wo)?m[ae]n|(?:bar|milk|house|nurse|hand|chamber)maid|cow(?:boy|girl)"
    r"|school(?:boy|girl)|land(?:lady|lord)|ballerina|nun|monk|priestess|bride(?:groom)?|tomboy|spinster|bachelorette)"
    r"(?:es|s)?\b"
)
_FAMILIAR = re.compile(
    r"(?i)\b(?:blokes?|chaps?|dudes?|fell?as?|guys?|lads?|laddies?|lass(?:es|ies?)?|gentle-?wom[ae]n)\b"
)


class _Number(NamedTuple):
    """A whole number of a text, with the pieces before and after it."""

    value: int
    written: str
    before: Sequence[str]
    after: Sequence[str]


def ages_beside_persons(text: str) -> list[str]:
    """Numbers that may be somebody's age by who or what stands beside them, in figures."""
    text = plain(text)
    results = [str(number.value) for number in _numbers(text) if _may_be_age(number)]
    results += [str(int(match[1])) for match in _GLUED.finditer(text) if int(match[1]) <= _OLDEST]
    return results + ["about"] * bool(any(form.search(text) for form in (_ROUGH, _TWO_AGES, _BETWEEN_AGES)))


def years_of_birth(text: str) -> bool:
    """A year or a decade in which somebody was born.

    >>> [years_of_birth(text) for text in ("born in the late sixties", "Born in the '60s", "seen in the 60s")]
    [True, True, False]
    """
    text = plain(text)
    return any(form.search(text) for form in (_BIRTH_YEAR, _BIRTH_DECADE))


def tells_sex(text: str) -> bool:
    """By a sign, a letter that stands alone, chromosomes, the name of a trade, or a familiar word."""
    if _SIGNS.search(text):
        return True
    text = plain(text)
    forms = (_GLUED_LETTER, _KARYOTYPE, _TRADES, _FAMILIAR)
    return any(form.search(text) for form in forms) or _has_lone_letter(text) or _calls_a_relative(text)


_KIN_WORD = re.compile(r"[^\W\d_]+(?:-in-law)?|[^\w\s]|\n+")


def _calls_a_relative(text: str) -> bool:
    """Is somebody called a grandmother, or an uncle, by an article and at most two words between?"""
    words = _KIN_WORD.findall(text.lower())
    for at, word in enumerate(words):
        if word not in _OF_BOTH_SIDES and word not in _OF_WHOM:
            continue
        first = next((i for i in range(at - 1, max(-1, at - 4), -1) if words[i] in ("a", "an", "una", "un")), None)
        if first is None or any(not one.isalpha() and one != "-" for one in words[first:at]):
            continue
        before = words[first - 1] if first else "."
        if word in _OF_BOTH_SIDES or before in ("is", "was", "as", "being", "am", "became", "becoming", *_ENDS):
            return True
    return False


def _has_lone_letter(text: str) -> bool:
    """Is there an M or F that nothing joins to what is beside it, or one that follows a person?"""
    pieces = [(match[0], match.start(), match.end()) for match in _PIECE.finditer(text)]
    for at, (piece, start, end) in enumerate(pieces):
        before = [one.lower() for one, _, _ in pieces[max(0, at - 4) : at]]
        behind = pieces[at + 1][0] if at + 1 < len(pieces) else "\n"
        if piece in ("m", "f") and behind in (")", "]") and before[-1:] in (["("], ["["]) and _said_of(before[:-1]):
            return True
        if piece not in ("M", "F") or text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum():
            continue
        if text[end : end + 1] in ("-", "/", "'", "’") or text[start - 1 : start] in ("-", "&"):
            continue
        if behind[0] in ",;|)\n." and (not before or before[-1][0] in ",;|(/.!?\n"):
            return True
        if _said_of(before):
            return True
    return False


def _said_of(before: list[str]) -> bool:
    words = [word for word in before if word not in ("is", "was", "a", "an", ":", ",")]
    return bool(words) and words[-1] in _PERSONS | {"infant", "baby", "twin"}


def _numbers(text: str) -> list[_Number]:
    """Whole numbers of no more than three figures or two words; none that is a part of another."""
    pieces = [(match[0], match.start(), match.end()) for match in _PIECE.finditer(text)]
    words = [piece.lower() for piece, _, _ in pieces]
    results = []
    for at, (piece, start, end) in enumerate(pieces):
        last, value = at, -1
        if piece.isdigit() and len(piece) <= 3 and not _part_of_another(text, start, end):
            value = int(piece)
        elif words[at] in _TENS:
            value = _TENS[words[at]]
            step = 2 if words[at + 1 : at + 2] == ["-"] else 1
            if words[at + step : at + step + 1] and words[at + step] in _ONES:
                value, last = value + 1 + _ONES.index(words[at + step]), at + step
        if 0 < value <= _OLDEST:
            before = [one for one, _, _ in pieces[max(0, at - 4) : at]]
            results.append(_Number(value, text[start : pieces[last][2]], before, words[last + 1 : last + 5]))
    return results


def _called_age(number: _Number) -> bool:
    """By a word for age or for years of life in another language, or by a birthday in the same sentence."""
    before = [word.lower() for word in number.before]
    behind = list(number.after)
    nearest = [
        word for word in before[-3:] if word.isalpha() and word not in ("de", "di", "von", "is", "of", "a", "los")
    ]
    if nearest[-1:] and nearest[-1] in _CALLED_AGE and not set(behind[:1]) & _NO_AGE_BEHIND:
        return True
    following = [word for word in behind[:2] if word.isalpha()]
    if following[:1] and following[0] in _CALLED_YEARS and not set(before[-2:]) & _SINCE:
        return True
    later = behind[: next((i for i, word in enumerate(behind) if word[0] in _ENDS), len(behind))][:_BIRTHDAY_NEAR]
    ends = max((i + 1 for i, word in enumerate(before) if word[0] in _ENDS), default=0)
    near = {*later, *before[ends:]} if number.value >= _SMALLEST else {*later[:2]}
    return bool(near & _BIRTHDAY)


def _part_of_another(text: str, start: int, end: int) -> bool:
    """Is it a piece of a decimal, a date, a time, a code or a measure?"""
    before, after = text[max(0, start - 2) : start], text[end : end + 2]
    joined = re.search(r"[\w$€£#+*<>=/°]\Z|[\d][.,:-]\Z", before)
    return bool(joined or re.match(r"[\w%°/+*=]|[.,:-]\d", after))


def _may_be_age(number: _Number) -> bool:
    behind = number.after[0] if number.after else ""
    if _called_age(number):
        return True
    if behind in _NO_AGE_BEHIND:
        return False
    before = list(number.before)
    last_two = [word.lower() for word in before[-2:]]
    if last_two[-1:] and (last_two[-1] in _NEARLY or (last_two[-1] == "than" and last_two[0] in _COMPARED)):
        return number.value >= _SMALLEST
    set_off = bool(before) and before[-1] in _OPENS
    while before and before[-1] in _OPENS:
        before.pop()
    word = before[-1] if before else ""
    adult = number.value >= _SMALLEST
    if word.lower() in _PERSONS and (adult or (set_off and behind in (",", ")"))):
        return True
    if not adult:
        return False
    if behind in _COMES or {behind, word} & {"♀", "♂"}:
        return True
    who = set(number.after[:3]) & _PRONOUNS
    if word.lower() in _NOW and not set_off:
        begins = len(before) < 2 or before[-2] in _ENDS
        return (begins and (behind == "," or bool(who))) or bool(who and behind in (",", "the", *_PRONOUNS))
    if set_off and before and number.before[-1] == "," and behind == ",":  # Smith, 61, retired
        return word[:1].isupper() and word[:3].lower() not in SHORT
    first = not number.before or number.before[-1][0] in _ENDS
    return first and behind == "," and len(number.after) > 1 and number.after[1].isalpha()
