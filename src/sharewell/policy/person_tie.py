"""The key `person` of a policy: which column names the same person in every dataset, and what must hold of all data."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from sharewell import registry
from sharewell.io.yaml_positions import Path as Place
from sharewell.plain_data import Json
from sharewell.policy.algorithms import listed
from sharewell.policy.algorithms import named as named_algorithm
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import ConfiguredAlgorithm, Dataset, PersonTie
from sharewell.policy.specs import PersonSpec
from sharewell.policy.wing_policy import policy_of
from sharewell.protocols import JointCriterion
from sharewell.roles import Role, did_you_mean

TOGETHER = "together"
"""The kind of data under which joint algorithms are registered."""
AGREES = "notes-agree-with-table"
"""The criterion that holds texts against the table of people; it is added where texts are joined with it."""
_EXAMPLE = "person: {table: patients, key: patient_id, require: [joined-k-anonymity: {k: 5, knows: {…}}]}"


def person_tie(reading: MistakeCollector, given: Json, datasets: Mapping[str, Dataset]) -> PersonTie | None:
    """What the policy says of persons; links between datasets are checked against it."""
    if given is None:
        _refuse_links(reading, datasets, (), f"say how persons are named, and what must hold: {_EXAMPLE}")
        return None
    fields = reading.fields(PersonSpec, given, ("person",))
    table, key = fields.get("table", ""), fields.get("key", "")
    people = datasets.get(table)
    if "table" in fields and people is None:
        reading.mistake(("person", "table"), "no dataset of this name", did_you_mean(table, datasets))
    if people is not None and "key" in fields and subject_of(people) != key:
        reading.mistake(
            ("person", "key"), f"not the subject column of {table}", f"give it the role subject there: {key}: subject"
        )
    require = listed(reading, TOGETHER, "criteria", fields.get("require") or [], ("person", "require"))
    for one in require:
        _check_asked(reading, one, datasets)
    if people is not None:
        require = (*require, *_agreements(reading, people, datasets, require))
    using = None
    if "using" in fields:
        using = named_algorithm(reading, TOGETHER, "mechanisms", fields["using"], ("person", "using"))
        if not require:
            reading.mistake(("person", "using"), "no joint criterion is required that it could make hold", _EXAMPLE)
    linked = {name for name, one in datasets.items() if one.link}
    whole = [one for one in require if linked <= set(_judged_by(one))]
    _refuse_links(reading, datasets, linked if whole else (), f"let one speak of all linked ones, such as {_EXAMPLE}")
    _check_shifts(reading, datasets)
    return PersonTie(table, key, require, using)


def tied_datasets(person: PersonTie | None, datasets: Mapping[str, Dataset]) -> dict[str, Dataset]:
    """The datasets; those whose records belong to persons are tied where the policy says who a person is."""
    if person is None:
        return dict(datasets)
    return {name: replace(one, tied=subject_of(one) is not None) for name, one in datasets.items()}


def subject_of(dataset: Dataset) -> str | None:
    """The column that names persons."""
    return next((name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT), None)


def _agreements(
    reading: MistakeCollector,
    people: Dataset,
    datasets: Mapping[str, Dataset],
    require: Sequence[ConfiguredAlgorithm[JointCriterion]],
) -> list[ConfiguredAlgorithm[JointCriterion]]:
    """What holds texts against the table of people, for every dataset of texts that recipients, or attackers, join.

    Policies that name it themselves, with columns of their own choice, are taken at their word.
    """
    named = {name for one in require for name in one.built.named_datasets}
    named_datasets = {one.built.named_datasets[1] for one in require if one.built.of_rows is not None}
    results = []
    for name, one in datasets.items():
        joined = one.link or name in named
        columns = (
            policy_of(one.kind).held_against(people)
            if joined and name not in named_datasets and one is not people
            else {}
        )
        if columns:
            item = {AGREES: {"texts": name, "table": people.name, **columns}}
            built = named_algorithm(reading, TOGETHER, "criteria", item, ("person", "require"))
            results += [] if built is None else [built]
    return results


def _judged_by(one: ConfiguredAlgorithm[JointCriterion]) -> list[str]:
    """The datasets of which a criterion lets an attacker know something; one that k = 1 satisfies judges nothing."""
    knows = one.parameters.get("knows")
    if not isinstance(knows, Mapping) or one.parameters.get("k") == 1:
        return []
    return [name for name, given in knows.items() if (all(given.values()) if isinstance(given, Mapping) else given)]


def _check_asked(
    reading: MistakeCollector, one: ConfiguredAlgorithm[JointCriterion], datasets: Mapping[str, Dataset]
) -> None:
    if not one.built.asked:
        reading.mistake(one.at, f"'{one.name}' is judged in every release by itself", "take it out")
    for name in one.built.named_datasets:
        at = (*one.at, "knows", name) if "knows" in one.parameters else one.at
        if name not in datasets:
            reading.mistake(at, "no dataset of this name", did_you_mean(name, datasets))
        elif subject_of(datasets[name]) is None:
            reading.mistake(at, "nobody is named in this dataset", "give one of its columns the role subject")
        elif registry.wing(datasets[name].kind).capabilities().facts is None:
            what = f"data of kind {datasets[name].kind} cannot be joined with other datasets by person"
            reading.mistake(at, what, "leave it out")
        elif sorts := datasets[name].own.counted_apart:
            _check_counted(reading, at, one.parameters.get("knows"), name, sorts)


def _check_counted(reading: MistakeCollector, at: Place, knows: object, name: str, sorts: Sequence[str]) -> None:
    """One number for a record with several sorts of facts leaves open how many of each sort are known."""
    given = knows.get(name) if isinstance(knows, Mapping) else None
    number = given.get("any") if isinstance(given, Mapping) else given
    if isinstance(number, int):
        hint = ", ".join(f"{sort}: {number}" for sort in sorts)
        what = f"its records hold {' and '.join(sorts)}, and one number does not say how many of each are known"
        reading.mistake(at, what, f"such as {name}: {{{hint}}}")


def _refuse_links(
    reading: MistakeCollector, datasets: Mapping[str, Dataset], judged: Collection[str], hint: str
) -> None:
    """One pseudonym across datasets lets a recipient join them: a joint criterion must have judged that."""
    for name, one in datasets.items():
        if one.link and name not in judged:
            reading.mistake(("datasets", name, "link"), "one pseudonym across datasets needs a joint criterion", hint)
        if one.link and one.publish != "none":
            what = "a pseudonym across datasets takes the place of every other"
            reading.mistake(("datasets", name, "publish"), what, "take publish out, or link")


def _check_shifts(reading: MistakeCollector, datasets: Mapping[str, Dataset]) -> None:
    """A person's dates move alike in all linked datasets, so that they must be allowed to move equally far."""
    allowed = {
        (name, column): rule.most_days
        for name, one in datasets.items()
        if one.link
        for column, rule in one.columns.items()
        if rule.role is Role.SHIFT
    }
    if len(set(allowed.values())) > 1:
        name, column = max(allowed, key=lambda place: allowed[place])
        what = "dates of linked datasets move by one number of days, and may move by different ones"
        reading.mistake(("datasets", name, "columns", column), what, "give all of them the same most_days")
