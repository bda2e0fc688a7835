"""What only notes, and columns of text in other kinds of data, may say: whose rows are searched for, how a column is
protected, and `extract`.

`no-known-identifiers: {dataset: patients}` names a dataset of the same policy: its file, its subject, and those of its
columns whose names say that they identify a person, by sort. What was found so is told as a decision. A column of text
in a table is protected with the same row's own columns as what is known of the person.

`extract:` is a table that is made from what the notes themselves say, protected, and written back into them. It has
the keys `columns`, `require`, `using`, `attacks` and `utility` of a dataset of kind tables; its columns are what can be
read from notes. The table is published beside the notes, under their name with `-extracted`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from sharewell import registry
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.algorithms import check_columns, listed, mechanism
from sharewell.policy.columns import columns
from sharewell.policy.extracted import CRITERION, PERSON
from sharewell.policy.mistakes import Reading
from sharewell.policy.model import ColumnRule, Dataset, Named
from sharewell.policy.own_keys import OwnKeys
from sharewell.policy.sources import source
from sharewell.policy.wing_policy import Draft, WingPolicy, policies, policy_of
from sharewell.roles import Role, did_you_mean

NOTES, TABLES = "notes", "tables"
KNOWN = "no-known-identifiers"
USUAL = "replace"
"""How a column of text is protected where nothing else is said."""
ATTRIBUTES = ("age", "sex", "first", "last", "year", "zip", "city", "state")
"""What is read from a person's notes: age, sex, the first and the last date, the last year, and where they live."""
SUFFIX = "-extracted"
_USUAL_OF_TABLE = "mondrian"
SORTS = ("names", "dates", "ids", "places", "phones", "emails", "others")
_ROLES = (Role.TEXT, Role.SUBJECT, Role.DROP, Role.KEEP, Role.SENSITIVE, Role.SHIFT)
_BY_MEANING = {
    "the name of a person": "names",
    "an e-mail address": "emails",
    "a telephone or fax number": "phones",
    "a street address": "places",
    "a postal code": "places",
    "a place": "places",
    "a number by which the state, an insurer or a hospital knows the person": "ids",
    "an account": "ids",
    "a licence or certificate": "ids",
    "a vehicle": "ids",
    "a device": "ids",
    "a web or network address": "others",
}
_NOT_A_DAY = {"year", "yob", "month", "geburtsjahr", "annee", "ano", "geboortejaar", "jahr", "jaar"}


def sorts_of(columns: Iterable[str]) -> dict[str, list[str]]:
    """Columns that identify a person by their names, by sort.

    >>> sorts_of(["patient_id", "first_name", "birth_date", "birth_year", "zip", "mrn", "diagnosis"])
    {'names': ['first_name'], 'dates': ['birth_date'], 'ids': ['mrn'], 'places': ['zip']}
    """
    from sharewell.proposal.names import by_name, tokens

    found: dict[str, list[str]] = {sort: [] for sort in SORTS}
    for column in columns:
        meaning = by_name(column)
        if meaning is None:
            continue
        if meaning.topic in ("birth", "death") and not _NOT_A_DAY & set(tokens(column)):
            found["dates"].append(column)
        elif meaning.what in _BY_MEANING:
            found[_BY_MEANING[meaning.what]].append(column)
    return {sort: names for sort, names in found.items() if names}


@dataclass(frozen=True, kw_only=True)
class NotesSpec:
    """The keys as they are written."""

    extract: Annotated[dict[str, Any] | None, "Of notes: a table made from them, protected and written back."] = None


@dataclass(frozen=True, kw_only=True)
class WrittenExtract:
    """The table made from notes."""

    columns: Annotated[dict[str, Any], "What is read from the notes, each with the role quasi."]
    require: Annotated[list[Any], "Criteria that must hold in the table."]
    using: Annotated[str | dict[str, Any], "The mechanism of the table."] = _USUAL_OF_TABLE
    attacks: Annotated[list[Any] | None, "Attacks to mount on the table."] = None
    utility: Annotated[list[Any] | None, "Measures of what protection of the table cost."] = None


class NotesPolicy(WingPolicy):
    """Clinical notes, and columns of text wherever they stand."""

    kind = NOTES
    keys = NotesSpec
    usual_measure = "clinical-terms-kept"
    protects_text = True

    def elsewhere(self, draft: Draft) -> None:
        """Columns of text of other kinds are protected here, if the kind may have them."""
        texts = draft.having(Role.TEXT)
        in_place = policy_of(draft.kind).text_columns
        holders = sorted([self.kind, *(one.kind for one in policies() if one.text_columns)])
        for name in texts if not in_place else ():
            what = f"text is protected in datasets of kind {' and '.join(holders)}"
            draft.mistake(("columns", name), what, "drop the column")
        _check_texts(draft, texts)
        if draft.kind is not None:
            self.misplaced(draft, f"is for datasets of kind {self.kind}")
        _text_columns(draft, in_place)
        _extracted(draft)

    def read(self, draft: Draft) -> OwnKeys:
        _extracted(draft)
        return OwnKeys()

    def check(self, draft: Draft, own: OwnKeys) -> None:
        """One column of text, and nothing beside it that would need classes."""
        texts, rest = draft.having(Role.TEXT), draft.rest
        _check_texts(draft, texts)
        if len(texts) != 1:
            what = "no column has the text" if not texts else f"{len(texts)} columns have the text, and one is wanted"
            where = ("columns",) if not texts else ("columns", texts[1])
            draft.mistake(where, what, "give the role text to the column of the notes alone")
        for name, rule in draft.rules.items():
            if rule.role not in _ROLES:
                what = f"notes have no classes, so that a column beside them cannot be {rule.role}"
                hint = (
                    "drop it, keep it if it tells nothing of the person, or release it with the people (kind: tables)"
                )
                draft.mistake(("columns", name), what, hint)
            if rule.style is not None or (rule.hierarchy is not None and rule.role in _ROLES):
                draft.mistake(("columns", name), "a column beside notes is not generalised", "give the role alone")
            for key in _own_settings(draft, name):
                what = f"{key} is for tables; notes say it in their dataset"
                draft.mistake(("columns", name, key), what, "take it out")
        if rest not in (None, Role.TEXT, Role.DROP, Role.KEEP, Role.SENSITIVE):
            draft.mistake(("rest",), f"the other columns of notes cannot be {rest}", "say rest: drop")
        draft.refuse_pseudonyms("notes are published without a pseudonym, so there is none to keep")

    def criteria_written(self, draft: Draft, given: Any) -> Any:
        """The criteria with every dataset that one of them names replaced by what is known of it."""
        if not isinstance(given, list):
            return given
        found = []
        for i, item in enumerate(given):
            inside = item.get(KNOWN) if isinstance(item, dict) and len(item) == 1 else None
            if isinstance(inside, dict) and "dataset" in inside:
                resolved, decided = _people(draft.reading, inside, (*draft.path, "require", i, KNOWN))
                found.append({KNOWN: resolved})
                for text in decided:
                    draft.decide(text)
            else:
                found.append(item)
        return found

    def check_algorithms(self, draft: Draft, own: OwnKeys, named: Sequence[Named | None]) -> None:
        """What is judged of a table made from notes needs the table."""
        for one in named:
            if one is None or one.name != CRITERION:
                continue
            if draft.extract is None:
                what = "no table is made from these notes"
                draft.reading.mistake(one.at, what, "say extract: {columns: …}, or take it out")
            elif one.parameters:
                draft.reading.mistake(one.at, "the release fills in what it is judged by", "take the parameters out")


def _check_texts(draft: Draft, texts: Sequence[str]) -> None:
    if draft.rest is Role.TEXT:
        draft.mistake(("rest",), "rest cannot be text", "name the columns of text under `columns`")
    days = {rule.most_days for rule in draft.rules.values() if rule.role is Role.SHIFT}
    if texts and len(days) > 1:
        what = "dates in a text move like those of the columns, and these have different most_days"
        draft.mistake(("columns", texts[0]), what, "give all of them the same")


def _people(reading: Reading, given: Mapping[str, Any], at: Place) -> tuple[dict[str, Any], list[str]]:
    name = given["dataset"]
    plain = reading.document.plain
    datasets = plain.get("datasets") if isinstance(plain, dict) else None
    datasets = datasets if isinstance(datasets, dict) else {}
    other = datasets.get(name) if isinstance(name, str) else None
    rest = {key: value for key, value in given.items() if key != "dataset"}
    if not isinstance(other, dict) or not isinstance(other.get("columns"), dict):
        reading.mistake((*at, "dataset"), "no dataset of this name has a table of people", _near(name, datasets))
        return rest | {"people": _nobody(), "subject": "?", "names": ["?"]}, []
    before = len(reading.mistakes)
    where = "demographics" if "demographics" in other else "read"
    read = source(reading, other.get(where), ("datasets", str(name), where))
    del reading.mistakes[before:]  # they are told where that dataset is read
    columns = other["columns"]
    roles = {column: rule.get("role") if isinstance(rule, dict) else rule for column, rule in columns.items()}
    subject = next((column for column, role in roles.items() if role == Role.SUBJECT), None)
    if subject is None:
        reading.mistake(
            (*at, "dataset"), f"'{name}' does not say who its people are", "give one column the role subject"
        )
    listed = {sort: rest[sort] for sort in SORTS if sort in rest}
    decided = []
    if not listed:
        listed = sorts_of(column for column in columns if column != subject)
        told = "; ".join(f"{sort} {', '.join(names)}" for sort, names in listed.items())
        decided = [f"{KNOWN} looks for what these columns of {name} say, by their names: {told}"]
    if not listed:
        what = f"no column of '{name}' has a name that tells an identifier"
        reading.mistake((*at, "dataset"), what, "list them: names: […], dates: […], ids: […]")
        decided, listed = [], {"names": ["?"]}
    return {**rest, "people": read or _nobody(), "subject": subject or "?", **listed}, decided


def _nobody() -> Source:
    """Stands for a table that a mistake has been told about, so that the rest can still be checked."""
    import pyarrow as pa

    return Source.of(pa.table({"?": pa.array([], pa.string())}))


def _near(name: Any, datasets: Mapping[str, Any]) -> str:
    return (did_you_mean(name, datasets) if isinstance(name, str) else "") or f"datasets: {', '.join(datasets)}"


def _own_settings(draft: Draft, name: str) -> dict[str, Any]:
    """What a column says of how its own text is protected."""
    inside = draft.written.get(name)
    inside = inside if isinstance(inside, dict) else {}
    return {key: inside[key] for key in ("using", "known") if inside.get(key) is not None}


def _text_columns(draft: Draft, in_place: bool) -> None:
    """Complete the rules of columns of text: how they are protected, and what is known of a row."""
    subject = next(iter(draft.having(Role.SUBJECT)), None)
    for name, rule in list(draft.rules.items()):
        mine, at = _own_settings(draft, name), ("columns", name)
        if rule.role is not Role.TEXT:
            for key in mine:
                draft.mistake((*at, key), f"{key} is for a column of text in a table", "take it out")
        elif in_place:
            path = (*draft.path, *at)
            using, _ = mechanism(draft.reading, NOTES, mine.get("using", USUAL), (), (*path, "using"))
            known, decided = _known(draft.reading, name, mine.get("known"), draft.rules, subject, (*path, "known"))
            for text in decided:
                draft.decide(text, at)
            draft.rules[name] = replace(
                rule,
                using=using or Named(USUAL, {}, None),
                known=known,
                require=_required(draft.read, subject, known),
            )


def _required(read: Source | None, subject: str | None, known: Mapping[str, tuple[str, ...]]) -> tuple[Named, ...]:
    """None of what is known survives; a row of nobody, or of whom nothing is known, has nothing to search for."""
    if read is None or subject is None or not known:
        return ()
    parameters = {"people": read, "subject": subject, **known, "absent": "allow"}
    return (Named(KNOWN, parameters, registry.lookup(NOTES, "criteria", KNOWN)(**parameters)),)


def _known(
    reading: Reading,
    name: str,
    given: Any,
    rules: Mapping[str, ColumnRule],
    subject: str | None,
    at: Place,
) -> tuple[dict[str, tuple[str, ...]], list[str]]:
    """Columns of the same row, by sort."""
    others = [column for column, rule in rules.items() if column not in (name, subject) and rule.role is not Role.TEXT]
    if given is None:
        if subject is None:
            return {}, ["nobody is named, so that nothing known of the person is searched for in it"]
        listed = sorts_of(others)
        told = "; ".join(f"{sort} {', '.join(names)}" for sort, names in listed.items())
        what = f"what the row's own columns say is searched for in it, by their names: {told}"
        return {sort: tuple(names) for sort, names in listed.items()}, [what if listed else "nothing known is searched"]
    if subject is None:
        reading.mistake(at, "whose row it is must be known", "give one column the role subject")
    if not isinstance(given, dict):
        reading.mistake(at, "must be a mapping of sorts to columns", "such as known: {names: [name], ids: [mrn]}")
        return {}, []
    for sort, wanted in given.items():
        if sort not in SORTS:
            hint = did_you_mean(sort, SORTS) or f"sorts: {', '.join(SORTS)}"
            reading.mistake((*at, sort), f"no sort of identifier named '{sort}'", hint)
        elif not _is_names(wanted):
            reading.mistake((*at, sort), f"{sort} must be a list of columns", f"such as {sort}: [name]")
        else:
            for i, column in enumerate(wanted):
                if column not in rules:
                    reading.mistake((*at, sort, i), f"no column '{column}' in `columns`", did_you_mean(column, rules))
    return {sort: tuple(names) for sort, names in given.items() if sort in SORTS and _is_names(names)}, []


def _is_names(given: Any) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str) and all(isinstance(one, str) for one in given)


def _extracted(draft: Draft) -> None:
    """The dataset of the table, without its rows, which are read from the notes."""
    if "extract" not in draft.fields:
        return
    reading, at = draft.reading, (*draft.path, "extract")
    if not draft.having(Role.SUBJECT):
        reading.mistake(at, "a row is one person's, and no column tells whose a note is", "give one the role subject")
    given = reading.fields(WrittenExtract, draft.fields["extract"], at)
    mine = columns(reading, given.get("columns", {}), (*at, "columns"))
    _check_attributes(reading, mine, (*at, "columns"))
    require = listed(reading, TABLES, "criteria", given.get("require", []), (*at, "require"))
    if "require" in given and not given["require"]:
        reading.mistake((*at, "require"), "nothing is required of the table", "such as require: [k-anonymity: {k: 5}]")
    check_columns(reading, require, mine, [], open_ended=False)
    using, decided = mechanism(reading, TABLES, given.get("using", _USUAL_OF_TABLE), require, (*at, "using"))
    table = draft.name + SUFFIX
    plain = reading.document.plain
    if isinstance(plain, dict) and table in (plain.get("datasets") or {}):
        reading.mistake(at, f"the table would be named '{table}', as another dataset is", "rename that one")
    attacks = listed(reading, TABLES, "attacks", given.get("attacks", []), (*at, "attacks"))
    utility = listed(reading, TABLES, "utility", given.get("utility", []), (*at, "utility"))
    whole = {PERSON: ColumnRule(Role.DROP), **mine}  # one row a person: anybody can count them
    told = f"{', '.join(mine)} are read from the notes, published as {table}, and written back; what is required of"
    draft.decide(f"{told} that table holds for these values alone")
    if decided:
        draft.decide(f"of {table}, {decided}")
    using = using or Named(_USUAL_OF_TABLE, {}, None)
    draft.extract = Dataset(table, TABLES, Source(), whole, require, using, attacks, utility)


def _check_attributes(reading: Reading, rules: Mapping[str, ColumnRule], path: Place) -> None:
    for name, rule in rules.items():
        if name not in ATTRIBUTES:
            hint = did_you_mean(name, ATTRIBUTES) or f"known: {', '.join(ATTRIBUTES)}"
            reading.mistake((*path, name), "no such thing is read from notes", hint)
        elif rule.role is not Role.QUASI:
            what = f"what is read from notes is protected as quasi, not as {rule.role}"
            reading.mistake((*path, name), what, "give it the role quasi, or leave it out")
    if not rules:
        reading.mistake(path, "the table has no column", f"such as age: quasi; known: {', '.join(ATTRIBUTES)}")
