"""The keys of a policy that concern notes, and columns of text in other kinds of data.

`no-known-identifiers: {dataset: patients}` names a dataset of the same policy: its file, its subject, and those of its
columns whose names say that they identify a person, by sort. The choice of columns is listed as a decision. A column of
text in a table is searched for the identifiers in the other columns of its row.

`extract:` describes a table that is read from the notes, protected, and written back into them. It has the keys
`columns`, `require`, `using`, `attacks` and `utility` of a dataset of kind tables, and is published beside the notes,
under their name with `-extracted`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from sharewell import registry
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.notes.agreement_policy import dropped_diagnoses, held_against, required_agreement
from sharewell.notes.engine.people_tables import IDENTIFIER_SORTS
from sharewell.plain_data import Json, JsonObject
from sharewell.policy.algorithms import check_columns, listed, mechanism
from sharewell.policy.columns import columns
from sharewell.policy.extracted import CRITERION, PERSON
from sharewell.policy.mistakes import MistakeCollector
from sharewell.policy.model import (
    Auto,
    ColumnRule,
    Configured,
    ConfiguredAlgorithm,
    ConfiguredCriterion,
    Dataset,
    OwnKeys,
)
from sharewell.policy.sources import FOLDER, source
from sharewell.policy.wing_policy import Draft, Schema, WingPolicy, policies, policy_of
from sharewell.roles import Role, did_you_mean

NOTES, TABLES = "notes", "tables"
KNOWN = "no-known-identifiers"
_USUAL, _USUAL_OF_TABLE = "replace", "mondrian"
"""The mechanisms of a column of text and of the extracted table where the policy names none."""
ATTRIBUTES = ("age", "sex", "first", "last", "year", "zip", "city", "state")
"""What can be read from a person's notes: age, sex, the first and the last date, the last year, and the home."""
SUFFIX = "-extracted"
_ROLES = (Role.TEXT, Role.SUBJECT, Role.DROP, Role.KEEP, Role.SENSITIVE, Role.SHIFT)
Known = dict[str, tuple[str, ...]]
"""Sort of identifier → columns."""
_NOT_A_DAY = {"year", "yob", "month", "geburtsjahr", "annee", "ano", "geboortejaar", "jahr", "jaar"}


def identifier_columns(columns: Iterable[str], parts: Collection[str] = ()) -> Known:
    """Columns whose names say that they identify a person, by sort.

    parts: columns that are joined into the person. Those whose names say nothing hold names of persons.

    >>> identifier_columns(["patient_id", "first_name", "birth_date", "birth_year", "zip", "mrn", "diagnosis"])
    {'names': ('first_name',), 'dates': ('birth_date',), 'ids': ('mrn',), 'places': ('zip',)}
    >>> identifier_columns(["patient", "dob", "ward"], parts=["patient", "dob"])
    {'names': ('patient',), 'dates': ('dob',)}
    """
    from sharewell.proposal.names import by_name, tokens

    by_sort: dict[str, list[str]] = {sort: [] for sort in IDENTIFIER_SORTS}
    for column in columns:
        meaning = by_name(column)
        if meaning is None:
            if column in parts:
                by_sort["names"].append(column)
            continue
        if meaning.topic in ("birth", "death") and not _NOT_A_DAY & set(tokens(column)):
            by_sort["dates"].append(column)
        elif meaning.identifier:
            by_sort[meaning.identifier].append(column)
    return {sort: tuple(names) for sort, names in by_sort.items() if names}


@dataclass(frozen=True, kw_only=True)
class NotesSpec:
    """The keys of a dataset of notes."""

    extract: Annotated[JsonObject | None, "Of notes: a table made from them, protected and written back."] = None


@dataclass(frozen=True, kw_only=True)
class ExtractSpec:
    """The keys of a table made from notes."""

    columns: Annotated[JsonObject, "What is read from the notes, each with the role quasi."]
    require: Annotated[list[Json], "Criteria that must hold in the table."]
    using: Annotated[str | JsonObject, "The mechanism of the table."] = _USUAL_OF_TABLE
    attacks: Annotated[list[Json] | None, "Attacks to mount on the table."] = None
    utility: Annotated[list[Json] | None, "Measures of what protection of the table cost."] = None


class NotesPolicy(WingPolicy):
    """Clinical notes, and columns of text wherever they stand."""

    kind = NOTES
    keys = NotesSpec
    more_formats = (FOLDER,)
    usual_measure = "clinical-terms-kept"
    protects_text = True

    def elsewhere(self, draft: Draft) -> None:
        """Columns of text of other kinds are protected here, if the kind may have them."""
        texts = draft.having(Role.TEXT)
        in_place = policy_of(draft.kind).text_columns
        holders = sorted([self.kind, *(policy.kind for policy in policies() if policy.text_columns)])
        for name in texts if not in_place else ():
            problem = f"text is protected in datasets of kind {' and '.join(holders)}"
            draft.mistake(("columns", name), problem, "drop the column")
        _check_texts(draft, texts)
        if draft.kind is not None:
            self.misplaced(draft, f"is for datasets of kind {self.kind}")
        _complete_text_columns(draft, in_place)
        _read_extract(draft)

    def read(self, draft: Draft) -> OwnKeys:
        _read_extract(draft)
        return OwnKeys()

    def check(self, draft: Draft, own: OwnKeys) -> None:
        """A dataset of notes has one column of text, and no column beside it that would need classes."""
        texts, rest = draft.having(Role.TEXT), draft.rest
        _check_texts(draft, texts)
        if len(texts) != 1:
            problem = (
                "no column has the text" if not texts else f"{len(texts)} columns have the text, and one is wanted"
            )
            place = ("columns",) if not texts else ("columns", texts[1])
            draft.mistake(place, problem, "give the role text to the column of the notes alone")
        for name, rule in draft.rules.items():
            if rule.role not in _ROLES:
                problem = f"notes have no classes, so that a column beside them cannot be {rule.role}"
                hint = (
                    "drop it, keep it if it tells nothing of the person, or release it with the people (kind: tables)"
                )
                draft.mistake(("columns", name), problem, hint)
            if rule.style is not None or (rule.hierarchy is not None and rule.role in _ROLES):
                draft.mistake(("columns", name), "a column beside notes is not generalised", "give the role alone")
            for key in _text_settings(draft, name):
                problem = f"{key} is for tables; notes say it in their dataset"
                draft.mistake(("columns", name, key), problem, "take it out")
        if rest not in (None, Role.TEXT, Role.DROP, Role.KEEP, Role.SENSITIVE):
            draft.mistake(("rest",), f"the other columns of notes cannot be {rest}", "say rest: drop")
        draft.refuse_pseudonyms("notes are published without a pseudonym, so there is none to keep")

    def held_against(self, people: Dataset) -> JsonObject:
        return {sort: list(columns) for sort, columns in held_against(people).items()}

    def mechanism_written(self, draft: Draft, own: OwnKeys, given: Json) -> Json:
        return _with_day_order(given, draft.read)

    def criteria_schema(self) -> Mapping[str, Mapping[str, Schema]]:
        about = "The dataset whose rows say who the people are, in place of `people` and its columns."
        return {KNOWN: {"dataset": {"type": "string", "description": about}}}

    def criteria_written(self, draft: Draft, given: Json) -> Json:
        """The criteria, with the file and columns of a dataset in place of its name."""
        if not isinstance(given, list):
            return given
        criteria = []
        for i, item in enumerate(given):
            parameters = item.get(KNOWN) if isinstance(item, dict) and len(item) == 1 else None
            if isinstance(parameters, dict) and "dataset" in parameters:
                item = {KNOWN: _resolve_people(draft, parameters, (*draft.path, "require", i, KNOWN))}
            criteria.append(item)
        return criteria

    def check_algorithms(self, draft: Draft, own: OwnKeys, named: Sequence[Configured | None]) -> None:
        """The criterion of extracted values needs the extracted table, and no parameters."""
        for criterion in named:
            if criterion is None or criterion.name != CRITERION:
                continue
            if draft.extract is None:
                hint = "say extract: {columns: …}, or take it out"
                draft.reading.mistake(criterion.at, "no table is made from these notes", hint)
            elif criterion.parameters:
                problem = "the release fills in what it is judged by"
                draft.reading.mistake(criterion.at, problem, "take the parameters out")


def _check_texts(draft: Draft, texts: Sequence[str]) -> None:
    if draft.rest is Role.TEXT:
        draft.mistake(("rest",), "rest cannot be text", "name the columns of text under `columns`")
    days = {rule.most_days for rule in draft.rules.values() if rule.role is Role.SHIFT}
    if texts and len(days) > 1:
        problem = "dates in a text move like those of the columns, and these have different most_days"
        draft.mistake(("columns", texts[0]), problem, "give all of them the same")


def _resolve_people(draft: Draft, parameters: Mapping[str, Json], place: Place) -> JsonObject:
    """The parameters of the criterion, with the file, subject and columns of the dataset that they name."""
    reading, name = draft.reading, parameters["dataset"]
    datasets = _datasets(reading)
    other = datasets.get(name) if isinstance(name, str) else None
    rest = {key: value for key, value in parameters.items() if key != "dataset"}
    if not isinstance(other, dict) or not isinstance(other.get("columns"), dict):
        near = did_you_mean(name, datasets) if isinstance(name, str) else ""
        hint = near or f"datasets: {', '.join(datasets)}"
        reading.mistake((*place, "dataset"), "no dataset of this name has a table of people", hint)
        return rest | {"people": _empty_table(), "subject": "?", "names": ["?"]}
    before = len(reading.mistakes)
    key = "demographics" if "demographics" in other else "read"
    people = source(reading, other.get(key), ("datasets", str(name), key))
    del reading.mistakes[before:]  # they are reported where that dataset is read
    columns = other["columns"]
    roles = {column: rule.get("role") if isinstance(rule, dict) else rule for column, rule in columns.items()}
    subject = next((column for column, role in roles.items() if role == Role.SUBJECT), None)
    if subject is None:
        problem = f"'{name}' does not say who its people are"
        reading.mistake((*place, "dataset"), problem, "give one column the role subject")
    identifiers = {sort: rest[sort] for sort in IDENTIFIER_SORTS if sort in rest}
    if not identifiers:
        chosen = _chosen(columns, people, subject)
        if chosen:
            draft.decide(
                f"{KNOWN} searches for the values of these columns of {name}, chosen by their names: {_listing(chosen)}"
            )
        else:
            problem = f"no column of '{name}' has a name that tells an identifier"
            reading.mistake((*place, "dataset"), problem, "list them: names: […], dates: […], ids: […]")
        identifiers = {sort: list(names) for sort, names in chosen.items()} or {"names": ["?"]}
    return {**rest, "people": people or _empty_table(), "subject": subject or "?", **identifiers}


def _chosen(columns: Iterable[str], read: Source | None, subject: str | None) -> Known:
    """Columns that identify a person; the subject only where it is a name, since a short number is in every note."""
    joined = None if read is None or subject is None else read.joined.get(subject)
    parts = () if joined is None else joined.parts
    own = () if subject is None else identifier_columns([subject]).get("names", ())
    return identifier_columns(dict.fromkeys([*own, *(c for c in columns if c != subject), *parts]), parts)


def _datasets(reading: MistakeCollector) -> Mapping[str, Json]:
    """The datasets of the policy, as they are written."""
    plain = reading.document.plain
    datasets = plain.get("datasets") if isinstance(plain, dict) else None
    return datasets if isinstance(datasets, dict) else {}


def _listing(known: Known) -> str:
    return "; ".join(f"{sort} {', '.join(columns)}" for sort, columns in known.items())


def _empty_table() -> Source:
    """Stands for a table with a mistake that has been reported, so that the rest can still be checked."""
    import pyarrow as pa

    return Source.of(pa.table({"?": pa.array([], pa.string())}))


def _text_settings(draft: Draft, name: str) -> JsonObject:
    """What a column says of how its own text is protected."""
    rule = draft.written.get(name)
    rule = rule if isinstance(rule, dict) else {}
    return {key: rule[key] for key in ("using", "known", "agrees_with_table") if rule.get(key) is not None}


def _complete_text_columns(draft: Draft, in_place: bool) -> None:
    """Fill in, for each column of text, its mechanism and the identifiers of its row that are searched for."""
    subject = next(iter(draft.having(Role.SUBJECT)), None)
    for name, rule in list(draft.rules.items()):
        settings, place = _text_settings(draft, name), ("columns", name)
        if rule.role is not Role.TEXT:
            for key in settings:
                draft.mistake((*place, key), f"{key} is for a column of text in a table", "take it out")
        elif in_place:
            using, _ = mechanism(
                draft.reading,
                NOTES,
                _with_day_order(settings.get("using", _USUAL), draft.read),
                (),
                (*draft.path, *place, "using"),
            )
            known = _known_columns(draft, name, settings.get("known"), subject)
            agrees = required_agreement(draft, name, settings.get("agrees_with_table"))
            if agrees and (others := _other_languages(using)):
                problem = (
                    f"{agrees[0].name} can judge English notes alone, and notes in {' and '.join(others)} are let in"
                )
                hint = "make the column drop, release it as a dataset of kind notes, or say agrees_with_table: false"
                draft.mistake((*place, "using"), problem, hint)
            draft.rules[name] = replace(
                rule,
                using=using or ConfiguredAlgorithm(_USUAL, {}, Auto(())),
                known=known,
                require=(*_required(draft.read, subject, known), *agrees),
                agrees=settings.get("agrees_with_table") is not False,
            )


def _other_languages(using: Configured | None) -> list[str]:
    """The languages besides English that a mechanism for notes reads by their packs."""
    given = None if using is None else using.parameters.get("language")
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, list | tuple) else []
    return [str(name) for name in names if name not in ("english", "any")]


def _with_day_order(using: Json, read: Source | None) -> Json:
    """The usual mechanism with the order of day and month that `read:` gives, unless it says its own."""
    given = {} if using == _USUAL else using.get(_USUAL) if isinstance(using, dict) and len(using) == 1 else None
    order = None if read is None else _day_order(read)
    if order is None or not isinstance(given, dict) or "day_first" in given:
        return using
    return {_USUAL: {**given, "day_first": order}}


def _day_order(read: Source) -> bool | None:
    """What `read:` says, or else the one order in which its columns of dates write day and month in figures."""
    if read.day_first is not None:
        return read.day_first
    forms = [form for cleaning in read.clean.values() for form in cleaning.date]
    orders = {form.index("%d") < form.index("%m") for form in forms if "%m" in form and not form.startswith("%Y")}
    orders |= {cleaning.day_first for cleaning in read.clean.values() if cleaning.day_first is not None}
    return orders.pop() if len(orders) == 1 else None


def _required(read: Source | None, subject: str | None, known: Known) -> tuple[ConfiguredCriterion, ...]:
    """No known identifier may survive; where nothing is known of any person, there is nothing to require."""
    if read is None or subject is None or not known:
        return ()
    parameters = {"people": read, "subject": subject, **known, "absent": "allow"}
    return (ConfiguredAlgorithm(KNOWN, parameters, registry.lookup(NOTES, "criteria", KNOWN)(**parameters)),)


def _known_columns(draft: Draft, name: str, written: Json, subject: str | None) -> Known:
    """Columns of the same row that are searched for in a column of text: as written, or chosen by their names."""
    rules, place = draft.rules, ("columns", name, "known")
    if written is None:
        return _chosen_columns(draft, name, subject)
    if subject is None:
        draft.mistake(place, "whose row it is must be known", "give one column the role subject")
    if not isinstance(written, dict):
        draft.mistake(place, "must be a mapping of sorts to columns", "such as known: {names: [name], ids: [mrn]}")
        return {}
    known: Known = {}
    for sort, names in written.items():
        if sort not in IDENTIFIER_SORTS:
            hint = did_you_mean(sort, IDENTIFIER_SORTS) or f"sorts: {', '.join(IDENTIFIER_SORTS)}"
            draft.mistake((*place, sort), f"no sort of identifier named '{sort}'", hint)
        elif not _is_names(names):
            draft.mistake((*place, sort), f"{sort} must be a list of columns", f"such as {sort}: [name]")
        else:
            known[sort] = tuple(names)
            for i, column in enumerate(names):
                if column not in rules:
                    hint = did_you_mean(column, rules)
                    draft.mistake((*place, sort, i), f"no column '{column}' in `columns`", hint)
    return known


def _chosen_columns(draft: Draft, name: str, subject: str | None) -> Known:
    known: Known = {}
    if subject is None:
        decision = "no column identifies the person, so it is not searched for the person's own values"
    else:
        rules = draft.rules.items()
        known = _chosen((c for c, rule in rules if c != name and rule.role is not Role.TEXT), draft.read, subject)
        if diagnoses := dropped_diagnoses(draft.rules):
            known = {**known, "others": (*known.get("others", ()), *diagnoses)}
        decision = f"it is searched for the values in the person's other columns: {_listing(known)}"
    draft.decide(decision if known or subject is None else "nothing known is searched", ("columns", name))
    return known


def _is_names(written: Json) -> bool:
    return isinstance(written, Sequence) and not isinstance(written, str) and all(isinstance(n, str) for n in written)


def _read_extract(draft: Draft) -> None:
    """The dataset of the extracted table, without its rows, which are read from the notes."""
    if "extract" not in draft.fields:
        return
    reading, place = draft.reading, (*draft.path, "extract")
    if not draft.having(Role.SUBJECT):
        problem = "a row is about one person, but no column identifies the person of a note"
        reading.mistake(place, problem, "give one the role subject")
    fields = reading.fields(ExtractSpec, draft.fields["extract"], place)
    rules = columns(reading, fields.get("columns", {}), (*place, "columns"))
    _check_attributes(reading, rules, (*place, "columns"))
    require = listed(reading, TABLES, "criteria", fields.get("require", []), (*place, "require"))
    if "require" in fields and not fields["require"]:
        hint = "such as require: [k-anonymity: {k: 5}]"
        reading.mistake((*place, "require"), "nothing is required of the table", hint)
    check_columns(reading, require, rules, [], open_ended=False)
    using, decision = mechanism(reading, TABLES, fields.get("using", _USUAL_OF_TABLE), require, (*place, "using"))
    table = draft.name + SUFFIX
    if table in _datasets(reading):
        reading.mistake(place, f"the table would be named '{table}', as another dataset is", "rename that one")
    attacks = listed(reading, TABLES, "attacks", fields.get("attacks", []), (*place, "attacks"))
    utility = listed(reading, TABLES, "utility", fields.get("utility", []), (*place, "utility"))
    draft.decide(
        f"{', '.join(rules)} are read from the notes, published as {table}, and written back; what is required of"
        " that table holds for these values alone"
    )
    if decision:
        draft.decide(f"of {table}, {decision}")
    using = using or ConfiguredAlgorithm(_USUAL_OF_TABLE, {}, Auto(()))
    # One row a person: anybody can count them.
    rules = {PERSON: ColumnRule(Role.DROP), **rules}
    draft.extract = Dataset(table, TABLES, Source(), rules, require, using, attacks, utility)


def _check_attributes(reading: MistakeCollector, rules: Mapping[str, ColumnRule], path: Place) -> None:
    for name, rule in rules.items():
        if name not in ATTRIBUTES:
            hint = did_you_mean(name, ATTRIBUTES) or f"known: {', '.join(ATTRIBUTES)}"
            reading.mistake((*path, name), "no such thing is read from notes", hint)
        elif rule.role is not Role.QUASI:
            problem = f"what is read from notes is protected as quasi, not as {rule.role}"
            reading.mistake((*path, name), problem, "give it the role quasi, or leave it out")
    if not rules:
        reading.mistake(path, "the table has no column", f"such as age: quasi; known: {', '.join(ATTRIBUTES)}")
