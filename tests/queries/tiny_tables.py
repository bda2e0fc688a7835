"""Small confidential tables, and all tables of a few rows with their neighbours."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Literal

import pyarrow as pa

from sharewell.io.sources import Source
from sharewell.queries.data import ConfidentialTable, Domain, Range

Row = tuple[int, ...]
Tiny = tuple[Row, ...]


def confidential(
    rows: Sequence[Row],
    domains: Mapping[str, Domain],
    rows_per_person: int = 1,
    neighbours: Literal["add-remove", "change-one"] = "add-remove",
) -> ConfidentialTable:
    """Rows of numbers, one column a domain."""
    columns = {name: pa.array([row[i] for row in rows], pa.int64()) for i, name in enumerate(domains)}
    return ConfidentialTable(
        Source.of(pa.table(columns)), domains, rows_per_person=rows_per_person, neighbours=neighbours
    )


def bins(**sizes: int) -> dict[str, Domain]:
    """Columns of whole numbers 0 … size - 1, one bin each."""
    return {name: Range(0, size, bins=size) for name, size in sizes.items()}


def tables(shape: Sequence[int], rows: int) -> Iterator[Tiny]:
    """All tables of at most so many rows, whatever their order."""
    cells = list(product(*(range(size) for size in shape)))
    for count in range(rows + 1):
        yield from combinations_with_replacement(cells, count)


def neighbours(
    shape: Sequence[int], rows: int, rows_per_person: int, kind: Literal["add-remove", "change-one"]
) -> Iterator[tuple[Tiny, Tiny]]:
    """All pairs of tables of at most so many rows that one person tells apart."""
    cells = list(product(*(range(size) for size in shape)))
    own = [one for count in range(rows_per_person + 1) for one in combinations_with_replacement(cells, count)]
    for table in tables(shape, rows):
        if kind == "add-remove":
            yield from ((table, tuple(sorted(table + more))) for more in own)
        else:
            seen = {}
            for old, new in product(own, own):
                if all(table.count(row) >= old.count(row) for row in old):
                    rest = list(table)
                    for row in old:
                        rest.remove(row)
                    seen[tuple(sorted([*rest, *new]))] = None
            yield from ((table, other) for other in seen)


def exponential(scores: Sequence[int], scale: float) -> list[float]:
    """The exponential mechanism, by its definition."""
    weights = [math.exp((score - max(scores)) / scale) for score in scores]
    return [weight / sum(weights) for weight in weights]


def permute_and_flip(scores: Sequence[int], scale: float) -> list[float]:
    """Permute-and-flip, by its definition: all orders, and a coin for each candidate until one shows heads."""
    heads = [math.exp((score - max(scores)) / scale) for score in scores]

    def from_left(left: tuple[int, ...]) -> dict[int, float]:
        found = dict.fromkeys(left, 0.0)
        for first in left:
            found[first] += heads[first] / len(left)
            rest = tuple(one for one in left if one != first)
            if rest and heads[first] < 1:
                for one, chance in from_left(rest).items():
                    found[one] += (1 - heads[first]) / len(left) * chance
        return found

    found = from_left(tuple(range(len(scores))))
    return [found[i] for i in range(len(scores))]
