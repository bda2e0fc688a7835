"""Two-step attack: a named register leads to a discharge summary, and the codes of the summary to a released record.

## Guarantee
None; a measurement. The value is the share of released records that get exactly one name, for certain as it seems.

## Adversary
Holds a register of named people (a voter list), and discharge summaries without names, each with demographics and
codes. A summary whose demographics fit one person of the register alone is that person's; a released record is theirs
if it alone may hold all codes of the summary.

## What it does not protect
An attacker content with a few candidates does more than this says; `candidates` is their average number. If register or
summaries lack people, some names are wrong; with the truth, right ones are counted.

## Parameters
register: a file or frame of named people; whoever has several equal rows is one person.
discharges: a file or frame with one code a row, beside the demographics of its summary.
person: the column of the register that names people. A name is right if the original calls the person the same.
discharge: the column that identifies a summary.
code: the column of the codes.
by: the demographics that register and summaries share. Left out: every column of the same name in both.
together: put the codes of all summaries together that fit the same person alone (default: each by itself).

## Worked example
The voter list has one man of 1953 in 02139, the hospital one summary of such a man, and the released data one record
with the two codes of that summary. So the record is John's.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> voters = pa.table({"name": ["John", "Mary", "Jane"], "born": ["1953", "1960", "1960"], "zip": ["02139"] * 3})
>>> summaries = pa.table(
...     {
...         "discharge": ["1", "1", "2"],
...         "born": ["1953", "1953", "1960"],
...         "zip": ["02139"] * 3,
...         "code": ["401.0", "295", "401.1"],
...     }
... )
>>> attack = TwoStep(voters, summaries)
>>> result = attack.mount(CodeSets.of([["401.0", "295", "401.1"], ["401.1"], ["401.0"]]))
>>> round(result.value, 4), result.details.one_name, result.details.one_record
(0.3333, 0.5, 0.5)
>>> whole = ("295", "401.0", "401.1")
>>> attack.mount(CodeSets.of([["*"]] * 3, published=True, members={"*": whole})).value
0.0

## Why it is safe
It reads the release and the two lists, and returns numbers only. A published record may hold a code if the code lies in
one of its labels; codes that no label covers are left out of the search. A summary with a gap in its demographics, or
without codes, leads nowhere, and is counted. A record that two names claim has none for certain.

## Cost
O(people + rows of summaries), and one search for each different set of codes, which takes the support of its rarest.

## Source
Loukides, Denny and Malin, JAMIA 2010; Gkoulalas-Divanis and Loukides, tutorial on medical data privacy.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from sharewell.algorithm import NOT_SIMULATED, Attack, DataError, Declared, Finding, PolicyError, Truth
from sharewell.io.sources import Source
from sharewell.joint.data import RTData
from sharewell.spelling import fold

if TYPE_CHECKING:
    from sharewell.codes import CodeSets
    from sharewell.codes.data import Atoms

_NOBODY = "no summary fits both a person of the register and a released record"
Person = tuple[str, ...]
"""Demographics, as text."""


@dataclass(frozen=True)
class TwoStepDetails:
    people: int
    columns: tuple[str, ...]
    """By which register and summaries were matched."""
    discharges: int
    """Summaries that were followed, or persons whose summaries were put together."""
    left_out: int
    """Summaries with a gap in their demographics, or without codes."""
    records: int
    one_name: float
    """Share of summaries that fit one name alone."""
    no_name: float
    one_record: float
    """Share of summaries whose codes fit one record alone."""
    no_record: float
    both: float
    """Share of summaries with one name and one record."""
    candidates: float | None
    """Of summaries that fit a name and a record: names times records, on the average."""
    named: int
    """Records with exactly one name."""
    contested: int
    """Records with several names."""
    correct: float | None
    """Share of records whose one name is right; None without the truth."""


@runtime_checkable
class HasAtoms(Protocol):
    """Sets of codes: a release of another form tells no groups of codes that lie in the same labels."""

    atoms: Atoms


@dataclass(frozen=True)
class TwoStep(Declared, Attack["CodeSets | RTData"]):
    """Names → summaries → records."""

    register: Source | object = field()
    discharges: Source | object
    person: str = "name"
    discharge: str = "discharge"
    code: str = "code"
    by: Sequence[str] = ()
    together: bool = False

    def mount(self, released: CodeSets | RTData, truth: Truth[CodeSets | RTData] | None = None) -> Finding:
        """On sets of codes, or on the codes of people who are released with them."""
        codes = released.codes if isinstance(released, RTData) else released
        if not isinstance(codes, HasAtoms):
            raise PolicyError(f"{self.name} — reads sets of codes, and this release shows something else")
        if not codes.records:
            return Finding(self.name, None, unit="share", note="nothing is released")
        columns, names = self._names()
        summaries, left_out = self._summaries(columns, names)
        if not summaries:
            return Finding(self.name, None, unit="share", note="no summary has demographics and codes")
        steps = _Steps(codes)
        for demographics, codes_known in summaries:
            steps.follow(names.get(demographics, ()), codes_known)
        details = steps.details(columns, sum(map(len, names.values())), left_out, _persons(truth))
        if not steps.choices:
            advice = "check that the lists and the release write their values the same way"
            return Finding(self.name, None, unit="share", details=details, note=f"undecided: {_NOBODY} — {advice}")
        share = details.named / codes.records
        return Finding(self.name, share, unit="share", details=details, note=NOT_SIMULATED if truth is None else "")

    def _names(self) -> tuple[tuple[str, ...], dict[Person, list[str]]]:
        """(the demographics to match by, demographics → folds of names). People with a gap in theirs fit no summary."""
        register, discharges = Source.of(self.register), Source.of(self.discharges)
        apart = {self.person, self.discharge, self.code}
        shared = [name for name in register.names() if name in discharges.names() and name not in apart]
        columns = tuple(self.by) or tuple(shared)
        if not columns:
            problem = f"{register.label} and {discharges.label} share no column of demographics"
            raise DataError(f"{problem} — map names with `columns:`, or name them under `by`")
        named: dict[Person, dict[str, None]] = {}  # a person with several equal rows has one name, in every spelling
        for (name,), demographics in zip(_texts(register, [self.person]), _texts(register, columns), strict=True):
            if all(demographics):
                named.setdefault(demographics, {})[fold(name)] = None
        return columns, {demographics: list(names) for demographics, names in named.items()}

    def _summaries(
        self, columns: Sequence[str], names: Mapping[Person, Sequence[str]]
    ) -> tuple[list[tuple[Person, frozenset[str]]], int]:
        """(demographics, codes) of each summary that can be followed, and how many cannot."""
        source = Source.of(self.discharges)
        summaries: dict[tuple[str, ...], tuple[Person, set[str]]] = {}
        for (number, code), demographics in zip(
            _texts(source, [self.discharge, self.code]), _texts(source, columns), strict=True
        ):
            key = demographics if self.together and len(names.get(demographics, ())) == 1 else (number, *demographics)
            summaries.setdefault(key, (demographics, set()))[1].update([code] if code else [])
        good = [(person, frozenset(codes)) for person, codes in summaries.values() if all(person) and codes]
        return good, len(summaries) - len(good)


class _Steps:
    """Summaries followed one after the other, and the names that each record gets."""

    def __init__(self, codes: CodeSets) -> None:
        self.codes = codes
        self._searched: dict[frozenset[str], tuple[int, int]] = {}
        self.claims: dict[int, set[str]] = {}
        self.counts: Counter[tuple[int, int]] = Counter()
        """(names, records) of summaries; two stands for several."""
        self.choices: list[int] = []

    def follow(self, names: Sequence[str], codes: frozenset[str]) -> None:
        records, only = self._search(codes)
        self.counts[min(2, len(names)), min(2, records)] += 1
        if names and records:
            self.choices.append(len(names) * records)
        if len(names) == 1 and records == 1:
            self.claims.setdefault(only, set()).add(names[0])

    def _search(self, codes: frozenset[str]) -> tuple[int, int]:
        """(how many records may hold all of these codes, one of them)."""
        if codes not in self._searched:
            atoms = self.codes.atoms
            shown = [code for code in codes if code in atoms.of_code] if self.codes.published else codes
            rows = atoms.holding(shown).tolist() if shown else []
            self._searched[codes] = len(rows), rows[0] if rows else -1
        return self._searched[codes]

    def details(
        self, columns: tuple[str, ...], people: int, left_out: int, persons: Sequence[str] | None
    ) -> TwoStepDetails:
        total = sum(self.counts.values())
        name_of = {record: next(iter(names)) for record, names in self.claims.items() if len(names) == 1}
        right = None if persons is None else sum(fold(persons[record]) == name for record, name in name_of.items())
        return TwoStepDetails(
            people=people,
            columns=columns,
            discharges=total,
            left_out=left_out,
            records=self.codes.records,
            one_name=self._share(1, None) / total,
            no_name=self._share(0, None) / total,
            one_record=self._share(None, 1) / total,
            no_record=self._share(None, 0) / total,
            both=self._share(1, 1) / total,
            candidates=sum(self.choices) / len(self.choices) if self.choices else None,
            named=len(name_of),
            contested=len(self.claims) - len(name_of),
            correct=None if right is None else right / self.codes.records,
        )

    def _share(self, names: int | None, records: int | None) -> int:
        return sum(n for (a, b), n in self.counts.items() if names in (None, a) and records in (None, b))


def _texts(source: Source, columns: Iterable[str]) -> list[tuple[str, ...]]:
    """Cells as text, a missing one empty."""
    names = list(columns)
    table = source.read(names)
    cells = [[("" if value is None else str(value)).strip() for value in table[name].to_pylist()] for name in names]
    return list(zip(*cells, strict=True))


def _persons(truth: Truth[CodeSets | RTData] | None) -> list[str] | None:
    """Whose each released record is; None without the truth, or if the original does not say."""
    if truth is None:
        return None
    original = truth.original.codes if isinstance(truth.original, RTData) else truth.original
    return None if original.persons is None else [original.persons[row] for row in truth.rows]
