"""Attackers who know true values, held against published cells that overlap: every share from its definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.codes import CodeSets
from sharewell.codes.wing import CodesWing
from sharewell.findings import Finding
from sharewell.joint.criteria.joined_inference import JoinedInference
from sharewell.joint.engine import covering_facts
from sharewell.joint.engine.joined_records import JoinedRecords
from sharewell.joint.engine.protection.fact_suppression import LargestShare, facts_to_leave_out
from sharewell.protocols import PersonFacts
from sharewell.roles import Role, Schema
from sharewell.tables.data import Table
from sharewell.tables.engine.shown_cells import person_facts

Span = tuple[int, int]
Row = tuple[frozenset[str], Span]
"""A type, of which a set is published, and a year, of which a range is."""
TYPES, YEARS, CODES = "MZC", range(3), "xyz"
ILLNESSES = ("hiv", "flu", "gout", "acne")
MODES = ((1, 0), (0, 1), (2, 0), (0, 2), (1, 1), (2, 1))
"""Rows and codes that are known."""
HALVES = [year / 2 for year in range(2 * len(YEARS))]
"""Years, and moments between them: cells do not say that nothing is there."""


@dataclass(frozen=True)
class Person:
    age: Span
    illness: str
    rows: tuple[Row, ...]
    labels: frozenset[frozenset[str]]


@dataclass(frozen=True)
class World:
    people: tuple[Person, ...]
    rows: int
    """How many are known."""
    codes: int
    at_most: int | None = None

    @property
    def knows(self) -> dict[str, Any]:
        return {"patients": ["age"], "visits": self.rows, "codes": self.codes}

    def facts(self) -> dict[str, PersonFacts]:
        names = [f"p{i}" for i in range(len(self.people))]
        rows = [(name, row) for name, one in zip(names, self.people, strict=True) for row in one.rows]
        patients = {
            "id": names,
            "age": [_range(one.age) for one in self.people],
            "dx": [one.illness for one in self.people],
        }
        visits = {
            "id": [name for name, _ in rows],
            "type": [_set(row[0]) for _, row in rows],
            "year": [_range(row[1]) for _, row in rows],
        }
        labels = [["(" + ",".join(sorted(one)) + ")" for one in person.labels] for person in self.people]
        codes = CodesWing().person_facts(CodeSets.of(labels, published=True, persons=names))
        assert codes is not None
        return {"patients": _table(patients), "visits": _table(visits), "codes": codes}

    def judged(self) -> Finding:
        return JoinedInference("1/2", self.knows, at_most=self.at_most).judge(self.facts())

    def judged_by_equal_cells(self) -> Finding:
        facts = {name: replace(one, cell_covers=None, label_covers=None) for name, one in self.facts().items()}
        return JoinedInference("1/2", self.knows, at_most=self.at_most).judge(facts)

    def shares(self, same_age_cell: bool) -> Iterator[Fraction]:
        """For all that may be true of somebody: the largest share among those whose cells allow it."""
        every = list(product(TYPES, HALVES))
        some_rows = [one for size in range(self.rows + 1) for one in combinations_with_replacement(every, size)]
        some_codes = [one for size in range(self.codes + 1) for one in combinations(CODES, size)]
        ages: Sequence[Any] = sorted({one.age for one in self.people}) if same_age_cell else HALVES
        for age, rows, codes in product(ages, some_rows, some_codes):
            if self.at_most is not None and len(rows) + len(codes) > self.at_most:
                continue
            fit = [one for one in self.people if one.age == age or (not same_age_cell and _in(age, one.age))]
            fit = [
                one for one in fit if _allows(one, rows) and all(any(c in each for each in one.labels) for c in codes)
            ]
            by_state: dict[Any, list[Person]] = {}
            more = len(codes) < self.codes and (self.at_most is None or len(rows) + len(codes) < self.at_most)
            for one in fit:  # whoever knows where somebody has records, and perhaps whether it shows codes, finds fewer
                by_state.setdefault(bool(one.rows), []).append(one)
                if more:
                    by_state.setdefault((bool(one.rows), bool(one.labels)), []).append(one)
            for found in [*by_state.values(), *([] if same_age_cell else [fit])]:
                if found:
                    yield Fraction(max(Counter(one.illness for one in found).values()), len(found))


def _in(value: float, span: Span) -> bool:
    return span[0] <= value <= span[1]


def _allows(one: Person, known: Sequence[tuple[str, float]]) -> bool:
    """May these be true of different rows of a person?"""
    return any(
        all(kind in types and _in(year, span) for (kind, year), (types, span) in zip(known, rows, strict=True))
        for rows in permutations(one.rows, len(known))
    )


def _range(span: Span) -> str:
    return str(span[0]) if span[0] == span[1] else f"[{span[0]}-{span[1]}]"


def _set(members: frozenset[str]) -> str:
    return next(iter(members)) if len(members) == 1 else "{" + ",".join(sorted(members)) + "}"


def _table(columns: dict[str, list[str]]) -> PersonFacts:
    roles = {name: {"id": Role.SUBJECT, "dx": Role.SENSITIVE}.get(name, Role.QUASI) for name in columns}
    frame = pa.table({name: pa.array(values, pa.string()) for name, values in columns.items()})
    facts = person_facts(Table.from_arrow(frame, Schema(roles), {}, published=True))
    assert facts is not None
    return facts


def _draw(rng: np.random.Generator) -> World:
    def span() -> Span:
        low, high = sorted(rng.integers(0, len(YEARS), 2).tolist())
        return low, high

    def some(of: str) -> frozenset[str]:
        first = of[0] if rng.random() < 0.7 else of[1]  # most of them overlap
        return frozenset({first, *rng.choice(list(of), int(rng.integers(0, 2))).tolist()})

    cells = [(some(TYPES), span()) for _ in range(int(rng.integers(2, 4)))]
    ages, labels = [span() for _ in range(1 + (rng.random() < 0.2))], [some(CODES) for _ in range(3)]
    rows, codes = MODES[int(rng.integers(0, len(MODES)))]
    if rng.random() < 0.7:  # in simple worlds few combinations are known by which somebody is sure anyway
        ages, cells = ages[:1], [*cells[:2], (frozenset(TYPES[2]), cells[0][1])]
        labels = [*labels[:2], frozenset(CODES[2])] if not rows else labels[:1]
    people, present = [], 1 if rng.random() < 0.7 else 0.9
    for _ in range(int(rng.integers(10, 30))):
        visits = rng.integers(0, len(cells), int(rng.integers(rng.random() < present, 3))).tolist()
        held = rng.integers(0, len(labels), int(rng.integers(rng.random() < present, 3))).tolist()
        shown = {*visits} if rows else {*held}
        hiv = 0.7 if len(shown) == 1 and 2 not in shown else 0.1  # whoever shows several cells mostly has another one
        illness = ILLNESSES[int(rng.choice(4, p=(hiv, *[(1 - hiv) / 3] * 3)))]
        age = ages[int(rng.integers(0, len(ages)))]
        people.append(Person(age, illness, tuple(cells[i] for i in visits), frozenset(labels[i] for i in held)))
    return World(tuple(people), rows, codes, None if rng.random() < 0.6 else 1)


def _person(illness: str, *rows: str) -> Person:
    return Person((2, 2), illness, tuple((frozenset(row), (0, 0)) for row in rows), frozenset())


HIDDEN = World(
    (
        *[_person("hiv", "M") for _ in range(2)],
        *[_person("hiv", "MZ") for _ in range(2)],
        *[_person(illness, "M", "MZ") for illness in ("flu", "gout")],
        *[_person(illness, "C") for illness in ("flu", "gout", "acne", "flu")],
    ),
    rows=1,
    codes=0,
)
"""Of four who show M two have it, and of four who show {M,Z} two have it; of the six who show either, four."""


def _draw_near(rng: np.random.Generator) -> World:
    """The world above with sets or ranges that overlap, in visits or codes, and a few changes."""
    sets = [(frozenset("M"), (0, 0)), (frozenset("MZ"), (0, 0)), (frozenset("C"), (0, 0))]
    ranges = [(frozenset("M"), (0, 1)), (frozenset("M"), (1, 1)), (frozenset("M"), (2, 2))]
    cells = dict(zip(("M", "MZ", "C"), sets if rng.random() < 0.5 else ranges, strict=True))
    shown = {frozenset(text): cell for text, cell in cells.items()}
    people = [replace(one, rows=tuple(shown[types] for types, _ in one.rows)) for one in HIDDEN.people]
    for _ in range(int(rng.integers(0, 4))):
        i, j = rng.integers(0, len(people), 2).tolist()
        people[i] = replace(people[i], rows=(*people[i].rows, people[j].rows[0]))
    people += [people[i] for i in rng.integers(0, len(people), int(rng.integers(0, 3))).tolist()]
    if rng.random() < 0.3:
        labels = {cell: frozenset(text) for text, cell in zip(("x", "xy", "z"), cells.values(), strict=True)}
        coded = [replace(one, rows=(), labels=frozenset(labels[row] for row in one.rows)) for one in people]
        return replace(HIDDEN, people=tuple(coded), rows=0, codes=int(rng.integers(1, 3)))
    return replace(
        HIDDEN, people=tuple(people), rows=int(rng.integers(1, 3)), at_most=1 if rng.random() < 0.6 else None
    )


def test_nobody_who_knows_true_values_is_surer_than_the_criterion_says(cases: Callable[[int], int]) -> None:
    rng, larger = np.random.default_rng(3), 0
    for _ in range(cases(1_500)):
        world = _draw(rng) if rng.random() < 0.4 else _draw_near(rng)
        judged = world.judged().value
        assert judged is not None
        assert judged >= max(world.shares(same_age_cell=False))
        larger += judged > world.judged_by_equal_cells().value  # type: ignore[operator]
    assert larger  # such worlds are among those that were drawn


def test_one_known_row_is_judged_exactly(cases: Callable[[int], int]) -> None:
    """The larger share of two: of those with equal cells, and of those whose cells allow a value."""
    rng = np.random.default_rng(4)
    for _ in range(cases(1_500)):
        world = replace(_draw(rng) if rng.random() < 0.4 else _draw_near(rng), rows=1, codes=0, at_most=None)
        equal = world.judged_by_equal_cells().value
        assert equal is not None
        assert world.judged().value == max(equal, *world.shares(same_age_cell=True))


def test_whoever_shows_two_cells_of_one_value_counts_once() -> None:
    assert HIDDEN.judged_by_equal_cells().value == Fraction(1, 2)
    assert HIDDEN.judged().value == Fraction(2, 3)
    assert HIDDEN.judged().failed


def test_labels_that_share_a_code_are_judged_together() -> None:
    labelled = [replace(one, rows=(), labels=frozenset(row[0] for row in one.rows)) for one in HIDDEN.people]
    world = replace(HIDDEN, people=tuple(labelled), rows=0, codes=1)
    assert world.judged_by_equal_cells().value == Fraction(1, 2)
    assert world.judged().value == Fraction(2, 3)


def test_what_cannot_be_told_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = HIDDEN.facts()
    means = {**facts, "visits": replace(facts["visits"], cell_covers=lambda _: None)}
    finding = JoinedInference("1/2", HIDDEN.knows).judge(means)
    assert finding.failed
    assert "use a mechanism whose cells do not overlap" in finding.note
    monkeypatch.setattr(covering_facts, "MOST_FACTS", 3)
    finding = HIDDEN.judged()
    assert finding.value is None
    assert finding.failed
    assert "too many combinations" in finding.note


def test_facts_that_tell_too_much_as_true_values_are_left_out(cases: Callable[[int], int]) -> None:
    """Leaving out, pass by pass, ends with records that the criterion accepts."""
    joined = JoinedRecords.of(HIDDEN.facts(), HIDDEN.knows)
    half = LargestShare.of(joined, ("patients", "dx"), Fraction(1, 2))
    rows = facts_to_leave_out(joined, 1, [half]).facts["visits"]["rows"]
    assert rows.tolist() == [True] * 8 + [False] * 4
    rng = np.random.default_rng(6)
    for _ in range(cases(500)):
        world, most = _draw(rng) if rng.random() < 0.4 else _draw_near(rng), Fraction(1, 2)
        facts = world.facts()
        for _ in range(20):
            joined = JoinedRecords.of(facts, world.knows, world.at_most)
            out = facts_to_leave_out(joined, 1, [LargestShare.of(joined, ("patients", "dx"), most)])
            if out.nothing:
                break
            facts = {name: _without(one, out.facts.get(name, {}), out.records[name]) for name, one in facts.items()}
        assert out.nothing
        finding = JoinedInference(str(most), world.knows, at_most=world.at_most).judge(facts)
        assert not finding.failed


def _without(facts: PersonFacts, removed: Any, records: Any) -> PersonFacts:
    """The records that stay, with the labels that stay."""
    kept = np.flatnonzero(~(records | removed.get("rows", np.zeros(len(records), bool))))
    persons = [facts.persons[row] for row in kept.tolist()]
    cells = {name: cells[kept] for name, cells in facts.cells.items()}
    sensitive = {name: values[kept] for name, values in facts.sensitive.items()}
    sets, rank = facts.sets, np.arange(len(kept))
    if sets is not None:
        stays = ~removed.get("labels", np.zeros(len(sets[1]), bool))
        labels = [sets[1][a:b][stays[a:b]] for a, b in zip(sets[0][:-1].tolist(), sets[0][1:].tolist(), strict=True)]
        labels = [labels[row] for row in kept.tolist()]
        starts = np.concatenate([[0], np.cumsum([len(one) for one in labels])]).astype(np.int64)
        sets = (starts, np.concatenate([np.zeros(0, np.int64), *labels]))
    return replace(facts, persons=persons, cells=cells, sensitive=sensitive, sets=sets, rank=lambda: rank)
