"""What a policy of codes lists: combinations that identify in a population, and codes that make up a disease."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np

from sharewell.codes.data import CodeSets, Sets
from sharewell.codes.engine.code_tree import CodeHierarchy, chains_of
from sharewell.codes.engine.combinations import beginnings
from sharewell.errors import DataError, PolicyError

Mode = Literal["all", "visit", "m"]
MOST_LISTED = 5_000_000
"""Occurrences of combinations beyond which a policy is of no use to anyone."""
_FROM_TOP = {"category": -4, "block": -3, "chapter": -2}


def identifying(population: CodeSets, k: int, mode: Mode, m: int) -> tuple[tuple[str, ...], ...]:
    """Combinations that somebody in the population has, and fewer than k have; only the largest, their parts follow.

    Whatever an attacker knows of a person is a part of one of them, or a combination that k or more have. With m codes,
    each person with m or more gives all combinations of m; a person with fewer gives one of all their codes.
    """
    if mode not in ("all", "visit", "m"):
        raise ValueError("mode must be all, visit or m")
    if k < 1:
        raise ValueError("k must be 1 or more")
    if mode == "visit" and population.visits is None:
        raise DataError("population — has no visits — name its visit column, or use the mode all or m")
    sets = population.visits.sets if mode == "visit" and population.visits is not None else population.sets
    if mode == "m":
        if m < 1:
            raise ValueError("m must be 1 or more")
        occurring = sum(math.comb(int(n), min(int(n), m)) for n in sets.lengths)
        if occurring > MOST_LISTED:
            raise DataError(f"population — {occurring} combinations of {m} codes are too many for a list — lower m")
        parts = (itertools.combinations(row, min(len(row), m)) for row in sets.tuples() if row)
        rare = {itemset for itemset, times in Counter(itertools.chain.from_iterable(parts)).items() if times < k}
        # A person with fewer than m codes is also counted in those who have more.
        rare = {itemset for itemset in rare if len(itemset) == m or _support(population, itemset) < k}
    else:
        rare = {itemset for itemset in sets.tuples() if itemset and _support(population, itemset) < k}
    names = population.names
    return tuple(sorted(tuple(sorted(names[i] for i in itemset)) for itemset in _largest(rare)))


def _support(population: CodeSets, codes: tuple[int, ...]) -> int:
    return population.support(population.names[code] for code in codes)


def _largest(combinations: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Those that are no part of another."""
    ordered = sorted(combinations, key=lambda itemset: (-len(itemset), itemset))
    if len({len(itemset) for itemset in ordered}) < 2:
        return ordered
    universe = max(max(itemset) for itemset in ordered) + 1
    sets = Sets.of(ordered)
    by_code = sets.transposed(universe)
    return [itemset for place, itemset in enumerate(ordered) if int(np.min(sets.holding(itemset, by_code))) == place]


def utility_sets(
    codes: CodeSets | Iterable[str],
    level: int | str,
    diseases: Mapping[str, Iterable[str]] | None,
    hierarchy: CodeHierarchy | None,
) -> list[list[str]]:
    """The codes of each utility set; of the nodes of a level, those of one code are left out."""
    if isinstance(codes, CodeSets):
        hierarchy, names = hierarchy or codes.hierarchy, sorted(codes.names)
    else:
        names = sorted({str(code).strip() for code in codes} - {""})
    if diseases is None:
        of_code = {code: _node(code, level, hierarchy) for code in names}
    else:
        begins = [(name, beginnings(listed)) for name, listed in diseases.items()]
        of_code = {code: next((name for name, starts in begins if code.startswith(starts)), None) for code in names}
    groups: dict[str, list[str]] = {}
    for code, node in of_code.items():
        if node is not None:
            groups.setdefault(node, []).append(code)
    return [group for group in groups.values() if len(group) > 1 or diseases is not None]


def _node(code: str, level: int | str, hierarchy: CodeHierarchy | None) -> str | None:
    """What covers a code at a level; None if that is the root."""
    if hierarchy is None:
        if level != "category":
            raise PolicyError("utility-policy — a level other than category needs a hierarchy of the codes")
        return code.partition(".")[0] if "." in code else code[:3]
    chain = chains_of([code], hierarchy)[0][0]
    if isinstance(level, int):
        if level < 0:
            raise ValueError("level must be category, block, chapter or a number of steps, 0 or more")
        step = min(level, len(chain) - 1)
        return None if step == len(chain) - 1 else str(chain[step])
    if level not in _FROM_TOP:
        raise ValueError("level must be category, block, chapter or a number of steps")
    return str(chain[_FROM_TOP[level]]) if len(chain) >= -_FROM_TOP[level] else None
