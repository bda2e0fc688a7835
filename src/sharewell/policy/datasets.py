"""`datasets:` — one dataset after the other, each as far as it can be understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, cast

from sharewell import registry
from sharewell.errors import PolicyError
from sharewell.policy.algorithms import check_columns, listed, mechanism
from sharewell.policy.bounds import check_promises
from sharewell.policy.codes import check_codes, code_columns
from sharewell.policy.columns import columns, needs_subject, role
from sharewell.policy.compare_variants import compare
from sharewell.policy.deviations import Effect, apply, column_rules, published_anyway
from sharewell.policy.extracted import check_extracted, extracted
from sharewell.policy.genomes import check_genomes, genome_files
from sharewell.policy.mistakes import Reading
from sharewell.policy.model import ColumnRule, Compare, Dataset, Named, Profile, ReportSources
from sharewell.policy.notes import check_notes, known_people, text_columns
from sharewell.policy.positions import Path as Place
from sharewell.policy.positions import dotted
from sharewell.policy.reports import (
    OF_OWNERS,
    REPORTS,
    check_family,
    limits_asked,
    report_sources,
    searching,
    snooped,
)
from sharewell.policy.sources import source
from sharewell.policy.specs import WrittenDataset
from sharewell.roles import Role, did_you_mean

PUBLISH = ("none", "within-class")


@dataclass(frozen=True)
class Understood:
    """A dataset as far as it could be understood; without mistakes it is complete."""

    dataset: Dataset | None = None
    deviations: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Algorithms:
    require: tuple[Named, ...] = ()
    using: Named | None = None
    attacks: tuple[Named, ...] = ()
    utility: tuple[Named, ...] = ()
    compare: Compare | None = None


def dataset(reading: Reading, name: str, given: Any, profile: Profile | None) -> Understood:
    """Read one dataset. Its mistakes are in `reading`; what could be understood is returned all the same."""
    path: Place = ("datasets", name)
    fields = reading.fields(WrittenDataset, given, path)
    rules = columns(reading, fields.get("columns", {}), (*path, "columns"))
    read = source(reading, fields["read"], (*path, "read")) if "read" in fields else None
    rest = role(reading, fields["rest"], (*path, "rest")) if "rest" in fields else None
    _check_rest(reading, rest, rules, path)
    publish = _publish(reading, fields, rules, path)
    remarks = column_rules(reading, profile, rules, (*path, "columns")) if profile else []
    remarks += published_anyway(rules, (*path, "columns"))
    kind = _kind(reading, fields, path)
    codes = code_columns(reading, fields, rules, path)
    people = source(reading, fields["demographics"], (*path, "demographics")) if "demographics" in fields else None
    check_codes(reading, kind, fields, rules, rest, path)
    dna = genome_files(reading, kind, fields, path)
    check_genomes(reading, kind, read, fields, rules, path)
    owners = report_sources(reading, kind, fields, rules, rest, path)
    check_notes(reading, kind, fields, rules, rest, path)
    rules, told = text_columns(reading, kind, read, fields.get("columns", {}), rules, path)
    of_notes, read_off = extracted(reading, name, kind, fields, rules, path)
    told += read_off
    found, effect, decided = _Algorithms(), Effect(), ""
    if kind is not None:
        wanted, known = known_people(reading, kind, given.get("require"), (*path, "require"))
        told += known
        require, effect = _criteria(reading, kind, wanted, profile, path, owners)
        sensitive = [column for column, rule in rules.items() if rule.role is Role.SENSITIVE]
        check_columns(reading, require, rules, sensitive, open_ended=rest is not None)
        if "using" in fields:
            fields["using"] = searching(reading, owners, fields["using"], path)
        found, decided = _algorithms(reading, kind, fields, require, path)
        check_extracted(reading, require, of_notes)
        if kind == REPORTS:
            check_family(reading, owners, (*found.require, found.using, *found.attacks, *found.utility))
    decisions = (*effect.decisions, *([f"{dotted(path)}: {decided}"] if decided else []), *told)
    if read is None:
        return Understood(None, (*effect.deviations, *remarks), decisions)
    built = Dataset(
        name,
        kind or "",
        read,
        rules,
        found.require,
        found.using or Named("", {}, None),
        found.attacks,
        found.utility,
        rest,
        publish,
        map=fields.get("map", False),
        compare=found.compare,
        codes=codes,
        demographics=people,
        genomes=dna,
        reports=owners,
        extract=of_notes,
    )
    return Understood(built, (*effect.deviations, *remarks), decisions)


def _kind(reading: Reading, fields: dict[str, Any], path: Place) -> str | None:
    kind = fields.get("kind")
    if kind is None or kind in registry.kinds():
        return kind
    try:
        registry.wing(kind)
    except PolicyError as error:
        reading.borrow(error, (*path, "kind"))
    return None


def _criteria(
    reading: Reading, kind: str, given: Any, profile: Profile | None, path: Place, reports: ReportSources
) -> tuple[tuple[Named, ...], Effect]:
    """What the policy requires, then what the profile adds."""
    written = listed(reading, kind, "criteria", given if isinstance(given, list) else [], (*path, "require"))
    written = (*snooped(reading, reports, written), *limits_asked(reports, path))
    fixed = [one for one in written if not one.rungs]  # what is left to utility does not replace a threshold
    effect = apply(profile, OF_OWNERS if reports.figures else kind, fixed, path) if profile else Effect()
    misspelt = profile is None and ("profile",) in reading.document.positions
    if not written and not given and not effect.added and not misspelt:
        why = f"profile {profile.name} adds no criterion" if profile else "there is no profile"
        reading.mistake((*path, "require"), f"nothing is required, and {why}", "such as require: [k-anonymity: {k: 5}]")
    return (*written, *effect.added), effect


def _algorithms(
    reading: Reading, kind: str, fields: dict[str, Any], require: tuple[Named, ...], path: Place
) -> tuple[_Algorithms, str]:
    attacks = listed(reading, kind, "attacks", fields.get("attacks", []), (*path, "attacks"))
    utility = listed(reading, kind, "utility", fields.get("utility", []), (*path, "utility"))
    using, decided = None, ""
    if "using" in fields:
        using, decided = mechanism(reading, kind, fields["using"], require, (*path, "using"))
    check_promises(reading, require, utility)
    compared = compare(reading, kind, fields["compare"], (*path, "compare")) if "compare" in fields else None
    return _Algorithms(require, using, attacks, utility, compared), decided


def _check_rest(reading: Reading, rest: Role | None, rules: dict[str, ColumnRule], path: Place) -> None:
    if rest is Role.SUBJECT:
        reading.mistake((*path, "rest"), "rest cannot be subject", "name one person column under `columns`")
    if rest is Role.SHIFT and not _has_subject(rules):
        needs_subject(reading, (*path, "rest"), "shift")


def _has_subject(rules: dict[str, ColumnRule]) -> bool:
    return any(rule.role is Role.SUBJECT for rule in rules.values())


def _publish(
    reading: Reading, fields: dict[str, Any], rules: dict[str, ColumnRule], path: Place
) -> Literal["none", "within-class"]:
    """What stands for the subject. Anything that draws a trail through the data needs a joint criterion."""
    word = fields.get("publish", "none")
    if isinstance(word, dict):
        if "table" not in fields:
            reading.mistake((*path, "publish"), "figures are published of reports of owners, which have a `table`")
        return "none"
    if word == "dataset":
        what = "one pseudonym for all rows of a person needs a trail criterion, which is not available"
        reading.mistake((*path, "publish"), what, "use within-class")
    elif word not in PUBLISH:
        hint = did_you_mean(word, PUBLISH) or f"known: {', '.join(PUBLISH)}"
        reading.mistake((*path, "publish"), "no such way to publish the subject", hint)
    elif word == "within-class" and not _has_subject(rules):
        needs_subject(reading, (*path, "publish"), "publish: within-class")
    if fields.get("link"):
        what = "one pseudonym across datasets needs a joint criterion, which is not available"
        reading.mistake((*path, "link"), what, "take it out")
    if fields.get("map") and not _has_subject(rules):
        needs_subject(reading, (*path, "map"), "map")
    return cast("Literal['none', 'within-class']", word if word in PUBLISH else "none")
