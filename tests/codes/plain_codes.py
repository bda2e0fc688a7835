"""Published support and what builds on it, by definition: loops over records, nothing shared with the package."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

Label = frozenset[str]
Records = Sequence[Iterable[Label]]


def support(records: Records, codes: Iterable[str]) -> int:
    """Records in which every code lies in some label."""
    return sum(all(any(code in label for label in record) for code in codes) for record in records)


def universe(records: Records) -> list[str]:
    return sorted({code for record in records for label in record for code in label})


def combinations(codes: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    for size in range(1, most + 1):
        yield from itertools.combinations(codes, size)


def km_holds(records: Records, k: int, m: int) -> bool:
    return all(support(records, one) in (0, *range(k, len(records) + 1)) for one in combinations(universe(records), m))


def policy_holds(records: Records, itemsets: Iterable[Sequence[str]], k: int, strict: bool) -> bool:
    for itemset in itemsets:
        parts = combinations(sorted(set(itemset)), len(set(itemset))) if strict else [tuple(itemset)]
        if any(0 < support(records, part) < k for part in parts):
            return False
    return True


def complete_holds(records: Records, k: int) -> bool:
    shown = [frozenset(record) for record in records]
    return all(shown.count(one) >= k for one in shown)
