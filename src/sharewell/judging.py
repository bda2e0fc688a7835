"""Judging afterwards: what a mechanism refuses to publish because a criterion fails in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sharewell.errors import Infeasible
from sharewell.findings import Finding, show


def refuse_failing(mechanism: str, released: Any, must: Sequence[Any], relaxations: Sequence[str] = ()) -> None:
    """Every criterion, checked on what would be published; raises Infeasible if any fails, and names all that do."""
    failed = [part for one in must for part in _failed(one.check(released))]
    if failed:
        what = f"{mechanism} — what would be published fails"
        raise Infeasible(what, blocking=[_told(one) for one in failed], relaxations=list(relaxations))


def _failed(finding: Finding) -> Iterator[Finding]:
    """The judgements that fail: those of the parts where there are any, else the whole."""
    parts = [part for one in finding.parts for part in _failed(one)]
    if parts:
        yield from parts
    elif finding.failed:
        yield finding


def _told(finding: Finding) -> str:
    """Names and numbers only."""
    unit = f" {finding.unit}" if finding.unit else ""
    of = f" of {finding.column}" if finding.column else ""
    asked = f"{finding.name}{of} {finding.sense} {show(finding.bound)}{unit}"
    if finding.value is None:
        return f"{asked}: undecided{f' ({finding.note})' if finding.note else ''}"
    return f"{asked}: {show(finding.value)} reached"
