"""The forms in which DNA is published, each with its way to the file and back: frequencies, a beacon, sequences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.data.snps import SITE, Snps
from sharewell.genomes.engine.selection import Selection
from sharewell.roles import Role
from sharewell.wing import ColumnFacts

if TYPE_CHECKING:
    import pyarrow as pa

Columns = Mapping[str, ColumnFacts]
Dictionary = dict[str, dict[str, object]]
"""What is said of each published column: plain JSON."""
Released = Frequencies | BeaconAnswers | Sequences
_KINDS = {"frequency": "frequency", "cases": "frequency", "controls": "frequency", "answer": "answer"}
_KINDS |= {"people": "people", "case_people": "people"}


@runtime_checkable
class Explained(Protocol):
    """Details of a mechanism that a recipient must know."""

    @property
    def dictionary(self) -> Dictionary: ...


FORMS = (Frequencies.form, BeaconAnswers.form, Sequences.form)


def unprotected(form: str, original: Genotypes | Sequences) -> Released:
    """What would be published in this form without protection."""
    if form == Sequences.form:
        return Sequences.of_genotypes(original) if isinstance(original, Genotypes) else original
    assert isinstance(original, Genotypes)
    return BeaconAnswers.of(original) if form == BeaconAnswers.form else Frequencies.of(original)


def written(released: Released, people: Sequence[str]) -> tuple[pa.Table, list[str]]:
    """(the table, sorted by what it shows; the evidence, whose each row is or who was counted).

    Equal sequences stand in the order of their pseudonyms: that of the names would tell of them.
    """
    if not isinstance(released, Sequences):
        return released.take(places(released.snps)).arrow, sorted(people)
    named = replace(released, ids=tuple(people) if people else None)
    return named.take(named.order).arrow, [people[i] for i in named.order] if people else []


def facts_of(released: Released, of: Sequence[str]) -> Dictionary:
    """What the dictionary says of each column; `of`: the columns of SNPs that the policy names.

    Every column of SNPs is made anew; their names stand for the columns of a table in which each had one.
    """
    if isinstance(released, Sequences):
        return _facts_of_sequences(released, of)
    result: Dictionary = {}
    decimals = released.decimals if isinstance(released, Frequencies) else None
    for name in released.arrow.column_names:
        kind = "site" if name in SITE else _KINDS[name]
        role = Role.QUASI if name == "id" and of else Role.KEEP
        result[name] = {"role": str(role), "kind": kind, "of": list(of) if name == "id" else []}
        if kind == "frequency":
            result[name] |= {"style": "counted"} if decimals is None else {"style": "rounded", "decimals": decimals}
        elif kind == "answer":
            result[name]["style"] = "yes or no"
    result["id"]["form"] = released.form
    if isinstance(released, Frequencies) and released.selection is not None:
        result["frequency"]["selection"] = released.selection.to_json()
    return result


def _facts_of_sequences(released: Sequences, of: Sequence[str]) -> Dictionary:
    result: Dictionary = {
        released.column: {"role": str(Role.QUASI), "kind": "sequence", "form": released.form, "style": "IUPAC codes"}
    }
    if released.labels is not None:
        result[released.label_column] = {"role": str(Role.SENSITIVE), "kind": "label"}
    for name, facts in result.items():
        if name not in of:
            facts["of"] = [] if facts["kind"] == "label" or not of else list(of)
    return result


def reread(form: str, table: pa.Table, columns: Columns, people: Sequence[str] | None) -> Released:
    """The release again, with its evidence where that is at hand."""
    if form == Sequences.form:
        return _reread_sequences(table, columns, people)
    result: Frequencies | BeaconAnswers
    if form == BeaconAnswers.form:
        result = BeaconAnswers.from_arrow(table)
    else:
        decimals = columns["frequency"].get("decimals")
        selection = Selection.from_json(columns["frequency"].get("selection"))
        result = Frequencies.from_arrow(
            table, decimals=None if decimals is None else int(decimals), selection=selection
        )
    _refuse_unsorted(places(result.snps))
    if isinstance(result, Frequencies) and result.decimals is not None:
        for values in result.by_group.values():
            if np.nanmax(np.abs(values - values.round(result.decimals)), initial=0) > 1e-9:
                raise DataError("frequencies have more decimals than the certificate says — damaged or edited")
    # The evidence lists whoever was at hand: of as many persons, each once, can have been counted at most.
    if people is not None and len(set(people)) < len(people):
        raise DataError("the evidence about persons names one of them twice")
    if people is not None and len(people) < result.people:
        raise DataError(
            f"the evidence names {len(people)} person(s), and {result.people} are said to have been counted"
        )
    return result


def _reread_sequences(table: pa.Table, columns: Columns, people: Sequence[str] | None) -> Sequences:
    column = next((name for name, facts in columns.items() if facts.get("kind") == "sequence"), None)
    if column is None:
        raise DataError("the certificate names no column of sequences — it is damaged or was edited")
    label = next((name for name, facts in columns.items() if facts.get("kind") == "label"), None)
    result = Sequences.from_arrow(table, column, label)
    _refuse_unsorted(result.order)
    if people is not None and len(people) != result.rows:
        raise DataError("the evidence about persons does not belong to this file")
    return result if people is None else replace(result, ids=tuple(people))


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


def _refuse_unsorted(order: NDArray[np.intp]) -> None:
    """Rows stand in the order of what they show; any other could tell something of where they come from."""
    if not np.array_equal(order, np.arange(len(order))):
        raise DataError("the rows are not in the order of their content — damaged or edited")
