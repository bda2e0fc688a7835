"""Numbers of a row that two shifted dates of the row give away: a length of stay beside admission and discharge.

A person's dates all move by the same number of days, so the time between two of them is published exactly. A quasi
column that holds this time (in hours, days, weeks, months or years, counted in whichever way) would be generalised for
nothing: whoever knows it finds it again between the dates.

A column counts as shown if it is within one unit of the time between two columns of dates in nearly every row that has
all three, and takes some different values there, so that it does not agree by chance.

>>> import numpy as np
>>> admitted, discharged = np.array([10.0, 40.0, 41.0, 90.0, 95.0]), np.array([13.0, 41.0, 50.0, 97.0, 100.0])
>>> shown_intervals({"admitted": admitted, "discharged": discharged}, {"los": np.array([3, 1, 9, 7, 5.0])}, least=5)
[Shown(number='los', earlier='admitted', later='discharged')]

O(rows · pairs of dates · numbers).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from sharewell.io.date_forms import DateForm

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

LEAST = 20
"""Fewer rows agree by chance."""
_NEARLY_ALL = 0.95
_DIFFERENT = 4
_WITHIN = 1 + 1e-6
_UNITS = (1 / 24, 1.0, 7.0, 30.44, 365.25)
"""Hours, days, weeks, months and years, in days."""
_FORMS = ("%Y-%m-%d", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y%m%d")


@dataclass(frozen=True)
class Shown:
    """A column of numbers, and the two columns of dates between which it lies."""

    number: str
    earlier: str
    later: str


def shown_intervals(
    dates: Mapping[str, NDArray[np.float64]], numbers: Mapping[str, NDArray[np.float64]], least: int = LEAST
) -> list[Shown]:
    """For each column of numbers the first pair of dates that shows it; dates are in days, NaN where there is none."""
    results = []
    for name, values in numbers.items():
        pairs = permutations(dates, 2)
        pair = next((pair for pair in pairs if _is_between(values, dates[pair[0]], dates[pair[1]], least)), None)
        if pair is not None:
            results.append(Shown(name, *pair))
    return results


def _is_between(
    values: NDArray[np.float64], earlier: NDArray[np.float64], later: NDArray[np.float64], least: int
) -> bool:
    between = later - earlier
    filled = ~(np.isnan(values) | np.isnan(between))
    values, between = values[filled], between[filled]
    if len(values) < least or len(np.unique(values)) < _DIFFERENT:
        return False
    return any(
        np.mean(np.abs(values - between / unit) <= _WITHIN) >= _NEARLY_ALL
        and len(np.unique(np.round(between / unit))) >= _DIFFERENT
        for unit in _UNITS
    )


def days_in(column: pa.ChunkedArray | pa.Array, form: str | None = None) -> NDArray[np.float64] | None:
    """A column of dates or instants as days since 1970, with their fractions; None if it holds something else.

    form: how its texts are written, where the policy says it; ISO otherwise.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        texts = column.cast(pa.string())
        column = pc.coalesce(*(DateForm(one).read(texts) for one in ((form,) if form else _FORMS)))
        if column.null_count == len(column):
            return None
    elif not (pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)):
        return None
    moments = column.cast(pa.timestamp("s"), safe=False)
    result = pc.cast(moments.cast(pa.int64()), pa.float64()).fill_null(float("nan"))
    return np.asarray(result.to_numpy(zero_copy_only=False) / 86400)


def numbers_in(column: pa.ChunkedArray | pa.Array) -> NDArray[np.float64] | None:
    """A column of numbers, NaN where there is none; None if most of its texts are no numbers."""
    import pyarrow as pa
    import pyarrow.compute as pc

    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        fits = pc.match_substring_regex(column, r"^-?[0-9]+(\.[0-9]+)?$")
        column = pc.if_else(fits, column, None)
    elif not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        return None
    if column.null_count == len(column):
        return None
    return np.asarray(column.cast(pa.float64(), safe=False).fill_null(float("nan")).to_numpy(zero_copy_only=False))
