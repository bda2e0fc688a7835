"""Trail grouping: whole persons, the same rows for all of a group, and the paper's nineteen visits."""

from __future__ import annotations

import datetime
from collections import Counter
from itertools import permutations
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_multi_record_partitioning import FRAME, TABLE

from sharewell.errors import Infeasible, PolicyError
from sharewell.tables import (
    GBalance,
    HAffiliation,
    KAnonymity,
    LDiversity,
    Table,
    TrailBreaking,
    TrailGrouping,
    TrailKAnonymity,
)
from sharewell.testing import check_mechanism

ROLES: dict[str, Any] = {"quasi": ["age", "ward"], "subject": "who", "sensitive": ["ill"], "shift": ["came"]}
names = st.sampled_from([*"abcdefgh", None])
dates = st.sampled_from([None, *(datetime.date(2021, 1, 1) + datetime.timedelta(days=d) for d in (0, 3, 40, 41, 300))])
visits = st.tuples(names, st.integers(20, 26), st.sampled_from("AB"), st.sampled_from(["flu", "asthma"]), dates)


def opened(rows: list[tuple[Any, ...]]) -> Table:
    kinds = [pa.string(), pa.int64(), pa.string(), pa.string(), pa.date32()]
    columns = [pa.array([row[i] for row in rows], kind) for i, kind in enumerate(kinds)]
    return Table.of(pa.table(dict(zip(("who", "age", "ward", "ill", "came"), columns, strict=True))), **ROLES)


def covers(cell: str, value: str) -> bool:
    if cell.startswith("["):
        low, high = cell[1:-1].split("-")
        return int(low) <= int(value) <= int(high)
    return value in cell[1:-1].split(",") if cell.startswith("{") else cell in (value, "*")


def candidates(original: Table, released: Any, person: str) -> int:
    """Persons with a pseudonym whose rows may be those of one of the person's pseudonyms, by true values."""
    shown, truth = released.data.arrow.to_pydict(), original.arrow.to_pydict()
    who, piece = released.data.subject.arrow.to_pylist(), released.data.trails.piece.tolist()
    trails: dict[Any, list[int]] = {}
    for row in range(released.data.rows):
        trails.setdefault((who[row], piece[row]), []).append(row)
    least = len(trails)
    for (owner, _), own in trails.items():
        if owner != person:
            continue
        true = [(str(truth["age"][released.rows[r]]), truth["ward"][released.rows[r]]) for r in own]
        fitting = []
        for (other, _), rows in trails.items():
            same_dates = Counter(str(shown["came"][r]) for r in rows) == Counter(str(shown["came"][r]) for r in own)
            if len(rows) == len(own) and same_dates and any(
                all(covers(shown["age"][r], age) and covers(shown["ward"][r], ward)
                    for r, (age, ward) in zip(rows, order, strict=True))
                for order in permutations(true)
            ):  # fmt: skip
                fitting.append(other)
        least = min(least, len(fitting) // max(Counter(fitting).values()))
    return least


@settings(max_examples=300, deadline=None)
@given(
    rows=st.lists(visits, min_size=1, max_size=14),
    k=st.integers(1, 3),
    mechanism=st.sampled_from(
        [
            TrailGrouping(suppress=1.0),
            TrailGrouping("day", suppress=1.0),
            TrailGrouping("month", suppress=1.0),
            TrailBreaking(suppress=1.0),
            TrailBreaking("multi-record-partitioning", {"keep_person_together": True}, "trails", "week", 1.0),
        ]
    ),
    more=st.sampled_from([(), (KAnonymity(2),), (HAffiliation("3/4"),), (LDiversity(2),), (GBalance("1/2"),)]),
)
def test_no_knowledge_of_rows_leaves_fewer_than_k(rows: Any, k: int, mechanism: Any, more: Any) -> None:
    table = opened(rows)
    must = [TrailKAnonymity(k), *more]
    try:
        released = mechanism.protect(table, must)
    except Infeasible:
        return
    assert all(one.check(released.data).ok for one in must)
    for m in (1, 2, 3):
        assert TrailKAnonymity(k, rows=m).check(released.data).ok
    persons = set(released.data.subject.arrow.to_pylist()) - {None}
    assert all(candidates(table, released, person) >= k for person in persons)


@pytest.mark.parametrize("mechanism", [TrailGrouping(suppress=0.9), TrailBreaking(suppress=0.9)])
def test_it_keeps_the_contract(mechanism: Any) -> None:
    frame = pa.table(
        {
            "who": [f"canary {i // 3}" for i in range(36)],
            "age": [30 + i // 3 for i in range(36)],
            "ward": [["canary north", "canary south"][i % 2] for i in range(36)],
            "ill": [["canary flu", "canary hiv"][i // 2 % 2] for i in range(36)],
        }
    )
    roles = {**ROLES, "shift": []}
    check_mechanism(mechanism, lambda f: Table.of(f, **roles), frame, [TrailKAnonymity(3), KAnonymity(3)])


def test_the_papers_nineteen_visits() -> None:
    """Who came as often goes together: Bob with Fred and Greg, Ashley with Diana and Edward, Charlie with Harry."""
    must = [TrailKAnonymity(2), GBalance("1/2"), HAffiliation("0.7")]
    released = TrailGrouping(suppress=0.0).protect(TABLE, must)
    assert released.data.rows == FRAME.num_rows
    assert released.details.suppressed_records == 0
    assert all(one.check(released.data).ok for one in must)
    shown = zip(
        released.data.arrow["age"].to_pylist(), FRAME["who"].take(pa.array(released.rows)).to_pylist(), strict=True
    )
    ages: dict[str, set[str]] = {}
    for age, who in shown:
        ages.setdefault(who, set()).add(age)
    alike = {frozenset(who for who in ages if ages[who] == ages[other]) for other in ages}
    assert alike == {frozenset(some.split()) for some in ("Bob Fred Greg", "Ashley Diana Edward", "Charlie Harry")}


def test_dates_of_a_group_are_the_same_to_the_day() -> None:
    day = datetime.date.fromisoformat
    rows = [("a", 20, "A", "flu", day("2021-01-01")), ("a", 20, "A", "flu", day("2021-01-11"))]
    rows += [("b", 20, "A", "flu", day("2021-01-03")), ("b", 20, "A", "flu", day("2021-01-18"))]
    released = TrailGrouping().protect(opened(rows), [TrailKAnonymity(2)])
    assert [str(one) for one in released.data.arrow["came"].to_pylist()] == ["2021-01-02", "2021-01-12"] * 2
    assert released.details.days_off == {"came": 5}
    assert released.details.dictionary["came"] == {
        "intervals": "from the first date of a pseudonym, up to 365 days too short"
    }
    exact = TrailGrouping("day").protect(opened(rows), [TrailKAnonymity(2)])
    assert exact.data.arrow["came"].to_pylist()[1] is None
    assert exact.details.dates_withheld == {"came": 2}


def test_what_cannot_be_is_refused() -> None:
    alone = opened([("a", 20, "A", "flu", None)])
    with pytest.raises(Infeasible, match="not even all 1 persons as one group"):
        TrailGrouping().protect(alone, [TrailKAnonymity(2)])
    nobody = Table.of(pa.table({"age": [1, 1]}), quasi=["age"])
    with pytest.raises(PolicyError, match="no column identifies the person of a record"):
        TrailGrouping().protect(nobody, [TrailKAnonymity(2)])
    text = Table.of(
        pa.table({"who": ["a"], "came": ["2020-01-01"], "note": ["x"]}), quasi=[], subject="who", shift=["came"],
        text=["note"],
    )  # fmt: skip
    with pytest.raises(PolicyError, match="dates in a text column would not move with them"):
        TrailGrouping().protect(text, [TrailKAnonymity(1)])
    unlike = Table.of(
        pa.table({"who": ["a", "b"], "born": ["1950-01-01", "1951-01-01"]}), quasi=[], subject="who", keep=["born"]
    )
    with pytest.raises(Infeasible, match="drop a quasi column, or a kept one of dates"):
        TrailGrouping().protect(unlike, [TrailKAnonymity(2)])


def test_more_persons_than_allowed_may_not_lose_records() -> None:
    rows = [("a", 20, "A", "flu", None)] + [("b", 20, "A", "flu", None)] * 2
    with pytest.raises(Infeasible, match="1 of 2 persons would lose records, and at most 0 may"):
        TrailGrouping(suppress=0.0).protect(opened(rows), [TrailKAnonymity(2)])
    assert TrailGrouping(suppress=0.5).protect(opened(rows), [TrailKAnonymity(2)]).data.rows == 2
