"""How a release handles people with their codes and DNA: each part by its own wing, one row a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from sharewell import registry
from sharewell.algorithm import DataError, Finding, Key, PolicyError
from sharewell.io.cleaning_account import Account
from sharewell.io.sources import Source
from sharewell.joint.attacks.accidental_identifiers import RTAccidentalIdentifiers
from sharewell.joint.attacks.class_homogeneity import ClassHomogeneity
from sharewell.joint.attacks.rt_linkage import RTLinkage
from sharewell.joint.criteria.joined_record import JoinedRecord
from sharewell.joint.criteria.k_km_anonymity import KKmAnonymity
from sharewell.joint.data import RTData
from sharewell.joint.engine.dataset_parts import DatasetParts, described, dna_columns, opened_dna, reopened_dna
from sharewell.plain_data import Json
from sharewell.policy.model import Dataset
from sharewell.protocols import AnyCriterion, Attack, Criteria, PersonFacts, Protected, RemovedFacts
from sharewell.roles import Role, Schema
from sharewell.wing import (
    Capabilities,
    Claim,
    Dictionary,
    DroppableColumns,
    FactsOfPersons,
    PeopleTable,
    Published,
    Trees,
    Wing,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sharewell.codes import CodeSets
    from sharewell.tables import Table

_DRAWS = 5
"""Known codes that are drawn of each person where the policy does not ask for the attack."""
_SNPS = 2
"""SNPs that the attacker knows beside them."""
CODES = "codes"
"""The kind by which the dictionary knows the column of the codes."""


class JointWing(Wing[RTData]):
    """A table of people, and beside each row the codes of the person, and perhaps the DNA."""

    usual_risk = "rt-linkage"
    counted_without_persons = "records"

    def __init__(self) -> None:
        self._tables: Wing[Table] = registry.lookup("tables", "wing", "tables")()
        self._codes: Wing[CodeSets] = registry.lookup("codes", "wing", "codes")()
        code_facts = self._codes.capabilities().facts
        assert code_facts is not None
        self._code_facts: FactsOfPersons[CodeSets] = code_facts
        can = self._tables.capabilities()
        assert can.columns is not None
        assert can.people is not None
        assert can.facts is not None
        self._facts: FactsOfPersons[Table] = can.facts
        self._people_columns: DroppableColumns[Table] = can.columns
        self._people: PeopleTable[Table] = can.people

    def accounts(self, dataset: Dataset, base: Path) -> Mapping[str, Account]:
        return self._codes.accounts(DatasetParts.of(dataset).codes, base)

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> RTData:
        """The originals, joined by person: `read` has the codes, `demographics` the people, `genotypes` their DNA."""
        parts = DatasetParts.of(dataset)
        table, sets = self._tables.open(parts.people, base), self._codes.open(parts.codes, base)
        taken = [name for name, role in table.schema.roles.items() if role is not Role.DROP]
        self._refuse_taken(dataset, sets.column, taken, "codes are")
        try:
            joined = RTData.joined(table, sets)
        except DataError as error:
            raise DataError(f"{parts.people.read.label}, {parts.codes.read.label} — {error}") from None
        if parts.dna is None:
            return joined
        dna, persons = opened_dna(parts.dna, base)
        for name in dna.names:
            self._refuse_taken(dataset, name, [*taken, sets.column], "DNA is")
        try:
            return joined.with_dna(dna, persons)
        except DataError as error:
            raise DataError(f"{parts.dna.read.label} — {error}") from None

    def _refuse_taken(self, dataset: Dataset, column: str, taken: Sequence[str], what: str) -> None:
        if column in taken:
            problem = f"another column has the name {column}, under which the {what} published"
            raise PolicyError(f"datasets.{dataset.name}.columns — {problem} — rename it with `columns:` of the source")

    def default_attacks(self, dataset: Dataset, released: RTData) -> Sequence[Attack[RTData]]:
        """Attacks mounted on every release, whether the policy names them or not. Each bounds its own work."""
        snps = 0 if released.dna is None else _SNPS
        attacks: list[Attack[RTData]] = [RTLinkage(draws=_DRAWS, snps=snps), ClassHomogeneity()]
        if released.table.schema.having(Role.KEEP, Role.SENSITIVE):
            attacks.append(RTAccidentalIdentifiers())
        return attacks

    def describe(self, data: RTData) -> dict[str, dict[str, object]]:
        of_dna = {} if data.dna is None else described(data.dna)
        return {**self._tables.describe(data.table), **self._codes.describe(data.codes), **of_dna}

    def lookalikes(self, data: RTData) -> dict[str, int]:
        of_people, of_codes = self._tables.lookalikes(data.table), self._codes.lookalikes(data.codes)
        return {name: max(of_people.get(name, 0), of_codes.get(name, 0)) for name in {**of_people, **of_codes}}

    def risks(self, data: RTData) -> list[Finding]:
        """The risks by demographics alone, with two codes, and with a SNP."""
        reached = KKmAnonymity(1, m=2).check(data)
        plain = Finding(reached.name, reached.value, unit=reached.unit, note="combinations of up to 2 codes")
        by_people = self._tables.risks(data.table) if data.table.schema.quasi else []
        if data.dna is None:
            return [*by_people, plain, RTLinkage().mount(data)]
        known = JoinedRecord(2, m=2, snps=1).check(data)
        note = "combinations of up to 2 codes and a SNP"
        joined = Finding(known.name, known.value, unit=known.unit, note=known.note or note)
        return [*by_people, plain, joined, RTLinkage().mount(data)]

    def size(self, data: RTData) -> dict[str, int]:
        return self._tables.size(data.table)

    def sample(self, data: RTData, most: int) -> RTData:
        """At most this many people, evenly spread; all of fewer."""
        return data if data.rows <= most else data.take(np.linspace(0, data.rows - 1, most).astype(np.intp))

    def preferences(self, data: RTData, criteria: Criteria[RTData]) -> list[tuple[str, str]]:
        if data.dna is not None:
            return [("joined-anonymization", "it protects codes and DNA together, in the order that loses least")]
        return [("rt-anonymization", "it protects demographics and codes together")]

    def capabilities(self) -> Capabilities[RTData]:
        return Capabilities(columns=self, facts=self)

    def person_facts(self, data: RTData) -> PersonFacts | None:
        """The cells of each person, the labels of their codes, and the cell of every SNP."""
        of_people = self._facts.person_facts(data.table)
        if of_people is None:
            return None
        sets = data.codes.sets
        dna = {} if data.dna is None else data.dna.shown_cells()
        cells = {name: of_people.cells[name] for name in of_people.knowable} | dna
        labels = (sets.starts.astype(np.int64), sets.items.astype(np.int64))
        of_codes = self._code_facts.person_facts(data.codes)
        coarser = None if of_codes is None else of_codes.coarser
        shared = data.codes.overlapping_labels
        return replace(of_people, cells=cells, sets=labels, places=tuple(dna), label_covers=shared, coarser=coarser)

    def too_few(self, data: RTData, criteria: Sequence[AnyCriterion]) -> NDArray[np.bool_] | None:
        return None

    def without_facts(
        self,
        protected: Protected[RTData],
        removed: RemovedFacts,
        records: NDArray[np.bool_],
        coarser: NDArray[np.int64] | None = None,
        key: Key | None = None,
    ) -> Protected[RTData]:
        """Without some labels, with coarser ones, with `*` or N at some places of the DNA, and without some persons."""
        data, rows = protected.data, np.flatnonzero(~records)
        if coarser is not None:
            data = replace(data, codes=data.codes.coarsened(coarser, removed["labels"]))
        elif "labels" in removed:
            data = replace(data, codes=data.codes.without(removed["labels"]))
        if "places" in removed and data.dna is not None:
            data = replace(data, dna=data.dna.without(removed["places"].reshape(data.rows, -1)))
        return replace(protected, data=data.take(rows), rows=protected.rows[rows])

    def trial_data(self, data: RTData) -> RTData:
        """Only what algorithms look at, for trials in memory."""
        return replace(data, table=self._people_columns.trial_data(data.table))

    def droppable_columns(self, data: RTData) -> tuple[str, ...]:
        """Demographics that a release may be tried without; the codes always stay."""
        return self._people_columns.droppable_columns(data.table)

    def without_column(self, data: RTData, column: str) -> RTData:
        return replace(data, table=self._people_columns.without_column(data.table, column))

    def with_column_blank(self, released: RTData, original: RTData, column: str) -> RTData:
        """A release without the column, with its cells blank."""
        blank = self._people_columns.with_column_blank(released.table, original.table, column)
        return replace(released, table=blank)

    def protect(self, data: RTData, dataset: Dataset, key: Key) -> Protected[RTData]:
        protected = dataset.protect(data, key)
        people = Protected(protected.data.table, protected.details, protected.rows, protected.reproducible)
        moved = self._people.with_shifts(people, DatasetParts.of(dataset).people, key)
        return replace(protected, data=replace(protected.data, table=moved.data))

    def publish(
        self, original: RTData, protected: Protected[RTData], dataset: Dataset, key: Key, scratch: Path | None = None
    ) -> Published:
        """The table with the labels of each person beside it, and their DNA; rows sorted by what they show."""
        released = protected.data
        if released.dna is not None and original.dna is not None:
            released = replace(released, dna=released.dna.of_published(original.dna, protected.rows))
        parts = DatasetParts.of(dataset)
        texts, facts = self._written(original.codes, released.codes, protected, parts.codes, key)
        column = original.codes.column
        beside = {column: texts, **({} if released.dna is None else released.dna.arrow())}
        claim = {column: facts, **({} if released.dna is None else released.dna.facts())}
        schema = Schema({**original.table.schema.roles, **dict.fromkeys(beside, Role.KEEP)})
        others = released.table.carried
        carried = pa.table({**{name: others[name] for name in others.column_names}, **beside})
        shown = replace(released.table, schema=schema, carried=carried)
        before = replace(original.table, schema=schema)
        people = Protected(shown, protected.details, protected.rows)
        published = self._tables.publish(before, people, parts.people, key)
        return replace(published, dictionary={**published.dictionary, **claim}, people=None, internal_files={})

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
        self, source: Source, columns: Dictionary, evidence: pa.Table | None = None, trees: Trees = None
    ) -> RTData:
        """The release as its file shows it: the columns of the people, the one of the codes, and those of the DNA."""
        code_columns = [name for name, facts in columns.items() if facts.get("kind") == CODES]
        of_dna = dna_columns(columns)
        if len(code_columns) != 1 or code_columns[0] not in source.names():
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        column, hierarchies = code_columns[0], trees or {}
        beside = {column, *of_dna}
        facts_of = {name: {"role": str(Role.KEEP)} if name in beside else facts for name, facts in columns.items()}
        table = self._tables.reopen(source, facts_of, evidence, {n: t for n, t in hierarchies.items() if n != column})
        listed = Source.of(source.read([column]))
        codes = self._codes.reopen(listed, {column: columns[column]}, None, hierarchies)
        return RTData.of(table, codes, reopened_dna(source, of_dna) if of_dna else None)

    def contradictions(self, data: RTData, claim: Claim, asked: Mapping[str, Json]) -> list[str]:
        """What is wrong with the columns of the people, with the one of the codes, and with those of the DNA."""
        held = {name: facts for name, facts in claim.columns.items() if facts.get("kind") == CODES}
        beside = {*held, *dna_columns(claim.columns)}
        people = replace(claim, columns={name: facts for name, facts in claim.columns.items() if name not in beside})
        codes = replace(claim, columns=held)
        results = self._tables.contradictions(data.table, people, asked)
        results += self._codes.contradictions(data.codes, codes, asked)
        of_dna = {} if data.dna is None else data.dna.facts()
        wrong = [name for name, facts in of_dna.items() if dict(claim.columns[name]) != facts]
        return results + [f"column {name} — is not what the dictionary says" for name in wrong]
