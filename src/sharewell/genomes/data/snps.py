"""Snps: where on the genome each SNP is, and which of its two alleles is counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.snp_identity import Identities, Key, Place, chromosome_key, identities, uncompared
from sharewell.spelling import fold

Texts = NDArray[np.object_]
Ints = NDArray[np.int64]
Index = slice | Sequence[int] | NDArray[np.integer] | NDArray[np.bool_]
"""Some of many: numbers, a mask or a slice."""
UNKNOWN = "0"
"""A chromosome or an allele that nobody has told."""


@dataclass(frozen=True, eq=False)
class Snps:
    """One entry a SNP. A genotype counts the effect allele: 0, 1 or 2 of it.

    >>> ours = Snps.of(["rs1", "rs2"], chromosome=["1", "1"], position=[100, 200], effect=["A", "C"], other=["G", "T"])
    >>> theirs = Snps.of(["x", "y"], chromosome=["1", "1"], position=[200, 300], effect=["T", "A"], other=["C", "G"])
    >>> len(ours), [found.tolist() for found in ours.shared(theirs)]
    (2, [[1], [0], [True]])
    """

    id: Texts = field(repr=False)
    chromosome: Texts = field(repr=False)
    position: Ints = field(repr=False)
    effect: Texts = field(repr=False)
    other: Texts = field(repr=False)

    @classmethod
    def of(
        cls,
        id: Sequence[str] | Texts,
        *,
        chromosome: Sequence[str] | Texts | None = None,
        position: Sequence[int] | Ints | None = None,
        effect: Sequence[str] | Texts | None = None,
        other: Sequence[str] | Texts | None = None,
    ) -> Snps:
        """Whatever is not given is unknown: chromosome and alleles `0`, position 0. An unnamed SNP takes its place
        and alleles for a name."""
        count = len(id)
        given = {"chromosome": chromosome, "position": position, "effect": effect, "other": other}
        for name, column in given.items():
            if column is not None and len(column) != count:
                raise DataError(f"SNPs — {count} name(s) but {len(column)} of {name} — give one for each")
        places = np.zeros(count, dtype=np.int64) if position is None else np.asarray(position, dtype=np.int64)
        chromosomes, effects, others = (texts(column, count) for column in (chromosome, effect, other))
        named = texts(id, count)
        bare = np.flatnonzero((named == "") | (named == "."))
        if len(bare):
            named = named.copy()
            named[bare] = [f"{chromosomes[i]}:{places[i]}:{others[i]}:{effects[i]}" for i in bare]
        return cls(named, chromosomes, places, effects, others)

    @classmethod
    def numbered(cls, count: int) -> Snps:
        """snp1, snp2, … of which nothing is known."""
        return cls.of([f"snp{i + 1}" for i in range(count)])

    def __len__(self) -> int:
        return len(self.id)

    @property
    def placed(self) -> bool:
        """Is it known of every SNP where it lies?"""
        return bool(((self.position > 0) & (self.chromosome != UNKNOWN)).all())

    @property
    def columns(self) -> dict[str, Texts | Ints]:
        """Everything that is told of them, by its name."""
        texts = {"chromosome": self.chromosome, "effect": self.effect, "other": self.other}
        return {"id": self.id, **texts, "position": self.position}

    def take(self, which: Index) -> Snps:
        """Some of them: numbers, a mask or a slice."""
        return Snps(self.id[which], self.chromosome[which], self.position[which], self.effect[which], self.other[which])

    def shared(self, them: Snps) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        """The SNPs that both have, in our order: ours, theirs, and whether theirs counts the other allele.

        A SNP is known by its place and its two alleles; by its name, where its place is not told. Alleles are compared
        as written, on one strand. What could be two SNPs of the other side is left out: nobody could say which.
        """
        by_place = bool(_placed(self).any() and _placed(them).any())
        there: dict[Key, list[int]] = {}
        for j, key in enumerate(_keys(them, by_place)):
            there.setdefault(key, []).append(j)
        pairs: list[tuple[int, int, bool]] = []
        for i, key in enumerate(_keys(self, by_place)):
            near = [(i, j, not same) for j in there.get(key, ()) if (same := _agree(self, i, them, j)) is not None]
            pairs += near if len(near) == 1 else []
        ours, theirs, flipped = np.array(pairs, dtype=np.int64).reshape(-1, 3).T
        once = np.bincount(theirs, minlength=len(them))[theirs] == 1
        return ours[once], theirs[once], flipped[once].astype(bool)

    def unclear(self, them: Snps) -> Ints:
        """Our SNPs that may be among theirs although `shared` does not say which one each is.

        That is: one of the other side has an identity of it (a name, an rs number, a place; see `snp_identity`) and
        another place, the same place and other alleles (as the other strand would), or is listed twice. SNPs of one
        place that are all recognised, as the alternatives of one site, are clear, and so are those recognised by place
        and name.

        >>> ours, theirs = (Snps.of(["rs1"], chromosome=["1"], position=[at], effect=["A"]) for at in (100, 200))
        >>> ours.unclear(theirs).tolist(), ours.unclear(ours).tolist()
        ([0], [])
        """
        here, there, _ = self.shared(them)
        match, taken = dict(zip(here.tolist(), there.tolist(), strict=True)), set(there.tolist())
        alike = [(i, j) for i, j in match.items() if fold(str(self.id[i])) == fold(str(them.id[j]))]
        settled, settled_there = {i for i, _ in alike}, {j for _, j in alike}
        places, near = list(_places(them)), dict[Key, list[int]]()
        for j, one in enumerate(_identities(them)):
            for key in one.keys:
                near.setdefault(key, []).append(j)
        found = [
            i
            for i, (place, one) in enumerate(zip(_places(self), _identities(self), strict=True))
            for j in {j for key in one.keys for j in near.get(key, ())}
            if match.get(i) != j
            and not (i in settled and j in settled_there)
            and not (i in match and j in taken and place == places[j])
        ]
        return np.unique(np.array(found, dtype=np.int64))

    def uncompared(self, them: Snps) -> Ints:
        """Our SNPs that cannot be looked for among theirs, because the two sides name them by other things.

        >>> by_place, by_name = Snps.of(["x"], chromosome=["1"], position=[100]), Snps.of(["c7"])
        >>> by_place.uncompared(by_name).tolist(), by_name.uncompared(Snps.of(["c8"])).tolist()
        ([0], [])
        """
        here, there, _ = self.shared(them)
        left, left_there = (np.setdiff1d(np.arange(len(one)), which) for one, which in ((self, here), (them, there)))
        found = uncompared(_identities(self.take(left)), _identities(them.take(left_there)))
        return left[np.array(found, dtype=np.int64)]


def texts(column: Sequence[str] | Texts | None, count: int) -> Texts:
    """An array of strings, equal short ones being one object; where nothing is given, all unknown."""
    if column is None:
        return np.full(count, UNKNOWN, dtype=object)
    if isinstance(column, np.ndarray) and column.dtype == object:
        return column
    found = np.empty(count, dtype=object)
    found[:] = [str(text) for text in column]
    return found


def _placed(snps: Snps) -> NDArray[np.bool_]:
    """Which SNPs say where they are."""
    return np.asarray((snps.position > 0) & (snps.chromosome != UNKNOWN), dtype=bool)


def _keys(snps: Snps, by_place: bool) -> Iterator[Key]:
    """The place of every SNP, or its name."""
    for place, name in zip(_places(snps), snps.id, strict=True):
        yield name if place is None or not by_place else place


def _places(snps: Snps) -> Iterator[Place | None]:
    """Where every SNP is; None where that is not told."""
    for known, chromosome, at in zip(_placed(snps).tolist(), snps.chromosome, snps.position.tolist(), strict=True):
        yield (chromosome_key(chromosome), at) if known else None


def _identities(snps: Snps) -> Iterator[Identities]:
    for name, chromosome, at in zip(snps.id, snps.chromosome, snps.position.tolist(), strict=True):
        yield identities(name, chromosome, at)


def _agree(ours: Snps, i: int, them: Snps, j: int) -> bool | None:
    """Do both count the same allele? None if they are not the same two alleles. An unknown allele agrees with any."""
    a, b, c, d = ours.effect[i], ours.other[i], them.effect[j], them.other[j]

    def alike(one: str, two: str) -> bool:
        return one == two or UNKNOWN in (one, two)

    if alike(a, c) and alike(b, d):
        return True
    return False if alike(a, d) and alike(b, c) else None
