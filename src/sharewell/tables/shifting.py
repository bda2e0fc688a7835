"""Date shifting: every date of one person moves by the same secret number of days, so that intervals stay.

Shifting hides when something happened, not who it happened to; under Safe Harbor it is not enough.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.errors import DataError
from sharewell.subjects import Key
from sharewell.tables.columns import DATE_FORMATS

_STAMP = re.compile(r"(\d{4}-\d{2}-\d{2})([T ].*)?", re.DOTALL)


def shift_column(name: str, column: Any, persons: Sequence[str], key: Key, dataset: str, most_days: int) -> Any:
    """The column as ISO dates (times of day stay), each moved by its person's shift."""
    by_person = {person: key.shift_days(dataset, person, most_days) for person in set(persons)}
    days = np.fromiter((by_person[person] for person in persons), np.int64, len(persons))
    if pa.types.is_date(column.type) or pa.types.is_timestamp(column.type):
        return pc.add(column, pa.array(days * 86_400_000_000, pa.duration("us"))).cast(column.type)
    texts = column.cast(pa.string()).to_pylist()
    form = _form(name, {text for text in texts if text})
    shifted, outside = [], 0
    for text, step in zip(texts, days.tolist(), strict=True):
        try:
            shifted.append(None if not text else _moved(text, form, step))
        except OverflowError:
            outside += 1
    if outside:
        raise DataError(
            f"column {name} — {outside} date(s) would leave the years 1 to 9999 — mend them or drop the column"
        )
    return pa.array(shifted, pa.string())


def _form(name: str, texts: set[str]) -> str | None:
    """The one form in which all texts are dates; None for ISO dates with or without a time of day."""
    if all(_STAMP.fullmatch(text) and _reads(text[:10], "%Y-%m-%d") for text in texts):
        return None
    fitting = [form for form in DATE_FORMATS if all(_reads(text, form) for text in texts)]
    if len(fitting) == 1:
        return fitting[0]
    bad = min(sum(not _reads(text, form) for text in texts) for form in DATE_FORMATS)
    why = (
        "the order of day and month is ambiguous"
        if fitting
        else f"{bad} distinct value(s) are not dates in any one form"
    )
    raise DataError(f"column {name} — cannot be shifted: {why} — write it as YYYY-MM-DD, or give it another role")


def _reads(text: str, form: str) -> bool:
    try:
        datetime.datetime.strptime(text, form)
    except ValueError:
        return False
    return True


def _moved(text: str, form: str | None, days: int) -> str:
    step = datetime.timedelta(days=days)
    if form is None:
        return (datetime.date.fromisoformat(text[:10]) + step).isoformat() + text[10:]
    return (datetime.datetime.strptime(text, form).date() + step).isoformat()
