"""(k, k^m)-anonymity by definition: loops over classes and combinations, nothing shared with the package."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence

Label = frozenset[str]
Record = tuple[tuple[str, ...], Sequence[Label]]
"""The quasi cells as text, and for each label the codes it may stand for."""


def least(records: Sequence[Record], m: int) -> int | None:
    """The fewest persons of a class, or support above 0 of at most m codes inside one."""
    reached = []
    for cells in {record[0] for record in records}:
        inside = [labels for own, labels in records if own == cells]
        reached.append(len(inside))
        codes = sorted({code for labels in inside for label in labels for code in label})
        for size in range(1, m + 1):
            for some in itertools.combinations(codes, size):
                support = sum(all(any(code in label for label in labels) for code in some) for labels in inside)
                reached += [support] if support else []
    return min(reached, default=None)


Joined = tuple[tuple[str, ...], Sequence[Label], Sequence[frozenset[str]]]
"""The same, and for each place of the DNA the values that its cell may stand for."""


def least_joined(records: Sequence[Joined], m: int, snps: int) -> int | None:
    """The fewest records of a class that hold at most m codes and show the same cells at at most `snps` places."""
    reached: list[int] = []
    for cells in {record[0] for record in records}:
        inside = [record for record in records if record[0] == cells]
        codes = sorted({code for _, labels, _ in inside for label in labels for code in label})
        places = range(len(inside[0][2]))
        for size in range(m + 1):
            for some in itertools.combinations(codes, size):
                fit = [one for one in inside if all(any(code in label for label in one[1]) for code in some)]
                for number in range(snps + 1):
                    for where in itertools.combinations(places, number):
                        reached += Counter(tuple(one[2][place] for place in where) for one in fit).values()
    return min(reached, default=None)


def least_covering(records: Sequence[Joined], m: int, snps: int) -> int | None:
    """The fewest records that fit a class, at most m codes and at most `snps` values, if a cell counts for all of its
    values: never less than what `least_joined` counts."""
    reached = []
    for cells in {record[0] for record in records}:
        inside = [record for record in records if record[0] == cells]
        codes = sorted({code for _, labels, _ in inside for label in labels for code in label})
        places = range(len(inside[0][2]))
        for size in range(m + 1):
            for some in itertools.combinations(codes, size):
                fit = [one for one in inside if all(any(code in label for label in one[1]) for code in some)]
                for number in range(snps + 1):
                    for where in itertools.combinations(places, number):
                        known = [sorted({value for one in inside for value in one[2][place]}) for place in where]
                        for values in itertools.product(*known):
                            pairs = list(zip(where, values, strict=True))
                            support = sum(all(value in one[2][place] for place, value in pairs) for one in fit)
                            reached += [support] if support else []
    return min(reached, default=None)


def codes_loss(before: Sequence[Iterable[str]], after: Sequence[Sequence[Label]]) -> float:
    """0 for a code shown as itself, the share of all codes that its label covers, 1 for one that is not shown."""
    known = {code for codes in before for code in codes}
    total, lost = 0, 0.0
    for codes, labels in zip(before, after, strict=True):
        for code in codes:
            sizes = [len(label & known) for label in labels if code in label]
            total += 1
            lost += 1.0 if not sizes else 0.0 if min(sizes) == 1 else min(sizes) / len(known)
    return lost / total
