"""Instance-risk partitioning: patients and population are cut together, so that no class shows who is a patient.

## Guarantee
Published classes cover disjoint sets of people, so that for everybody on the population list who fits a class the
probability of being in the data is exactly r = n/N, N counted on the whole list. It is at most the bound of the
instance-disclosure or delta-presence required criterion, the bounds of single diseases included; every other class
required criterion holds in every class. Where not even one class for all reaches that, `Infeasible` is raised.

## Adversary
That of the criteria: one who holds the list with true quasi values, and wants to know who of them is in the data.

## What it does not protect
Nothing beyond the criteria. An average bounded by instance-disclosure is looked at when all is done, and refused if it
is missed. Cuts depend on the data, as in every partitioning method. N is as right as the list: `unlisted` says how
many records nobody on it has the values of. Of somebody with several different rows on the list (before and after a
move) one counts while classes are cut; where the rows fit different classes in the end, nothing is published unless the
criterion accepts the overlap.

## Parameters
variant: "bounded" (default) cuts midway between neighbouring values of the patients, so that classes have regions, and
publishes each class as the most detailed box inside its region that enough people fit. "literal" is the figure of the
paper: it publishes the most detailed values that a class shares, and takes no cut whose parts would overlap.
minimum: persons in a class, at least (1).

## Worked example
The paper's nine people, six of them patients. Two classes of three share their zip code and year of birth: r is 1 and
1/2, on average R = 3/4. With at most 2/3, all six are one class.

>>> import pyarrow as pa
>>> from sharewell.hierarchy import Prefixes
>>> from sharewell.tables import InstanceDisclosure, Table
>>> days = ["07-15", "05-28", "10-26", "01-02", "02-03", "10-24", "05-13", "09-26", "09-26"]
>>> born = [f"{1927 if i < 3 else 1935}-{day}" for i, day in enumerate(days)]
>>> people = pa.table({"zip": ["00101"] * 3 + ["00202"] * 6, "born": born})
>>> table = Table.of(people.take([0, 1, 2, 3, 6, 7]), quasi=["zip", "born"], hierarchies={"zip": Prefixes()})
>>> literal = InstancePartitioning("literal")
>>> shown = literal.protect(table, must=[InstanceDisclosure(people, 1)]).data
>>> sorted({tuple(row.values()) for row in shown.arrow.to_pylist()})
[('00101', '[1927-01-01..1927-12-31]'), ('00202', '[1935-01-01..1935-12-31]')]
>>> shown = literal.protect(table, must=[InstanceDisclosure(people, "2/3")]).data
>>> sorted({tuple(row.values()) for row in shown.arrow.to_pylist()})
[('00*', '[1927-01-01..1935-12-31]')]

## Why it is safe
bounded: the regions of the parts of a cut are disjoint, and a class publishes nothing outside its region; a cut is
taken only if n/N keeps the bound in every part, and a region narrowed to its box keeps it too. literal: what a part
shows lies within what the class showed, and a cut is taken only if the two parts show nothing in common. Hierarchies
are cut into all their nodes at once, since several nodes have no cell of their own; a missing value joins others only
in `*`. What a cell covers is read as a verifier reads it.

The figure as printed lacks the test for overlap. With classes of two it claims R = 11/27 for the example, through a
class that covers the people of another; over all ways in which the patients may be spread, the mean probability of
presence is 7/10.

## Cost
bounded: O(q · N · depth) time for q columns and N people, compiled where the list is long; depth is about 2 ln(n) for
n patients. O(q · N) memory. 10,000 patients against 5 million people by three columns: 15 seconds of one core (3 of
them to compile, once) and 1.2 GB. literal: O(q² · N log n) for every depth.

## Source
Liu, Li, Motiwalla, Li, Zheng and Franklin, 2015 (the figure, and the score Σ n²/N). Cells that may not overlap,
regions, boxes and cuts by nodes are ours, as is the month between the day and the year.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Count, Declared, Infeasible, Key, Mechanism, PolicyError, Protected
from sharewell.number_format import show
from sharewell.tables.criteria.delta_presence import DeltaPresence
from sharewell.tables.data import Classes, Ints, Table
from sharewell.tables.engine.checks.population_classes import PerClassCriterion, PopulationMatch
from sharewell.tables.engine.columns import as_shown
from sharewell.tables.engine.protection.instance import class_by_class, region_cuts
from sharewell.tables.engine.protection.instance.people import InstanceCriteria, PopulationSpace
from sharewell.tables.engine.protection.instance.widening import widen
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_shared_people, root_class


@dataclass(frozen=True)
class InstanceDetails:
    classes: int
    smallest: int
    """Persons of the smallest class."""
    depth: int
    listed: int
    """People on the list."""
    covered: int
    """People of the list who fit some class."""
    unlisted: int
    """Records whose exact values nobody on the list has."""
    suppressed_records: int = 0
    suppressed_persons: int = 0


@dataclass(frozen=True)
class InstancePartitioning(Declared, Mechanism[Table]):
    """Partitioning of patients and population together."""

    variant: Literal["bounded", "literal"] = "bounded"
    minimum: Count = 1

    engine: ClassVar[tuple[str, ...]] = ("worst", "holds_against")

    def protect(self, data: Table, must: Sequence[PerClassCriterion], key: Key | None = None) -> Protected[Table]:
        criteria = InstanceCriteria.of(self.name, must, self.minimum, data.schema.quasi)
        root = root_class(self.name, data, criteria.alone)
        self._refuse_styles(data)
        space = PopulationSpace.of(data, criteria.against[0])
        self._refuse_hopeless(space, root, criteria)
        if self.variant == "literal":
            classes, boxes, people, depth = class_by_class.divide(space, root, criteria)
        else:
            leaves, depth = region_cuts.divide(space, root, criteria)
            classes, needed = leaves.classes, criteria.needed(leaves.classes, leaves.people.totals)
            boxes, people = widen(space, classes, leaves.regions, leaves.people, needed)
        self._refuse_averages(space, classes, people, criteria)
        released = _published(space, classes, boxes)
        if space.several_rows_listed:
            refuse_shared_people(self.name, released, must)
        details = InstanceDetails(
            classes.count,
            int(classes.persons.min()),
            depth,
            int(space.people.weights.sum()),
            int(people.sum()),
            space.unlisted(),
        )
        return Protected(released, details, np.arange(data.rows))

    def _refuse_styles(self, data: Table) -> None:
        for column in data.quasi:
            style = column.published_as.name
            if style not in (column.style, "common"):
                problem = f"columns.{column.name} — style {style}, which tells nobody whom a class covers"
                raise PolicyError(f"{self.name} — {problem} — leave `style` out")

    def _refuse_hopeless(self, space: PopulationSpace, root: Classes, criteria: InstanceCriteria) -> None:
        """All rows as one class must hold: published as they share it, or as `*`."""
        everybody = np.arange(len(space.people.weights))
        if self.variant == "literal":
            everybody = class_by_class.fitting(space, class_by_class.shared_box(space, root.order), everybody)
        people = np.array([space.people.weights[everybody].sum()], dtype=np.int64)
        blocking, relaxations = [], []
        for one in criteria.against:
            if not one.holds_against(root, people)[0]:
                reached = one.worst_against(root, people)[0].item()
                blocking.append(
                    f"{one.name} {one.sense} {show(one.bound)}: all rows as one class reach {show(reached)}"
                )
                relaxations.append(f"{one.name} with bound {show(reached)}")
            if isinstance(one, DeltaPresence) and not any(part.persons.any() for part in one.counted(root)):
                blocking.append(f"{one.name}: nobody whose presence is judged is in the data")
        if relaxations and self.variant == "literal":
            relaxations.append("variant: bounded, which may publish less detail than all rows share")
        if int(root.persons[0]) < self.minimum:
            blocking.append(f"minimum {self.minimum}: there are {int(root.persons[0])} persons")
        if blocking:
            problem = f"{self.name} — not even the table as one class meets the criteria"
            raise Infeasible(problem, blocking=blocking, relaxations=relaxations)

    def _refuse_averages(
        self, space: PopulationSpace, classes: Classes, people: Ints, criteria: InstanceCriteria
    ) -> None:
        """Averages over all classes are known only now."""
        for one in criteria.against:
            if not isinstance(one, DeltaPresence):
                continue
            match = PopulationMatch(classes, one.settled(classes, people), int(space.people.weights.sum()), 0, 0, 0)
            missed = [part for part in one.averages(match, False) if not part.ok]
            if missed:
                raise Infeasible(
                    f"{self.name} — classes within the bound of {one.name} miss its averages",
                    blocking=[str(part) for part in missed],
                    relaxations=[f"{one.name} with a smaller `max`", f"a larger `minimum` than {self.minimum}"],
                )


def _published(space: PopulationSpace, classes: Classes, boxes: Ints) -> Table:
    """The rows in their order, every quasi column with the cells of its classes."""
    class_of_row = np.empty(space.table.rows, dtype=np.intp)
    class_of_row[classes.order] = classes.class_of
    cells = {}
    for axis, low, high in zip(space.axes, *boxes, strict=True):
        distinct, which = np.unique(low * axis.size + high, return_inverse=True)
        texts = [axis.cell(divmod(key, axis.size)).text for key in distinct.tolist()]
        cells[axis.column.name] = as_shown(replace(axis.column, asked=None), texts, which[class_of_row])
    return space.table.released(cells)
