"""From regions to published boxes: the most detailed cells inside a class's region that enough people fit.

Every column of a class has a ladder of ever wider cells, from the most detailed one that the class shares to the whole
region. Climbing takes the step with the least added loss for the logarithm of people gained, until enough fit; then
steps back wherever enough still do. What comes out is most detailed in this sense: no cell can be narrowed by itself.
"""

from __future__ import annotations

import numpy as np

from sharewell.tables.engine.array_types import Floats, Ints
from sharewell.tables.engine.classes import Classes
from sharewell.tables.engine.protection.instance.people import Ladder, Numbers, People, PopulationSpace


def widen(space: PopulationSpace, classes: Classes, regions: Ints, people: People, needed: Ints) -> tuple[Ints, Ints]:
    """boxes[end, column, class], and how many people fit each. `cell_regions` has the same form."""
    every: list[tuple[int, int, float]] = []
    first = np.zeros((len(space.axes), classes.count + 1), dtype=np.int64)
    ends = [reduce.reduceat(space.rows[:, classes.order], classes.starts[:-1], axis=1) for reduce in _ENDS]
    for j, axis in enumerate(space.axes):
        known: dict[tuple[int, ...], list[tuple[int, int, float]]] = {}
        first[j, 0] = len(every)
        for c, key in enumerate(zip(*(e[j].tolist() for e in (*ends, *regions)), strict=True)):
            if key not in known:
                rungs = axis.rungs(key[0], key[1], (key[2], key[3]))
                known[key] = [(*rung, axis.loss(rung)) for rung in rungs]
            every += known[key]
            first[j, c + 1] = len(every)
    logs = np.log(np.arange(int(needed.max(initial=0)) + 2) + 0.5)
    low, high, loss = np.array(every).reshape(-1, 3).T
    ladder = Ladder(first, low.astype(np.int64), high.astype(np.int64), loss.copy())
    level, fit = people.choose("climbed", climbed)(people.numbers, people.weights, people.starts, ladder, needed, logs)
    taken = first[:, :-1] + level
    return np.stack([ladder.low[taken], ladder.high[taken]]), fit


_ENDS = (np.minimum, np.maximum)


def climbed(
    numbers: Numbers, weights: Ints, starts: Ints, ladder: Ladder, needed: Ints, logs: Floats
) -> tuple[Ints, Ints]:
    """The rung of every column and class, and the people who fit. The twin of the kernel of this name."""
    first, low, high, loss = ladder
    columns, classes = first.shape[0], len(starts) - 1
    level = np.zeros((columns, classes), dtype=np.int64)
    people = np.zeros(classes, dtype=np.int64)
    for c in range(classes):
        own_weights = weights[starts[c] : starts[c + 1]]
        entry = np.zeros((columns, len(own_weights)), dtype=np.int64)
        losses = [loss[first[j, c] : first[j, c + 1]] for j in range(columns)]
        for j in range(columns):
            places = numbers[j, starts[c] : starts[c + 1]]
            for rung in range(first[j, c], first[j, c + 1] - 1):
                entry[j] += ~((low[rung] <= places) & (places <= high[rung]))
        now, fits = _fitting(entry, own_weights, level[:, c], losses)
        while now < needed[c]:
            j, to = _step(level[:, c], fits, losses, now, int(needed[c]), logs)
            level[j, c] = to
            now, fits = _fitting(entry, own_weights, level[:, c], losses)
        while (back := _back(level[:, c], fits, losses, int(needed[c]))) is not None:
            level[back[0], c] = back[1]
            now, fits = _fitting(entry, own_weights, level[:, c], losses)
        people[c] = now
    return level, people


def _fitting(entry: Ints, weights: Ints, level: Ints, losses: list[Floats]) -> tuple[int, list[list[int]]]:
    """How many fit now, and by column and rung how many fit if that column alone moved there."""
    outside = entry > level[:, None]
    number = outside.sum(axis=0)
    fits = []
    for j, column in enumerate(losses):
        others = number - outside[j] == 0
        counts = np.zeros(len(column), dtype=np.int64)
        np.add.at(counts, entry[j, others], weights[others])
        fits.append(np.cumsum(counts).tolist())
    return int(weights[number == 0].sum()), fits


def _step(
    level: Ints,
    fits: list[list[int]],
    losses: list[Floats],
    now: int,
    needed: int,
    logs: Floats,
) -> tuple[int, int]:
    """The least added loss per logarithm of people gained; if nobody is gained, the least loss."""
    prices, costs = [], []
    for j, column in enumerate(losses):
        current = int(level[j])
        for to in range(current + 1, len(column)):
            reached = min(fits[j][to], needed)
            if reached > now:
                prices.append((float((column[to] - column[current]) / (logs[reached] - logs[now])), j, to))
        if current + 1 < len(column):
            costs.append((float(column[current + 1] - column[current]), j, current + 1))
    return min(prices or costs)[1:]


def _back(level: Ints, fits: list[list[int]], losses: list[Floats], needed: int) -> tuple[int, int] | None:
    """The step back that saves most while enough people fit."""
    saved = []
    for j, column in enumerate(losses):
        for to in range(int(level[j])):
            if fits[j][to] >= needed:
                saved.append((-float(column[level[j]] - column[to]), j, to))
                break
    return min(saved)[1:] if saved else None
