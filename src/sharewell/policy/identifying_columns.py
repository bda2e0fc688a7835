"""Columns that would be published as they are although their values look like identifiers, or single people out.

A column with the role `keep` is protected by nothing. It is refused if its values are written like identifiers (e-mail
addresses, social security numbers, telephone numbers, IBAN, …), if its name says that it holds one, or if nearly every
person has a value that nobody else has; a sensitive column is refused if its values are written like identifiers. Who
means it writes `{keep: anyway}`, and the certificate says so.

A quasi column of text without a hierarchy is published as sets: every class lists its values. Of names or numbers of
persons that is a list of the people in the class, however many they are. It is refused if its values are written so, or
if most of at least fifty persons have a value that nobody else has, unless the policy says `type: text`, a hierarchy or
a style.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from sharewell.errors import Mistake, PolicyError, SharewellError
from sharewell.io.sources import Source
from sharewell.io.yaml_positions import Document, dotted
from sharewell.policy.changed_columns import changed_by_mechanism
from sharewell.policy.mistyped_columns import says_its_type
from sharewell.policy.model import Auto, ColumnRule, Dataset, Policy
from sharewell.policy.shown_intervals import shown_by_dates
from sharewell.policy.shown_values import shown_by_columns
from sharewell.policy.unsearched_columns import unsearched
from sharewell.policy.wing_policy import policy_of
from sharewell.roles import Role

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from sharewell.proposal.profile import Facts

FIRST_ROWS = 200_000
"""What `check` looks at of a large file; a plan and a release look at all of it, but for lists of quasi columns."""
_SOME_ROWS = 10_000
_LEAST_PERSONS = 20
"""Among fewer people values are often different by chance."""
_ENOUGH_PERSONS = 50
"""Among fewer people half of the values of a true category may be those of single people."""
_NEARLY_ALL, _MOST = 0.9, 0.5
_LEAST_CODES = 5
_LONG_CODE = r"^\s*[[:alpha:]]{0,5}[-_/ .]?\d{6,}\s*$"
_HINT = "drop it, make it quasi, or write {keep: anyway} if it must be published as it is"
_HINT_QUASI = "drop it, or give it a hierarchy; if such a list may be published, say `type: text`"
_HINT_SENSITIVE = "drop it, or write {role: sensitive, anyway: true} if it must be published as it is"


def refuse_identifying(policy: Policy) -> None:
    """Raise PolicyError, with every such column of the policy, after looking at all records."""
    document = Document(positions=dict(policy.positions))
    mistakes = []
    for dataset in policy.datasets.values():
        shown = {one[0]: one for one in (*shown_by_columns(dataset, FIRST_ROWS), *shown_by_dates(dataset, FIRST_ROWS))}
        for name, why, hint in (*identifying(dataset), *shown.values(), *unsearched(dataset)):
            place = ("datasets", dataset.name, "columns", name)
            mistakes.append(Mistake(*document.at(place), dotted(place), why, hint))
    if mistakes:
        raise PolicyError(mistakes, policy.path.name)


def identifying(dataset: Dataset, most: int | None = None) -> Iterator[tuple[str, str, str]]:
    """(column, why, what to do), looking at `most` records. A source that cannot be read is told of elsewhere."""
    for source in dataset.own.column_files(dataset.read):
        try:
            yield from _of_source(dataset, source, most)
        except SharewellError:
            continue


def _of_source(dataset: Dataset, source: Source, most: int | None) -> Iterator[tuple[str, str, str]]:
    names = source.names()
    roles = {name: dataset.columns.get(name) or ColumnRule(dataset.rest or Role.DROP) for name in names}
    changed = changed_by_mechanism(dataset)
    looked_at = [
        name
        for name, rule in roles.items()
        if rule.role in (Role.KEEP, Role.SENSITIVE) and not rule.anyway and name not in changed
    ]
    yield from _singling_out(dataset, source, {name: roles[name] for name in looked_at}, roles, most)
    listed = [name for name, rule in roles.items() if _is_listed(dataset, rule) and name not in changed]
    if listed and any(source is one for one in dataset.own.typed_files(dataset.read)):  # not of codes and DNA
        yield from _listing(source, listed, _subject(roles), FIRST_ROWS if most is None else most)


def _singling_out(
    dataset: Dataset,
    source: Source,
    looked_at: Mapping[str, ColumnRule],
    roles: Mapping[str, ColumnRule],
    most: int | None,
) -> Iterator[tuple[str, str, str]]:
    """Columns that are published as they are."""
    if not looked_at:
        return
    subject = _subject(roles) if any(rule.role is Role.KEEP for rule in looked_at.values()) else None
    from sharewell.proposal.profile import measure

    table = _read(source, [*looked_at, *([subject] if subject else [])], most)
    only_years = not isinstance(dataset.using.built, Auto) and dataset.using.built.only_years
    persons = None
    for name, rule in looked_at.items():
        facts = measure(name, table[name])
        if only_years and facts.kind in ("date", "instant"):
            continue
        kept = rule.role is Role.KEEP
        if kept and subject is not None and persons is None:
            persons = measure(subject, table[subject]).codes
        why = _written_like(facts) or (_own_values(facts, persons) if kept else None)
        if why is not None:
            yield name, why, _HINT if kept else _HINT_SENSITIVE


def _subject(roles: Mapping[str, ColumnRule]) -> str | None:
    return next((name for name, rule in roles.items() if rule.role is Role.SUBJECT), None)


def _listing(source: Source, names: list[str], subject: str | None, most: int) -> Iterator[tuple[str, str, str]]:
    """Quasi columns whose classes would list what belongs to single persons, among the first rows of a large file."""
    from sharewell.proposal.profile import measure

    table = _read(source, [*names, *([subject] if subject else [])], most).slice(0, most)
    for name in names:
        facts = measure(name, table[name])
        if facts.kind == "text" and (why := _lists_persons(facts, table, subject)) is not None:
            yield name, f"{why}, and a class would list them", _HINT_QUASI


def _is_listed(dataset: Dataset, rule: ColumnRule) -> bool:
    """Would its classes show the set of their values, unless these are numbers or dates?"""
    return rule.role is Role.QUASI and policy_of(dataset.kind).typed_columns and not says_its_type(rule)


def _lists_persons(facts: Facts, table: pa.Table, subject: str | None) -> str | None:
    """Why the values of a quasi column of text are those of single persons."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from sharewell.proposal.content import shape
    from sharewell.proposal.listed_names import are_people
    from sharewell.proposal.profile import measure

    result = shape(facts.sample)
    if result is not None and result.enough and result.strong:
        return f"{result.hits} of {result.of} different values examined look like {result.what}"
    if are_people(facts.sample.to_pylist()):
        return f"most of {len(facts.sample)} different values examined are names of people"
    whose = None if subject is None else table[subject]
    filled = pa.array(np.flatnonzero(facts.codes < facts.distinct)[:_SOME_ROWS])
    persons = len(filled) if whose is None else pc.count_distinct(whose.take(filled)).as_py()
    if facts.distinct < max(_LEAST_PERSONS, _MOST * persons):  # too few for most people to have their own
        return None
    codes = None if whose is None else measure(str(subject), whose).codes
    return _own_values(facts, codes) or _mostly_own(facts, codes)


def _mostly_own(facts: Facts, persons: NDArray[np.intp] | None) -> str | None:
    """Values most of which belong to one person: a class would list them, whatever they are."""
    import numpy as np

    from sharewell.proposal.singling_out import alone

    filled = np.flatnonzero(facts.codes < facts.distinct)
    whose = None if persons is None else persons[filled]
    count = len(filled) if whose is None else len(np.unique(whose))
    share = alone(facts.codes[filled], whose)
    if count < _ENOUGH_PERSONS or share < _MOST:
        return None
    return f"{_share(share)} of the {count} {_unit(persons)} have a value that nobody else has"


def _read(source: Source, names: list[str], most: int | None) -> pa.Table:
    if most is None or not source.is_large:
        return source.read(names)
    return next(iter(source.batches(names, most)), None) or source.read(names)


def _written_like(facts: Facts) -> str | None:
    """Values of a shape that identifiers have. Dates that cannot be told from telephone numbers are dates."""
    from sharewell.proposal.content import shape

    result = shape(facts.sample)
    if result is None or not result.enough or (not result.strong and (facts.unclear_dates or facts.kind != "text")):
        return None
    return f"{result.hits} of {result.of} different values examined look like {result.what}"


def _own_values(facts: Facts, persons: NDArray[np.intp] | None) -> str | None:
    """Values that belong to one person each, or to most persons where codes or the name say an identifier."""
    import numpy as np
    import pyarrow.compute as pc

    from sharewell.proposal.singling_out import alone

    filled = np.flatnonzero(facts.codes < facts.distinct)
    whose = None if persons is None else persons[filled]
    count = len(filled) if whose is None else len(np.unique(whose))
    share = alone(facts.codes[filled], whose)
    if count >= _LEAST_PERSONS and share >= _NEARLY_ALL:
        return f"{_share(share)} of the {count} {_unit(persons)} have a value that nobody else has"
    if count < 2 or share < _MOST:
        return None
    what = _named_like(facts.name)
    if what is not None:
        return f"by its name it holds {what}, and most of the {count} {_unit(persons)} have a value of their own"
    codes = facts.kind in ("text", "number") and count >= _LEAST_CODES
    if codes and pc.all(pc.match_substring_regex(facts.sample, _LONG_CODE)).as_py():
        return f"long codes, and most of the {count} {_unit(persons)} have one of their own, as identifiers are"
    return None


def _named_like(name: str) -> str | None:
    """Which identifier the name of a column says."""
    from sharewell.proposal.names import by_name, is_person_key, is_person_number, is_technical_key

    meaning = by_name(name)
    if meaning is not None and meaning.role is Role.DROP and meaning.topic != "free text":
        return str(meaning.what)
    if is_person_key(name) or is_person_number(name):
        return "a number of a person"
    return "the number of something" if is_technical_key(name) else None


def _unit(persons: NDArray[np.intp] | None) -> str:
    return "records" if persons is None else "persons"


def _share(share: float) -> str:
    return "all" if share == 1 else f"{int(100 * share)} %"
