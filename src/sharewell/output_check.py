"""The last look of a mechanism at its output: it refuses to publish what fails a criterion.

For mechanisms by which nothing holds by construction (`engine = "check"`), and for those that look once more because a
reader may group the published cells differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sharewell.errors import Infeasible
from sharewell.findings import Finding
from sharewell.number_format import show
from sharewell.protocols import AnyCriterion


def refuse_failing(
    mechanism: str, released: object, criteria: Sequence[AnyCriterion], relaxations: Sequence[str] = (), what: str = ""
) -> tuple[Finding, ...]:
    """Every criterion, checked on what would be published; raises Infeasible if any fails, and names all that do.

    What would help is what the mechanism itself proposes (`relaxations`), then the bounds that were reached.
    """
    findings = tuple(criterion.check(released) for criterion in criteria)
    failed = [part for finding in findings for part in _failed(finding)]
    if failed:
        some = f"{len(failed)} of {len(findings)} criteria fail in what would be published"
        all_of_one = len(findings) == 1 or len(failed) > len(findings)
        what = what or ("what would be published fails" if all_of_one else some)
        # A bound of zero is the meaning of its criterion, and at least 1 person protects nobody: neither is proposed.
        reached = [f"{_name(one)} with bound {show(one.value)}" for one in failed if one.bound and _protects(one)]
        raise Infeasible(
            f"{mechanism} — {what}", blocking=[_failure(one) for one in failed], relaxations=[*relaxations, *reached]
        )
    return findings


def _failed(finding: Finding) -> Iterator[Finding]:
    """The judgements that fail: those of the parts where there are any, else the whole."""
    parts = [part for one in finding.parts for part in _failed(one)]
    if parts:
        yield from parts
    elif finding.failed:
        yield finding


def _protects(finding: Finding) -> bool:
    return bool(finding.value) and not (finding.sense == "≥" and finding.value == 1)


def _name(finding: Finding) -> str:
    return f"{finding.name} of {finding.column}" if finding.column else finding.name


def _failure(finding: Finding) -> str:
    """Names and numbers only; the finding holds no cell value."""
    unit = f" {finding.unit}" if finding.unit else ""
    asked = f"{_name(finding)} {finding.sense} {show(finding.bound)}{unit}"
    reached = "undecided" if finding.value is None else f"{show(finding.value)} reached"
    # Where nothing was decided, and where no other bound would help, the note says what to do.
    advised = finding.note and (finding.value is None or not finding.bound)
    return f"{asked}: {reached}{f' ({finding.note})' if advised else ''}"
