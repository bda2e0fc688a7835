"""Codes counted by class: equal labels of two classes are different labels.

A combination of codes is then in as many records as hold it *inside a class*, and whatever counts combinations for all
records counts them class by class.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import contained, distinct

if TYPE_CHECKING:
    from sharewell.codes import CodeSets

Ints = NDArray[np.int64]


def codes_by_class(codes: CodeSets, class_of_row: NDArray[np.intp]) -> CodeSets:
    """Each class with codes of its own; codes that lie in the same labels of the class are one."""
    universe = max(1, len(codes.names))
    row, item = codes.sets.row_of, codes.sets.items.astype(np.int64)
    owner = class_of_row[row]
    rows, keys = [], []
    mixed = _overlapping(codes, owner, item)
    plain = ~contained(owner, mixed)
    rows.append(row[plain])
    keys.append(owner[plain] * universe + item[plain])
    beyond = (int(class_of_row.max(initial=0)) + 1) * universe
    for class_number in mixed.tolist():
        members = np.flatnonzero(class_of_row == class_number)
        atoms = codes.take(members).atoms
        rows.append(members[atoms.sets.row_of])
        keys.append(beyond + atoms.sets.items)
        beyond += atoms.count
    _, number, times = np.unique(np.concatenate(keys), return_inverse=True, return_counts=True)
    rank = np.argsort(np.argsort(-times, kind="stable"), kind="stable")
    sets = type(codes.sets).of_pairs(np.concatenate(rows), rank[number], codes.records)
    names = tuple(map(str, range(len(times))))
    members_of = tuple((name,) for name in names)
    return replace(codes, sets=sets, names=names, members=members_of, labels=None, visits=None, hierarchy=None)


def _overlapping(codes: CodeSets, owner: NDArray[np.intp], item: Ints) -> NDArray[np.intp]:
    """The classes in which some code lies in two labels."""
    if not codes.published or sum(map(len, codes.members)) == len(codes.codes):
        return np.zeros(0, dtype=np.intp)
    number = {code: i for i, code in enumerate(codes.codes)}
    covers = [np.array([number[code] for code in members], dtype=np.int64) for members in codes.members]
    universe = max(1, len(codes.names))
    classes, labels = np.divmod(distinct(owner * universe + item), universe)
    begins = np.flatnonzero(np.append(True, classes[1:] != classes[:-1])[: len(classes)])
    overlapping = []
    for class_number, shown in zip(classes[begins].tolist(), np.split(labels, begins[1:]), strict=True):
        if len(shown) > 1:
            covered = np.concatenate([covers[label] for label in shown.tolist()])
            if len(np.unique(covered)) < len(covered):
                overlapping.append(class_number)
    return np.array(overlapping, dtype=np.intp)
