"""How a release runs this kind of data: open, protect, publish, and open again as a stranger would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, Protocol, runtime_checkable

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.algorithm import DataError, Finding, Key, PolicyError, refuse_failing
from sharewell.date_shift import days_of, iso_dates, refuse_unshiftable, shift_column
from sharewell.hierarchy.certified_names import built_in, certificate_entry
from sharewell.hierarchy.specs import from_spec
from sharewell.io.external_sort import SortedRows, join_and_sort
from sharewell.io.sources import Source
from sharewell.io.spilled_columns import LazyColumns, SpilledColumns, spill
from sharewell.people_evidence import LABELS, RECORD, written_labels
from sharewell.plain_data import Json
from sharewell.policy.mistyped_columns import says_its_type
from sharewell.policy.model import Auto, ColumnRule, Dataset, Publish, several_pseudonyms
from sharewell.protocols import AnyCriterion, Attack, Criteria, PersonFacts, Protected, RemovedFacts
from sharewell.roles import Role, Schema
from sharewell.spelling import folds_of
from sharewell.styles import Style, ends_of
from sharewell.tables.criteria.k_anonymity import KAnonymity
from sharewell.tables.data import Indices, Table
from sharewell.tables.engine.checks.reference_criterion import ReferenceCriterion
from sharewell.tables.engine.class_means import decimals_of
from sharewell.tables.engine.coarser_rows import with_coarser_rows
from sharewell.tables.engine.column_descriptions import ONE_A_PERSON, PSEUDONYMS, misdescribed
from sharewell.tables.engine.columns import Kind, as_shown, one_spelling, value_numbers
from sharewell.tables.engine.drawn_values import DrawnValues
from sharewell.tables.engine.low_high import is_low_high, join_low_high, split_low_high
from sharewell.tables.engine.mechanism_choice import preferences
from sharewell.tables.engine.mistyped_columns import mistyped_columns
from sharewell.tables.engine.people_evidence import person_names
from sharewell.tables.engine.pseudonyms import for_evidence, whole_trails, within_classes
from sharewell.tables.engine.published_cells import publish, replace_carried
from sharewell.tables.engine.published_trails import PublishedTrails
from sharewell.tables.engine.shown_cells import person_facts
from sharewell.tables.engine.shown_values import with_shown_values
from sharewell.tables.engine.sorted_columns import CodedColumn, PlainColumn, SortableColumn, SortedColumns
from sharewell.wing import Axes, Capabilities, Claim, ColumnFacts, Dictionary, Published, Trees, Wing

PERSON = "person"
"""The one column of the evidence that identifies persons where the release itself does not."""
PERSON_KEY, SUBJECT_KEY, EVIDENCE_KEY = "\x00person", "\x00subject", "\x00whole"
PEOPLE_KEY, RECORD_KEY = "\x00people", "\x00record"
"""What rows are sorted by last, under names that no column can have."""
TOGETHER = "\x00moved together "
"""Begins the name by which rows of several persons move their dates together."""
_TRAIL: Mapping[Publish, Literal["record", "class", "dataset"]] = {
    "none": "record",
    "within-class": "class",
    "dataset": "dataset",
}
"""What is published of the subject → what an attacker sees as one trail."""
_WORLDS = 24
"""Worlds on which the mechanism of every release is re-run; a policy that names `minimality` has more."""
_JUDGED = (Role.QUASI, Role.SENSITIVE, Role.SUBJECT)


@runtime_checkable
class DescribesColumns(Protocol):
    """Details of a mechanism with more to say of published columns, for the dictionary of a release."""

    @property
    def dictionary(self) -> Dictionary: ...


class TablesWing(Wing[Table]):
    """One row a record."""

    usual_risk = "prosecutor"
    sized_by = "k-anonymity"
    counted_without_persons = "records"

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> Table:
        """The original, with roles, types and hierarchies as the policy says.

        Of a large file only what algorithms look at is kept in memory; the rest is spilled to `scratch`, or left out
        where there is none (a plan needs no more).
        """
        roles = {name: rule.role for name, rule in dataset.columns.items()}
        schema = Schema.of(dataset.read.names(), roles, dataset.rest)
        rules = {name: rule for name, rule in dataset.columns.items() if name in schema.roles}
        trees = {n: from_spec(rule.hierarchy, base) for n, rule in rules.items() if rule.hierarchy is not None}
        kinds = {name: rule.type for name, rule in rules.items() if rule.type is not None}
        forms = {name: rule.date_format for name, rule in rules.items() if rule.date_format is not None}
        styles = {name: rule.style for name, rule in rules.items() if rule.style is not None}
        carried = None
        if dataset.read.is_large and scratch is not None:
            resident = schema.having(Role.QUASI, Role.SENSITIVE, Role.SUBJECT)
            spilled = schema.having(Role.KEEP, Role.SHIFT, Role.TEXT)
            arrow, carried = spill(dataset.read, resident, spilled, scratch / dataset.name, schema.sensitive)
        else:
            arrow = dataset.read.read()
        table = Table.from_arrow(arrow, schema, trees, kinds=kinds, date_formats=forms, styles=styles, carried=carried)
        _refuse_mistyped(table, rules, dataset)
        return table

    def default_attacks(self, dataset: Dataset, released: Table) -> Sequence[Attack[Table]]:
        """Attacks mounted on every release, whether the policy names them or not. Each bounds its own work."""
        from sharewell.tables.attacks.accidental_identifiers import AccidentalIdentifiers
        from sharewell.tables.attacks.date_shift import DateShift
        from sharewell.tables.attacks.definetti import DeFinetti
        from sharewell.tables.attacks.minimality import Minimality
        from sharewell.tables.attacks.trail_linkage import TrailLinkage

        attacks: list[Attack[Table]] = []
        if released.schema.having(Role.KEEP, Role.SENSITIVE):
            attacks.append(AccidentalIdentifiers())
        if released.schema.sensitive:
            attacks += [DeFinetti(), Minimality(worlds=_WORLDS)]
        rules = {
            name: dataset.columns.get(name) or ColumnRule(Role.SHIFT) for name in released.schema.having(Role.SHIFT)
        }
        rules = rules if set(rules) <= set(released.carried.column_names) else {}
        limits = {name: rule.most_days for name, rule in rules.items()}
        forms = {name: rule.date_format for name, rule in rules.items() if rule.date_format is not None}
        if rules:
            attacks.append(DateShift(limits, forms, _TRAIL[dataset.publish]))
        if dataset.publish == "dataset":
            attacks.append(TrailLinkage(columns=limits, forms=forms))
        return attacks

    def describe(self, data: Table) -> dict[str, dict[str, object]]:
        """What was understood of each column: kind, distinct values, missing cells. Counts only."""
        described: dict[str, dict[str, object]] = {}
        for name, role in data.schema.roles.items():
            described[name] = {"role": str(role)}
            if name in data.columns:
                column = data.columns[name]
                counts = np.bincount(column.codes, minlength=column.size)
                missing = int(counts[-1]) if column.has_missing else 0
                distinct = int((counts > 0).sum()) - (missing > 0)
                described[name] |= {"kind": column.kind, "distinct": distinct, "missing": missing}
                if role is Role.QUASI:
                    described[name] |= {"style": column.published_as.name}
                    described[name] |= {"hierarchy": None if column.hierarchy is None else column.hierarchy.name}
                    described[name] |= {"unknown": column.levels.unknown if column.levels is not None else 0}
        return described

    def lookalikes(self, data: Table) -> dict[str, int]:
        """How many values of a column look like another one: case, blanks, invisible characters and forms aside.

        Persons and sensitive values that do are counted as one. Numbers and dates have one form; in text without a
        tree, two spellings of one number are alike, and of persons or quasi values count as two.
        """
        lookalikes = {}
        for name, column in data.columns.items():
            alike = column.alike
            if column.kind not in ("number", "date"):
                looks = folds_of(column.values)
                distinct = column.values if looks is None else looks.unique()
                distinct = distinct if column.levels is not None else one_spelling(distinct, None)[0]
                alike += column.size - len(distinct)
            if alike:
                lookalikes[name] = alike
        return lookalikes

    def risks(self, data: Table) -> list[Finding]:
        """What an attacker could do with this table as it stands."""
        from sharewell.tables.attacks.prosecutor import Prosecutor

        reached = KAnonymity(1).check(data)
        plain = Finding("k-anonymity", reached.value, unit=reached.unit, details=reached.details)
        return [plain, Prosecutor().mount(data)]

    def size(self, data: Table) -> dict[str, int]:
        return {"rows": data.rows, "persons": data.persons, "classes": data.classes.count}

    def sample(self, data: Table, most: int) -> Table:
        """At most this many rows, evenly spread; all of a smaller table."""
        return data if data.rows <= most else data.take(np.linspace(0, data.rows - 1, most).astype(np.intp))

    def preferences(self, data: Table, criteria: Criteria[Table]) -> list[tuple[str, str]]:
        """(mechanism, reason), the best first, for `using: auto`."""
        return list(preferences(data, criteria))

    def open_published(self, dataset: Dataset) -> Table:
        """Cells of quasi columns are ranges, sets and labels."""
        roles = {name: rule.role for name, rule in dataset.columns.items()}
        schema = Schema.of(dataset.read.names(), roles, dataset.rest)
        return Table.from_arrow(dataset.read.read(), schema, {}, published=True)

    def axes(self, dataset: Dataset, data: Table) -> Axes[Table] | None:
        """Cells that are no longer true lose no detail: what histograms lose is measured instead."""
        from sharewell.tables.attacks.prosecutor import Prosecutor

        falsified = not isinstance(dataset.using.built, Auto) and dataset.using.built.falsifies
        return Axes(Prosecutor(), measure="marginals") if falsified else None

    def capabilities(self) -> Capabilities[Table]:
        return Capabilities(columns=self, people=self, text_columns=self, facts=self)

    def trial_data(self, data: Table) -> Table:
        """Without columns that lie on disk; those in memory cost little, and a mechanism or a rule may look at them."""
        if isinstance(data.carried, pa.Table):
            return data
        unused = [n for n in data.schema.having(Role.KEEP, Role.SHIFT, Role.TEXT) if n in data.carried.column_names]
        schema = Schema({name: Role.DROP if name in unused else role for name, role in data.schema.roles.items()})
        return replace(data, schema=schema, carried=pa.table({}))

    def droppable_columns(self, data: Table) -> tuple[str, ...]:
        """Columns that a release may be tried without, as long as another one stays."""
        return data.schema.quasi if len(data.schema.quasi) > 1 else ()

    def without_column(self, data: Table, column: str) -> Table:
        """The table as if the column had the role drop."""
        schema = Schema({**data.schema.roles, column: Role.DROP})
        carried = data.carried.select([name for name in data.carried.column_names if name != column])
        columns = {name: one for name, one in data.columns.items() if name != column}
        return replace(data, schema=schema, columns=columns, carried=carried)

    def with_column_blank(self, released: Table, original: Table, column: str) -> Table:
        """A release without the column, as one that publishes `*` in it: for measures that count it as lost."""
        blank = as_shown(replace(original.columns[column], asked=None), ["*"], np.zeros(released.rows, np.int32))
        return replace(released, schema=original.schema, columns={**released.columns, column: blank})

    def generalised(self, data: Table, order: Indices, starts: Indices) -> Table:
        """The table that shows each row what the rows order[starts[c] : starts[c + 1]] of its class share."""
        return publish(data, data.as_classes(order, starts))[0]

    def protect(self, data: Table, dataset: Dataset, key: Key) -> Protected[Table]:
        if dataset.publish == "within-class" and data.persons < data.rows:
            _refuse_own_reference(dataset)
        protected = dataset.protect(_in_one_form(data, dataset) if dataset.mechanism.for_trails else data, key)
        for column in data.quasi:
            shown = protected.data.columns.get(column.name)
            asked = column.asked if column.asked != Style(column.style) else None
            if asked is not None and (shown is None or shown.kind != "cells" or shown.asked != asked):
                problem = f"'{dataset.using.name}' does not publish in the style {asked.name}"
                raise PolicyError(f"datasets.{dataset.name}.columns.{column.name} — {problem} — take the style out")
        shifted = self.with_shifts(protected, dataset, key)
        if dataset.publish == "dataset":  # dates have moved: what is shared now will be published
            of_trails = [one for one in dataset.criteria if one.judges_trails]
            refuse_failing(dataset.using.name, shifted.data, of_trails)
        return shifted

    def refuse_unpublishable(self, data: Table, dataset: Dataset) -> None:
        for name in data.schema.having(Role.SHIFT):
            rule = dataset.columns.get(name) or ColumnRule(Role.SHIFT)
            _subjects(data, name)
            carried = name in data.carried.column_names
            column = data.carried[name] if carried else dataset.read.read([name])[name]
            refuse_unshiftable(name, column, rule.most_days, rule.date_format)

    def with_shifts(self, protected: Protected[Table], dataset: Dataset, key: Key) -> Protected[Table]:
        """The same release with its dates moved: what is attacked and measured is what will be published."""
        released = protected.data
        moved = {}
        for name in released.schema.having(Role.SHIFT):
            if name in released.carried.column_names:  # a plan of a large file leaves them on disk
                rule = dataset.columns.get(name) or ColumnRule(Role.SHIFT)
                people = _subjects(released, name)
                written_anew = released.trails is not None and released.trails.moved_with is not None
                how = (rule.most_days, None if written_anew else rule.date_format, rule.time)
                moved[name] = shift_column(name, released.carried[name], people, key, dataset.name, *how)
        return self.with_columns(protected, moved) if moved else protected

    def person_facts(self, data: Table) -> PersonFacts | None:
        """The cells of each row, and whose it is."""
        return person_facts(data)

    def too_few(self, data: Table, criteria: Sequence[AnyCriterion]) -> NDArray[np.bool_] | None:
        """Rows of classes that have become smaller than the table's own k-anonymity asks for."""
        least = max((one.k for one in criteria if isinstance(one, KAnonymity)), default=1)
        classes, result = data.classes, np.zeros(data.rows, bool)
        result[classes.order] = (classes.persons < least)[classes.class_of]
        return result

    def without_facts(
        self,
        protected: Protected[Table],
        removed: RemovedFacts,
        records: NDArray[np.bool_],
        coarser: NDArray[np.int64] | None = None,
        key: Key | None = None,
    ) -> Protected[Table]:
        """Without some of the rows, and with coarser cells in others."""
        if coarser is not None:
            protected = replace(protected, data=with_coarser_rows(protected.data, coarser))
        rows = np.flatnonzero(~(records | removed["rows"]) if "rows" in removed else ~records)
        return replace(protected, data=protected.data.take(rows), rows=protected.rows[rows])

    def quasi_cells(self, released: Table) -> dict[str, pa.ChunkedArray]:
        """Quasi column → its cells as they are published."""
        return {column.name: column.arrow for column in released.quasi}

    def column(self, data: Table, name: str) -> pa.ChunkedArray:
        """A column that is shown as it came, in Arrow."""
        return data.carried[name]

    def with_columns(self, protected: Protected[Table], columns: Mapping[str, pa.Array]) -> Protected[Table]:
        """The same release with some such columns replaced."""
        carried = protected.data.carried
        for name, column in columns.items():
            carried = replace_carried(carried, name, column)
        return replace(protected, data=replace(protected.data, carried=carried))

    def publish(
        self, original: Table, protected: Protected[Table], dataset: Dataset, key: Key, scratch: Path | None = None
    ) -> Published:
        """Pseudonyms, then rows sorted by what they show: the order of the source is not published."""
        released = with_shown_values(protected.data, original, protected.rows)
        dictionary = self._dictionary(original, dataset)
        details = protected.details
        for name, facts in details.dictionary.items() if isinstance(details, DescribesColumns) else ():
            dictionary[name] = {k: v for k, v in {**dictionary[name], **facts}.items() if v is not None}
        if not dictionary:
            problem = "every column is dropped: nothing would be published — give some column another role"
            raise PolicyError(f"datasets.{dataset.name}.columns — {problem}")
        made: dict[str, SortableColumn] = {}
        for column in released.quasi:
            if is_low_high(column):
                made |= {end: PlainColumn(texts) for end, texts in split_low_high(column).items()}
            else:
                made[column.name] = CodedColumn(column)
        last: dict[str, SortableColumn] = {}
        if released.subject is not None:
            pseudonyms = whole_trails if dataset.publish == "dataset" else within_classes
            last[PERSON_KEY] = pseudonyms(released, dataset.name, key)
            if dataset.publish != "none":
                made[released.subject.name] = last[PERSON_KEY]
            if dataset.map or released.schema.having(Role.TEXT):
                last[SUBJECT_KEY] = CodedColumn(released.subject)
            if dataset.publish == "none" or (dataset.publish == "dataset" and several_pseudonyms(dataset.using)):
                last[EVIDENCE_KEY] = for_evidence(released, dataset.name, key)
        named = released.schema.subject and dataset.read.columns.get(released.schema.subject, released.schema.subject)
        people = {PEOPLE_KEY: PERSON} if named else {}
        last |= {PEOPLE_KEY: person_names(released, key, named)} if named else {}
        last[RECORD_KEY] = PlainColumn(pa.array(protected.rows, pa.int64()))
        rows: SortedColumns | SortedRows
        if isinstance(released.carried, SpilledColumns):
            assert scratch is not None
            made |= {name: PlainColumn(array) for name, array in released.carried.changed.items()}
            spilled = released.carried.select([n for n in released.carried.column_names if n not in made])
            if spilled.column_names:
                resident = pa.table({name: column.arrow() for name, column in (made | last).items()})
                rows = join_and_sort(resident, spilled, list(dictionary), list(last), scratch / dataset.name)
            else:
                rows = SortedColumns({n: made[n] for n in dictionary} | last, released.rows).in_pieces()
        else:
            shown = {n: made[n] if n in made else PlainColumn(released.carried[n]) for n in dictionary}
            rows = SortedColumns(shown | last, released.rows)
        return Published(
            table=rows.pick({name: name for name in dictionary}),
            evidence=rows.pick({EVIDENCE_KEY: PERSON}) if EVIDENCE_KEY in last else None,
            mapping=rows.pick({PERSON_KEY: "pseudonym", SUBJECT_KEY: "subject"}) if dataset.map else None,
            dictionary=dictionary,
            subjects=rows.pick({SUBJECT_KEY: PERSON}) if SUBJECT_KEY in last else None,
            people=rows.pick(people | {RECORD_KEY: RECORD}),
            internal_files={
                LABELS: written_labels(dataset.read, original.rows, key, named, typed=named in dataset.read.joined)
            },
        )

    def _dictionary(self, original: Table, dataset: Dataset) -> dict[str, dict[str, object]]:
        columns: dict[str, dict[str, object]] = {}
        if original.schema.subject and dataset.publish != "none":
            style = PSEUDONYMS if dataset.publish == "within-class" else ONE_A_PERSON
            columns[original.schema.subject] = {"role": "subject", "style": style}
        for name in original.schema.having(Role.QUASI, Role.SENSITIVE, Role.KEEP, Role.SHIFT, Role.TEXT):
            facts: dict[str, object] = {"role": str(original.schema.roles[name])}
            column = original.columns.get(name)
            if original.schema.roles[name] is Role.SHIFT:
                facts["time"] = (dataset.columns.get(name) or ColumnRule(Role.SHIFT)).time
            if column is not None and column.role is Role.QUASI:
                facts |= {"kind": column.kind, "style": column.published_as.name}
            if column is not None and column.published_as.name == "mean":
                facts["decimals"] = decimals_of(column)
            if column is not None and column.hierarchy is not None:
                rule = dataset.columns.get(name)
                facts |= certificate_entry(column.hierarchy, rule.hierarchy if rule else None)
            in_two = column is not None and column.published_as.name == "low-high"
            columns |= {end: {**facts, "of": name} for end in ends_of(name)} if in_two else {name: facts}
        return columns

    def reopen(
        self, source: Source, columns: Dictionary, evidence: pa.Table | None = None, trees: Trees = None
    ) -> Table:
        """The release as its files show it. Evidence adds the persons, `trees` a steward's own hierarchies."""
        if source.names() != list(columns):
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        judged = [name for name, facts in columns.items() if Role(facts["role"]) in _JUDGED]
        few = [n for n in judged if "of" not in columns[n] and Role(columns[n]["role"]) is not Role.SUBJECT]
        arrow = source.read(judged or list(columns)[:1], coded=few)  # a table without quasi columns still has rows
        columns, in_two = _as_one(columns)
        arrow = join_low_high(arrow, in_two)
        roles, trails = {name: Role(facts["role"]) for name, facts in columns.items()}, None
        waiting = LazyColumns(source, [name for name, role in roles.items() if role not in (Role.QUASI, Role.SUBJECT)])
        if evidence is not None:
            if evidence.num_rows != arrow.num_rows or evidence.column_names != [PERSON]:
                raise DataError("the evidence about persons does not belong to this file")
            name = PERSON
            while name in roles:
                name += "_"
            shown = [one for one, role in roles.items() if role is Role.SUBJECT]
            trails = _pieces(arrow[shown[0]], evidence[PERSON]) if shown else None
            roles = {one: Role.DROP if one in shown else role for one, role in roles.items()}
            arrow, roles[name] = arrow.append_column(name, evidence[PERSON]), Role.SUBJECT
        styles = {name: Style("mean") for name in judged if columns.get(name, {}).get("style") == "mean"}
        styles |= {name: Style("low-high") for name in in_two}
        # Hierarchies that ship with the software are at hand for everybody; a steward's own file is not.
        known = {name: built_in(columns[name]) for name in judged if name in columns}
        known |= {name: tree for name, tree in (trees or {}).items() if name in known}
        usable = {name: tree for name, tree in known.items() if tree is not None}
        kinds: dict[str, Kind] = {name: "text" for name, role in roles.items() if role is Role.SENSITIVE}
        table = Table.from_arrow(
            arrow, Schema(roles), usable, kinds=kinds, styles=styles, carried=waiting, published=True
        )
        table = replace(table, trails=trails)
        drawn = {name: DrawnValues.from_facts(dict(columns[name])) for name in table.schema.sensitive}
        if not any(drawn.values()):
            return table
        claim = {name: replace(table.columns[name], drawn=how) for name, how in drawn.items()}
        return replace(table, columns={**table.columns, **claim})

    def contradictions(self, data: Table, claim: Claim, asked: Mapping[str, Json]) -> list[str]:
        """The dictionary says how each quasi column is written, and that names of persons are pseudonyms."""
        columns, _ = _as_one(claim.columns)
        styles = {name: asked["columns"].get(name, {}).get("style") for name in columns}
        said = asked["subject"]
        wrong = {name: misdescribed(data, name, facts, styles[name], said) for name, facts in columns.items()}
        return [f"column {name} — {what}" for name, what in wrong.items() if what]


def _as_one(columns: Dictionary) -> tuple[dict[str, ColumnFacts], list[str]]:
    """What is said of the columns with every low and high as one, and the names of those."""
    names = list(dict.fromkeys(str(facts["of"]) for facts in columns.values() if "of" in facts))
    ends = [end for name in names for end in ends_of(name)]
    if set(names) & set(columns) or sorted(ends) != sorted(name for name, facts in columns.items() if "of" in facts):
        raise DataError("the columns of low and high ends are not those of the certificate")
    return {str(facts.get("of", name)): facts for name, facts in columns.items()}, names


def _pieces(pseudonyms: pa.ChunkedArray, persons: pa.ChunkedArray) -> PublishedTrails:
    """Which rows of a person stand under one pseudonym; DataError where a pseudonym stands for several persons."""
    shown, owner = value_numbers(pseudonyms), value_numbers(persons)
    pairs = np.unique(np.stack([shown, owner])[:, shown >= 0], axis=1)
    if len(np.unique(pairs[0])) < pairs.shape[1] or ((shown >= 0) != (owner >= 0)).any():
        raise DataError(
            "a pseudonym stands for no person, or for several, of the evidence — one of the files is forged"
        )
    return PublishedTrails(shown)


def _refuse_mistyped(table: Table, rules: Mapping[str, ColumnRule], dataset: Dataset) -> None:
    """Dates, numbers and free text that are read as categories would be published as sets of exact values."""
    known = [name for name, rule in rules.items() if says_its_type(rule)]
    for name, result in mistyped_columns(table, known):
        what, advice = result.problem(name)
        raise PolicyError(f"datasets.{dataset.name}.columns.{name} — {what} — {advice}")


def _refuse_own_reference(dataset: Dataset) -> None:
    """Pseudonyms that end at a class cannot tell how many persons of the whole table have a value."""
    for one in dataset.require:
        own = isinstance(one.built, ReferenceCriterion) and one.built.reference is None and not one.built.counts
        if own and one.built.unit == "person":
            problem = f"'{one.name}' by person cannot be checked again from pseudonyms that end at a class"
            hint = "give it `counts` or `reference`, say `unit: record`, or leave `publish` out"
            raise PolicyError(f"datasets.{dataset.name}.require — {problem} — {hint}")


def _in_one_form(data: Table, dataset: Dataset) -> Table:
    """The table with those shifted columns in ISO form whose form the policy says: mechanisms look at their dates."""
    carried = data.carried
    for name in data.schema.having(Role.SHIFT):
        form = (dataset.columns.get(name) or ColumnRule(Role.SHIFT)).date_format
        if form is not None and name in carried.column_names:
            carried = replace_carried(carried, name, iso_dates(days_of(name, carried[name], form)))
    return replace(data, carried=carried)


def _subjects(released: Table, why: str) -> Sequence[str]:
    if released.subject is None:
        raise DataError(f"column {why} — dates can be shifted only per person — give a column the role subject")
    names: list[str] = released.subject.arrow.fill_null("").to_pylist()
    if released.trails is None:
        return names
    if released.trails.moved_with is not None:
        return [f"{TOGETHER}{number}" for number in released.trails.moved_with.tolist()]
    return [f"{name}\x00{piece}" for name, piece in zip(names, released.trails.piece.tolist(), strict=True)]
