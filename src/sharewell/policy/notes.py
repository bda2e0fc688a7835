"""What only notes, and columns of text in tables, may say: whose rows are searched for, and how a column is protected.

`no-known-identifiers: {dataset: patients}` names a dataset of the same policy: its file, its subject, and those of its
columns whose names say that they identify a person, by sort. What was found so is told as a decision. A column of text
in a table is protected with the same row's own columns as what is known of the person.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sharewell import registry
from sharewell.io.sources import Source
from sharewell.policy.algorithms import mechanism
from sharewell.policy.mistakes import Reading
from sharewell.policy.model import ColumnRule, Named
from sharewell.policy.positions import Path as Place
from sharewell.policy.positions import dotted
from sharewell.policy.sources import source
from sharewell.roles import Role, did_you_mean

NOTES, TABLES = "notes", "tables"
KNOWN = "no-known-identifiers"
USUAL = "replace"
"""How a column of text is protected where nothing else is said."""
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


def check_notes(
    reading: Reading,
    kind: str | None,
    fields: Mapping[str, Any],
    rules: Mapping[str, ColumnRule],
    rest: Role | None,
    path: Place,
) -> None:
    """One column of text, and nothing beside it that would need classes."""
    texts = [name for name, rule in rules.items() if rule.role is Role.TEXT]
    if kind not in (NOTES, TABLES):
        for name in texts:
            what = f"text is protected in datasets of kind {NOTES} and {TABLES}"
            reading.mistake((*path, "columns", name), what, "drop the column")
    if rest is Role.TEXT:
        reading.mistake((*path, "rest"), "rest cannot be text", "name the columns of text under `columns`")
    days = {rule.most_days for rule in rules.values() if rule.role is Role.SHIFT}
    if texts and len(days) > 1:
        what = "dates in a text move like those of the columns, and these have different most_days"
        reading.mistake((*path, "columns", texts[0]), what, "give all of them the same")
    if kind != NOTES:
        return
    if len(texts) != 1:
        what = "no column has the text" if not texts else f"{len(texts)} columns have the text, and one is wanted"
        where = (*path, "columns") if not texts else (*path, "columns", texts[1])
        reading.mistake(where, what, "give the role text to the column of the notes alone")
    for name, rule in rules.items():
        if rule.role not in _ROLES:
            what = f"notes have no classes, so that a column beside them cannot be {rule.role}"
            hint = "drop it, keep it if it tells nothing of the person, or release it with the people (kind: tables)"
            reading.mistake((*path, "columns", name), what, hint)
        if rule.style is not None or (rule.hierarchy is not None and rule.role in _ROLES):
            reading.mistake((*path, "columns", name), "a column beside notes is not generalised", "give the role alone")
    if rest not in (None, Role.TEXT, Role.DROP, Role.KEEP, Role.SENSITIVE):
        reading.mistake((*path, "rest"), f"the other columns of notes cannot be {rest}", "say rest: drop")
    for key in ("publish", "map"):
        if fields.get(key) not in (None, False, "none"):
            what = "notes are published without a pseudonym, so there is none to keep"
            reading.mistake((*path, key), what, "take it out")


def known_people(reading: Reading, kind: str | None, given: Any, path: Place) -> tuple[Any, list[str]]:
    """The criteria with every dataset that one of them names replaced by what is known of it, and what was decided."""
    if kind != NOTES or not isinstance(given, list):
        return given, []
    found, decisions = [], []
    for i, item in enumerate(given):
        inside = item.get(KNOWN) if isinstance(item, dict) and len(item) == 1 else None
        if isinstance(inside, dict) and "dataset" in inside:
            resolved, decided = _people(reading, inside, (*path, i, KNOWN))
            found.append({KNOWN: resolved})
            decisions += decided
        else:
            found.append(item)
    return found, [f"{dotted(path[:2])}: {text}" for text in decisions]


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


def text_columns(
    reading: Reading,
    kind: str | None,
    read: Source | None,
    given: Mapping[str, Any],
    rules: Mapping[str, ColumnRule],
    path: Place,
) -> tuple[dict[str, ColumnRule], list[str]]:
    """The rules with what columns of text say about themselves: how they are protected, and what is known of a row."""
    found, decisions = dict(rules), []
    subject = next((name for name, rule in rules.items() if rule.role is Role.SUBJECT), None)
    for name, rule in rules.items():
        inside = given.get(name)
        inside, at = inside if isinstance(inside, dict) else {}, (*path, "columns", name)
        mine = {key: inside[key] for key in ("using", "known") if inside.get(key) is not None}
        if rule.role is not Role.TEXT or kind == NOTES:
            for key in mine:
                where = "a column of text in a table" if kind != NOTES else "tables; notes say it in their dataset"
                reading.mistake((*at, key), f"{key} is for {where}", "take it out")
            continue
        if kind != TABLES or not registry.kinds():
            continue
        using, _ = mechanism(reading, NOTES, mine.get("using", USUAL), (), (*at, "using"))
        known, decided = _known(reading, name, mine.get("known"), rules, subject, (*at, "known"))
        decisions += [f"{dotted(at)}: {text}" for text in decided]
        require = _required(read, subject, known)
        found[name] = replace(rule, using=using or Named(USUAL, {}, None), known=known, require=require)
    return found, decisions


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
    for sort, columns in given.items():
        if sort not in SORTS:
            hint = did_you_mean(sort, SORTS) or f"sorts: {', '.join(SORTS)}"
            reading.mistake((*at, sort), f"no sort of identifier named '{sort}'", hint)
        elif not _is_names(columns):
            reading.mistake((*at, sort), f"{sort} must be a list of columns", f"such as {sort}: [name]")
        else:
            for i, column in enumerate(columns):
                if column not in rules:
                    reading.mistake((*at, sort, i), f"no column '{column}' in `columns`", did_you_mean(column, rules))
    return {sort: tuple(names) for sort, names in given.items() if sort in SORTS and _is_names(names)}, []


def _is_names(given: Any) -> bool:
    return isinstance(given, Sequence) and not isinstance(given, str) and all(isinstance(one, str) for one in given)
