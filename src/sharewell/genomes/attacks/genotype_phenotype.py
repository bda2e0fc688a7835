"""Genotype and phenotype: variants imply diagnoses, and few people on a list of patients have all of them.

## Guarantee
None; a measurement. The value is the share of DNA records that fit exactly one person of the list.

## Adversary
Has DNA without names, and a list of patients with names and diagnosis codes, perhaps with sex and age. Knows which
allele goes with which disease. A DNA record is somebody's who has all diseases that it implies, has reached the age at
which they begin, and is of the same sex and age where these are published beside the DNA.

## What it does not protect
An attacker with more variants, or with softer links than one allele for one disease (repeat lengths that tell the age
of onset, faces, blood groups), does better than this says. The tables that ship are a few examples, not for clinical
use: bring the variants that your data holds.

## Parameters
identified: a file or frame with one code a row, beside the name of its person and perhaps sex and age.
variants: a file or frame with `variant`, `gene`, `allele` and perhaps `icd10cm`; ten variants ship. A variant is the
name of a SNP or, of sequences, a place counted from 1.
genes: a file or frame with `gene`, `icd9cm`, `icd10cm`, `inheritance` (AD, AR, XL, MT) and ages of onset; one ships.
beside: what is published beside the DNA: a file or frame with the person and their `sex` or `age`.
person, code, sex, age: the columns of `identified` (and `person` of `beside`).
years: ages agree if they differ by no more.

## Worked example
The list has one woman and two men with sickle cell disease. Two copies of the allele imply it; with the sex beside the
DNA one record is Ann's, and without it three people fit.

>>> import pyarrow as pa
>>> from sharewell.genomes import Genotypes
>>> dna = Genotypes.of([[2], [0], [1]], persons=["Ann", "Bob", "Eve"], snps=["rs334"])
>>> patients = pa.table(
...     {
...         "name": ["Ann", "Carl", "Dan", "Bob", "Eve"],
...         "sex": ["F", "M", "M", "M", "F"],
...         "code": ["D57.1", "D57.1", "282.61", "I10", "I10"],
...     }
... )
>>> result = GenotypePhenotype(patients).mount(dna)
>>> result.value, result.details.implying
(0.0, 1)
>>> [(one.low, round(one.share, 2)) for one in result.details.support if one.share]
[(2, 0.33), (5, 0.67)]
>>> beside = pa.table({"name": ["Ann", "Bob", "Eve"], "sex": ["F", "M", "F"]})
>>> round(GenotypePhenotype(patients, beside=beside).mount(dna).value, 4)
0.3333

## Why it is safe
It reads and counts; numbers leave it. An allele counts only if a record surely has it: a missing call, or a published
symbol that may stand for another base, implies nothing. One allele of an X-linked disease implies it for men alone, and
of an unknown sex for nobody. Codes agree if one begins with the other, from the category on. A record that implies
nothing fits everybody of its sex and age.

## Cost
One look at every call of a listed variant; then O(different records · people on the list).

## Source
Malin and Sweeney, AMIA 2000 (identifiability of DNA database entries); tutorial of Gkoulalas-Divanis and Loukides on
medical data privacy, SIAM Data Mining 2012. Its table gives HLA for Refsum disease, which is not that disease's gene:
PHYH and PEX7 are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import NOT_SIMULATED, DataError, Declared, Finding, Natural, PolicyError
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.data.snps import UNKNOWN
from sharewell.genomes.engine import iupac_lattice
from sharewell.genomes.engine.genes import Variant, agree, plain, variants
from sharewell.io.sources import Source
from sharewell.protocols import Attack, Frame, Truth

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
BINS = (0, 1, 2, 5, 10, 20, 100, 1000)
"""Where bins of candidates begin; the last has no end."""


@dataclass(frozen=True)
class CandidatesBin:
    """The share of records with this many candidates."""

    low: int
    high: int | None
    share: float


@dataclass(frozen=True)
class GenotypePhenotypeDetails:
    records: int
    people: int
    """On the list."""
    variants: int
    """Of those listed, how many the DNA has."""
    implying: int
    """Records that imply a disease."""
    unique: float
    """Share of records with one candidate."""
    nobody: float
    """Share of records with none."""
    candidates: float
    """On the average."""
    unique_implying: float | None
    """Of the records that imply a disease, the share with one candidate."""
    correct: float | None
    """Share of records whose one candidate is the right person; None without the truth."""
    support: tuple[CandidatesBin, ...]


@dataclass(frozen=True)
class GenotypePhenotype(Declared, Attack[Genotypes | Sequences]):
    """DNA → diagnoses → names."""

    identified: Source | Frame
    variants: Source | Frame | None = None
    genes: Source | Frame | None = None
    beside: Source | Frame | None = None
    person: str = "name"
    code: str = "code"
    sex: str = "sex"
    age: str = "age"
    years: Natural = 0

    of_persons: ClassVar[bool] = True
    """Reads DNA of persons, not what is told of all of them together."""

    def mount(
        self, released: Genotypes | Sequences, truth: Truth[Genotypes] | Truth[Sequences] | None = None
    ) -> Finding:
        if not isinstance(released, Genotypes | Sequences):
            raise PolicyError(f"{self.name} — reads DNA of persons, and this release shows something else")
        if not released.rows:
            return Finding(self.name, None, unit="share", note="nothing is released")
        listed = variants(self.variants, self.genes)
        people = _People.read(Source.of(self.identified), self)
        sexes, ages = self._beside(released.persons)
        copies = np.stack([_copies(released, one) for one in listed])
        implied = np.stack([_implies(count, one, sexes) for count, one in zip(copies, listed, strict=True)])
        sizes, one = people.candidates(implied, listed, sexes, ages, self.years)
        details = self._details(sizes, one, people, implied, int((copies >= 0).any(axis=1).sum()), _owners(truth))
        note = NOT_SIMULATED if truth is None else ""
        return Finding(self.name, details.unique, unit="share", details=details, note=note)

    def _details(
        self, sizes: Ints, one: Ints, people: _People, implied: Bools, known: int, owners: Sequence[str] | None
    ) -> GenotypePhenotypeDetails:
        ill = implied.any(axis=0)
        right = None
        if owners is not None:
            named = [people.names[i] if size == 1 else None for i, size in zip(one, sizes, strict=True)]
            right = sum(name == owner for name, owner in zip(named, owners, strict=True)) / len(sizes)
        counts = np.bincount(np.searchsorted(BINS, sizes, side="right") - 1, minlength=len(BINS))
        ends = [low - 1 for low in BINS[1:]] + [None]
        bins = zip(BINS, ends, (counts / len(sizes)).tolist(), strict=True)
        return GenotypePhenotypeDetails(
            records=len(sizes),
            people=len(people.names),
            variants=known,
            implying=int(ill.sum()),
            unique=float((sizes == 1).mean()),
            nobody=float((sizes == 0).mean()),
            candidates=float(sizes.mean()),
            unique_implying=float((sizes[ill] == 1).mean()) if ill.any() else None,
            correct=right,
            support=tuple(CandidatesBin(*one_bin) for one_bin in bins),
        )

    def _beside(self, persons: Sequence[str] | None) -> tuple[list[str], Ints]:
        """Sex and age of each record; '' and -1 where they are not published."""
        if self.beside is None:
            return [], np.zeros(0, dtype=np.int64)
        if persons is None:
            raise PolicyError(f"{self.name} — beside needs to know the person of each record — name the persons")
        source = Source.of(self.beside)
        columns = [name for name in (self.sex, self.age) if name in source.names()]
        if not columns:
            raise DataError(f"{source.label} — neither {self.sex} nor {self.age} — map names with `columns:`")
        cells = source.read([self.person, *columns]).to_pydict()
        place = {str(who): i for i, who in enumerate(cells[self.person])}
        rows = [place.get(person) for person in persons]
        sexes = ["" if row is None or self.sex not in cells else _sex(cells[self.sex][row]) for row in rows]
        ages = [-1 if row is None or self.age not in cells else _age(cells[self.age][row]) for row in rows]
        return sexes, np.array(ages, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _People:
    """Those on the list, one entry each."""

    names: list[str]
    sexes: list[str]
    ages: Ints
    holders: dict[str, Ints] = field(repr=False)
    """Code → who has it."""

    @classmethod
    def read(cls, source: Source, attack: GenotypePhenotype) -> _People:
        also = [name for name in (attack.sex, attack.age) if name in source.names()]
        cells = source.read([attack.person, attack.code, *also]).to_pydict()
        place: dict[str, int] = {}
        sexes: list[str] = []
        ages: list[int] = []
        holders: dict[str, set[int]] = {}
        for row, (who, code) in enumerate(zip(cells[attack.person], cells[attack.code], strict=True)):
            if who is None:
                continue
            if (number := place.setdefault(str(who), len(place))) == len(sexes):
                sexes.append(_sex(cells[attack.sex][row]) if attack.sex in also else "")
                ages.append(_age(cells[attack.age][row]) if attack.age in also else -1)
            if code is not None:
                holders.setdefault(plain(str(code)), set()).add(number)
        if not place:
            raise DataError(f"{source.label} — nobody is named in it")
        results = {code: np.array(sorted(some), dtype=np.int64) for code, some in holders.items()}
        return cls(list(place), sexes, np.array(ages, dtype=np.int64), results)

    def having(self, variant: Variant) -> Bools:
        """Who has a code of the disease, unless their age is known and below the age at which it begins."""
        result = np.zeros(len(self.names), dtype=bool)
        for code, some in self.holders.items():
            if any(agree(code, meant) for meant in variant.diagnosis.codes):
                result[some] = True
        return result & ((self.ages < 0) | (self.ages >= variant.diagnosis.onset_low))

    def candidates(
        self, implied: Bools, listed: Sequence[Variant], sexes: Sequence[str], ages: Ints, years: int
    ) -> tuple[Ints, Ints]:
        """For every record how many people fit, and the first of them (-1 if nobody does)."""
        ill = [self.having(one) for one in listed]
        own = np.array(self.sexes)
        results: dict[tuple[bytes, str, int], tuple[int, int]] = {}
        keys = []
        for record in range(implied.shape[1]):
            sex, age = (sexes[record] if sexes else ""), (int(ages[record]) if len(ages) else -1)
            key = (implied[:, record].tobytes(), sex, age)
            keys.append(key)
            if key in results:
                continue
            fits = np.ones(len(self.names), dtype=bool)
            for number in np.flatnonzero(implied[:, record]):
                fits &= ill[number]
            if sex:
                fits &= (own == sex) | (own == "")
            if age >= 0:
                fits &= (np.abs(self.ages - age) <= years) | (self.ages < 0)
            results[key] = int(fits.sum()), int(fits.argmax()) if fits.any() else -1
        sizes, first = np.array([results[key] for key in keys], dtype=np.int64).reshape(-1, 2).T
        return sizes, first


def _copies(released: Genotypes | Sequences, variant: Variant) -> Ints:
    """How many copies of the telling allele each record surely has; -1 where that is not known."""
    if isinstance(released, Genotypes):
        return _copies_called(released, variant)
    unknown = np.full(released.rows, -1, dtype=np.int64)
    place = int(variant.name) - 1 if variant.name.isdecimal() else -1
    allele = iupac_lattice.read(variant.allele)
    if not 0 <= place < released.codes.shape[1] or len(allele) != 1 or allele[0] not in (1, 2, 4, 8):
        return unknown
    codes = released.codes[:, place]
    both = (codes & allele[0]) == allele[0]
    sure = iupac_lattice.BASES[codes] == 1
    result = np.where(sure & (codes != iupac_lattice.GAP), np.where(both, 2, 0), -1)
    if not released.published:  # a code of two bases is somebody who has one of each
        result = np.where((iupac_lattice.BASES[codes] == 2) & (codes < iupac_lattice.GAP), np.where(both, 1, 0), result)
    return np.asarray(result, dtype=np.int64)


def _copies_called(released: Genotypes, variant: Variant) -> Ints:
    result = np.full(released.rows, -1, dtype=np.int64)
    for number in np.flatnonzero(released.snps.id == variant.name)[:1]:
        effect, other = str(released.snps.effect[number]).upper(), str(released.snps.other[number]).upper()
        if variant.allele not in (effect, other) and UNKNOWN not in (effect, other):
            continue
        calls = released.take(snps=[int(number)]).array()[:, 0].astype(np.int64)
        # Where alleles are not told, calls count the one that matters.
        turned = variant.allele == other and variant.allele != effect
        result = np.where(calls < 0, -1, 2 - calls if turned else calls)
    return result


def _implies(copies: Ints, variant: Variant, sexes: Sequence[str]) -> Bools:
    enough = copies >= variant.diagnosis.copies
    if variant.diagnosis.linked_to_x and sexes:
        enough = enough | ((copies >= 1) & (np.array(sexes) == "M"))
    return np.asarray(enough, dtype=bool)


def _owners(truth: Truth[Genotypes] | Truth[Sequences] | None) -> list[str] | None:
    """Whose each record is; None without the truth, or if the original does not say."""
    if truth is None or truth.original.persons is None:
        return None
    return [truth.original.persons[row] for row in truth.rows]


def _sex(cell: object) -> str:
    """M, F, or nothing: `male`, `f`, 1 and 2 as PLINK writes them.

    >>> [_sex(cell) for cell in ("male", "F", "2", None)]
    ['M', 'F', 'F', '']
    """
    word = "" if cell is None else str(cell).strip().upper()[:1]
    return {"1": "M", "2": "F"}.get(word, word if word in ("M", "F") else "")


def _age(cell: object) -> int:
    try:
        return int(float(str(cell)))
    except (TypeError, ValueError, OverflowError):
        return -1
