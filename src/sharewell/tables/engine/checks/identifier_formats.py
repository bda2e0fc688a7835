"""How identifiers of the HIPAA list are written, by the rules of those who assign them: for judging published cells.

A cell is first brought to one spelling: digits of any script, every dash as a hyphen, no invisible characters. It is
then cut into groups of digits, and groups that follow each other are held against the numbering plan, wherever in the
cell they stand: area, group and serial of the Social Security Administration, area code and exchange of the North
American Numbering Plan, E.164, the check character of ISO 3779, the post's five and four digits. Network addresses are
parsed as such. Numbers without separators are judged by the company they have in the column (`identifier_numbers`).
Mechanisms and the search for identifiers in notes recognise them by patterns of characters; nothing of those is used
here.

>>> format_of("078-05-1120"), format_of("(617) 555-0123"), format_of("write to bo@example.org"), format_of("02139-4307")
('a social security number', 'a telephone number', 'an e-mail address', 'a ZIP code')
>>> format_of("{078.05.1120,x}"), format_of("617\u2013555\u20130123"), format_of("MA 02139")
('a social security number', 'a telephone number', 'a ZIP code')
>>> format_of("2019-03-04"), format_of("1980-1989"), format_of("E11.9"), format_of("120/80"), format_of("12345.6789")
(None, None, None, None, None)
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.tables.engine.checks.identifier_numbers import (
    POSTAL,
    SOCIAL,
    TELEPHONE,
    Occurrences,
    identifying_numbers,
    is_north_american,
    is_postal,
    is_social_security,
    numbers_in,
)

_SEPARATORS = frozenset("-. ()/")
_WIDEST_GAP = 3
_BRACKETS = ".,;:()[]<>{}\"'"
_HEX = frozenset("0123456789abcdefABCDEF")
_RUNS = re.compile(r"([0-9]+)")
_WORDS = re.compile(r"[\s,;|{}\[\]\"']+")
_MINUS_SIGNS = frozenset("\u2212\u00ad\u2043\u02d7_")
"""Written like a hyphen, though not dashes to Unicode."""
_STATE_AND_ZIP = re.compile(r"(?<![A-Za-z])([A-Z]{2})[ ,.-]{0,3}([0-9]{5})(?![0-9])")
_STATE_CODES = (
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR "
    "PA RI SC SD TN TX UT VT VA WA WV WI WY PR GU VI AS MP AA AE AP"
)
_STATES = frozenset(_STATE_CODES.split())
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VIN_VALUES = {c: i % 10 for i, c in enumerate("0123456789")} | dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", (1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9), strict=True)
)


class CountedCell(NamedTuple):
    """A text that a column shows, in how many rows, and of which persons where they are known."""

    text: str
    rows: int
    persons: NDArray[np.int32] | None = None


def identifying_cells(cells: Sequence[CountedCell], postal: bool = True) -> tuple[int, str]:
    """(cells that show an identifier, what most of them show), for the texts of one column.

    `postal` counts ZIP codes too, which a Limited Data Set may show.
    """
    plain = [(cell, normalised(cell.text)) for cell in cells if cell.text]
    by_cell = [numbers_in(text) for _, text in plain]
    bad = identifying_numbers(_occurrences([cell for cell, _ in plain], by_cell), postal)
    by_kind: dict[str, int] = {}
    for (cell, text), numbers in zip(plain, by_cell, strict=True):
        kinds = [bad[number] for number in numbers if number in bad]
        kind = _format_of(text, postal) or (kinds[0] if kinds else None)
        if kind is not None:
            by_kind[kind] = by_kind.get(kind, 0) + cell.rows
    most = max(by_kind, key=lambda kind: by_kind[kind]) if by_kind else ""
    return sum(by_kind.values()), most


def _occurrences(cells: Sequence[CountedCell], by_cell: Sequence[set[str]]) -> dict[str, Occurrences]:
    """Every number of the column, with the rows and persons of all cells that show it."""
    showing: dict[str, list[CountedCell]] = {}
    for cell, numbers in zip(cells, by_cell, strict=True):
        for number in numbers:
            showing.setdefault(number, []).append(cell)
    return {number: _together(found) for number, found in showing.items()}


def _together(cells: Sequence[CountedCell]) -> Occurrences:
    known = [cell.persons for cell in cells if cell.persons is not None]
    return Occurrences(sum(cell.rows for cell in cells), known if len(known) == len(cells) else None)


def normalised(text: str) -> str:
    """One spelling: compatible forms, decimal digits of any script as ASCII, dashes as hyphens, nothing invisible."""
    if text.isascii():
        return text.replace("_", "-")
    return "".join(map(_plain, unicodedata.normalize("NFKC", text)))


def _plain(character: str) -> str:
    kind = unicodedata.category(character)
    if kind == "Nd":
        return str(unicodedata.decimal(character))
    if kind == "Pd" or character in _MINUS_SIGNS:
        return "-"
    return "" if kind == "Cf" else character


def format_of(text: str) -> str | None:
    """What a cell, or a part of it, is written like; None if like nothing of this list."""
    return _format_of(normalised(text), postal=True)


def _format_of(text: str, postal: bool) -> str | None:
    if text.replace(".", "", 1).isdigit():  # one number: judged with those of its column
        return None
    groups = _RUNS.split(text)
    for chain in _chains(groups):
        found = _format_of_chain(chain)
        if found is not None:
            return found
    for word in _WORDS.split(text):
        found = _format_of_word(word.strip(_BRACKETS))
        if found is not None:
            return found
    return POSTAL if postal and len(groups) > 1 and _holds_zip(text) else None


class _Chain(NamedTuple):
    """Groups of digits that follow each other with separators between them only."""

    groups: list[str]
    gaps: list[str]
    before: str


def _chains(pieces: Sequence[str]) -> list[_Chain]:
    """Cut what stands between groups of digits (even places) and the groups (odd places) into chains."""
    chains: list[_Chain] = []
    for place in range(1, len(pieces), 2):
        gap = pieces[place - 1]
        if place > 1 and len(gap) <= _WIDEST_GAP and _SEPARATORS.issuperset(gap):
            chains[-1].groups.append(pieces[place])
            chains[-1].gaps.append(gap)
        else:
            chains.append(_Chain([pieces[place]], [], gap))
    return chains


def _format_of_chain(chain: _Chain) -> str | None:
    """Of groups anywhere in a chain: a number may follow a country code, or another number."""
    lengths = [len(group) for group in chain.groups]
    if chain.before.rstrip("(").endswith("+") and 8 <= sum(lengths) <= 15:
        return TELEPHONE
    for i in range(len(lengths) - 1):
        one, two, *three = chain.groups[i : i + 3]
        if lengths[i : i + 3] == [3, 2, 4] and is_social_security(one, two, three[0]):
            return SOCIAL
        if lengths[i : i + 3] == [3, 3, 4] and is_north_american(one, two):
            return TELEPHONE
        if lengths[i : i + 2] == [3, 7] and {"-", ")"} & set(chain.gaps[i]) and is_north_american(one, two):
            return TELEPHONE
    return None


def _holds_zip(text: str) -> bool:
    """Five and four digits (of a longer chain they are the code of a drug), or five after the letters of a state."""
    for chain in _chains(_RUNS.split(text)):
        if [len(group) for group in chain.groups] == [5, 4] and chain.gaps[0] in ("-", " ", " - "):
            return True
    found = _STATE_AND_ZIP.findall(text)
    return any(state in _STATES and is_postal(code) for state, code in found)


def _format_of_word(word: str) -> str | None:
    if _is_mail(word):
        return "an e-mail address"
    if "://" in word or word.lower().startswith("www."):
        return "a web address"
    if _is_network_address(word):
        return "a network address"
    return "a vehicle number" if _is_vehicle(word) else None


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
