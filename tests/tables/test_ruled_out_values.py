"""What is left of the values of a class: members of originals, and everybody whom published cells cover."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from test_original_rules import ROWS, Row, excluded_by_hand, table_of

from sharewell.tables import DiversityUnderRules
from sharewell.tables.engine.checks import ruled_out_values
from sharewell.tables.engine.original_rules import RuleThresholds


@settings(max_examples=100, deadline=None)
@given(ROWS, st.integers(1, 3), st.integers(1, 40))
def test_originals_have_the_profiles_of_their_members(rows: list[Row], parts: int, chunk: int) -> None:
    """Any partition, as a mechanism asks about it; in pieces of any size."""
    table = table_of(rows)
    originals = table.arrow.append_column("who", pa.array([row[3] for row in rows]))
    criterion = DiversityUnderRules(originals, l=2, expected=1, subject="who")
    excluded = excluded_by_hand(rows, RuleThresholds(1), 2)
    owner = np.arange(len(rows)) % parts
    order = np.argsort(owner, kind="stable")
    starts = np.append(0, np.cumsum(np.bincount(owner)))
    classes = table.as_classes(order, starts)
    before, ruled_out_values._CHUNK = ruled_out_values._CHUNK, chunk
    try:
        worst, holds = criterion.worst(classes), criterion.holds(classes)
    finally:
        ruled_out_values._CHUNK = before
    for part in range(classes.count):
        members = [row for row, at in zip(rows, owner, strict=True) if at == part]
        least = Fraction(10**6)
        for out in [set[str](), *(excluded[row[:2]] for row in members)]:
            for key in (3, None):
                whose = defaultdict(set)
                for i, row in enumerate(members):
                    whose[row[2]].add(i if key is None else row[key])
                n = len(set().union(*whose.values()))
                x = sum(len(who) for value, who in whose.items() if value is None or value in out)
                left = [len(who) for value, who in whose.items() if value is not None and value not in out]
                if left or not out:
                    least = min(least, Fraction(max(max(left), n - x), max(left)) if left else Fraction(0))
        assert worst[part] == float(least)
        assert holds[part] == (least >= 2)
