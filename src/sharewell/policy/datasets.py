"""`datasets:` — one dataset after the other, each as far as it can be understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from sharewell import registry
from sharewell.errors import PolicyError
from sharewell.io.yaml_positions import Path as Place
from sharewell.io.yaml_positions import dotted
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.algorithms import check_columns, listed, mechanism
from sharewell.policy.bounds import check_promises
from sharewell.policy.columns import columns, needs_subject, role
from sharewell.policy.compare_variants import compare
from sharewell.policy.deviations import Effect, apply, column_rules, published_anyway
from sharewell.policy.doubtful_persons import joined_roles, unusual_lists
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import (
    Auto,
    ColumnRule,
    Compare,
    ConfiguredAlgorithm,
    ConfiguredAttack,
    ConfiguredCriterion,
    ConfiguredMeasure,
    Dataset,
    OwnKeys,
    Profile,
    Publish,
    Using,
)
from sharewell.policy.sources import source
from sharewell.policy.wing_policy import Draft, WingPolicy, dataset_record, policies, policy_of
from sharewell.roles import Role, did_you_mean

PUBLISH = ("none", "within-class", "dataset")


@dataclass(frozen=True)
class Understood:
    """A dataset as far as it could be understood; without mistakes it is complete."""

    dataset: Dataset | None = None
    deviations: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Algorithms:
    require: tuple[ConfiguredCriterion, ...] = ()
    using: Using | None = None
    attacks: tuple[ConfiguredAttack, ...] = ()
    utility: tuple[ConfiguredMeasure, ...] = ()
    compare: Compare | None = None


def dataset(
    reading: MistakeCollector, name: str, given: Json, profile: Profile | None, *, attacked: bool = False
) -> Understood:
    """Read one dataset. Its mistakes are in `reading`; what could be understood is returned all the same.

    attacked: nothing is released, so that no criterion and no mechanism is needed.
    """
    path: Place = ("datasets", name)
    optional = (
        policy_of(given["kind"]).optional if isinstance(given, dict) and isinstance(given.get("kind"), str) else ()
    )
    optional = (*optional, *(("require", "using") if attacked else ()))
    fields = reading.fields(dataset_record(), given, path, optional=optional)
    rules = columns(reading, fields.get("columns", {}), (*path, "columns"))
    read = source(reading, fields["read"], (*path, "read")) if "read" in fields else None
    rest = role(reading, fields["rest"], (*path, "rest")) if "rest" in fields else None
    remarks = list(joined_roles(reading, read, rules, path))
    _check_rest(reading, rest, rules, path)
    publish = _publish(reading, fields, rules, path)
    remarks += column_rules(reading, profile, rules, (*path, "columns")) if profile else []
    remarks += published_anyway(rules, (*path, "columns"))
    kind = _kind(reading, fields, path)
    draft = Draft(reading, name, kind, fields, rules, read, rest, attacked=attacked)
    policy = policy_of(kind)
    own = _own_keys(draft, policy)
    result, effect, decided = _Algorithms(), Effect(), ""
    if kind is not None:
        wanted = policy.criteria_written(draft, given.get("require"))
        require, effect = _criteria(draft, kind, own, wanted, profile, attacked=attacked)
        check_columns(reading, require, draft.rules, draft.having(Role.SENSITIVE), open_ended=rest is not None)
        if "using" in fields:
            fields["using"] = policy.mechanism_written(draft, own, fields["using"])
        result, decided = _algorithms(reading, kind, fields, require, path)
        _check_trails(reading, publish, require, path)
        policy.check_algorithms(draft, own, (*result.require, result.using, *result.attacks, *result.utility))
    decisions = (*effect.decisions, *([f"{dotted(path)}: {decided}"] if decided else []), *draft.decisions)
    if read is None:
        return Understood(None, (*effect.deviations, *remarks, *draft.deviations), decisions)
    built = Dataset(
        name,
        kind or "",
        read,
        draft.rules,
        result.require,
        result.using or ConfiguredAlgorithm("", {}, Auto(())),
        result.attacks,
        result.utility,
        rest,
        publish,
        link=bool(fields.get("link")),
        map=fields.get("map", False),
        compare=result.compare,
        own=own,
        extract=draft.extract,
    )
    remarks += unusual_lists(built, path)
    return Understood(built, (*effect.deviations, *remarks, *draft.deviations), decisions)


def _own_keys(draft: Draft, policy: WingPolicy) -> OwnKeys:
    """What the dataset's kind alone says. Keys of other kinds are mistakes, and are understood all the same."""
    others = [one for one in policies() if one.kind not in (draft.kind, *policy.takes_keys_of)]
    misplaced = [keys for one in others if (keys := one.elsewhere(draft)) is not None]
    own = policy.read(draft)
    policy.check(draft, own)
    if not any(one.without_columns(draft) for one in policies()) and "columns" not in draft.fields:
        state = "is empty" if (*draft.path, "columns") in draft.reading.document.positions else "is missing"
        draft.mistake(("columns",), f"the key 'columns' {state}", "it must be a mapping")
    return misplaced[0] if misplaced and own == OwnKeys() else own


def _kind(reading: MistakeCollector, fields: JsonObject, path: Place) -> str | None:
    kind = fields.get("kind")
    if kind is None or kind in registry.kinds():
        return kind
    try:
        registry.wing(kind)
    except PolicyError as error:
        reading.borrow(error, (*path, "kind"))
    return None


def _criteria(
    draft: Draft, kind: str, own: OwnKeys, given: Json, profile: Profile | None, *, attacked: bool
) -> tuple[tuple[ConfiguredCriterion, ...], Effect]:
    """What the policy requires, then what the profile adds."""
    reading, path, policy = draft.reading, draft.path, policy_of(kind)
    written = listed(reading, kind, "criteria", given if isinstance(given, list) else [], (*path, "require"))
    written = policy.criteria(draft, own, written)
    fixed = [one for one in written if not one.rungs]  # what is left to utility does not replace a threshold
    effect = apply(profile, policy.called(own) or kind, fixed, path, said=not policy.profiled) if profile else Effect()
    misspelt = profile is None and ("profile",) in reading.document.positions
    unpublished = attacked or ("using" in policy.optional and "using" not in draft.fields)
    if not written and not given and not effect.added and not misspelt and not unpublished:
        why = f"profile {profile.name} adds no criterion" if profile else "there is no profile"
        hint = f"sharewell catalogue --kind {kind} --room criteria lists what can be required"
        reading.mistake((*path, "require"), f"nothing is required, and {why}", hint)
    return (*written, *effect.added), effect


def _algorithms(
    reading: MistakeCollector, kind: str, fields: JsonObject, require: tuple[ConfiguredCriterion, ...], path: Place
) -> tuple[_Algorithms, str]:
    attacks = listed(reading, kind, "attacks", fields.get("attacks", []), (*path, "attacks"))
    utility = listed(reading, kind, "utility", fields.get("utility", []), (*path, "utility"))
    using, decided = None, ""
    if "using" in fields:
        using, decided = mechanism(reading, kind, fields["using"], require, (*path, "using"))
    check_promises(reading, require, utility)
    compared = compare(reading, kind, fields["compare"], (*path, "compare")) if "compare" in fields else None
    return _Algorithms(require, using, attacks, utility, compared), decided


def _check_rest(reading: MistakeCollector, rest: Role | None, rules: dict[str, ColumnRule], path: Place) -> None:
    if rest is Role.SUBJECT:
        reading.mistake((*path, "rest"), "rest cannot be subject", "name one person column under `columns`")
    if rest is Role.SHIFT and not _has_subject(rules):
        needs_subject(reading, (*path, "rest"), "shift")


def _has_subject(rules: dict[str, ColumnRule]) -> bool:
    return any(rule.role is Role.SUBJECT for rule in rules.values())


def _publish(reading: MistakeCollector, fields: JsonObject, rules: dict[str, ColumnRule], path: Place) -> Publish:
    """What stands for the subject. A pseudonym that links datasets needs a joint criterion."""
    word = fields.get("publish", "none")
    if isinstance(word, dict):  # its kind of data says what of it is published, or refuses it
        return "none"
    if word not in PUBLISH:
        hint = did_you_mean(word, PUBLISH) or f"known: {', '.join(PUBLISH)}"
        reading.mistake((*path, "publish"), "no such way to publish the subject", hint)
    elif word != "none" and not _has_subject(rules):
        needs_subject(reading, (*path, "publish"), f"publish: {word}")
    if fields.get("link") and not _has_subject(rules):
        needs_subject(reading, (*path, "link"), "link")
    if fields.get("map") and not _has_subject(rules):
        needs_subject(reading, (*path, "map"), "map")
    return cast("Publish", word if word in PUBLISH else "none")


def _check_trails(
    reading: MistakeCollector, publish: Publish, require: tuple[ConfiguredCriterion, ...], path: Place
) -> None:
    """One pseudonym for all rows of a person shows them as one trail, which some criterion must judge."""
    if publish == "dataset" and not any(one.built.judges_trails for one in require):
        what = "one pseudonym for all rows of a person needs a criterion of their trails, and none is required"
        reading.mistake((*path, "publish"), what, "require trail-k-anonymity, or use within-class")
