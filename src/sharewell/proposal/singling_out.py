"""Which few columns already single people out, so that a steward can say why they need protection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]

MOST_ROWS = 200_000
MOST_COLUMNS = 4
_ROWS_TO_CHOOSE = 50_000
_COLUMNS_TO_CHOOSE = 30
_ENOUGH = 0.95


@dataclass(frozen=True)
class Singled:
    """The share of persons (or records) whose combination of these columns is unique."""

    columns: tuple[str, ...]
    share: float


def alone(combination: Codes, persons: Codes | None) -> float:
    """The share of persons with a combination that nobody else has; of records if persons are not known.

    >>> alone(np.array([1, 1, 2]), None), alone(np.array([1, 1, 2]), np.array([7, 7, 8]))
    (0.3333333333333333, 1.0)
    """
    if not len(combination):
        return 0.0
    if persons is None:
        return float((np.bincount(combination) == 1).sum() / len(combination))
    width = int(persons.max()) + 1
    pairs = different(combination * width + persons)
    owners = np.bincount(pairs // width)
    singled = different(pairs[owners[pairs // width] == 1] % width)
    return float(len(singled) / len(different(persons)))


def different(numbers: Codes) -> Codes:
    """The different numbers, by sorting: for arrays of this size many times as fast as `np.unique`, which hashes."""
    ordered = np.sort(numbers)
    return ordered[np.append(True, ordered[1:] != ordered[:-1])] if len(ordered) else ordered


def same_partition(first: Codes, second: Codes) -> bool:
    """Whether two columns put the same records together.

    >>> same_partition(np.array([0, 0, 1]), np.array([5, 5, 2]))
    True
    """
    if len(first) != len(second):
        return False
    pairs = len(different(first * (int(second.max(initial=0)) + 1) + second))
    return pairs == len(different(first)) == len(different(second))


def joined(codes: Sequence[Codes]) -> Codes:
    """One number for each combination."""
    combination = np.zeros(len(codes[0]), np.int64)
    for column in codes:
        _, combination = np.unique(combination * (int(column.max(initial=0)) + 1) + column, return_inverse=True)
    return combination


def spread(rows: int, most: int) -> NDArray[np.int64]:
    """Row numbers, evenly spread over the file."""
    return np.linspace(0, rows - 1, min(rows, most)).astype(np.int64)


def single_out(columns: Mapping[str, Codes], persons: Codes | None, rows: int) -> list[Singled]:
    """Greedily the column that singles out the most with those before it, until nearly everyone or four columns."""
    if not columns or not rows:
        return []
    few = spread(rows, _ROWS_TO_CHOOSE)
    rest = {name: codes[few] for name, codes in columns.items()}
    if len(rest) > _COLUMNS_TO_CHOOSE:
        sizes = {name: len(different(codes)) for name, codes in rest.items()}
        rest = {name: rest[name] for name in sorted(rest, key=lambda n: -sizes[n])[:_COLUMNS_TO_CHOOSE]}
    whose = None if persons is None else persons[few]
    chosen: list[str] = []
    results: list[Singled] = []
    so_far = np.zeros(len(few), np.int64)
    while rest and len(chosen) < MOST_COLUMNS:
        tried = {name: joined([so_far, codes]) for name, codes in rest.items()}
        # Ties (often: nobody yet) go to the column that makes the most combinations.
        scores = {name: (alone(codes, whose), int(codes.max())) for name, codes in tried.items()}
        best = max(scores, key=lambda name: scores[name])
        if scores[best][1] == int(so_far.max()):
            break
        so_far = tried[best]
        chosen.append(best)
        del rest[best]
        results.append(measured(columns, chosen, persons, rows))
        if results[-1].share >= _ENOUGH:
            break
    return results


def measured(columns: Mapping[str, Codes], names: Sequence[str], persons: Codes | None, rows: int) -> Singled:
    """The share for one set of columns, on up to 200,000 rows."""
    many = spread(rows, MOST_ROWS)
    whose = None if persons is None else persons[many]
    return Singled(tuple(names), alone(joined([columns[name][many] for name in names]), whose))
