"""Date shifting: every date of one person moves by the same secret number of days, so that intervals stay.

Shifting hides when something happened, not who it happened to; under Safe Harbor it is not enough. The time of day does
not move: to the second it is nearly a number of its record, so that it is dropped, unless the hour or all of it is to
stay (`TIMES`). What a published shift still tells is counted by the attack `date-shift`.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.keys import Key
from sharewell.person_names import shift_of
from sharewell.roles import Time

DATE_FORMATS = ("%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%Y%m%d")
_STAMP = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?(Z|[+-][0-9]{2}(:?[0-9]{2})?)?)?"
)
Dated: TypeAlias = pa.Array | pa.ChunkedArray
"""A column of dates, or of texts that are dates."""
_ISO = "%Y-%m-%d"
_LAST_DAY = datetime.date.max.toordinal()
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_MICROSECONDS = 86_400_000_000
_YEARS = (datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59))


def shift_column(
    name: str,
    column: Dated,
    persons: Sequence[str],
    key: Key,
    dataset: str,
    most_days: int,
    date_format: str | None = None,
    time: Time = "drop",
) -> Dated:
    """The column as ISO dates, each moved by its person's shift; times of day dropped, cut to the hour or kept."""
    by_person = {person: shift_of(key, dataset, person, most_days) for person in set(persons)}
    days = np.fromiter((by_person[person] for person in persons), np.int64, len(persons))
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        return _timed(_shift_typed(name, column, days), time)
    texts = _as_texts(name, column).to_pylist()
    distinct = {text for text in texts if text}
    form = _form(name, distinct, date_format)
    day = {text: day_of(text, form) if form else day_of(text[:10], _ISO) for text in distinct}
    moved = [(day[text] or 0) + step if text else None for text, step in zip(texts, days.tolist(), strict=True)]
    _refuse_outside(name, sum(to is not None and not 1 <= to <= _LAST_DAY for to in moved))
    return pa.array([_written(to, text, form, time) for to, text in zip(moved, texts, strict=True)], pa.string())


def refuse_unshiftable(name: str, column: Dated, most_days: int, date_format: str | None = None) -> None:
    """Raise what `shift_column` would for some shift: what cannot be read as dates, and dates that might leave time."""
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        for most in (-most_days, most_days):
            _shift_typed(name, column, np.full(len(column), most, np.int64))
        return
    days = days_of(name, column, date_format)
    known = days[days != 0]
    _refuse_outside(name, int(((known - most_days < 1) | (known + most_days > _LAST_DAY)).sum()))


def days_of(name: str, column: Dated, date_format: str | None = None) -> NDArray[np.int64]:
    """The day number of every cell, 0 where it is missing; read as `shift_column` reads it."""
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        local = column if pa.types.is_date(column.type) or column.type.tz is None else pc.local_timestamp(column)
        since = local.cast(pa.date32(), safe=False).cast(pa.int32())
        return _filled(pc.add(since, _EPOCH))
    texts = _as_texts(name, column)
    encoded = (texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts).dictionary_encode()
    distinct = encoded.dictionary.to_pylist()
    form = _form(name, {text for text in distinct if text}, date_format)
    days = [(day_of(text, form) if form else day_of(text[:10], _ISO)) or 0 if text else 0 for text in distinct]
    return np.array([*days, 0], np.int64)[_filled(encoded.indices, len(distinct))]


def iso_dates(days: NDArray[np.int64]) -> pa.Array:
    """Day numbers as dates in ISO form, 0 as none.

    >>> iso_dates(np.array([737484, 0])).to_pylist()
    ['2020-02-29', None]
    """
    return pa.array([datetime.date.fromordinal(day).isoformat() if day else None for day in days.tolist()], pa.string())


def _as_texts(name: str, column: Dated) -> Dated:
    try:
        return column.cast(pa.string())
    except (pa.ArrowException, NotImplementedError):
        raise DataError(f"column {name} — of type {column.type}, which holds no dates — give it another role") from None


def _filled(column: Dated, missing: int = 0) -> NDArray[np.int64]:
    result: NDArray[np.int64] = pc.fill_null(column, missing).to_numpy(zero_copy_only=False).astype(np.int64)
    return result


def _written(day: int | None, text: str, form: str | None, time: Time) -> str | None:
    """A moved date in ISO form, with what may stay of the time of day that stood behind an ISO date."""
    if day is None:
        return None
    written = datetime.date.fromordinal(day).isoformat()
    if form or time == "drop" or len(text) == 10:
        return written
    return written + (text[10:] if time == "keep" else f"{text[10:13]}:00")


def _timed(column: Dated, time: Time) -> Dated:
    """Arrow instants without their time of day, or with the hour; the day is that of their own time zone."""
    if time == "keep" or not pa.types.is_timestamp(column.type):
        return column
    local = column if column.type.tz is None else pc.local_timestamp(column)
    return local.cast(pa.date32(), safe=False) if time == "drop" else pc.floor_temporal(local, unit="hour")


def _shift_typed(name: str, column: Dated, days: NDArray[np.int64]) -> Dated:
    """Arrow dates and instants keep their type."""
    first, last = (pa.scalar(edge, pa.timestamp("us")) for edge in _YEARS)
    steps = pa.array(days * _MICROSECONDS, pa.duration("us"))
    moved = pc.add(column.cast(pa.timestamp("us"), safe=False), steps)
    beyond = pc.or_(pc.less(moved, first), pc.greater(moved, last))
    _refuse_outside(name, pc.sum(beyond).as_py() or 0)
    try:
        return pc.add_checked(column, steps).cast(column.type)
    except pa.ArrowInvalid:
        raise DataError(f"column {name} — date(s) would leave what {column.type} can hold — correct them") from None


def _refuse_outside(name: str, outside: int) -> None:
    if outside:
        raise DataError(
            f"column {name} — {outside} date(s) would leave the years 1 to 9999 — correct them or drop the column"
        )


def _form(name: str, texts: set[str], given: str | None = None) -> str | None:
    """The one form in which all texts are dates; None for ISO dates with or without a time of day."""
    if given is None and all(_STAMP.fullmatch(text) and day_of(text[:10], _ISO) for text in texts):
        return None
    forms = DATE_FORMATS if given is None else (given,)
    fitting = [form for form in forms if all(day_of(text, form) for text in texts)]
    if len(fitting) == 1:
        return fitting[0]
    bad = min(sum(not day_of(text, form) for text in texts) for form in forms)
    why = (
        "the order of day and month is ambiguous"
        if fitting
        else f"{bad} of {len(texts)} distinct value(s) are not dates "
        + (f"of the form {given}" if given else "in any one form")
    )
    raise DataError(f"column {name} — cannot be shifted: {why} — write it as YYYY-MM-DD, or give it another role")


def day_of(text: str, form: str) -> int | None:
    """The day number of a date written in this form; None if it is no such date.

    >>> day_of("29.02.2020", "%d.%m.%Y"), day_of("29.02.2019", "%d.%m.%Y"), day_of("2020111", "%Y%m%d")
    (737484, None, None)
    """
    if not re.fullmatch(date_pattern(form), text):
        return None
    try:
        if form == DATE_FORMATS[0] and len(text) == 10:  # what we write ourselves, read twenty times as fast
            return datetime.date.fromisoformat(text).toordinal()
        return datetime.datetime.strptime(text, form).toordinal()
    except ValueError:
        return None


@cache
def date_pattern(form: str) -> str:
    """What dates of this form look like, as a regular expression."""
    if form == "%Y%m%d":
        return "[0-9]{8}"
    return re.sub("%[Ymd]", lambda part: "[0-9]{4}" if part[0] == "%Y" else "[0-9]{1,2}", re.escape(form))
