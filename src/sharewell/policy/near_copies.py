"""Files of a policy that are almost copies: a row less, other numbers for the persons, a column changed.

Copies are known as such (`copied_files`) and judged together. Of a file that merely resembles another nobody can say
whether its people are the same; but whoever has both releases can lay them side by side, so the steward hears of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pyarrow.compute as pc

from sharewell.policy.copied_files import CopiedFiles, persons_in
from sharewell.policy.model import Dataset, Policy
from sharewell.same_rows import rows_alike, rows_in

LEAST = 5
"""Fewer rows in common say nothing."""


def near_copies(policy: Policy) -> tuple[str, ...]:
    """A sentence for each two datasets of which one reads most rows of the other from another file."""
    return tuple(_sentences(policy, CopiedFiles.of(policy)))


def _sentences(policy: Policy, copied: CopiedFiles) -> Iterator[str]:
    seen: set[tuple[int, ...]] = set()
    for first, second in combinations(policy.datasets.values(), 2):
        labels = tuple(sorted({*copied.labels[first.name][:1], *copied.labels[second.name][:1]}))
        if len(labels) < 2 or labels in seen or not (first.read.path and second.read.path):
            continue
        seen.add(labels)
        rows = [rows_in(one.read) or 0 for one in (first, second)]
        if min(rows) < LEAST or _name_persons_alike(first, second):
            continue
        alike, columns = rows_alike(first.read, second.read)
        if len(columns) > 1 and alike >= max(LEAST, min(rows) / 2):
            yield (
                f"{first.name} and {second.name} read different files, but {alike} of {rows[1]} rows of "
                f"{second.read.label} are in {first.read.label} too, by {len(columns)} columns: they are probably the "
                "same people, and nobody judges what both datasets show of them — leave one out, or let both files "
                "call a person by the same name"
            )


def _name_persons_alike(first: Dataset, second: Dataset) -> bool:
    """Have they a person in common by name? Then they are known to be about the same people."""
    ours, theirs = persons_in(first, first.read), persons_in(second, second.read)
    return ours is not None and theirs is not None and bool(pc.any(pc.is_in(ours, value_set=pc.unique(theirs))).as_py())
