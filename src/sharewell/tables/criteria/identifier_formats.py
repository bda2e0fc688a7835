"""How identifiers of the HIPAA list are written, by the rules of those who assign them: for judging published cells.

A cell is cut into groups of digits and letters, and the groups are held against the numbering plan: area, group and
serial of the Social Security Administration, area code and exchange of the North American Numbering Plan, E.164, the
check character of ISO 3779, the post's five and four digits. Network addresses are parsed as such. Mechanisms and the
search for identifiers in notes recognise them by patterns of characters; nothing of those is used here.

>>> format_of("078-05-1120"), format_of("(617) 555-0123"), format_of("write to bo@example.org"), format_of("02139-4307")
('a social security number', 'a telephone number', 'an e-mail address', 'a ZIP code')
>>> format_of("2019-03-04"), format_of("1980-1989"), format_of("E11.9"), format_of("120/80")
(None, None, None, None)
"""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence

_SEPARATORS = frozenset("-. ()/")
_BRACKETS = ".,;:()[]<>{}\"'"
_DIGITS = frozenset("0123456789")
_HEX = frozenset("0123456789abcdefABCDEF")
_LONG, _ZIP = 9, 5
_POSTAL = "a ZIP code"
_FEWEST_ZIPS = 5
"""Different numbers, all of five digits, from which on they are taken for ZIP codes."""
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VIN_VALUES = {c: i % 10 for i, c in enumerate("0123456789")} | dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)
)


def identifying_cells(counted: Sequence[tuple[str, int]], postal: bool = True) -> tuple[int, str]:
    """(cells that show an identifier, what most of them show), for the (text, rows) of one column.

    `postal` counts ZIP codes too, which a Limited Data Set may show.
    """
    by_kind: dict[str, int] = {}
    plain: list[tuple[str, int]] = []
    for text, rows in counted:
        kind = format_of(text) if text else None
        if kind == _POSTAL and not postal:
            continue
        if kind is not None:
            by_kind[kind] = by_kind.get(kind, 0) + rows
        elif text:
            plain.append((text, rows))
    digits = [(text, rows) for text, rows in plain if _is_digits(text)]
    long = [(text, rows) for text, rows in digits if len(text) >= _LONG]
    if 2 * len(long) > sum(rows for _, rows in long) > 0:  # most belong to one record: a number of somebody
        by_kind["a number of nine digits or more"] = sum(rows for _, rows in long)
    zips = postal and digits and len(digits) == len(plain) and all(len(text) == _ZIP for text, _ in digits)
    if zips and (len(digits) >= _FEWEST_ZIPS or any(text[0] == "0" for text, _ in digits)):
        by_kind[_POSTAL] = by_kind.get(_POSTAL, 0) + sum(rows for _, rows in digits)
    most = max(by_kind, key=lambda kind: by_kind[kind]) if by_kind else ""
    return sum(by_kind.values()), most


def format_of(text: str) -> str | None:
    """What a cell, or a word in it, is written like; None if like nothing of this list."""
    plain = text.strip()
    if _is_telephone(plain):
        return "a telephone number"
    for word in (plain, *plain.split()):
        found = _format_of_word(word.strip(_BRACKETS))
        if found is not None:
            return found
    return None


def _format_of_word(word: str) -> str | None:
    if _is_mail(word):
        return "an e-mail address"
    if "://" in word or word.lower().startswith("www."):
        return "a web address"
    if _is_network_address(word):
        return "a network address"
    groups = _groups(word)
    lengths = [len(group) for group in groups or ()]
    if groups and lengths == [3, 2, 4] and _is_social_security(*groups):
        return "a social security number"
    if groups and lengths == [5, 4]:
        return _POSTAL
    return "a vehicle number" if _is_vehicle(word) else None


def _is_digits(text: str) -> bool:
    return bool(text) and _DIGITS.issuperset(text)


def _groups(text: str) -> list[str] | None:
    """The groups of digits between single hyphens or blanks; None if anything else stands there."""
    groups = text.replace(" ", "-").split("-")
    return groups if len(groups) > 1 and all(map(_is_digits, groups)) else None


def _is_social_security(area: str, group: str, serial: str) -> bool:
    """No area 000, 666 or from 900 on, no group 00, no serial 0000 was ever assigned."""
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"


def _is_telephone(text: str) -> bool:
    """Digits with separators that make a number of E.164, or of the North American plan in its usual groups."""
    if not text or not (_DIGITS | _SEPARATORS | {"+"}).issuperset(text):
        return False
    digits = "".join(c for c in text if c in _DIGITS)
    if text[0] == "+":
        return "+" not in text[1:] and 8 <= len(digits) <= 15
    groups = "".join(c if c in _DIGITS else " " for c in text).split()
    if groups and groups[0] == "1":
        groups = groups[1:]
    north_american = [len(group) for group in groups] == [3, 3, 4]
    return north_american and groups[0][0] not in "01" and groups[1][0] not in "01"


def _is_mail(word: str) -> bool:
    local, at, domain = word.rpartition("@")
    labels = domain.split(".")
    return bool(at and local) and len(labels) > 1 and all(labels) and labels[-1].isalpha() and len(labels[-1]) > 1


def _is_network_address(word: str) -> bool:
    pairs = word.replace("-", ":").split(":")
    if len(pairs) == 6 and all(len(pair) == 2 and _HEX.issuperset(pair) for pair in pairs):
        return True
    if word.count(".") != 3 and word.count(":") < 2:
        return False
    try:
        ipaddress.ip_address(word)
    except ValueError:
        return False
    return True


def _is_vehicle(word: str) -> bool:
    """Seventeen characters whose ninth is the check character of the others."""
    plain = word.upper()
    if len(plain) != len(_VIN_WEIGHTS) or any(c not in _VIN_VALUES for c in plain) or plain.isdigit():
        return False
    rest = sum(_VIN_VALUES[c] * weight for c, weight in zip(plain, _VIN_WEIGHTS, strict=True)) % 11
    return plain[8] == ("X" if rest == 10 else str(rest))
