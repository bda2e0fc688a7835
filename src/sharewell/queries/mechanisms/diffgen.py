"""DiffGen: publishes a generalised table with class counts, specialised from the top down by private choices.

## Guarantee
ε-differential privacy for every person: with or without the rows of any one person (or with them replaced, where the
policy says so), any release is equally likely up to a factor of e^ε. With a budget in ρ it is ρ-zero-concentrated
differential privacy instead, in which the factor may be exceeded with a small probability δ: ε is then ρ + 2√(ρ ln
1/δ). This holds for the choice of the published groups and for all their counts together, whatever else the attacker
knows. The claim is attested: no file shows how the choices and the noise were drawn.

## Adversary
Knows everybody's rows but one person's, the public values, ranges and groups, and how the choices and the noise are
drawn.

## What it does not protect
**The published counts are false**, and may be negative. Groups are chosen to predict one column: other questions are
answered worse. Losses of further releases about the same people add up. What is true of people in general, such as
how age and illness are related, is not protected: the table is published to show it.

## Parameters
epsilon: the budget ε.
rho: the budget ρ instead, under zero-concentrated privacy. Half of either is for the choices, half for the counts.
target: the column to predict, whose values are the classes.
columns: the columns to predict from; all others with public values or a range, unless given.
specialisations: how often a group is replaced by finer ones.
score: by what a finer group is chosen: information-gain in bits, or majority, the rows of the most frequent class.
choice: permute-and-flip, or exponential as in the paper, which spends the same and finds the best group less often; a
  budget in ρ has the exponential one alone.
groups: column to its taxonomy: a mapping of groups to lists of values, or to further groups. Values that are in none
  stand beside the groups.

## Worked example
With ε = 1, four specialisations and two ranges there are ten choices of ε = 0.05 each, and the noise on counts has
scale 2.

>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.queries.data import ConfidentialTable, Range, Values
>>> people = pa.table({"age": [20, 30, 70, 80] * 50, "weight": [50, 90] * 100, "ill": ["no", "no", "yes", "yes"] * 50})
>>> domains = {"age": Range(0, 100), "weight": Range(0, 200), "ill": Values(("yes", "no"))}
>>> table = ConfidentialTable(Source.of(people), domains)
>>> released = DiffGen(epsilon=1.0, target="ill", specialisations=4).protect(table, must=[])
>>> round(released.details.choice_loss, 12), released.details.choices, released.details.scale
(0.05, 10, 2.0)

## Why it is safe
A score depends only on the counts of one column by class. Information gain lies between 0 and the logarithm of the
number of classes, so one person cannot change it by more than that; it is rounded to whole parts of a bit within these
bounds. A row adds 1 or 0 to every majority. The two halves of an interval hold different rows, so choosing where to
split each of them spends no more than one choice; where a person has rows in both halves, or moves from one to the
other, the noise is larger accordingly. Which groups can be chosen next, and how many cells there are, follows from the
earlier choices. Every cell is published, empty ones too, and each row is in one cell, whose count gets discrete Laplace
noise. opendp draws choices and noise and states the loss of each. The budget is charged for all choices, even if fewer
are left to make.

## Cost
O(n · columns) to count, then O(values) for every choice, and one draw per cell.

## Source
Mohammed, Chen, Fung and Yu, "Differentially private data release for data mining", 2011. McSherry and Talwar, 2007, for
the exponential mechanism; McKenna and Sheldon, 2020, for permute-and-flip. Choices and noise by opendp.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sharewell.algorithm import Count, Criteria, Key, PolicyError, Protected
from sharewell.plain_data import Json
from sharewell.queries.data import ConfidentialTable, NoisyTable, Range
from sharewell.queries.engine.protection.budget_terms import Ints, PrivateChoice, Rule, Term, noisy, spent_on
from sharewell.queries.engine.protection.publication import (
    MOST_CELLS,
    Publication,
    PublicationDetails,
    columns_of,
    published,
    refuse_many,
)
from sharewell.queries.engine.protection.taxonomies import Cuts, information_gain, majority, most_gain, taxonomy

Score = Literal["information-gain", "majority"]


@dataclass(frozen=True, kw_only=True)
class DiffGenDetails(PublicationDetails):
    """The loss, what each choice spends of it, how large the noise is, and how fine the table became."""

    choice_loss: float
    choices: int
    """For which the budget provides."""
    specialisations: int
    """That were made: fewer than asked for where nothing finer was left."""
    groups: dict[str, int]
    """Column → into how many groups its values are published."""


@dataclass(frozen=True)
class DiffGen(Publication):
    """Top-down specialisation by private choices, and noisy class counts."""

    target: str
    columns: tuple[str, ...] | None = None
    specialisations: Count = 10
    score: Score = "information-gain"
    choice: Rule = "permute-and-flip"
    groups: Mapping[str, Json] | None = None

    def protect(
        self, data: ConfidentialTable, must: Criteria[NoisyTable], key: Key | None = None
    ) -> Protected[NoisyTable]:
        columns = self._columns(data)
        classes = data.domains[self.target].labels
        refuse_many(self.name, len(classes) * max(len(data.domains[name].labels) for name in columns))
        cuts, terms, made = self._specialised(data, columns)
        exact, moved = _leaves(data, cuts, self.target), (data.changed_rows, data.changed_length)
        counts, term = noisy(exact, self.share(2), *moved, "class counts")
        grid = np.indices(counts.shape).reshape(counts.ndim, -1).tolist()
        shown = [*([node.label for node in cuts.nodes[name]] for name in columns), classes]
        keys = {
            name: [labels[place] for place in places]
            for name, labels, places in zip((*columns, self.target), shown, grid, strict=True)
        }
        spent = spent_on(self.name, data, [*terms, term], labels=_covered(data, cuts))
        released = NoisyTable(keys, counts.ravel().astype(np.float64), spent)
        return published(
            self.name,
            released,
            must,
            DiffGenDetails,
            choice_loss=terms[0].loss,
            choices=sum(one.times for one in terms),
            specialisations=made,
            groups={name: len(nodes) for name, nodes in cuts.nodes.items()},
        )

    def _columns(self, data: ConfidentialTable) -> tuple[str, ...]:
        columns_of(self.name, data, [self.target])
        columns = tuple(name for name in columns_of(self.name, data, self.columns) if name != self.target)
        if not columns:
            raise PolicyError(f"{self.name} — no column to predict {self.target} from — name some in columns")
        if len(data.domains[self.target].labels) < 2:
            raise PolicyError(f"{self.name} — {self.target} has one class only — give it more bins")
        if unknown := [name for name in self.groups or () if name not in columns]:
            raise PolicyError(f"{self.name} — groups name {len(unknown)} column(s) that are not predicted from")
        return columns

    def _specialised(self, data: ConfidentialTable, columns: Sequence[str]) -> tuple[Cuts, list[Term], int]:
        """The cuts, what their choices spend, and how often a node was replaced."""
        domains = {name: data.domains[name] for name in columns}
        ranges = sum(isinstance(domain, Range) and domain.bins > 1 for domain in domains.values())
        splits = ranges + self.specialisations if ranges else 0
        each = self.share(2 * (splits + self.specialisations))
        gains = self.score == "information-gain"
        top = most_gain(len(data.domains[self.target].labels))
        # Of the two halves of an interval one changed row concerns one; several, and a replaced one, concern both.
        moved, moved_splits = (top, top * min(2, data.changed_rows)) if gains else (data.changed_rows,) * 2
        choice = PrivateChoice.within(each, moved, self.choice, monotone=not gains)
        split_choice = PrivateChoice.within(each, moved_splits, self.choice, monotone=not gains)
        score = information_gain if gains else majority
        counts = {name: data.counts([name, self.target]) for name in columns}
        cuts = Cuts(domains, counts, score, split_choice.among, choice.among)
        groups = self.groups or {}
        cuts.plant({name: taxonomy(name, domain, groups.get(name)) for name, domain in domains.items()})
        most = MOST_CELLS // len(data.domains[self.target].labels)
        made = 0
        while made < self.specialisations and cuts.refine(most):
            made += 1
        terms = [choice.term("specialisations", self.specialisations)]
        if splits:
            terms.append(split_choice.term("splits of ranges", splits))
        return cuts, terms, made


def _leaves(data: ConfidentialTable, cuts: Cuts, target: str) -> Ints:
    """The rows of each combination of published groups, by class."""
    names = list(data.domains)
    classes = len(data.domains[target].labels)
    flat = np.zeros(len(data.codes), dtype=np.int64)
    for column, nodes in cuts.nodes.items():
        group = np.zeros(len(data.domains[column].labels), dtype=np.int64)
        for number, node in enumerate(nodes):
            group[list(node.places)] = number
        flat = flat * len(nodes) + group[data.codes[:, names.index(column)]]
    flat = flat * classes + data.codes[:, names.index(target)]
    shape = [*(len(nodes) for nodes in cuts.nodes.values()), classes]
    return np.bincount(flat, minlength=cuts.cells * classes).astype(np.int64).reshape(shape)


def _covered(data: ConfidentialTable, cuts: Cuts) -> dict[str, Json]:
    """Column → published group → the public values in it, where it has several."""
    return {
        column: {
            node.label: [data.domains[column].labels[place] for place in node.places]
            for node in nodes
            if len(node.places) > 1
        }
        for column, nodes in cuts.nodes.items()
    }
