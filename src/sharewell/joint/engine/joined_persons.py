"""The persons of several datasets, numbered over all of them in the order of their records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.distinct_numbers import numbered
from sharewell.record_owners import RecordOwners

if TYPE_CHECKING:
    from sharewell.protocols import PersonFacts

Ints = NDArray[np.int64]


def numbered_persons(parts: Mapping[str, PersonFacts]) -> tuple[dict[str, Ints], Ints, pa.Array]:
    """The person of every record, numbered over all datasets, their places in the order of names, and the names.

    Whoever has no name is a person of their own.
    """
    if not parts:
        return {}, np.zeros(0, np.int64), pa.array([], pa.string())
    owners = [RecordOwners.of(facts.persons) for facts in parts.values()]
    names = pa.chunked_array([one.names for one in owners], pa.string()).combine_chunks().dictionary_encode()
    number = names.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
    first = np.cumsum([0, *(len(one.names) for one in owners)])
    records = [number[begin : begin + len(one.names)][one.codes] for begin, one in zip(first, owners, strict=False)]
    every = np.concatenate([np.zeros(0, np.int64), *records])
    nameless = np.flatnonzero(every < 0)
    every[nameless] = len(names.dictionary) + np.arange(len(nameless))
    named, codes = numbered(every)  # of some names there is no record left
    shown = named[: len(named) - len(nameless)]
    by_name = np.arange(len(named))
    called = names.dictionary.take(pa.array(shown))
    by_name[np.asarray(pc.sort_indices(called))] = np.arange(len(shown))
    order = np.argsort(_first(codes, len(named), len(shown)), kind="stable")
    rank = np.empty(len(named), np.int64)
    rank[order] = np.arange(len(named))
    ends = np.cumsum([len(one) for one in owners])[:-1]
    named_or_not = called.take(pa.array(np.where(order < len(shown), order, -1), mask=order >= len(shown)))
    return dict(zip(parts, np.split(rank[codes], ends), strict=True)), by_name[order], named_or_not


def _first(codes: Ints, persons: int, named: int) -> Ints:
    """The first record of each person, those who have no name behind all others."""
    first = np.zeros(persons, np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    first[named:] += len(codes)
    return first
