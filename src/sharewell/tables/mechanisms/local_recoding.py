"""Local recoding: the best levels for most people, then other levels for those left over, round after round.

## Guarantee
Every required criterion holds in every published class, at most the given share of persons loses a record, and the
loss is not above that of optimal recoding with the same criteria (see Cost for very many columns); or `Infeasible` is
raised.

## Adversary
That of the criteria.

## What it does not protect
Nothing beyond the criteria. Classes are published at different levels and may cover the same people: criteria that hold
classes against a population, or that judge all classes together, cannot be asked for. That a record was left over tells
an attacker who knows the method that it lies in no earlier class; its own class is no smaller for that.

## Parameters
suppress: the share of persons (of records, where no subject is known) whose records may be withheld in the end.
weights: column → weight of its loss (1 where none is given).
rounds: after this many, what is left forms one class, or joins others.

## Worked example
Seven people, k = 2. One level for all of them must be the third; in rounds, four keep decades, and the rest forms one
class.

>>> import pyarrow as pa
>>> from sharewell.hierarchy import Intervals
>>> from sharewell.tables import KAnonymity, OptimalRecoding, Table
>>> people = pa.table({"age": [21, 22, 34, 36, 61, 72, 79]})
>>> table = Table.of(people, quasi=["age"], hierarchies={"age": Intervals(width=10, levels=3)})
>>> OptimalRecoding().protect(table, must=[KAnonymity(2)]).data.arrow.to_pydict()["age"][:3]
['[20-39]', '[20-39]', '[20-39]']
>>> released = LocalRecoding().protect(table, must=[KAnonymity(2)])
>>> released.data.arrow.to_pydict()["age"]
['[20-29]', '[20-29]', '[30-39]', '[30-39]', '[60-79]', '[60-79]', '[60-79]']

## Why it is safe
A class is accepted only if every criterion holds in it, and it takes all rows with the same original values. Classes
that would publish the same cells are one to a reader, and are judged again as such. Whoever knows a person's values
finds the person's class among all that cover them; that class alone satisfies the criteria.

## Cost
Each round looks at O(columns · levels) nodes of what is left, as optimal recoding does. That no single node is better
is then shown by the same search, which a good result makes short; it ends after 10 000 nodes, and lattices of more than
ten million nodes (15 columns and more) are not searched.

## Source
Prasser, Eicher, Spengler, Bild and Kuhn, 2020 (ARX: local recoding by anonymising suppressed records again); LeFevre,
DeWitt and Ramakrishnan, 2005 (full-domain recoding).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import Count, Declared, Key, Mechanism, NotNegative, Protected, Share
from sharewell.exact_shares import part_of
from sharewell.tables.data import Ints, Table, group
from sharewell.tables.engine.checks.class_criterion import ClassCriteria, all_hold
from sharewell.tables.engine.generalization_levels import publish_levels
from sharewell.tables.engine.protection.lattice.node_losses import LossChoice
from sharewell.tables.engine.protection.lattice.nodes import Nodes
from sharewell.tables.engine.protection.lattice.recoding_rounds import RecodingRounds
from sharewell.tables.engine.protection.lattice.search import SearchResult
from sharewell.tables.engine.protection.partitioning.preconditions import (
    refuse_fitted,
    refuse_judged_otherwise,
    refuse_unfit,
    refuse_unknown_weights,
)
from sharewell.tables.engine.published_cells import persons_withheld
from sharewell.tables.mechanisms.optimal_recoding import USUAL_STEPS, find

GUESSES = (0.3, 0.5)
"""What a tuple left for later may lose, as a share. Which guess turns out best depends on the data."""


@dataclass(frozen=True)
class LocalRecodingDetails:
    loss: float
    """The mean share of the domain that a cell leaves open: 0 is exact, 1 is `*`, as is a withheld record."""
    suppressed: int
    """Records."""
    suppressed_persons: int
    classes: int


@dataclass(frozen=True)
class LocalRecoding(Declared, Mechanism[Table]):
    """Recoding at one node after the other, each for those whom the nodes before left over."""

    suppress: Share = 0.0
    weights: Mapping[str, NotNegative] | None = None
    rounds: Count = 32

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        refuse_unknown_weights(self.name, data, self.weights or {})
        refuse_judged_otherwise(self.name, must)
        refuse_fitted(self.name, must)
        most = part_of(self.suppress, data.persons)
        nodes = Nodes(data, must, LossChoice("loss", "arithmetic-mean", self.weights, 0.5, True), most)
        rounds = RecodingRounds(nodes.space, must, self.weights or {})
        owner = self._best(nodes, rounds, most)
        released = self._published(nodes, rounds, owner, rounds.levels(owner))
        if released.details.suppressed_persons > most or not released.data.rows:
            released = self._at_one_node(nodes, rounds)
        return released

    def _best(self, nodes: Nodes, rounds: RecodingRounds, most: int) -> Ints:
        """The best of a few attempts, or of what begins with the best single node, if that alone is better still."""
        tried = [owner for guess in GUESSES for owner in self._ends(rounds, rounds.classes(guess, self.rounds), most)]
        best = min(tried, key=rounds.total, default=None)
        start = None if best is None else SearchResult(nodes.top, (rounds.total(best),), 0, False)
        result = find(nodes, USUAL_STEPS, start)
        if result.node is None:
            raise nodes.infeasible(result, self.name)
        if best is not None and result.score >= (rounds.total(best),):
            return best
        begun = rounds.classes(GUESSES[-1], self.rounds, first=result.node)
        return min(self._ends(rounds, begun, most), key=rounds.total)

    def _ends(self, rounds: RecodingRounds, owner: Ints, most: int) -> Iterator[Ints]:
        """What may be done with those left over: they join classes, or are withheld if that loses less."""
        if (joined := rounds.joined(owner)) is not None:
            yield joined
        if (owner < 0).any() and (owner >= 0).any() and rounds.persons_without(owner) <= most:
            yield owner

    def _published(self, nodes: Nodes, rounds: RecodingRounds, owner: Ints, levels: Ints) -> Protected[Table]:
        """Cells, judged once more as a reader groups them: two classes may have come to publish the same.

        Where a union does not hold it is withheld.
        """
        data, tuple_of_row = nodes.table, nodes.space.tuple_of_row
        kept = np.flatnonzero(owner[tuple_of_row] >= 0)
        while True:
            cells = [level[tuple_of_row[kept]] for level in levels]
            released = publish_levels(data, nodes.ladders, cells, kept)
            order, starts = group([column.codes for column in released.quasi], len(kept))
            classes = data.as_classes(kept[order], starts)
            holds = all_hold(rounds.criteria, classes)
            if holds.all():
                break
            kept = np.sort(classes.order[holds[classes.class_of]])
        withheld_persons, loss = persons_withheld(data, kept), rounds.loss(kept, levels)
        return Protected(
            released, LocalRecodingDetails(loss, data.rows - len(kept), withheld_persons, classes.count), kept
        )

    def _at_one_node(self, nodes: Nodes, rounds: RecodingRounds) -> Protected[Table]:
        """As optimal recoding does: the classes of one node never publish the same cells."""
        result = find(nodes, USUAL_STEPS)
        if result.node is None:
            raise nodes.infeasible(result, self.name)
        owner = rounds.classes(GUESSES[-1], 1, first=result.node)
        levels = np.repeat(np.array(result.node, dtype=np.int64)[:, None], len(owner), axis=1)
        return self._published(nodes, rounds, owner, levels)
