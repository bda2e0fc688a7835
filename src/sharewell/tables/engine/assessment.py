"""Is this data already anonymous? Every number that the question needs, in one call, for data as it stands.

>>> import pyarrow as pa
>>> frame = pa.table({"age": ["30"] * 12 + ["31"], "illness": ["flu", "gout", "acne"] * 4 + ["flu"]})
>>> result = assess(Table.of(frame, quasi=["age"], sensitive=["illness"]), k=11)
>>> result.anonymous, result.smallest, result.unique, result.below
(False, 1, 1, 1)
>>> [verdict.k for verdict in result.verdicts if verdict.ok]
[]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding, json_details
from sharewell.io.sources import Evidence, Source
from sharewell.roles import Role, Schema, did_you_mean
from sharewell.tables.attacks.homogeneity import Homogeneity
from sharewell.tables.attacks.linkage import Linkage
from sharewell.tables.attacks.prosecutor import Prosecutor
from sharewell.tables.criteria.k_anonymity import KAnonymity
from sharewell.tables.data import Classes, Indices, Table
from sharewell.tables.engine.column_risk import ColumnRisks, risk_by_column
from sharewell.tables.engine.published_cells import owners

if TYPE_CHECKING:
    from sharewell.proposal.survey import ColumnLook

CUSTOMARY_K = 11


@dataclass(frozen=True)
class Verdict:
    """A customary least class size, whose it is, and whether the data keeps it."""

    k: int
    profiles: tuple[str, ...]
    ok: bool


@dataclass(frozen=True)
class Assessment:
    """What an attacker could do with data as it stands. Numbers and names of columns, never a value."""

    rows: int
    withheld: int
    """Rows of a release that are marked as withheld; they count nowhere."""
    persons: int
    """Different persons; records where no subject is known. A record without a person counts as one."""
    unit: str
    quasi: tuple[str, ...]
    sensitive: tuple[str, ...]
    subject: str | None
    classes: int
    k: int
    smallest: int | None
    """Persons of the smallest class; None of an empty table."""
    unique: int
    """Persons who are alone in a class with one of their records at least."""
    below: int
    """Persons with a record in a class of fewer than k."""
    prosecutor: Finding
    marketer: float
    """The average probability: classes divided by persons, who count once in each class in which they have a record."""
    journalist: Finding | None
    """With a population: linkage of each record with the people who fit."""
    inference: tuple[Finding, ...]
    """Homogeneity of each sensitive column."""
    columns: ColumnRisks
    verdicts: tuple[Verdict, ...]
    guessed: bool = False
    """Were the roles guessed from names and shapes?"""
    identifiers: tuple[str, ...] = ()
    """Columns that look as if they had to go, whatever the rest is like; only a caution where roles are named."""
    ignored: tuple[str, ...] = ()
    """Columns of the file that were not looked at."""

    @property
    def anonymous(self) -> bool:
        """Has every class at least k persons? Where roles are guessed, also: must no column go?"""
        return self.smallest is not None and self.smallest >= self.k and not (self.guessed and self.identifiers)

    def __str__(self) -> str:
        """What one asks first; `repr` has everything."""
        columns = ", ".join(self.quasi) or "no column"
        if self.smallest is None:
            return f"no {self.unit} to look at"
        risk = f"{100 * float(self.prosecutor.value or 0):.3g} % at most, {100 * self.marketer:.3g} % on average"
        return (
            f"By {columns}: {self.persons} {self.unit} in {self.classes} classes, of which the smallest has"
            f" {self.smallest}. Alone in a class: {self.unique}; with fewer than {self.k - 1} others: {self.below}."
            f" Chance to pick the right record: {risk}."
        )

    def _repr_html_(self) -> str:
        from sharewell.tables.engine.notebook_view import assessment_html

        return assessment_html(self)

    def to_json(self) -> dict[str, object]:
        plain: dict[str, object] = {"anonymous": self.anonymous}
        for name, value in vars(self).items():
            if isinstance(value, Finding):
                plain[name] = value.to_json()
            elif name == "inference":
                plain[name] = [finding.to_json() for finding in self.inference]
            else:
                plain[name] = json_details(value)
        return plain


def assess(table: Table, *, k: int = CUSTOMARY_K, population: Evidence | None = None) -> Assessment:
    """All of it for a table whose roles are known. `population`: a file or frame of people who exist."""
    if k < 1:
        raise PolicyError("k — must be 1 or more")
    classes = table.classes
    persons = np.maximum(classes.persons, 1)
    smallest = int(persons.min()) if classes.count else None
    total = int(persons.sum())
    everywhere = np.arange(classes.count)
    inference = [Homogeneity(column.name).mount(table) for column in table.sensitive]
    return Assessment(
        rows=table.rows,
        withheld=int(table.suppressed.sum()),
        persons=_distinct_persons(classes, everywhere),
        unit=KAnonymity(1).counted_in(table),
        quasi=table.schema.quasi,
        sensitive=table.schema.sensitive,
        subject=table.schema.subject,
        classes=classes.count,
        k=k,
        smallest=smallest,
        unique=_distinct_persons(classes, everywhere[persons == 1]),
        below=_distinct_persons(classes, everywhere[persons < k]),
        prosecutor=Prosecutor(threshold=1 / k).mount(table),
        marketer=classes.count / total if total else 0.0,
        journalist=None if population is None else Linkage(population, threshold=1 / k).mount(table),
        inference=tuple(inference),
        columns=_by_column(table, total, classes.count, int((persons == 1).sum())),
        verdicts=_verdicts(smallest),
    )


def _distinct_persons(classes: Classes, which: Indices) -> int:
    """How many persons have a record in these classes: each counts once, in however many of them."""
    some = classes.select(which)
    if classes.subject is None:
        return len(some.order)
    subject = classes.columns[classes.subject]
    return owners(subject, subject.codes[some.order])


def _by_column(table: Table, persons: int, classes: int, unique: int) -> ColumnRisks:
    """Without a quasi column, or without a record, no column adds anything."""
    if table.quasi and table.rows:
        return risk_by_column(table)
    share = max(1, persons)
    return ColumnRisks(persons, classes / share, unique / share, True, 0, (), (), 0)


def assess_file(
    file: Source | Path | str,
    *,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] = (),
    subject: str | None = None,
    published: bool = False,
    k: int = CUSTOMARY_K,
    population: Evidence | None = None,
) -> Assessment:
    """The same for a file. Without `quasi` roles come from a release's dictionary, or are guessed as `init` does.

    `published` says that the file is a release, whose quasi cells are ranges, sets and labels.
    """
    source = Source.of(file)
    if quasi is None and published and (described := _from_dictionary(source)) is not None:
        return assess(described, k=k, population=population)
    names = source.names()
    if not names:
        raise DataError(f"{source.label} — has no columns — there is nothing to judge")
    if quasi is None:
        roles, looks = _guess_roles(source, sensitive, subject)
    else:
        roles = dict.fromkeys(quasi, Role.QUASI)
        roles |= dict.fromkeys(sensitive, Role.SENSITIVE) | ({subject: Role.SUBJECT} if subject else {})
        _refuse_unfit(source, names, [*quasi, *sensitive, *([subject] if subject else [])])
        looks = _survey(source, [name for name in names if name not in roles])
    # In the order of the file; a file without any column to judge still has rows.
    schema = Schema({name: roles[name] for name in names if name in roles} or {names[0]: Role.KEEP})
    table = Table.from_arrow(source.read(list(roles) or names[:1]), schema, {}, published=published)
    return replace(
        assess(table, k=k, population=population),
        guessed=quasi is None,
        identifiers=tuple(n for n, one in looks.items() if one.role is Role.DROP and one.distinct and n not in roles),
        ignored=tuple(name for name in names if name not in roles),
    )


def _refuse_unfit(source: Source, known: Sequence[str], wanted: Sequence[str]) -> None:
    for name in wanted:
        if name not in known:
            hint = did_you_mean(name, known) or f"it has {len(known)} others"
            raise DataError(f"{source.label} — no column '{name}' — {hint}")
        if wanted.count(name) > 1:
            raise PolicyError(f"columns.{name} — named twice — give it one role")


def _survey(source: Source, names: Sequence[str]) -> dict[str, ColumnLook]:
    """What `init` sees in these columns."""
    from sharewell.proposal import look

    return {one.name: one for one in look(Source.of(source.read(names)))} if names else {}


def _guess_roles(
    source: Source, sensitive: Sequence[str], subject: str | None
) -> tuple[dict[str, Role], dict[str, ColumnLook]]:
    """Roles as `init` proposes them; what is named stands. A date that a release would shift is not shifted yet."""
    looks = _survey(source, source.names())
    _refuse_unfit(source, list(looks), [*sensitive, *([subject] if subject else [])])
    roles: dict[str, Role] = {}
    for name, one in looks.items():
        if name in sensitive:
            roles[name] = Role.SENSITIVE
        elif name == subject or (subject is None and one.role is Role.SUBJECT):
            roles[name] = Role.SUBJECT
        elif one.role in (Role.QUASI, Role.SHIFT):
            roles[name] = Role.QUASI
        elif one.role is Role.SENSITIVE:
            roles[name] = Role.SENSITIVE
    return roles, looks


def _from_dictionary(source: Source) -> Table | None:
    """A file of a release, by the dictionary that lies beside it."""
    from sharewell.io.writing import read_json
    from sharewell.tables.wing import TablesWing

    dictionary = None if source.path is None else source.path.parent / "dictionary.json"
    if dictionary is None or not dictionary.is_file():
        return None
    datasets, names = read_json(dictionary), source.names()
    for columns in datasets.values() if isinstance(datasets, dict) else ():
        if isinstance(columns, dict) and list(columns) == names:
            return TablesWing().reopen(source, columns)
    return None


def _verdicts(smallest: int | None) -> tuple[Verdict, ...]:
    """Least class sizes in use, with the profiles that ask for them."""
    from sharewell.policy.profiles import FACTS

    asked, kept = sorted({facts.k for facts in FACTS if facts.k is not None}), smallest or 0
    return tuple(Verdict(k, tuple(facts.name for facts in FACTS if facts.k == k), kept >= k) for k in asked)
