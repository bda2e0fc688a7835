"""What a release risks and costs: risks before, attacks before and after, and measures of utility; for internal/."""

from __future__ import annotations

from dataclasses import replace

from sharewell.algorithm import PolicyError, Truth
from sharewell.findings import Finding, json_details
from sharewell.pipeline import sized_steps
from sharewell.pipeline.mechanism_choice import Chosen
from sharewell.pipeline.verdict_facts import AGAINST
from sharewell.plain_data import JsonObject
from sharewell.policy.model import ConfiguredAlgorithm, ConfiguredAttack, Dataset
from sharewell.policy.redact import shown_parameters
from sharewell.policy.sources import evidence
from sharewell.progress import PartsOf, Progress
from sharewell.wing import Data, Wing

FALSIFIED = "values are falsified on purpose: a measure that reads published cells as true tells too little"


def measure(
    wing: Wing[Data], original: Data, chosen: Chosen[Data], progress: Progress = lambda step: None
) -> JsonObject:
    """Everything that internal/ keeps of one dataset, as plain JSON."""
    dataset, protected = chosen.dataset, chosen.protected
    after = protected.data
    attacks, scored = _attacked_and_scored(wing, original, chosen, progress)
    size = wing.size(original)
    before_columns, after_columns = wing.describe(original), wing.describe(after)
    listed = wing.listed_values(original, protected)
    exact = {name: {"exact_share": one.exact / one.labels} for name, one in listed.items() if one.labels}
    columns = {}
    for name, facts in before_columns.items():
        columns[name] = {
            **facts,
            "distinct_before": facts.get("distinct"),
            "distinct_after": after_columns.get(name, {}).get("distinct"),
            "missing_before": facts.get("missing"),
            **exact.get(name, {}),
        }
    details = json_details(protected.details)
    examples, statement = wing.examples(dataset), wing.statement(dataset)
    return {
        "kind": dataset.kind,
        "before": {**size, "risks": [risk.to_json() for risk in wing.risks(original)]},
        "after": {**wing.size(after), **{k: v for k, v in details.items() if k.startswith("suppressed")}},
        "risks_after": [risk.to_json() for risk in wing.risks(after)],
        "columns": columns,
        "attacks": attacks,
        "utility": [finding.to_json() for finding in scored],
        "mechanism": {
            "name": dataset.using.name,
            "parameters": shown_parameters(dataset.using),
            "details": details,
            "chosen": list(dataset.chosen),
            "tried": json_details(chosen.trials),
        },
        **({"examples": examples} if examples else {}),
        **({"statement": statement} if statement else {}),
    }


def _attacked_and_scored(
    wing: Wing[Data], original: Data, chosen: Chosen[Data], progress: Progress
) -> tuple[list[JsonObject], list[Finding]]:
    """Attacks before and after, and measures; a wing may choose a part where the whole would take too long."""
    dataset = chosen.dataset
    original, protected, part = wing.attacked_part(original, chosen.protected)
    after, truth = protected.data, protected.truth(original)
    attacks = []
    by_default = _default_attacks(wing, dataset, after)
    parts = len(dataset.attacks) + len(by_default) + len(dataset.utility)
    begin = PartsOf(f"attacking and measuring {dataset.name}", parts, progress)
    size = sized_steps.cells(dataset, original)
    for item in (*dataset.attacks, *by_default):
        begin(item.name, sized_steps.algorithm_work(dataset.kind, item.name), size)
        # An attacker who knows how releases are made learns the mechanism and the criteria of this one.
        attack = replace(item, built=item.built.knowing(dataset.mechanism, dataset.criteria))
        # What an attack can only do to a release (to chunks, say) has no "before"; default attacks stay cheap.
        released_only = item in by_default or item.built.released_only
        before = None if released_only else _unprotected(wing, item, original, after)
        claim = {key: value for key, value in item.parameters.items() if isinstance(value, str | int | float)}
        mounted = _noted(_mounted(attack, after, truth), part)
        results = {"before": before and _noted(before, part).to_json(), "after": mounted.to_json()}
        against = [key for key in evidence(type(item.built)) if item.parameters.get(key) is not None]
        named = {**({"parameters": claim} if claim else {}), **({AGAINST: against} if against else {})}
        attacks.append({"name": item.name, **named, **results})
    known = chosen.scores
    scored = []
    for i, one in enumerate(dataset.utility):
        begin(one.name, sized_steps.algorithm_work(dataset.kind, one.name), size)
        scored.append(known[i] if i in known else _noted(one.built.score(original, after), part))
    falsified = FALSIFIED if dataset.mechanism.falsifies else ""
    return attacks, [_noted(one, falsified) for one in scored]


def _default_attacks(wing: Wing[Data], dataset: Dataset, released: Data) -> list[ConfiguredAttack]:
    """Attacks that every release of this kind has to stand, whether the policy asks for them or not."""
    asked = {item.name for item in dataset.attacks}
    return [
        ConfiguredAlgorithm(attack.name, {}, attack)
        for attack in wing.default_attacks(dataset, released)
        if attack.name not in asked
    ]


def _noted(finding: Finding, words: str) -> Finding:
    return replace(finding, note=f"{finding.note}; {words}".lstrip("; ")) if words else finding


def _unprotected(wing: Wing[Data], attack: ConfiguredAttack, original: Data, after: Data) -> Finding:
    """An attack on the original, or on what a wing would publish of it in the same form without protection."""
    plain, truth = wing.unprotected_form(original, after, attack.built)
    if truth is not None:
        return _mounted(attack, plain, truth)
    finding: Finding = attack.built.mount(plain)
    return finding


def _mounted(attack: ConfiguredAttack, after: Data, truth: Truth[Data]) -> Finding:
    """An attack on the release. One that ran on the original, but not on what is published, has no result to report."""
    try:
        finding: Finding = attack.built.mount(after, truth)
        return finding
    except PolicyError as error:
        return Finding(attack.name, None, note=error.mistakes[0].what)
