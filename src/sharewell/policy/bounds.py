"""Promises about utility: a measure with a bound, and a criterion that is as strict as the bounds allow.

Every measure takes `at_most` (or `at_least`, where more is better) beside its own parameters. One parameter of one
criterion may be `strictest`, or `{strictest: [values]}`: the strictest value is taken with which every bound is kept.
A parameter of the mechanism may be `strictest` too: it has the value of the criterion's parameter of the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, TypeGuard, get_args

from annotated_types import Interval

from sharewell.findings import Number
from sharewell.io.yaml_positions import Path as Place
from sharewell.number_format import show
from sharewell.parameters import problem, values_of
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.mistakes import MistakeCollector, hints_of, known_fields
from sharewell.policy.model import Bound, ConfiguredCriterion, ConfiguredMeasure
from sharewell.protocols import AnyCriterion, AnyMeasure

KEYS = {"at_most": "≤", "at_least": "≥"}
STRICTEST = "strictest"
WHOLE = (2, 3, 4, 5, 6, 8, 11, 14, 20, 30, 50, 75, 100, 200, 500, 1000)
"""What `strictest` tries for a whole number: the customary least class sizes, and steps between and above them."""
SHARES = (0.9, 0.75, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.075, 0.05, 0.02, 0.01)
"""What it tries for a share or probability."""
ABOVE = (20, 10, 5, 3, 2, 1.5, 1)
"""What it tries besides where a number may be above 1, as the ε of differential privacy."""
Promise = Annotated[Fraction, Interval(ge=0, le=10**15)]
"""A bound on a measure. The largest is enough for any, and a number that every reader of the certificate can hold."""

Build = Callable[[MistakeCollector, str, type, JsonObject, Place], ConfiguredCriterion | None]


def taken(
    reading: MistakeCollector, measure: type[AnyMeasure], given: JsonObject, at: Place
) -> tuple[JsonObject, Bound | None]:
    """A measure's own parameters, and the bound that stands among them."""
    asked = [key for key in KEYS if key in given and key not in known_fields(measure)]
    rest = {key: value for key, value in given.items() if key not in asked}
    bound = None
    for key in asked:
        path = (*at, key)
        if KEYS[key] != measure.sense:
            better, other = ("less", "at_most") if key == "at_least" else ("more", "at_least")
            reading.mistake(path, f"{key} bounds the wrong side: of '{at[-1]}' {better} is better", f"use {other}")
            continue
        before = len(reading.mistakes)
        value = reading.typed(Fraction, given[key], path)
        if len(reading.mistakes) > before:
            continue
        if wrong := problem(Promise, Fraction(value)):
            reading.mistake(path, f"{key} {wrong}")
            continue
        bound = Bound(measure.sense, Fraction(value))
    return rest, bound


def unbound(reading: MistakeCollector, measure: ConfiguredMeasure | None, at: Place) -> None:
    """A bound promises something only under `utility`; anywhere else it would be followed by nobody."""
    if measure is not None and measure.bound is not None:
        reading.mistake(at, f"a bound on '{measure.name}' promises nothing here", "set it under `utility`")


def strictest_of(given: JsonObject) -> list[str]:
    """The parameters that are left to the bounds on utility."""
    return [
        key
        for key, value in given.items()
        if value == STRICTEST or (isinstance(value, dict) and list(value) == [STRICTEST])
    ]


def climb(
    reading: MistakeCollector,
    name: str,
    criterion: type[AnyCriterion],
    given: JsonObject,
    open_: Sequence[str],
    at: Place,
    build: Build,
) -> ConfiguredCriterion | None:
    """The criterion at each value to be tried, from the weakest to the strictest."""
    key = open_[0]
    path = (*at, key)
    if len(open_) > 1:
        reading.mistake((*at, open_[1]), "a second parameter that is strictest", "leave one to utility, set the other")
        return None
    listed = given[key][STRICTEST] if isinstance(given[key], dict) else None
    if listed is not None and (not isinstance(listed, list) or not listed):
        reading.mistake((*path, STRICTEST), "must be a list of values to try", f"such as {key}: {{strictest: [5, 11]}}")
        return None
    hint = hints_of(criterion).get(key)
    edges = (SHARES[0], ABOVE[-2])
    fits = [build(replace(reading, mistakes=[]), name, criterion, {**given, key: value}, at) for value in edges]
    unlimited = all(one is not None for one in fits)
    shares = (*ABOVE, *SHARES) if unlimited else SHARES
    usual = [WHOLE] if int in (hint, *get_args(hint)) else [shares, WHOLE]
    criteria: list[ConfiguredCriterion] = []
    wrong: list[Json] = []
    for values in usual if listed is None else [listed]:
        for value in values if not criteria else ():  # what is no share, as the l of entropies, may be a whole number
            trial = replace(reading, mistakes=[])
            one = build(trial, name, criterion, {**given, key: value}, at)
            criteria += [one] if one is not None else []
            wrong += trial.mistakes
    if wrong and (listed or not criteria):
        reading.mistakes += list(dict.fromkeys(wrong))
        return None
    values = [one.parameters[key] for one in criteria]
    if twice := [value for value in values if values.count(value) > 1]:
        reading.mistake((*path, STRICTEST), f"lists {show(twice[0])} twice", "list each value once")
        return None
    if not criteria:
        return None
    sets_bound = len(criteria) == 1 or len({one.built.bound for one in criteria}) > 1
    if not sets_bound and criteria[0].built.relaxes != key:
        reading.mistake(path, "strictest is for the parameter that sets the bound", "give this one a value")
        return None
    strictness = (lambda one: one.built.bound) if sets_bound else (lambda one: one.parameters[key])
    rungs = sorted(criteria, key=strictness, reverse=criteria[0].built.tightens == "≤")
    return replace(rungs[0], rungs=tuple(rungs))


def bounding(criterion: AnyCriterion) -> str | None:
    """The parameter by which a criterion asks for more or less: the one that is its bound, or that can give way."""
    numbers = {name: value for name, value in values_of(criterion).items() if is_number(value)}
    named = [name for name, value in numbers.items() if exactly(value) == exactly(criterion.bound)]
    named = named or [name for name in (criterion.relaxes,) if name in numbers]
    return named[0] if named else None


def is_number(value: object) -> TypeGuard[Number]:
    return isinstance(value, int | Fraction | float) and not isinstance(value, bool)


def exactly(value: Number) -> Fraction:
    """As people write it: 0.05 is a twentieth."""
    return Fraction(str(value)) if isinstance(value, float) else Fraction(value)


def follow(
    reading: MistakeCollector, given: JsonObject, require: Sequence[ConfiguredCriterion], at: Place
) -> tuple[JsonObject, tuple[str, ...]]:
    """A mechanism's parameters with the value of the weakest rung where one is `strictest`, and which these are."""
    climbing = [one for one in require if one.rungs]
    follows, values = [], dict(given)
    for key in strictest_of(given):
        if given[key] != STRICTEST:
            reading.mistake((*at, key), "the values to try belong to the criterion", f"say {key}: strictest here")
        elif not climbing or climbing[0].rungs[0].parameters.get(key) == climbing[0].rungs[-1].parameters.get(key):
            what = f"{key}: strictest takes the value that a criterion reaches, and no criterion has {key}: strictest"
            reading.mistake((*at, key), what, f"say {key}: strictest under `require` too, or set a value")
        else:
            values[key] = climbing[0].parameters[key]
            follows.append(key)
    return values, tuple(follows)


def check_promises(
    reading: MistakeCollector, require: Sequence[ConfiguredCriterion], utility: Sequence[ConfiguredMeasure]
) -> None:
    """`strictest` needs a bound on utility that stops it, and one criterion at a time can be stopped by it."""
    climbing = [one for one in require if one.rungs]
    for one in climbing[1:]:
        reading.mistake(one.at, f"'{climbing[0].name}' is to be the strictest already", "set a value here")
    if climbing and not any(one.bound for one in utility):
        hint = "such as utility: [ncp: {at_most: 0.3}]"
        reading.mistake(climbing[0].at, "strictest needs a bound on utility, or nothing would be left", hint)
