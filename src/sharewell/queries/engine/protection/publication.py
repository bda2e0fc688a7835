"""What publications of noisy tables share: the shape of `protect`, the columns they publish, and exact counts."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import Criteria, Declared, Infeasible, Key, Mechanism, PolicyError, Protected, refuse_failing
from sharewell.opendp_noise import Price
from sharewell.queries.data import EVERY, ConfidentialTable, NoisyTable
from sharewell.queries.engine.protection.budget_terms import Amount

Ints = NDArray[np.int64]
MOST_CELLS = 1_000_000
"""Cells of one published table: more are refused, since every one of them gets its own noise."""


@dataclass(frozen=True, kw_only=True)
class PublicationDetails:
    """The loss, for whom it holds, and how large the noise is."""

    epsilon: float | None
    """None where the budget is counted in ρ."""
    rho: float | None
    neighbours: str
    rows_per_person: int
    noise: str
    scale: float
    sensitivity: float
    """How far a person moves all noisy numbers together: in sum, or in length where the budget is counted in ρ."""
    cells: int


@dataclass(frozen=True, kw_only=True)
class Publication(Declared, Mechanism[Any]):
    """A mechanism that publishes noisy counts of a confidential table."""

    epsilon: Amount | None = None
    rho: Amount | None = None

    packages: ClassVar[tuple[str, ...]] = ("opendp",)
    engine: ClassVar[str | tuple[str, ...]] = "check"
    falsifies: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        Price.of(self.epsilon, self.rho)

    @property
    def price(self) -> Price:
        """The budget, in the unit in which it is given."""
        return Price.of(self.epsilon, self.rho)

    def share(self, of: int) -> Price:
        """One of this many equal shares of the budget, rounded down: all of them together are never more than it."""
        whole = self.price
        amount = whole.amount / of
        while Fraction(amount) * of > Fraction(whole.amount):
            amount = math.nextafter(amount, 0)
        return Price(whole.accounting, amount)

    @abstractmethod
    def protect(
        self, data: ConfidentialTable, must: Criteria[NoisyTable], key: Key | None = None
    ) -> Protected[NoisyTable]: ...


def published(
    name: str,
    released: NoisyTable,
    criteria: Criteria[NoisyTable],
    details: Callable[..., PublicationDetails],
    **more: object,
) -> Protected[NoisyTable]:
    """What a publication returns, with details of what was spent, as the dictionary says it, and more.

    The noise is fresh by nature: no key repeats it.
    """
    refuse_failing(name, released, criteria, ["a larger budget", "fewer columns"])
    spent = {one.name: released.spent[one.name] for one in fields(PublicationDetails) if one.name != "cells"}
    public = details(**spent, cells=released.rows, **more)
    return Protected(released, public, np.arange(released.rows), reproducible=False)


def columns_of(mechanism: str, data: ConfidentialTable, columns: Sequence[str] | None) -> tuple[str, ...]:
    """The columns to publish: all that have a public domain, unless some are named."""
    if unknown := [name for name in columns or () if name not in data.domains]:
        what = f"{len(unknown)} column(s) have no public values or range: {', '.join(unknown)}"
        raise PolicyError(f"{mechanism} — {what} — known are {', '.join(data.domains)}")
    named = tuple(dict.fromkeys(data.domains if columns is None else columns))
    if not named:
        raise PolicyError(f"{mechanism} — no column to publish — give columns with public values or ranges")
    if clash := [name for name in named if EVERY in data.domains[name].labels]:
        raise PolicyError(
            f"{mechanism} — {EVERY} stands for every value, and {', '.join(clash)} has it as one — rename"
        )
    return named


def refuse_many(mechanism: str, cells: int, relaxations: Sequence[str] = ("fewer bins", "fewer columns")) -> None:
    """Before anything is counted: how many cells there are is public."""
    if cells > MOST_CELLS:
        what = f"{cells:,} cells would be published, and at most {MOST_CELLS:,} are"
        raise Infeasible(f"{mechanism} — {what}", relaxations=list(relaxations))


def cells_of(data: ConfidentialTable, columns: Sequence[str]) -> dict[str, list[str]]:
    """The labels of every cell of a histogram, in its order."""
    labels = [data.domains[name].labels for name in columns]
    grid = np.indices([len(one) for one in labels]).reshape(len(labels), -1)
    return {name: [own[i] for i in at] for name, own, at in zip(columns, labels, grid.tolist(), strict=True)}


def cells_of_marginals(
    data: ConfidentialTable, columns: Iterable[str], marginals: Iterable[Sequence[str]]
) -> dict[str, list[str]]:
    """The labels of every cell of several marginals, one after the other; `*` where one adds up over a column."""
    keys: dict[str, list[str]] = {name: [] for name in columns}
    for marginal in marginals:
        own = cells_of(data, marginal) if marginal else {}
        size = math.prod(len(data.domains[name].labels) for name in marginal)
        for name, listed in keys.items():
            listed += own.get(name, [EVERY] * size)
    return keys
