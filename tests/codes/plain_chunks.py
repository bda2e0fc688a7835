"""Reconstructions by definition: every way in which the records of published chunks may have been, written out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

Record = frozenset[str]


def homes_of(joint: Any) -> list[int]:
    """The cluster of each record."""
    return [place for place, cluster in enumerate(joint.clusters) for _ in range(cluster.size)]


def layings(joint: Any) -> list[list[dict[int, Record]]]:
    """For each chunk, and each code of an item chunk, where it may lie."""
    homes = homes_of(joint)
    found = []
    for place, cluster in enumerate(joint.clusters):
        own = [slot for slot, home in enumerate(homes) if home == place]
        found += [_laid(bag, own) for bag in cluster.chunks]
        found += [[dict.fromkeys(some, frozenset([code])) for some in _some(own)] for code in cluster.items]
    return found + [_laid(bag, list(range(len(homes)))) for bag in joint.shared]


def ways(joint: Any) -> int:
    return math.prod(map(len, layings(joint)))


def reconstructions(joint: Any) -> Iterator[list[list[Record]]]:
    """For each way the records of each cluster. `joint` has clusters (size, chunks, items) and shared chunks."""
    homes = homes_of(joint)
    slots = range(len(homes))
    coded = [bool(cluster.chunks or cluster.items or joint.shared) for cluster in joint.clusters]
    for way in itertools.product(*layings(joint)):
        records = [frozenset().union(*(laid.get(slot, ()) for laid in way)) for slot in slots]
        if all(record or not coded[homes[slot]] for slot, record in enumerate(records)):
            yield [[records[slot] for slot in slots if homes[slot] == place] for place in range(len(joint.clusters))]


def _laid(bag: Any, slots: list[int]) -> list[dict[int, Record]]:
    """Each sub-record in a record of its own; equal ones may change places."""
    found = {
        frozenset(zip(places, map(frozenset, bag), strict=True)) for places in itertools.permutations(slots, len(bag))
    }
    return [dict(laid) for laid in found]


def _some(slots: list[int]) -> Iterator[tuple[int, ...]]:
    for size in range(1, len(slots) + 1):
        yield from itertools.combinations(slots, size)


def supports(joint: Any, m: int) -> dict[Record, int]:
    """For each combination of up to m codes that may be in one record, the most records that hold it in one way."""
    found: dict[Record, int] = {}
    for way in reconstructions(joint):
        here: dict[Record, int] = {}
        for record in itertools.chain(*way):
            for size in range(1, m + 1):
                for codes in itertools.combinations(sorted(record), size):
                    here[frozenset(codes)] = here.get(frozenset(codes), 0) + 1
        for codes, times in here.items():
            found[codes] = max(found.get(codes, 0), times)
    return found


def least(released: Any, m: int) -> int | None:
    """The fewest records of any possible combination, over all clusters: they do not hinder each other."""
    total: dict[Record, int] = {}
    for joint in released.joints:
        for codes, times in supports(joint, m).items():
            total[codes] = total.get(codes, 0) + times
    return min(total.values(), default=None)


def certain_links(cluster: Any, joint: Any) -> set[tuple[str, str]]:
    """(x, y) of different chunks of a cluster alone: whoever holds x holds y, in every way."""
    chunk_of = {code: place for place, bag in enumerate(cluster.chunks) for codes in bag for code in codes}
    chunk_of |= {code: f"listed {code}" for code in cluster.items}
    pairs = {(x, y) for x in chunk_of for y in chunk_of if chunk_of[x] != chunk_of[y]}
    for way in reconstructions(joint):
        for record in way[0]:
            pairs -= {(x, y) for x, y in pairs if x in record and y not in record}
    return pairs
