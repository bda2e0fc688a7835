"""What the public certificate carries of a policy: what was done, without paths, secrets or what stays inside.

Names of dropped columns, and of a subject that is not published, are counted and not shown. Sources are shown by hash.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from fractions import Fraction

from sharewell.errors import DataError
from sharewell.io.cleaning import cleaning_digest
from sharewell.io.sources import Source, sources_in
from sharewell.parameters import values_of
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.copied_files import CopiedFiles
from sharewell.policy.mistakes import known_fields
from sharewell.policy.model import (
    Auto,
    ColumnRule,
    Configured,
    ConfiguredMeasure,
    Dataset,
    PersonTie,
    Policy,
    Profile,
    Release,
    several_pseudonyms,
)
from sharewell.policy.people import labels_of_counted, labels_of_people, labels_of_subjects
from sharewell.protocols import Algorithm, NamesOfPeople
from sharewell.roles import Role

_UNSEEN = (Role.DROP, Role.SUBJECT)


def redacted(policy: Policy, names: Mapping[str, NamesOfPeople | None] | None = None) -> JsonObject:
    """Plain JSON; the same policy and the same sources give the same content. names: of a dataset's people."""
    copied = CopiedFiles.of(policy)
    people, subjects = labels_of_people(policy, names or {}, copied), labels_of_subjects(policy, names)
    alike = _names_in_common(policy, copied)
    counted = labels_of_counted(names or {})
    return {
        "release": _release(policy.release),
        "profile": None if policy.profile is None else _profile(policy.profile),
        "deviations": list(policy.deviations),
        "decisions": list(policy.decisions),
        **({} if policy.person is None else {"person": _person(policy.person)}),
        "datasets": {
            name: {**_dataset(dataset, alike[name]), "people": people[name], "subjects": subjects[name]}
            | ({"counted": counted[name]} if name in counted else {})
            for name, dataset in policy.datasets.items()
        },
    }


def _person(person: PersonTie) -> JsonObject:
    """Without the column that names persons."""
    using = {} if person.using is None else {"using": _named(person.using)}
    return {"table": person.table, "require": [_named(one) for one in person.require], **using}


def _release(release: Release) -> JsonObject:
    """Without the folders in which earlier releases lie; the certificate names those by themselves."""
    claimed = {"same_identifiers": True} if release.same_identifiers else {}
    return {"name": release.name, "recipient": release.recipient, "context": release.context, **claimed}


def shown_parameters(one: Configured) -> JsonObject:
    """The parameters that a policy gives an algorithm, sources by their hash."""
    return {name: _value(value) for name, value in one.parameters.items()}


def _profile(profile: Profile) -> JsonObject:
    return {"name": profile.name, "title": profile.title, "citation": profile.citation, "notes": list(profile.notes)}


def _names_in_common(policy: Policy, copied: CopiedFiles) -> dict[str, dict[str, str]]:
    """Dataset → published column → the name under which another dataset publishes the same column of a copy.

    That is its name in the file of the first dataset that publishes it; names of columns that none publishes stay out.
    """
    shown: dict[tuple[tuple[int, ...], str], str] = {}
    results: dict[str, dict[str, str]] = {}
    for name, dataset in policy.datasets.items():
        first, results[name] = copied.first_names(dataset), {}
        for column, rule in dataset.columns.items():
            in_file = dataset.read.columns.get(column, column)
            if _is_seen(rule, dataset):
                public = shown.setdefault((tuple(copied.labels[name]), first.get(column, in_file)), in_file)
                if public != in_file:
                    results[name][column] = public
    return results


def _dataset(dataset: Dataset, alike: Mapping[str, str]) -> JsonObject:
    seen = {name: rule for name, rule in dataset.columns.items() if _is_seen(rule, dataset)}
    plain: JsonObject = {
        "kind": dataset.kind,
        "columns": {name: _column(rule) for name, rule in seen.items()},
        "columns_not_published": len(dataset.columns) - len(seen),
        "subject": dataset.publish,
        **({"tied": True} if dataset.tied else {}),
        "persons": _persons(dataset),
        "require": [{**_named(one), "from_profile": one.from_profile} for one in dataset.require],
        "using": _named(dataset.using),
    }
    promised = [one for one in dataset.utility if one.bound is not None]
    if promised:
        plain["utility"] = [_promise(one) for one in promised]
    renamed = {
        ours: theirs
        for ours, theirs in dataset.read.columns.items()
        if ours != theirs and (ours in seen or (ours not in dataset.columns and _rest_is_seen(dataset)))
    } | {ours: theirs for ours, theirs in alike.items() if ours != theirs}
    if renamed:  # two datasets may publish one column under two names
        plain["renamed"] = renamed
    if dataset.rest is not None:
        plain["rest"] = str(dataset.rest)
    if dataset.own.unit != "person":
        plain["unit"] = dataset.own.unit
    return plain


def _promise(one: ConfiguredMeasure) -> JsonObject:
    """What the policy promises about a measure."""
    assert one.bound is not None
    return {**_named(one), "sense": one.bound.sense, "bound": str(one.bound.value)}


def _persons(dataset: Dataset) -> str:
    """Where persons can be counted: in the published file, in internal/, or nowhere because none are known."""
    if dataset.read.is_dna:
        return "internal"  # such a file names its persons itself
    if dataset.own.persons_in is not None:
        return dataset.own.persons_in
    if not any(rule.role is Role.SUBJECT for rule in dataset.columns.values()):
        return "none"
    if dataset.link:
        return "linked"
    if dataset.publish == "none" or (dataset.publish == "dataset" and several_pseudonyms(dataset.using)):
        return "internal"
    return "published"


def _is_seen(rule: ColumnRule, dataset: Dataset) -> bool:
    return rule.role not in _UNSEEN or (rule.role is Role.SUBJECT and dataset.publish != "none")


def _rest_is_seen(dataset: Dataset) -> bool:
    """Are columns published that the policy does not name?"""
    return dataset.rest is not None and dataset.rest not in _UNSEEN


def _column(rule: ColumnRule) -> JsonObject:
    plain: JsonObject = {"role": str(rule.role)}
    if rule.hierarchy is not None:
        plain["hierarchy"] = _hierarchy(rule.hierarchy)
    if rule.type is not None:
        plain["type"] = rule.type
    if rule.style is not None:
        plain["style"] = rule.style.name
    if rule.anyway:
        plain["anyway"] = True
    if rule.role is Role.SHIFT:
        plain |= {"most_days": rule.most_days, "time": rule.time}
    if rule.using is not None:
        plain |= {"using": _named(rule.using), "require": [_named(one) for one in rule.require]}
    return plain


def _hierarchy(spec: Json) -> str:
    """A built-in by its name; one of the steward's own without its file and values."""
    if isinstance(spec, str):
        return spec
    kinds = [key for key in spec if key != "on_gap"]
    return "of its own" if {"csv", "order"} & set(kinds) or len(kinds) != 1 else str(kinds[0])


def _named(one: Configured) -> JsonObject:
    """The parameters in force, given or by default."""
    if isinstance(one.built, Auto):  # before the data was read
        return {"name": one.name, "parameters": {}}
    parameters = {name: _value(value) for name, value in _in_force(one, one.built).items()}
    for name in one.built.kept_inside:  # limits of single owners, say: internal/ has them
        if parameters.pop(name) not in (None, {}):
            parameters["inside"] = True
    return {"name": one.name, "parameters": parameters}


def _in_force(one: Configured, built: Algorithm) -> dict[str, object]:
    """The parameters in force. What was read from a file is in the file alone, and that is told by its hash."""
    values = values_of(built)
    if any(True for value in one.parameters.values() for _ in sources_in(value)):
        for name, field in known_fields(type(built)).items():
            if name not in one.parameters and field.default is not dataclasses.MISSING:
                values[name] = field.default
    return values


def _value(value: object) -> Json:
    match value:
        case Source():
            return _source(value)
        case Fraction():
            return str(value)
        case list() | tuple():
            return [_value(item) for item in value]
        case dict():
            return {str(key): _value(item) for key, item in value.items()}
        case None | bool() | int() | float() | str():
            return value
    return f"a {type(value).__name__}"


def _source(source: Source) -> JsonObject | str:
    """Its hash and how to read it, where that is not the usual way: enough for whoever has the file."""
    try:
        plain: JsonObject = {"sha256": source.sha256}
    except (DataError, OSError):
        return "named source"
    if source.format != "csv":
        plain["format"] = source.format
    settings: JsonObject = {"columns": dict(source.columns), "separator": source.separator}
    settings |= {"encoding": source.encoding, "missing": list(source.missing), "newlines": source.newlines}
    settings |= {"decimal": source.decimal, "thousands": source.thousands, "sheet": source.sheet, "skip": source.skip}
    if source.day_first is not None:
        plain["day_first"] = source.day_first
    if source.clean:  # recoded texts are cell values: whoever has the policy finds the cleaning by this hash
        settings["clean"] = {"sha256": cleaning_digest(source.clean)}
    odd = {"multiallelic": source.multiallelic, "haploid": source.haploid}
    settings |= {name: value for name, value in odd.items() if value != "refuse"}
    return plain | {name: value for name, value in settings.items() if value}
