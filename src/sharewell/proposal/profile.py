"""Measure one column: what kind it is, how many values it has, how well it tells records apart."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.tables.engine.columns import infer

Kind = Literal["number", "date", "instant", "text", "none", "unreadable"]
"""`instant`: a date with a time of day; `none`: every value is missing; `unreadable`: a nested or binary type."""

SAMPLE = 2000
_LIKE_DATE = r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$"
_INSTANT = r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$"
_COMPACT = r"^(19|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$"
ISO = "%Y-%m-%d"
COMPACT = "%Y%m%d"


@dataclass(frozen=True, eq=False)
class Facts:
    """A column's measures, and its values for the rules; values are never shown or written."""

    name: str
    kind: Kind
    rows: int
    distinct: int
    """Different values; a missing one is none."""
    missing: int
    separation: float
    codes: NDArray[np.int64]
    """A number for each row's value; missing values have a number of their own."""
    values: pa.Array
    sample: pa.Array
    date_form: str | None = None
    unclear_dates: bool = False
    """Looks like dates, but not all in one form, or day and month cannot be told apart."""

    def __repr__(self) -> str:
        return f"Facts({self.name}, {self.kind}, {self.distinct} values)"

    @property
    def filled(self) -> int:
        return self.rows - self.missing

    @property
    def distinctness(self) -> float:
        return self.distinct / self.rows if self.rows else 0.0

    @property
    def whole_numbers(self) -> bool:
        return self.kind == "number" and not pc.any(pc.match_substring(self.sample, ".")).as_py()


def measure(name: str, array: pa.Array | pa.ChunkedArray) -> Facts:
    """One pass over a column; what needs more than counting is done on distinct values."""
    array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
    rows = len(array)
    texts, declared = _texts(array)
    if texts is None:
        return Facts(name, "unreadable", rows, 0, 0, 0.0, np.zeros(rows, np.int64), _none(), _none())
    encoded = texts.dictionary_encode(null_encoding="mask")
    values = encoded.dictionary.cast(pa.string())
    filled = pc.not_equal(values, "").to_numpy(zero_copy_only=False) if len(values) else np.zeros(0, bool)
    kept = int(filled.sum())
    # Empty text is a missing value; both get the last number.
    places = np.append(np.where(filled, np.cumsum(filled) - 1, kept), kept)
    codes = places[encoded.indices.fill_null(len(values)).to_numpy(zero_copy_only=False)]
    values = values.filter(pa.array(filled))
    counts = np.bincount(codes, minlength=len(values) + 1)
    sample = _sample(values)
    kind, form, unclear = _kind(values, sample, declared)
    missing = int(counts[len(values)])
    return Facts(name, kind, rows, len(values), missing, _separation(counts), codes, values, sample, form, unclear)


def kind_and_values(array: pa.Array | pa.ChunkedArray) -> tuple[Kind, pa.Array]:
    """The kind of a column, and its different values in the order in which they first come; nothing is counted."""
    if isinstance(array, pa.ChunkedArray) and not pa.types.is_string(array.type):
        array = array.combine_chunks()
    texts, declared = (array, None) if pa.types.is_string(array.type) else _texts(array)
    if texts is None:
        return "unreadable", _none()
    values = texts.unique().cast(pa.string()).drop_null()
    values = values.filter(pc.not_equal(values, ""))
    return _kind(values, _sample(values), declared)[0], values


def _sample(values: pa.Array) -> pa.Array:
    few = np.linspace(0, len(values) - 1, SAMPLE).astype(np.int64)
    return values.take(pa.array(few)) if len(values) > SAMPLE else values


def _none() -> pa.Array:
    return pa.array([], pa.string())


def _texts(array: pa.Array) -> tuple[pa.Array | None, Kind | None]:
    """The column as something that can be numbered, and the kind that its type declares; None if it cannot be read."""
    kind = array.type
    if pa.types.is_dictionary(kind):
        return _texts(array.cast(kind.value_type))
    if pa.types.is_string(kind):
        return array, None
    if pa.types.is_floating(kind):
        return pc.if_else(pc.is_nan(array), None, array), "number"
    if pa.types.is_integer(kind) or pa.types.is_decimal(kind):
        return array, "number"
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return array, "date" if pa.types.is_date(kind) else "instant"
    types = pa.types
    plain = (types.is_large_string, types.is_string_view, types.is_boolean, types.is_null, types.is_time)
    return (array.cast(pa.string()), None) if any(fits(kind) for fits in plain) else (None, None)


def _separation(counts: NDArray[np.int64]) -> float:
    """The share of pairs of records that differ."""
    rows = int(counts.sum())
    same = int((counts * (counts - 1)).sum())
    return 1 - same / (rows * (rows - 1)) if rows > 1 else 0.0


def _all_fit(values: pa.Array, pattern: str) -> bool:
    return bool(pc.all(pc.match_substring_regex(values, pattern)).as_py())


def _kind(values: pa.Array, sample: pa.Array, declared: Kind | None) -> tuple[Kind, str | None, bool]:
    """(kind, form of dates, unclear dates). Only a kind that fits the sample is tried on all values."""
    if not len(values):
        return "none", None, False
    if declared in ("date", "instant"):
        return declared, ISO, False
    if _all_fit(sample, _COMPACT) and len(values) > 1 and _all_fit(values, _COMPACT) and _are_days(values, COMPACT):
        return "date", COMPACT, False
    if declared == "number":
        return "number", None, False
    if _all_fit(sample, _LIKE_DATE):
        kind, form = infer(values)
        return ("date", form, False) if kind == "date" else ("text", None, True)
    if _all_fit(sample, _INSTANT) and _all_fit(values, _INSTANT):
        real = _are_days(pc.utf8_slice_codeunits(values, 0, 10).unique(), ISO)
        return ("instant", ISO, False) if real else ("text", None, True)
    if infer(sample)[0] == "number":
        return ("number" if infer(values)[0] == "number" else "text"), None, False
    return "text", None, False


def _are_days(values: pa.Array, form: str) -> bool:
    """Whether all are days of the calendar, written in this form."""
    try:
        for text in values.to_pylist():
            datetime.datetime.strptime(text, form)
    except ValueError:
        return False
    return True
