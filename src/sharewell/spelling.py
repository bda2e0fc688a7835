"""When two spellings are one: names of persons, and sensitive values, that look alike are counted as one.

`P1`, `p1 `, `ｐ１` and `p1` with an invisible character in it are one patient who was typed in four ways, or four
patients who look alike. Nobody can tell which, and whoever counts four where there is one calls a class safe that is
not. So judges count one: never more persons and never more values than there are. A site whose names truly differ by
case alone loses some utility, and is told so.

The *fold* of a text is what is left when everything that a reader overlooks is gone: compatibility forms (NFKC), case,
invisible characters, the kind of a dash, and blanks but one between words; an end of a line is a blank. Texts with the
same fold are alike. Leading zeros stay (`007` is not `7`), and so do letters of other scripts that are drawn alike.

>>> fold("P1 "), fold("ｐ１"), fold("p\\u200b1"), fold("Straße  9") == fold("STRASSE 9"), fold("007") == fold("7")
('p1', 'p1', 'p1', True, False)

Which spelling stands for all is decided by content alone: the shortest one, of these the first in the order of
characters. Where no two are alike, nothing changes.

>>> import pyarrow as pa
>>> kept, place = one_each(pa.array(["p1 ", "p2", "P1"]))
>>> kept.to_pylist(), place.tolist()
(['p2', 'P1'], [1, 0, 1])
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

_PIECE = 1 << 20
"""Bytes that are counted at a time."""
_VALUES = 1 << 17
"""Values whose characters are counted at a time."""
_BLANKS = r"[\x09-\x0d\x1c-\x20]+"
_CONTROLS = r"[\x00-\x08\x0e-\x1b\x7f]"
_INVISIBLE = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # marks of direction
    (0x115F, 0x1160),  # fillers of Hangul
    (0x17B4, 0x17B5),  # inherent vowels of Khmer
    (0x180B, 0x180F),  # selectors of Mongolian
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x2800, 0x2800),  # the Braille pattern without dots: drawn as a blank, though Unicode does not list it
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),  # controls of shorthand
    (0x1D173, 0x1D17A),  # controls of musical notation
    (0xE0000, 0xE0FFF),  # tags and more selectors
)
"""What is not drawn: Default_Ignorable_Code_Point of Unicode's DerivedCoreProperties.txt, unassigned ones included.

The categories Cf (format) and Cc (control) count besides, but for what is a blank: ends of lines and separators."""
_DASHES = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0xFE58, 0xFE63, 0xFF0D), "-")
"""Hyphens, dashes and the minus sign: `−1` is the number -1."""


def fold(text: str) -> str:
    """What is left of a text without case, invisible characters, forms of characters and dashes, and blanks but one."""
    if text.isascii():
        return text.lower() if text.isalnum() else _ascii_fold(text)
    while (plainer := _folded_once(text)) != text:  # what one step brings together may take another
        text = plainer
    return text


def folded(values: pa.Array) -> pa.Array:
    """The fold of every one of some distinct strings. Only those that are not ASCII cost a call of Python each."""
    result = _census(values)
    if result[0x80:].any():
        plain = pc.string_is_ascii(values).to_numpy(zero_copy_only=False)
        other = pa.array([fold(text) for text in values.filter(pa.array(~plain)).to_pylist()], pa.string())
        place = np.empty(len(values), dtype=np.int64)
        place[plain], place[~plain] = np.arange(plain.sum()), plain.sum() + np.arange(len(other))
        return pa.concat_arrays([folded(values.filter(pa.array(plain))), other]).take(pa.array(place))
    if result[:0x20].any() or result[0x7F]:
        values = pc.replace_substring_regex(values, _CONTROLS, "")
    if result[:0x21].any():
        values = pc.ascii_trim(pc.replace_substring_regex(values, _BLANKS, " "), " ")
    return pc.ascii_lower(values) if result[ord("A") : ord("Z") + 1].any() else values


def folds_of(values: pa.Array) -> pa.Array | None:
    """The same; None where the characters that occur show that no two can be alike and none is invisible.

    So it is of most names of persons: digits, and letters of one case.
    """
    result = _census(values)
    if not result[:0x21].any() and not result[0x7F] and _apart(_characters(values) if result[0x80:].any() else result):
        return None
    return folded(values)


def one_each(values: pa.Array, folds: pa.Array | None = None) -> tuple[pa.Array, NDArray[np.int64] | None]:
    """One spelling of each of some distinct values, and for every given one its place there; None if none are alike.

    folds: where they are known. O(d) for d distinct values, without a call of Python where none are alike.
    """
    folds = folds_of(values) if folds is None else folds
    if folds is None:
        return values, None
    encoded = folds.dictionary_encode()
    if len(encoded.dictionary) == len(values):
        return values, None
    group = encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    alike = np.flatnonzero(np.bincount(group)[group] > 1)
    first = np.full(len(encoded.dictionary), -1, dtype=np.int64)
    first[group] = np.arange(len(values))
    texts = values.take(pa.array(alike)).to_pylist()
    for _, i in sorted(zip(texts, alike.tolist(), strict=True), key=lambda one: _plainness(one[0]), reverse=True):
        first[group[i]] = i
    kept = np.sort(first)
    return values.take(pa.array(kept)), np.searchsorted(kept, first)[group]


def as_one(names: pa.Array | pa.ChunkedArray) -> pa.Array:
    """A column of names in which those that are alike are written in one way, and those of which nothing is seen miss.

    It is the column itself where nothing changes. O(n)
    """
    names = names.combine_chunks() if isinstance(names, pa.ChunkedArray) else names
    encoded = pc.dictionary_encode(names)
    distinct = encoded.dictionary
    folds = folds_of(distinct)
    kept, place = one_each(distinct, folds)
    nothing = pc.equal(distinct if folds is None else folds, "")
    if place is None and not pc.any(nothing).as_py():
        return names
    written = kept if place is None else kept.take(pa.array(place))
    return pc.if_else(nothing, pa.scalar(None, pa.string()), written).take(encoded.indices)


def alike(values: pa.Array | pa.ChunkedArray) -> int:
    """How many of the distinct values that are there look like another one."""
    distinct = pc.unique(values).drop_null()
    distinct = distinct.combine_chunks() if isinstance(distinct, pa.ChunkedArray) else distinct
    return len(distinct) - len(one_each(distinct)[0])


def names_as_one(names: Sequence[str]) -> Sequence[str]:
    """The same of a list, in which every name is there."""
    column = pa.array(names, pa.string())
    result = as_one(column)
    return names if result is column else [new or old for new, old in zip(result.to_pylist(), names, strict=True)]


@lru_cache(maxsize=1 << 12)
def is_invisible(character: str) -> bool:
    """Is nothing drawn where it stands? Blanks are not invisible: they part words."""
    if unicodedata.category(character) in ("Cf", "Cc"):
        return not character.isspace()
    place = ord(character)
    return any(low <= place <= high for low, high in _INVISIBLE)


def _plainness(text: str) -> tuple[int, str]:
    """The least stands for all spellings of a value: the shortest, then the first by its characters."""
    return len(text), text


def _census(values: pa.Array) -> NDArray[np.bool_]:
    """Which bytes occur in an array of strings. O(bytes)"""
    result = np.zeros(256, dtype=bool)
    if not len(values):
        return result
    ends = np.frombuffer(values.buffers()[1], np.int64 if pa.types.is_large_string(values.type) else np.int32)
    data = values.buffers()[2]
    raw = np.frombuffer(data, np.uint8) if data is not None else np.zeros(0, np.uint8)
    raw = raw[int(ends[values.offset]) : int(ends[values.offset + len(values)])]
    for begin in range(0, len(raw), _PIECE):
        result |= np.bincount(raw[begin : begin + _PIECE], minlength=256) > 0
    return result


def _characters(values: pa.Array) -> NDArray[np.bool_]:
    """Which characters occur, by their numbers. O(characters)"""
    result = np.zeros(sys.maxunicode + 1, dtype=bool)
    for begin in range(0, len(values), _VALUES):
        text = "".join(values.slice(begin, _VALUES).to_pylist())
        result |= np.bincount(np.frombuffer(text.encode("utf-32-le"), np.uint32), minlength=len(result)) > 0
    return result


def _apart(result: NDArray[np.bool_]) -> bool:
    """Is every one of these characters seen, by itself, and not as another one of them?"""
    characters = [chr(i) for i in np.flatnonzero(result)]
    seen = {fold(one) for one in characters if not _joins(one)}
    return len(seen) == len(characters) and all(len(one) == 1 and not _joins(one) for one in seen)


def _joins(character: str) -> bool:
    """May it become one with the character before it, as an accent does, or a part of a Korean syllable?"""
    return unicodedata.category(character).startswith("M") or "\u1100" <= character <= "\u11ff"


def _ascii_fold(text: str) -> str:
    if text.isprintable():
        return " ".join(text.lower().split())
    return " ".join("".join(c for c in text if (c >= " " and c != "\x7f") or c.isspace()).lower().split())


def _folded_once(text: str) -> str:
    seen = "".join(c for c in unicodedata.normalize("NFKC", text) if not is_invisible(c))
    return " ".join(unicodedata.normalize("NFKC", seen.casefold()).translate(_DASHES).split())
