"""Plan: what a release would do, the risks before it, and what it would cost. Changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sharewell import registry
from sharewell.errors import Infeasible
from sharewell.findings import Finding, Number, html_of_findings, json_details
from sharewell.keys import Key
from sharewell.number_format import show
from sharewell.pipeline import sized_steps
from sharewell.pipeline.cleaning_accounts import SourceAccount, accounts_of
from sharewell.pipeline.column_fates import lost_columns
from sharewell.pipeline.completion import completed
from sharewell.pipeline.extracted_tables import table_of, tried_back
from sharewell.pipeline.joint_protection import Prepared, judged, protect_jointly, remembering
from sharewell.pipeline.mechanism_choice import Chosen, Trial, as_written, by_rule, choose
from sharewell.pipeline.person_ties import Ties, ties_of
from sharewell.pipeline.preflight import Preflight
from sharewell.pipeline.preview import Preview
from sharewell.pipeline.preview import preview as preview_of
from sharewell.pipeline.relax import RESCUE_ROWS, explained, rescues, savings, shown_cells
from sharewell.pipeline.text_trial import try_texts
from sharewell.plain_data import JsonObject
from sharewell.policy.doubtful_persons import double_cautions
from sharewell.policy.model import Dataset, PersonTie, Policy
from sharewell.policy.near_copies import near_copies
from sharewell.progress import Progress
from sharewell.wing import Data, Wing, trial_data

COLUMNS_ROWS = 10_000
"""Of larger tables this many rows are protected without each column in turn."""
UNSAVED = "no single change that was tried saves it"
SAMPLE = 100_000
"""Larger tables are tried on this many of their rows: on fewer rows the same criteria cost more detail, not less."""


@dataclass(frozen=True)
class Outcome:
    """What protecting would come to, tried in memory on all rows or on a sample."""

    tried_rows: int
    feasible: bool
    why_not: str = ""
    size: dict[str, int] | None = None
    cost: dict[str, Number | None] | None = None
    lost: tuple[str, ...] = ()
    """Columns that would no longer tell rows apart, each with the cheapest change that would save it, in words."""
    savings: tuple[str, ...] = ()
    """Columns without which the same criteria would cost clearly less, in words."""
    tried: tuple[str, ...] = ()
    """What was tried on the way to a choice, in words."""
    withheld_texts: tuple[str, ...] = ()
    """Text columns of which a part would be withheld, and why, in words."""


@dataclass(frozen=True)
class DatasetPlan:
    """One dataset: how it was understood, how large it is, what an attacker could do today, what will be done."""

    kind: str
    size: dict[str, int]
    columns: JsonObject
    risks: tuple[Finding, ...]
    require: tuple[str, ...]
    using: str
    outcome: Outcome
    lookalikes: dict[str, int]
    """Column → how many of its values are another one but for case, blanks or form of characters."""
    chosen: tuple[str, ...] = ()
    """Why the mechanism and the criteria are what they are, where that was left to us."""
    cautions: tuple[str, ...] = ()
    """What else was seen in the data that a steward should know."""
    accounts: tuple[SourceAccount, ...] = ()
    """What cleaning did to its sources."""
    preview: Preview | None = None
    """What would be published, where it was asked for."""

    def _repr_html_(self) -> str:
        return _html(self)

    def to_json(self) -> JsonObject:
        return {
            "kind": self.kind,
            "size": self.size,
            "columns": self.columns,
            "risks": [risk.to_json() for risk in self.risks],
            "require": list(self.require),
            "using": self.using,
            "outcome": json_details(self.outcome),
            "lookalikes": self.lookalikes,
            "chosen": list(self.chosen),
            "cautions": list(self.cautions),
            "cleaning": [one.to_json() for one in self.accounts],
            **({} if self.preview is None else {"preview": self.preview.to_json()}),
        }


@dataclass(frozen=True)
class JointOutcome:
    """What protecting datasets together would come to, tried in memory."""

    feasible: bool
    findings: tuple[Finding, ...]
    why_not: str = ""
    mechanism: JsonObject = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        return {
            "feasible": self.feasible,
            "criteria": [one.to_json() for one in self.findings],
            "why_not": self.why_not,
            "mechanism": self.mechanism,
        }


class Plan(dict[str, DatasetPlan]):
    """Dataset → its plan."""

    ties: Ties | None = None
    """How datasets are tied by person, where the policy says so."""
    together: JointOutcome | None = None
    """What protecting them together would come to."""
    cautions: tuple[str, ...] = ()
    """What a steward should know of several datasets."""
    lacking: tuple[str, ...] = ()
    """Keys and approvals that a release of the policy would ask for, and not find."""

    @property
    def feasible(self) -> bool:
        """Can every dataset be released, and all of them together?"""
        alone = all(one.outcome.feasible for one in self.values())
        return alone and (self.together is None or self.together.feasible)

    def _repr_html_(self) -> str:
        from sharewell import notebook

        parts = [f"<h4>{notebook.text(name)}</h4>{notebook.of(one)}" for name, one in self.items()]
        return notebook.whole(*parts, notebook.paragraph(*self.cautions))


def plan(policy: Policy, progress: Progress = lambda step: None, *, preview: bool = False) -> Plan:
    """Open every source, say what was understood, measure the risks as they stand.

    Whatever a release of this policy would refuse before it begins is raised here too, before anything is protected;
    but for keys, which a plan does not need: those that are lacking are listed.
    """
    lacking: list[str] = []
    Preflight.of(policy, replace=True, lacking=lacking)
    result = Plan()
    result.lacking = tuple(lacking)
    together = Together(policy)
    for name, dataset in policy.datasets.items():
        if dataset.extract is not None:
            progress(f"extracting a table from {name}")
            table = table_of(policy, dataset)
            result[table.name] = _planned(policy, table, None, progress, previewed=preview)
            dataset = tried_back(policy, dataset, table)
        result[name] = _planned(policy, dataset, together, progress, previewed=preview)
    if len(policy.datasets) > 1:
        progress("comparing the files of all datasets")
        result.cautions = near_copies(policy)
    if policy.person is not None:
        progress("counting the persons of all datasets")
        result.ties = ties_of(policy)
        feasible = all(one.outcome.feasible for one in result.values())
        result.together = _tried_together(together, progress) if feasible else None
    return result


@dataclass(frozen=True)
class Together:
    """The datasets of joint criteria. Each is protected as a whole, once: by itself, and then with the others."""

    policy: Policy
    prepared: dict[str, Prepared] = field(default_factory=dict)

    def concerns(self, dataset: Dataset) -> bool:
        """Not a dataset that another table has changed: together with others it is protected as the policy has it."""
        person = self.policy.person
        if person is None or not person.require or dataset.name not in person.named_datasets:
            return False
        return dataset is self.policy.datasets.get(dataset.name)

    def all_prepared(self, person: PersonTie, progress: Progress) -> dict[str, Prepared]:
        """Those that no trial has left protected are protected now."""
        named = {name: one for name, one in self.policy.datasets.items() if name in person.named_datasets}
        return {name: self.prepared.get(name) or _prepared(self.policy, one, progress) for name, one in named.items()}


def _tried_together(together: Together, progress: Progress) -> JointOutcome | None:
    """Protect all datasets that joint criteria speak of, in memory, under keys that are thrown away."""
    person = together.policy.person
    if person is None or not person.require:
        return None
    try:
        prepared = together.all_prepared(person, progress)
        progress("protecting all of them together")
        prepared, done = protect_jointly(person, prepared)
    except Infeasible as error:
        return JointOutcome(False, (), str(error))
    findings = tuple(judged(person, prepared, done))
    details = None if done is None else done.details
    why = "; ".join(str(one) for one in findings if one.failed)
    return JointOutcome(not why, findings, why, json_details(details) if details is not None else {})


def _prepared(policy: Policy, dataset: Dataset, progress: Progress) -> Prepared:
    """Opened, and protected by itself as a whole."""
    progress(f"protecting {dataset.name}")
    wing: Wing[Any] = registry.wing(dataset.kind)
    data = wing.open(dataset, policy.path.parent)
    dataset = by_rule(wing, data, completed(dataset, data))
    return _protected_whole(policy, wing, data, dataset, progress)


def _protected_whole(policy: Policy, wing: Wing[Any], data: Any, dataset: Dataset, progress: Progress) -> Prepared:
    worked, asked = remembering(dataset, wing, policy.person)
    key = Key.fresh()
    return Prepared(dataset, wing, data, key, choose(wing, data, worked, key, progress), asked=asked)


def _html(planned: DatasetPlan) -> str:
    """Roles, sizes, risks as they stand, and what would be done; no value of the data."""
    from sharewell import notebook

    parts = ("role", "kind", "style", "hierarchy", "distinct", "missing")
    rows = [(column, *map(facts.get, parts)) for column, facts in planned.columns.items()]
    heads = ("column", "role", "read as", "published as", "hierarchy", "distinct", "missing")
    size = ", ".join(f"{count} {what}" for what, count in planned.size.items())
    outcome = "feasible" if planned.outcome.feasible else f"NOT feasible: {planned.outcome.why_not}"
    lines = [
        f"require: {'; '.join(planned.require)}",
        f"using: {planned.using}",
        *planned.chosen,
        f"outcome: {outcome}",
    ]
    return notebook.whole(
        notebook.table(heads, rows, f"{planned.kind}: {size}"),
        html_of_findings(planned.risks, "risk before protection"),
        notebook.paragraph(*lines, *planned.outcome.savings, *planned.cautions),
    )


def _planned(
    policy: Policy, dataset: Dataset, together: Together | None, progress: Progress, *, previewed: bool
) -> DatasetPlan:
    progress(sized_steps.reading(dataset))
    wing = registry.wing(dataset.kind)
    whole = together if together is not None and together.concerns(dataset) else None
    data = wing.open(dataset, policy.path.parent)
    wing.refuse_unpublishable(data, dataset)
    dataset = completed(dataset, data)
    progress(sized_steps.working("measuring", dataset, data))
    size = wing.size(data)
    risks = tuple(wing.risks(data))
    outcome, settled = _try(wing, data, dataset, whole, policy.path.parent, progress)
    require = tuple(as_written(item.name, item.parameters) for item in settled.require)
    using = as_written(settled.using.name, settled.using.parameters)
    alike = wing.lookalikes(data)
    cautions = (*double_cautions(dataset, policy), *wing.cautions(data), *outcome.withheld_texts)
    cautions += tuple(f"{one.name}: {text}" for one in dataset.require for text in one.built.cautions(data))
    cautions += tuple(f"{one.name}: {text}" for one in dataset.attacks for text in one.built.cautions(data))
    shown = preview_of(policy, replace(dataset, using=settled.using), progress) if previewed else None
    return DatasetPlan(
        kind=dataset.kind,
        size=size,
        columns=wing.describe(data),
        risks=risks,
        require=require,
        using=using,
        outcome=outcome,
        lookalikes=alike,
        chosen=settled.chosen,
        cautions=cautions,
        accounts=accounts_of(dataset, policy.path.parent),
        preview=shown,
    )


def _try(
    wing: Wing[Data], data: Data, dataset: Dataset, whole: Together | None, base: Path, progress: Progress
) -> tuple[Outcome, Dataset]:
    """Protect in memory, under a key that is thrown away; nothing is written.

    whole: all rows are tried, and what comes of it is kept for the trial of all datasets together.
    """
    dataset = by_rule(wing, data, dataset)  # by the whole table, as a release will
    sample = data
    try:
        if whole is not None:
            prepared = _protected_whole(whole.policy, wing, data, dataset, progress)
            whole.prepared[dataset.name] = prepared
            chosen = prepared.as_asked().chosen
        else:
            sample, chosen = _tried_on_sample(wing, data, dataset, progress)
    except Infeasible as error:
        return Outcome(data.rows, False, str(explained(wing, data, dataset, error, progress))), dataset
    every_row = sample.rows == data.rows  # rows of a sample are no rows of the source, which says whose they are
    texts = tuple(try_texts(wing, chosen.protected, chosen.dataset, progress)) if every_row else ()
    if any(one.why_not for one in texts):
        why = "\n".join(str(one) for one in texts if one.why_not)
        return Outcome(sample.rows, False, why), chosen.dataset
    after = chosen.protected.data
    scores = {item.name: item.built.score(sample, after).value for item in dataset.utility}
    spared = _spared(wing, data, chosen.dataset, progress)
    gone = lost_columns(wing.describe(sample), wing.describe(after), shown_cells(wing, after))
    lost = _lost(wing, data, chosen.dataset, gone, base, progress)
    tried = tuple(_tried(trial) for trial in chosen.trials)
    settled = chosen.dataset
    if sample.rows < data.rows:
        words = [
            text if ", by rule: " in text else f"{text} (on the rows tried; a release decides on all of them)"
            for text in settled.chosen
        ]
        settled = replace(settled, chosen=tuple(words))
    partly = tuple(str(one) for one in texts if one.withheld)
    return Outcome(sample.rows, True, "", wing.size(after), scores, lost, spared, tried, partly), settled


def _tried_on_sample(wing: Wing[Data], data: Data, dataset: Dataset, progress: Progress) -> tuple[Data, Chosen[Data]]:
    """The rows that were tried, and what came of it."""
    sample, key = wing.sample(data, SAMPLE), Key.fresh()
    try:
        return sample, choose(wing, sample, dataset, key, progress)
    except Infeasible:
        if sample.rows == data.rows:
            raise
        # What cannot hold on a sample may well hold on the whole.
        return data, choose(wing, data, dataset, key, progress)


def _spared(wing: Wing[Data], data: Data, dataset: Dataset, progress: Progress) -> tuple[str, ...]:
    """On fewer rows the same criteria cost more, with a column and without it: how many were tried is said."""
    sample = wing.sample(trial_data(wing, data), COLUMNS_ROWS)
    where = "" if sample.rows == data.rows else f" (tried on {sample.rows} rows)"
    return tuple(f"{saving}{where}" for saving in savings(wing, sample, dataset, progress=progress))


def _lost(
    wing: Wing[Data], data: Data, dataset: Dataset, columns: Sequence[str], base: Path, progress: Progress
) -> tuple[str, ...]:
    """Each lost column with the cheapest change, tried on a sample, with which it tells something again."""
    words = []
    sample = wing.sample(trial_data(wing, data), RESCUE_ROWS) if columns else data
    where = "" if sample.rows == data.rows else f" (tried on {sample.rows} rows)"
    for column, change in rescues(wing, sample, dataset, columns, base, progress).items():
        saved = UNSAVED if change is None else f"the cheapest change that saves it is {change}{where}"
        words.append(f"{column} would show the same in nearly every row; {saved}")
    return tuple(words)


def _tried(trial: Trial) -> str:
    reached = ", ".join(f"{name} {show(value)}" for name, value in trial.measured.items())
    return f"{trial.what}: {f'holds, {reached}' if trial.holds else trial.why_not}"
