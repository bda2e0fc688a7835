"""Shares and averages are of persons: each counts once, by the worst of their classes, with a name or without."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import Infeasible
from sharewell.hierarchy import Intervals
from sharewell.tables import (
    JournalistRisk,
    MarketerRisk,
    OptimalRecoding,
    ProsecutorRisk,
    SampleUniqueness,
    Table,
    Uniqueness,
)

F = Fraction


def visits(who: list[str | None], q: list[Any]) -> tuple[pa.Table, Table]:
    frame = pa.table({"who": pa.array(who, pa.string()), "q": q})
    return frame, Table.of(frame, quasi=["q"], subject="who")


def frequent_visitors() -> tuple[pa.Table, Table]:
    """Four of ten persons are alone; the other six visit twenty times each, always together."""
    who = [f"a{i}" for i in range(4)] + [f"b{i}" for i in range(6) for _ in range(20)]
    return visits(list(who), [f"lone{i}" for i in range(4)] + [f"c{s}" for _ in range(6) for s in range(20)])


def test_frequent_visitors_do_not_hide_those_who_are_alone() -> None:
    frame, shown = frequent_visitors()
    alone = SampleUniqueness("1/20").check(shown)
    assert (alone.value, alone.ok) == (F(2, 5), False)
    assert ProsecutorRisk("1/5", share="1/20").check(shown).ok is False
    assert ProsecutorRisk("1/5", share="2/5").check(shown).ok is True
    assert JournalistRisk(frame, "1/5", share="1/20", subject="who").check(shown).ok is False
    assert JournalistRisk(frame, "1/5", share="2/5", subject="who").check(shown).ok is True
    market = MarketerRisk("1/5").check(shown)
    assert (market.value, market.ok) == (F(1, 2), False)


def test_the_attack_counts_a_person_once() -> None:
    _, shown = frequent_visitors()
    found = Uniqueness().mount(shown)
    assert (found.value, found.details.persons, found.details.in_sample) == (0.4, 10, 4)


def test_records_without_a_person_count_beside_a_named_one() -> None:
    _, shown = visits(["a0"] + [None] * 9 + [f"b{i}" for i in range(10)], ["A"] * 10 + ["B"] * 10)
    names = [f"a{i}" for i in range(10)] + [f"b{i}" for i in range(100)]
    listed = pa.table({"pid": names, "q": ["A"] * 10 + ["B"] * 100})
    market = MarketerRisk("1/50", population=listed, subject="pid").check(shown)
    assert (market.value, market.ok) == (F(11, 200), False)
    assert JournalistRisk(listed, "1/20", share="1/10", subject="pid").check(shown).ok is False
    assert JournalistRisk(listed, "1/20", share="1/2", subject="pid").check(shown).ok is True


def test_records_without_a_person_may_all_be_one_persons() -> None:
    """As persons of their own the nine would hide that one of four is alone."""
    _, shown = visits(["a", "b", "c", *[None] * 9], ["A", "B", "B", *["B"] * 9])
    assert SampleUniqueness("1/5").check(shown).value == F(1, 4)
    assert ProsecutorRisk("1/2", share="1/5").check(shown).ok is False


ASKED: list[Any] = [
    SampleUniqueness("1/5"),
    ProsecutorRisk("1/2", share="1/4"),
    ProsecutorRisk("1/3", share="1/10"),
    MarketerRisk("1/2"),
]
rows = st.lists(st.tuples(st.sampled_from(["p", "q", "r", "s", "t", None]), st.integers(0, 7)), min_size=1, max_size=14)


def worst_chances(given: list[tuple[str | None, int]], one: bool) -> list[Fraction]:
    """Of each person, by definition; records without a person are all one person's, or each another's."""
    n = {q: max(1, len({who for who, x in given if x == q and who is not None})) for _, q in given}
    chances: dict[Any, Fraction] = {}
    for i, (who, q) in enumerate(given):
        person = who if who is not None else ("nobody" if one else i)
        chances[person] = max(chances.get(person, F(0)), F(1, n[q]))
    return list(chances.values())


def holds(criterion: Any, chances: list[Fraction]) -> bool:
    if isinstance(criterion, MarketerRisk):
        return sum(chances) <= criterion.max * len(chances)
    if isinstance(criterion, SampleUniqueness):
        return chances.count(F(1)) <= criterion.max * len(chances)
    return sum(x > criterion.max for x in chances) <= criterion.share * len(chances)


@settings(deadline=None, max_examples=80)
@given(given=rows, criterion=st.sampled_from(ASKED))
def test_a_check_holds_iff_it_holds_in_both_readings(given: Any, criterion: Any) -> None:
    _, shown = visits([who for who, _ in given], [q for _, q in given])
    expected = all(holds(criterion, worst_chances(given, one)) for one in (True, False))
    assert criterion.check(shown).ok is expected


@settings(deadline=None, max_examples=60)
@given(given=rows, criterion=st.sampled_from(ASKED), suppress=st.sampled_from([0.0, 0.3, 0.7]))
def test_what_optimal_recoding_publishes_holds(given: Any, criterion: Any, suppress: float) -> None:
    frame, _ = visits([who for who, _ in given], [q for _, q in given])
    data = Table.of(frame, quasi=["q"], subject="who", hierarchies={"q": Intervals(width=2, levels=3)})
    try:
        made = OptimalRecoding(suppress=suppress).protect(data, [criterion])
    except Infeasible:
        return
    assert criterion.check(made.data).ok is True
    assert len(np.unique(made.rows)) == made.data.rows


def test_optimal_recoding_widens_until_few_enough_persons_are_alone() -> None:
    who = [f"a{i}" for i in range(4)] + [f"b{i}" for i in range(6) for _ in range(4)]
    frame, _ = visits(list(who), [0, 1, 2, 3] + [4 + s for _ in range(6) for s in range(4)])
    data = Table.of(frame, quasi=["q"], subject="who", hierarchies={"q": Intervals(width=2, levels=3)})
    asked = SampleUniqueness("1/5")
    made = OptimalRecoding().protect(data, [asked])
    assert asked.check(made.data).ok is True
    assert made.details.levels == {"q": 1}
    with pytest.raises(Infeasible):
        OptimalRecoding().protect(data, [MarketerRisk("1/20")])
