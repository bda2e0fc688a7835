"""Dates, instants or whole numbers of a column as numbers that rise with time.

Dates and instants are local time; offsets are ignored. Whole numbers
are taken as they are, days since whatever day, or `20240131`. Text is read if all of it is in one of these forms:

>>> import pyarrow as pa
>>> numbers, known, day = moments("date", pa.chunked_array([["31.12.2023", "02.01.2024", None]]))
>>> (numbers // day).tolist(), known.tolist()
([19722, 19724, 0], [True, True, False])
"""

from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.codes.engine.packed_sets import Ints
from sharewell.errors import DataError

DAY = 86_400_000_000
"""In microseconds."""
_START = datetime.datetime(1970, 1, 1)
_ISO = "2024-01-31"
"""With or without a time of day."""
_FORMS = ("%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y")
_PLACE = r"^[+-]?[0-9]{1,15}([.]0*)?$"


def moments(name: str, column: pa.Array | pa.ChunkedArray) -> tuple[Ints, NDArray[np.bool_], int]:
    """(microseconds, or the whole numbers themselves; which of them are known; how much of them is a day)."""
    kind = column.type
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        local = pc.local_timestamp(column) if pa.types.is_timestamp(kind) and kind.tz else column
        return *_numbers(local.cast(pa.timestamp("us"), safe=False).cast(pa.int64())), DAY
    texts, distinct = _texts(name, column)
    if not len(distinct) or pc.all(pc.match_substring_regex(distinct, _PLACE)).as_py():
        return *_scaled(texts, distinct, [int(text.partition(".")[0]) for text in distinct.to_pylist()]), 1
    return *_scaled(texts, distinct, _read(name, distinct.to_pylist())), DAY


def places(name: str, column: pa.Array | pa.ChunkedArray) -> tuple[Ints, NDArray[np.bool_]]:
    """Whole numbers that say where in its visit a code stands."""
    texts, distinct = _texts(name, column)
    wrong = pc.invert(pc.match_substring_regex(distinct, _PLACE))
    if odd := pc.sum(wrong).as_py() or 0:
        problem = f"{odd} of {len(distinct)} different value(s) are not whole numbers"
        raise DataError(f"column {name} — {problem} — number the codes of a visit, or leave the column out")
    return _scaled(texts, distinct, [int(text.partition(".")[0]) for text in distinct.to_pylist()])


def _numbers(column: pa.Array | pa.ChunkedArray) -> tuple[Ints, NDArray[np.bool_]]:
    known = np.asarray(pc.is_valid(column).to_numpy(zero_copy_only=False), dtype=bool)
    return column.fill_null(0).to_numpy(zero_copy_only=False).astype(np.int64), known


def _texts(
    name: str, column: pa.Array | pa.ChunkedArray
) -> tuple[pa.Array | pa.ChunkedArray, pa.Array | pa.ChunkedArray]:
    """(the column as trimmed text, its distinct values that are not missing)."""
    try:
        texts = pc.utf8_trim_whitespace(column.cast(pa.string()))
    except (pa.ArrowException, NotImplementedError):
        raise DataError(
            f"column {name} — of type {column.type}, which orders nothing — give dates or numbers"
        ) from None
    distinct = pc.unique(texts)
    kept = distinct.filter(pc.and_(pc.is_valid(distinct), pc.not_equal(distinct, "")))
    return texts, kept.filter(pc.not_equal(kept, "nan"))


def _scaled(
    texts: pa.Array | pa.ChunkedArray, distinct: pa.Array | pa.ChunkedArray, numbers: list[int]
) -> tuple[Ints, NDArray[np.bool_]]:
    """The number of each text; those not listed are not known."""
    place, known = _numbers(
        pc.index_in(texts, distinct.combine_chunks() if isinstance(distinct, pa.ChunkedArray) else distinct)
    )
    return np.array([*numbers, 0], dtype=np.int64)[np.where(known, place, len(numbers))], known


def _read(name: str, texts: list[str]) -> list[int]:
    """Dates in the one form that all texts have."""
    tried = [_parsed(texts, form) for form in (_ISO, *_FORMS)]
    fitting = [moments for moments in tried if len(moments) == len(texts)]
    if len(fitting) == 1:
        return fitting[0]
    problem = "the order of day and month is ambiguous"
    if not fitting:
        wrong = len(texts) - max(map(len, tried))
        problem = f"{wrong} of {len(texts)} different value(s) are not dates in any one form"
    raise DataError(f"column {name} — {problem} — write YYYY-MM-DD, and leave what is not known empty")


def _parsed(texts: list[str], form: str) -> list[int]:
    """Those of the texts that have a form, in microseconds."""
    step, moments = datetime.timedelta(microseconds=1), list[int]()
    for text in texts:
        try:
            if form != _ISO:
                moments.append((datetime.datetime.strptime(text, form) - _START) // step)
            elif text[4:5] == text[7:8] == "-" and len(text) >= 10:
                moments.append((datetime.datetime.fromisoformat(text).replace(tzinfo=None) - _START) // step)
        except ValueError:
            continue
    return moments
