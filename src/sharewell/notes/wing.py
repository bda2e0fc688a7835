"""How a release opens, protects and publishes clinical notes, and opens the published file again for verification."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.date_shift import refuse_unshiftable
from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding
from sharewell.hierarchy.levels import Hierarchy
from sharewell.io.sources import Source
from sharewell.io.spilled_columns import LazyColumns
from sharewell.io.work_blocks import Journal, sorted_by_content, unfolded
from sharewell.keys import Key, PersonNames
from sharewell.notes.agreement_policy import age_columns
from sharewell.notes.criteria.no_known_identifiers import NoKnownIdentifiers
from sharewell.notes.criteria.text_agrees_with_table import TextAgreesWithTable
from sharewell.notes.data import ColumnShift, Notes
from sharewell.notes.engine.examples import examples
from sharewell.notes.engine.note_facts import person_facts, without_facts
from sharewell.notes.engine.note_files import (
    NoteColumns,
    SubjectCodes,
    TextsOnDisk,
    count_people,
    key_columns,
    read_notes,
)
from sharewell.notes.engine.people_tables import People
from sharewell.notes.engine.rewritten_text import Change, Rewriter
from sharewell.parameters import values_of, with_values
from sharewell.plain_data import Json
from sharewell.policy.model import ColumnRule, Dataset
from sharewell.protocols import AnyCriterion, Criterion, Mechanism, PersonFacts, Protected, RemovedFacts
from sharewell.roles import Role, Schema
from sharewell.spelling import names_as_one
from sharewell.wing import Capabilities, Claim, ColumnFacts, Published, Wing

if TYPE_CHECKING:  # a verifier loads no mechanism
    from sharewell.notes.engine.protection.person_by_person import Details, NoteMechanism

PERSON = "person"
"""The column of the evidence that says whose each published note is."""
SUBJECT = "subject"
"""Where PERSON has the pseudonym that a person has in several datasets: as the table of people names them."""
ROW = "row"
PUBLISHED = (Role.KEEP, Role.SENSITIVE, Role.SHIFT)
"""Roles of columns that are published beside the text."""
SAMPLED_NOTES = 1_000
"""Of a larger dataset, risks, attacks, measures and the trial of a plan take so many notes."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[/.-]\d{1,2}[/.-]\d{4}")
_THOROUGH = {"names": "tag", "places": "tag", "dates": "year", "doses": "suppress", "drugs": "suppress"}
"""What a comparison sets parameters of a mechanism to, each by itself."""
_CHANGES = pa.list_(pa.struct([(name, pa.string() if name == "kind" else pa.int64()) for name in Change._fields]))


class NotesWing(Wing[Notes]):
    """One note a record."""

    usual_risk = "note-linkage"

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> Notes:
        """The original. A large file stays on disk; finished blocks are kept under `scratch`."""
        columns = columns_of(dataset)
        place = None if scratch is None else scratch / dataset.name
        notes = read_notes(dataset.read, columns, people=people_of(dataset), name=dataset.name, place=place)
        roles = {name: rule.role for name, rule in dataset.columns.items()}
        named = Schema.of(dataset.read.names(), roles, dataset.rest).roles
        facts = {name: {"role": str(role), **notes.facts.get(name, {})} for name, role in named.items()}
        if notes.persons is not None and columns.subject is not None:
            facts[columns.subject]["distinct"] = count_people(notes.persons)
            if isinstance(notes.people, People):
                facts[columns.subject]["unknown"] = sum(person not in notes.people for person in set(notes.persons))
        return replace(notes, facts=facts)

    def capabilities(self) -> Capabilities[Notes]:
        return Capabilities(workers=self, text_reader=self, extraction=self, facts=self, journal=True)

    def person_facts(self, data: Notes) -> PersonFacts | None:
        """The words of each note, and the cells beside it that are published as they are."""
        return person_facts(data)

    def too_few(self, data: Notes, criteria: Sequence[AnyCriterion]) -> NDArray[np.bool_] | None:
        return None

    def without_facts(
        self,
        protected: Protected[Notes],
        removed: RemovedFacts,
        records: NDArray[np.bool_],
        coarser: NDArray[np.int64] | None = None,
        key: Key | None = None,
    ) -> Protected[Notes]:
        """With a mark in place of some words, and without some notes."""
        data, details = protected.data, protected.details
        left, changes = without_facts(data, _changes(data, details), removed.get("labels"), ~records, key)
        kept = protected.rows[np.flatnonzero(~records)]
        return replace(protected, data=left, details=replace(details, changes=changes), rows=kept)

    def with_workers(self, data: Notes, processes: int, report_progress: Callable[[int], None]) -> Notes:
        """The same notes, to be protected by several processes that report progress."""
        return replace(data, work=replace(data.work, processes=processes, report_progress=report_progress))

    def describe(self, data: Notes) -> dict[str, dict[str, object]]:
        """Counts only."""
        columns: dict[str, dict[str, object]] = {}
        for name, facts in (data.facts or {data.column: {"role": str(Role.TEXT)}}).items():
            columns[name] = {key: value for key, value in facts.items() if key not in ("twice", "blank", "alike")}
        columns[data.column]["kind"] = "text"
        return columns

    def lookalikes(self, data: Notes) -> dict[str, int]:
        """How many names of persons look like another one, and count as one person's."""
        return {name: facts["alike"] for name, facts in data.facts.items() if facts.get("alike")}

    def cautions(self, data: Notes) -> list[str]:
        """Warnings about the source that a steward should read before the release."""
        cautions = []
        blank = data.facts.get(data.column, {})
        if empty := blank.get("missing", 0) + blank.get("blank", 0):
            cautions.append(f"{data.column}: {empty} note(s) have no text, and are not published")
        for name, facts in data.facts.items():
            if facts.get("twice"):
                cautions.append(f"{name}: {facts['twice']} note(s) have the same number as another; all are published")
            if facts.get("role") in (Role.KEEP, Role.SENSITIVE):
                cautions += _kept_column_cautions(name, data)
            if facts.get("unknown"):
                problem = "are not in the table of people: nothing known of them could be searched for"
                cautions.append(f"{name}: {facts['unknown']} of {facts['distinct']} person(s) {problem}")
        return cautions

    def risks(self, data: Notes) -> list[Finding]:
        """The number of people whose own identifiers stand in their notes."""
        if data.people is None or data.persons is None or not data.rows:
            return []
        part = self.sample(data, SAMPLED_NOTES)
        finding = NoKnownIdentifiers(absent="allow").check(part)
        note = f"in {part.rows} of {data.rows} notes" if part.rows < data.rows else ""
        return [Finding(finding.name, finding.value, unit=finding.unit, details=finding.details, note=note)]

    def size(self, data: Notes) -> dict[str, int]:
        persons = data.rows if data.persons is None else count_people(data.persons)
        withheld = {f"withheld_{reason.replace(' ', '_')}": count for reason, count in data.withheld.items()}
        return {"rows": data.rows, "persons": persons, **withheld}

    def sample(self, data: Notes, most: int) -> Notes:
        """At most so many notes, evenly spread; of a large dataset a thousand, for each takes a while."""
        most = min(most, SAMPLED_NOTES) if data.rows > SAMPLED_NOTES else most
        return data if data.rows <= most else data.take(np.linspace(0, data.rows - 1, most).astype(np.intp))

    def variants(self, mechanism: Mechanism[Notes]) -> Sequence[Mechanism[Notes]]:
        """Replaced more thoroughly, one sort of words after the other."""
        own, result = values_of(mechanism), [mechanism]
        for name, words in _THOROUGH.items():
            if isinstance(own.get(name), str | dict) and own[name] not in (words, "suppress"):
                with suppress(ValueError):  # not every mechanism knows every word
                    result.append(with_values(mechanism, **{name: words}))
        return result

    def attacked_part(self, original: Notes, protected: Protected[Notes]) -> tuple[Notes, Protected[Notes], str]:
        """The notes that attacks and measures use: of notes on disk, all notes of some people."""
        released = protected.data
        if not isinstance(released.texts, TextsOnDisk):
            return original, protected, ""
        rows = _of_some_people(released, SAMPLED_NOTES)
        sources = protected.rows[rows]
        order = np.argsort(sources, kind="stable")
        before = original.take(sources[order])
        after = replace(released.take(rows[order]), origin=np.arange(len(rows)))
        words = f"looked at {len(rows)} of {released.rows} notes, all of some people"
        return before, replace(protected, data=after, rows=np.arange(len(rows))), words

    def examples(self, dataset: Dataset) -> list[dict[str, object]]:
        """Invented notes, before and after, for the dossier."""
        mechanism = dataset.mechanism
        return examples(mechanism) if isinstance(mechanism, Rewriter) else []

    def preferences(self, data: Notes, criteria: Sequence[Criterion[Notes]]) -> list[tuple[str, str]]:
        return [("replace", "it replaces identifiers, kind by kind")]

    def publish(
        self, original: Notes, protected: Protected[Notes], dataset: Dataset, key: Key, scratch: Path | None = None
    ) -> Published:
        """Notes sorted by content: neither their order in the source nor their person is published."""
        assert scratch is not None
        released, columns = protected.data, columns_of(dataset)
        rows = published_rows(released, protected.details)
        last = {"\0person": "person", "\0changes": "changes"}
        evidence = {"\0person": PERSON}
        if key.persons is not None and original.persons is not None:  # one name of a person in several datasets
            rows = _with_pseudonyms(rows, key.of_persons(dataset.name))
            last |= {"\0name": "name"}
            evidence = {"\0name": PERSON, "\0person": SUBJECT}
        shown = {released.column: "text"} | {name: f"+{name}" for name in columns.beside}
        place = scratch / f"{dataset.name}-published"
        sorted_rows = sorted_by_content(rows, shown, last, "text", place)
        named = original.persons is not None
        return Published(
            table=sorted_rows.pick({name: name for name in shown}),
            evidence=sorted_rows.pick(evidence) if named else None,
            dictionary=self._dictionary(dataset, columns),
            unit="persons" if named else "records",
            offsets=unfolded(sorted_rows, "\0changes", ROW, place),
        )

    def _dictionary(self, dataset: Dataset, columns: NoteColumns) -> dict[str, dict[str, object]]:
        dictionary: dict[str, dict[str, object]] = {columns.text: {"role": str(Role.TEXT), "kind": "text"}}
        for name in columns.beside:
            rule = dataset.columns.get(name) or ColumnRule(dataset.rest or Role.KEEP)
            dictionary[name] = {"role": str(rule.role), **({"time": rule.time} if rule.role is Role.SHIFT else {})}
        return dictionary

    def refuse_unpublishable(self, data: Notes, dataset: Dataset) -> None:
        for name, shift in data.shifted.items():
            column = (
                data.columns_beside()[name] if isinstance(data.beside, pa.Table) else dataset.read.read([name])[name]
            )
            refuse_unshiftable(name, column, shift.most_days, shift.form)

    def reopen(
        self,
        source: Source,
        columns: Mapping[str, ColumnFacts],
        evidence: pa.Table | None = None,
        trees: Mapping[str, Hierarchy] | None = None,
    ) -> Notes:
        """The published notes; texts are read from the file whenever they are needed."""
        if source.names() != list(columns):
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        texts = [name for name, facts in columns.items() if facts.get("role") == Role.TEXT]
        if len(texts) != 1:
            raise DataError(f"{source.label} — the certificate does not name one column of text")
        source = replace(source, newlines=True)
        rows = sum(table.num_rows for table in source.batches(texts, 2048))
        persons = linked_names = None
        if evidence is not None:
            names = evidence.column_names
            if names[:1] != [PERSON] or names[1:] not in ([], [SUBJECT]) or evidence.num_rows != rows:
                raise DataError("the evidence about persons does not belong to this file")
            if any(evidence[name].null_count for name in names):
                raise DataError("the evidence about persons leaves some notes to nobody")
            persons = SubjectCodes.of([evidence[names[-1]]]).as_one()
            linked_names = SubjectCodes.of([evidence[PERSON]]) if len(names) > 1 else None
        other_columns = [name for name in columns if name not in texts]
        return Notes(
            TextsOnDisk.of(source, texts[0], rows),
            persons,
            column=texts[0],
            beside=LazyColumns(source, other_columns) if other_columns else None,
            published=True,
            facts={name: {"role": str(columns[name].get("role"))} for name in other_columns},
            linked_names=linked_names,
        )

    def certified_unit(self, claim: Claim, asked: Mapping[str, Json]) -> str:
        return "records" if claim.persons == "none" else "persons"

    def contradictions(self, data: Notes, claim: Claim, asked: Mapping[str, Json]) -> list[str]:
        """The dictionary says which column is the text."""
        wrong = claim.columns[data.column].get("kind") != "text"
        result = [f"column {data.column} — the dictionary does not say that it is text"] if wrong else []
        if claim.link is not None and claim.persons_sha256 is None:
            result.append("the notes are linked, and the certificate names no evidence of whose they are")
        return result

    def extract(self, data: Notes, wanted: tuple[str, ...]) -> pa.Table:
        """The table that is read from the notes, one row a person."""
        from sharewell.notes.annotation.extraction import extract_table

        return extract_table(data, wanted)

    def writing_back(
        self, mechanism: Mechanism[Notes], columns: tuple[str, ...], cells: Mapping[str, Mapping[str, str | None]]
    ) -> Mechanism[Notes]:
        """A mechanism that also writes the published cells of the extracted table into the notes."""
        from sharewell.notes.annotation.written_back import WrittenBack

        # Every mechanism for notes rewrites them person by person; this one has the name of the one it works with.
        return cast("Mechanism[Notes]", WrittenBack(cast("NoteMechanism", mechanism), columns, cells))

    def of_column(
        self,
        texts: Sequence[str],
        persons: Sequence[str],
        judge: AnyCriterion | None,
        column: str,
        name: str,
        shifted: Mapping[str, tuple[int, str | None]] | None = None,
        shift_key: Key | None = None,
        beside: Mapping[str, Sequence[str]] | None = None,
        scopes: Sequence[str] = (),
    ) -> Notes:
        """A column of text of another kind of data, as notes. The criterion `judge` names the known identifiers.

        Dates in the text move with those of the columns `shifted`, by `shift_key`. `beside` are published cells of the
        same rows, and `scopes` say within what a person has the same surrogates.
        """
        people = people_by(judge) if isinstance(judge, NoKnownIdentifiers) else None
        moved = {other_column: ColumnShift(*shift) for other_column, shift in (shifted or {}).items()}
        subjects = tuple(names_as_one(list(persons)))
        cells = None
        if beside is not None:
            cells = pa.table({other: pa.array(list(shown), pa.string()) for other, shown in beside.items()})
        notes = Notes(tuple(texts), subjects, people, column, cells, name=name, shifted=moved, shift_key=shift_key)
        return replace(notes, scopes=tuple(scopes))

    def agreeing(
        self,
        mechanism: Mechanism[Notes],
        judge: AnyCriterion,
        texts: Notes,
        beside: Mapping[str, Sequence[str]],
        values: Mapping[str, Sequence[str]],
        own: tuple[Dataset, Mapping[str, Sequence[str | None]]] | None = None,
    ) -> Mechanism[Notes]:
        """A mechanism after which a text says no more than the published cells of its row."""
        from sharewell.notes.annotation.remembered_rewrites import RememberedRewrites
        from sharewell.notes.annotation.row_agreement import OwnColumns, RowAgreement

        assert isinstance(judge, TextAgreesWithTable)
        columns = OwnColumns(own[1], *age_columns(own[0].columns)[:2]) if own else None
        rows = [dict(zip(beside, row, strict=True)) for row in zip(*beside.values(), strict=True)]
        rows = rows if beside else [{} for _ in range(texts.rows)]
        if isinstance(mechanism, RememberedRewrites):
            agreeing = replace(
                mechanism, agreement=RowAgreement.of(mechanism.inner, judge, texts, rows, values, columns)
            )
            return cast("Mechanism[Notes]", agreeing)
        agreement = RowAgreement.of(cast("NoteMechanism", mechanism), judge, texts, rows, values, columns)
        return cast("Mechanism[Notes]", agreement)

    def own_columns(self, dataset: Dataset) -> tuple[str, ...]:
        """Columns of a table that tell a row's age."""
        ages, births, dates = age_columns(dataset.columns)
        return (*ages, *births, *dates) if ages or births else ()

    def remembering(self, mechanism: Mechanism[Notes]) -> Mechanism[Notes]:
        """A mechanism that can be made to agree with one table after another at little cost."""
        from sharewell.notes.annotation.remembered_rewrites import RememberedRewrites

        return cast("Mechanism[Notes]", RememberedRewrites(cast("NoteMechanism", mechanism)))


def columns_of(dataset: Dataset) -> NoteColumns:
    """The roles of the columns of the file."""
    roles = {name: rule.role for name, rule in dataset.columns.items()}
    schema = Schema.of(dataset.read.names(), roles, dataset.rest)
    texts = schema.having(Role.TEXT)
    if len(texts) != 1:
        problem = f"{len(texts)} columns have the role text, and one is wanted"
        raise PolicyError(f"datasets.{dataset.name}.columns — {problem} — give it to the column of the notes")
    shifted = {}
    for name in schema.having(Role.SHIFT):
        rule = dataset.columns.get(name) or ColumnRule(Role.SHIFT)
        shifted[name] = ColumnShift(rule.most_days, rule.date_format, rule.time)
    dropped = schema.having(Role.DROP)
    return NoteColumns(texts[0], schema.subject, schema.having(*PUBLISHED), dropped, key_columns(dropped), shifted)


def people_of(dataset: Dataset) -> People | None:
    """The table of people for whom the mechanism searches: that of the criterion which judges the release."""
    for criterion in dataset.require:
        if isinstance(criterion.built, NoKnownIdentifiers) and criterion.built.people is not None:
            return people_by(criterion.built)
    return None


def people_by(judge: NoKnownIdentifiers) -> People:
    """The table of people of a criterion."""
    return People.of(judge.people, judge.subject, **judge.identifiers)


def published_rows(released: Notes, details: Details) -> pa.Table | Journal:
    """The published rows: a table, or the blocks of a journal."""
    if isinstance(released.texts, TextsOnDisk):
        journal = released.texts.journal
        assert isinstance(journal, Journal)
        return journal
    persons = released.persons
    columns: dict[str, pa.Array] = {
        "text": pa.array(list(released.texts), pa.string()),
        "person": pa.nulls(released.rows, pa.string()) if persons is None else pa.array(list(persons), pa.string()),
        "changes": pa.array(
            [[change._asdict() for change in note_changes] for note_changes in _changes(released, details)], _CHANGES
        ),
    }
    other_columns = {f"+{name}": column for name, column in released.columns_beside().items()}
    return pa.table(columns | other_columns)


def _with_pseudonyms(rows: pa.Table | Journal, names: PersonNames) -> pa.Table:
    """The published rows, in memory, with the pseudonym of each person."""
    table = rows if isinstance(rows, pa.Table) else pa.concat_tables(rows.tables())
    known = {person: names.pseudonym(person) for person in table["person"].unique().to_pylist()}
    return table.append_column("name", pa.array([known[one] for one in table["person"].to_pylist()], pa.string()))


def _kept_column_cautions(name: str, data: Notes) -> list[str]:
    """Warnings about a column that is published as it is, by its name and its first cells."""
    from sharewell.notes.policy import identifier_columns
    from sharewell.proposal.names import tokens

    if identifier_columns([name]):
        return [f"{name}: its name suggests that it identifies a person, and it is published as it is"]
    cells = data.beside[name].slice(0, 100).cast(pa.string()).to_pylist() if isinstance(data.beside, pa.Table) else []
    if "date" in tokens(name) or any(cell and _DAY.match(cell) for cell in cells):
        return [
            f"{name}: its dates are published as they are, and give away by how far dates in the notes were shifted"
        ]
    return []


def _changes(released: Notes, details: Details) -> Sequence[Sequence[Change]]:
    changes = details.changes
    return changes if len(changes) == released.rows else [()] * released.rows


def _of_some_people(released: Notes, most: int) -> NDArray[np.intp]:
    """Rows of all notes of some people, until there are so many notes."""
    if not isinstance(released.persons, SubjectCodes):
        return np.arange(min(most, released.rows))
    codes = released.persons.codes
    counts = np.bincount(codes, minlength=len(released.persons.names))
    known = np.flatnonzero(counts)
    evenly = known[np.argsort((np.arange(len(known)) * 0.618033988749895) % 1.0, kind="stable")]
    enough = int(np.searchsorted(np.cumsum(counts[evenly]), most)) + 1
    return np.flatnonzero(np.isin(codes, evenly[:enough]))
