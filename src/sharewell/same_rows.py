"""Do two files hold the same rows? A copy in another order, under other names or in another format is the same people.

Every column is fingerprinted by its values, whatever its name and whatever order the rows are in. Columns with the same
fingerprint are put side by side, and the rows of both files, cut down to these columns, must be the same: as often as
in one file, so often in the other. Two files are copies of each other if that holds and the columns in common

- are all columns of one of the files, or
- tell at least half of the rows apart, so that no two groups of people have them by chance.

Whether most rows of a file are in another one (a row was taken out, persons got other numbers) is another question,
`rows_alike`: only rows that occur once in both files count, in the columns whose values both files have.

Cells are compared by meaning: `7`, `7.0` and `007`, `true` and `TRUE`, a date and the same date at midnight are one
value, and texts that differ only by case or blanks are one text. A file that lacks a person, or has one more, is no
copy.

>>> import pyarrow as pa
>>> table = pa.table({"sex": ["F", "M", "M"], "age": ["31", "40", "52"]})
>>> copy = pa.table({"years": [52, 31, 40], "gender": ["m", "f", "m"]})
>>> columns_in_common(Source.of(table), Source.of(copy))
{'years': 'age', 'gender': 'sex'}
>>> columns_in_common(Source.of(table), Source.of(copy.slice(1))) is None
True
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Context, Decimal
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.errors import DataError
from sharewell.io.cleaning import cleaning_digest
from sharewell.io.sources import DNA, Source, same_file
from sharewell.row_digest import RowDigest, Words, words_of
from sharewell.spelling import fold, folded

_NUMBER = re.compile(r"[-+]?\d{1,40}(\.\d{0,40})?(e[-+]?\d{1,3})?")
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)[t ]00:00(:00(\.0+)?)?z?")
_EXACT = Context(prec=400)
_ENOUGH = 0.5
"""The share of the values of a column that another one must have, to be its counterpart."""
_NO_NAME = ""
"""Cells are hashed without the names of their columns."""


def columns_in_common(first: Source, second: Source) -> dict[str, str] | None:
    """Column of the second file → the same column of the first, by the names in the files; None: other rows.

    Two files are the same if they are so as they are written, or as the policy cleans them.
    """
    if first.format in DNA or second.format in DNA:
        return None
    written = [replace(one, columns={}, clean={}) for one in (first, second)]
    if first.path is not None and second.path is not None and same_file(first.path, second.path):
        return {name: name for name in written[0].names()}
    result = _in_common(*written)
    if result is None and (first.clean or second.clean):
        result = _in_common(first.by_file_names(), second.by_file_names())
    return result


def _in_common(first: Source, second: Source) -> dict[str, str] | None:
    try:
        if _rows(first) != _rows(second) or not _rows(first):
            return None
        ours, theirs = _fingerprints(first), _fingerprints(second)
        pairs = _side_by_side(ours, theirs)
        sums = _row_sums(first, list(pairs.values())), _row_sums(second, list(pairs))
        if not _same(*sums):
            pairs, sums = _Search(first, second, ours, theirs).best
    except (DataError, OSError):  # a file that cannot be read is said where it is used
        return None
    whole = len(pairs) == min(len(ours), len(theirs))
    return pairs if pairs and (whole or 2 * len(np.unique(sums[0], axis=0)) >= len(sums[0])) else None


def same_rows(first: Source, second: Source) -> bool:
    """Are these one file, or copies of it in whatever form?"""
    return first.path is not None and second.path is not None and columns_in_common(first, second) is not None


def rows_alike(first: Source, second: Source) -> tuple[int, list[str]]:
    """How many rows that a file has once are once in the other too, and the columns of the second that both have.

    >>> table = pa.table({"id": ["a", "b", "c"], "sex": ["F", "M", "M"], "age": ["31", "40", "52"]})
    >>> less = pa.table({"number": ["1", "2"], "sex": ["F", "M"], "years": ["31", "52"]})
    >>> rows_alike(Source.of(table), Source.of(less))
    (2, ['sex', 'years'])
    """
    if first.format in DNA or second.format in DNA:
        return 0, []
    try:
        files = [replace(one, columns={}, clean={}) for one in (first, second)]
        pairs = _overlapping(*({name: _values(one, name) for name in one.names()} for one in files))
        sums = _row_sums(files[0], list(pairs.values())), _row_sums(files[1], list(pairs))
    except (DataError, OSError):  # a file that cannot be read is said where it is used
        return 0, []
    return len(np.intersect1d(_once(sums[0]), _once(sums[1]), assume_unique=True)), list(pairs)


def _values(source: Source, name: str) -> Words:
    """The values of a column, each by one number."""
    return np.unique(_row_sums(source, [name])[:, 0])


def _overlapping(ours: Mapping[str, Words], theirs: Mapping[str, Words]) -> dict[str, str]:
    """Column of the second file → one of the first that shares half of its values; names that agree come first."""
    pairs: dict[str, str] = {}
    for name, values in theirs.items():
        shares = {
            same: len(np.intersect1d(values, others, assume_unique=True)) / max(1, min(len(values), len(others)))
            for same, others in ours.items()
            if same not in pairs.values() and min(len(values), len(others)) > 1
        }
        best = max(
            shares, key=lambda same: (shares[same] >= _ENOUGH and fold(same) == fold(name), shares[same]), default=""
        )
        pairs |= {name: best} if best and shares[best] >= _ENOUGH else {}
    return pairs


def _once(sums: Words) -> Words:
    """Rows that are there once, each by one number."""
    result, times = np.unique(sums[:, 0], return_counts=True)
    once: Words = result[times == 1]
    return once


Fingerprints = Mapping[str, str]
"""Column → what its values are, in no order."""


class _State:
    """A file as it is now, by which what was computed from it is remembered."""

    def __init__(self, source: Source) -> None:
        self.source = source
        known: tuple[object, ...] = (id(source.frame),)
        if source.path is not None:
            result = source.path.stat()
            known = (source.path.resolve(), result.st_size, result.st_mtime_ns)
        self._key = (
            *known,
            source.format,
            source.encoding,
            source.separator,
            source.missing,
            source.newlines,
            source.sheet,
            source.skip,
            cleaning_digest(source.clean),
        )

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _State) and self._key == other._key


def rows_in(source: Source) -> int | None:
    """How many rows a table has; None: it is none, or cannot be read."""
    try:
        return None if source.format in DNA else _rows(replace(source, columns={}, clean={}))
    except (DataError, OSError):
        return None


def _rows(source: Source) -> int:
    return _rows_of(_State(source))


@lru_cache(maxsize=64)
def _rows_of(state: _State) -> int:
    in_header = state.source.rows_in_header()
    names = state.source.names()
    return in_header if in_header is not None else sum(len(piece) for piece in state.source.batches(names[:1]))


def _fingerprints(source: Source) -> Fingerprints:
    return _fingerprints_of(_State(source))


@lru_cache(maxsize=64)
def _fingerprints_of(state: _State) -> Fingerprints:
    digests = {name: RowDigest() for name in state.source.names()}
    for piece in state.source.batches():
        for name, digest in digests.items():
            digest.add_sums(_cells(piece[name]))
    return {name: digest.hexdigest() for name, digest in digests.items()}


def _side_by_side(ours: Fingerprints, theirs: Fingerprints) -> dict[str, str]:
    """Columns of the same values: first those whose names agree, then in the order of the files."""
    pairs = {name: same for name in theirs for same in ours if fold(name) == fold(same) and theirs[name] == ours[same]}
    for name in theirs:
        if name not in pairs:
            free = [same for same in ours if same not in pairs.values() and ours[same] == theirs[name]]
            pairs |= {name: free[0]} if free else {}
    return pairs


class _Search:
    """The most columns of two files that agree row by row, where some have the same values in other rows.

    Columns that tell most rows apart come first, and those of the same name. A column may turn out to belong beside
    another one, so the search goes back; after this many trials it is content with what it has.
    """

    most_trials = 200

    def __init__(self, first: Source, second: Source, ours: Fingerprints, theirs: Fingerprints) -> None:
        self.first, self.second, self.ours, self.theirs = first, second, ours, theirs
        shared = [name for name in theirs if theirs[name] in ours.values()]
        self.order = sorted(shared, key=lambda one: -len(_values(second, one)))
        self.trials = 0
        nothing = np.zeros((_rows(first), 2), np.uint64)
        self.best: tuple[dict[str, str], tuple[Words, Words]] = {}, (nothing, nothing)
        self._extend(0, *self.best)

    def _extend(self, place: int, pairs: dict[str, str], sums: tuple[Words, Words]) -> None:
        if len(pairs) > len(self.best[0]):
            self.best = pairs, sums
        if place == len(self.order) or (place and len(pairs) + len(self.order) - place < len(self.best[0])):
            return
        name = self.order[place]
        added = sums[1] + _row_sums(self.second, [name], place)
        free = [same for same in self.ours if same not in pairs.values() and self.ours[same] == self.theirs[name]]
        for same in sorted(free, key=lambda one: fold(one) != fold(name)):
            if self.trials == self.most_trials or len(self.best[0]) == len(self.order):
                return
            self.trials += 1
            tried = sums[0] + _row_sums(self.first, [same], place)
            if _same(tried, added):
                self._extend(place + 1, {**pairs, name: same}, (tried, added))
        if len(self.best[0]) < len(self.order) and self.trials < self.most_trials:
            self._extend(place + 1, pairs, sums)


def _row_sums(source: Source, names: Sequence[str], place: int = 0) -> Words:
    """One number for each row, of its cells in these columns; a column counts by its place in the list."""
    if not names:
        return np.zeros((0, 2), np.uint64)
    pieces = []
    for piece in source.batches(list(dict.fromkeys(names))):
        sums = np.zeros((len(piece), 2), np.uint64)
        for i, name in enumerate(names, start=place):
            sums += _cells(piece[name]) * np.uint64(2 * i + 1)  # an odd factor loses nothing
        pieces.append(sums)
    return np.concatenate(pieces) if pieces else np.zeros((0, 2), np.uint64)


def _same(first: Words, second: Words) -> bool:
    digests = RowDigest(), RowDigest()
    for digest, sums in zip(digests, (first, second), strict=True):
        digest.add_sums(sums)
    return digests[0].hexdigest() == digests[1].hexdigest()


def _cells(column: pa.ChunkedArray) -> Words:
    """Two words for each cell, by its meaning."""
    values = column.combine_chunks()
    if pa.types.is_nested(values.type) or pa.types.is_binary(values.type) or pa.types.is_large_binary(values.type):
        return words_of(_NO_NAME, [repr(value) for value in values.to_pylist()])
    coded = values.dictionary_encode() if not pa.types.is_dictionary(values.type) else values
    codes = coded.indices.fill_null(len(coded.dictionary)).to_numpy(zero_copy_only=False)
    words: Words = words_of(_NO_NAME, [*_meanings(coded.dictionary), None])[codes]
    return words


def _meanings(values: pa.Array) -> list[str | None]:
    texts = values if pa.types.is_string(values.type) else pc.cast(values, pa.string())
    return [_meaning(text) if text else None for text in folded(texts).to_pylist()]


def _meaning(text: str) -> str:
    """One text for every way of writing a number, or a date at midnight.

    >>> [_meaning(text) for text in ("007", "7.0", "7e0", "-0", "2024-02-03 00:00:00", "a 7")]
    ['7', '7', '7', '0', '2024-02-03', 'a 7']
    """
    if text.isdecimal() and not text.startswith("0"):
        return text
    if _NUMBER.fullmatch(text):
        number = Decimal(text).normalize(_EXACT)
        return f"{number:f}" if number else "0"
    midnight = _MIDNIGHT.fullmatch(text)
    return midnight[1] if midnight else text
