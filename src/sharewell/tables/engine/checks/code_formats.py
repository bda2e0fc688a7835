"""How codes of persons and of their things are written, by the check characters of those who assign them.

Vehicles by ISO 3779, bank accounts by ISO 13616, cards and the numbers of mobile telephones by ISO/IEC 7812, Medicare
beneficiaries by the form of the Centers for Medicare & Medicaid Services, devices by the application identifiers of
GS1, random identifiers by RFC 9562; beside these, words in which letters and digits change so often that nobody chose
them. Blanks and hyphens within a code do not matter.

>>> [code_format(text) for text in ("VIN1HGCM82633A004352", "DE89 3704 0044 0532 0130 00", "1EG4-TE5-MK73")]
['a vehicle number', 'an account or card number', 'a beneficiary number']
>>> [code_format(text) for text in ("(01)00844588003288(17)141120", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "A10BA02")]
['a device identifier', 'a unique code', None]
>>> [code_format(text) for text in ("Arg1443LeufsTer24", "ENSG00000139618", "0DTJ4ZZ", "InChI BSYNRYMUTXBXSQ")]
[None, None, None, None]
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sharewell.tables.engine.checks.cell_spelling import word_set

VEHICLE, ACCOUNT, BENEFICIARY = "a vehicle number", "an account or card number", "a beneficiary number"
DEVICE, UNIQUE, PLATE = "a device identifier", "a unique code", "a licence plate"
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VALUES = {c: i % 10 for i, c in enumerate("0123456789")} | dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)
)
_WORDS = re.compile(r"[0-9A-Za-z]{12,}")
_SPACED = re.compile(r"[0-9A-Za-z]+(?:[ -][0-9A-Za-z]+){1,5}(?![0-9A-Za-z]|[ -][0-9A-Za-z])")
_COUNTRY = re.compile(r"(?=([A-Z]{2})[0-9]{2}(?:[ -]?[A-Z0-9]){11,30})")
_LENGTHS = {
    entry[:2]: int(entry[2:])
    for entry in word_set(
        "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18",
        "FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20",
        "LU20 LV21 LY25 MC27 MD24 ME22 MK19 MR27 MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SC31 SE24",
        "SI19 SK24 SM27 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20",
    )
}
"""Characters of a bank account, by country."""
_LETTER, _EITHER = "[AC-HJKMNP-RT-Y]", "[0-9AC-HJKMNP-RT-Y]"
_BENEFICIARY = re.compile(
    rf"(?<![0-9])[1-9]{_LETTER}{_EITHER}[0-9][ -]?{_LETTER}{_EITHER}[0-9][ -]?{_LETTER}{{2}}[0-9]{{2}}(?![0-9A-Z])"
)
_DEVICE = re.compile(r"\(01\) ?[0-9]{14}(?![0-9])|\(21\) ?[0-9A-Z]{4,}|\(8003\)|\(8004\)", re.IGNORECASE)
_RANDOM = re.compile(r"[0-9A-Fa-f]{8}[ -]?(?:[0-9A-Fa-f]{4}[ -]?){3}[0-9A-Fa-f]{12}(?![0-9A-Fa-f])")
_RUNS = re.compile(r"[0-9]+|[A-Za-z]+")
_HEX = frozenset("0123456789abcdefABCDEF")
_LONGEST, _FEWEST_DIGITS = 48, 6
_PLATES = re.compile(
    r"[A-Z]{3}[ -]?[0-9]{3,4}|[0-9]{3,4}[ -]?[A-Z]{3}|[0-9][ -]?[A-Z]{3}[ -]?[0-9]{3}"
    r"|[A-Z]{2}[ -]?[0-9]{3}[ -]?[A-Z]{2}"
    r"|[A-Z]{2}[0-9]{2} ?[A-Z]{3}|[A-Z]{1,3}-[A-Z]{1,2}(?: [0-9]{1,4}|[0-9]{3,4})[EH]?",
)


def code_format(text: str) -> str | None:
    """What kind of code a normalised text holds; None if none."""
    if len(text) < 11:
        return None
    upper = text.upper()
    if _BENEFICIARY.search(upper):
        return BENEFICIARY
    if "(" in text and _DEVICE.search(text):
        return DEVICE
    if any(_is_account(upper[match.start() :]) for match in _COUNTRY.finditer(upper)):
        return ACCOUNT
    if any(is_vehicle(word[i : i + 17]) for word in _candidates(upper) for i in range(len(word) - 16)):
        return VEHICLE
    if any(_RUNS_LETTER.search(match[0]) for match in _RANDOM.finditer(text)):
        return UNIQUE
    return UNIQUE if any(map(_is_random, _WORDS.findall(text))) else None


_RUNS_LETTER = re.compile(r"[A-Fa-f]")


def _candidates(upper: str) -> Iterator[str]:
    """Words, and runs of short words with blanks or hyphens between them, of a length that a vehicle may have."""
    yield from (word for word in _WORDS.findall(upper) if 17 <= len(word) <= _LONGEST)
    if sum(map(upper.count, "0123456789")) < _FEWEST_DIGITS:
        return
    for match in _SPACED.finditer(upper):
        joined = match[0].replace(" ", "").replace("-", "")
        if 17 <= len(joined) <= _LONGEST and sum(c.isdigit() for c in joined) >= _FEWEST_DIGITS:
            yield joined


def is_vehicle(word: str) -> bool:
    """Seventeen characters, four digits last, whose ninth is the check character of the others."""
    if len(word) != len(_WEIGHTS) or any(c not in _VALUES for c in word) or word.isdigit() or not word[-4:].isdigit():
        return False
    rest = sum(_VALUES[c] * weight for c, weight in zip(word, _WEIGHTS, strict=True)) % 11
    return word[8] == ("X" if rest == 10 else str(rest))


def _is_account(text: str) -> bool:
    """As many characters as the country's accounts have, that are 1 modulo 97 with country and check digits last."""
    joined = text[:70].replace(" ", "").replace("-", "")
    length = _LENGTHS.get(joined[:2], 0)
    number = joined[:length]
    return len(number) == length > 0 and number.isalnum() and _remainder(number[4:] + number[:4]) == 1


def _remainder(text: str) -> int:
    rest = 0
    for character in text:
        value = ord(character) - (48 if character.isdigit() else 55)
        rest = (rest * (10 if value < 10 else 100) + value) % 97
    return rest


def checks_by_doubling(digits: str) -> bool:
    """Every second digit from the right is doubled and its digits added; the sum ends in zero. Not all digits alike.

    >>> checks_by_doubling("4111111111111111"), checks_by_doubling("4111111111111112"), checks_by_doubling("00000000")
    (True, False, False)
    """
    doubled = (int(digit) * (1 + place % 2) for place, digit in enumerate(reversed(digits)))
    return len(set(digits)) > 1 and sum(sum(divmod(value, 10)) for value in doubled) % 10 == 0


def _is_random(word: str) -> bool:
    """Letters and digits in turns: what machines draw or hash. `ENSG00000139618` and `Arg1443LeufsTer24` are not."""
    turns = len(_RUNS.findall(word))
    if _HEX.issuperset(word) and (len(word) == 12 or len(word) >= 16):
        return turns >= 4
    return len(word) >= 20 and turns >= 6


def is_plate(text: str) -> bool:
    """Written like the plate of a vehicle; so are some codes of rooms, drugs and genes.

    >>> [is_plate(text) for text in ("ABC-1234", "7abc123", "AB12 CDE", "M-AB 1234", "E11.9", "CD20", "HLA-B27")]
    [True, True, True, True, False, False, False]
    """
    plain = text.strip(" .,;:()[]{}#").upper()
    return _PLATES.fullmatch(plain) is not None and not plain.endswith("ZZZ")  # these are codes of procedures
