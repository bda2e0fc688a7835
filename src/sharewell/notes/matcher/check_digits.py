"""Check digits of numbers that countries give people, as guards of rules: a number without one is another number.

Each reads the letters and digits of what a pattern matched; what has another form than such a number fails it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sharewell.notes.matcher.rule import Candidate, Guard, GuardList

CHECKS = GuardList()
_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_NIE = {"X": "0", "Y": "1", "Z": "2"}
_CURP = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"


def _formed(pattern: str) -> Callable[[Callable[[str], bool]], Guard]:
    """A check of the letters and digits of a candidate, in capitals; what has another form fails it."""
    form = re.compile(pattern, re.ASCII)

    def guarded(check: Callable[[str], bool]) -> Guard:
        def asked(candidate: Candidate) -> bool:
            signs = "".join(sign for sign in candidate.written.upper() if sign.isalnum())
            return form.fullmatch(signs) is not None and check(signs)

        asked.__name__, asked.__doc__ = check.__name__, check.__doc__
        return asked

    return guarded


def _digits(candidate: Candidate) -> list[int]:
    return [int(sign) for sign in candidate.written if sign.isdecimal()]


def _doubled(digits: Sequence[int]) -> int:
    """The sum of cards: every second digit, the first one before the last, counts twice, as the sum of its digits."""
    return sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])


@CHECKS.add
def luhn(candidate: Candidate) -> bool:
    """Its digits pass the check of cards (Luhn)."""
    return _doubled(_digits(candidate)) % 10 == 0


@CHECKS.add
def ean(candidate: Candidate) -> bool:
    """Its digits pass the check of article numbers, as those of the Swiss AHV do."""
    digits = _digits(candidate)
    return (sum(digits[-1::-2]) + 3 * sum(digits[-2::-2])) % 10 == 0


@CHECKS.add
@_formed(r"[A-Z]{2}\d\d[A-Z\d]{11,30}")
def iban(signs: str) -> bool:
    """It passes the check of bank accounts (ISO 7064, modulo 97)."""
    return int("".join(str(int(sign, 36)) for sign in signs[4:] + signs[:4])) % 97 == 1


@CHECKS.add
@_formed(r"[A-Z]\d{9}")
def german_insured(signs: str) -> bool:
    """A letter and nine digits of a German health insurance card: the last one checks the others."""
    digits = [int(sign) for sign in f"{ord(signs[0]) - 64:02d}{signs[1:9]}"]
    weighed = (digit * (1 + place % 2) for place, digit in enumerate(digits))
    return sum(sum(divmod(product, 10)) for product in weighed) % 10 == int(signs[9])


@CHECKS.add
@_formed(r"\d{11}")
def german_tax(signs: str) -> bool:
    """Eleven digits of a German tax number (ISO 7064, modulo 11 and 10), one of them two or three times."""
    digits = [int(sign) for sign in signs]
    product = 10
    for digit in digits[:10]:
        product = 2 * ((digit + product) % 10 or 10) % 11
    return (11 - product) % 10 == digits[10] and 7 < len(set(digits[:10])) < 10


@CHECKS.add
@_formed(r"\d{8}[A-Z]\d{3}")
def german_pension(signs: str) -> bool:
    """Two digits, a birth date, a letter and three digits of the German pension insurance."""
    digits = [int(sign) for sign in f"{signs[:8]}{ord(signs[8]) - 64:02d}{signs[9:11]}"]
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    products = (digit * weight for digit, weight in zip(digits, weights, strict=True))
    return sum(sum(divmod(product, 10)) for product in products) % 10 == int(signs[11])


@CHECKS.add
@_formed(r"\d{10}")
def austrian_insured(signs: str) -> bool:
    """Ten digits of the Austrian social insurance; the fourth one checks the others."""
    digits = [int(sign) for sign in signs]
    weights = (3, 7, 9, 0, 5, 8, 4, 2, 1, 6)
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True)) % 11 == digits[3]


@CHECKS.add
@_formed(r"[\dXYZ]\d{7}[A-Z]")
def spanish_identity(signs: str) -> bool:
    """The letter of a Spanish DNI or NIE is that of its number."""
    number = _NIE.get(signs[0], signs[0]) + signs[1:-1]
    return _DNI[int(number) % 23] == signs[-1]


@CHECKS.add
@_formed(r"\d{12}")
def spanish_insured(signs: str) -> bool:
    """Twelve digits of the Spanish social security: the last two are the others modulo 97."""
    province, number, check = signs[:2], signs[2:10], int(signs[10:])
    return int(province + (number if int(number) >= 10_000_000 else str(int(number)))) % 97 == check


@CHECKS.add
@_formed(r"[A-Z\d]{17}\d")
def mexican_curp(signs: str) -> bool:
    """Eighteen signs of a Mexican CURP: the last one checks the others."""
    total = sum(_CURP.index(sign) * (18 - place) for place, sign in enumerate(signs[:17]))
    return -total % 10 == int(signs[17])


@CHECKS.add
@_formed(r"\d{7,8}[\dK]")
def chilean_rut(signs: str) -> bool:
    """The digit or K behind a Chilean RUT is that of its number."""
    total = sum(int(digit) * (2 + place % 6) for place, digit in enumerate(reversed(signs[:-1])))
    return "0123456789K0"[-total % 11] == signs[-1]
