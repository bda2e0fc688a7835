"""What the labels of a release may say that they stand for: codes that some published record shows, and no others.

A mechanism sees all records, and gives its labels the codes of all of them. A code that only withheld persons have, or
that was left out of every record that had it, would then still stand in a published label or in the dictionary, and
tell that it occurred. Such codes leave every label. The support of any other combination of codes stays what it was.

>>> from sharewell.codes import CodeSets
>>> original = CodeSets.of([["401.1"], ["401.9"], ["402"]])
>>> label = write_label(original.names)
>>> protected = original.recoded(dict.fromkeys(original.names, label), {label: original.names})
>>> rows = np.array([0, 1])
>>> shown = with_shown_codes(protected.take(rows), original, rows)
>>> shown.names, shown.members
(('(401.1,401.9)',), (('401.1', '401.9'),))

A set of codes is named after those that are left. A node that is called `401.-`, because `401` is a code too, is `401`
again where no record shows that code.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sharewell.codes.engine.labels import read_label, write_label
from sharewell.codes.engine.packed_sets import Ints, Sets, among

if TYPE_CHECKING:
    from sharewell.codes.data import CodeSets

APART = ".-"
"""Ends the name of a node that is called like one of its codes."""
_PAIRS = 5_000_000
"""Pairs of a code and a label of one record that are looked at together."""


def plain_name(label: str) -> str:
    """`401.-` is the node 401, where 401 is a code too."""
    while label.endswith(APART):
        label = label.removesuffix(APART)
    return label


def with_shown_codes(released: CodeSets, original: CodeSets, rows: NDArray[np.integer]) -> CodeSets:
    """The release with labels of shown codes alone; rows: the record of the original that each one comes from."""
    if all(len(codes) == 1 for codes in released.members) or released.visits is not None:
        return released  # every label is a code that a record shows
    shown = _shown(released, original, rows)
    members = [tuple(code for code in codes if code in shown) or codes for codes in released.members]
    if members == list(released.members):
        return released
    names = _named(released, members)
    distinct = list(dict.fromkeys(names))
    place = {name: number for number, name in enumerate(distinct)}
    sets, order = released.sets.renumbered(np.array([place[name] for name in names])).by_support(distinct)
    covered = dict(zip(names, members, strict=True))
    kept = tuple(distinct[number] for number in order)
    return replace(released, sets=sets, names=kept, members=tuple(covered[name] for name in kept), labels=None)


def _shown(released: CodeSets, original: CodeSets, rows: NDArray[np.integer]) -> frozenset[str]:
    """The codes that lie in a published label of their own record; by one recoding for all, in the code's own label."""
    number = {code: i for i, code in enumerate(original.names)}
    covers = [[number[code] for code in codes if code in number] for codes in released.members]
    if released.labels is not None:
        label_of = released.labels
        covers = [
            [i for i in codes if label_of.get(original.names[i]) == name]
            for name, codes in zip(released.names, covers, strict=True)
        ]
    held = original.sets.take(rows)
    universe = len(original.names)
    pairs = Sets.of(covers)
    keys = np.sort(pairs.row_of * universe + pairs.items)
    met = np.zeros(universe, dtype=bool)
    for part in _parts(held.lengths * released.sets.lengths):
        met[_covered(held.take(part), released.sets.take(part), keys, universe)] = True
    return frozenset(original.names[i] for i in np.flatnonzero(met))


def _parts(work: Ints) -> list[Ints]:
    """The records in runs of bounded work."""
    return np.split(np.arange(len(work)), np.flatnonzero(np.diff(np.cumsum(work) // _PAIRS)) + 1)


def _covered(held: Sets, shown: Sets, keys: Ints, universe: int) -> NDArray[np.int32]:
    """The codes of records that a label of the same record covers."""
    times = shown.lengths[held.row_of]
    code = np.repeat(held.items, times)
    label = shown.take(held.row_of).items
    wanted = label.astype(np.int64) * universe + code
    return np.asarray(code[among(wanted, keys)])


def _named(released: CodeSets, members: Sequence[tuple[str, ...]]) -> list[str]:
    """A label that lists its codes lists those that are left; a node keeps its name, apart from codes and others."""
    codes = {code for covered in members for code in covered}
    lists = [tuple(read_label(name)) == before for name, before in zip(released.names, released.members, strict=True)]
    names = [write_label(covered) if listed else "" for covered, listed in zip(members, lists, strict=True)]
    taken = codes | set(names)
    for number, listed in enumerate(lists):
        if not listed:
            name = plain_name(released.names[number])
            while name in taken:
                name += APART
            taken.add(name)
            names[number] = name
    return names
