"""What stands for the persons of a table: pseudonyms that end at a class, or one for all rows of a person."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np
import pyarrow as pa

from sharewell.io.pieces import bytes_in
from sharewell.keys import DIGEST_BYTES, PSEUDONYM_BYTES, Key, PersonNames, framed, hmac_digests
from sharewell.person_names import key_of_names
from sharewell.pseudonym_columns import Raw, pseudonyms, shortened
from sharewell.spelling import folded
from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Indices, Ints
from sharewell.tables.engine.classes import Classes, distinct_rows, group
from sharewell.tables.engine.columns import Codes, Column
from sharewell.tables.engine.sorted_columns import PseudonymColumn

_CLASSES = 1 << 12
"""Classes whose persons are Python objects at a time."""


def within_classes(released: Table, dataset: str, key: Key) -> PseudonymColumn:
    """HMAC(dataset, class, person) for each row: persons can be counted within a class, and followed nowhere else."""
    subject, classes = released.subject, released.classes
    assert subject is not None
    secrets = key.scope_secrets(dataset, _shown(released, classes.order[classes.starts[:-1]]))
    codes, starts, again = _once_a_class(classes, subject)
    raw = np.empty((len(codes), PSEUDONYM_BYTES), np.uint8)
    for begin in range(0, classes.count, _CLASSES):
        ends = starts[begin : begin + _CLASSES + 1]
        within = slice(ends[0], ends[-1])
        people = list(bytes_in(subject.values.take(pa.array(codes[within]))))
        raw[within] = shortened(_digests(secrets[begin * DIGEST_BYTES :], people, (ends - ends[0]).tolist()))
    names, there = np.zeros((released.rows, PSEUDONYM_BYTES), np.uint8), np.zeros(released.rows, dtype=bool)
    names[classes.order] = raw if again is None else raw[again]
    there[classes.order] = subject.codes[classes.order] < subject.known
    return PseudonymColumn(names, None if there.all() else there)


def _shown(released: Table, first: Indices) -> Iterable[tuple[bytes, ...]]:
    """What each class shows, as parts of a message; `first` is a row of each."""
    parts = []
    for column in released.quasi:
        texts = [framed(text) for text in column.texts]
        parts.append([texts[code] for code in column.codes[first].tolist()])
    return zip(*parts, strict=True) if parts else [()] * len(first)


def _once_a_class(classes: Classes, subject: Column) -> tuple[Codes, Indices, Indices | None]:
    """The persons of each class, each once; where each class begins among them; which of them every row's is."""
    codes = subject.codes[classes.order]
    if classes.subject is None:
        return codes, classes.starts, None
    keys, again = np.unique(classes.class_of * subject.size + codes, return_inverse=True)
    starts = np.searchsorted(keys, np.arange(classes.count + 1) * subject.size)
    return (keys % max(1, subject.size)).astype(np.int32), starts, again


def _digests(secrets: bytes, people: list[bytes], ends: list[int]) -> bytes:
    """The digests of the persons of some classes, each under the secret of its class."""
    return b"".join(
        hmac_digests(secrets[number * DIGEST_BYTES : (number + 1) * DIGEST_BYTES], people[begin:end])
        for number, (begin, end) in enumerate(pairwise(ends))
    )


def whole_trails(released: Table, dataset: str, key: Key) -> PseudonymColumn:
    """One pseudonym for all rows of a person, or for all of each piece into which a mechanism broke them."""
    subject = released.subject
    assert subject is not None
    if released.trails is None:
        return _of_each_row(subject, pseudonyms(key_of_names(key, dataset), subject.values))
    trail = distinct_rows(subject.codes, released.trails.piece)
    _, first = np.unique(trail, return_index=True)
    codes, pieces = subject.codes[first], released.trails.piece[first]
    raw = np.empty((len(first), PSEUDONYM_BYTES), np.uint8)
    order, starts = group([pieces], len(pieces))
    for rows in np.split(order, starts[1:-1]):
        scoped = key_of_names(key, dataset, int(pieces[rows[0]]))
        raw[rows] = pseudonyms(scoped, subject.values.take(pa.array(codes[rows])))
    return _of_each_row(subject, raw, trail)


def for_evidence(released: Table, dataset: str, key: Key) -> PseudonymColumn:
    """One pseudonym a person for internal/ alone: criteria that look at the whole table count each person once."""
    subject, scoped = released.subject, key.of_persons(dataset)
    assert subject is not None
    return of_persons(subject, scoped)


def of_persons(subject: Column, scoped: PersonNames) -> PseudonymColumn:
    """The pseudonym of each row's person; null: nobody's."""
    names = folded(subject.values) if scoped.folded else subject.values
    return _of_each_row(subject, pseudonyms(scoped.key, names))


def _of_each_row(subject: Column, raw: Raw, number: Ints | Codes | None = None) -> PseudonymColumn:
    """`number` says which of the pseudonyms a row has; None: that of its person's code."""
    there = None if not subject.has_missing else subject.codes < subject.known
    return PseudonymColumn(raw.take(subject.codes if number is None else number, axis=0), there)
