"""From a name and its parameters to a built criterion, mechanism, attack or measure.

An item of a list is a bare name, or a mapping of one name to its parameters. The parameters are the fields of the
algorithm's dataclass. One rule for evidence: a field named `population`, or annotated as a `Source`, takes a source
mapping such as `{csv: register.csv}`, and one annotated as a list of some sort of source a list of paths. One rule for
columns: a criterion with a field `column` judges sensitive columns. One rule for bounds: a measure takes `at_most` or
`at_least` beside its parameters (see `bounds.py`).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import is_dataclass, replace
from typing import Any

from sharewell import registry
from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.bounds import climb, follow, strictest_of, taken, unbound
from sharewell.policy.mistakes import MistakeCollector, known_fields, required
from sharewell.policy.model import Auto, ConfiguredAlgorithm, ConfiguredCriterion, ConfiguredMechanism, Using
from sharewell.policy.sources import evidence, lists_of_files, several_sources, source, sources
from sharewell.policy.specs import AutoSpec
from sharewell.policy.wing_policy import policy_of
from sharewell.protocols import AnyCriterion, AnyMechanism
from sharewell.roles import did_you_mean

AUTO = "auto"


def usual_measure(kind: str) -> str:
    """By what trials are compared where the policy names no measure."""
    return policy_of(kind).usual_measure


def listed(
    reading: MistakeCollector, kind: str, room: str, items: list[Json], path: Place
) -> tuple[ConfiguredAlgorithm[Any], ...]:
    """Every algorithm of a list that could be built."""
    built = [named(reading, kind, room, item, (*path, i)) for i, item in enumerate(items)]
    good = [one for one in built if one is not None]
    for i, one in enumerate(good):
        if any((one.name, one.parameters, one.rungs) == (o.name, o.parameters, o.rungs) for o in good[:i]):
            reading.mistake(one.at, f"'{one.name}' stands twice with the same parameters", "keep one")
    return tuple(good)


def named(reading: MistakeCollector, kind: str, room: str, item: Json, path: Place) -> ConfiguredAlgorithm[Any] | None:
    """One algorithm, or nothing if there is a mistake in it."""
    split = _split(reading, item, path)
    if split is None:
        return None
    name, given, at = split
    try:
        algorithm = registry.lookup(kind, room, name)
    except PolicyError as error:
        reading.borrow(error, at)
        return None
    if not _has_parameters(algorithm):
        reading.mistake(at, f"'{name}' is not a dataclass, so a policy cannot set its parameters")
        return None
    if room == "utility":
        given, bound = taken(reading, algorithm, given, at)
        one = _build(reading, name, algorithm, given, at)
        return one and replace(one, bound=bound)
    if room == "criteria" and (open_ := strictest_of(given)):
        return climb(reading, name, algorithm, given, open_, at, _build)
    return _build(reading, name, algorithm, given, at)


def _split(reading: MistakeCollector, item: Json, path: Place) -> tuple[str, JsonObject, Place] | None:
    """(name, parameters, where the name stands)."""
    if isinstance(item, str):
        return item, {}, path
    if not isinstance(item, dict) or not item:
        reading.mistake(path, "must be a name, or a name with its parameters", "such as k-anonymity: {k: 5}")
        return None
    name, given = next(iter(item.items()))
    at = (*path, name)
    if len(item) > 1:
        hint = "indent the parameters below the name" if given is None else "begin each name with its own hyphen"
        reading.mistake(at, f"{len(item)} keys where one name was expected", hint)
        return None
    if given is not None and not isinstance(given, dict):
        reading.mistake(at, "parameters must be a mapping", f"such as {name}: {{name: value}}")
        return None
    return name, given or {}, at


def _build(
    reading: MistakeCollector, name: str, algorithm: type, given: JsonObject, at: Place
) -> ConfiguredAlgorithm[Any] | None:
    before = len(reading.mistakes)
    apart, files = evidence(algorithm), lists_of_files(algorithm)
    parameters = reading.fields(algorithm, given, at, noun="parameter", apart=[*apart, *files])
    several = several_sources(algorithm)
    for key in apart:
        if key in parameters:
            read = sources if key in several else source
            parameters[key] = read(reading, parameters[key], (*at, key))
    for key, sort in files.items():
        if key in parameters:
            parameters[key] = _files(reading, sort, parameters[key], (*at, key))
    if len(reading.mistakes) > before:
        return None
    try:
        return ConfiguredAlgorithm(name, parameters, algorithm(**parameters), at=at)
    except PolicyError as error:
        reading.borrow(error, at)
    except (ValueError, TypeError, DataError) as error:
        what = str(error)
        first = what.split(maxsplit=1)[0] if what.strip() else ""
        about = first in parameters
        what = what.replace(f"{first} — ", f"{first}: ", 1) if about else what
        reading.mistake((*at, first) if about else at, what or "a bad value")
    return None


def _files(reading: MistakeCollector, sort: type[Source], given: Json, at: Place) -> list[Source]:
    """A list of paths from the policy on."""
    if not isinstance(given, list) or not all(isinstance(path, str) and path for path in given):
        reading.mistake(at, "must be a list of files", "such as [mine.toml]")
        return []
    return [sort.named(reading.base / path) for path in given]


def check_columns(
    reading: MistakeCollector,
    criteria: Collection[ConfiguredCriterion],
    known: Collection[str],
    sensitive: Collection[str],
    open_ended: bool,
) -> None:
    """Criteria about sensitive columns need them. With `rest:` the columns are known only with the data."""
    for one in criteria:
        if "column" not in known_fields(type(one.built)) or open_ended:
            continue
        wanted = one.built.column
        if wanted is None and not sensitive:
            reading.mistake(one.at, f"'{one.name}' needs a column with the role sensitive", "give one, or leave it out")
        elif wanted is not None and wanted not in known:
            reading.mistake((*one.at, "column"), f"no column '{wanted}' in `columns`", did_you_mean(str(wanted), known))
        elif wanted is not None and wanted not in sensitive:
            reading.mistake((*one.at, "column"), f"column '{wanted}' does not have the role sensitive")


def mechanism(
    reading: MistakeCollector, kind: str, given: Json, criteria: Collection[ConfiguredCriterion], path: Place
) -> tuple[Using | None, str]:
    """The mechanism and, where it was left to us, what was decided."""
    if given == AUTO or (isinstance(given, dict) and list(given) == [AUTO]):
        wanted = given[AUTO] if isinstance(given, dict) else None
        if wanted is not None:
            return _by_trial(reading, kind, wanted, criteria, (*path, AUTO))
        return _by_rule(reading, kind, criteria, path)
    given, follows = _following(reading, given, criteria, path)
    chosen = named(reading, kind, "mechanisms", given, path)
    if chosen is not None:
        chosen = replace(chosen, follows=follows)
        _check_able(reading, chosen, criteria, path)
    return chosen, ""


def _following(
    reading: MistakeCollector, given: Json, criteria: Collection[ConfiguredCriterion], path: Place
) -> tuple[Json, tuple[str, ...]]:
    """What `using` says, with parameters that follow a criterion at its weakest; and which these are."""
    if not isinstance(given, dict) or len(given) != 1:
        return given, ()
    [(name, parameters)] = given.items()
    if not isinstance(parameters, dict) or not strictest_of(parameters):
        return given, ()
    values, follows = follow(reading, parameters, list(criteria), (*path, name))
    return {name: values}, follows


def _check_able(
    reading: MistakeCollector, chosen: ConfiguredMechanism, criteria: Collection[ConfiguredCriterion], path: Place
) -> None:
    for one in criteria:
        if not registry.compatible(type(chosen.built), type(one.built)):
            what = f"'{chosen.name}' cannot make '{one.name}' hold"
            reading.mistake(path if one.from_profile else one.at, what, "choose another mechanism, or using: auto")


def able(kind: str, criteria: Collection[AnyCriterion], at: Place = ()) -> tuple[ConfiguredMechanism, ...]:
    """Every mechanism that makes all these criteria hold by itself, with its defaults, in order of their names.

    One that falsifies data, or that only looks afterwards whether the criteria hold, is for people to choose.
    """
    result, trails = [], any(one.judges_trails for one in criteria)
    for entry in registry.entries(kind, "mechanisms"):
        candidate = entry.load()
        fits = _has_parameters(candidate) and all(registry.compatible(candidate, type(one)) for one in criteria)
        fits = fits and (trails or not candidate.for_trails)
        if fits and trusted(candidate) and not any(map(required, known_fields(candidate).values())):
            result.append(ConfiguredAlgorithm(entry.name, {}, candidate(), at=at))
    return tuple(result)


def trusted(algorithm: type[AnyMechanism]) -> bool:
    """May `auto` take this mechanism?"""
    engines = (algorithm.engine,) if isinstance(algorithm.engine, str) else algorithm.engine
    return "check" not in engines and not algorithm.falsifies


def _by_rule(
    reading: MistakeCollector, kind: str, criteria: Collection[ConfiguredCriterion], path: Place
) -> tuple[Using | None, str]:
    candidates = able(kind, [one.built for one in criteria], path)
    if not candidates:
        wanted = ", ".join(one.name for one in criteria) or "the criteria"
        reading.mistake(path, f"no mechanism can make all of these hold: {wanted}", "leave one out")
        return None, ""
    names = ", ".join(one.name for one in candidates)
    sentence = f"using: auto chooses by criteria and data among {names} (`sharewell plan` says which, and why)"
    return ConfiguredAlgorithm(AUTO, {}, Auto(candidates), at=path), sentence


def _by_trial(
    reading: MistakeCollector, kind: str, given: Json, criteria: Collection[ConfiguredCriterion], path: Place
) -> tuple[Using | None, str]:
    """Only the mechanisms named; each of them must be able."""
    before = len(reading.mistakes)
    fields = reading.fields(AutoSpec, given, path)
    candidates = listed(reading, kind, "mechanisms", fields.get("among", []), (*path, "among"))
    for one in candidates:
        _check_able(reading, one, criteria, one.at)
        if not trusted(type(one.built)):
            reading.mistake(one.at, f"auto never takes '{one.name}', which falsifies data", "name it under `using`")
    if fields.get("among") == []:
        reading.mistake((*path, "among"), "there is nothing to try", "such as among: [mondrian, k-member]")
    measure = named(reading, kind, "utility", fields.get("measure", usual_measure(kind)), (*path, "measure"))
    unbound(reading, measure, (*path, "measure"))
    if len(reading.mistakes) > before or measure is None:
        return None, ""
    names = ", ".join(one.name for one in candidates)
    sentence = (
        f"using: auto tries {names} and takes the one with the best {measure.name} among those that meet the criteria"
    )
    return ConfiguredAlgorithm(AUTO, {}, Auto(candidates, measure), at=path), sentence


def _has_parameters(algorithm: object) -> bool:
    return isinstance(algorithm, type) and is_dataclass(algorithm)
