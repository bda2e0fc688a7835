"""Composition: what each table promises holds in its classes, divided by all other tables of the same people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from benchmarks.truth.composition import CompositionCases, evidence, opened

from sharewell import tables as t
from sharewell.io.sources import Source
from sharewell.protocols import PublishedDataset
from sharewell.tables import KAnonymity, LDiversity, Table
from sharewell.tables.criteria.composition import CompositionRule, LinkedTable, PeopleEvidence, judge_composition

USUAL = (KAnonymity(2), LDiversity(2))
FRESH = ("gout", "flu", "asthma", "ulcer")


def table(ages: list[str], illnesses: Sequence[str | None], **more: Any) -> Table:
    frame = pa.table({"age": ages, "illness": pa.array(illnesses, pa.string())})
    return Table.of(frame, quasi=["age"], sensitive=["illness"], published=True, **more)


def linked(title: str, data: Table, persons: Sequence[str | None] | None = None, file: str = "one") -> LinkedTable:
    names = None if persons is None else pa.array(persons, pa.string())
    file = "" if persons is not None else file
    return LinkedTable(title, data, PeopleEvidence("who" if persons else "", file, names, np.arange(data.rows)))


def judged(*tables: LinkedTable, must: Any = USUAL) -> Any:
    return judge_composition(tables, {one.title: must for one in tables})


def test_no_answer_is_safe_where_an_enumeration_of_all_worlds_finds_less_doubt(cases: Callable[[int], int]) -> None:
    worlds = cases(10_000)
    kind, rng = CompositionCases(), np.random.default_rng(11)
    safe = divided = 0
    for _ in range(worlds):
        case = kind.draw(rng)
        if kind.answer(case).safe:
            safe += 1
            divided += any(one.k > 1 or one.l > 1 for one in case.tables)
            assert kind.is_safe(case, case.tables), case
    assert safe > worlds // 10
    assert divided > worlds // 20


def test_the_oracle_contradicts_who_calls_everything_safe() -> None:
    assert CompositionCases().chunk(100, (11, 0), protected=False).false_safe > 50


def test_the_intersection_attack_of_ganta_and_others_is_refused() -> None:
    """Two hospitals publish a class of people with different illnesses each; one patient went to both."""
    first = linked("first", table(["[20-29]"] * 3, ["flu", "asthma", "gout"]), ["a", "b", "t"])
    second = linked("second", table(["[24-40]"] * 3, ["gout", "angina", "ulcer"]), ["t", "c", "d"])
    found = judged(first, second, must=[KAnonymity(3), LDiversity(3)])
    assert found.ok is False
    assert found.details.smallest == 1
    assert "l-diversity of first fails" in found.note


def test_people_who_are_in_one_table_only_disclose_nobody() -> None:
    first = linked("first", table(["[20-29]"] * 2, ["flu", "asthma"]), ["a", "b"])
    second = linked("second", table(["[20-29]"] * 2, ["gout", "angina"]), ["c", "d"])
    assert judged(first, second).ok is None  # or they are the same people under other names
    assert judged(*(replace(one, same_identifiers=True) for one in (first, second))).ok is True


def test_one_newcomer_to_a_class_is_found_by_the_difference() -> None:
    before = linked("before", table(["[20-29]"] * 2, ["flu", "gout"]), ["a", "b"])
    after = linked("after", table(["[20-29]"] * 3, ["flu", "gout", "hiv"]), ["a", "b", "c"])
    assert judged(before, after).ok is False
    after = linked("after", table(["[20-29]"] * 4, ["flu", "gout", "hiv", "flu"]), ["a", "b", "c", "d"])
    assert judged(before, after).ok is True


def test_one_person_who_left_is_found_by_the_difference() -> None:
    before = linked("before", table(["[20-29]"] * 3, ["flu", "gout", "hiv"]), ["a", "b", "c"])
    after = linked("after", table(["[20-29]"] * 2, ["flu", "gout"]), ["a", "b"])
    assert judged(before, after).ok is False


def test_a_value_known_not_to_have_changed_leaves_those_alone_whose_value_has_not() -> None:
    """Both are in the same classes; only one has the same illness in both years."""
    before = linked("before", table(["[20-29]"] * 2, ["gout", "flu"]), ["t", "q"])
    after = linked("after", table(["[30-39]"] * 2, ["gout", "asthma"]), ["t", "q"])
    assert judged(before, after, must=[LDiversity(2)]).ok is False
    after = linked("after", table(["[30-39]"] * 2, ["gout", None]), ["t", "q"])
    assert judged(before, after, must=[KAnonymity(2)]).ok is True


def test_records_of_one_file_are_compared_one_by_one() -> None:
    """A person with two records is in two classes of each table; both tables show the same cells."""
    ages, illnesses = ["[20-29]", "[30-39]", "[20-29]", "[30-39]"], list(FRESH)
    frame = pa.table({"age": ages, "illness": illnesses, "who": ["a", "a", "b", "c"]})
    data = Table.of(frame, quasi=["age"], sensitive=["illness"], subject="who", published=True)
    assert judged(linked("one", data), linked("two", data)).ok is True
    persons = ["a", "a", "b", "c"]
    assert judged(linked("one", data, persons), linked("two", data, persons)).ok is False, "a alone is in both classes"


def test_three_tables_tell_more_than_each_two() -> None:
    cells = [["x", "x", "y", "y"] * 2, ["x", "y"] * 4, ["x"] * 4 + ["y"] * 4]
    tables = [linked(str(i), table(one, list(FRESH) * 2)) for i, one in enumerate(cells)]
    for pair in ((0, 1), (0, 2), (1, 2)):
        assert judged(*(tables[i] for i in pair), must=[KAnonymity(2)]).ok is True
    assert judged(*tables, must=[KAnonymity(2)]).ok is False


@pytest.mark.parametrize(
    ("second", "why"),
    [
        ({"people": None}, "internal/ folder"),
        ({"people": PeopleEvidence("other", "", pa.array(["a", "b"]), np.arange(2))}, "same column"),
        ({"people": PeopleEvidence("who", "", pa.array(["a", None]), np.arange(2))}, "lack their person"),
        ({"files": frozenset({0}), "people": PeopleEvidence("who", "", pa.array(["x", "y"]), np.arange(2))}, "copies"),
    ],
    ids=["no evidence", "named otherwise", "records of nobody", "a copy with other names"],
)
def test_whoever_cannot_be_compared_is_undecided(second: dict[str, Any], why: str) -> None:
    first = replace(linked("first", table(["[20-29]"] * 2, ["flu", "gout"]), ["a", "b"]), files=frozenset({0}))
    other = replace(linked("second", first.data, ["a", "b"]), **second)
    found = judged(first, other)
    assert found.ok is None
    assert found.failed
    assert why in found.note


def test_a_criterion_about_a_register_is_undecided_in_parts_of_classes_and_holds_in_whole_ones() -> None:
    people = pa.table({"age": [str(20 + i % 10) for i in range(30)]})
    first = linked("first", table(["[20-29]"] * 4, list(FRESH)))
    second = linked("second", table(["[20-24]"] * 2 + ["[25-29]"] * 2, list(FRESH)))
    must = [t.KMap(people, 2)]
    assert judged(first, second, must=must).ok is None
    assert judged(first, linked("second", first.data), must=must).ok is True


def dataset(name: str, data: Table, criteria: tuple[Any, ...], **columns: Any) -> PublishedDataset:
    return PublishedDataset(name, data, Source(), "tables", criteria, frozenset({0}), columns=columns)


def test_tables_that_promise_nothing_of_their_classes_are_not_its_business() -> None:
    data = table(["[20-29]"] * 2, ["flu", "gout"])
    rule = t.LimitedDataSetRule({"age": "age", "illness": "other"})
    silent, asking = dataset("a", data, (rule,)), dataset("b", data, (KAnonymity(2),))
    assert CompositionRule().relevant([silent, replace(silent, name="c")]) == []
    assert CompositionRule().relevant([silent, asking]) == [silent, asking]


def test_a_pseudonym_in_two_tables_fails() -> None:
    frame = pa.table({"who": ["x1", "x2"], "age": ["[20-29]"] * 2, "illness": ["flu", "gout"]})
    data = Table.of(frame, quasi=["age"], sensitive=["illness"], subject="who", published=True)
    told = {"who": {"role": "subject"}}
    found = CompositionRule().check([dataset(name, data, (KAnonymity(2),), **told) for name in "ab"])
    assert (found.ok, found.value) == (False, 2)
    assert "2 pseudonym(s) are in a and in b" in found.note
    assert "x1" not in str(found.to_json())


def test_records_of_the_cases_are_read_as_the_package_reads_them() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        case = CompositionCases().draw(rng)
        for one in case.tables:
            data = opened(one, case.named)
            assert data.classes.count == len({row.cells for row in one.rows})
            assert len(evidence(one, case).records) == data.rows
