"""How a release opens, protects, publishes and re-opens sets of codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.algorithm import Attack, Criteria, DataError, Finding, Key, PolicyError, Protected, Role
from sharewell.codes.attacks.chunk_linking import ChunkLinking
from sharewell.codes.attacks.code_linkage import CodeLinkage
from sharewell.codes.criteria.cover_free import CoverFree
from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.criteria.km_disassociation import KmDisassociation
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.chunks import Chunks
from sharewell.codes.engine.code_files import CODE, DATE, SEQUENCE, SUBJECT, VISIT, Columns, long_rows, refuse_mixed
from sharewell.codes.engine.code_tree import CodeHierarchy, CodesTree, chains_of
from sharewell.codes.engine.labels import read_label, write_label
from sharewell.codes.engine.published_forms import FORMS, form_of
from sharewell.codes.engine.shown_codes import plain_name, with_shown_codes
from sharewell.codes.policy import code_columns
from sharewell.content_order import content_order
from sharewell.hierarchy.certified_names import built_in, certificate_entry
from sharewell.hierarchy.chains import ROOT
from sharewell.hierarchy.gaps import ListingHierarchy
from sharewell.hierarchy.icd import ICD9CM, ICD10CM
from sharewell.hierarchy.specs import from_spec
from sharewell.hierarchy.systems import Systems
from sharewell.io.cleaning_account import Account
from sharewell.io.sources import Source
from sharewell.people_evidence import LABELS, owners_table, written_labels
from sharewell.plain_data import Json
from sharewell.policy.model import Dataset
from sharewell.protocols import AnyCriterion, CoarserFacts, ListedValues, PersonFacts, RemovedFacts
from sharewell.spelling import alike, fold
from sharewell.wing import Axes, Capabilities, Claim, Dictionary, Published, Trees, Wing

PERSON = "person"
"""The one column of the evidence: the person of each record."""
SEVERAL = "codes"
"""What the published column is called where several columns were read."""


MOST_CODES = 10_000
"""The most codes that one record may hold: counting the pairs of more would take minutes."""
SAMPLED_PAIRS = 20_000_000
"""The most pairs of codes in a sample."""


_BY_CRITERION = {
    "utility-policy": ("cba", "of the mechanisms that keep to the utility policy, it generalises least"),
    "privacy-policy": ("pcta", "it merges codes with the least loss until every listed combination is hidden"),
    "hkp-coherence": ("greedy-suppression", "it removes the codes that disclose most combinations"),
    "ps-rules": ("rbat", "it shows public codes as finely as the rules allow"),
    "hidden-patterns": ("pattern-hiding", "it deletes as few codes as possible"),
    "km-disassociation": ("disassociation", "it alters no code"),
    "cover-free": ("disassociation", "it alters no code"),
    "complete-k-anonymity": ("greedy-partitioning", "it generalises each group of records as little as possible"),
}
"""The mechanism that `using: auto` takes for each criterion, and why; the first that can make all of them hold."""
CodeData = CodeSets | Chunks
"""Sets of codes, or records in pieces, as disassociation publishes them."""


class CodesWing(Wing[CodeData]):
    """One set of codes a person, or a visit."""

    usual_risk = "code-linkage"
    made_columns = frozenset({"chunks"})

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> CodeSets:
        """The original, from one code a row, lists of codes, or a column for each place."""
        columns = columns_of(dataset)
        table = dataset.read.read(columns.wanted())
        hierarchy = _hierarchy(dataset, columns, base)
        rows = by_person(_mapped(long_rows(table, columns), dataset, hierarchy)[0])
        named = {key: key for key in (VISIT, DATE) if key in rows.column_names}
        if named and SEQUENCE in rows.column_names:
            named[SEQUENCE] = SEQUENCE
        if dataset.own.unit == "visit":
            data = by_visit(rows, hierarchy)
        else:
            data = CodeSets.from_long(rows, subject=SUBJECT, code=CODE, hierarchy=hierarchy, **named)
        refuse_mixed(data.names, hierarchy, dataset.read.label)
        if (longest := data.sets.longest) > MOST_CODES:
            problem = f"one record holds {longest} different codes, more than the {MOST_CODES} that can be counted"
            hint = "check that the subject is the right column, or leave that person out"
            raise DataError(f"{dataset.read.label} — {problem} — {hint}")
        column = columns.codes[0] if len(columns.codes) == 1 else SEVERAL
        if columns.subject is None:
            return replace(data, column=column, persons=None)
        respelt = alike(table[columns.subject])
        return replace(data, column=column, alike={columns.subject: respelt} if respelt else {})

    def accounts(self, dataset: Dataset, base: Path) -> dict[str, Account]:
        """How many codes a crosswalk mapped."""
        if code_columns(dataset).crosswalk is None:
            return {}
        columns = columns_of(dataset)
        hierarchy = _hierarchy(dataset, columns, base)
        return _mapped(long_rows(dataset.read.read(columns.wanted()), columns), dataset, hierarchy)[1]

    def describe(self, data: CodeData) -> dict[str, dict[str, object]]:
        """Counts only."""
        facts: dict[str, object] = {"role": str(Role.QUASI), "kind": "codes"}
        if not isinstance(data, CodeSets):
            return {data.column: facts | {"distinct": len(data.codes)}}
        hierarchy, names = data.hierarchy, data.names
        known = None if isinstance(hierarchy, CodesTree) else hierarchy
        unknown = 0 if hierarchy is None or data.published else sum(not hierarchy.lists(name) for name in names)
        facts |= {"distinct": len(names), "missing": int((data.sets.lengths == 0).sum()), "style": "labels"}
        return {data.column: facts | {"hierarchy": None if known is None else known.name, "unknown": unknown}}

    def lookalikes(self, data: CodeData) -> dict[str, int]:
        """How many codes are another one but for their looks or the dot (`401.1`, `4011`), and how many persons."""
        assert isinstance(data, CodeSets)
        plain = {fold(name).replace(".", "") for name in data.names}
        codes = len(data.names) - len(plain)
        return {**data.alike, **({data.column: codes} if codes else {})}

    def risks(self, data: CodeData) -> list[Finding]:
        """The rarest pair of codes, and what knowing two of a person's codes is worth."""
        if not isinstance(data, CodeSets):
            return []
        reached = KmAnonymity(k=1, m=2).check(data)
        plain = Finding("km-anonymity", reached.value, unit=reached.unit, details=None, note="combinations of up to 2")
        return [plain, CodeLinkage().mount(data)]

    def size(self, data: CodeData) -> dict[str, int]:
        if not isinstance(data, CodeSets):
            return {"rows": data.records, "persons": data.records}
        persons = data.records if data.persons is None else len(set(data.persons))
        return {"rows": data.records, "persons": persons, "classes": len(data.sets.equal()[1])}

    def sample(self, data: CodeData, most: int) -> CodeSets:
        """At most this many records, evenly spread, without the longest ones where these would take too long."""
        assert isinstance(data, CodeSets)
        if data.records > most:
            data = data.take(np.linspace(0, data.records - 1, most).astype(np.intp))
        lengths = data.sets.lengths
        order = np.argsort(lengths, kind="stable")
        kept = order[np.cumsum(lengths[order] ** 2) <= 2 * SAMPLED_PAIRS]
        return data if len(kept) == data.records else data.take(np.sort(kept))

    def axes(self, dataset: Dataset, data: CodeData) -> Axes[CodeData] | None:
        """Records in pieces are attacked, and measured, by what goes together in spite of them."""
        in_pieces = any(isinstance(one, KmDisassociation | CoverFree) for one in dataset.criteria)
        if isinstance(data, CodeSets) and not in_pieces:
            return None
        return Axes(cast("Attack[CodeData]", ChunkLinking()), "average", "co-occurrence")

    def preferences(self, data: CodeData, criteria: Criteria[CodeData]) -> list[tuple[str, str]]:
        """(mechanism, reason), the best first, for `using: auto`."""
        assert isinstance(data, CodeSets)
        names = [criterion.name for criterion in criteria]
        ranked = [choice for name, choice in _BY_CRITERION.items() if name in names]
        if "rho-uncertainty" in names and data.hierarchy is not None:
            ranked.append(("td-control", "it generalises by the hierarchy where possible, and suppresses the rest"))
        if "rho-uncertainty" in names:
            ranked.append(("suppress-control", "there is no hierarchy, so codes are either shown or left out"))
        label = "from the hierarchy" if data.hierarchy is not None else "the code itself or *"
        return [*ranked, ("apriori", f"it gives each code the same label in all records: {label}")]

    def protect(self, data: CodeData, dataset: Dataset, key: Key) -> Protected[CodeData]:
        assert isinstance(data, CodeSets)
        protected: Protected[CodeData] = dataset.protect(data, key)
        persons = None if data.persons is None else tuple(data.persons[row] for row in protected.rows)
        released = replace(protected.data, column=data.column)
        if isinstance(released, CodeSets):
            released = replace(released, persons=persons, codes_before=len(data.names))
        return replace(protected, data=released)

    def capabilities(self) -> Capabilities[CodeData]:
        return Capabilities(facts=self)

    def person_facts(self, data: CodeData) -> PersonFacts | None:
        """The labels of each record, and whose it is; pieces of records are nobody's."""
        if not isinstance(data, CodeSets) or data.persons is None:
            return None
        sets = (data.sets.starts.astype(np.int64), data.sets.items.astype(np.int64))
        return PersonFacts(
            data.persons, {}, sets=sets, label_covers=data.overlapping_labels, coarser=partial(coarser_labels, data)
        )

    def too_few(self, data: CodeData, criteria: Sequence[AnyCriterion]) -> NDArray[np.bool_] | None:
        return None

    def without_facts(
        self,
        protected: Protected[CodeData],
        removed: RemovedFacts,
        records: NDArray[np.bool_],
        coarser: NDArray[np.int64] | None = None,
        key: Key | None = None,
    ) -> Protected[CodeData]:
        """Without some labels of some records, with coarser ones in the place of others, and without some records."""
        data = protected.data
        assert isinstance(data, CodeSets)
        if coarser is not None:
            data = data.coarsened(coarser, removed["labels"])
        elif "labels" in removed:
            data = data.without(removed["labels"])
        if not records.any():
            return replace(protected, data=data)
        rows = np.flatnonzero(~records)
        return replace(protected, data=data.take(rows), rows=protected.rows[rows])

    def listed_values(self, original: CodeData, protected: Protected[CodeData]) -> dict[str, ListedValues]:
        """A label is exact if it is a code of the same record; pieces of records are in no record's place."""
        released = protected.data
        if not isinstance(original, CodeSets) or not isinstance(released, CodeSets):
            return {}
        number_of = {write_label((code,)): number for number, code in enumerate(original.names)}
        as_codes = np.array([number_of.get(label, -1) for label in released.names], np.int64)
        held, shown, codes = original.sets.take(protected.rows), released.sets, len(original.names)
        same = as_codes[shown.items]
        among_held = np.isin(shown.row_of * codes + same, held.row_of * codes + held.items)
        exact = int(((same >= 0) & among_held).sum())
        stars = sum(map(int, shown.supports(len(as_codes))[[label == ROOT for label in released.names]]))
        return {released.column: ListedValues(codes, len(as_codes), len(shown.items), exact, stars, len(held.items))}

    def publish(
        self,
        original: CodeData,
        protected: Protected[CodeData],
        dataset: Dataset,
        key: Key,
        scratch: Path | None = None,
    ) -> Published:
        """Records sorted by what they show: the order of the source is not published."""
        assert isinstance(original, CodeSets)
        released = protected.data
        if isinstance(released, CodeSets):
            released = with_shown_codes(released, original, protected.rows)
        form = form_of(released)
        people: list[str] = []
        if original.persons is not None:
            scoped = key.of_persons(dataset.name)
            people = [scoped.pseudonym(original.persons[row]) for row in protected.rows]
        table, order = form.write(released, people)
        evidence = pa.table({PERSON: pa.array([people[i] for i in order], pa.string())}) if people else None
        unit = "records" if original.persons is None else f"{dataset.own.unit}s"
        facts = self._dictionary(original.take(protected.rows), released, dataset, form.name, table)
        if not isinstance(released, CodeSets):  # a piece of a record is nobody's
            return Published(table, facts, evidence, unit=unit)
        columns = columns_of(dataset)
        named = columns.subject and dataset.read.columns.get(columns.subject, columns.subject)
        visits = dataset.own.unit == "visit"
        read_as = (dataset.own.unit, *sorted(columns.codes))  # records of no person are numbered as they are made
        if visits:  # and visits within their persons, as they are read
            read_as += (columns.subject or "", str(replace(dataset.read, path=None)), str(dataset.own))
        source = Source() if named and not visits else dataset.read
        typed = named in dataset.read.joined
        labels = written_labels(source, original.records, key, named, *read_as, visits=visits, typed=typed)
        owners = owners_table(original.persons, protected.rows[order], key, named)
        return Published(table, facts, evidence, unit=unit, people=owners, internal_files={LABELS: labels})

    def _dictionary(
        self, original: CodeSets, released: CodeData, dataset: Dataset, form: str, table: pa.Table
    ) -> dict[str, dict[str, object]]:
        """What recipients read; original: the records that are published, and no others."""
        columns = columns_of(dataset)
        facts: dict[str, object] = {"role": str(Role.QUASI), "kind": "codes", "style": "labels", "form": form}
        facts |= {"unit": dataset.own.unit, "codes_before": len(original.names)}
        hierarchy = original.hierarchy
        if hierarchy is not None and not isinstance(hierarchy, CodesTree):
            spec = dataset.columns[columns.codes[0]].hierarchy
            facts |= (
                {"hierarchy": Systems.name} if isinstance(hierarchy, Systems) else certificate_entry(hierarchy, spec)
            )
        if len(columns.codes) > 1:
            facts["of"] = list(columns.codes)
        if (crosswalk := code_columns(dataset).crosswalk) is not None:
            facts["crosswalk"] = crosswalk.public_details
        facts["labels"] = explained(released, hierarchy)
        others: dict[str, object] = {"role": str(Role.QUASI), "kind": "chunks", "of": []}
        return {name: facts if name == original.column else dict(others) for name in table.column_names}

    def reopen(
        self, source: Source, columns: Dictionary, evidence: pa.Table | None = None, trees: Trees = None
    ) -> CodeData:
        """The release as its file shows it. What its labels stand for is in the dictionary."""
        if source.names() != list(columns):
            raise DataError(f"{source.label} — its columns are not those of the certificate")
        column = next((name for name, facts in columns.items() if facts.get("kind") == "codes"), None)
        if column is None:
            raise DataError(f"{source.label} — the certificate names no column of codes — it is damaged or was edited")
        facts = columns[column]
        if facts.get("form") not in FORMS:
            raise DataError(f"column {column} — the certificate names no known form of codes")
        # All hierarchies that a policy can name, or a release names, say what they list.
        hierarchy = cast("ListingHierarchy | None", (trees or {}).get(column) or built_in(facts))
        members = members_of(facts.get("labels", {}), hierarchy, bare="hierarchy" not in facts)
        data: CodeData = FORMS[facts["form"]].read(source.read(), column, members)
        if evidence is not None:
            data = _with_persons(data, evidence, facts.get("unit", "person"))
        if isinstance(data, CodeSets):
            data = replace(data, hierarchy=hierarchy, codes_before=facts.get("codes_before"))
        return data

    def certified_unit(self, claim: Claim, asked: Mapping[str, Json]) -> str:
        """Persons or visits: what k counts."""
        return "records" if claim.persons == "none" else f"{asked.get('unit', 'person')}s"

    def contradictions(self, data: CodeData, claim: Claim, asked: Mapping[str, Json]) -> list[str]:
        """The dictionary says how codes are written, what a record is, and what each label stands for."""
        results = []
        for name, facts in claim.columns.items():
            if facts.get("kind") != "codes":
                continue
            written_as = (facts.get("style"), facts.get("unit"))
            if written_as != ("labels", asked.get("unit", "person")) or type(facts.get("codes_before")) is not int:
                results.append(f"column {name} — the dictionary does not say how its codes are published")
            hierarchy = cast("CodeHierarchy | None", built_in(facts))
            if _labels(facts.get("labels"), hierarchy) != _labels(explained(data, hierarchy), hierarchy):
                results.append(f"column {name} — its labels stand for something else than the dictionary says")
        return results


def coarser_labels(data: CodeSets) -> CoarserFacts | None:
    """What labels may be coarsened to; None without a classification, or where visits are published."""
    if data.hierarchy is None or data.visits is not None:
        return None
    tree = data.coarser
    return CoarserFacts(tree.node, tree.parent, tree.loss)


def columns_of(dataset: Dataset) -> Columns:
    """The columns of the file, by their meaning."""
    rules = dataset.columns
    codes = tuple(name for name, rule in rules.items() if rule.role is Role.QUASI)
    if not codes:
        raise PolicyError(f"datasets.{dataset.name}.columns — no column holds codes — give it the role quasi")
    if any(rules[name].hierarchy != rules[codes[0]].hierarchy for name in codes):
        raise PolicyError(f"datasets.{dataset.name}.columns — columns of codes must share their hierarchy")
    separators = {rules[name].separator for name in codes}
    if len(separators) > 1:
        raise PolicyError(f"datasets.{dataset.name}.columns — columns of codes must share their separator")
    subject = next((name for name, rule in rules.items() if rule.role is Role.SUBJECT), None)
    return Columns(codes, subject, separator=separators.pop(), **code_columns(dataset).named())


def _hierarchy(dataset: Dataset, columns: Columns, base: Path) -> ListingHierarchy | None:
    spec = dataset.columns[columns.codes[0]].hierarchy
    hierarchy = None if spec is None else from_spec(spec, base)
    crosswalk = code_columns(dataset).crosswalk
    apart = columns.system is not None and (crosswalk is None or crosswalk.of is None)
    if hierarchy is not None and apart != isinstance(hierarchy, Systems):
        problem = "a system column goes with a hierarchy of systems, and the other way round"
        hint = "such as system: vocabulary with hierarchy: {systems: {ICD9: icd9cm, ICD10: icd10cm}}"
        raise PolicyError(f"datasets.{dataset.name}.columns — {problem} — {hint}")
    return hierarchy


def _mapped(
    rows: pa.Table, dataset: Dataset, hierarchy: ListingHierarchy | None
) -> tuple[pa.Table, dict[str, Account]]:
    """Codes of another classification, where the policy names a crosswalk, and how many were mapped."""
    crosswalk = code_columns(dataset).crosswalk
    if crosswalk is None:
        return rows, {}
    mapped, account = crosswalk.apply(rows, hierarchy, dataset.read.label)
    columns = columns_of(dataset).codes
    return mapped, {columns[0] if len(columns) == 1 else SEVERAL: Account(account.codes, (account.as_step(),))}


def by_person(rows: pa.Table) -> pa.Table:
    """Rows sorted by person, so that the order of the file does not decide between equal records."""
    return rows.take(content_order(rows.select([SUBJECT])))


def by_visit(rows: pa.Table, hierarchy: ListingHierarchy | None) -> CodeSets:
    """One record for each visit of each person."""
    people, visits = rows[SUBJECT].to_pylist(), rows[VISIT if VISIT in rows.column_names else DATE].to_pylist()
    if nobody := sum(person is None for person in people):
        raise DataError(f"{nobody} row(s) belong to nobody — name the person, or drop the rows")
    if nowhere := sum(visit is None for visit in visits):
        raise DataError(f"{nowhere} row(s) name no visit — name it, or publish by person")
    number: dict[tuple[str, object], str] = {}
    keys = [number.setdefault((who, visit), str(len(number))) for who, visit in zip(people, visits, strict=True)]
    data = CodeSets.from_long(
        pa.table({SUBJECT: keys, CODE: rows[CODE]}), subject=SUBJECT, code=CODE, hierarchy=hierarchy
    )
    owner = {visit: person for (person, _), visit in number.items()}
    return replace(data, persons=tuple(owner[visit] for visit in data.persons or ()))


def _labels(entries: object, hierarchy: CodeHierarchy | None) -> object:
    """What labels stand for; titles only where the classification that has them is at hand."""
    if hierarchy is not None or not isinstance(entries, Mapping):
        return entries
    codes = {label: facts.get("codes") for label, facts in entries.items() if isinstance(facts, Mapping)}
    return {label: listed for label, listed in codes.items() if listed is not None}


def explained(released: CodeData, hierarchy: CodeHierarchy | None) -> dict[str, dict[str, object]]:
    """For each label its codes, unless it lists them itself, and its title in the classification."""
    title = hierarchy.title if isinstance(hierarchy, ICD9CM | ICD10CM | Systems) else None
    shown = zip(released.names, released.members, strict=True) if isinstance(released, CodeSets) else ()
    entries: dict[str, dict[str, object]] = {}
    for name, members in sorted(shown):
        facts: dict[str, object] = {} if tuple(read_label(name)) == tuple(members) else {"codes": list(members)}
        words = title(plain_name(name)) if title is not None and (name == members[0] or "codes" in facts) else None
        if words:
            facts["title"] = words
        if facts:
            entries[name] = facts
    return entries


def members_of(
    entries: Dictionary, hierarchy: ListingHierarchy | None, *, bare: bool = False
) -> dict[str, tuple[str, ...]]:
    """The codes of labels that do not list them. With a classification, they must lie below the label.

    bare: there is no classification, so only the label of all codes may leave them unlisted.
    """
    members_by_label = {}
    for label, facts in entries.items():
        if "codes" in facts:
            members_by_label[label] = tuple(str(code) for code in facts["codes"])
            # What stands in brackets says its codes itself, unless it is a code that happens to be written so.
            if not members_by_label[label] or (label.startswith("(") and members_by_label[label] != (label,)):
                raise DataError("the dictionary explains a label that explains itself — damaged or edited")
            if bare and members_by_label[label] != (label,) and plain_name(label) != ROOT:
                raise DataError("the dictionary explains a label, and names no classification — damaged or edited")
    if hierarchy is not None:
        codes = sorted({code for members in members_by_label.values() for code in members})
        above = dict(zip(codes, chains_of(codes, hierarchy)[0], strict=True))
        for label, members in members_by_label.items():
            if any(plain_name(label) not in (*above[code], ROOT) for code in members):
                raise DataError("the dictionary explains a label by codes that do not lie below it — damaged or edited")
    return members_by_label


def _with_persons(data: CodeData, evidence: pa.Table, unit: str) -> CodeData:
    if evidence.column_names != [PERSON] or evidence.num_rows != data.records:
        raise DataError("the evidence about persons does not belong to this file")
    persons = tuple(evidence[PERSON].to_pylist())
    if unit == "person" and len(set(persons)) < len(persons):
        raise DataError("the evidence about persons names one of them twice, where each has one record")
    return replace(data, persons=persons) if isinstance(data, CodeSets) else data
