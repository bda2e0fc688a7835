"""Snps: where on the genome each SNP is, which of its two alleles is counted, and by what it is known again.

Files call chromosome 1 `1`, `chr01`, `CHROMOSOME_1`, `NC_000001.11` or `CM000663.2`; they write the place of a SNP into
its name, and several names into one. All of it is brought to one form here: its place on the genome, its rs numbers, or
its own name. Two SNPs may be the same if *any* of their identities agrees. Where two SNPs have no kind of identity in
common, nobody can say.

>>> [chromosome_of(name) for name in ("chr01", "NC_000001.10", "CM000685.2", "PAR1", "25", "chrM", "0", "GL000008.2")]
['1', '1', '23', '23', '23', '26', None, None]
>>> [sorted(identities(name, "0", 0).keys, key=str) for name in ("GSA-rs7;RS08_A", "chr1:1000:A:C")]
[['gsa-rs7;rs08_a', 'rs7', 'rs8'], [('1', 1000), 'chr1:1000:a:c']]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntFlag
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from sharewell.errors import DataError
from sharewell.spelling import fold

Place = tuple[str, int]
"""Chromosome and position."""
Key = str | Place
"""One identity: a name, or a place."""

_LETTERS = {"x": 23, "y": 24, "m": 26, "mt": 26, "xy": 23}
_X_AND_Y = 25
"""What PLINK calls the part that X and Y share; its positions are those of X."""
_REFSEQ = re.compile(r"nc_?(\d{6})(?:\.\d*)?")
_GENBANK = re.compile(r"cm_?(\d{6})(?:\.\d*)?")
_FIRST_GENBANK = 663
"""CM000663 is chromosome 1, and CM000686 is Y."""
_MITOCHONDRION = {"nc_012920", "nc_001807", "j01415"}
_PLAIN = re.compile(
    r"(?:homo ?sapiens)?[\W_]*(?:chromosome|chromosom|chrom|chr|ch|hs)?[\W_]*"
    r"(?:0*(\d{1,2})|(par)[\W_]*[12]?|(xy|x|y|mt|m))(?:[pq][\d.]*)?[\W_]*"
)
"""With a prefix or without; a band such as 1p36 lies on its chromosome."""
_PLACE = re.compile(r"(?P<chromosome>[^:]+):(?:[gm]\.)?(?P<position>\d{1,10})(?!\d)")
_PLACE_IN_WORDS = re.compile(r"(?P<chromosome>[^\W_]+)[\W_](?P<position>\d{1,10})(?=$|[\W_])")
"""`1_1000_A_C`, `chr1-1000`, and `X1.1000`, as R writes a column whose name begins with a digit."""
_RS = re.compile(r"(?<![^\W_])rs[\W_]?(\d+)")
"""Anywhere in a name: makers of chips and PLINK put words before and after it."""
_BY_R = re.compile(r"x(?=\d)")


class Kind(IntFlag):
    """By what SNPs can be compared."""

    PLACE = 1
    RS = 2
    CONTIG = 4
    """A position on something that is no chromosome of the table."""
    NAME = 8
    """A name of its own, where nothing else is known."""


@dataclass(frozen=True)
class Identities:
    """All by which one SNP is known."""

    keys: frozenset[Key]
    kind: Kind


def chromosome_of(name: str) -> str | None:
    """`1` to `22`, `23` for X and what it shares with Y, `24` for Y, `26` for mitochondria; None: not known."""
    text = fold(name)
    if text.split(".")[0] in _MITOCHONDRION:
        return "26"
    for accession, first in ((_REFSEQ, 1), (_GENBANK, _FIRST_GENBANK)):
        if match := accession.fullmatch(text):
            number = int(match[1]) - first + 1
            return str(number) if 1 <= number <= _LETTERS["y"] else None
    if (plain := _PLAIN.fullmatch(text)) is None:
        return None
    if plain[2]:
        return str(_LETTERS["x"])
    number = int(plain[1]) if plain[1] else _LETTERS[plain[3]]
    number = _LETTERS["x"] if number == _X_AND_Y else number
    return str(number) if 1 <= number <= _LETTERS["m"] else None


@lru_cache(maxsize=1 << 12)
def chromosome_key(name: str) -> str:
    """A chromosome as it is compared: the one that is known, or else its name."""
    bare = fold(name)
    return chromosome_of(name) or bare.removeprefix("chr").lstrip("0") or bare


def place_in(name: str) -> Place | None:
    """The place that a name tells, as `1:1000`, `chr1:1000:A:C`, `1_1000_A_C` and `NC_000001.11:g.1000A>C` do."""
    text = fold(name)
    for form in (_PLACE, _PLACE_IN_WORDS):
        if match := form.match(text):
            chromosome_name = (
                _BY_R.sub("", match["chromosome"], count=1) if form is _PLACE_IN_WORDS else match["chromosome"]
            )
            if (on := chromosome_of(chromosome_name)) is not None and int(match["position"]) > 0:
                return on, int(match["position"])
    return None


def identities(name: str, chromosome: str, position: int) -> Identities:
    """What identifies a SNP, as one row of a file tells it. Chromosome `0` and position 0 are unknown."""
    text, on = fold(name), chromosome_key(chromosome)
    keys: set[Key] = {text} if text not in ("", ".") else set()
    kind = Kind(0)
    if numbers := _RS.findall(text):
        keys.update(f"rs{int(number)}" for number in numbers)
        kind |= Kind.RS
    if (place := place_in(name)) is not None:
        keys.add(place)
        kind |= Kind.PLACE
    if position > 0 and on not in ("", "0"):
        keys.add((on, position))
        kind |= Kind.CONTIG if chromosome_of(chromosome) is None else Kind.PLACE
    if not kind and position > 0:
        keys.add(("", position))  # of an unknown chromosome, that is all there is
    if not kind and text not in ("", ".") and not text.startswith(f"{fold(chromosome)}:{position}:"):
        kind = Kind.NAME  # and not only the place that `Snps.of` made a name of
    return Identities(frozenset(keys), kind)


def uncompared(ours: Iterable[Identities], theirs: Iterable[Identities]) -> list[int]:
    """Which of our SNPs have no kind of identity in common with theirs, so that they may be among them unseen.

    Both are SNPs that were not recognised in the other's. SNPs of which only the place is known cannot be told from
    those of which only the rs number is. What has only a name of its own, or lies on a contig, is compared where the
    other side has such SNPs as well: then both follow one way of naming. O(SNPs)

    >>> rs, place, own = identities("rs1", "0", 0), identities(".", "1", 5), identities("c1", "0", 0)
    >>> uncompared([rs, place, own], [rs]), uncompared([own], [own]), uncompared([rs], [identities("rs2", "1", 9)])
    ([1, 2], [], [])
    """
    kinds = {one.kind for one in theirs}
    anywhere = Kind(0)
    for kind in kinds:
        anywhere |= kind
    known, certain = {kind & _CERTAIN for kind in kinds}, (Kind.RS, Kind.PLACE)
    results = []
    for i, one in enumerate(ours):
        sure = one.kind & _CERTAIN
        apart = sure in certain and any(kind in certain and kind != sure for kind in known)
        if kinds and (apart or not one.kind & anywhere):
            results.append(i)
    return results


_CERTAIN = Kind.RS | Kind.PLACE


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
    >>> len(ours), [numbers.tolist() for numbers in ours.shared(theirs)]
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
        return Snps(**{name: column[which] for name, column in self.columns.items()})  # type: ignore[arg-type]

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

        That is: one of the other side has an identity of it (a name, an rs number, a place) and
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
        results = [
            i
            for i, (place, one) in enumerate(zip(_places(self), _identities(self), strict=True))
            for j in {j for key in one.keys for j in near.get(key, ())}
            if match.get(i) != j
            and not (i in settled and j in settled_there)
            and not (i in match and j in taken and place == places[j])
        ]
        return np.unique(np.array(results, dtype=np.int64))

    def uncompared(self, them: Snps) -> Ints:
        """Our SNPs that cannot be looked for among theirs, because the two sides name them by other things.

        >>> by_place, by_name = Snps.of(["x"], chromosome=["1"], position=[100]), Snps.of(["c7"])
        >>> by_place.uncompared(by_name).tolist(), by_name.uncompared(Snps.of(["c8"])).tolist()
        ([0], [])
        """
        here, there, _ = self.shared(them)
        left, left_there = (np.setdiff1d(np.arange(len(one)), which) for one, which in ((self, here), (them, there)))
        result = uncompared(_identities(self.take(left)), _identities(them.take(left_there)))
        return left[np.array(result, dtype=np.int64)]


def texts(column: Sequence[str] | Texts | None, count: int) -> Texts:
    """An array of strings, equal short ones being one object; where nothing is given, all unknown."""
    if column is None:
        return np.full(count, UNKNOWN, dtype=object)
    if isinstance(column, np.ndarray) and column.dtype == object:
        return column
    result = np.empty(count, dtype=object)
    result[:] = [str(text) for text in column]
    return result


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


SITE = ("id", "chromosome", "position", "effect", "other")


def site_columns(snps: Snps) -> dict[str, pa.Array]:
    """Where each SNP is, and its alleles."""
    return {
        name: pa.array(snps.position) if name == "position" else pa.array(snps.columns[name].tolist(), pa.string())
        for name in SITE
    }


def sites_of(table: pa.Table) -> Snps:
    """The SNPs of a table; only `id` is needed."""
    if "id" not in table.column_names:
        raise DataError("SNPs — no column id — name every SNP")
    claim: dict[str, list[str]] = {}
    for name in SITE:
        if name in table.column_names and name != "position":
            claim[name] = cells = table[name].cast(pa.string()).to_pylist()
            if lacking := cells.count(None):
                raise DataError(f"SNPs — {lacking} of {table.num_rows} row(s) lack {name} — complete them")
    position = whole_numbers(table["position"], "position") if "position" in table.column_names else None
    return Snps.of(
        claim["id"],
        chromosome=claim.get("chromosome"),
        position=position,
        effect=claim.get("effect"),
        other=claim.get("other"),
    )


def frequencies_of(given: ArrayLike | pa.ChunkedArray, count: int, name: str) -> NDArray[np.float64]:
    """Numbers from 0 to 1, or NaN, one a SNP; from an array or an Arrow column, numbers or text."""
    values = _numbers(given, name)
    if values.shape != (count,):
        raise DataError(f"frequencies — {values.size} of {name} for {count} SNP(s) — give one for each")
    if wrong := int(((values < 0) | (values > 1) | np.isinf(values)).sum()):
        raise DataError(f"frequencies — {wrong} of {count} in {name} are not from 0 to 1 — give shares, not percent")
    return values


def whole_numbers(given: ArrayLike | pa.ChunkedArray, name: str) -> NDArray[np.int64]:
    values = _numbers(given, name)
    if wrong := int((~np.isfinite(values) | (values != np.floor(values)) | (np.abs(values) > 2**53)).sum()):
        raise DataError(f"column {name} — {wrong} of {len(values)} cell(s) are not whole numbers")
    return values.astype(np.int64)


def count_of(table: pa.Table, name: str) -> int:
    """The one number that every row of a column repeats."""
    result = np.unique(whole_numbers(table[name], name))
    if len(result) != 1:
        raise DataError(f"column {name} — {len(result)} different numbers, where all rows should have the same")
    return int(result[0])


def _numbers(given: ArrayLike | pa.ChunkedArray, name: str) -> NDArray[np.float64]:
    try:
        if isinstance(given, pa.Array | pa.ChunkedArray):
            given = given.cast(pa.float64()).to_numpy()
        return np.asarray(given, dtype=np.float64)
    except (pa.ArrowException, TypeError, ValueError):
        raise DataError(f"column {name} — some cells are not numbers") from None
