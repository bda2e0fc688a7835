"""Judging afterwards: what a mechanism refuses that makes nothing hold by construction (`engine = "check"`).

Such a mechanism changes the data as it was told, groups the published cells anew, and asks every criterion. If one
fails, nothing is returned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sharewell.errors import Infeasible, PolicyError
from sharewell.findings import Finding, show
from sharewell.tables.dataset import Table

_PEOPLE = ("population", "originals", "groupings")
"""Fields by which criteria name the people whom cells may fit."""


def refuse_unfit(mechanism: str, table: Table) -> None:
    """A published table is no original, and an empty one is no release."""
    if table.published:
        raise PolicyError(f"{mechanism} — the table holds published cells already — start from the original")
    if table.rows == 0:
        raise Infeasible(f"{mechanism} — the table has no rows — there is nothing to release")


def refuse_failing(
    mechanism: str, released: Table, must: Sequence[Any], relaxations: Sequence[str] = ()
) -> tuple[Finding, ...]:
    """Every criterion, checked on the published table; raises Infeasible if any fails, and names all that do.

    What would help is what the mechanism itself proposes (`relaxations`), then the bounds that were reached.
    """
    findings = tuple(criterion.check(released) for criterion in must)
    failed = [part for finding in findings for part in _failed(finding)]
    if failed:
        what = f"{mechanism} — {len(failed)} of {len(findings)} criteria fail in what would be published"
        if len(findings) == 1 or len(failed) > len(findings):
            what = f"{mechanism} — what would be published fails"
        reached = [f"{_name(f)} with bound {show(f.value)}" for f in failed if f.value]
        raise Infeasible(what, blocking=[_told(f) for f in failed], relaxations=[*relaxations, *reached])
    return findings


def refuse_shared_people(mechanism: str, released: Table, must: Sequence[Any]) -> None:
    """Where people of a list have rows that differ, only the written classes tell whether two of them share people."""
    about_people = [c for c in must if getattr(c, "population", None) is not None]
    relaxations = ["accept_overlap, for an estimate", "a list with one row a person, the latest"]
    refuse_failing(mechanism, released, about_people, relaxations)


def refuse_false_cells(mechanism: str, table: Table, changed: Iterable[str], must: Sequence[Any]) -> None:
    """Whom a false cell fits says nothing about its person: criteria that hold cells against people cannot judge it."""
    false = [name for name in changed if name in table.schema.quasi]
    about_people = [c.name for c in must if any(getattr(c, name, None) is not None for name in _PEOPLE)]
    if false and about_people:
        what = f"{', '.join(about_people)} would hold false cells against people: {', '.join(false)}"
        helps = ["falsify no quasi column, or leave the criterion out"]
        raise Infeasible(f"{mechanism} — {what}", blocking=about_people, relaxations=helps)


def _failed(finding: Finding) -> Iterator[Finding]:
    """The judgements that fail: those of the parts where there are any, else the whole."""
    parts = [part for one in finding.parts for part in _failed(one)]
    if parts:
        yield from parts
    elif finding.failed:
        yield finding


def _name(finding: Finding) -> str:
    return f"{finding.name} of {finding.column}" if finding.column else finding.name


def _told(finding: Finding) -> str:
    """Names and numbers only; the finding holds no cell value."""
    unit = f" {finding.unit}" if finding.unit else ""
    asked = f"{finding.sense} {show(finding.bound)}{unit}"
    if finding.value is None:
        return f"{_name(finding)} {asked}: undecided{f' ({finding.note})' if finding.note else ''}"
    return f"{_name(finding)} {asked}: {show(finding.value)} reached"
