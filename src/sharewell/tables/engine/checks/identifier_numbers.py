"""Which numbers without a form of their own, in one published column, are identifiers: told by the company they have.

A nine-digit number may be a social security number or the code of a disease, a five-digit one a ZIP code or a cost.
What the other numbers of the column are decides it:

* **Social security, telephone, account and card numbers.** Two different numbers or more that the numbering plans could
  have assigned; of cards and accounts, most numbers of that length.
* **Long numbers.** Nine digits or more, if most of them belong to fewer than five persons (records, where persons are
  not known). If most carry the check digit of SNOMED CT concepts, those are codes and not counted in either rule.
* **Numbers with letters before them.** Six digits or more behind two to four letters, seven behind one, seven or eight
  with a zero in front, and plates of vehicles, if most cells with digits are so and most of these belong to fewer than
  five persons. Codes of diseases are shorter.
* **ZIP codes.** Two or more different numbers of five digits, or one that begins with a zero, if most are in an area
  that the post uses and few numbers (one, or a twentieth) have another form. Words, marks for missing values (0, 9,
  99, 999 …) and three-digit areas of the same codes do not count against it. Numbers of four digits count as codes that
  lost their zero, unless they outnumber those of five digits or zeros are still there. Round numbers (ending in 00) are
  none.

Numbers with a unit behind them are quantities, and numbers with the name of a code system before them are its codes.

>>> sorted(identifying_numbers({number: Occurrences(9) for number in ("02139", "10001", "7")}, postal=True))
['02139', '10001']
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.checks.cell_spelling import without_accents, word_set
from sharewell.tables.engine.checks.code_formats import ACCOUNT, checks_by_doubling
from sharewell.tables.engine.checks.hipaa_names import is_code_system
from sharewell.tables.engine.checks.place_formats import is_postal

_LONG, _ZIP = 9, 5
FEW_HOLDERS = 5
_SPLIT = re.compile(r"[\s,;:|{}\[\]()<>\"'=/#*?!~^`]+")
_NUMBER = re.compile(r"([0-9]+)(?:\.([0-9]*))?(?:[eE]\+?([0-9]{1,2}))?")
_LONG_RUN = re.compile(rf"(?<![0-9.])[0-9]{{{_LONG},}}(?![0-9]|\.[0-9])")
_GLUED = re.compile(
    rf"[^\W\d_]{{2,}}[-.]?([0-9]{{{_ZIP}}})|[^\W\d_]-([0-9]{{{_ZIP}}})|([0-9]{{{_ZIP}}})[-.]?(?:[^\W\d_]{{3,}}|US)"
)
_LETTERS_BEFORE = re.compile(r"([^\W\d_]+)[-.: ]*(?=[0-9])")
_LETTERED = re.compile(r"[A-Za-z]{2,4}[- ]?[0-9]{6,}|[A-Za-z][- ]?[0-9]{7,}|0[0-9]{6,7}")
_OF_CONCEPTS = re.compile(r"[Cc][0-9]{7}|[DdMm][0-9]{6,9}")
"""UMLS and MeSH."""
_MISSING = re.compile(r"0+|9+|-[0-9]{1,3}")
_UNITS = word_set(
    "mg g kg ug mcg µg μg ng pg lb lbs oz ml dl l ul µl μl fl iu u miu units unit mmol umol µmol μmol nmol pmol",
    "mol meq mosm mmhg cm mm m km ms s sec min mins minutes h hr hrs hours d day days week weeks months years",
    "copies cells cfu kcal cal kj bpm usd eur gbp chf dollars euro euros per percent gy mgy msv bq mbq hz khz",
    "steps",
)
_CURRENCIES = "$€£¥%"
SOCIAL, TELEPHONE = "a social security number", "a telephone number"
LONG, POSTAL = "a number of nine digits or more", "a ZIP code"


class Occurrences(NamedTuple):
    """In how many rows a number stands, and the persons of these rows where they are known, as one array a cell."""

    rows: int
    persons: Sequence[NDArray[np.int32]] | None = None

    @property
    def holders(self) -> int:
        return self.rows if self.persons is None else len(np.unique(np.concatenate(self.persons)))


def numbers_in(text: str) -> set[str]:
    """The numbers of a cell, whole ones without their decimal point; other words that hold digits stay as they are.

    >>> sorted(numbers_in("{10001.0,x}")), sorted(numbers_in("6.175550142e+9")), sorted(numbers_in("MRN-123456789 4.5"))
    (['10001'], ['6175550142'], ['123456789', '4.5'])
    >>> sorted(numbers_in("loc02139")), sorted(numbers_in("12345 mg")), sorted(numbers_in("CPT 99213"))
    (['02139'], ['12345 mg'], ['CPT 99213'])
    """
    results = set()
    words = _SPLIT.split(text)
    for place, word in enumerate(words):
        bare = word.strip(".+&").rstrip("-.")
        if any("0" <= c <= "9" for c in bare):
            before, after = words[place - 1] if place else "", words[place + 1] if place + 1 < len(words) else ""
            results |= _numbers_of(bare, before, after)
    return results


def _numbers_of(word: str, before: str, after: str) -> set[str]:
    whole = _whole(word)
    if (whole or word)[0] != "0" and is_unit(after):
        return {f"{word} {after}"}
    if is_code_system(without_accents(before.strip("."))):
        return {f"{before} {word}"}
    if whole:
        return {whole}
    letters = _LETTERS_BEFORE.match(word)
    if letters and is_code_system(without_accents(letters[1])):
        return {word}
    glued = _GLUED.fullmatch(word)
    if glued and not (glued[3] and glued[3][0] != "0" and is_unit(word[_ZIP:].strip("-."))):
        return {glued[1] or glued[2] or glued[3]}
    return set(_LONG_RUN.findall(word)) or {word}


def is_unit(word: str) -> bool:
    return word.casefold().strip(".") in _UNITS or (bool(word) and word[0] in _CURRENCIES)


def _whole(word: str) -> str | None:
    match = _NUMBER.fullmatch(word)
    if match is None:
        return None
    digits, decimals, power = match[1], (match[2] or "").rstrip("0"), int(match[3] or 0)
    return digits + decimals.ljust(power, "0") if len(decimals) <= power else None


def identifying_numbers(numbers: Mapping[str, Occurrences], postal: bool) -> dict[str, str]:
    """The numbers of a column that are identifiers, with what they are written like. O(d) for d numbers"""
    whole = {number: seen for number, seen in numbers.items() if number.isascii() and number.isdigit()}
    long = {number: seen for number, seen in whole.items() if len(number) >= _LONG}
    concepts = {number for number in long if is_concept(number)}
    if 2 * len(concepts) > len(long):
        long = {number: seen for number, seen in long.items() if number not in concepts}
    kinds: dict[str, str] = {}
    if belong_to_few(long.values()):
        kinds |= dict.fromkeys(long, LONG)
    assigned = {number: kind for number in long if (kind := _plan(number)) is not None}
    if len(assigned) > 1:
        kinds |= assigned
    kinds |= dict.fromkeys(_cards(set(long)), ACCOUNT)
    return kinds | dict.fromkeys(_zip_codes(set(numbers)) if postal else (), POSTAL)


def belong_to_few(seen: Iterable[Occurrences]) -> bool:
    """Do most of these belong to fewer than five persons each?"""
    listed = list(seen)
    return 2 * sum(one.holders < FEW_HOLDERS for one in listed) > len(listed)


def is_lettered(text: str) -> bool:
    """Many digits behind a few letters or a zero, as hospitals, insurers and states number people.

    >>> [is_lettered(text) for text in ("PT000123", "H-1234567", "00123456", "C0011849", "S72001A", "NCT01234567")]
    [True, True, True, False, False, False]
    """
    bare = text.strip(" .,;:()[]{}#")
    letters = _LETTERS_BEFORE.match(bare)
    if letters and is_code_system(without_accents(letters[1])):
        return False
    return bool(_LETTERED.fullmatch(bare)) and not _OF_CONCEPTS.fullmatch(bare)


def _plan(number: str) -> str | None:
    if len(number) == 9 and is_social_security(number[:3], number[3:5], number[5:]):
        return SOCIAL
    national = number[1:] if len(number) == 11 and number[0] == "1" else number
    return TELEPHONE if len(national) == 10 and is_north_american(national[:3], national[3:6]) else None


def _cards(long: set[str]) -> set[str]:
    """Numbers with the check digit of cards, where most of thirteen to nineteen digits have it."""
    lengthy = {number for number in long if 13 <= len(number) <= 19}
    checked = {number for number in lengthy if checks_by_doubling(number)}
    return checked if len(checked) > 1 and 2 * len(checked) > len(lengthy) else set()


def is_social_security(area: str, group: str, serial: str) -> bool:
    """No area 000, 666 or from 900 on, no group 00, no serial 0000 was ever assigned."""
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"


def is_north_american(area: str, exchange: str) -> bool:
    """Neither the area code nor the exchange begins with 0 or 1."""
    return area[0] not in "01" and exchange[0] not in "01"


def _zip_codes(numbers: set[str]) -> set[str]:
    """The ZIP codes among the numbers of a column; none if too many of them have another form."""
    words = {number for number in numbers if len(number) < _LONG and not _MISSING.fullmatch(number)}
    five = {word for word in words if len(word) == _ZIP and word.isdigit()}
    has_zeros = any(word[0] == "0" for word in five)
    four = {word for word in words if len(word) == _ZIP - 1 and word.isdigit() and word[0] != "0"}
    lost = {word for word in four if not has_zeros or "0" + word in five} if len(four) <= len(five) else set()
    areas = words & {code[:3] for code in five}
    strange = len(words - five - lost - areas)
    codes = five | lost
    plausible = sum(is_postal(code.zfill(_ZIP)) for code in codes)
    several = len(codes) > 1 or has_zeros
    return codes if five and several and 2 * plausible > len(codes) and strange <= max(1, len(words) // 20) else set()


def is_concept(number: str) -> bool:
    """A SNOMED CT concept: the second and third digit from the right say so, the last one checks (Verhoeff's scheme).

    >>> is_concept("195967001"), is_concept("195967002"), is_concept("123456789")
    (True, False, False)
    """
    if number[-3:-1] not in ("00", "10") or len(number) > 18:
        return False
    check = 0
    for place, digit in enumerate(reversed(number)):
        check = _times(check, _permuted(int(digit), place % 8))
    return check == 0


def _times(a: int, b: int) -> int:
    """The product in the group of the ten symmetries of a pentagon."""
    turned = (a + b) % 5 if a < 5 else (a - b) % 5
    return turned + 5 * ((a >= 5) != (b >= 5))


@cache
def _permuted(digit: int, times: int) -> int:
    return digit if times == 0 else (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)[_permuted(digit, times - 1)]
