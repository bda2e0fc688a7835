"""What mechanisms for tables refuse: hopeless tables before the work, merged classes and shared people after it."""

from __future__ import annotations

from collections.abc import Iterable

from sharewell import preconditions
from sharewell.algorithm import Criteria, Criterion, Infeasible, PolicyError, refuse_failing
from sharewell.number_format import show
from sharewell.roles import did_you_mean
from sharewell.tables.data import Classes, Table
from sharewell.tables.engine.checks.class_criterion import ClassCriteria, ClassCriterion
from sharewell.tables.engine.checks.consistent_records import OriginalsCriterion
from sharewell.tables.engine.checks.population_classes import is_union_safe, names_population
from sharewell.tables.engine.checks.ruled_out_values import RulesCriterion
from sharewell.tables.engine.protection.partitioning.class_layout import everything


def refuse_unfit(mechanism: str, table: Table) -> None:
    preconditions.refuse_unfit(mechanism, table, table.rows)


def root_class(mechanism: str, table: Table, criteria: ClassCriteria) -> Classes:
    """The table as one class, in which every criterion must hold: partitioning only cuts classes that hold.

    If a criterion that is safe under union fails here, no partition at all can satisfy it, for the union of its
    classes is this one. Another may hold in smaller classes that no sequence of such cuts reaches.
    """
    refuse_unfit(mechanism, table)
    refuse_judged_otherwise(mechanism, criteria)
    refuse_fitted(mechanism, criteria)
    root = everything(table)
    blocking, relaxations = [], []
    for criterion in criteria:
        if not criterion.holds(root)[0]:
            reached = criterion.worst(root)[0].item()
            bound = f"{criterion.name} {criterion.sense} {show(criterion.bound)}"
            blocking.append(f"{bound}: all rows as one class reach {show(reached)}")
            if reached:
                relaxations.append(f"{criterion.name} with bound {show(reached)}")
    if blocking:
        problem = f"{mechanism} — not even the table as one class meets the criteria"
        raise Infeasible(problem, blocking=blocking, relaxations=relaxations)
    return root


def refuse_judged_otherwise(mechanism: str, criteria: Criteria[Table]) -> None:
    """Mechanisms that form classes ask of each class whether it holds; `sharewell check` says this of a policy."""
    if other := [criterion.name for criterion in criteria if not isinstance(criterion, ClassCriterion)]:
        problem = f"cannot make {', '.join(other)} hold, which is not judged class by class"
        raise PolicyError(f"{mechanism} — {problem} — take optimal-recoding or instance-partitioning, or leave it out")


def refuse_fitted(mechanism: str, criteria: Criteria[Table]) -> None:
    """Refuse criteria that assume a choice among groupings fixed beforehand: these classes are fitted to the data."""
    counted = [criterion.name for criterion in criteria if assumes_groupings(criterion)]
    if counted:
        problem = f"{', '.join(counted)}: `groupings` is given, but {mechanism} fits its classes to the data"
        raise PolicyError(f"{mechanism} — {problem} — leave `groupings` out, or take optimal-recoding")


def assumes_groupings(criterion: Criterion[Table]) -> bool:
    """Does it reckon with a number of groupings that stood before the release was chosen?"""
    return isinstance(criterion, ClassCriterion) and criterion.groupings is not None


def refuse_shared_people(mechanism: str, released: Table, criteria: Criteria[Table]) -> None:
    """Where people of a list have rows that differ, only the written classes tell whether two of them share people."""
    about_people = [c for c in criteria if names_population(c)]
    relaxations = ["accept_overlap, for an estimate", "a list with one row per person, the latest"]
    refuse_failing(mechanism, released, about_people, relaxations)


def refuse_false_cells(mechanism: str, table: Table, changed: Iterable[str], criteria: Criteria[Table]) -> None:
    """Whom a false cell fits says nothing about its person: criteria that hold cells against people cannot judge it."""
    false = [name for name in changed if name in table.schema.quasi]
    about_people = [
        c.name
        for c in criteria
        if names_population(c) or isinstance(c, OriginalsCriterion | RulesCriterion) or assumes_groupings(c)
    ]
    if false and about_people:
        problem = f"{', '.join(about_people)} would hold false cells against people: {', '.join(false)}"
        helps = ["falsify no quasi column, or leave the criterion out"]
        raise Infeasible(f"{mechanism} — {problem}", blocking=about_people, relaxations=helps)


def refuse_unknown_weights(mechanism: str, table: Table, weights: Iterable[str]) -> None:
    if unknown := [name for name in weights if name not in table.schema.quasi]:
        hint = did_you_mean(unknown[0], table.schema.quasi) or "only quasi columns have one"
        names = ", ".join(f"'{name}'" for name in unknown)
        raise PolicyError(f"{mechanism} — weights: no quasi column {names} — {hint}")


def refuse_merged(mechanism: str, released: Table, criteria: ClassCriteria) -> None:
    """Classes that publish the same cells are one to a reader: look again where a union may fail."""
    for criterion in criteria:
        if not criterion.union_safe:
            failing = int((~criterion.holds(released.classes)).sum())
            if failing:
                problem = f"{criterion.name} fails in {failing} published class(es) that several parts share"
                raise Infeasible(f"{mechanism} — {problem} — publish finer columns", blocking=[criterion.name])


def refuse_unions(where: str, criteria: ClassCriteria, root: Classes) -> None:
    """Where a reader may take several classes for one, what holds in each must hold in their union."""
    unsafe = [criterion.name for criterion in criteria if not is_union_safe(criterion, root.subject is not None)]
    if unsafe:
        problem = f"{', '.join(unsafe)} may fail where classes overlap or publish the same cells"
        raise PolicyError(f"{where} — {problem} — ask for another criterion, or do without")
