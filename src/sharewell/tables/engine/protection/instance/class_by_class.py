"""The partitioning of the paper's figure, class by class, with the one test that it lacks: parts must not overlap.

A class shows the most detailed cells that its records share; of all cuts between neighbouring values, in every column,
the one with the least Σ n²/N over what the two parts would show is taken. A published year or prefix reaches beyond the
records, so N is counted on everybody who fits the cells. The cells of a part lie within those of the class that is cut:
if the two parts of every cut share nobody, no two published classes do.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sharewell.tables.engine.array_types import Indices, Ints
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.protection.instance.people import InstanceCriteria, PopulationSpace
from sharewell.tables.engine.protection.instance.region_cuts import persons_of

Rows = Indices
Trial = tuple[int, Rows, Ints, Ints]
"""How many records go left, in which order of the records, the two boxes and the people who fit them."""


def shared_box(space: PopulationSpace, rows: Rows) -> Ints:
    """The box [end, column] that some records share."""
    numbers = space.rows[:, rows].astype(np.int64)
    box = np.zeros((2, len(space.axes)), dtype=np.int64)
    for j, axis in enumerate(space.axes):
        low, high = axis.tight(numbers[j].min(keepdims=True), numbers[j].max(keepdims=True))
        box[:, j] = low[0], high[0]
    return box


def fitting(space: PopulationSpace, box: Ints, among: Rows) -> Rows:
    """Who of these people fits a box."""
    for j, numbers in enumerate(space.people.numbers):
        values = numbers[among]
        among = among[(values >= box[0, j]) & (values <= box[1, j])]
    return among


def divide(space: PopulationSpace, root: Classes, criteria: InstanceCriteria) -> tuple[Classes, Ints, Ints, int]:
    """Finished classes, their boxes[end, column, class], the people who fit each, and how deep it went."""
    identities = persons_of(space.table)
    box = shared_box(space, root.order)
    todo = [(root.order, box, fitting(space, box, np.arange(len(space.people.weights))), 0)]
    done: list[tuple[Rows, Ints, int]] = []
    deepest = 0
    while todo:
        rows, box, people, depth = todo.pop()
        deepest = max(deepest, depth)
        for left, order, boxes, _ in _trials(space, rows, people, criteria, identities, root):
            for part, its in ((order[:left], boxes[0]), (order[left:], boxes[1])):
                todo.append((part, its, fitting(space, its, people), depth + 1))
            break
        else:
            done.append((rows, box, int(space.people.weights[people].sum())))
    order = np.concatenate([rows for rows, _, _ in done])
    starts = np.concatenate([[0], np.cumsum([len(rows) for rows, _, _ in done])])
    classes = Classes(order, starts, root.columns, root.subject)
    boxes = np.stack([box for _, box, _ in done], axis=2)
    return classes, boxes, np.array([people for _, _, people in done], dtype=np.int64), deepest


def _trials(
    space: PopulationSpace, rows: Rows, people: Rows, criteria: InstanceCriteria, identities: Ints | None, root: Classes
) -> Iterator[Trial]:
    """The cuts after which everything holds, the best first; equal ones by column and value."""
    scored: list[tuple[float, int, int, Trial]] = []
    for j in range(len(space.axes)):
        order = rows[np.argsort(space.rows[j, rows], kind="stable")]
        values = space.rows[j, order]
        at = np.flatnonzero(values[1:] != values[:-1])
        if not len(at):
            continue
        boxes = np.stack([_nested(space, order, at), _nested(space, order[::-1], len(order) - 2 - at)])
        count = np.stack([_counted(space, boxes[0], people), _counted(space, boxes[1][..., ::-1], people)[::-1]])
        persons = _persons(order, at, identities)
        records = np.stack([at + 1, len(order) - at - 1])
        apart = (boxes[0, 1] < boxes[1, 0]) | (boxes[1, 1] < boxes[0, 0])
        possible = apart.any(axis=0) & criteria.possible(persons, records, count).all(axis=0)
        score = (persons**2 / np.maximum(count, 1)).sum(axis=0)
        for i in np.flatnonzero(possible).tolist():
            scored.append((float(score[i]), j, i, (int(at[i]) + 1, order, boxes[..., i], count[:, i])))
    scored.sort(key=lambda one: one[:3])
    for *_, trial in scored:
        left, order, _, count = trial
        parts = Classes(order, np.array([0, left, len(order)]), root.columns, root.subject)
        if criteria.holds(parts, count).all():
            yield trial


def _nested(space: PopulationSpace, order: Rows, at: Ints) -> Ints:
    """boxes[end, column, cut] that the records up to each cut share: each holds those of fewer records."""
    boxes = np.zeros((2, len(space.axes), len(at)), dtype=np.int64)
    for j, axis in enumerate(space.axes):
        numbers = space.rows[j, order].astype(np.int64)
        low, high = np.minimum.accumulate(numbers)[at], np.maximum.accumulate(numbers)[at]
        boxes[0, j], boxes[1, j] = axis.tight(low, high)
    return boxes


def _counted(space: PopulationSpace, boxes: Ints, people: Rows) -> Ints:
    """People who fit each of ever wider boxes: each is counted from the first that holds them on."""
    cuts = boxes.shape[2]
    first = np.zeros(len(people), dtype=np.int64)
    for j, numbers in enumerate(space.people.numbers):
        values = numbers[people]
        first = np.maximum(first, np.searchsorted(-boxes[0, j], -values.astype(np.int64)))
        first = np.maximum(first, np.searchsorted(boxes[1, j], values))
    counts = np.zeros(cuts + 1, dtype=np.int64)
    np.add.at(counts, first, space.people.weights[people])
    return np.cumsum(counts[:cuts])


def _persons(order: Rows, at: Ints, identities: Ints | None) -> Ints:
    """Persons on both sides of every cut."""
    if identities is None:
        return np.stack([at + 1, len(order) - at - 1])
    sides = []
    for persons, cuts in ((identities[order], at), (identities[order][::-1], len(order) - 2 - at)):
        new = np.zeros(len(order), dtype=np.int64)
        new[np.unique(persons, return_index=True)[1]] = 1
        sides.append(np.cumsum(new)[cuts])
    return np.stack(sides)
