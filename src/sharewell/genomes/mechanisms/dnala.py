"""DNALA: sequences that are close to each other on the lattice of IUPAC codes are made identical.

## Guarantee
Every published sequence is that of at least k persons; where it is asked for, beside at least l different labels. Each
published symbol covers the true one: nothing false is published.

## Adversary
Knows the true sequence of a target, and that the target is in the data.

## What it does not protect
What the members of a group share. Nothing is promised about labels unless diverse-sequences is asked for, nothing about
relatives, whose sequences are near each other and so may make up a group, and nothing about variants that few groups
show.

## Parameters
k: persons in a group; the largest k or l asked for, if that is more.
pairing: how pairs are found (k = 2). "optimal" (default): the pairs of least cost, however many there are; with labels
as "nearest" where there are more than 1,000. "nearest": the pairs of least cost among the 20 nearest partners of each
and the greedy pairs.
"greedy": the nearest two of all, then the nearest two of the rest. "order": each sequence in turn takes the nearest
that is free, as the tutorial words it.
gap: what a gap is when distances are counted: a "leaf" (default), far from every base, or a "fifth" base like others.
improve: may sequences change places between groups where that lowers the cost (default)? Not where all are in pairs
that were matched, only around the group of three where all others are in pairs of least cost, and never with pairing
"order" or "greedy".

## Worked example
Four sequences differ in the second and fourth place. The second and fourth sequence are equal; the others become AWTYA.

>>> from sharewell.genomes import KIdentical, Sequences
>>> released = DNALA().protect(Sequences.of(["AATTA", "AATGA", "ATTCA", "AATGA"]), must=[KIdentical(2)])
>>> released.data.texts
('AWTYA', 'AATGA', 'AWTYA', 'AATGA')
>>> released.details.cost, released.details.least_cost_of_pairs
(4, 4)

## Why it is safe
Groups are made of k persons or more, and all of them publish the join of their sequences, place by place. A place that
is a gap in all of a group stays a gap; where only some have one, N is published. No place is dropped, so that all texts
keep their places. Where labels matter, partners must have different ones; whoever finds no partner joins a group, which
never takes a label from it.

Equal sequences are paired first, which costs nothing and loses no optimum, because the distance obeys the triangle
inequality. Of an odd number one is left over, and joins the pair to which that adds least. `least_cost_of_pairs` is a
lower bound on pairings only: of an odd number, on the best pairs of all others. Optimal pairs come with their proof:
each sequence is charged a share, no two are charged more than their distance, and all shares add up to the cost of the
pairs, so that no other pairing costs less. The bound is none on groups. A pair is not
always the best group even for k = 2: three equal sequences cost nothing together, and something if one of them must
find a partner elsewhere. With more than two a group there is no bound at all: the best partition is hard to find
(NP-hard for k ≥ 3), and groups are gathered as in MDAV.

## Cost
The time of optimal pairs grows with about the power 1.4 of n from 1,000 to 20,000 simulated sequences: sequences are
compared with near ones alone, most of which are found by sorting. Where most are equally far apart, as in a star around
one sequence, it takes O(n²) or more, and O(n³) at worst. Other pairings and groups of k take products of matrices,
O(n² · places that vary), and "nearest" and labels a matching, O(n³) at worst.

## Source
Malin, Protecting DNA sequence anonymity with generalization lattices, 2005. The form here follows the tutorial of
Gkoulalas-Divanis and Loukides (SIAM Data Mining, 2012), of which the figure with the place of the gap could not be
consulted: hence the parameter. Optimal pairs (by Edmonds' matching, 1965), larger groups and labels are ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Ge
from numpy.typing import NDArray

from sharewell.errors import Infeasible, PolicyError
from sharewell.genomes.criteria.diverse_sequences import DiverseSequences
from sharewell.genomes.criteria.k_identical import KIdentical
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.engine.iupac_lattice import Codes, Gap
from sharewell.genomes.engine.protection.bit_distances import BitDistances
from sharewell.genomes.engine.protection.sequence_groups import Groups, Needs, gathered
from sharewell.genomes.engine.protection.sequence_pairs import Distances, Pairing, paired
from sharewell.keys import Key
from sharewell.parameters import Declared
from sharewell.preconditions import refuse_incompatible, refuse_published
from sharewell.protocols import Mechanism, Protected


@dataclass(frozen=True)
class DnalaDetails:
    """Sequences, groups and places, and what it cost."""

    sequences: int
    groups: int
    smallest: int
    largest: int
    variable: int
    """Places in which the sequences differed."""
    cost: int
    """The lattice distance between all sequences and what is shown for them."""
    least_cost_of_pairs: int | None
    """No way to put the sequences in pairs costs less, where that is known. Groups of other sizes may."""
    pairing: str
    improved: int
    """Times that sequences changed places."""


@dataclass(frozen=True)
class DNALA(Declared, Mechanism[Sequences]):
    """Groups of near sequences, each shown by its join."""

    k: Annotated[int, Ge(2)] = 2
    pairing: Pairing = "optimal"
    gap: Gap = "leaf"
    improve: bool = True

    engine: ClassVar[str] = "demands"

    @property
    def packages(self) -> tuple[str, ...]:
        return () if self.k > 2 or self.pairing in ("order", "greedy") else ("rustworkx", "scipy")

    def protect(
        self, data: Sequences, must: Sequence[KIdentical | DiverseSequences], key: Key | None = None
    ) -> Protected[Sequences]:
        order = self._started(data, must)
        needs = self._needs(data.take(order), must)
        variable = data.variable
        codes = np.ascontiguousarray(data.matrix[order][:, variable])
        distances = Distances(codes, self.gap)
        groups, improved, pairing, bound = self._grouped(distances, codes, needs)
        shown = data.matrix.copy()
        for members, join in zip(groups.members, groups.joins, strict=True):
            shown[np.ix_(order[members], np.flatnonzero(variable))] = join
        sizes = groups.sizes
        details = DnalaDetails(
            data.rows,
            len(sizes),
            int(sizes.min()),
            int(sizes.max()),
            int(variable.sum()),
            groups.cost,
            bound,
            pairing,
            improved,
        )
        return Protected(data.shown(shown), details, np.arange(data.rows))

    def _started(self, data: Sequences, criteria: Sequence[KIdentical | DiverseSequences]) -> NDArray[np.intp]:
        """The sequences by content, if they can be worked on at all."""
        if not isinstance(data, Sequences):
            raise PolicyError(
                f"{self.name} — works on sequences — make them with Sequences.of_genotypes, or use binning"
            )
        refuse_published(self.name, data)
        refuse_incompatible(self, criteria)
        return data.order

    def _needs(self, data: Sequences, criteria: Sequence[KIdentical | DiverseSequences]) -> Needs:
        """The strictest of what is asked for."""
        asked = [one.demands() for one in criteria]
        k = max([self.k, *(persons for persons, _ in asked)])
        needs = Needs(k)
        if most := max([0, *(labels for _, labels in asked)]):  # one is something too: a label may be missing
            needs = Needs(k, most, data.label_codes)
        if data.rows < k:
            helps = [f"k at most {data.rows}"] if data.rows > 1 else []
            what = f"{self.name} — {data.rows} {data.unit}, and a group needs {k}"
            raise Infeasible(what, blocking=[f"k = {k}"], relaxations=helps)
        if (there := needs.distinct(range(data.rows))) < needs.l:
            what = f"{self.name} — {there} different label(s), and a group needs {needs.l}"
            helps = [f"l at most {there}"] if there else ["name the labels of the sequences"]
            raise Infeasible(what, blocking=[f"l = {needs.l}"], relaxations=helps)
        return needs

    def _grouped(self, distances: Distances, codes: Codes, needs: Needs) -> tuple[Groups, int, str, int | None]:
        """Pairs if two are enough, else groups; and whoever is left over in the cheapest of them."""
        in_pairs = needs.k == 2 and (needs.labels is None or needs.l == 2)  # partners have different labels
        if in_pairs:
            pairs = paired(distances, self.pairing, needs.labels)
            members, left = pairs.pairs.tolist(), pairs.left.tolist()
            how: tuple[str, int | None] = pairs.pairing, pairs.bound
        else:
            members, left = gathered(distances, needs)
            how = "groups", None
        groups = Groups(codes, self.gap, needs, members)
        groups.join_cheapest(left)
        if not self.improve or (in_pairs and (not left or self.pairing in ("order", "greedy"))):
            return groups, 0, *how
        if how[0] == "optimal" and needs.labels is None:
            larger = set(np.flatnonzero(groups.sizes > 2).tolist())
            return groups, groups.improve_around(BitDistances(codes, self.gap), larger), *how
        return groups, groups.improve(distances), *how
