"""The forms in which DNA is published, each with its way to the file and back: frequencies, a beacon, sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.data.snps import Snps
from sharewell.genomes.engine.selection import Selection
from sharewell.genomes.engine.snp_columns import SITE
from sharewell.roles import Role
from sharewell.wing import ColumnFacts

if TYPE_CHECKING:
    import pyarrow as pa

Columns = Mapping[str, ColumnFacts]
Dictionary = dict[str, dict[str, object]]
"""What is said of each published column: plain JSON."""
Released = TypeVar("Released", Frequencies, BeaconAnswers, Sequences)
_KINDS = {"frequency": "frequency", "cases": "frequency", "controls": "frequency", "answer": "answer"}
_KINDS |= {"people": "people", "case_people": "people"}


@runtime_checkable
class Explained(Protocol):
    """Details of a mechanism that a recipient must know."""

    @property
    def dictionary(self) -> Dictionary: ...


class Form(Protocol[Released]):
    """One form of publication."""

    @property
    def name(self) -> str: ...

    def plain(self, original: Any, released: Released | None) -> Released:
        """What would be published in this form without protection."""
        ...

    def write(self, released: Released, people: Sequence[str]) -> tuple[pa.Table, list[str]]:
        """(the table, sorted by what it shows; the evidence, whose each row is or who was counted)."""
        ...

    def facts(self, released: Released, of: Sequence[str]) -> Dictionary:
        """What the dictionary says of each column; `of`: the columns of SNPs that the policy names."""
        ...

    def read(self, table: pa.Table, columns: Columns, people: Sequence[str] | None) -> Released:
        """The release again, with its evidence where that is at hand."""
        ...


@dataclass(frozen=True)
class AsFrequencies:
    """One row a SNP, in order of place."""

    name: str = "frequencies"

    def plain(self, original: Genotypes, released: Frequencies | None) -> Frequencies:
        return Frequencies.of(original)

    def write(self, released: Frequencies, people: Sequence[str]) -> tuple[pa.Table, list[str]]:
        return released.take(places(released.snps)).to_arrow(), sorted(people)

    def facts(self, released: Frequencies, of: Sequence[str]) -> Dictionary:
        also = {} if released.decimals is None else {"decimals": released.decimals}
        found = _facts(released.to_arrow().column_names, self.name, of, also)
        if released.selection is not None:
            found["frequency"]["selection"] = released.selection.to_json()
        return found

    def read(self, table: pa.Table, columns: Columns, people: Sequence[str] | None) -> Frequencies:
        decimals = columns["frequency"].get("decimals")
        selection = Selection.from_json(columns["frequency"].get("selection"))
        found = Frequencies.from_arrow(table, decimals=None if decimals is None else int(decimals), selection=selection)
        _refuse_unsorted(places(found.snps))
        _refuse_unrounded(found)
        _refuse_fewer(people, found.people)
        return found


@dataclass(frozen=True)
class AsBeacon:
    """One row a SNP, in order of place: yes or no."""

    name: str = "beacon"

    def plain(self, original: Genotypes, released: BeaconAnswers | None) -> BeaconAnswers:
        return BeaconAnswers.of(original)

    def write(self, released: BeaconAnswers, people: Sequence[str]) -> tuple[pa.Table, list[str]]:
        return released.take(places(released.snps)).to_arrow(), sorted(people)

    def facts(self, released: BeaconAnswers, of: Sequence[str]) -> Dictionary:
        return _facts(released.to_arrow().column_names, self.name, of, {})

    def read(self, table: pa.Table, columns: Columns, people: Sequence[str] | None) -> BeaconAnswers:
        found = BeaconAnswers.from_arrow(table)
        _refuse_unsorted(places(found.snps))
        _refuse_fewer(people, found.people)
        return found


@dataclass(frozen=True)
class AsSequences:
    """One row a sequence, sorted by its text; a label may stand beside it."""

    name: str = "sequences"

    def plain(self, original: Genotypes | Sequences, released: Sequences | None) -> Sequences:
        return Sequences.of_genotypes(original) if isinstance(original, Genotypes) else original

    def write(self, released: Sequences, people: Sequence[str]) -> tuple[pa.Table, list[str]]:
        """Equal ones in the order of their pseudonyms: that of the names would tell of them."""
        named = replace(released, ids=tuple(people) if people else None)
        order = named.order
        return named.take(order).to_arrow(), [people[i] for i in order] if people else []

    def facts(self, released: Sequences, of: Sequence[str]) -> Dictionary:
        found: Dictionary = {
            released.column: {"role": str(Role.QUASI), "kind": "sequence", "form": self.name, "style": "IUPAC codes"}
        }
        if released.labels is not None:
            found[released.label_column] = {"role": str(Role.SENSITIVE), "kind": "label"}
        for name, facts in found.items():
            if name not in of:
                facts["of"] = [] if facts["kind"] == "label" or not of else list(of)
        return found

    def read(self, table: pa.Table, columns: Columns, people: Sequence[str] | None) -> Sequences:
        column = next((name for name, facts in columns.items() if facts.get("kind") == "sequence"), None)
        if column is None:
            raise DataError("the certificate names no column of sequences — it is damaged or was edited")
        label = next((name for name, facts in columns.items() if facts.get("kind") == "label"), None)
        found = Sequences.from_arrow(table, column, label)
        _refuse_unsorted(found.order)
        if people is not None and len(people) != found.rows:
            raise DataError("the evidence about persons does not belong to this file")
        return found if people is None else replace(found, ids=tuple(people))


FORMS: Mapping[str, Form[Any]] = {one.name: one for one in (AsFrequencies(), AsBeacon(), AsSequences())}


def form_of(released: Frequencies | BeaconAnswers | Sequences) -> Form[Any]:
    """By what was made of the DNA."""
    return FORMS[released.form]


def places(snps: Snps) -> NDArray[np.intp]:
    """SNPs in order of chromosome (by number where it is one), position, name and alleles."""
    rank = {name: i for i, name in enumerate(sorted(set(snps.chromosome), key=_chromosome))}
    numbers = np.array([rank[name] for name in snps.chromosome], dtype=np.int64)
    texts = [np.asarray(column, dtype=str) for column in (snps.other, snps.effect, snps.id)]
    return np.lexsort((*texts, snps.position, numbers))


def _chromosome(name: str) -> tuple[int, str]:
    """`2` before `10`, `chr2` with it, X after numbers."""
    bare = str(name).removeprefix("chr")
    return (int(bare), "") if bare.isdecimal() else (1 << 30, bare)


def _facts(names: Sequence[str], form: str, of: Sequence[str], also: Mapping[str, object]) -> Dictionary:
    """Every column is made anew; the names of SNPs stand for the columns of a table in which each had one."""
    found: Dictionary = {}
    for name in names:
        kind = "site" if name in SITE else _KINDS[name]
        role = Role.QUASI if name == "id" and of else Role.KEEP
        found[name] = {"role": str(role), "kind": kind, "of": list(of) if name == "id" else []}
    found[SITE[0]] |= {"form": form}
    for name in names:
        if found[name]["kind"] == "frequency":
            found[name] |= {"style": "rounded" if also else "counted", **also}
        elif found[name]["kind"] == "answer":
            found[name]["style"] = "yes or no"
    return found


def _refuse_unsorted(order: NDArray[np.intp]) -> None:
    """Rows stand in the order of what they show; any other could tell something of where they come from."""
    if not np.array_equal(order, np.arange(len(order))):
        raise DataError("the rows are not in the order of their content — damaged or edited")


def _refuse_unrounded(found: Frequencies) -> None:
    """Frequencies that are said to be rounded have no digits beyond."""
    if found.decimals is None:
        return
    for values in (found.frequency, found.cases, found.controls):
        if values is not None and np.nanmax(np.abs(values - np.round(values, found.decimals)), initial=0) > 1e-9:
            raise DataError("frequencies have more decimals than the certificate says — damaged or edited")


def _refuse_fewer(people: Sequence[str] | None, counted: int) -> None:
    """The evidence lists whoever was at hand: of as many persons, each once, can have been counted at most."""
    if people is None:
        return
    if len(set(people)) < len(people):
        raise DataError("the evidence about persons names one of them twice")
    if len(people) < counted:
        raise DataError(f"the evidence names {len(people)} person(s), and {counted} are said to have been counted")
