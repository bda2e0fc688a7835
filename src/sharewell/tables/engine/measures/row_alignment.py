"""Which original row a published row was, as far as the two tables themselves can tell.

Measures see no private alignment. They may still find it: rows in the same order, persons with the same names, or
classes that each cover exactly as many original rows as they hold. What is found is checked: every published cell must
cover the value of its row, and every mean must be that of its class.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sharewell.spelling import fold
from sharewell.styles import Style
from sharewell.tables.data import Column, Indices, Table, group
from sharewell.tables.engine.cell_matching import fitting
from sharewell.tables.engine.class_means import class_means
from sharewell.tables.engine.measures.cell_regions import read_like, regions

Rows = Indices
_MOST_LOOKS = 10**8
"""Distinct cells times distinct values of a column, beyond which classes are not held against the original."""


def rows_behind(before: Table, after: Table) -> Rows | None:
    """The original row of each published row, −1 for withheld ones; None if the tables do not tell.

    Where only classes can be told, rows of one class may be exchanged.
    """
    visible = np.flatnonzero(~after.suppressed)
    finders = (lambda *_: visible if before.rows == after.rows else None), _by_person, _by_class
    for find in finders:
        rows = find(before, after, visible)
        if rows is not None and _covered(before, after, visible, rows):
            result = np.full(after.rows, -1, dtype=np.intp)
            result[visible] = rows
            return result
    return None


def _by_person(before: Table, after: Table, visible: Rows) -> Rows | None:
    """Persons of one record each, by name."""
    if before.subject is None or after.subject is None or before.persons < before.rows:
        return None
    names, published_names = ([fold(text) for text in subject.texts] for subject in (before.subject, after.subject))
    at = dict(zip((names[code] for code in before.subject.codes), range(before.rows), strict=True))
    rows = [at.get(published_names[code], -1) for code in after.subject.codes[visible]]
    return np.array(rows, dtype=np.intp) if len(set(rows)) == len(rows) and -1 not in rows else None


def _by_class(before: Table, after: Table, visible: Rows) -> Rows | None:
    """Classes that cover as many original rows as they hold, none of them twice."""
    if not before.quasi or not len(visible) or any(after.columns[c.name].shows_means for c in before.quasi):
        return None
    shown = [read_like(column, after.columns[column.name]) for column in before.quasi]
    if max(cells.size * column.size for cells, column in zip(shown, before.quasi, strict=True)) > _MOST_LOOKS:
        return None
    order, starts = group([column.codes[visible] for column in shown], len(visible))
    first, sizes = visible[order[starts[:-1]]], np.diff(starts)
    taken = np.zeros(before.rows, dtype=bool)
    rows = np.empty(after.rows, dtype=np.intp)
    for classes, fit in fitting(shown, before.quasi, np.stack([column.codes[first] for column in shown])):
        if len(classes) > 1 or len(fit) != sizes[classes[0]] or taken[fit].any():
            return None
        taken[fit] = True
        start, end = starts[classes[0]], starts[classes[0] + 1]
        rows[visible[order[start:end]]] = np.sort(fit)
    return rows[visible]


def _covered(before: Table, after: Table, visible: Rows, rows: Rows) -> bool:
    """Does every cell cover the value of its row? Each distinct pair of cell and value is looked at once."""
    for column in before.quasi:
        published = after.columns[column.name]
        if published.shows_means:
            if not _are_means(column, after, visible, rows):
                return False
            continue
        result = regions(column, published)
        pairs = np.unique(published.codes[visible].astype(np.int64) * max(1, column.size) + column.codes[rows])
        cells, values = np.divmod(pairs, max(1, column.size))
        if not result.hold(cells, result.line.places[values]).all():
            return False
    return True


def _are_means(column: Column, after: Table, visible: Rows, rows: Rows) -> bool:
    """Does every class show the mean of its rows, at the decimals it is shown with?"""
    if column.numbers is None:
        return False
    behind = np.full(after.rows, -1, dtype=np.intp)
    behind[visible] = rows
    published, classes = after.columns[column.name], after.classes
    decimals = max((len(text.partition(".")[2]) for text in published.texts), default=0)
    wanted = replace(column, asked=Style("mean", decimals if column.kind == "number" else None))
    keys, cell_of = class_means(wanted, column.codes[behind[classes.order]], classes)
    texts = {key: cell_of(key).text for key in np.unique(keys).tolist()}
    shown = published.codes[classes.order[classes.starts[:-1]]].tolist()
    return all(texts[key] == published.texts[code] for key, code in zip(keys.tolist(), shown, strict=True))
