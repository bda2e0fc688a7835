"""Judging afterwards: what a mechanism refuses that makes nothing hold by construction (`engine = "check"`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sharewell.errors import Infeasible
from sharewell.findings import Finding, show


def refuse_failing(mechanism: str, released: Any, must: Sequence[Any], relaxations: Sequence[str] = ()) -> None:
    """Every criterion, checked on what would be published; raises Infeasible if any fails, and names all that do."""
    failed = [finding for finding in (one.check(released) for one in must) if finding.failed]
    if failed:
        what = f"{mechanism} — what would be published fails"
        raise Infeasible(what, blocking=[_told(one) for one in failed], relaxations=list(relaxations))


def _told(finding: Finding) -> str:
    """Names and numbers only."""
    unit = f" {finding.unit}" if finding.unit else ""
    asked = f"{finding.name} {finding.sense} {show(finding.bound)}{unit}"
    if finding.value is None:
        return f"{asked}: undecided{f' ({finding.note})' if finding.note else ''}"
    return f"{asked}: {show(finding.value)} reached"
