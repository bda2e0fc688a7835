"""What criteria about sensitive columns share: which columns they judge, and how the values of a column lie."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.errors import PolicyError
from sharewell.roles import Role
from sharewell.tables.engine.array_types import Bools, Floats, Ints
from sharewell.tables.engine.checks.class_criterion import ValueProfile, class_profile
from sharewell.tables.engine.checks.exact_criteria import Ratios
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column, encode

_DIGITS = 15
"""How many decimal digits a floating-point number keeps for certain."""


def sensitive_columns(name: str, classes: Classes, wanted: str | None) -> list[Column]:
    """The sensitive columns that a criterion looks at: the one it names, or all."""
    columns = [c for c in classes.columns.values() if c.role is Role.SENSITIVE and wanted in (None, c.name)]
    if not columns:
        problem = f"no sensitive column named '{wanted}'" if wanted else "no sensitive column"
        raise PolicyError(f"{name} — {problem} — give the column the role sensitive, or leave the criterion out")
    return columns


@dataclass(frozen=True, eq=False)
class ValuePositions:
    """Where the values of a column lie in its own order; a missing value lies last and has no place on the line."""

    rank: Ints
    """Of each code, from 0."""
    at: Ints | None
    """Where each code lies on the line, in steps of 1/scale; None if the values are neither numbers nor dates."""
    scale: int = 1


def value_positions(column: Column) -> ValuePositions:
    """Numbers and dates along the line, everything else by its text, as a reader of the published file finds them."""
    known = column.size - column.has_missing
    values = column.values[:known]
    numbers: Floats | None
    if column.numbers is not None:
        rank, numbers, kind = np.arange(known), column.numbers[:known], column.kind
    else:
        ordered = encode(column.name, column.role, values)
        rank = ordered.codes.astype(np.int64)
        numbers, kind = None if ordered.numbers is None else ordered.numbers[rank], ordered.kind
    rank = np.append(rank, known)[: column.size]
    if numbers is None or not known:
        return ValuePositions(rank, None)
    places = _decimals(values) if kind == "number" else 0
    digits = len(str(int(np.abs(numbers).max())))
    scale = 10 ** max(0, min(places, _DIGITS - digits))
    at = np.append(np.rint(numbers * scale), 0)[: column.size]
    return ValuePositions(rank, at.astype(np.int64), scale)


def _decimals(values: pa.Array) -> int:
    """The most digits after a point."""
    after = pc.replace_substring_regex(values, r"^[^.]*\.?", "")
    return int(pc.max(pc.binary_length(after)).as_py() or 0)


def on_the_line(name: str, column: Column) -> tuple[ValuePositions, Ints]:
    """The same for a criterion that measures: (places, positions)."""
    line = value_positions(column)
    if line.at is None:
        known = column.size - column.has_missing
        if not known:
            return line, np.zeros(column.size, dtype=np.int64)
        raise PolicyError(f"{name} — column {column.name} holds neither numbers nor dates — name another with `column`")
    return line, line.at


def as_written(values: Iterable[object]) -> tuple[str, ...]:
    """Values of a policy or a program as text; nothing means the missing value."""
    return tuple("" if value is None else str(value) for value in values)


def having(column: Column, values: Iterable[str]) -> Bools:
    """Which codes mean one of the values."""
    matches = np.zeros(column.size, dtype=bool)
    for value in values:
        matches[column.codes_of(value)] = True
    return matches


def unmatched(columns: Iterable[Column], values: Sequence[str], kind: str) -> str:
    """A note on values that no record has: they may be misspelt. It does not repeat them."""
    columns = list(columns)
    absent = sum(not any(having(column, [value])[column.codes].any() for column in columns) for value in values)
    names = ", ".join(column.name for column in columns)
    return f"{absent} of {len(values)} {kind} occur in no record of column {names}" if absent else ""


def ways_to_count(classes: Classes, unit: str) -> tuple[bool, ...]:
    """By person (True) and by record: both where they differ, for a share must not be too large either way."""
    return (True, False) if unit == "person" and classes.subject is not None else (False,)


def shares(classes: Classes, column: Column, by_person: bool) -> tuple[Ints, Ints, Ints, Ints]:
    """(class, code, how many have it, how many there are), so that no share is understated.

    By person both numbers are persons. A record without a person counts as one more that has the value, but not as one
    more that is there; a class without any known person has shares of one.
    """
    owner, code, count = classes.counts(column, by_person)
    sizes_of_class = classes.persons if by_person else classes.sizes
    size = np.maximum(sizes_of_class, 1).astype(np.int64)[owner]
    return owner, code, np.where(sizes_of_class[owner] > 0, np.minimum(count, size), size), size


def value_profile(classes: Classes, failing: int, columns: Iterable[Column]) -> ValueProfile:
    """How many classes fail, and the largest share of persons with one value. O(n log n)"""
    profile, largest = class_profile(classes, failing), None
    for column in columns:
        owner, _, count, size = shares(classes, column, by_person=True)
        share = Ratios(owner, count, size).extreme(1)
        if isinstance(share, Fraction) and (largest is None or share > largest):
            largest = share
    return ValueProfile(**vars(profile), person_share=largest)


def told_share(profile: ValueProfile, classes: Classes) -> str:
    """A remark on the largest share. It goes into the certificate, so that it says of persons only that it is known."""
    if profile.person_share is None:
        return ""
    if classes.subject is not None:
        return "the details say how large a share of a class's persons has one value at most"
    return f"up to {100 * float(profile.person_share):.3g} % of a class have one value"
