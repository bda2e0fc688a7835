"""Frequencies: how frequent the effect allele of each SNP is among this many people, as a release tells it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.snps import Index, Snps, count_of, frequencies_of, site_columns, sites_of
from sharewell.genomes.engine.selection import Selection

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Frequencies:
    """One row a SNP. NaN: not told. A study may tell them for its cases and its controls apart.

    >>> people = Genotypes.of([[0, 1, 2], [1, -1, 2]], persons=["Ann", "Bob"])
    >>> data = Frequencies.of(people)
    >>> data.rows, data.people, data.frequency.tolist()
    (3, 2, [0.25, 0.5, 1.0])
    >>> Frequencies.from_arrow(data.arrow).frequency.tolist()
    [0.25, 0.5, 1.0]
    """

    snps: Snps = field(repr=False)
    frequency: Floats = field(repr=False)
    people: int
    """In how many people the alleles were counted."""
    decimals: int | None = None
    """To this many they were rounded; None: not at all."""
    cases: Floats | None = field(default=None, repr=False)
    controls: Floats | None = field(default=None, repr=False)
    case_people: int | None = None
    """How many of the people are cases, where these are told apart."""
    selection: Selection | None = None
    """How the SNPs were chosen; None: not said."""
    published: bool = False

    form: ClassVar[str] = "frequencies"

    def __post_init__(self) -> None:
        if self.people < 1:
            raise DataError("frequencies — of nobody — say in how many people they were counted")
        apart = self.cases is not None, self.controls is not None, self.case_people is not None
        if len(set(apart)) > 1:
            raise DataError("frequencies — cases, controls and the number of cases go together — give all or none")
        if self.case_people is not None and not 0 < self.case_people < self.people:
            raise DataError("frequencies — cases and controls must both be there")
        for name, values in self.by_group.items():
            object.__setattr__(self, name, frequencies_of(values, len(self.snps), name))

    def __repr__(self) -> str:
        return f"Frequencies({self.rows:,} SNPs, {self.people:,} people)"

    @classmethod
    def of(cls, genotypes: Genotypes, *, cases: Collection[str] | None = None) -> Frequencies:
        """Frequencies of all SNPs among calls that are not missing. cases: persons whose frequencies are told apart."""
        whole, called = _counted(genotypes)
        if cases is None:
            return cls(genotypes.snps, whole, genotypes.rows, selection=_all(genotypes, called))
        known = frozenset(cases)
        ill = np.array([person in known for person in genotypes.persons], dtype=bool)
        sick, sick_called = _counted(genotypes.take(persons=ill))
        well, well_called = _counted(genotypes.take(persons=~ill))
        return cls(
            genotypes.snps,
            whole,
            genotypes.rows,
            cases=sick,
            controls=well,
            case_people=int(ill.sum()),
            selection=_all(genotypes, sick_called * well_called // np.maximum(sick_called + well_called, 1)),
        )

    @classmethod
    def of_arrays(
        cls,
        frequency: ArrayLike,
        *,
        people: int,
        snps: Snps | None = None,
        decimals: int | None = None,
        cases: Floats | None = None,
        controls: Floats | None = None,
        case_people: int | None = None,
        selection: Selection | None = None,
        published: bool = False,
    ) -> Frequencies:
        """From a number for each SNP; without `snps` they are numbered."""
        given = np.asarray(frequency, dtype=np.float64)
        sites = Snps.numbered(len(given)) if snps is None else snps
        return cls(sites, given, people, decimals, cases, controls, case_people, selection, published)

    @property
    def rows(self) -> int:
        """SNPs."""
        return len(self.snps)

    @property
    def by_group(self) -> dict[str, Floats]:
        """The frequencies of all people, and of cases and controls where these are told apart."""
        given = {"frequency": self.frequency, "cases": self.cases, "controls": self.controls}
        return {name: values for name, values in given.items() if values is not None}

    @property
    def smallest_group(self) -> int:
        """People of the smallest group whose frequencies are told."""
        if self.case_people is None:
            return self.people
        return min(self.case_people, self.people - self.case_people)

    @property
    def effective_people(self) -> int:
        """People, or N₁N₀/(N₁ + N₀) of two groups told apart: each may serve as the reference for the other."""
        if self.case_people is None:
            return self.people
        return self.case_people * (self.people - self.case_people) // self.people

    def take(self, which: Index) -> Frequencies:
        """Some SNPs: numbers, a mask or a slice. The others remain candidates that were not chosen."""
        cases, controls = (None if part is None else part[which] for part in (self.cases, self.controls))
        snps = self.snps.take(which)
        return replace(
            self,
            snps=snps,
            frequency=self.frequency[which],
            cases=cases,
            controls=controls,
            selection=None if self.selection is None else self.selection.some(len(snps), self.rows),
        )

    def group(self, name: str) -> Frequencies:
        """The cases, or the controls, by themselves."""
        if self.cases is None or self.controls is None or self.case_people is None:
            raise DataError(f"frequencies — {name} are not distinguished")
        cases = self.cases, self.case_people
        frequency, people = cases if name == "cases" else (self.controls, self.people - self.case_people)
        return replace(self, frequency=frequency, people=people, cases=None, controls=None, case_people=None)

    def on(self, snps: Snps) -> Frequencies:
        """The SNPs shared with others, in the others' order, counting the allele that they count."""
        theirs, ours, flipped = snps.shared(self.snps)
        if not len(ours):
            raise DataError(
                f"frequencies — none of {self.rows} SNP(s) is among the {len(snps)} of the other side — "
                "compare data of one assembly and one naming"
            )
        result = replace(self.take(ours), snps=snps.take(theirs))
        turned = {name: np.where(flipped, 1 - values, values) for name, values in result.by_group.items()}
        return replace(
            result,
            frequency=turned["frequency"],
            cases=turned.get("cases"),
            controls=turned.get("controls"),
        )

    @property
    def arrow(self) -> pa.Table:
        """One row a SNP: where it is, its alleles, the frequencies, and in how many people they were counted."""
        columns = site_columns(self.snps)
        columns["frequency"] = _written(self.frequency)
        columns["people"] = pa.array(np.full(self.rows, self.people))
        if self.cases is not None and self.controls is not None:
            columns |= {"cases": _written(self.cases), "controls": _written(self.controls)}
            columns["case_people"] = pa.array(np.full(self.rows, self.case_people))
        return pa.table(columns)

    @classmethod
    def from_arrow(
        cls,
        table: pa.Table,
        *,
        people: int | None = None,
        decimals: int | None = None,
        selection: Selection | None = None,
        published: bool = True,
    ) -> Frequencies:
        """From columns as `arrow` has them, numbers or text: `id`, `frequency` and, unless given, `people`."""
        claim = {name: table[name] for name in ("cases", "controls") if name in table.column_names}
        if "frequency" not in table.column_names or (people is None and "people" not in table.column_names):
            raise DataError("frequencies — the columns id, frequency and people are needed")
        return cls(
            sites_of(table),
            frequencies_of(table["frequency"], table.num_rows, "frequency"),
            count_of(table, "people") if people is None else people,
            decimals,
            case_people=count_of(table, "case_people") if "case_people" in table.column_names else None,
            selection=selection,
            published=published,
            **{name: frequencies_of(column, table.num_rows, name) for name, column in claim.items()},
        )


def _counted(genotypes: Genotypes) -> tuple[Floats, NDArray[np.int64]]:
    """Frequencies, and the people whose calls were counted."""
    alleles, called = genotypes.counts()
    return np.where(called > 0, alleles / np.maximum(2 * called, 1), np.nan), called


def _all(genotypes: Genotypes, called: NDArray[np.int64]) -> Selection:
    """Nothing was chosen. A SNP that nobody has a call at tells nothing."""
    return Selection(genotypes.count, "nobody", int(called[called > 0].min(initial=genotypes.rows)))


def _written(values: Floats) -> pa.Array:
    return pa.array(values, mask=np.isnan(values))
