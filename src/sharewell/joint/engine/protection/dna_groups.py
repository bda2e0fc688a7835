"""DNA beside people and codes: groups of persons with like DNA or like codes, and cells that single nobody out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell import registry
from sharewell.joint.data import RTData
from sharewell.joint.engine.code_combinations import Combinations
from sharewell.joint.engine.protection.cell_merging import MOST_STEPS, CellMerging, steps
from sharewell.joint.engine.snp_cells import SnpCells

Ints = NDArray[np.int64]
Rows = NDArray[np.intp]


@dataclass(frozen=True)
class Bounded:
    """What an attacker may know, and how many persons must fit it."""

    k: int
    m: int
    snps: int


def groups_by_dna(data: RTData, k: int, start: str) -> tuple[Rows, Rows]:
    """Groups of k persons or more with like DNA, as (rows, starts)."""
    assert data.dna is not None
    dna, rows = data.dna, np.argsort(data.content_rank, kind="stable")
    differ = np.flatnonzero((dna.sets != dna.sets[:1]).any(axis=0))
    columns = {f"place {i}": _values(dna, i)[rows] for i in differ.tolist()}
    if not columns:
        return rows, np.array([0, data.rows], dtype=np.intp)
    table = type(data.table).of(pa.table(columns), quasi=list(columns))
    criterion = registry.lookup("tables", "criteria", "k-anonymity")(k)
    protected = registry.lookup("tables", "mechanisms", start)().protect(table, [criterion])
    classes = protected.data.classes
    return rows[protected.rows[classes.order]], classes.starts


def groups_by_codes(data: RTData, k: int) -> tuple[Rows, Rows]:
    """Groups of k persons or more with like codes, as (rows, starts).

    Persons with equal codes are cut into groups in the order of their DNA. The others stand in the order of their codes
    in the tree, and are cut into groups as they come.
    """
    place = data.codes.tree.place
    listed = [tuple(sorted(place[list(one)].tolist())) for one in data.codes.sets.tuples()]
    rank = data.content_rank.tolist()
    rows = np.array(sorted(range(data.rows), key=lambda row: (listed[row], rank[row])), dtype=np.intp)
    changes = np.array([listed[a] != listed[b] for a, b in zip(rows[:-1].tolist(), rows[1:].tolist(), strict=True)])
    begins = np.append(0, np.flatnonzero(changes) + 1)
    size = np.diff(np.append(begins, data.rows))
    enough = np.repeat(size >= k, size)
    alone = np.repeat(np.where(size >= k, begins, data.rows), size)  # the run of equal codes that is large enough
    order = np.argsort(alone, kind="stable")
    if 0 < int((~enough).sum()) < k:  # too few for a group of their own: they join the last one
        alone[~enough] = alone[enough].max()
        order = np.argsort(alone, kind="stable")
    sizes = np.diff(np.append(np.flatnonzero(np.append(True, np.diff(alone[order]) != 0)), data.rows))
    groups = np.concatenate([_cut(int(one), k) for one in sizes])
    return rows[order], np.append(0, np.cumsum(groups)).astype(np.intp)


def _cut(size: int, k: int) -> NDArray[np.int64]:
    """Sizes of groups of k; the last has what is left over, too."""
    count = max(1, size // k)
    sizes = np.full(count, k, dtype=np.int64)
    sizes[-1] = size - k * (count - 1)
    return sizes


def _values(dna: SnpCells, place: int) -> NDArray[np.generic]:
    """One place of everybody: alleles counted, or a number for each set of bases."""
    sets = dna.sets[:, place].astype(np.int64)
    if dna.alphabet == "calls":
        return np.array([np.nan, 0, 1, 0.5, 2, 1, 1.5, 1], dtype=np.float64)[sets]
    return np.array([f"b{one}" for one in sets.tolist()])


def numbers_of(order: Rows, starts: Rows) -> Ints:
    """The group of each row, of groups given as (rows, starts)."""
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return number


def protected_dna(shown: RTData, bounded: Bounded) -> SnpCells:
    """The DNA as it is published beside these people and codes, whose own protection holds already.

    Cells are merged; where that takes too long the people of each class show the same.
    """
    dna = shown.dna
    assert dna is not None
    among = Combinations.of(shown, bounded.m)
    columns = dna.different * dna.places
    if among is None or steps(among, columns, min(bounded.snps, dna.places)) > MOST_STEPS:
        return dna.joined(shown.class_of_row)
    return CellMerging(dna, shown.class_of_row, bounded.k).merged(among, bounded.snps)
