"""Frequencies as they were counted, before rounding or noise: what shows that two datasets count the same people.

A steward keeps the counts of every dataset of frequencies in `internal/<dataset>/counts.csv`. Where two datasets, of
one release or of two, have the same counts at a SNP, whatever is published of it follows from these counts, and the
second dataset discloses nothing more. Rounded or noisy frequencies alone cannot show that.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.engine.packed_calls import Ints
from sharewell.io.sources import Source

FILE = "counts.csv"
COLUMNS = ["alleles", "called"]
SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class ExactCounts:
    """Of each published SNP, in the order of the file: the frequency that was counted, and among how many people."""

    frequency: NDArray[np.float64] = field(repr=False)
    called: Ints | None = field(default=None, repr=False)
    """None: not known at every SNP."""


def counts_file(original: Genotypes, released: Frequencies, rows: Ints) -> dict[str, str]:
    """The steward's file for SNPs in the order of the published file; none where not everybody was counted.

    rows: where each SNP is in the original. Frequencies of fewer people are those of cases and controls, which are
    published as they were counted.

    >>> people = Genotypes.of([[0, 1], [2, -1]])
    >>> counts_file(people, Frequencies.of(people), np.array([1, 0]))
    {'counts.csv': 'alleles,called\\n1,1\\n2,2\\n'}
    """
    if released.people != original.rows:
        return {}
    alleles, called = original.counts()
    lines = [f"{count},{people}" for count, people in zip(alleles[rows].tolist(), called[rows].tolist(), strict=True)]
    return {FILE: "\n".join([",".join(COLUMNS), *lines]) + "\n"}


def exact_counts(data: Frequencies, falsified: bool, internal: Path | None = None) -> ExactCounts | None:
    """What was counted: as the steward's file says or, without it, as far as the published numbers show it.

    Numbers that were not rounded are the frequencies themselves. If everybody was called, a frequency of N people is a
    multiple of 1/2N, and decimals finer than that leave one multiple:

    >>> from sharewell.genomes.engine.selection import Selection
    >>> everybody = Selection(1, "nobody", 40)
    >>> fine, coarse = (Frequencies.of_arrays([0.3], people=40, decimals=d, selection=everybody) for d in (2, 1))
    >>> exact_counts(fine, False).frequency.tolist(), exact_counts(coarse, False)
    ([0.3], None)
    """
    if internal is not None and (internal / FILE).is_file():
        return _of_steward(internal / FILE, data, falsified)
    if falsified:
        return None
    whole = data.selection is not None and data.selection.called == data.people
    called = np.full(data.rows, data.people, dtype=np.int64) if whole else None
    if data.decimals is None:
        return ExactCounts(data.frequency, called)
    alleles = 2 * data.people
    nearest = np.rint(data.frequency * alleles) / alleles
    if not whole or alleles >= 10**data.decimals or _beyond_rounding(nearest, data):
        return None
    return ExactCounts(nearest, called)


def _of_steward(path: Path, data: Frequencies, falsified: bool) -> ExactCounts:
    place = f"internal/{path.parent.name}/{FILE}"
    table = Source(path, "csv").read()
    if table.column_names != COLUMNS or table.num_rows != data.rows:
        raise DataError(f"{place} — does not belong to the published frequencies — it is damaged or was edited")
    try:
        alleles, called = (np.array([int(cell) for cell in table[name].to_pylist()]) for name in COLUMNS)
    except (TypeError, ValueError):
        raise DataError(f"{place} — holds something that is not a count — it is damaged or was edited") from None
    impossible = (alleles < 0) | (alleles > 2 * called) | (called > data.people)
    frequency = np.where(called > 0, alleles / np.maximum(2 * called, 1), np.nan)
    if impossible.any() or (not falsified and _beyond_rounding(frequency, data)):
        raise DataError(f"{place} — not the counts of the published frequencies — it is damaged or was edited")
    return ExactCounts(frequency, called.astype(np.int64))


def _beyond_rounding(frequency: NDArray[np.float64], data: Frequencies) -> bool:
    """Are some frequencies others than those published?"""
    half = 0.0 if data.decimals is None else 0.5 * 10.0**-data.decimals
    published = np.isfinite(data.frequency)
    return bool(
        (np.isfinite(frequency) != published).any()
        or (np.abs(frequency - data.frequency)[published] > half + SLACK).any()
    )
