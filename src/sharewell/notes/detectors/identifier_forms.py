"""Forms of identifiers that need no name before them.

National numbers of many countries, cards, accounts, plates, and runs of letters and digits that are no word, no value
and no code of a disease.
"""

from __future__ import annotations

import re

from sharewell.notes.detectors.identifier_words import CLINICAL, MODELS

_LOW = re.compile(
    r"[a-z]{2,5}-?\d{6,}[a-z]?|[a-z]-?\d{7,}[a-z]?|[a-z]{6,10}\d{6,}|[a-z]{2,8}-0\d{3,}|\d{2,4}:[a-z]{1,3}\d{4,}[a-z]?"
    r"|[a-z]{2,3}/[a-z]{2,3}\d{3,4}|[a-z]{1,3}\d{2}-\d{3,}(?:-[a-z\d]+)?"
    r"|[a-z]{1,4}-\d{2}-\d{3,}(?:-[a-z\d]+)?"
    r"|[a-z]{1,2}-?\d{2}-\d{4,}"
    r"|[a-z]{2,4}-\d{4,}(?:-[a-z\d]+)*|\d{2,4}-[a-z]{1,3}-?\d{3,}|\d{4}-\d{5,}"
    r"|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[a-z]{2}\d{2}[a-z]{4}\d{6,}"
    r"|\d{7,}|\d{3,4}-\d{3,4}-\d{3,4}(?:-[a-z\d]+)*|\d{4}(?:-\d{4}){2,4}|\d{2}-\d{5,}(?:-\d+)?|\d{6,}[-/]\d+[a-z]?"
    r"|\d{6,}[a-z]{1,3}"
    r"|\d{5}[a-z]{2}|\d{1,4}-\d{2,}-[a-z]{1,3}|\d{2,}-\d{3,}-[a-z\d]+|[a-z]{2,8}_\d{3,}(?:_\d+)*"
    r"|[a-z]{2,6}_(?=[a-z]*\d)[a-z\d]{6,}"
    r"|[a-z]{1,3}\d{3,}(?:[-_]\d{2,}){1,3}|\d{2}[a-z]{2}\d{4,}|[a-z]{4}\d{6}[hm][a-z]{5}[a-z\d]\d"
    r"|[a-z]{6}\d\d[a-z]\d\d[a-z]\d{3}[a-z]"
    r"|[a-z]{5}\d{4}[a-z]|[a-z]{3}-\d{3}-\d{3,}|\d{3,4}(?:-\d{2,7}){2,4}|\d-\d{4}-\d{5}-\d{2}-\d"
    r"|[a-z]{2}\d{4,}-[a-z\d]+"
    r"|\d{3}\.\d{3}\.\d{3}-\d\d|\d{1,2}\.\d{3}\.\d{3}-[\dk]|\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}|756\.\d{4}\.\d{4}\.\d{2}"
    r"|\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}|[a-z]{1,4}/\d{2,}(?:/\d{2,}){1,2}|\d{2,4}/[a-z]{1,4}/\d{2,}"
    r"|[a-z]{2,4}/[a-z]{1,4}/\d{2,}(?:/\d+)?"
    r"|[a-z]{5}\d{6}[a-z\d]{2}\d[a-z]{2}|\d{2,4}/\d{3,}/\d{2,}|(?:19|20)\d\d/\d{4,}|\d{5,}/\d{2,4}"
    r"|[a-z]{2,8}\.\d{2}\.\d{4,}|\d{6}-\d\d-\d{4}|\d{2}[a-z]-\d{4,}|\d{8,}\.\d{1,3}|[3-9]\d{3}/\d\d"
)
"""In whatever case."""
_UP = re.compile(
    r"[A-Z]{1,4}-?\d{5,}[A-Z]{0,2}|\d{1,4}-?[A-Z]{1,3}-?\d{4,}[A-Z]?|[A-Z]{2,4}-[A-Z\d]{2,4}-\d{2,}[A-Z]?(?:-\d+)*"
    r"|(?:[A-Z]{2,4}/)?[A-Za-z]{2,4}/[A-Z]{0,3}\d{2,}(?:/\d{2,})?(?<=\d{4})|[A-Z]{1,4}-?(?:\d{3,}/\d{2,}|\d{2}/\d{3,})"
    r"|[A-Z]\d{2}\.\d{4,}|[A-Z]{3}\d{4}|[A-Z]{3}\d{2}[A-Z]{2}|[A-Z]{1,4}-\d{4,}(?:-[A-Z\d]+)*|[A-Z]{2,}_\d{3,}"
    r"|\d{4}-\d{4}"
    r"|[A-Z]{1,3}\d{1,3}-\d{4,}|[A-Z]{2,3}-\d{3}-[A-Z\d]{2,4}|[A-Z]{1,3}\d{3}-\d{3,}|\d{3,}-[A-Z]{1,2}-\d{2,}"
    r"|[A-Z]{2}-\d{3}-[A-Z]{2}|\d{2,3}-[A-Z]{1,2}-\d{3,6}|[A-Z\d]{3,5}(?:-[A-Z\d]{3,5}){2,4}|[A-Z]{2,5}-\d{3,}-[A-Z\d]+"
    r"|[A-Z]{4}\d{3}|[A-Z]{1,2}\d-\d{3,}-\d{2,}|\d{4,}-[A-Z]\d?|[A-Z]\d{6}\([\dA]\)|[A-Z]{1,2}\d{3,}-[A-Z]{1,2}\d*"
)
"""As written, letters in capitals."""
_VIN = re.compile(r"(?=[a-z\d]*[a-z][a-z\d]*$)(?=(?:[a-z]*\d){3})[a-hj-npr-z\d]{17}")
_MIXED = re.compile(
    r"(?=(?:[A-Za-z]*\d){4})(?:[A-Z]+\d+[A-Z]+\d[A-Z\d]*|\d+[A-Z]+\d+[A-Z\d]*|\d*[A-Z]{2,}\d{2,}[A-Z]{2,}\d*)"
)
TRAP = re.compile(
    r"g\d{1,2}p\d{1,4}(?:l\d|a\d)*|[ycrap]{0,2}p?t(?:\d[a-d]?|x|is)(?:n(?:\d[a-c]?|x))?(?:m[\dx])?|h\d{1,2}n\d{1,2}"
    r"|covid-?19"
    r"|[acdefghiklmnpqrstvwy]\d{1,5}(?:[acdefghiklmnpqrstvwy]|del|fs|dup)|cyp\d[a-z]\d{1,2}"
    r"|[a-z]\d\d(?:\.[\da-z]{1,4})?"
    r"|\d{1,2}[a-z]{0,2}[/-]\d{1,2}[a-z]{0,2}|[a-z]\d{4}|\d{3,5}-\d|[tlcs]\d{1,2}(?:-[tlcs]?\d{1,2})?"
    r"|\d{1,2}[a-z]{3}\d{2,4}"
    r"|(?:1[89]|20)\d\d[-/](?:1[89]|20)?\d\d|\d+(?:st|nd|rd|th)|\d+(?:\.\d+)?(?:mg|ml|mcg|g|kg|cm|mm|iu|meq|mmol"
    r"|units?|k|x)"
    r"|(?:1[89]|20)\d\d[-/](?:0\d|1[0-2])(?:[-/][0-3]\d)?(?:t.*)?|[01]\d[0-5]\d-(?:[01]\d|2[0-4])[0-5]\d"
    r"|2[0-4][0-5]\d-[0-2]\d[0-5]\d"
    r"|\d+-\d+[a-z]{1,3}|\d{4,}hrs?|p\.?[a-z]{3}\d+[a-z]{3}"
)
"""Pregnancies, stages of tumours, strains, mutations, codes of diseases, spine levels, years, dates, hours, amounts."""
_PREFIX = re.compile(r"[a-z]+")
_PAIR = re.compile(r"(\d{3,5})-(\d{2,4})")


def has_form(said: str, low: str) -> bool:
    """Is this run of signs, which is no trap, an identifier by its form? `low` is the same in lower case."""
    prefix = _PREFIX.match(low)
    short = sum(map(str.isdigit, low)) < 5 and not low.startswith("-0", len(prefix[0]) if prefix else 0)
    if prefix and (prefix[0] in MODELS or (prefix[0] in CLINICAL and short)):
        return False
    if _LOW.fullmatch(low) or _UP.fullmatch(said) or _VIN.fullmatch(low):
        return True
    return bool(len(said) >= 6 and _MIXED.fullmatch(said)) or _descends(low) or _three_pairs(low)


def _three_pairs(low: str) -> bool:
    """71-93-40: a number of a record that is no date and no row of doses."""
    if not re.fullmatch(r"\d\d-\d\d-\d\d", low):
        return False
    one, two, last = map(int, low.split("-"))
    possible = min(one, two) < 13 and max(one, two) < 32
    return not possible and bool(one % 5 or two % 5 or last % 5)


def _descends(low: str) -> bool:
    """4410-77 and 771-002 are no ranges: a range grows."""
    pair = _PAIR.fullmatch(low)
    if not pair or len(low) < 7 or (len(pair[1]) == 4 and re.match(r"1[89]|20", low)):
        return False
    return int(pair[1]) > int(pair[2]) and (pair[2][0] == "0" or not (pair[1].endswith("0") and pair[2].endswith("0")))


SPACED = re.compile(
    r"(?<![\w.,/$@-])(?:"
    r"(?P<iban>[A-Z]{2}\d{2}(?: [A-Z\d]{4}){3,7}(?: [A-Z\d]{1,4})?)"
    r"|[A-Z]{2}\d{1,2} ?[A-Z]{1,3} ?\d{4}|[A-Z]{2}\d{2} [A-Z]{3}|[A-Z]{2} \d{2} [A-Z]{1,2} \d{3,4}"  # plates
    r"|(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]"  # national insurance
    r"|[A-Z]{4} \d{4} \d{4}|[A-Z]{2} \d{3} \d{3,}(?: \d+)*|[A-Z]\d{4} \d{2} \d{6}(?: ?[A-Z\d])?|[A-Z]{3} \d{3} \d{3}"
    r"|[12] \d\d \d\d \d[\dAB] \d{3} \d{3}(?: \d\d)?|\d{2} \d{6} ?[A-Z] ?\d{3}|\d{4} \d{6} \d{5}|[2-6]\d{3} \d{5} \d"
    r"|[0-7]\d[01]\d\d\d \d{5}|\d{6} \d{4} \d{2,3}"
    r"|[A-Z]{2,4} \d{7,}|\d{3} \d{4} \d{4} \d{4}"
    r"|\(01\)\d{14}(?:\(\d{2,3}\)[A-Za-z\d/.-]+)*|\d{2} \d{3} \d{3} \d{3}"
    r"|[A-Z]\d{3} \d{3} \d{3} \d{3}(?: ?[A-Z\d])?|\d{4} \d{3} \d{3}(?: [A-Z]{2})?|\d{6} (?![0-2]\d[0-5]\d\b)\d{4}"
    r"|[A-Z]{2,3} \d{4} \d{4}(?: \d{1,4})?"
    r"|[A-Z]{1,3}-[A-Z]{1,2} \d{2,4}"
    r")(?![\w%]|[/.-]\d)"
)
"""Groups with blanks: accounts, plates, national numbers, blood units, device identifiers."""


_UNITS = re.compile(
    r"\b(?:BP|HR|RR|PR|WT|HT|GCS|NG|OG|ET|PO|IV|IM|SC|PR|OD|BD|ED|CT|MR|US|AM|PM|ON|AT|TO|IN|IS|NO|OF|OR)\b"
)


def plausible(match: re.Match[str]) -> bool:
    """Groups of letters and digits in which no abbreviation of the clinic stands; an IBAN may hold anything."""
    scale = "-" in match[0] and match[0].partition("-")[0].lower() in CLINICAL
    return bool(match["iban"]) or not (scale or _UNITS.search(match[0]))
