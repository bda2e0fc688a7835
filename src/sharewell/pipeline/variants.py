"""Which variants of a dataset a comparison tries: lists of criteria, mechanisms, and what is drawn of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

from sharewell import registry
from sharewell.errors import PolicyError
from sharewell.findings import Number
from sharewell.parameters import values_of, with_values
from sharewell.pipeline.mechanism_choice import following, rule
from sharewell.policy.algorithms import able, usual_measure
from sharewell.policy.bounds import bounding, is_number
from sharewell.policy.model import Auto, Compare, ConfiguredAlgorithm, Dataset
from sharewell.protocols import AnyCriterion, AnyMeasure, AnyMechanism
from sharewell.wing import Axes, Data, Wing

Built = TypeVar("Built")

USUAL_K = (2, 5, 11, 20)
USUAL_SHARES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
"""What a share or probability is set to beside its own value."""
FACTORS = (Fraction(1, 4), Fraction(1, 2), Fraction(2), Fraction(4))
"""By which any other number is multiplied."""
MECHANISMS = 4
"""This many mechanisms are compared where none is named."""
NO_K = "no criterion of the policy has a k — name lists of criteria under `compare:`"


def lists_of_criteria(dataset: Dataset, section: Compare, k: Sequence[int]) -> list[list[AnyCriterion]]:
    """The lists of criteria to compare, the dataset's own among them unless others are named."""
    own, sizes = dataset.criteria, list(k or section.k)
    if not sizes and not section.require:
        climbing = [i for i, one in enumerate(dataset.require) if one.rungs]
        if climbing:
            i = climbing[0]
            return [[*own[:i], rung.built, *own[i + 1 :]] for rung in dataset.require[i].rungs]
        sized_by = registry.wing(dataset.kind).sized_by
        asked = [size for one in own if (size := _size(one, sized_by)) is not None]
        if not asked and not sized_by:
            # One mechanism that is named with its settings is compared within the policy's own criteria.
            return [own] if len({one.name for one in section.using}) == 1 else _stricter_and_weaker(own)
        sizes = sorted({*USUAL_K, *asked})
        if not asked and own:  # the policy's own list has none
            return [own, *(with_k(dataset.kind, own, size) for size in sizes)]
    lists = [with_k(dataset.kind, own, size) for size in sizes]
    return lists + ([] if k else [[one.built for one in more] for more in section.require])


def with_k(kind: str, criteria: Sequence[AnyCriterion], k: int) -> list[AnyCriterion]:
    """The same criteria with another least class size; one is added where none is asked for."""
    if k < 1:
        raise PolicyError("k must be 1 or more", "compare")
    sized_by = registry.wing(kind).sized_by
    sized = [i for i, one in enumerate(criteria) if _size(one, sized_by) is not None]
    if not sized and not sized_by:
        raise PolicyError(NO_K, "compare")
    if not sized:
        return [registry.lookup(kind, "criteria", sized_by)(k), *criteria]
    return [with_values(one, k=k) if i == sized[0] else one for i, one in enumerate(criteria) if i not in sized[1:]]


def takes_k(dataset: Dataset) -> bool:
    """Some kinds are given a criterion with a k where none is asked for; of others one must have it."""
    sized_by = registry.wing(dataset.kind).sized_by
    return bool(sized_by) or any(_size(one.built, sized_by) is not None for one in dataset.require)


def _size(criterion: AnyCriterion, sized_by: str) -> int | None:
    """Its k, where that is its bound. Where a kind of data names the one criterion that is meant, no other will do."""
    k = values_of(criterion).get("k")
    return k if isinstance(k, int) and sized_by in ("", criterion.name) else None


def _stricter_and_weaker(own: list[AnyCriterion]) -> list[list[AnyCriterion]]:
    """The criteria with other values of the first number that bounds one, wherever it has the same name and value."""
    for one in own:
        key = bounding(one)
        value = None if key is None else values_of(one)[key]
        if key is None or not is_number(value):
            continue
        lists = []
        for number in _around(value):
            try:
                varied = [with_values(c, **{key: number}) if values_of(c).get(key) == value else c for c in own]
            except (ValueError, TypeError):
                continue
            if varied not in lists:
                lists.append(varied)
        if len(lists) > 1:
            return lists
    return [own]


def _around(value: Number) -> list[Number]:
    """The value and some that people would set instead, in order."""
    if isinstance(value, int):
        return sorted({*USUAL_K, value}) if value > 1 else [value]
    if 0 < value < 1:
        others: list[Number] = [*USUAL_SHARES]
    else:
        others = [Fraction(str(value)) * factor for factor in FACTORS]
    of_type = [float(number) if isinstance(value, float) else number for number in others]
    return sorted({*of_type, value})


def matched(mechanism: AnyMechanism, own: Sequence[AnyCriterion], criteria: Sequence[AnyCriterion]) -> AnyMechanism:
    """The mechanism for other criteria than its own: what was set as in a criterion is set as in the other one.

    >>> from sharewell.genomes import DNALA, KIdentical
    >>> matched(DNALA(k=3), [KIdentical(3)], [KIdentical(5)]).k, matched(DNALA(k=4), [KIdentical(3)], [KIdentical(5)]).k
    (5, 4)
    """
    set_to, changes = values_of(mechanism), {}
    for before in own:
        after = next((one for one in criteria if one.name == before.name), before)
        for name, value in values_of(before).items():
            other = values_of(after).get(name)
            if is_number(value) and set_to.get(name) == value and other != value:
                changes[name] = other
    try:
        return with_values(mechanism, **changes) if changes else mechanism
    except (ValueError, TypeError):
        return mechanism


def mechanisms_for(
    wing: Wing[Data],
    data: Data,
    dataset: Dataset,
    section: Compare,
    using: Sequence[str],
    criteria: Sequence[AnyCriterion],
) -> list[AnyMechanism]:
    """Those that are named; else the dataset's own, set in other ways or beside others that can do the same."""
    if using:
        return [built(dataset.kind, "mechanisms", name, configured(dataset, "mechanisms")) for name in using]
    if section.using:
        return [one.built for one in section.using]
    result = {} if isinstance(dataset.using.built, Auto) else {dataset.using.name: dataset.using.built}
    if result and len(several := wing.variants(result[dataset.using.name])) > 1:
        return list(several)
    capable = able(dataset.kind, dataset.criteria)
    while len(result) < MECHANISMS and (left := [one for one in capable if one.name not in result]):
        best, _ = rule(wing, data, left, criteria)
        result[best.name] = best.built
    return list(result.values())


def own_mechanism(wing: Wing[Data], data: Data, dataset: Dataset) -> AnyMechanism | None:
    """What the policy itself would take; None where trials decide it."""
    using = dataset.using.built
    if not isinstance(using, Auto):
        return using
    return None if using.measure is not None else rule(wing, data, using.candidates, dataset.criteria)[0].built


def for_rung(dataset: Dataset, mechanism: AnyMechanism, criteria: Sequence[AnyCriterion]) -> AnyMechanism:
    """The mechanism for one list of criteria, with what is to follow a criterion as strict as utility allows."""
    if mechanism is dataset.using.built and dataset.using.follows:
        rungs = [rung for one in dataset.require for rung in one.rungs]
        rung = next((rung for rung in rungs if rung.built in criteria), None)
        following_it = mechanism if rung is None else following(dataset.using, rung).built
        return mechanism if isinstance(following_it, Auto) else following_it
    return matched(mechanism, dataset.criteria, criteria)


def risk_of(axes: Axes[Any] | None, usual: str, dataset: Dataset, given: str) -> Axes[Any]:
    """The attack that is drawn, and the detail of its finding: as named, as the data's form suggests, or the usual."""
    section = dataset.compare or Compare()
    if not given and section.risk is not None:
        return Axes(section.risk.built, section.risk_part)
    if not given and axes is not None:
        own = [one.built for one in dataset.attacks if one.name == axes.attack.name]
        return replace(axes, attack=own[0]) if own else axes
    name, _, part = (given or usual).partition(".")
    return Axes(built(dataset.kind, "attacks", name, configured(dataset, "attacks")), part)


def measure_of(axes: Axes[Any] | None, dataset: Dataset, given: str) -> AnyMeasure:
    """The measure that is drawn: the one that is promised, unless another is named."""
    section = dataset.compare or Compare()
    if not given and section.measure is not None:
        return section.measure.built
    promised = [one for one in dataset.utility if one.bound is not None]
    if not given and promised:
        return promised[0].built
    own = dataset.using.built.measured_by
    name = given or (axes.measure if axes is not None else "") or own or usual_measure(dataset.kind)
    return built(dataset.kind, "utility", name, dataset.utility)


def configured(dataset: Dataset, room: str) -> Sequence[ConfiguredAlgorithm[Any]]:
    """What the policy names of a room, with parameters."""
    section, using = dataset.compare or Compare(), dataset.using
    if room == "mechanisms":
        return (*(using.built.candidates if isinstance(using.built, Auto) else (using,)), *section.using)
    if room == "attacks":
        return (*dataset.attacks, *([section.risk] if section.risk else []))
    return dataset.utility


def built(kind: str, room: str, name: str, known: Sequence[ConfiguredAlgorithm[Built]]) -> Built:
    """By name: as the policy has it, or with its defaults."""
    for one in known:
        if one.name == name:
            return one.built
    algorithm: Callable[[], Built] = registry.lookup(kind, room, name)
    try:
        return algorithm()
    except TypeError:
        what = f"'{name}' needs parameters — name it with them under `compare:` in the policy"
        raise PolicyError(what, "compare") from None
