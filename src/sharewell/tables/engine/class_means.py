"""The mean of each class in a column of numbers or dates, exact and then rounded: half upwards, to this many decimals.

A mean does not cover its members, so that nobody can tell from it whom a record may belong to. It depends on every
value: whoever knows all but one of them, and the size of the class, can compute the last one, up to rounding. A class
of one record (k = 1) shows its own value. A class that mixes missing values with others shows `*`, as a range would:
the mean of the others might be the value of one person. To look for the nearest mean is an attack that is not mounted
here.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import numpy as np

from sharewell.cells import Any, Cell, Exact, Mean
from sharewell.tables.engine.array_types import Ints
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Codes, Column, Numbers

_SAFE = 2**61
_MIXED, _MISSING = -1, -2


def decimals_of(column: Column) -> int:
    """How many decimals the means of a column have: as asked, or as many as its own values have."""
    decimals = column.published_as.decimals
    return _counted(column)[1] if decimals is None else decimals


def class_means(column: Column, ordered: Codes, classes: Classes) -> tuple[Ints, Callable[[int], Cell]]:
    """A number for the mean of each class, and the cell that each such number stands for. O(n + distinct values)"""
    numbers, own_decimals = _counted(column)
    decimals = decimals_of(column)
    starts = classes.starts[:-1]
    totals: Numbers = np.add.reduceat(_enough(numbers, len(ordered))[ordered], starts)
    sizes = classes.sizes.astype(np.int64)
    up, down = 10 ** max(0, decimals - own_decimals), 10 ** max(0, own_decimals - decimals)
    largest = 2 * int(np.abs(totals).max()) * up + 4 * int(sizes.max()) * down if len(totals) else 0
    if largest >= _SAFE:
        totals, sizes = totals.astype(object), sizes.astype(object)
    rounded = (2 * totals * up + sizes * down) // (2 * sizes * down)
    distinct, keys = np.unique(rounded, return_inverse=True)
    if column.has_missing:
        lacking = np.add.reduceat((ordered == column.size - 1).astype(np.int64), starts)
        keys = np.where(lacking == 0, keys, np.where(lacking == classes.sizes, _MISSING, _MIXED))

    def cell(key: int) -> Cell:
        if key < 0:
            return Any() if key == _MIXED else Exact("")
        number = int(distinct[key])
        return Mean(datetime.date.fromordinal(number).isoformat() if column.kind == "date" else _text(number, decimals))

    return keys.astype(np.int64), cell


def _counted(column: Column) -> tuple[Numbers, int]:
    """The values as whole numbers of their last decimal place, and how many decimals that is; a missing one is 0."""
    assert column.numbers is not None
    known = column.known
    line = column.numbers[:known]
    if (np.abs(line) < 2.0**53).all() and (line == np.floor(line)).all():
        return np.append(line.astype(np.int64), np.zeros(int(column.has_missing), np.int64)), 0
    exact = [Fraction(text) for text in column.texts[:known]]
    exponents = [Decimal(text).as_tuple().exponent for text in column.texts[:known]]
    decimals = max(0, *(-exponent for exponent in exponents if isinstance(exponent, int)))
    scaled = [int(number * 10**decimals) for number in exact]
    return np.array([*scaled, *[0] * column.has_missing], dtype=object), decimals


def _enough(numbers: Numbers, rows: int) -> Numbers:
    """64 bits where the sum over all rows fits them, else Python's own integers."""
    largest = max((abs(int(number)) for number in (numbers.min(), numbers.max())), default=0) if len(numbers) else 0
    return numbers.astype(np.int64 if largest * max(1, rows) < _SAFE else object)


def _text(number: int, decimals: int) -> str:
    """A whole number of this many decimals, written with a point.

    >>> _text(-5, 2), _text(120, 1), _text(7, 0)
    ('-0.05', '12.0', '7')
    """
    digits = str(abs(number)).zfill(decimals + 1)
    before_point, part = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
    return ("-" if number < 0 else "") + before_point + ("." + part if part else "")
