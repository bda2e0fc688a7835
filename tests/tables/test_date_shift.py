"""What shifted dates still tell, held against a brute force that tries every shift and every trail."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import PolicyError
from sharewell.protocols import Truth
from sharewell.tables import Table
from sharewell.tables.attacks.date_shift import WEEKDAYS, DateShift

DAY = datetime.date(2021, 3, 1)  # a Monday


def iso(days: int | None) -> str | None:
    return None if days is None else (DAY + datetime.timedelta(days)).isoformat()


def table(rows: list[dict[str, Any]], shift: list[str], published: bool = True) -> Table:
    names = ["who", "ward", *shift]
    frame = pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in names})
    return Table.of(frame, quasi=["ward"], shift=shift, subject="who", published=published)


STAYS = st.lists(
    st.tuples(
        st.sampled_from(["p", "q", "r", "s"]),
        st.sampled_from(["A", "B"]),
        st.integers(0, 20),
        st.one_of(st.none(), st.integers(0, 4)),
    ),
    min_size=1,
    max_size=8,
)
SHIFTS = st.fixed_dictionaries({who: st.integers(-9, 9).filter(bool) for who in "pqrs"})


@settings(max_examples=150, deadline=None)
@given(STAYS, SHIFTS, st.booleans(), st.booleans())
def test_it_counts_what_brute_force_counts(stays: list[Any], shifts: Any, by_class: bool, with_truth: bool) -> None:
    true = [{"who": w, "ward": a, "came": c, "left": None if d is None else c + d} for w, a, c, d in stays]
    moved = [
        row | {name: None if row[name] is None else row[name] + shifts[row["who"]] for name in ("came", "left")}
        for row in true
    ]
    written = [[row | {name: iso(row[name]) for name in ("came", "left")} for row in rows] for rows in (true, moved)]
    original, released = table(written[0], ["came", "left"], False), table(written[1], ["came", "left"])
    truth = Truth(original, np.arange(len(true))) if with_truth else None
    attack = DateShift({"came": 9, "left": 9}, trail="class" if by_class else "record")
    found = attack.mount(released, truth)
    trails: dict[Any, list[int]] = {}
    for i, row in enumerate(true):
        trails.setdefault((row["ward"], row["who"]) if by_class else i, []).append(i)
    possible, chances = [], {}
    for rows in trails.values():
        possible.append(len(shifts_left(rows, moved, true if with_truth else None)))
        who, mine = true[rows[0]]["who"], pattern(rows, moved)
        first = min(true[i]["came"] for i in rows)
        alike = [
            other
            for other in trails.values()
            if true[other[0]]["ward"] == true[rows[0]]["ward"]
            and pattern(other, moved) == mine
            and (not with_truth or 1 <= abs(min(moved[i]["came"] for i in other) - first) <= 9)
        ]
        own = sum(true[other[0]]["who"] == who for other in alike)
        chances[who] = max(chances.get(who, 0), own / len(alike))
    assert found.details.shifts.minimum == min(possible)
    assert found.details.shifts.maximum == max(possible)
    assert found.value == pytest.approx(sum(chances.values()) / len(chances))
    assert not found.details.times


def shifts_left(rows: list[int], moved: list[Any], true: list[Any] | None) -> list[int]:
    left = []
    for shift in range(-9, 10):
        fits = shift != 0
        for name in ("came", "left"):
            known = [row[name] for row in true or () if row[name] is not None]
            for day in (moved[i][name] for i in rows):
                if day is not None and true is not None:
                    fits &= min(known) <= day - shift <= max(known)
                    fits &= (day - shift) % 7 in {one % 7 for one in known}
        left += [shift] if fits else []
    return left


def pattern(rows: list[int], moved: list[Any]) -> list[Any]:
    first = min(moved[i]["came"] for i in rows)
    return sorted(
        (moved[i]["came"] - first, -1 if moved[i]["left"] is None else moved[i]["left"] - first) for i in rows
    )


def test_closed_days_leave_few_shifts() -> None:
    """Somebody who came on every weekday of a clinic that is open Monday to Friday moved by whole weeks."""
    week = table([{"who": "p", "ward": "A", "came": iso(i)} for i in range(5)], ["came"])
    found = DateShift({"came": 14}, trail="class", closed=["sat", "sun"]).mount(week)
    assert (found.details.shifts.minimum, found.details.shifts.maximum) == (4, 4)
    assert DateShift({"came": 6}, trail="class", closed=["sat", "sun"]).mount(week).details.shifts.maximum == 0


def test_times_of_day_make_trails_unique() -> None:
    rows = [{"who": f"p{i}", "ward": "A", "came": f"2020-01-0{1 + i % 2}T08:{i:02}:17"} for i in range(40)]
    told = DateShift().mount(table(rows, ["came"]))
    assert (told.value, told.details.alone, told.details.times) == (1.0, 40, True)
    days = [row | {"came": row["came"][:10]} for row in rows]
    hidden = DateShift().mount(table(days, ["came"]))
    assert (hidden.value, hidden.details.alone, hidden.details.times) == (pytest.approx(1 / 40), 0, False)


def test_columns_of_different_reach_are_not_compared() -> None:
    """They move by different shifts: what lies between them is no interval."""
    rows = [{"who": f"p{i}", "ward": "A", "born": iso(100 * i), "came": iso(i)} for i in range(6)]
    whole = table(rows, ["born", "came"])
    assert DateShift({"born": 9, "came": 9}).mount(whole).details.alone == 6
    assert DateShift({"born": 9, "came": 10}).mount(whole).details.alone == 0


@pytest.mark.parametrize("reach", [{"a": 3, "b": 5}, {"a": 5, "b": 3}])
def test_columns_of_every_reach_rule_candidates_out(reach: dict[str, int]) -> None:
    true = [{"who": "p", "ward": "A", "a": iso(9), "b": iso(9)}, {"who": "r", "ward": "A", "a": iso(9), "b": iso(69)}]
    moved = [true[0] | {"a": iso(10), "b": iso(11)}, true[1] | {"a": iso(11), "b": iso(67)}]
    original, released = table(true, ["a", "b"], False), table(moved, ["a", "b"])
    assert DateShift(reach).mount(released, Truth(original, np.arange(2))).value == 1


DAYS = st.one_of(st.none(), st.integers(0, 12))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("pqr"), st.sampled_from("AB"), DAYS, DAYS, DAYS), min_size=1, max_size=8),
    st.fixed_dictionaries({who: st.tuples(*(st.integers(-n, n).filter(bool) for n in (2, 4, 6))) for who in "pqr"}),
)
def test_a_candidate_is_possible_in_the_columns_of_every_reach(stays: list[Any], shifts: Any) -> None:
    """With one date for each reach there are no intervals: candidates of a class lie near enough in all columns."""
    names, reach = ["a", "b", "c"], (2, 4, 6)
    true = [dict(zip(["who", "ward", *names], stay, strict=True)) for stay in stays]
    days = [[row[name] for name in names] for row in true]
    moved = [
        [None if day is None else day + by for day, by in zip(row, shifts[stay[0]], strict=True)]
        for row, stay in zip(days, stays, strict=True)
    ]
    tables = [
        [row | dict(zip(names, map(iso, values), strict=True)) for row, values in zip(true, which, strict=True)]
        for which in (days, moved)
    ]
    original, released = table(tables[0], names, False), table(tables[1], names)
    attack = DateShift(dict(zip(names, reach, strict=True)))
    found = attack.mount(released, Truth(original, np.arange(len(true))))
    chances: dict[str, float] = {}
    for i, (who, ward, *known) in enumerate(stays):
        fitting = [
            j
            for j, other in enumerate(stays)
            if other[1] == ward
            and all(
                day is shown is None or (day is not None and shown is not None and 1 <= abs(day - shown) <= most)
                for day, shown, most in zip(known, moved[j], reach, strict=True)
            )
        ]
        assert i in fitting
        chances[who] = max(chances.get(who, 0), sum(stays[j][0] == who for j in fitting) / len(fitting))
    assert found.value == pytest.approx(sum(chances.values()) / len(chances))
    assert found.note == ""


def test_too_many_candidates_are_judged_by_the_worst_reach(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [{"who": f"p{i}", "ward": "A", "a": iso(0), "b": iso(100 * (i % 2))} for i in range(8)]
    moved = [row | {"a": iso(1), "b": iso(100 * (i % 2) + 2)} for i, row in enumerate(rows)]
    original, released = table(rows, ["a", "b"], False), table(moved, ["a", "b"])
    truth, attack = Truth(original, np.arange(8)), DateShift({"a": 3, "b": 5})
    exact = attack.mount(released, truth)
    monkeypatch.setattr("sharewell.tables.engine.attackers.shifted_dates.PAIRS", 10)
    found = attack.mount(released, truth)
    assert (exact.value, exact.note, found.value) == (1 / 4, "", 1 / 4)
    assert found.note == "6 of 8 trails: worst of the columns with one limit each"


def test_arrow_dates_and_missing_ones() -> None:
    frame = pa.table({"who": ["p", "q"], "ward": ["A", "A"], "came": [DAY, None]})
    found = DateShift().mount(Table.of(frame, quasi=["ward"], shift=["came"], subject="who", published=True))
    assert (found.details.persons, found.details.shifts.maximum) == (2, 364)
    stamped = frame.set_column(2, "came", pa.array([datetime.datetime(2021, 1, 1, 8, 30), None]))
    found = DateShift().mount(Table.of(stamped, quasi=["ward"], shift=["came"], subject="who", published=True))
    assert found.details.times


def test_what_cannot_be_read_is_undecided() -> None:
    rows = [{"who": "p", "ward": "A", "came": "01/02/2019"}]
    found = DateShift().mount(table(rows, ["came"]))
    assert found.value is None
    assert "undecided" in found.note
    with pytest.raises(PolicyError, match="no column of the role shift"):
        DateShift().mount(table(rows, []))


@pytest.mark.parametrize(
    "wrong",
    [{"columns": {"x": 0}}, {"window": ["2020-01-01"]}, {"window": ["a", "b"]}, {"closed": ["noday"]}, {"trail": "x"}],
)
def test_mistakes_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"columns|window|weekdays|trail"):
        DateShift(**wrong)
    assert len(WEEKDAYS) == 7


def test_of_very_many_records_whole_classes_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sharewell.tables.attacks.date_shift.MOST", 10)
    rows = [{"who": f"p{i}", "ward": str(i % 7), "came": iso(i)} for i in range(70)]
    found = DateShift().mount(table(rows, ["came"]))
    assert found.note.endswith("examined 20 of 70 records, all of drawn classes")
    assert found.value == pytest.approx(1 / 10)
