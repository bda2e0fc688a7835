"""What publications of noisy tables share: the shape of `protect`, the columns they publish, and exact counts."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import Infeasible, PolicyError
from sharewell.keys import Key
from sharewell.protocols import Criterion, Mechanism, Protected
from sharewell.queries.data import ConfidentialTable, NoisyTable

Ints = NDArray[np.int64]
MOST_CELLS = 1_000_000
"""Cells of one published table: more are refused, since every one of them gets its own noise."""
ANY = "*"
"""The label of a cell that counts every value of its column."""


class Publication(Mechanism[Any], Protocol):
    """A mechanism that publishes noisy counts of a confidential table."""

    packages: ClassVar[tuple[str, ...]] = ("opendp",)
    engine: ClassVar[str | tuple[str, ...]] = "check"
    falsifies: ClassVar[bool] = True

    @abstractmethod
    def protect(
        self, data: ConfidentialTable, must: Sequence[Criterion[NoisyTable]], key: Key | None = None
    ) -> Protected[NoisyTable]: ...


def columns_of(mechanism: str, data: ConfidentialTable, columns: Sequence[str] | None) -> tuple[str, ...]:
    """The columns to publish: all that have a public domain, unless some are named."""
    if unknown := [name for name in columns or () if name not in data.domains]:
        what = f"{len(unknown)} column(s) have no public values or range: {', '.join(unknown)}"
        raise PolicyError(f"{mechanism} — {what} — known are {', '.join(data.domains)}")
    named = tuple(dict.fromkeys(data.domains if columns is None else columns))
    if not named:
        raise PolicyError(f"{mechanism} — no column to publish — give columns with public values or ranges")
    if clash := [name for name in named if ANY in data.domains[name].labels]:
        raise PolicyError(f"{mechanism} — {ANY} stands for every value, and {', '.join(clash)} has it as one — rename")
    return named


def refuse_many(mechanism: str, cells: int, relaxations: Sequence[str] = ("fewer bins", "fewer columns")) -> None:
    """Before anything is counted: how many cells there are is public."""
    if cells > MOST_CELLS:
        what = f"{cells:,} cells would be published, and at most {MOST_CELLS:,} are"
        raise Infeasible(f"{mechanism} — {what}", relaxations=list(relaxations))


def histogram(data: ConfidentialTable, columns: Sequence[str]) -> Ints:
    """How many of the rows that count have each combination of labels; one axis a column."""
    places = [list(data.domains).index(name) for name in columns]
    shape = [data.shape[place] for place in places]
    flat = np.zeros(len(data.codes), dtype=np.int64)
    for place, size in zip(places, shape, strict=True):
        flat = flat * size + data.codes[:, place]
    return np.bincount(flat, minlength=math.prod(shape)).astype(np.int64).reshape(shape)


def cells_of(data: ConfidentialTable, columns: Sequence[str]) -> dict[str, list[str]]:
    """The labels of every cell of a histogram, in its order."""
    labels = [data.domains[name].labels for name in columns]
    grid = np.indices([len(one) for one in labels]).reshape(len(labels), -1)
    return {name: [own[i] for i in at] for name, own, at in zip(columns, labels, grid.tolist(), strict=True)}
