"""What criteria about sensitive columns share: which columns they judge, and how the values of a column lie."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.date_shift import DATE_FORMATS, day_of
from sharewell.errors import PolicyError
from sharewell.roles import Role
from sharewell.spelling import folded
from sharewell.tables.engine.array_types import Bools, Floats, Ints
from sharewell.tables.engine.checks.class_criterion import ValueProfile, class_profile
from sharewell.tables.engine.checks.exact_criteria import Ratios
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.columns import Column, encode, number_of

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
    sure: bool = True
    """Is this the order of the values? It is not where the order of characters puts 10 before 5."""


def value_positions(column: Column) -> ValuePositions:
    """Numbers and dates along the line, everything else by its text, as a reader of the published file finds them.

    Numbers in whatever spelling: `01`, `+1`, `1e0` and `１` lie where 1 does. Equal ones have one rank.
    """
    known = column.known
    values = column.values[:known]
    if column.numbers is not None:
        return _placed(column, np.arange(known), column.numbers[:known], _decimals(values, column.kind))
    ordered = encode(column.name, column.role, values)
    if ordered.numbers is not None:
        rank = ordered.codes.astype(np.int64)
        return _placed(column, rank, ordered.numbers[rank], _decimals(values, ordered.kind))
    looks = folded(values).to_pylist()
    exact = [number for number in map(number_of, looks) if number is not None]
    if known and len(exact) == known:
        line = np.array([float(number) for number in exact])
        if not np.isinf(line).any():
            place = {number: i for i, number in enumerate(sorted(set(exact)))}
            rank = np.array([place[number] for number in exact], dtype=np.int64)
            return _placed(column, rank, line, max(map(_places, exact)))
    sure = not exact and all(day_of(text, form) is None for text in looks for form in DATE_FORMATS)
    by_number = sorted(range(known), key=lambda i: (_by_number(looks[i]), looks[i]))
    rank = np.append(ordered.codes, known)[: column.size].astype(np.int64)
    return ValuePositions(rank, None, sure=sure and by_number == sorted(range(known), key=looks.__getitem__))


def _placed(column: Column, rank: Ints, numbers: Floats, places: int) -> ValuePositions:
    known = len(numbers)
    rank = np.append(rank, known)[: column.size]
    if not known:
        return ValuePositions(rank, None)
    digits = len(str(int(np.abs(numbers).max())))
    scale = 10 ** max(0, min(places, _DIGITS - digits))
    at = np.append(np.rint(numbers * scale), 0)[: column.size]
    return ValuePositions(rank, at.astype(np.int64), scale)


def _decimals(values: pa.Array, kind: str) -> int:
    """The most digits after a point."""
    if kind != "number":
        return 0
    after = pc.replace_substring_regex(values, r"^[^.]*\.?", "")
    exponents = [Decimal(text) for text in values.filter(pc.match_substring_regex(values, "[eE]")).to_pylist()]
    return max([int(pc.max(pc.binary_length(after)).as_py() or 0), *map(_places, exponents)])


def _places(number: Decimal) -> int:
    return max(0, -int(number.as_tuple().exponent))


def _by_number(text: str) -> list[tuple[str, int]]:
    """A key by which the whole numbers within texts are compared as numbers: 5 mg comes before 10 mg."""
    parts = re.split(r"(\d+)", text)
    return [(words, int(digits)) for words, digits in zip(parts[::2], [*parts[1::2], "0"], strict=True)]


def ranks(name: str, column: Column) -> Ints:
    """The rank of each code, for a criterion that goes by the order of values; refused where that is unknown."""
    line = value_positions(column)
    if not line.sure:
        raise PolicyError(
            f"{name} — column {column.name} is text with numbers or dates in it, {column.known}"
            " distinct value(s), whose order is unknown — write all of them as numbers or as dates of one form, or"
            " choose another distance"
        )
    return line.rank


def on_the_line(name: str, column: Column) -> tuple[ValuePositions, Ints]:
    """The same for a criterion that measures: (places, positions)."""
    line = value_positions(column)
    if line.at is None:
        if not column.known:
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
    counted = (shares(classes, column, by_person=True) for column in columns)
    extremes = (Ratios(owner, count, size).extreme(1) for owner, _, count, size in counted)
    largest = max((share for share in extremes if isinstance(share, Fraction)), default=None)
    return ValueProfile(**vars(class_profile(classes, failing)), person_share=largest)


def largest_share_in_words(profile: ValueProfile, classes: Classes) -> str:
    """A remark on the largest share. It goes into the certificate, so that it says of persons only that it is known."""
    if profile.person_share is None:
        return ""
    if classes.subject is not None:
        return "the details say how large a share of a class's persons has one value at most"
    return f"up to {100 * float(profile.person_share):.3g} % of a class have one value"
