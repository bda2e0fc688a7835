"""Release a plan through the one pipeline of releases: a report file stands where a policy usually does.

to/NAME/public/    report.csv, report.json, report.html, and the certificate that `sharewell verify` checks
to/NAME/internal/  persons/report.parquet: true cells, limits and witnesses; report/audit.html and audit.json
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from sharewell.algorithm import Criteria, Key, Mechanism, PolicyError
from sharewell.io.sources import Source
from sharewell.io.writing import temporary_file
from sharewell.policy import policy_file
from sharewell.policy.model import ConfiguredAlgorithm, Policy
from sharewell.reports.figures.data import Cell, Publication
from sharewell.reports.figures.engine.alternatives import Lowered, SearchSettings
from sharewell.reports.figures.engine.audit import Audit, Inferred, audit
from sharewell.reports.figures.engine.checks.cell_limits import ByCell
from sharewell.reports.figures.engine.verdicts import tightest

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.plan import Plan
    from sharewell.reports.policy import ReportSources

NAME = "report"
"""What the one dataset of such a release is called."""
_NAME = re.compile(r"\w[\w .-]{0,99}")


@dataclass(frozen=True)
class _PlanInHand(SearchSettings, Mechanism[Publication]):
    """Stands in a release where `aggregate` would search for a plan, and returns the plan that was found already."""

    result: Lowered | None = field(default=None, init=False, repr=False)

    name: ClassVar[str] = "aggregate"
    packages: ClassVar[tuple[str, ...]] = ("clarabel", "scipy")
    engine: ClassVar[str] = "needs"
    measured_by: ClassVar[str] = "report-loss"

    @classmethod
    def holding(cls, plan: Plan) -> _PlanInHand:
        built = cls()
        object.__setattr__(built, "result", plan.as_protected())
        return built

    def protect(self, data: Publication, must: Criteria[Publication], key: Key | None = None) -> Lowered:
        assert self.result is not None
        return self.result


def release(plan: Plan, to: Path) -> Path:
    """The directory of the release, in which `public/` and `internal/` are never mixed."""
    from sharewell.pipeline.run import release as run

    name, text = plan.proposal.name, plan.proposal.text or f"report: {plan.proposal.name}\n"
    if not _NAME.fullmatch(name) or name.endswith((".", " ")):
        raise PolicyError("report — a name with letters, digits, spaces, dots, dashes only — it names a directory")
    with temporary_file(text, suffix=".yaml") as path:
        return run(_policy(plan, path, text, to.absolute())).directory


def _policy(plan: Plan, path: Path, text: str, to: Path) -> Policy:
    """A policy of the report, read as every policy is; then the proposal, its limits and the plan are put in.

    A report file may hold cells, or figures without cells, which no policy can say. So the file itself takes the place
    of the policy in the release: its hash is certified, and its text is kept in the internal folder.
    """
    proposal, frame = plan.proposal, plan.publication.frame
    domain = {column: [*map(float, ends)] for column, ends in zip(frame.columns, frame.bounds, strict=True)}
    table = {"rows": [*frame.rows], "columns": [*frame.columns], "domain": domain}
    limits = [criterion for criterion in plan.criteria if isinstance(criterion, ByCell)]
    figures = {"table": table, "publish": plan.menu.top.to_json(), "require": sorted({one.name for one in limits})}
    dataset = {"kind": "reports", "read": {"csv": str(path)}, **figures, "using": _PlanInHand.name}
    written = {"sharewell": 1, "release": {"name": NAME}, "datasets": {NAME: dataset}, "write": {"csv": str(to)}}
    with temporary_file(json.dumps(written), suffix=".yaml") as policy_path:
        policy = policy_file.load(policy_path)
    loaded = policy.datasets[NAME]
    keys = cast("ReportSources", loaded.own)
    assert keys.figures is not None
    snoopers = proposal.snoopers.who
    report = replace(
        loaded,
        read=Source(path),
        require=tuple(ConfiguredAlgorithm(one.name, {}, replace(one, **snoopers)) for one in limits),
        using=replace(loaded.using, built=_PlanInHand.holding(plan)),
        own=replace(keys, figures=replace(keys.figures, name=proposal.name, loaded=proposal)),
    )
    named = replace(policy.release, name=proposal.name)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return replace(policy, path=path, sha256=digest, release=named, datasets={NAME: report}, plain={}, positions={})


def internal_content(plan: Plan, released: Audit) -> dict[str, object]:
    """All that the officer's page shows, and more."""
    proposed = audit(plan.proposal.publication, plan.criteria, plan.proposal.snoopers, thorough=False)
    audits = {"proposed": proposed, "released": released}
    how, frame = plan.publication.convention, plan.publication.frame
    snoopers = plan.proposal.snoopers
    return {
        "report": plan.proposal.name,
        "confidential": "intervals tell about cells: never hand this on with the report",
        "plan": plan.to_json(),
        "measures": [
            {"measure": ".".join(place), "proposed": plan.menu.top.level(place), "released": plan.utility.level(place)}
            for place in plan.menu.top.places
        ],
        **{when: [_told(one.publication, cell) for cell in one.cells] for when, one in audits.items()},
        "worst": {when: _worst(one) for when, one in audits.items()},
        "rows": [*frame.rows],
        "columns": [*frame.columns],
        "domain": {column: [float(end) for end in frame.bounds[i]] for i, column in enumerate(frame.columns)},
        "assumptions": {
            "snoopers": list(dict.fromkeys(cell.snooper for cell in released.cells)),
            "not_simulated": list(released.not_simulated),
            "coalitions": snoopers.coalitions,
            "outsider": snoopers.outsider,
            "sigma": how.sigma,
            "decimals": how.decimals,
            "bin": float(how.bin),
            "sigma_bin": float(how.sigma_bin),
            "nested": plan.menu.coarser,
            "true_cells": len(plan.publication.truth) == len(frame.cells),
        },
    }


def _worst(verdicts: Audit) -> list[dict[str, object]]:
    """For each cell, the verdict of the most dangerous snooper."""
    rank = {"unsafe": 0, "undecided": 1, "safe": 2}
    shown = verdicts.publication
    worst: dict[Cell, Inferred] = {}
    for one in sorted(verdicts.cells, key=lambda one: (rank[one.status], -_closeness(shown, one), one.snooper)):
        worst.setdefault((one.row, one.column), one)
    return [_told(shown, worst[cell]) for cell in shown.frame.cells if cell in worst]


def _closeness(publication: Publication, cell: Inferred) -> float:
    """What is required, as a multiple of what stays open."""
    true = publication.truth.get((cell.row, cell.column))
    return min(tightest(cell.need, cell.low, cell.high, true).closeness, 1e9)


def _told(publication: Publication, cell: Inferred) -> dict[str, object]:
    need = cell.need
    bounds = {"low_at_most": need.low_at_most, "high_at_least": need.high_at_least}
    limits = {"width": float(need.width)} | {k: float(end) for k, end in bounds.items() if end is not None}
    return cell.to_json() | {"limits": limits, "closeness": _closeness(publication, cell)}
