"""What a table states about its drawn columns, held against its own cells before a criterion relies on it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod

import numpy as np

from sharewell.tables.data import Column, Table

NOT_DRAWN = "the values were not drawn: they are what is true"
UNDECLARED = "cells hold values that were not declared, or none"
MORE_ROWS = "somebody has more records than the draws allow for"
GROUPS = "values are drawn within groups and the group is published: one record a person and one drawn column is needed"


@dataclass(frozen=True)
class Ratio:
    """What the draws of one person tell at most, where the published group has a given share of the records."""

    ratio: Fraction
    share: Fraction


@dataclass(frozen=True)
class RatioProfile:
    """What the ratio of randomised columns was worked out from."""

    columns: int
    groups: int
    rows_per_person: int
    largest_ratio: float


def stated_ratios(data: Table, column: str | None) -> tuple[list[Ratio], RatioProfile | None, str]:
    """(ratios by group, how they came about, "") or ([], None, what is wrong).

    Everything drawn of a person counts together, whichever column a criterion speaks of: another drawn column may hint
    at the same thing.
    """
    asked = [one for one in data.sensitive if column in (None, one.name)]
    drawn = [(one, one.drawn) for one in data.sensitive if one.drawn is not None]
    if not asked or any(one.drawn is None for one in asked):
        return [], None, NOT_DRAWN
    counts = [_counts(one) for one, _ in drawn]
    if any(set(seen) - set(how.group_of) for seen, (_, how) in zip(counts, drawn, strict=True)):
        return [], None, UNDECLARED
    rows = max(how.rows_per_person for _, how in drawn)
    if _most_rows(data) > min(how.rows_per_person for _, how in drawn):
        return [], None, MORE_ROWS
    groups = max(len(how.groups) for _, how in drawn)
    if groups == 1:
        ratio = prod((how.ratio(how.groups[0]) for _, how in drawn), start=Fraction(1))
        return [Ratio(ratio, Fraction(1))], RatioProfile(len(drawn), 1, rows, float(ratio)), ""
    if len(drawn) > 1 or rows > 1:
        return [], None, GROUPS
    (seen,), ((_, how),) = counts, drawn
    total = sum(seen.values())
    ratios = [
        Ratio(group.drawn.ratio, Fraction(size, total))
        for group, size in zip(how.groups, how.sizes(seen), strict=True)
        if size
    ]
    largest = max((float(one.ratio) for one in ratios), default=1.0)
    return ratios, RatioProfile(1, groups, rows, largest), ""


def _counts(column: Column) -> dict[str, int]:
    """Text → records that show it; a missing value is the empty text."""
    seen = np.bincount(column.codes, minlength=column.size)
    return {text: int(count) for text, count in zip(column.texts, seen, strict=True) if count}


def _most_rows(data: Table) -> int:
    """Records of the person who has most, where it is known whose they are."""
    if data.subject is None:
        return 1
    known = data.subject.codes[data.subject.codes < data.subject.known]
    return int(np.bincount(known).max(initial=1))
