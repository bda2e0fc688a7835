"""How a release runs sets of codes: open, protect, publish, and open again as a stranger would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from sharewell.codes.attacks.code_linkage import CodeLinkage
from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.data import CodeSets
from sharewell.codes.engine import labels as written
from sharewell.codes.engine.chunks import Chunks
from sharewell.codes.engine.code_files import CODE, DATE, SEQUENCE, SUBJECT, VISIT, Columns, long_rows, refuse_mixed
from sharewell.codes.engine.code_tree import CodeHierarchy, CodesTree, chains_of
from sharewell.codes.engine.mechanism_choice import preferences
from sharewell.codes.engine.published_forms import FORMS, form_of
from sharewell.codes.policy import code_columns
from sharewell.content_order import content_order
from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding
from sharewell.hierarchy import ICD9CM, ICD10CM, ROOT, Hierarchy, from_spec
from sharewell.hierarchy.certified_names import shipped, told
from sharewell.hierarchy.gaps import ListingHierarchy
from sharewell.hierarchy.systems import Systems
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.policy.model import Dataset
from sharewell.protocols import Criterion, Protected
from sharewell.roles import Role
from sharewell.wing import Claim, ColumnFacts, Published, Wing

PERSON = "person"
"""The one column of the evidence that tells whose record each one is."""
SEVERAL = "codes"
"""What the published column is called where several columns were read."""


MOST_CODES = 10_000
"""Codes that one record may hold: more are no patient's, and their pairs alone would take minutes to count."""
SAMPLED_PAIRS = 20_000_000
"""Pairs of codes in a sample, on which dozens of changes are tried."""


CodeData = CodeSets | Chunks
"""Sets of codes, or records in pieces, as disassociation publishes them."""


class CodesWing(Wing[CodeData]):
    """One set of codes a person, or a visit."""

    usual_risk = "code-linkage"
    made_columns = frozenset({"chunks"})

    def open(self, dataset: Dataset, base: Path, scratch: Path | None = None) -> CodeSets:
        """The original, from one code a row, lists of codes, or a column for each place."""
        columns = columns_of(dataset)
        rows = by_person(long_rows(dataset.read.read(columns.wanted()), columns))
        hierarchy = _hierarchy(dataset, columns, base)
        named = {key: key for key in (VISIT, DATE) if key in rows.column_names}
        if named and SEQUENCE in rows.column_names:
            named[SEQUENCE] = SEQUENCE
        if dataset.own.unit == "visit":
            data = by_visit(rows, hierarchy)
        else:
            data = CodeSets.from_long(rows, subject=SUBJECT, code=CODE, hierarchy=hierarchy, **named)
        refuse_mixed(data.names, hierarchy, dataset.read.label)
        _refuse_endless(data, dataset.read.label)
        persons = data.persons if columns.subject is not None else None
        return replace(data, column=published_name(columns), persons=persons)

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
        """How many codes are another one but for case or the dot: `401.1`, `4011`."""
        assert isinstance(data, CodeSets)
        plain = {name.casefold().replace(".", "") for name in data.names}
        alike = len(data.names) - len(plain)
        return {data.column: alike} if alike else {}

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
        """At most so many records, evenly spread, without the longest ones where these would take too long."""
        assert isinstance(data, CodeSets)
        if data.records > most:
            data = data.take(np.linspace(0, data.records - 1, most).astype(np.intp))
        lengths = data.sets.lengths
        order = np.argsort(lengths, kind="stable")
        kept = order[np.cumsum(lengths[order] ** 2) <= 2 * SAMPLED_PAIRS]
        return data if len(kept) == data.records else data.take(np.sort(kept))

    def preferences(self, data: CodeData, must: Sequence[Criterion[CodeData]]) -> list[tuple[str, str]]:
        """(mechanism, reason), the best first, for `using: auto`."""
        assert isinstance(data, CodeSets)
        return list(preferences(data, must))

    def protect(self, data: CodeData, dataset: Dataset, key: Key) -> Protected[CodeData]:
        assert isinstance(data, CodeSets)
        protected: Protected[CodeData] = dataset.protect(data, key)
        released = protected.data
        whose = None if data.persons is None else tuple(data.persons[row] for row in protected.rows)
        if isinstance(released, CodeSets):
            released = replace(released, column=data.column, persons=whose, codes_before=len(data.names))
        else:
            released = replace(released, column=data.column)
        return replace(protected, data=released)

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
        form = form_of(released)
        people: list[str] = []
        if original.persons is not None:
            scoped = key.scoped(dataset.name, "evidence")
            people = [scoped.pseudonym(original.persons[row]) for row in protected.rows]
        table, order = form.write(released, people)
        evidence = pa.table({PERSON: pa.array([people[i] for i in order], pa.string())}) if people else None
        unit = "records" if original.persons is None else f"{dataset.own.unit}s"
        facts = self._dictionary(original, released, dataset, form.name, table)
        return Published(table, facts, evidence, unit=unit)

    def _dictionary(
        self, original: CodeSets, released: CodeData, dataset: Dataset, form: str, table: pa.Table
    ) -> dict[str, dict[str, object]]:
        columns = columns_of(dataset)
        facts: dict[str, object] = {"role": str(Role.QUASI), "kind": "codes", "style": "labels", "form": form}
        facts |= {"unit": dataset.own.unit, "codes_before": len(original.names)}
        hierarchy = original.hierarchy
        if hierarchy is not None and not isinstance(hierarchy, CodesTree):
            spec = dataset.columns[columns.codes[0]].hierarchy
            facts |= {"hierarchy": Systems.name} if isinstance(hierarchy, Systems) else told(hierarchy, spec)
        if len(columns.codes) > 1:
            facts["of"] = list(columns.codes)
        facts["labels"] = explained(released, hierarchy)
        beside: dict[str, dict[str, object]] = {
            name: {"role": str(Role.QUASI), "kind": "chunks", "of": []} for name in table.column_names
        }
        return {name: facts if name == original.column else beside[name] for name in table.column_names}

    def reopen(
        self,
        source: Source,
        columns: Mapping[str, ColumnFacts],
        evidence: pa.Table | None = None,
        trees: Mapping[str, Hierarchy] | None = None,
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
        hierarchy = cast("ListingHierarchy | None", (trees or {}).get(column) or shipped(facts))
        members = members_of(facts.get("labels", {}), hierarchy, bare="hierarchy" not in facts)
        data: CodeData = FORMS[facts["form"]].read(source.read(), column, members)
        if evidence is not None:
            data = _with_persons(data, evidence, facts.get("unit", "person"))
        if isinstance(data, CodeSets):
            data = replace(data, hierarchy=hierarchy, codes_before=facts.get("codes_before"))
        return data

    def certified_unit(self, claim: Claim, asked: Mapping[str, Any]) -> str:
        """Persons or visits: what k counts."""
        return "records" if claim.persons == "none" else f"{asked.get('unit', 'person')}s"

    def contradictions(self, data: CodeData, claim: Claim, asked: Mapping[str, Any]) -> list[str]:
        """The dictionary says how codes are written, what a record is, and what each label stands for."""
        found = []
        for name, facts in claim.columns.items():
            if facts.get("kind") != "codes":
                continue
            written_as = (facts.get("style"), facts.get("unit"))
            if written_as != ("labels", asked.get("unit", "person")) or type(facts.get("codes_before")) is not int:
                found.append(f"column {name} — the dictionary does not say how its codes are published")
            if facts.get("labels") != explained(data, cast("CodeHierarchy | None", shipped(facts))):
                found.append(f"column {name} — its labels stand for something else than the dictionary says")
        return found


def columns_of(dataset: Dataset) -> Columns:
    """Which columns of the file say what."""
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


def published_name(columns: Columns) -> str:
    return columns.codes[0] if len(columns.codes) == 1 else SEVERAL


def _hierarchy(dataset: Dataset, columns: Columns, base: Path) -> ListingHierarchy | None:
    spec = dataset.columns[columns.codes[0]].hierarchy
    hierarchy = None if spec is None else from_spec(spec, base)
    if hierarchy is not None and (columns.system is not None) != isinstance(hierarchy, Systems):
        what = "a system column goes with a hierarchy of systems, and the other way round"
        hint = "such as system: vocabulary with hierarchy: {systems: {ICD9: icd9cm, ICD10: icd10cm}}"
        raise PolicyError(f"datasets.{dataset.name}.columns — {what} — {hint}")
    return hierarchy


def by_person(rows: pa.Table) -> pa.Table:
    """Persons by name, each one's rows as they stand: of equal records it must not be the file that chooses one."""
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


def explained(released: CodeData, hierarchy: CodeHierarchy | None) -> dict[str, dict[str, object]]:
    """What each label stands for: its codes, where it does not say them itself, and its title in the classification."""
    title = hierarchy.title if isinstance(hierarchy, ICD9CM | ICD10CM | Systems) else None
    shown = zip(released.names, released.members, strict=True) if isinstance(released, CodeSets) else ()
    found: dict[str, dict[str, object]] = {}
    for name, members in sorted(shown):
        facts: dict[str, object] = {} if tuple(written.read(name)) == tuple(members) else {"codes": list(members)}
        words = title(_plain(name)) if title is not None and (name == members[0] or "codes" in facts) else None
        if words:
            facts["title"] = words
        if facts:
            found[name] = facts
    return found


def members_of(
    told: Mapping[str, ColumnFacts], hierarchy: ListingHierarchy | None, *, bare: bool = False
) -> dict[str, tuple[str, ...]]:
    """The codes of labels that do not say them. Where the classification is at hand, they must lie below the label.

    bare: there is no classification, so that but one label can stand for codes that it does not say: that of them all.
    """
    found = {}
    for label, facts in told.items():
        if "codes" in facts:
            found[label] = tuple(str(code) for code in facts["codes"])
            # What stands in brackets says its codes itself, unless it is a code that happens to be written so.
            if not found[label] or (label.startswith("(") and found[label] != (label,)):
                raise DataError("the dictionary explains a label that explains itself — damaged or edited")
            if bare and found[label] != (label,) and _plain(label) != ROOT:
                raise DataError("the dictionary explains a label, and names no classification — damaged or edited")
    if hierarchy is not None:
        codes = sorted({code for members in found.values() for code in members})
        above = dict(zip(codes, chains_of(codes, hierarchy)[0], strict=True))
        for label, members in found.items():
            if any(_plain(label) not in (*above[code], ROOT) for code in members):
                raise DataError("the dictionary explains a label by codes that do not lie below it — damaged or edited")
    return found


def _plain(label: str) -> str:
    """`401.-` is the node 401, beside the code of that name."""
    while label.endswith(".-"):
        label = label[:-2]
    return label


def _with_persons(data: CodeData, evidence: pa.Table, unit: str) -> CodeData:
    if evidence.column_names != [PERSON] or evidence.num_rows != data.records:
        raise DataError("the evidence about persons does not belong to this file")
    persons = tuple(evidence[PERSON].to_pylist())
    if unit == "person" and len(set(persons)) < len(persons):
        raise DataError("the evidence about persons names one of them twice, where each has one record")
    return replace(data, persons=persons) if isinstance(data, CodeSets) else data


def _refuse_endless(data: CodeSets, label: str) -> None:
    longest = int(data.sets.lengths.max(initial=0))
    if longest > MOST_CODES:
        what = f"one record holds {longest} different codes, more than the {MOST_CODES} that can be counted"
        raise DataError(f"{label} — {what} — check that the subject is the right column, or leave that person out")
