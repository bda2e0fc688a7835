"""Every cell of the mechanism × criterion table: the published frame passes the independent check, or Infeasible."""

from __future__ import annotations

import itertools
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from cells_of_the_matrix import ALWAYS_WITH, CRITERIA, MECHANISMS, ROLES, Case, by_definition, cases, easy_case
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sharewell import registry
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.keys import Key
from sharewell.protocols import Protected
from sharewell.tables import Table
from sharewell.tables.engine.cell_matching import Cover, people_like
from sharewell.tables.engine.checks.reference_criterion import ReferenceCriterion

KEY = Key(b"a fixed secret for the matrix alone")
INSTANCES = [(name, i) for name, made in MECHANISMS.items() for i in range(len(made))]
CELLS = [
    (name, i, criterion)
    for (name, i), criterion in itertools.product(INSTANCES, CRITERIA)
    if registry.compatible(type(MECHANISMS[name][i]), registry.lookup("tables", "criteria", criterion))
]


def _enforces(cell: tuple[str, int, str]) -> bool:
    """Does the mechanism work for the criterion, rather than look afterwards whether it holds?"""
    name, i, criterion = cell
    engine = MECHANISMS[name][i].engine
    calls = [one for one in ((engine,) if isinstance(engine, str) else engine) if one != "check"]
    return any(callable(getattr(registry.lookup("tables", "criteria", criterion), one, None)) for one in calls)


def test_the_lists_are_complete() -> None:
    assert sorted(CRITERIA) == [entry.name for entry in registry.entries("tables", "criteria")]
    assert sorted(MECHANISMS) == [entry.name for entry in registry.entries("tables", "mechanisms")]


def test_every_criterion_can_be_made_to_hold() -> None:
    """By a mechanism that works for it (or is named after it), not by one that only looks afterwards."""
    enforced = {cell[2] for cell in CELLS if _enforces(cell) or cell[0] == cell[2]}
    assert sorted(CRITERIA) == sorted(enforced)


@pytest.mark.parametrize(("name", "which"), INSTANCES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(case=cases(), data=st.data())
def test_what_is_published_holds_or_nothing_is(name: str, which: int, case: Case, data: Any) -> None:
    fitting = [criterion for one, i, criterion in CELLS if (one, i) == (name, which)]
    asked = data.draw(st.lists(st.sampled_from(fitting), min_size=1, max_size=2, unique=True))
    mechanism = MECHANISMS[name][which]
    must = _made(name, asked, case)
    if getattr(mechanism, "suppress", 0):
        must = [_with_counts(one, case.table) for one in must]
    try:
        protected = mechanism.protect(case.table, must, KEY)
    except Infeasible:
        return
    except DataError:
        if name != "retention-replacement":  # it takes no record without a person or a declared value
            raise
        return
    except PolicyError:
        # Overlapping classes are refused where a union may break a criterion, and so is an unfit second mechanism.
        if not getattr(mechanism, "relaxed", False) and getattr(mechanism, "then", None) is None:
            raise
        return
    stranger = _reopened(protected.data)
    for criterion in must:
        finding = criterion.check(stranger)
        assert finding.ok, f"{mechanism} published what fails: {finding}"
        assert by_definition(criterion, stranger), f"{mechanism} published what fails by definition: {criterion}"
    _within_its_limit(mechanism, case.table, protected)
    _of_its_own_row(mechanism, case.table, protected)


@pytest.mark.parametrize(("name", "which", "criterion"), [c for c in CELLS if _enforces(c)])
def test_the_easy_case_is_within_reach(name: str, which: int, criterion: str) -> None:
    """A cell that always said Infeasible would pass the test above. Who only judges what came out promises nothing."""
    mechanism = MECHANISMS[name][which]
    case = easy_case()
    must = _made(name, [criterion], case)
    try:
        protected = mechanism.protect(case.table, must, KEY)
    except PolicyError:
        if not getattr(mechanism, "relaxed", False) or must[0].union_safe:
            raise
        return
    assert all(one.check(_reopened(protected.data)).ok for one in must)
    assert protected.data.rows > 0


def _made(name: str, asked: list[str], case: Case) -> list[Any]:
    always = [ALWAYS_WITH[name]] if name in ALWAYS_WITH and ALWAYS_WITH[name] not in asked else []
    return [CRITERIA[criterion](case) for criterion in asked + always]


def _with_counts(criterion: Any, table: Table) -> Any:
    """Whoever withholds rows gives the distribution as it was before: a recipient sees only what is left of it."""
    if not isinstance(criterion, ReferenceCriterion):
        return criterion
    assert criterion.column is not None
    column, subject = table.columns[criterion.column], table.subject
    assert subject is not None
    values = [column.texts[code] for code in column.codes]
    people = [subject.texts[code] or f"nobody {i}" for i, code in enumerate(subject.codes)]
    records, persons = Counter(people), dict[str, Fraction]()
    for value, who in zip(values, people, strict=True):
        persons[value] = persons.get(value, Fraction(0)) + Fraction(1, records[who])
    return replace(criterion, counts=dict(Counter(values)), person_counts=persons)


def _reopened(released: Table) -> Table:
    """From what the frame shows, and who is who: the steward's evidence."""
    shown = released.arrow
    assert released.subject is not None
    shown = shown.append_column("who", released.subject.arrow)
    trees = {name: column.hierarchy for name, column in released.columns.items() if column.hierarchy is not None}
    table = Table.of(shown, **ROLES, hierarchies=trees, published=True)
    told = {name: replace(table.columns[name], drawn=column.drawn) for name, column in released.columns.items()}
    return replace(table, columns=told, trails=released.trails)


def _within_its_limit(mechanism: Any, table: Table, protected: Protected[Table]) -> None:
    assert len(np.unique(protected.rows)) == len(protected.rows) == protected.data.rows, "a row was published twice"
    gone = np.ones(table.rows, dtype=bool)
    gone[protected.rows] = False
    gone[protected.rows[protected.data.suppressed]] = True
    subject = table.subject
    assert subject is not None
    lost = set(subject.codes[gone].tolist()) - ({subject.size - 1} if subject.has_missing else set())
    if mechanism.name != "subsample":
        assert len(lost) <= getattr(mechanism, "suppress", 0) * table.persons + 1e-9, "withheld too many"


def _of_its_own_row(mechanism: Any, table: Table, protected: Protected[Table]) -> None:
    """Quasi cells cover the original of their row; every other cell is that of its row, or blank in a withheld row."""
    if getattr(mechanism, "falsifies", False):
        return
    released, hidden = protected.data, protected.data.suppressed
    for column in released.quasi:
        original = table.columns[column.name]
        cover = Cover(column, people_like(column, original.arrow))
        people = people_like(column, original.arrow).codes[protected.rows]
        for code in np.unique(column.codes[~hidden]):
            covered = cover.of(int(code))
            here = people[(column.codes == code) & ~hidden]
            assert covered is None or np.isin(here, np.fromiter(covered, np.int64)).all(), "a cell covers not its own"
    before = table.arrow.take(pa.array(protected.rows))
    for name in ("illness", "cost", "guard", "remark"):
        shown = np.array(released.arrow[name].cast(pa.string()).to_pylist(), dtype=object)
        own = np.array(before[name].cast(pa.string()).to_pylist(), dtype=object)
        assert (shown[~hidden] == own[~hidden]).all(), f"column {name} shows another row's value"
