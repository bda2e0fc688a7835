"""Trail k-anonymity: every knowledge of whole trails or of some rows, against plain enumeration."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trail_cases import Published, least, releases

from sharewell.errors import PolicyError
from sharewell.tables import Table, TrailKAnonymity
from sharewell.testing import check_criterion

# The classes of the paper's table 1b: Ashley twice; Bob once, Charlie five times; Diana and Edward twice; …
VISITS = [("Ashley", 1, 2), ("Bob", 2, 1), ("Charlie", 2, 5), ("Diana", 3, 2), ("Edward", 3, 2), ("Fred", 4, 1)]
VISITS += [("Greg", 4, 1), ("Harry", 4, 5)]


def visits(leaving_out: str = "") -> Table:
    rows = [(who, str(group)) for who, group, times in VISITS for _ in range(times) if who not in leaving_out.split()]
    frame = pa.table({"who": [who for who, _ in rows], "group": [group for _, group in rows]})
    return Table.of(frame, quasi=["group"], subject="who", published=True)


@settings(max_examples=2500, deadline=None)
@given(case=releases(), most=st.sampled_from([None, 1, 2, 3]))
def test_the_value_is_that_of_plain_enumeration(case: Published, most: int | None) -> None:
    finding = TrailKAnonymity(2, rows=most or "all").check(case.table)
    assert finding.value == least(case, most)
    assert (finding.ok is True) == ((finding.value or 0) >= 2)


def test_the_papers_classes() -> None:
    """The number of visits gives away Ashley, Bob, Charlie and Harry; Diana is like Edward, and Fred like Greg."""
    assert TrailKAnonymity(2).check(visits()).value == 1
    assert TrailKAnonymity(2).check(visits()).details.failing == 4
    assert TrailKAnonymity(2).check(visits("Ashley Bob Charlie Harry")).value == 2
    assert TrailKAnonymity(2, rows=1).check(visits()).value == 1
    assert TrailKAnonymity(2, rows=1).check(visits("Ashley")).value == 2
    assert TrailKAnonymity(2, rows=2).check(visits("Ashley")).value == 1


def test_it_keeps_the_contract() -> None:
    frame = pa.table({"who": ["canary p", "canary q"] * 2, "ward": ["canary A"] * 4, "came": ["2020-01-01"] * 4})
    for rows in ("all", 2):
        check_criterion(
            TrailKAnonymity(2, rows=rows),
            lambda f: Table.of(f, quasi=["ward"], subject="who", shift=["came"], published=True),
            frame,
        )


def test_intervals_and_dates_tell_persons_apart() -> None:
    """The same intervals at another time are not the same cells: who knows the dates rules out too great a shift."""
    frame = pa.table({"who": ["p", "p", "q", "q"], "came": ["2020-01-01", "2020-01-09", "2020-03-01", "2020-03-09"]})
    table = Table.of(frame, quasi=[], subject="who", shift=["came"], published=True)
    assert TrailKAnonymity(2).check(table).value == 1
    assert TrailKAnonymity(2, columns=[]).check(table).value == 2


def test_kept_dates_count_and_other_kept_values_do_not() -> None:
    frame = pa.table({"who": ["p", "q"], "born": ["1950-01-01", "1951-01-01"], "cost": ["1", "2"]})
    table = Table.of(frame, quasi=[], subject="who", keep=["born", "cost"], published=True)
    assert TrailKAnonymity(2).check(table).value == 1
    assert TrailKAnonymity(2, columns=["cost"]).check(table).value == 1
    assert TrailKAnonymity(2, columns=[]).check(table).value == 2
    with pytest.raises(PolicyError, match="no kept or shifted column 'who'"):
        TrailKAnonymity(2, columns=["who"]).check(table)


def test_too_many_sets_are_undecided() -> None:
    frame = pa.table({"who": ["p"] * 30 + ["q"] * 30, "ward": [str(i) for i in range(30)] * 2})
    finding = TrailKAnonymity(2, rows=4, steps=100).check(Table.of(frame, quasi=["ward"], subject="who"))
    assert finding.ok is None
    assert finding.failed
    assert "raise `steps`" in finding.note


def test_one_person_with_many_pieces_does_not_hide_another() -> None:
    """Four pseudonyms look alike, and three of them are one person's: a pick is that person's with probability 3/4."""
    case = Published((("p", 0, "A", None), ("p", 1, "A", None), ("p", 2, "A", None), ("q", 0, "A", None)))
    assert TrailKAnonymity(2).check(case.table).value == 1


def test_without_a_subject_every_row_is_a_trail() -> None:
    finding = TrailKAnonymity(2).check(Table.of(pa.table({"ward": ["A", "A"]}), quasi=["ward"]))
    assert (finding.value, finding.unit) == (2, "records")


def test_an_empty_table_is_undecided() -> None:
    empty = Table.of(pa.table({"who": pa.array([], pa.string()), "ward": pa.array([], pa.string())}), quasi=["ward"],
                     subject="who")  # fmt: skip
    assert TrailKAnonymity(1).check(empty).ok is None
    assert TrailKAnonymity(1, rows=2).check(empty).ok is None


def test_withheld_rows_show_how_many_rows_a_person_has() -> None:
    frame = pa.table({"who": ["p", "q", "q"], "ward": ["A", "A", "A"]})
    table = Table.of(frame, quasi=["ward"], subject="who", published=True)
    assert TrailKAnonymity(2).check(table).value == 1
    assert TrailKAnonymity(2).check(table.take(np.array([0, 1]))).value == 2
