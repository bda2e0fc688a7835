"""Check digits of numbers that countries give people, as guards of rules: a number without one is another number.

Each reads the letters and digits of what a pattern matched, in capitals; a rule's pattern has seen to their form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sharewell.notes.matcher.rule import Candidate, Guard

_DNI = "TRWAGMYFPDXBNJZSQVHLCKE"
_NIE = {"X": "0", "Y": "1", "Z": "2"}
_CURP = "0123456789ABCDEFGHIJKLMNÑOPQRSTUVWXYZ"


def _signs(candidate: Candidate) -> str:
    return "".join(sign for sign in candidate.written.upper() if sign.isalnum())


def _digits(candidate: Candidate) -> list[int]:
    return [int(sign) for sign in candidate.written if sign.isdecimal()]


def _doubled(digits: Sequence[int]) -> int:
    """The sum of cards: every second digit, the first one before the last, counts twice, as the sum of its digits."""
    return sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])


def luhn(candidate: Candidate) -> bool:
    """Its digits pass the check of cards (Luhn)."""
    return _doubled(_digits(candidate)) % 10 == 0


def ean(candidate: Candidate) -> bool:
    """Its digits pass the check of article numbers, as those of the Swiss AHV do."""
    digits = _digits(candidate)
    return (sum(digits[-1::-2]) + 3 * sum(digits[-2::-2])) % 10 == 0


def iban(candidate: Candidate) -> bool:
    """It passes the check of bank accounts (ISO 7064, modulo 97)."""
    signs = _signs(candidate)
    return signs.isascii() and int("".join(str(int(sign, 36)) for sign in signs[4:] + signs[:4])) % 97 == 1


def german_insured(candidate: Candidate) -> bool:
    """A letter and nine digits of a German health insurance card: the last one checks the others."""
    signs = _signs(candidate)
    digits = [int(sign) for sign in f"{ord(signs[0]) - 64:02d}{signs[1:9]}"]
    weighed = (digit * (1 + place % 2) for place, digit in enumerate(digits))
    return sum(sum(divmod(product, 10)) for product in weighed) % 10 == int(signs[9])


def german_tax(candidate: Candidate) -> bool:
    """Eleven digits of a German tax number (ISO 7064, modulo 11 and 10), one of them two or three times."""
    digits = _digits(candidate)
    product = 10
    for digit in digits[:10]:
        product = 2 * ((digit + product) % 10 or 10) % 11
    return (11 - product) % 10 == digits[10] and 7 < len(set(digits[:10])) < 10


def german_pension(candidate: Candidate) -> bool:
    """Two digits, a birth date, a letter and three digits of the German pension insurance."""
    signs = _signs(candidate)
    digits = [int(sign) for sign in f"{signs[:8]}{ord(signs[8]) - 64:02d}{signs[9:11]}"]
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    products = (digit * weight for digit, weight in zip(digits, weights, strict=True))
    return sum(sum(divmod(product, 10)) for product in products) % 10 == int(signs[11])


def austrian_insured(candidate: Candidate) -> bool:
    """Ten digits of the Austrian social insurance; the fourth one checks the others."""
    digits = _digits(candidate)
    weights = (3, 7, 9, 0, 5, 8, 4, 2, 1, 6)
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True)) % 11 == digits[3]


def spanish_identity(candidate: Candidate) -> bool:
    """The letter of a Spanish DNI or NIE is that of its number."""
    signs = _signs(candidate)
    number = _NIE.get(signs[0], signs[0]) + signs[1:-1]
    return number.isdecimal() and _DNI[int(number) % 23] == signs[-1]


def spanish_insured(candidate: Candidate) -> bool:
    """Twelve digits of the Spanish social security: the last two are the others modulo 97."""
    digits = "".join(map(str, _digits(candidate)))
    province, number, check = digits[:2], digits[2:10], int(digits[10:])
    return int(province + (number if int(number) >= 10_000_000 else str(int(number)))) % 97 == check


def mexican_curp(candidate: Candidate) -> bool:
    """Eighteen signs of a Mexican CURP: the last one checks the others."""
    signs = _signs(candidate)
    total = sum(_CURP.index(sign) * (18 - place) for place, sign in enumerate(signs[:17]))
    return signs[17].isdecimal() and -total % 10 == int(signs[17])


def chilean_rut(candidate: Candidate) -> bool:
    """The digit or K behind a Chilean RUT is that of its number."""
    signs = _signs(candidate)
    total = sum(int(digit) * (2 + place % 6) for place, digit in enumerate(reversed(signs[:-1])))
    return "0123456789K0"[-total % 11] == signs[-1]


CHECKS: Mapping[str, Guard] = {
    check.__name__: check
    for check in (
        *(luhn, ean, iban, german_insured, german_tax, german_pension, austrian_insured),
        *(spanish_identity, spanish_insured, mexican_curp, chilean_rut),
    )
}
"""The guards of this module by name."""
