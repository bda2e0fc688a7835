"""Scores of records by known codes, added up record by record."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.codes import CodeSets
from sharewell.codes.engine.attackers.scoreboard import Scoreboard
from sharewell.protocols import Truth

CODES = list("abcdefg")
records = st.lists(st.sets(st.sampled_from(CODES), min_size=1, max_size=5), min_size=1, max_size=10)


@settings(max_examples=100, deadline=None)
@given(records, st.lists(st.sampled_from(CODES), min_size=1, max_size=4, unique=True), st.booleans())
def test_scores_are_sums_of_weights(rows: Any, known: list[str], grouped: bool) -> None:
    """1 / ln(1 + support) for each known code that a label of the record covers."""
    labels = {"a": "(a,b)", "b": "(a,b)"} if grouped else {}
    shown = [{labels.get(code, code) for code in row} for row in rows]
    data = CodeSets.of([sorted(row) for row in shown], published=True)
    found = dict(zip(*(part.tolist() for part in Scoreboard.of(data, None, 1.0).scores(known, 0)), strict=True))
    holds = [[code for code in known if labels.get(code, code) in row] for row in shown]
    support = {code: sum(code in one for one in holds) for code in known}
    for row, held in enumerate(holds):
        assert found.get(row, 0.0) == pytest.approx(sum(1 / math.log(1 + support[code]) for code in held), abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.sets(st.sampled_from("abc"), min_size=1), min_size=1, max_size=3), min_size=1, max_size=6))
def test_codes_count_more_where_they_are_remembered(rows: Any) -> None:
    """Once for being there, and e^(−gap) for the place of the first visit that has the code."""
    data = CodeSets.of_visits([[sorted(visit) for visit in visits] for visits in rows])
    board = Scoreboard.of(data, Truth(data, np.arange(data.records)), off=1.0)
    known = sorted(set().union(*rows[0]))
    first = [{c: min(i for i, v in enumerate(vs) if c in v) for c in set().union(*vs)} for vs in rows]
    support = {c: sum(c in one for one in first) for c in known}
    found = dict(zip(*(part.tolist() for part in board.scores(known, 0)), strict=True))
    for row, when in enumerate(first):
        wanted = sum((1 + math.exp(-abs(when[c] - first[0][c]))) / math.log(1 + support[c]) for c in known if c in when)
        assert found.get(row, 0.0) == pytest.approx(wanted, abs=1e-8)
