"""Columns whose own name says a kind of the rule although the steward calls them `other`: which cells can be that kind.

A cell can be of the kind that the name says unless its form excludes it: a word is no telephone number, `adult` no age,
`yes` no name, 39.5 no record number. Cells that can be of it are held against its rule, whatever the steward says.
Where a name may also be meant otherwise (`region`, `site_id`, `mac`), the steward's word counts, except for codes with
digits most of which belong to fewer than five persons. Numbers that are only 0, 1, 2 or 9 are answers to a question,
whatever the name says. Of ages, only those above 89 are returned; a unit in the name or in the cell is heeded.

>>> def cells(*texts):
...     return [CountedCell(text, 9) for text in texts]
>>> [contradicted(name, cells("none", "44", "4711")) for name in ("mrn", "zip", "sex", "age", "dob")]
[('identifier', {2}), ('zip', {2}), None, ('age', set()), ('birth-date', {1, 2})]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from sharewell.tables.engine.checks.cell_spelling import normalised, pieces, without_accents, word_set
from sharewell.tables.engine.checks.date_formats import are_months, tells_day
from sharewell.tables.engine.checks.hipaa_names import (
    identifier_of,
    is_wide_place,
    of_name,
    tells_part_of_date,
    words_of,
)
from sharewell.tables.engine.checks.identifier_formats import CountedCell, holders
from sharewell.tables.engine.checks.identifier_numbers import FEW_HOLDERS

_ANSWERS = word_set(
    "yes no y n true false t f unknown other none missing na nan null not available applicable refused declined",
    "known unspecified present absent positive negative valid invalid given withheld any all home work mobile",
)
_SIZES = word_set(
    "urban rural suburban metro metropolitan micropolitan nonmetropolitan large medium small central outer",
    "inner high low middle poor rich north south east west northeast northwest southeast southwest midwest same",
    "different",
)
_FLAGS = frozenset(("0", "1", "2", "9"))
_DECIMAL = re.compile(r"[-+]?[0-9]*\.[0-9]*[1-9][0-9]*(?: ?[^\W\d_%/]+)*%?")
_SHORT = 4
_WORDS_OF_PROSE = 5
_YEARS = {"day": 365.2425, "week": 52.1775, "month": 12.0, "mo": 12.0, "hour": 8765.82, "d": 365.2425, "w": 52.1775}
_UNITS = {"days": "day", "weeks": "week", "wk": "week", "wks": "week", "months": "month", "hours": "hour"}
_AGES = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_OPEN = re.compile(r"\+|>|≥|over|older|above|more|greater|ab|plus|und älter", re.IGNORECASE)
_OLDEST, _EVER = 89, 130


def contradicted(name: str, cells: Sequence[CountedCell]) -> tuple[str, set[int]] | None:
    """The category that a name says, and the cells (by place) that can be of it; None if it says none, or may not."""
    said = of_name(name)
    texts = [normalised(cell.text).strip() for cell in cells]
    if said is None:
        return None
    numbered = {text.lstrip("-").removesuffix(".0") for text in texts if any(map(str.isdecimal, text))}
    if numbered & {"0", "1"} and numbered <= _FLAGS:
        return said, set()
    if said == "identifier":
        return said, _identifiers(name, cells, texts)
    by_category: dict[str, Callable[[str], bool]] = {
        "age": lambda text: _is_old(text, _unit_of(words_of(name))),
        "birth-date": lambda text: any(map(str.isdecimal, text)) or are_months([text, text]),
        "zip": _can_be_postal,
        "geography": lambda text: not is_wide_place(name) and _can_be_place(text),
        "date": lambda text: _can_be_date(text, tells_part_of_date(name)),
        "text": lambda text: len(pieces(text)) >= _WORDS_OF_PROSE,
    }
    return said, {i for i, text in enumerate(texts) if text and by_category[said](text)}


def _unit_of(words: Sequence[str]) -> str | None:
    """The unit of time, shorter than a year, that words name."""
    return next((unit for word in words if (unit := _UNITS.get(word, word)) in _YEARS), None)


def _is_old(text: str, unit: str | None) -> bool:
    """Does a cell tell an age above 89, other than by the one class of all of them?"""
    spoken = _unit_of([without_accents(piece.text) for piece in pieces(text) if not piece.is_number]) or unit
    years = [float(number) / _YEARS.get(spoken or "", 1.0) for number in _AGES.findall(text)]
    old = [age for age in years if _OLDEST + 1 <= age <= _EVER]
    top = len(years) == 1 and years[0] in (_OLDEST, _OLDEST + 1) and _OPEN.search(text) is not None
    return bool(old) and not top


def _can_be_postal(text: str) -> bool:
    """Three digits or more in whole numbers, or letters and digits as other posts have them."""
    if _DECIMAL.fullmatch(text):
        return False
    digits = sum(map(str.isdecimal, text))
    return digits > 2 or (digits > 0 and sum(map(str.isalnum, text)) > _SHORT)


def _can_be_place(text: str) -> bool:
    """Words that are no answer or size, or a number that may be an official code of the place."""
    result = pieces(text)
    words = {without_accents(piece.text) for piece in result if not piece.is_number}
    if not words:
        return not _DECIMAL.fullmatch(text) and sum(len(piece.text) for piece in result) > 2
    return not words <= _ANSWERS | _SIZES


def _can_be_date(text: str, part: bool) -> bool:
    if tells_day(text) or any(piece.is_number and len(piece.text) > _SHORT for piece in pieces(text)):
        return True
    return part and (are_months([text, text]) or (text.isdecimal() and 1 <= int(text) <= 31))


def _identifiers(name: str, cells: Sequence[CountedCell], texts: Sequence[str]) -> set[int]:
    kind = identifier_of(name)
    if kind is None:
        return set()
    if kind == "name":
        return {i for i, text in enumerate(texts) if _can_be_name(text)}
    exact = kind == "place"
    digits = [i for i, text in enumerate(texts) if any(map(str.isdecimal, text))]
    those = [i for i in digits if exact or not _DECIMAL.fullmatch(texts[i])]
    long = {i for i in those if sum(map(str.isalnum, texts[i])) >= _SHORT}
    if kind == "code":
        few = [i for i in long if holders(cells[i]) < FEW_HOLDERS]
        return long if 2 * len(few) > len(long) else set()
    alone = [i for i in those if exact or holders(cells[i]) == 1]
    return set(those) if 2 * len(alone) > len(those) else long


def _can_be_name(text: str) -> bool:
    words = {without_accents(piece.text) for piece in pieces(text) if not piece.is_number}
    return bool(words) and not words <= _ANSWERS
