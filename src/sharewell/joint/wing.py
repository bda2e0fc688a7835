"""How a release handles people with their codes: each part by its own wing, one row a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sharewell import registry
from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding
from sharewell.hierarchy import Hierarchy
from sharewell.io.cleaning_account import Account
from sharewell.io.sources import Source
from sharewell.joint.attacks.accidental_identifiers import RTAccidentalIdentifiers
from sharewell.joint.attacks.class_homogeneity import ClassHomogeneity
from sharewell.joint.attacks.rt_linkage import RTLinkage
from sharewell.joint.criteria.k_km_anonymity import KKmAnonymity
from sharewell.joint.data import RTData
from sharewell.joint.policy import joint_keys
from sharewell.keys import Key
from sharewell.plain_data import Json
from sharewell.policy.model import Dataset, OwnKeys
from sharewell.protocols import Attack, Criterion, Protected
from sharewell.roles import Role, Schema
from sharewell.wing import Capabilities, Claim, ColumnFacts, DroppableColumns, PeopleTable, Published, Wing

if TYPE_CHECKING:
    from sharewell.codes import CodeSets
    from sharewell.tables import Table

_DRAWS = 5
"""Known codes that are drawn of each person where the policy does not ask for the attack."""
CODES = "codes"
"""The kind by which the dictionary knows the column of the codes."""


class JointWing(Wing[RTData]):
    """A table of people, and beside each row the codes of the person."""

    usual_risk = "rt-linkage"
    counted_without_persons = "records"

    def __init__(self) -> None:
        self._tables: Wing[Table] = registry.lookup("tables", "wing", "tables")()
        self._codes: Wing[CodeSets] = registry.lookup("codes", "wing", "codes")()
        can = self._tables.capabilities()
        assert can.columns is not None
        assert can.people is not None
        self._people_columns: DroppableColumns[Table] = can.columns
        self._people: PeopleTable[Table] = can.people

    def accounts(self, dataset: Dataset, base: Path) -> Mapping[str, Account]:
        return self._codes.accounts(parts(dataset)[1], base)

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> RTData:
        """The originals, joined by person. `read` has the codes, `demographics` the people."""
        people, codes = parts(dataset)
        table, sets = self._tables.open(people, base), self._codes.open(codes, base)
        if table.schema.roles.get(sets.column, Role.DROP) is not Role.DROP:
            problem = f"column {sets.column} of the people has the name under which the codes are published"
            raise PolicyError(f"datasets.{dataset.name}.columns — {problem} — rename it with `columns:` of the source")
        try:
            return RTData.joined(table, sets)
        except DataError as error:
            raise DataError(f"{people.read.label}, {codes.read.label} — {error}") from None

    def default_attacks(self, dataset: Dataset, released: RTData) -> Sequence[Attack[RTData]]:
        """Attacks mounted on every release, whether the policy names them or not. Each bounds its own work."""
        attacks: list[Attack[RTData]] = [RTLinkage(draws=_DRAWS), ClassHomogeneity()]
        if released.table.schema.having(Role.KEEP, Role.SENSITIVE):
            attacks.append(RTAccidentalIdentifiers())
        return attacks

    def describe(self, data: RTData) -> dict[str, dict[str, object]]:
        return {**self._tables.describe(data.table), **self._codes.describe(data.codes)}

    def lookalikes(self, data: RTData) -> dict[str, int]:
        of_people, of_codes = self._tables.lookalikes(data.table), self._codes.lookalikes(data.codes)
        return {name: max(of_people.get(name, 0), of_codes.get(name, 0)) for name in {**of_people, **of_codes}}

    def risks(self, data: RTData) -> list[Finding]:
        """The risks by demographics alone, and with two codes."""
        reached = KKmAnonymity(1, m=2).check(data)
        plain = Finding(reached.name, reached.value, unit=reached.unit, note="combinations of up to 2 codes")
        return [*self._tables.risks(data.table), plain, RTLinkage().mount(data)]

    def size(self, data: RTData) -> dict[str, int]:
        return self._tables.size(data.table)

    def sample(self, data: RTData, most: int) -> RTData:
        """At most so many people, evenly spread; all of fewer."""
        return data if data.rows <= most else data.take(np.linspace(0, data.rows - 1, most).astype(np.intp))

    def preferences(self, data: RTData, must: Sequence[Criterion[RTData]]) -> list[tuple[str, str]]:
        return [("rt-anonymization", "it protects demographics and codes together")]

    def capabilities(self) -> Capabilities[RTData]:
        return Capabilities(columns=self)

    def trial_data(self, data: RTData) -> RTData:
        """Only what algorithms look at, for trials in memory."""
        return RTData(self._people_columns.trial_data(data.table), data.codes)

    def droppable_columns(self, data: RTData) -> tuple[str, ...]:
        """Demographics that a release may be tried without; the codes always stay."""
        return self._people_columns.droppable_columns(data.table)

    def without_column(self, data: RTData, column: str) -> RTData:
        return RTData(self._people_columns.without_column(data.table, column), data.codes)

    def with_column_blank(self, released: RTData, original: RTData, column: str) -> RTData:
        """A release without the column, with its cells blank."""
        return RTData(self._people_columns.with_column_blank(released.table, original.table, column), released.codes)

    def protect(self, data: RTData, dataset: Dataset, key: Key) -> Protected[RTData]:
        protected = dataset.protect(data, key)
        people = Protected(protected.data.table, protected.details, protected.rows, protected.reproducible)
        moved = self._people.with_shifts(people, parts(dataset)[0], key)
        return replace(protected, data=RTData(moved.data, protected.data.codes))

    def publish(
        self, original: RTData, protected: Protected[RTData], dataset: Dataset, key: Key, scratch: Path | None = None
    ) -> Published:
        """The table with one column more, the labels of each person; rows sorted by what they show."""
        released = protected.data
        people, codes = parts(dataset)
        texts, facts = self._written(original.codes, released.codes, protected, codes, key)
        column = original.codes.column
        schema = Schema({**original.table.schema.roles, column: Role.KEEP})
        others = released.table.carried
        carried = others.append_column(column, texts) if others.num_columns else pa.table({column: texts})
        shown = replace(released.table, schema=schema, carried=carried)
        before = replace(original.table, schema=schema)
        published = self._tables.publish(before, Protected(shown, protected.details, protected.rows), people, key)
        return replace(published, dictionary={**published.dictionary, column: facts}, people=None, internal_files={})

    def _written(
        self, original: CodeSets, released: CodeSets, protected: Protected[RTData], dataset: Dataset, key: Key
    ) -> tuple[pa.Array, dict[str, object]]:
        """The text of each released person's codes, and what the dictionary says of them.

        The codes wing sorts records by what they show; its evidence names the person of each.
        """
        published = self._codes.publish(original, Protected(released, protected.details, protected.rows), dataset, key)
        assert isinstance(published.evidence, pa.Table)
        assert isinstance(published.table, pa.Table)
        (person,) = published.evidence.column_names
        texts = published.table[original.column].to_pylist()
        text_of = dict(zip(published.evidence[person].to_pylist(), texts, strict=True))
        scoped = key.of_persons(dataset.name)
        assert original.persons is not None
        texts = [text_of[scoped.pseudonym(original.persons[row])] for row in protected.rows]
        return pa.array(texts, pa.string()), published.dictionary[original.column]

    def reopen(
        self,
        source: Source,
        columns: Mapping[str, ColumnFacts],
        evidence: pa.Table | None = None,
        trees: Mapping[str, Hierarchy] | None = None,
    ) -> RTData:
        """The release as its file shows it: the columns of the people, and the one of the codes."""
        code_columns = [name for name, facts in columns.items() if facts.get("kind") == CODES]
        if len(code_columns) != 1 or code_columns[0] not in source.names():
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        column, hierarchies = code_columns[0], trees or {}
        facts_of = {name: {"role": str(Role.KEEP)} if name == column else facts for name, facts in columns.items()}
        table = self._tables.reopen(source, facts_of, evidence, {n: t for n, t in hierarchies.items() if n != column})
        listed = Source.of(source.read([column]))
        codes = self._codes.reopen(listed, {column: columns[column]}, None, hierarchies)
        return RTData.of(table, codes)

    def contradictions(self, data: RTData, claim: Claim, asked: Mapping[str, Json]) -> list[str]:
        """What is wrong with the columns of the people, and with the one of the codes."""
        held = {name: facts for name, facts in claim.columns.items() if facts.get("kind") == CODES}
        people = replace(claim, columns={name: facts for name, facts in claim.columns.items() if name not in held})
        codes = replace(claim, columns=held)
        found = self._tables.contradictions(data.table, people, asked)
        return found + self._codes.contradictions(data.codes, codes, asked)


def parts(dataset: Dataset) -> tuple[Dataset, Dataset]:
    """The people and their codes, each as a dataset that its own wing can open."""
    place = f"datasets.{dataset.name}"
    keys = joint_keys(dataset)
    if keys.demographics is None:
        raise PolicyError(f"{place} — kind joint needs the people beside their codes — say demographics: {{csv: …}}")
    if keys.unit != "person":
        raise PolicyError(f"{place}.unit — people and their codes are published by person — take it out")
    code_columns, known = dataset.read.names(), keys.demographics.names()
    rules = dataset.columns
    subject = next((name for name, rule in rules.items() if rule.role is Role.SUBJECT), None)
    if subject is None or subject not in code_columns or subject not in known:
        problem = "people and codes are joined by a subject column of the same name in both files"
        raise PolicyError(f"{place}.columns — {problem} — map names with `columns:` of the source")
    roles = {name: rule.role for name, rule in rules.items()}
    both = [name for name in code_columns if name in known and name != subject and roles.get(name) is not Role.DROP]
    if both:
        problem = f"{', '.join(both)} is a column of both files"
        raise PolicyError(f"{place}.columns — {problem} — drop it, or rename one with `columns:` of the source")
    unread = [name for name in rules if name not in code_columns and name not in known]
    if unread:
        raise PolicyError(f"{place}.columns — neither file has: {', '.join(unread)}")
    Schema.of(code_columns, {name: role for name, role in roles.items() if name in code_columns}, dataset.rest)
    fit = (Role.SUBJECT, Role.QUASI, Role.DROP)
    unfit = [name for name in code_columns if roles.get(name, dataset.rest) not in fit]
    if unfit:
        problem = f"{dataset.read.label} lists codes, so that {', '.join(unfit)} cannot be published"
        raise PolicyError(f"{place}.columns — {problem} — drop it, or bring it with the people")
    of_codes = {name: rule for name, rule in rules.items() if name in code_columns}
    of_people = {name: rule for name, rule in rules.items() if name in known}
    codes = replace(dataset, kind="codes", columns=of_codes, own=keys.codes)
    people = replace(dataset, kind="tables", read=keys.demographics, columns=of_people, own=OwnKeys())
    return people, codes
