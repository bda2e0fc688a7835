"""Optimal recoding: each column gets one level of generalisation, with the least possible loss of information.

## Guarantee
Every required criterion holds in every published class, or for all of them together where that is what it judges; at
most the given share of persons loses a record; and no other choice of levels that achieves both loses less (`proven`).
Or `Infeasible` is raised. Nothing is proven where a share of the persons may exceed a bound on risk and records may be
withheld besides: which of the classes at risk are withheld is then a choice of its own, of which only one is tried.

## Adversary
That of the criteria.

## What it does not protect
Nothing beyond the criteria. Which levels are best depends on the data, as in every method that looks for little loss.

## Parameters
suppress: the share of persons (of records, where no subject is known) whose records may be withheld.
loss: "loss" (default; share of the domain left open), "entropy", "precision", "height", "discernibility", "class-size",
"ambiguity" (combinations of exact values that records may stand for).
aggregate: how the losses of columns are put together: "geometric-mean" (default for "loss"), "arithmetic-mean", "sum",
"maximum", or "rank" (the largest first, then the next).
weights: column → weight of its loss (1 where none is given).
balance: ½ by default; less makes withholding cheap, more makes generalising cheap.
count_withheld: False leaves withheld records out of "entropy", "precision" and "discernibility".
steps: how many nodes are looked at at most, 10 000 by default; the result says `proven=False` if the search did not
end before. `null` searches until the best is proven. More than ten million nodes (15 columns and more) are never
searched to the end: then the best of a descent from the top is taken, and not proven.

## Worked example
Six people. To reach k = 2 their ages must go up two levels; if a third of them may be withheld, one level is enough.

>>> import pyarrow as pa
>>> from sharewell.hierarchy import Intervals
>>> from sharewell.tables import KAnonymity, Table
>>> people = pa.table({"age": [21, 22, 34, 36, 61, 79], "sex": ["F", "F", "M", "M", "M", "M"]})
>>> table = Table.of(people, quasi=["age", "sex"], hierarchies={"age": Intervals(width=10, levels=2)})
>>> released = OptimalRecoding().protect(table, must=[KAnonymity(2)])
>>> released.details.levels, released.details.proven
({'age': 2, 'sex': 0}, True)
>>> released.data.arrow.to_pydict()["age"]
['[20-39]', '[20-39]', '[20-39]', '[20-39]', '[60-79]', '[60-79]']
>>> released = OptimalRecoding(suppress=1/3, balance=0.1).protect(table, must=[KAnonymity(2)])
>>> released.details.levels, released.details.suppressed
({'age': 1, 'sex': 0}, 2)

## Why it is safe
A node is accepted only if every class that stays satisfies every criterion. For one about all classes together (average
risk, uniqueness) the classes whose persons are at the greatest risk are withheld until it holds. A lower node is ruled
out unseen only by what the criteria grant: see `lattice/suppressed_classes.py`. A node is ruled out by its loss only if
a floor that its loss cannot be below is no better than a loss already found: see `lattice/node_losses.py`.

## Cost
The lattice has as many nodes as the product of the columns' levels; time and memory grow with it by a few bytes a node.
Looking at a node costs O(m) for the m classes of the lower node it is grouped from, times the values of sensitive
columns, where numba is installed and every record is another person's; otherwise O(m log m), and for criteria that look
at rows O(n) more. How many nodes are looked at depends on the data: of the 12 960 of the Adult data a few hundred. Each
column more, of four levels, multiplies the nodes by four and the nodes looked at by two or three.

## Source
Samarati, 2001; LeFevre, DeWitt and Ramakrishnan, 2005 (Incognito: roll-up); Kohlmayer, Prasser, Eckert, Kemper and
Kuhn, 2012 (Flash: paths through the lattice).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from sharewell.algorithm import Count, Criteria, Declared, Key, Mechanism, NotNegative, PolicyError, Protected, Share
from sharewell.compiled import seconds_in_numpy
from sharewell.exact_shares import part_of
from sharewell.tables.data import Table
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.generalization_levels import publish_levels
from sharewell.tables.engine.protection.lattice.node_losses import Aggregate, Loss, LossChoice
from sharewell.tables.engine.protection.lattice.nodes import Nodes
from sharewell.tables.engine.protection.lattice.open_nodes import Lattice
from sharewell.tables.engine.protection.lattice.rollup import KERNEL
from sharewell.tables.engine.protection.lattice.search import SearchResult, descend, search
from sharewell.tables.engine.protection.partitioning.preconditions import (
    refuse_shared_people,
    refuse_unfit,
    refuse_unknown_weights,
)
from sharewell.tables.engine.published_cells import persons_withheld

LARGE = 500_000
"""In a lattice of more nodes than this a good one is looked for first."""
MOST_NODES = 10_000_000
"""Larger lattices are not kept in memory (70 bytes a node), and nothing is proven about them."""
USUAL_STEPS = 10_000
"""Enough for a proof with twelve columns of census data, and done in seconds."""


@dataclass(frozen=True)
class OptimalRecodingDetails:
    levels: dict[str, int]
    """Column → level; 0 is the exact value."""
    loss: float | tuple[float, ...]
    suppressed: int
    """Records."""
    suppressed_persons: int
    classes: int
    checked: int
    """Nodes that were looked at."""
    nodes: int
    """Nodes that there are."""
    proven: bool


@dataclass(frozen=True)
class OptimalRecoding(Declared, Mechanism[Table]):
    """The best full-domain recoding for any list of class criteria."""

    suppress: Share = 0.0
    loss: Loss = "loss"
    aggregate: Aggregate | None = None
    weights: Mapping[str, NotNegative] | None = None
    balance: Share = 0.5
    count_withheld: bool = True
    steps: Count | None = USUAL_STEPS

    engine: ClassVar[tuple[str, ...]] = ("worst", "holds_against", "overall")

    def __post_init__(self) -> None:
        super().__post_init__()
        self._choice  # noqa: B018 - a bad loss is refused here, not at first use

    @cached_property
    def _choice(self) -> LossChoice:
        return LossChoice(self.loss, self.aggregate, self.weights, self.balance, self.count_withheld)

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        refuse_unknown_weights(self.name, data, self.weights or {})
        nodes = Nodes(data, must, self._choice, part_of(self.suppress, data.persons))
        _refuse_more_groupings(must, math.prod(nodes.shape))
        result = find(nodes, self.steps)
        if result.node is None:
            raise nodes.infeasible(result)
        kept, classes = nodes.kept(result.node)
        levels = dict(zip(data.schema.quasi, result.node, strict=True))
        released = publish_levels(data, nodes.ladders, result.node, kept)
        if nodes.several_rows_listed:
            refuse_shared_people(self.name, released, must)
        withheld_persons = persons_withheld(data, kept)
        details = OptimalRecodingDetails(
            levels,
            nodes.loss.shown(result.score),
            data.rows - len(kept),
            withheld_persons,
            classes,
            result.checked,
            math.prod(nodes.shape),
            result.proven and not nodes.chooses_whom_to_withhold,
        )
        return Protected(released, details, kept)


def _refuse_more_groupings(criteria: Criteria[Table], nodes: int) -> None:
    """A criterion that reckons with this many groupings must reckon with all nodes: the best of them is taken."""
    for criterion in criteria:
        groupings = criterion.groupings if isinstance(criterion, ClassCriterion) else None
        if groupings is not None and groupings < nodes:
            problem = f"{criterion.name}: groupings is {groupings}, and there are {nodes} nodes to choose from"
            raise PolicyError(f"optimal-recoding — {problem} — say groupings: {nodes}")


def find(nodes: Nodes, steps: int | None, start: SearchResult | None = None) -> SearchResult:
    """In a large lattice first a good node, then the proof, as far as steps and memory allow.

    `start` is a loss that is reached already, by whatever means: only a better node is of interest.
    """
    with seconds_in_numpy(KERNEL, nodes.space.replaces_kernels):
        return _find(nodes, steps, start)


def _find(nodes: Nodes, steps: int | None, start: SearchResult | None) -> SearchResult:
    size, is_given = math.prod(nodes.shape), start is not None
    if size > min(LARGE, MOST_NODES):
        start = start or descend(nodes.top, nodes.look, steps)
        if size > MOST_NODES or start.checked == steps:
            return start
    left = None if steps is None else steps - (start.checked if start else 0)
    lattice = Lattice(nodes.shape, nodes.floors(), nodes.space.compiled, nodes.usual_losses)
    result = search(lattice, nodes.look, left, start)
    return result if result.node is not None or result.proven or is_given else descend(nodes.top, nodes.look, 1)
