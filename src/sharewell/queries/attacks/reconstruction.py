"""Reconstruction: solves for everybody's secret at once, from many answers about random groups or from marginals.

## Guarantee
None; a measurement. The value is the share of people whose secret is reconstructed right.

## Adversary
Knows everything about everybody except one secret attribute. Asks how many people in random halves of the data have it,
and finds the zeros and ones that fit the answers best: a linear programme minimises the sum of all deviations over
values between 0 and 1, which are then rounded. Against a published table, the attacker knows the other columns of
everybody, and looks for the complete table that best fits all marginals that include the sensitive column.

## What it does not protect
Rounding a linear programme is not the best that an attacker can do, but it succeeds where answers are off by less than
√n for n people. A small share here promises nothing; only the bound does.

## Parameters
questions: how many answers; four for each person if left out.
column: of a table, the sensitive column; the first that the policy calls sensitive if left out.
seed: of the random groups.

## Worked example
Forty people. Exact answers, or answers with little noise, reveal every secret; a budget of ε = 1 for all answers
together reveals next to nothing.

>>> import numpy as np
>>> from sharewell.queries.engine.attackers.subset_answers import SimulatedAnswers
>>> bits = np.arange(40) % 2
>>> Reconstruction().mount(SimulatedAnswers(bits), truth=bits).value
1.0
>>> Reconstruction().mount(SimulatedAnswers(bits, epsilon=2.0), truth=bits).value
1.0
>>> result = Reconstruction().mount(SimulatedAnswers(bits, epsilon=0.1, cap=1.0), truth=bits)
>>> result.details.answered, result.value, round(result.details.bound, 3)
(10, 0.575, 0.731)

## Why it is safe
The finding holds only shares. One bit moves every count by at most one. So after answers with a total loss E, nobody
guesses a bit that was a coin toss right with a probability above e^E/(1 + e^E). For a published table, the bound is for
an attacker who beforehand gave the most frequent label its true probability, and it limits what the target's own row
reveals. What marginals teach about everybody alike, which is their purpose, can make a guess better than the bound.

## Cost
A linear programme with people + answers variables; for a table, occupied public cells times labels.

## Source
Dinur and Nissim, 2003; Dwork, McSherry and Talwar, 2007 (by linear programming).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import NOT_SIMULATED, Count, Declared, Finding, Role
from sharewell.extras import package
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.attackers.published_marginals import Marginal, loss_of, marginals_of
from sharewell.queries.engine.attackers.subset_answers import SubsetAnswers, largest_belief
from sharewell.queries.engine.attackers.subset_attack import Bits, SubsetAttack

MOST_VARIABLES = 20_000
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ReconstructionDetails:
    people: int
    answered: int
    """Questions that were answered, or published cells that were used."""
    baseline: float
    """The share that is right by naming the most frequent value."""
    bound: float
    """What no attacker exceeds on average, by differential privacy."""


@dataclass(frozen=True)
class Reconstruction(Declared, SubsetAttack):
    """Linear programming over everybody's secret."""

    questions: Count | None = None
    column: str | None = None
    seed: int = 7

    packages: ClassVar[tuple[str, ...]] = ("scipy",)

    def on_table(self, released: NoisyTable, original: ConfidentialTable | None) -> Finding:
        if original is None:
            return Finding(self.name, None, note="only the steward knows the other columns of everybody")
        return self._table(released, original)

    def by_asking(self, answers: SubsetAnswers, bits: Bits | None) -> Finding:
        rng, people = np.random.default_rng(self.seed), answers.persons
        asked = rng.random((self.questions or 4 * people, people)) < 0.5
        given = [answers.count(members) for members in asked]
        known = np.array([one is not None for one in given])
        values = np.array([one for one in given if one is not None])
        loss = None if answers.epsilon is None else answers.epsilon * len(values)
        bound = 0.5 if not len(values) else largest_belief(loss)
        if bits is None:
            details = ReconstructionDetails(people, len(values), 0.5, bound)
            return Finding(self.name, bound, unit="share", details=details, note=NOT_SIMULATED)
        guess = rng.integers(0, 2, people)
        if len(values):
            guess = (_fitted(asked[known].astype(np.float64), values) >= 0.5).astype(np.int64)
        baseline = float(max(bits.mean(), 1 - bits.mean()))
        details = ReconstructionDetails(people, len(values), baseline, bound)
        return Finding(self.name, float((guess == bits).mean()), unit="share", details=details)

    def _table(self, released: NoisyTable, original: ConfidentialTable) -> Finding:
        sensitive = [name for name, role in original.roles.items() if role == str(Role.SENSITIVE)]
        column = self.column or next(iter(sensitive), None)
        if column is None or column not in original.domains or not len(original.codes):
            return Finding(self.name, None, note="no column is called sensitive, or there is no row")
        used = [one for one in marginals_of(released) if column in one.columns]
        names = list(original.domains)
        secret = original.codes[:, names.index(column)]
        counts = np.bincount(secret)
        baseline = float(counts.max() / len(secret))
        factor = 1 if original.neighbours == "change-one" else 2
        bound = largest_belief(factor * loss_of(released), baseline)
        if not used:
            details = ReconstructionDetails(len(secret), 0, baseline, bound)
            return Finding(
                self.name, baseline, column, unit="share", details=details, note="no marginal has the column"
            )
        public = [name for name in names if name != column and any(name in one.columns for one in used)]
        cells, of = np.unique(original.codes[:, [names.index(name) for name in public]], axis=0, return_inverse=True)
        labels = original.domains[column].labels
        if len(cells) * len(labels) > MOST_VARIABLES:
            return Finding(self.name, None, column, note="too many cells for a linear programme")
        matrix, answers = _equations(used, original, public, cells, column)
        sizes = np.bincount(of.reshape(-1), minlength=len(cells)).astype(np.float64)
        fitted = _fitted(matrix, answers, sizes).reshape(len(cells), len(labels))
        guess = fitted.argmax(axis=1)[of.reshape(-1)]
        details = ReconstructionDetails(len(secret), len(answers), baseline, bound)
        return Finding(self.name, float((guess == secret).mean()), column, unit="share", details=details)


def _equations(
    used: Sequence[Marginal], original: ConfidentialTable, public: Sequence[str], cells: NDArray[np.int64], column: str
) -> tuple[Floats, Floats]:
    """Each published count as a sum over (public cell, label)."""
    labels = original.domains[column].labels
    rows, answers = [], []
    for marginal in used:
        for named, count in zip(marginal.labels, marginal.counts.tolist(), strict=True):
            wanted = dict(zip(marginal.columns, named, strict=True))
            if any(label not in original.domains[name].labels for name, label in wanted.items()):
                continue
            inside = np.ones(len(cells), np.bool_)
            for i, name in enumerate(public):
                if name in wanted:
                    inside &= cells[:, i] == original.domains[name].labels.index(wanted[name])
            row = np.zeros((len(cells), len(labels)))
            row[inside, labels.index(wanted[column])] = 1
            rows.append(row.ravel())
            answers.append(count)
    return np.array(rows), np.array(answers)


def _fitted(matrix: Floats, values: Floats, sizes: Floats | None = None) -> Floats:
    """The x for which the sum of |matrix·x − told| is least: from 0 to 1, or adding up to the sizes, label by label."""
    optimize = package("scipy.optimize", Reconstruction.name)
    sparse = package("scipy.sparse", Reconstruction.name)
    answers, unknown = matrix.shape
    cost = np.concatenate([np.zeros(unknown), np.ones(2 * answers)])
    slack = sparse.identity(answers)
    equal, right = [sparse.hstack([sparse.csr_matrix(matrix), -slack, slack])], [values]
    if sizes is not None:
        each = sparse.kron(sparse.identity(len(sizes)), np.ones((1, unknown // len(sizes))))
        equal.append(sparse.hstack([each, sparse.csr_matrix((len(sizes), 2 * answers))]))
        right.append(sizes)
    top = 1.0 if sizes is None else None
    bounds = [(0.0, top)] * unknown + [(0.0, None)] * (2 * answers)
    solved = optimize.linprog(
        cost, A_eq=sparse.vstack(equal).tocsr(), b_eq=np.concatenate(right), bounds=bounds, method="highs"
    )
    result: Floats = np.asarray(solved.x)[:unknown] if solved.x is not None else np.zeros(unknown)
    return result
