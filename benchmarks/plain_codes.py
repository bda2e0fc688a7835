"""What the codes wing does, written with dictionaries and sets in a few lines, to be compared with on small data."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

Record = frozenset[str]


def least_support(records: Sequence[Record], m: int) -> int:
    """The support of the rarest combination of at most m codes."""
    found = Counter(one for size in range(1, m + 1) for row in records for one in itertools.combinations(row, size))
    return min(found.values())


def support_of_all(records: Sequence[Record]) -> list[int]:
    """For each record, how many hold all of its codes."""
    holders: dict[str, set[int]] = {}
    for row, codes in enumerate(records):
        for code in codes:
            holders.setdefault(code, set()).add(row)
    return [len(set.intersection(*(holders[code] for code in codes))) if codes else len(records) for codes in records]


def ugaclip(records: Sequence[Record], itemsets: Sequence[Sequence[str]], k: int) -> dict[str, frozenset[str]]:
    """UGACLIP without a utility policy, judged loosely: each code's label."""
    label = {code: frozenset([code]) for row in records for code in row}
    known = [[code for code in one if code in label] for one in itemsets]
    todo = [one for one, given in zip(known, itemsets, strict=True) if one and len(one) == len(given)]

    def rows(*labels: frozenset[str]) -> int:
        return sum(all(row & one for one in labels) for row in records)

    def unmet() -> list[tuple[int, int]]:
        shown = [(rows(*{label[code] for code in one}), place) for place, one in enumerate(todo)]
        return [(-support, place) for support, place in shown if 0 < support < k]

    while waiting := unmet():
        one = todo[min(waiting)[1]]
        while 0 < rows(*(labels := {label[code] for code in one})) < k:
            rarest = min(labels, key=lambda group: (rows(group), min(group)))

            costs = []
            for other in set(label.values()) - {rarest}:
                merged = rarest | other
                shown = rows(*{merged if group in (rarest, other) else group for group in labels})
                costs.append(((2 ** len(merged) - 1) * rows(merged), -shown, other in labels, min(other), merged))
            label |= dict.fromkeys(min(costs)[-1], min(costs)[-1])
    return label
