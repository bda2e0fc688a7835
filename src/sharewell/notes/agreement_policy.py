"""Which columns of a table its text columns may not say more than: chosen by their names, or written in the policy.

A text column beside generalised or dropped columns is held against its row (`text-agrees-with-table`). The policy may
name the columns itself, by sort: `agrees_with_table: {ages: [years], diagnoses: [illness]}`. It may also say
`agrees_with_table: false`, which is listed as a deviation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sharewell import registry
from sharewell.plain_data import Json
from sharewell.policy.model import ColumnRule, ConfiguredAlgorithm, ConfiguredCriterion, Dataset
from sharewell.policy.wing_policy import Draft
from sharewell.roles import Role, did_you_mean

if TYPE_CHECKING:
    from sharewell.proposal.names import Meaning

KIND, AGREES, KEY = "notes", "text-agrees-with-table", "agrees_with_table"
SORTS = ("ages", "births", "sexes", "dates", "zips", "places", "diagnoses", "codes", "traits")
_SHOWN = (Role.QUASI, Role.KEEP, Role.SENSITIVE)
_BY_TOPIC = {"age": "ages", "birth": "births", "sex": "sexes", "postal": "zips", "diagnosis": "diagnoses"}
_PLACES = ("a place", "a region")
_TRAITS = frozenset(("race or ethnicity", "a country or nationality", "marital status", "occupation", "religion")) | {
    *("language", "military service", "the place of care"),
}
_HIDDEN = {"ages": "age", "births": "birth", "sexes": "sex", "diagnoses": "diagnosis"}
_ALSO_EXACT = ("ages", "births", "sexes")
"""Sorts of which a column that is published as it is counts too: a text may say what it says."""
_WORDS = ("places", "diagnoses", "traits")
Sorted = dict[str, list[str]]
"""Sort → columns."""


def required_agreement(draft: Draft, name: str, written: Json) -> tuple[ConfiguredCriterion, ...]:
    """The criterion for one column of text; none where nothing beside it is generalised or dropped, or nobody asks."""
    if written is False:
        what = "may say more than the published cells of its row: the policy does not ask that it agrees with the table"
        draft.deviate(what, ("columns", name))
        return ()
    rules = {column: rule for column, rule in draft.rules.items() if rule.role is not Role.TEXT}
    if isinstance(written, dict):
        sorts, hidden = _written(draft, name, written, rules), list[str]()
    else:
        dated = {column for column, cleaning in draft.read.clean.items() if cleaning.date} if draft.read else set()
        sorts, hidden = _by_names(rules, dated)
        left = [column for column, rule in rules.items() if rule.role is Role.QUASI and column not in _all(sorts)]
        _tell(draft, name, sorts, hidden, left)
    parameters = _parameters(rules, sorts, hidden)
    if not parameters:
        return ()
    return (ConfiguredAlgorithm(AGREES, parameters, registry.lookup(KIND, "criteria", AGREES)(**parameters)),)


def held_against(people: Dataset) -> dict[str, tuple[str, ...]]:
    """The columns of a table of people, by sort, that notes of these people may not say more than."""
    rules = {column: rule for column, rule in people.columns.items() if rule.role is not Role.TEXT}
    dated = {column for column, cleaning in people.read.clean.items() if cleaning.date}
    sorts, hidden = _by_names(rules, dated)
    return _parameters(rules, {sort: columns for sort, columns in sorts.items() if sort != "traits"}, hidden)


def _parameters(rules: Mapping[str, ColumnRule], sorts: Sorted, hidden: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Of the criterion; none where nothing is generalised or dropped."""
    if not hidden and not any(rules[column].role is Role.QUASI for column in _all(sorts)):
        return {}
    labelled = [column for sort in _WORDS for column in sorts.get(sort, []) if rules[column].hierarchy is not None]
    lists = {**sorts, "labelled": labelled, "hidden": hidden}
    return {sort: tuple(columns) for sort, columns in lists.items() if columns}


def _by_names(rules: Mapping[str, ColumnRule], dated: Collection[str]) -> tuple[Sorted, list[str]]:
    """Published columns by sort, and the sorts of dropped ones. dated: columns that are read as dates."""
    sorts: Sorted = {}
    dropped = []
    for column, rule in rules.items():
        for sort in _sorts_of(column, rule, column in dated):
            if rule.role in _SHOWN and (rule.role is Role.QUASI or sort in _ALSO_EXACT):
                sorts.setdefault(sort, []).append(column)
            elif rule.role is Role.DROP and sort in _HIDDEN:
                dropped.append(sort)
    hidden = [
        _HIDDEN[sort] for sort in _HIDDEN if sort in dropped and (sort in ("births", "diagnoses") or sort not in sorts)
    ]
    return sorts, hidden


def age_columns(rules: Mapping[str, ColumnRule]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Columns that tell the age of a row, whatever their role: those of ages, of births and of other dates."""
    by_sort: Sorted = {"ages": [], "births": [], "dates": []}
    for column, rule in rules.items():
        if rule.role is not Role.TEXT:
            for sort in _sorts_of(column, rule, rule.role is Role.SHIFT):
                by_sort.get(sort, []).append(column)
    return tuple(by_sort["ages"]), tuple(by_sort["births"]), tuple(by_sort["dates"])


def dropped_diagnoses(rules: Mapping[str, ColumnRule]) -> tuple[str, ...]:
    """Dropped columns that say what somebody has: the row's own value is searched for in its text."""
    dropped = [column for column, rule in rules.items() if rule.role is Role.DROP]
    return tuple(column for column in dropped if "diagnoses" in _sorts_of(column, rules[column]))


def _sorts_of(column: str, rule: ColumnRule, is_dated: bool = False) -> Iterator[str]:
    from sharewell.proposal.names import by_name

    meaning = by_name(column)
    what = "" if meaning is None else meaning.what
    by_words = "places" if what in _PLACES else "traits" if what in _TRAITS else ""
    if sort := by_words if meaning is None else _BY_TOPIC.get(meaning.topic, by_words):
        yield sort
    elif is_dated or rule.type == "date" or rule.hierarchy == "date" or _names_a_date(column, meaning):
        yield "dates"
    if isinstance(rule.hierarchy, str) and rule.hierarchy.startswith("icd"):
        yield "codes"


def _names_a_date(column: str, meaning: Meaning | None) -> bool:
    from sharewell.proposal.names import tokens

    return "date" in tokens(column) or (meaning is not None and "date" in meaning.what.split())


def _written(draft: Draft, name: str, written: Mapping[str, Json], rules: Mapping[str, ColumnRule]) -> Sorted:
    """As the policy names them."""
    place, sorts = ("columns", name, KEY), {}
    for sort, columns in written.items():
        if sort not in SORTS:
            hint = did_you_mean(sort, SORTS) or f"sorts: {', '.join(SORTS)}"
            draft.mistake((*place, sort), f"no sort of column named '{sort}'", hint)
        elif not isinstance(columns, Sequence) or isinstance(columns, str):
            draft.mistake((*place, sort), f"{sort} must be a list of columns", f"such as {sort}: [age]")
        else:
            sorts[sort] = [column for column in columns if column in rules and rules[column].role in _SHOWN]
            for i, column in enumerate(columns):
                if column not in sorts[sort]:
                    hint = did_you_mean(str(column), rules)
                    draft.mistake((*place, sort, i), f"no published column '{column}' beside the text", hint)
    return sorts


def _tell(draft: Draft, name: str, sorts: Sorted, hidden: Sequence[str], left: Sequence[str]) -> None:
    quasi = [column for column in _all(sorts) if draft.rules[column].role is Role.QUASI]
    if quasi or hidden:
        dropped = f"{' and ' if quasi else ''}{', '.join(hidden)} (dropped)" if hidden else ""
        limit = (
            f"it must not disclose more than the row's published cells of {', '.join(quasi)}"
            if quasi
            else "it must not disclose "
        )
        rest = f"; not searched for: {', '.join(left)}" if left else ""
        draft.decide(f"{limit}{dropped}{rest}", ("columns", name))


def _all(sorts: Sorted) -> list[str]:
    return list(dict.fromkeys(column for columns in sorts.values() for column in columns))
