"""Labels within a cell: words that say what the digits beside them are, as the name of a column does.

A label may be glued to what it labels (`ZIP02139`), stand before it with marks or `no.` between (`MRN no. 4711`), or
end the cell (`02139 (ZIP)`). A number with a unit behind it is a quantity, whatever the word before it.

>>> [list(labelled(text)) for text in ("ZIP02139", "MRN no. 4711", "patient id: A-17", "DOB 19810501", "02139 (ZIP)")]
[['a ZIP code'], ['a record number'], ['a record number'], ['a date'], ['a ZIP code']]
>>> [list(labelled(text)) for text in ("ZIP 021", "licensed 2019", "card 12 mg", "CPT 99213", "patient 3")]
[[], [], [], [], []]
>>> list(unlabelled("as told: postcodeSW1A1AA"))
['SW1A1AA']
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sharewell.tables.engine.checks.cell_spelling import Piece, pieces, without_accents
from sharewell.tables.engine.checks.date_formats import is_month
from sharewell.tables.engine.checks.hipaa_names import FILLERS, LABELS, LABELS_WITH_NUMBER
from sharewell.tables.engine.checks.identifier_numbers import POSTAL, is_unit
from sharewell.tables.engine.checks.place_formats import is_populated_area

DAY, RECORD, LABELLED = "a date", "a record number", "a numbered identifier"
_SEPARATORS = frozenset("-. ()[]/")
_WIDEST_GAP = 3
_FEWEST_OF_A_NUMBER = 4
_ALONE = "|".join(sorted((*LABELS, "ip", "mac", "ipv"), key=len, reverse=True))
_LABEL = re.compile(rf"(?<![^\W\d_])({_ALONE})([^\W\d_]*)")
_ANY_LABEL = re.compile("|".join((_ALONE, *LABELS_WITH_NUMBER, "medical", "social")))
_MOST_GLUED = 3
"""This many letters of a code may be glued to a label before its first digit, or the name of a month."""
_REACH = 64
"""A label says what stands within this many characters."""


def joins(gap: str) -> bool:
    """May this stand between groups of digits of one number?"""
    return 0 < len(gap) <= _WIDEST_GAP and _SEPARATORS.issuperset(gap)


def unlabelled(text: str) -> Iterator[str]:
    """What stands behind a label in a normalised text, glued to it or with some marks between."""
    plain = without_accents(text)
    if len(plain) == len(text):
        for match in _LABEL.finditer(plain):
            if len(match[2]) <= _MOST_GLUED or is_month(match[2]):
                yield text[match.end(1) : match.end(1) + _REACH].lstrip(" :=#./-")


def labelled(text: str) -> Iterator[str]:
    """What the labels in a normalised text say of its digits, as far as these can be that."""
    if not _ANY_LABEL.search(without_accents(text)):
        return
    result = pieces(text)
    yield from filter(None, (_kind(result, at) for at, piece in enumerate(result) if piece.is_number))


def _kind(results: Sequence[Piece], at: int) -> str | None:
    digits, end = _joined(results, at)
    behind = [without_accents(piece.text) for piece in results[at + 1 : end + 1] if not piece.is_number]
    if any(map(is_unit, behind[:1])):
        return None
    words, numbered = _words_before(results, at)
    last = behind[-1:] if end + 1 == len(results) else []
    said: str | None = next((LABELS[word] for word in (*words, "".join(words[::-1]), *last) if word in LABELS), None)
    if said is None and numbered:
        said = next((LABELS_WITH_NUMBER[word] for word in words if word in LABELS_WITH_NUMBER), None)
    long = len(digits) > _FEWEST_OF_A_NUMBER
    if said == "zip":
        return POSTAL if len(digits) > 3 or (len(digits) == 3 and not is_populated_area(digits)) else None
    if said == "day":
        return DAY if long else None
    if said == "number":
        return LABELLED if long or (len(digits) == _FEWEST_OF_A_NUMBER and not 1800 <= int(digits) < 2200) else None
    return RECORD if said == "record" else None


def _joined(results: Sequence[Piece], at: int) -> tuple[str, int]:
    """The digits of the groups that follow each other from here, with letters glued on or not; the place behind."""
    end = at + 1
    while end < len(results) and (results[end].gap == "" or (results[end].is_number and joins(results[end].gap))):
        end += 1
    return "".join(piece.text for piece in results[at:end] if piece.is_number), end


def _words_before(results: Sequence[Piece], at: int) -> tuple[list[str], bool]:
    """The two words before some digits, nearest first, and whether `no.` or the like stands between.

    A letter or two right before the digits belong to the number.
    """
    words: list[str] = []
    numbered = False
    for place in range(at - 1, max(-1, at - 5), -1):
        gap, word = results[place + 1].gap, without_accents(results[place].text)
        if results[place].is_number or len(gap) > _WIDEST_GAP:
            break
        if word in FILLERS or "#" in gap:
            numbered = numbered or not words
        if word not in FILLERS and not (len(word) <= 2 and place == at - 1 and "#" not in gap):
            words.append(word)
    return words[:2], numbered
