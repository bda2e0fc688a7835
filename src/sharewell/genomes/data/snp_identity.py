"""By what a SNP is known again, however a file writes it: its place on the genome, its rs numbers, or its own name.

Files call chromosome 1 `1`, `chr01`, `CHROMOSOME_1`, `NC_000001.11` or `CM000663.2`; they write the place of a SNP into
its name, and several names into one. All of it is brought to one form here. Two SNPs may be the same if *any* of their
identities agrees. Where two SNPs have no kind of identity in common, nobody can say.

>>> [chromosome_of(name) for name in ("chr01", "NC_000001.10", "CM000685.2", "PAR1", "25", "chrM", "0", "GL000008.2")]
['1', '1', '23', '23', '23', '26', None, None]
>>> [sorted(identities(name, "0", 0).keys, key=str) for name in ("GSA-rs7;RS08_A", "chr1:1000:A:C")]
[['gsa-rs7;rs08_a', 'rs7', 'rs8'], [('1', 1000), 'chr1:1000:a:c']]
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntFlag
from functools import lru_cache

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
        if found := accession.fullmatch(text):
            number = int(found[1]) - first + 1
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
        if found := form.match(text):
            told = _BY_R.sub("", found["chromosome"], count=1) if form is _PLACE_IN_WORDS else found["chromosome"]
            if (on := chromosome_of(told)) is not None and int(found["position"]) > 0:
                return on, int(found["position"])
    return None


def names_in(text: str) -> tuple[str, ...]:
    """The rs numbers that a name tells; none if it tells no such number."""
    return tuple(f"rs{int(number)}" for number in _RS.findall(fold(text)))


def identities(name: str, chromosome: str, position: int) -> Identities:
    """Of a SNP as one row of a file tells it. Chromosome `0` and position 0 are unknown."""
    text, on = fold(name), chromosome_key(chromosome)
    keys: set[Key] = {text} if text not in ("", ".") else set()
    kind = Kind(0)
    if numbers := names_in(name):
        keys.update(numbers)
        kind |= Kind.RS
    if (told := place_in(name)) is not None:
        keys.add(told)
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
    found = []
    for i, one in enumerate(ours):
        sure = one.kind & _CERTAIN
        apart = sure in certain and any(kind in certain and kind != sure for kind in known)
        if kinds and (apart or not one.kind & anywhere):
            found.append(i)
    return found


_CERTAIN = Kind.RS | Kind.PLACE
