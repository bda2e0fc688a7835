"""What a word is together with its neighbours (`features.pairs`), as numbers: a pair is found by its place in a table.

Looks, words and signs of which a model knows a pair are numbered from 1; 0 is every other one, and no pair has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from sharewell.notes.annotation.features import EDGE

Ints = NDArray[np.int64]
Key = TypeVar("Key")
Other = TypeVar("Other")


class Tables(NamedTuple):
    """Numbers of two neighbours → the row of weights of the pair, 0 for none."""

    left: Ints
    right: Ints
    before: Ints
    after: Ints
    begun: Ints
    """The sign before a word and its look → a number for both."""
    around: Ints
    """That number and the sign after it → the row of all three."""
    gaps: Ints
    """Sign → the row of weights that it has by itself."""
    edge_look: int
    edge_sign: int


@dataclass(frozen=True, eq=False)
class Pairs:
    """Which number each look, word and sign has, and the tables."""

    looks: dict[str, int]
    spoken: dict[str, int]
    signs: dict[str, int]
    tables: Tables

    @classmethod
    def of(cls, rows: Mapping[str, int]) -> Pairs:
        """From the facts of a model, each with its row of weights."""
        pairs: dict[str, dict[tuple[str, str], int]] = {kind: {} for kind in ("left", "right", "before", "after")}
        around: dict[tuple[str, str, str], int] = {}
        gaps: dict[str, int] = {}
        for fact, row in rows.items():
            kind, _, told = fact.partition("=")
            if kind == "gap":
                gaps[told] = row
            elif kind == "signs":  # signs may be strokes themselves
                sign, _, rest = told.partition("|shape=")
                look, _, after = rest.partition("|")
                around[sign, f"shape={look}", after] = row
            elif kind in pairs:
                one, _, other = told.partition("|")
                pairs[kind][one, other] = row
        beside = [look for kind in ("left", "right") for pair in pairs[kind] for look in pair]
        behind = [pair for kind in ("before", "after") for pair in pairs[kind]]
        looks = _numbered((EDGE, *beside, *(look for _, look in behind), *(look for _, look, _ in around)))
        spoken = _numbered(word for word, _ in behind)
        signs = _numbered((EDGE, *gaps, *(sign for one, _, other in around for sign in (one, other))))
        begun = _numbered((sign, look) for sign, look, _ in around)
        tables = Tables(
            _table(pairs["left"], looks, looks),
            _table(pairs["right"], looks, looks),
            _table(pairs["before"], spoken, looks),
            _table(pairs["after"], spoken, looks),
            _table(begun, signs, looks),
            _table({((sign, look), after): row for (sign, look, after), row in around.items()}, begun, signs),
            np.array([0, *(gaps.get(sign, 0) for sign in signs)]),
            looks[EDGE],
            signs[EDGE],
        )
        return cls(looks, spoken, signs, tables)


def _numbered(keys: Iterable[Key]) -> dict[Key, int]:
    return {key: at for at, key in enumerate(dict.fromkeys(keys), 1)}


def _table(rows: Mapping[tuple[Key, Other], int], ones: Mapping[Key, int], others: Mapping[Other, int]) -> Ints:
    table = np.zeros((len(ones) + 1, len(others) + 1), dtype=np.int64)
    for (one, other), row in rows.items():
        table[ones[one], others[other]] = row
    return table
