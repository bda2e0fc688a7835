"""Choosing: protect a dataset where the policy leaves the mechanism, or how strict a criterion is, to the data.

Three modes, told by the policy alone. *Privacy-bound*: the criteria are given, and little loss is sought. *Both*: the
measures have bounds too, and a release that costs more is refused. *Utility-bound*: one parameter is `strictest`, and
the strictest value is taken that keeps every bound. Whatever is chosen is recorded as if it had been written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic

from sharewell.errors import Infeasible, PolicyError
from sharewell.findings import Finding, float_of
from sharewell.keys import Key
from sharewell.number_format import show
from sharewell.parameters import with_values
from sharewell.pipeline import sized_steps
from sharewell.plain_data import Json
from sharewell.policy.model import (
    Auto,
    Bound,
    ConfiguredCriterion,
    ConfiguredMeasure,
    ConfiguredMechanism,
    Dataset,
    Policy,
    Using,
)
from sharewell.progress import Progress
from sharewell.protocols import AnyMeasure, Criteria, Protected
from sharewell.wing import Data, Wing


@dataclass(frozen=True)
class Trial:
    """One way that was tried, and what came of it; for the steward alone."""

    what: str
    holds: bool
    measured: dict[str, float | None]
    why_not: str = ""


@dataclass(frozen=True)
class Chosen(Generic[Data]):
    """A dataset as it was protected in the end, with every choice made, and why."""

    dataset: Dataset
    protected: Protected[Data]
    scores: Mapping[int, Finding]
    """Measures that have a bound, by their place under `utility`."""
    trials: tuple[Trial, ...] = field(default=())


def choose(
    wing: Wing[Data], data: Data, dataset: Dataset, key: Key, progress: Progress = lambda step: None
) -> Chosen[Data]:
    """Protect as the policy says, deciding what it leaves open. Raises Infeasible if no way keeps every bound."""
    climbing = next((i for i, one in enumerate(dataset.require) if one.rungs), None)
    if climbing is None:
        return _mechanism(wing, data, dataset, key, progress)
    rungs, trials = dataset.require[climbing].rungs, []

    def attempt(step: int) -> Chosen[Data]:
        rung, what = rungs[step], _rung(rungs, step)
        progress(f"trying {dataset.name} with {what}")
        require = tuple(rung if i == climbing else one for i, one in enumerate(dataset.require))
        tried = replace(dataset, require=require, using=following(dataset.using, rung))
        try:
            result = _mechanism(wing, data, tried, key, progress)
        except Infeasible as error:
            trials.append(Trial(what, False, {}, _why(error)))
            raise
        trials.append(Trial(what, True, _values(result.dataset, result.scores)))
        return result

    low, high, result = 0, len(rungs), attempt(0)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            low, result = middle, attempt(middle)
        except Infeasible:
            high = middle
    words = [_climbed(rungs, low, dataset.utility), *result.dataset.chosen]
    settled = replace(result.dataset, chosen=tuple(words))
    return replace(result, dataset=settled, trials=(*trials, *result.trials))


def following(using: Using, rung: ConfiguredCriterion) -> Using:
    """The mechanism with those parameters as the criterion has them that are to follow it."""
    if not using.follows or isinstance(using.built, Auto):
        return using
    values = {name: rung.parameters[name] for name in using.follows}
    return replace(using, parameters={**using.parameters, **values}, built=with_values(using.built, **values))


def settled(policy: Policy, datasets: Mapping[str, Dataset]) -> Policy:
    """The policy with every choice made: what is published, and what the certificate is held against."""
    decisions = [text for text in policy.decisions if ": using: auto " not in text]
    for name, one in datasets.items():
        decisions += [f"datasets.{name}: {text}" for text in one.chosen]
    return replace(policy, datasets=dict(datasets), decisions=tuple(decisions))


def held(finding: Finding, bound: Bound | None) -> Finding:
    """A measure's finding, judged by what the policy promises. Without a value it is undecided, and so fails."""
    if bound is None:
        return finding
    judged = Finding.judge(finding.name, finding.value, bound.sense, bound.value)
    return replace(finding, bound=bound.value, sense=bound.sense, ok=judged.ok)


def rule(
    wing: Wing[Data], data: Data, candidates: Sequence[ConfiguredMechanism], criteria: Criteria[Data]
) -> tuple[ConfiguredMechanism, str]:
    """The first of the wing's preferences that can, and why."""
    able = {one.name: one for one in candidates}
    for name, reason in wing.preferences(data, criteria):
        if name in able:
            return able[name], reason
    return candidates[0], "it can make these criteria hold"


def by_rule(wing: Wing[Data], data: Data, dataset: Dataset) -> Dataset:
    """The dataset with its mechanism chosen, where that is left to the rule."""
    auto = dataset.using.built
    if not isinstance(auto, Auto) or auto.measure is not None:
        return dataset
    using, reason = rule(wing, data, auto.candidates, dataset.criteria)
    words = f"using: auto chose {using.name} by rule: {reason}"
    return replace(dataset, using=using, chosen=(words,))


def better(measure: AnyMeasure, one: Finding, other: Finding | None) -> bool:
    """Did the measure come out better? What has no value is never better."""
    if one.value is None:
        return False
    if other is None or other.value is None:
        return True
    return one.value > other.value if measure.sense == "≥" else one.value < other.value


def as_written(name: str, parameters: Mapping[str, Json]) -> str:
    """An algorithm as the policy writes it."""
    inside = ", ".join(f"{key}: {value}" for key, value in parameters.items())
    return f"{name}: {{{inside}}}" if inside else name


def _mechanism(wing: Wing[Data], data: Data, dataset: Dataset, key: Key, progress: Progress) -> Chosen[Data]:
    auto = dataset.using.built
    if not isinstance(auto, Auto):
        return _protected(wing, data, dataset, key, progress)
    if auto.measure is not None:
        return _by_trial(wing, data, dataset, auto, key, progress)
    return _protected(wing, data, by_rule(wing, data, dataset), key, progress)


def _by_trial(wing: Wing[Data], data: Data, dataset: Dataset, auto: Auto, key: Key, progress: Progress) -> Chosen[Data]:
    """Every mechanism named, on the data itself; the first of those that come out best."""
    assert auto.measure is not None
    best: Chosen[Data] | None = None
    score: Finding | None = None
    trials: list[Trial] = []
    refused: list[PolicyError] = []
    for one in auto.candidates:
        what = as_written(one.name, one.parameters)
        progress(f"trying {dataset.name} with {what}")
        try:
            chosen = _protected(wing, data, replace(dataset, using=one), key, progress)
        except (Infeasible, PolicyError) as error:  # what one mechanism cannot follow, as a style, another may
            trials.append(Trial(what, False, {}, _why(error)))
            refused += [error] if isinstance(error, PolicyError) else []
            continue
        reached = auto.measure.built.score(data, chosen.protected.data)
        measured = _values(dataset, chosen.scores) | {auto.measure.name: float_of(reached)}
        trials.append(Trial(what, True, measured))
        if best is None or better(auto.measure.built, reached, score):
            best, score = chosen, reached
    if best is None and len(refused) == len(trials):
        raise refused[0]
    if best is None:
        blocking = [f"{trial.what}: {trial.why_not}" for trial in trials]
        raise Infeasible(f"{dataset.name} — none of the mechanisms tried keeps the policy", blocking=blocking)
    others = [one.name for one in auto.candidates if one is not best.dataset.using]
    best_of = f"of the mechanisms that meet the criteria, it has the best {auto.measure.name}"
    words = f"using: auto chose {best.dataset.using.name} by trial: {best_of}"
    words += f" (tried beside it: {', '.join(others)})" if others else ""
    return replace(best, dataset=replace(best.dataset, chosen=(words,)), trials=tuple(trials))


def _protected(wing: Wing[Data], data: Data, dataset: Dataset, key: Key, progress: Progress) -> Chosen[Data]:
    """Protect, then hold the result against what the policy promises about utility."""
    progress(sized_steps.protecting(dataset, data))
    protected = wing.protect(data, dataset, key)
    scores = {
        i: held(one.built.score(data, protected.data), one.bound)
        for i, one in enumerate(dataset.utility)
        if one.bound is not None
    }
    failed = [str(finding) for finding in scores.values() if finding.failed]
    if failed:
        what = f"{dataset.name} — {dataset.using.name} makes every criterion hold, but the cost is above its bound"
        raise Infeasible(what, blocking=failed)
    return Chosen(dataset, protected, scores)


def _climbed(rungs: Sequence[ConfiguredCriterion], step: int, utility: Sequence[ConfiguredMeasure]) -> str:
    bounds = " and ".join(f"{one.name} {one.bound.sense} {show(one.bound.value)}" for one in utility if one.bound)
    words = f"{_rung(rungs, step)} is the strictest tried that keeps {bounds}"
    if rungs[step].built.needs_evidence:  # what others would have hidden tells of cells that stay hidden
        return words
    if step + 1 < len(rungs):
        return f"{words}; the next, {_rung(rungs, step + 1)}, does not"
    return f"{words}; nothing stricter was to be tried"


def _rung(rungs: Sequence[ConfiguredCriterion], step: int) -> str:
    """A rung by the parameter in which it differs from the others."""
    first, last, one = rungs[0].parameters, rungs[-1].parameters, rungs[step]
    own = [f"{key} = {show(value)}" for key, value in one.parameters.items() if first.get(key) != last.get(key)]
    return f"{one.name} with {', '.join(own)}" if own else one.name


def _why(error: Infeasible | PolicyError) -> str:
    """What blocks, in one line."""
    if isinstance(error, PolicyError):
        return "; ".join(str(mistake) for mistake in error.mistakes)
    return "; ".join(error.blocking) or str(error).splitlines()[0]


def _values(dataset: Dataset, scores: Mapping[int, Finding]) -> dict[str, float | None]:
    return {dataset.utility[i].name: float_of(finding) for i, finding in scores.items()}
