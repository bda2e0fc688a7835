"""BeaconAnswers: for each SNP whether anybody of the people carries the effect allele, yes or no."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.snps import Index, Snps, count_of, site_columns, sites_of

WORDS = {"yes": True, "no": False}


@dataclass(frozen=True, eq=False)
class BeaconAnswers:
    """One row a SNP: the answers that a beacon gives to everybody who asks.

    >>> people = Genotypes.of([[0, 1, 2], [0, -1, 2]])
    >>> beacon = BeaconAnswers.of(people)
    >>> beacon.rows, beacon.people, beacon.answers.tolist()
    (3, 2, [False, True, True])
    >>> BeaconAnswers.from_arrow(beacon.arrow).answers.tolist()
    [False, True, True]
    """

    snps: Snps = field(repr=False)
    answers: NDArray[np.bool_] = field(repr=False)
    people: int
    published: bool = False

    form: ClassVar[str] = "beacon"

    def __post_init__(self) -> None:
        object.__setattr__(self, "answers", np.asarray(self.answers, dtype=bool))
        if self.answers.shape != (len(self.snps),):
            raise DataError(f"beacon — {self.answers.size} answer(s) for {len(self.snps)} SNP(s) — give one for each")
        if self.people < 1:
            raise DataError("beacon — of nobody — say how many people it answers for")

    def __repr__(self) -> str:
        return f"BeaconAnswers({self.rows:,} SNPs, {self.people:,} people)"

    @classmethod
    def of(cls, genotypes: Genotypes) -> BeaconAnswers:
        """True answers. A missing call carries nothing."""
        return cls(genotypes.snps, genotypes.counts()[0] > 0, genotypes.rows)

    @property
    def rows(self) -> int:
        """SNPs."""
        return len(self.snps)

    def take(self, which: Index) -> BeaconAnswers:
        """Some SNPs: numbers, a mask or a slice."""
        return replace(self, snps=self.snps.take(which), answers=self.answers[which])

    @property
    def arrow(self) -> pa.Table:
        """One row a SNP: where it is, its alleles, yes or no, and for how many people the beacon answers."""
        columns = site_columns(self.snps)
        columns["answer"] = pa.array(np.where(self.answers, "yes", "no").tolist(), pa.string())
        columns["people"] = pa.array(np.full(self.rows, self.people))
        return pa.table(columns)

    @classmethod
    def from_arrow(cls, table: pa.Table, *, published: bool = True) -> BeaconAnswers:
        if "answer" not in table.column_names or "people" not in table.column_names:
            raise DataError("beacon — the columns id, answer and people are needed")
        words = table["answer"].cast(pa.string()).to_pylist()
        if odd := sum(word not in WORDS for word in words):
            raise DataError(f"beacon — {odd} of {len(words)} answer(s) are neither yes nor no")
        answers = np.array([WORDS[word] for word in words], dtype=bool)
        return cls(sites_of(table), answers, count_of(table, "people"), published)
