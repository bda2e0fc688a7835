"""RT linkage: an attacker who knows the demographics and some codes of a person looks for the records that fit both.

With `snps` the attacker knows some of the person's DNA as well.

## Guarantee
None; a measurement. The value is the mean probability of picking the right record: 1 / support, over all targets.

## Adversary
Knows the class of a target (by its quasi values) and of its codes all, or m chosen at random, exact and true; and that
the target is in the data; with `snps` also the values of this many places of the DNA, drawn at random. Picks one of the
records of the class that may hold all that, at random.

## What it does not protect
An attacker who knows telling codes rather than random ones does better than this says. Where cells of classes overlap,
quasi values may fit several classes, and the attacker does worse.

## Parameters
knowledge: "m" (default) or "all".
m: how many codes are known, for "m". Persons who have fewer are left out and counted.
draws: how often m codes are drawn for each person; for very many persons less often.
k: shares below this support are reported.
snps: how many SNPs, or bases, are known beside the codes. 0 (default): none.

## Worked example
Either code is held by two of the four, and so is either age; both together are held by one.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.joint import RTData
>>> from sharewell.tables import Table
>>> people = Table.of(pa.table({"age": [20, 20, 60, 60]}), quasi=["age"])
>>> data = RTData.of(people, CodeSets.of([["401"], ["250"], ["401"], ["250"]]))
>>> result = RTLinkage(m=1).mount(data)
>>> result.value, result.details.unique
(1.0, 1.0)

With one SNP of a person beside one code, two of four records fit where the age alone left all of them.

>>> from sharewell.joint import SnpCells
>>> everyone = Table.of(pa.table({"age": ["[20-60]"] * 4}), quasi=["age"], published=True)
>>> codes = CodeSets.of([["401"]] * 4, published=True)
>>> dna = SnpCells.reopened({"rs1": pa.chunked_array([["0", "0", "1", "1"]])}, "calls")
>>> data = RTData.of(everyone, codes, dna)
>>> RTLinkage(m=1).mount(data).value, RTLinkage(m=1, snps=1).mount(data).value
(0.25, 0.5)

## Why it is safe
It reads the release and returns numbers only. Codes are told apart by class and then looked for as in `code-linkage`:
support is the number of records of the class in which each known code lies in some label. With the truth the codes are
those that persons really have and some label of the class covers, and the attack is also simulated on drawn persons;
without it, codes that the labels may stand for.

## Cost
That of `code-linkage`, and O(occurrences) to tell classes apart. With `snps`, 4,000 searches at most.

## Source
Poulis, Loukides, Gkoulalas-Divanis and Skiadopoulos, ECML PKDD 2013 (the attacker); Loukides, Denny and Malin, JAMIA
2010 (how it is told).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from sharewell import registry
from sharewell.algorithm import Attack, Count, Declared, Finding, Natural, PolicyError, Truth
from sharewell.joint.data import RTData
from sharewell.joint.engine.class_labels import codes_by_class
from sharewell.joint.engine.record_search import RecordSearch
from sharewell.joint.engine.snp_cells import SnpCells

if TYPE_CHECKING:
    from sharewell.codes import CodeSets


@dataclass(frozen=True)
class RTLinkage(Declared, Attack[RTData]):
    """1 / (records of the class that may hold the codes), for what is known of each person."""

    knowledge: Literal["m", "all"] = "m"
    m: Count = 2
    draws: Count = 20
    k: Count = 5
    snps: Natural = 0

    picks_record: ClassVar[bool] = True

    def mount(self, released: RTData, truth: Truth[RTData] | None = None) -> Finding:
        RTData.require(released, self.name)
        if self.snps:
            return self._with_dna(released, truth)
        attack = registry.lookup("codes", "attacks", "code-linkage")(self.knowledge, self.m, self.draws, self.k)
        if truth is None:
            finding: Finding = attack.mount(codes_by_class(released.codes, released.class_of_row))
        else:
            finding = attack.mount(*_with_truth(released, truth))
        return replace(finding, name=self.name)

    def _with_dna(self, released: RTData, truth: Truth[RTData] | None) -> Finding:
        """Codes and SNPs of some persons, looked for together."""
        if released.dna is None:
            raise PolicyError(f"{self.name} — snps: no DNA is published beside the codes — take it out")
        if truth is None:
            codes = known = codes_by_class(released.codes, released.class_of_row)
            dna: SnpCells | None = released.dna
        else:
            codes, hidden = _with_truth(released, truth)
            known, dna = hidden.original, truth.original.dna
            dna = None if dna is None else dna.take(truth.rows)
        if dna is None:
            raise PolicyError(f"{self.name} — snps: no DNA stands beside the original codes — take it out")
        how_many = None if self.knowledge == "all" else self.m
        search = RecordSearch(released, codes, known, dna, how_many, self.snps)
        return search.finding(self.name, self.draws, self.k, truth is not None)


def _with_truth(released: RTData, truth: Truth[RTData]) -> tuple[CodeSets, Truth[CodeSets]]:
    """The release and the originals, both with codes of their own in each class."""
    original, owner = truth.original.codes, released.class_of_row
    known = original.sets.take(truth.rows)
    universe = max(1, len(original.names))
    pairs, number = np.unique(owner[known.row_of] * universe + known.items, return_inverse=True)
    names = tuple(map(str, range(len(pairs))))
    sets = type(original.sets).of_pairs(known.row_of, number, released.rows)
    hidden = replace(original, sets=sets, names=names, members=tuple((n,) for n in names), persons=None, visits=None)
    classes, codes = (part.tolist() for part in np.divmod(pairs, universe))
    return _shown(released, zip(names, classes, (original.names[code] for code in codes), strict=True)), Truth(
        hidden, np.arange(released.rows)
    )


def _shown(released: RTData, originals: Iterable[tuple[str, int, str]]) -> CodeSets:
    """The release with a label of its own for each class and label; `held` has (name, class, code) of the originals.

    A code that no label of its class covers tells nothing but the class: all records there show one more label for it.
    """
    shown, owner = released.codes, released.class_of_row
    width = len(shown.names) + 1
    keys = owner[shown.sets.row_of] * width + shown.sets.items
    members: dict[int, list[str]] = {int(key): [] for key in np.unique(keys)}
    for name, its_class, code in originals:
        labels = [its_class * width + label for label in shown.labels_of.get(code, ())]
        for key in [key for key in labels if key in members] or [its_class * width + width - 1]:
            members.setdefault(key, []).append(name)
    quiet = np.flatnonzero(np.isin(owner * width + width - 1, list(members)))
    rows = np.concatenate([shown.sets.row_of, quiet])
    keys = np.concatenate([keys, owner[quiet] * width + width - 1])
    labels_used = np.array(sorted(members), dtype=np.int64)
    return replace(
        shown,
        sets=type(shown.sets).of_pairs(rows, np.searchsorted(labels_used, keys), released.rows),
        names=tuple(map(str, labels_used.tolist())),
        members=tuple(tuple(members[key]) or (f"none {key}",) for key in labels_used.tolist()),
        labels=None,
        persons=None,
        visits=None,
        published=True,
    )
