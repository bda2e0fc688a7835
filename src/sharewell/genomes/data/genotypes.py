"""Genotypes: how many effect alleles each person has at each SNP, two bits a call, in memory or on disk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.snps import UNKNOWN, Index, Snps
from sharewell.genomes.engine import packed_calls
from sharewell.genomes.engine.packed_calls import MISSING, Bytes, Calls, Ints
from sharewell.genomes.engine.sample_persons import PersonKey, named, refuse_twice, texts
from sharewell.io.frames import to_arrow
from sharewell.io.plink import forget, read_plink, write_plink
from sharewell.io.vcf import Variant, read_samples, read_variants
from sharewell.protocols import Frame
from sharewell.row_digest import RowDigest, words_of

if TYPE_CHECKING:
    import pyarrow as pa


Multiallelic = Literal["refuse", "split"]
Haploid = Literal["refuse", "double", "missing"]

Pair = tuple[NDArray[np.integer], NDArray[np.integer]]
"""The two alleles of every sample."""
ABSENT = -2
"""Stands where a call has fewer alleles than others of the line."""
REASONS = {
    "multiallelic": "site(s) with several alternatives — multiallelic='split' makes a SNP of each",
    "haploid": "call(s) of one allele — haploid='double' counts it twice, as PLINK does; 'missing' leaves it out",
    "polyploid": "site(s) with calls of three alleles or more — leave them out",
    "silent": "site(s) without genotypes (GT) — leave them out",
    "unlisted": "call(s) of an allele that the site does not list — the file is damaged",
}


@dataclass
class VcfReader:
    """Collects SNPs, and counts what cannot be one; `read` refuses if anything was counted."""

    multiallelic: Multiallelic = "refuse"
    haploid: Haploid = "refuse"
    kept: list[int] | None = None
    """Which samples; None: all."""
    odd: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        if self.multiallelic not in ("refuse", "split"):
            raise ValueError("multiallelic is 'refuse' or 'split'")
        if self.haploid not in ("refuse", "double", "missing"):
            raise ValueError("haploid is 'refuse', 'double' or 'missing'")

    def read(self, variants: Iterable[Variant], persons: int) -> tuple[Bytes, Snps]:
        """Packed calls and SNPs of all variants."""
        rows: list[Bytes] = []
        sites: list[tuple[str, str, int, str, str]] = []
        for variant in variants:
            pair = self._pair(variant)
            for site, calls in () if pair is None else self._snps(variant, pair):
                if not self.odd:  # the rest is only looked through, to tell all counts at once
                    sites.append(site)
                    rows.append(packed_calls.pack(calls[None, :])[0])
        if self.odd:
            reasons = "; ".join(f"{count:,} {REASONS[what]}" for what, count in sorted(self.odd.items()))
            raise DataError(f"VCF — {reasons}")
        packed = np.array(rows, dtype=np.uint8).reshape(len(rows), packed_calls.width(persons))
        snps = Snps.of(
            [site[0] for site in sites],
            chromosome=[site[1] for site in sites],
            position=[site[2] for site in sites],
            effect=[site[3] for site in sites],
            other=[site[4] for site in sites],
        )
        return packed, snps

    def _pair(self, variant: Variant) -> Pair | None:
        """Two alleles a sample, both -1 if the call is missing in part or whole; None if there is no such thing."""
        if variant.alleles is None:
            self.odd["silent"] += 1
            return None
        alleles = variant.alleles if self.kept is None else variant.alleles[self.kept]
        if alleles.shape[1] > 2 and (alleles[:, 2:] != ABSENT).any():
            self.odd["polyploid"] += 1
            return None
        first = alleles[:, 0]
        second = alleles[:, 1] if alleles.shape[1] > 1 else np.full_like(first, ABSENT)
        single = (second == ABSENT) & (first >= 0)
        if single.any():
            if self.haploid == "refuse":
                self.odd["haploid"] += int(single.sum())
            second = np.where(single, first if self.haploid == "double" else MISSING, second)
        missing = (first < 0) | (second < 0)
        if unlisted := int((np.maximum(first, second) > len(variant.alternatives)).sum()):
            self.odd["unlisted"] += unlisted
        return np.where(missing, MISSING, first), np.where(missing, MISSING, second)

    def _snps(self, variant: Variant, pair: Pair) -> Iterator[tuple[tuple[str, str, int, str, str], Calls]]:
        """One for each alternative; its calls count that alternative and take all others for the other allele."""
        listed = variant.alternatives or (UNKNOWN,)
        if len(listed) > 1 and self.multiallelic == "refuse":
            self.odd["multiallelic"] += 1
            return
        first, second = pair
        for number, effect in enumerate(listed, 1):
            calls = (first == number).astype(np.int8) + (second == number).astype(np.int8)
            calls[first == MISSING] = MISSING
            name = variant.id or "."
            name = f"{name}:{effect}" if len(listed) > 1 and variant.id else name
            yield (name, variant.chromosome, variant.position, effect, variant.reference), calls


BLOCK = 1 << 24
"""Bytes of unpacked calls in a block, unless a size is asked for."""
STRIDE = 1 << 25
"""Bytes of a file that a pass through it holds at once."""
Chosen = Index | Iterable[str] | Iterable[int]
"""Numbers, names, a mask or a slice."""


@dataclass(frozen=True, eq=False)
class Genotypes:
    """Calls of 0, 1 or 2 effect alleles, or missing; SNP after SNP, packed as in PLINK's .bed.

    >>> data = Genotypes.of([[0, 1, 2], [1, -1, 2]], persons=["Ann", "Bob"])
    >>> data.rows, data.count, data.array().tolist()
    (2, 3, [[0, 1, 2], [1, -1, 2]])
    >>> alleles, called = data.counts()
    >>> alleles.tolist(), called.tolist()
    ([1, 1, 4], [2, 1, 2])
    >>> data.take(persons=["Bob"], snps=[2, 0]).array().tolist()
    [[2, 1]]
    """

    packed: Bytes = field(repr=False)
    """SNPs × bytes, four persons a byte; may be a file mapped into memory."""
    persons: tuple[str, ...] = field(repr=False)
    snps: Snps = field(repr=False)
    published: bool = False

    def __post_init__(self) -> None:
        if self.packed.shape != (len(self.snps), packed_calls.width(len(self.persons))):
            raise DataError(f"genotypes — not of {len(self.persons)} person(s) and {len(self.snps)} SNP(s)")
        refuse_twice(self.persons, "person(s)", "keep one sample of each")

    def __repr__(self) -> str:
        return f"Genotypes({self.rows:,} persons × {self.count:,} SNPs)"

    @classmethod
    def of(
        cls, array: ArrayLike, *, persons: Sequence[str] | None = None, snps: Snps | Sequence[str] | None = None
    ) -> Genotypes:
        """From persons × SNPs of 0, 1 and 2; -1, NaN and None are missing calls."""
        given = _table(array)
        people = tuple(f"person{i + 1}" for i in range(given.shape[0])) if persons is None else tuple(map(str, persons))
        sites = Snps.numbered(given.shape[1]) if snps is None else snps if isinstance(snps, Snps) else Snps.of(snps)
        if given.shape != (len(people), len(sites)):
            raise DataError(
                f"genotypes — {given.shape[0]} × {given.shape[1]} calls of {len(people)} person(s) and {len(sites)} "
                "SNP(s) — give persons × SNPs"
            )
        packed = np.empty((len(sites), packed_calls.width(len(people))), dtype=np.uint8)
        step, odd = max(1, BLOCK // max(1, len(people))), 0
        for first in range(0, len(sites), step):
            calls, wrong = _calls(given[:, first : first + step])
            packed[first : first + step] = packed_calls.pack(calls.T)
            odd += wrong
        if odd:
            raise DataError(f"genotypes — {odd} call(s) are not 0, 1, 2 or missing — count the effect alleles")
        return cls(packed, people, sites)

    @classmethod
    def from_bed(cls, path: str | Path, *, persons: PersonKey | None = None, families: bool = False) -> Genotypes:
        """PLINK's .bed file, with .bim and .fam beside it; the calls stay on disk until they are used.

        persons: a key from samples to persons, as `people.named` takes it. families: call samples `family:sample`,
        where names of samples repeat from family to family.
        """
        read = read_plink(Path(path))
        samples = [f"{a}:{b}" for a, b in zip(read.families, read.samples, strict=True)] if families else read.samples
        if not families and len(set(samples)) < len(samples):
            refuse_twice(samples, "sample name(s)", "families=True tells them apart by their family")
        people, kept = named(samples, persons)
        snps = Snps.of(
            read.id, chromosome=read.chromosome, position=read.position, effect=read.effect, other=read.other
        )
        whole = cls(read.packed, tuple(samples), snps)
        return replace(whole if len(kept) == len(samples) else whole.take(persons=kept), persons=people)

    @classmethod
    def from_vcf(
        cls,
        path: str | Path,
        *,
        multiallelic: Multiallelic = "refuse",
        haploid: Haploid = "refuse",
        persons: PersonKey | None = None,
    ) -> Genotypes:
        """A VCF or BCF file (extra `genomes`). The effect allele is the alternative one.

        A call is missing if one of its alleles is; phase is not kept. multiallelic: a site of several alternatives is
        refused, or split into a SNP for each. haploid: a call of one allele is refused, counted twice or missing.
        persons: a key from samples to persons, as `people.named` takes it.
        """
        file = Path(path)
        samples = read_samples(file)
        if not samples:
            raise DataError(f"{file.name} — no samples, so no genotypes")
        people, kept = named(samples, persons)
        reader = VcfReader(multiallelic, haploid, kept if len(kept) < len(samples) else None)
        packed, snps = reader.read(read_variants(file), len(people))
        return cls(packed, people, snps)

    @classmethod
    def from_frame(
        cls, frame: Frame, *, subject: str, snps: Sequence[str] | None = None, leave: Sequence[str] = ()
    ) -> Genotypes:
        """One row a person and one column a SNP, in any dataframe: 0, 1, 2, or nothing where a call is missing.

        snps: the columns that are SNPs; without it all but the subject and those to `leave` out.
        """
        arrow, _ = to_arrow(frame)
        wanted = list(snps) if snps is not None else [c for c in arrow.column_names if c != subject and c not in leave]
        if lacking := [name for name in (subject, *wanted, *leave) if name not in arrow.column_names]:
            raise DataError(f"no column {', '.join(lacking[:5])} — {len(arrow.column_names)} columns are there")
        named_in = texts(arrow[subject], subject)
        whose = [person for person in named_in if person is not None]
        if nobody := len(named_in) - len(whose):
            raise DataError(f"column {subject} — {nobody} row(s) belong to nobody — name the person, or drop the rows")
        calls, odd = np.empty((len(whose), len(wanted)), dtype=np.int8), []
        for i, name in enumerate(wanted):
            calls[:, i], wrong = _calls(_numbers(arrow[name]))
            odd += [name] if wrong else []
        if odd:
            what = f"{len(odd)} column(s) hold something else than 0, 1, 2 or nothing: {', '.join(odd[:5])}"
            raise DataError(f"genotypes — {what} — name the SNPs with snps=, or leave such columns out with leave=")
        return cls.of(calls, persons=whose, snps=wanted)

    def write_bed(self, path: str | Path) -> None:
        """PLINK's .bed, and .bim and .fam beside it."""
        snps = self.snps
        sites = (snps.chromosome, snps.id, snps.position, snps.effect, snps.other)
        pieces = (packed_calls.tidied(self.packed[which], self.rows) for which in self._passing(self._stride))
        write_plink(Path(path), self.persons, sites, pieces)

    @property
    def rows(self) -> int:
        """Persons."""
        return len(self.persons)

    @property
    def count(self) -> int:
        """SNPs."""
        return len(self.snps)

    def blocks(self, size: int | None = None) -> Iterator[tuple[slice, Calls]]:
        """Which SNPs, and their calls as SNPs × persons with -1 for missing: this many SNPs at a time.

        Memory: one block, however large the file.
        """
        for which in self._passing(max(1, BLOCK // max(1, self.rows)) if size is None else size):
            yield which, packed_calls.unpack(np.asarray(self.packed[which]), self.rows)

    def counts(self) -> tuple[Ints, Ints]:
        """For every SNP: effect alleles, and persons whose call is not missing. Two alleles each were looked at."""
        alleles, called = np.empty(self.count, dtype=np.int64), np.empty(self.count, dtype=np.int64)
        size = self.packed.size
        with packed_calls.many_counts(size):
            for which in self._passing(self._stride):
                alleles[which], called[which] = packed_calls.count(self.packed[which], self.rows, size)
        return alleles, called

    @property
    def _stride(self) -> int:
        return max(1, STRIDE // max(1, packed_calls.width(self.rows)))

    def _passing(self, step: int) -> Iterator[slice]:
        """This many SNPs at a time; what was read of a file is given back on the way."""
        if step < 1:
            raise ValueError("a block has one SNP or more")
        held = 0
        for first in range(0, self.count, step):
            yield slice(first, min(self.count, first + step))
            held += step
            if held >= self._stride:
                forget(self.packed)
                held = 0

    @cached_property
    def content(self) -> str:
        """A digest of all calls, whatever the order of persons and SNPs. Confidential. One pass over the calls."""
        by_name = np.argsort(np.array(self.persons), kind="stable")
        sorted_already = bool((by_name == np.arange(self.rows)).all())
        sites, digest = self.snps, RowDigest()
        digest.add_sums(words_of("person", self.persons))
        for which in self._passing(self._stride):
            packed = packed_calls.tidied(np.asarray(self.packed[which]), self.rows)
            if not sorted_already:
                packed = packed_calls.tidied(
                    packed_calls.pack(packed_calls.unpack(packed, self.rows)[:, by_name]), self.rows
                )
            named = (one[which] for one in (sites.id, sites.chromosome, sites.position, sites.effect))
            encoded = ("\0".join(map(str, one)).encode() for one in zip(*named, strict=True))
            calls = words_of("calls", (site + b"\0" + row.tobytes() for site, row in zip(encoded, packed, strict=True)))
            digest.add_sums(calls)
        return digest.hexdigest()

    def take(self, persons: Chosen | None = None, snps: Chosen | None = None) -> Genotypes:
        """Some persons, some SNPs, in the order asked for: numbers, names, a mask or a slice."""
        packed, sites = self.packed, self.snps
        if snps is not None:
            which = _chosen(snps, self.snps.id, "SNP")
            packed, sites = packed[which], sites.take(which)
        if persons is None:
            return Genotypes(packed, self.persons, sites, self.published)
        who = _chosen(persons, self.persons, "person")
        numbers = np.arange(self.rows)[who]
        people = tuple(self.persons[i] for i in numbers)
        kept = np.empty((len(sites), packed_calls.width(len(people))), dtype=np.uint8)
        for which, calls in Genotypes(packed, self.persons, sites).blocks():
            kept[which] = packed_calls.pack(calls[:, numbers])
        return Genotypes(kept, people, sites, self.published)

    def on(self, snps: Snps) -> Genotypes:
        """The SNPs shared with others, in the others' order, counting the allele that they count.

        >>> data = Genotypes.of([[0, 1], [2, 2]], snps=Snps.of(["a", "b"], effect=["A", "C"], other=["G", "T"]))
        >>> data.on(Snps.of(["b", "x"], effect=["T", "A"], other=["C", "G"])).array().tolist()
        [[1], [0]]
        """
        theirs, ours, flipped = snps.shared(self.snps)
        if not len(ours):
            raise DataError(
                f"genotypes — none of {self.count} SNP(s) is among the {len(snps)} of the other side — "
                "compare data of one assembly and one naming"
            )
        packed = self.packed[ours]
        packed[flipped] = packed_calls.flip(packed[flipped])
        return Genotypes(packed, self.persons, snps.take(theirs), self.published)

    def array(self) -> Calls:
        """Persons × SNPs of 0, 1, 2 and -1, all in memory."""
        whole = np.empty((self.rows, self.count), dtype=np.int8)
        for which, calls in self.blocks():
            whole[:, which] = calls.T
        return whole


def _table(array: ArrayLike) -> NDArray[np.generic]:
    """Two dimensions of numbers."""
    try:
        given = np.asarray(array)
        given = given.astype(np.float64) if given.dtype == object else given
    except (TypeError, ValueError):
        given = np.zeros(0, dtype=str)
    if given.dtype.kind not in "biuf":
        raise DataError("genotypes — not a table of numbers — give 0, 1, 2, or -1 where a call is missing")
    if given.ndim != 2:
        raise DataError(f"genotypes — {given.ndim} dimension(s) — give persons × SNPs")
    return given


def _calls(given: NDArray[np.generic]) -> tuple[Calls, int]:
    """As int8, and how many are no calls at all."""
    calls = np.full(given.shape, MISSING, dtype=np.int8)
    for value in (0, 1, 2):
        calls[given == value] = value
    missing = given == MISSING
    if given.dtype.kind == "f":
        missing |= np.isnan(given)
    return calls, int(((calls == MISSING) & ~missing).sum())


def _numbers(column: pa.ChunkedArray) -> NDArray[np.float64]:
    """A column as numbers, NaN where it is blank; what is not a number becomes one that is no call."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        texts = pc.utf8_trim_whitespace(column)
        texts = pc.if_else(pc.equal(texts, ""), pa.scalar(None, texts.type), texts)
        texts = pc.if_else(pc.match_substring_regex(texts, r"^-?\d+(\.0*)?$"), texts, pa.scalar("9", texts.type))
        column = texts
    try:
        result: NDArray[np.float64] = column.cast("float64").to_numpy().astype(np.float64)
    except (pa.ArrowException, TypeError, ValueError):
        return np.full(len(column), 9.0)
    return result


def _chosen(which: Chosen, names: Sequence[str] | NDArray[np.object_], what: str) -> slice | Ints:
    """A slice, or numbers; names are looked up."""
    if isinstance(which, slice):
        return which
    asked = np.asarray(which if isinstance(which, Sized) else list(which))
    if asked.size == 0:
        return np.zeros(0, dtype=np.int64)
    if asked.dtype == bool:
        if asked.shape != (len(names),):
            raise DataError(f"genotypes — a mask of {asked.size} for {len(names)} {what}(s)")
        return np.flatnonzero(asked)
    if asked.dtype.kind not in "iu":
        where = {name: i for i, name in enumerate(names)}
        results = [where.get(str(name), -1) for name in asked]
        if lacking := results.count(-1):
            raise DataError(f"genotypes — {lacking} {what}(s) of {len(results)} asked for are not there")
        return np.array(results, dtype=np.int64)
    if asked.min() < -len(names) or asked.max() >= len(names):
        raise DataError(f"genotypes — a number beyond the {len(names)} {what}(s) there are")
    return asked
