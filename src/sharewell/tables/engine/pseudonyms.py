"""What stands for the persons of a table: pseudonyms that end at a class, or one for all rows of a person."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.keys import PSEUDONYM_BYTES, Key, PersonNames, framed
from sharewell.many_digests import Raw, hmacs
from sharewell.person_names import key_of_names
from sharewell.pseudonym_columns import pseudonyms
from sharewell.spelling import folded
from sharewell.tables.data import Indices, Ints, Table
from sharewell.tables.engine.classes import Classes, distinct_rows, group
from sharewell.tables.engine.columns import Codes, Column
from sharewell.tables.engine.sorted_columns import PseudonymColumn


def within_classes(released: Table, dataset: str, key: Key) -> PseudonymColumn:
    """HMAC(dataset, class, person) for each row: persons can be counted within a class, and followed nowhere else."""
    subject, classes = released.subject, released.classes
    assert subject is not None
    secrets = _secrets(released, dataset, key, classes.order[classes.starts[:-1]])
    codes, starts, again = _once_a_class(classes, subject)
    raw = hmacs(secrets, starts, subject.values, codes, PSEUDONYM_BYTES)
    names, there = np.zeros((released.rows, PSEUDONYM_BYTES), np.uint8), np.zeros(released.rows, dtype=bool)
    names[classes.order] = raw if again is None else raw[again]
    there[classes.order] = subject.codes[classes.order] < subject.known
    return PseudonymColumn(names, None if there.all() else there)


def _secrets(released: Table, dataset: str, key: Key, first: Indices) -> bytes:
    """The secret of `key.scoped` with what a class shows, for each class, end to end; `first` is a row of each."""
    begin = b"".join(framed(part) for part in ("pseudonym", dataset))
    shown = [pa.array([begin], pa.large_binary()).take(pa.array(np.zeros(len(first), np.int64)))]
    for column in released.quasi:
        texts = pa.array([framed(text) for text in column.texts], pa.large_binary())
        shown.append(texts.take(pa.array(column.codes[first])))
    messages = pc.binary_join_element_wise(*shown, pa.scalar(b"", pa.large_binary()))
    return hmacs(key.secret, None, messages).tobytes()


def _once_a_class(classes: Classes, subject: Column) -> tuple[Codes, Indices, Indices | None]:
    """The persons of each class, each once; where each class begins among them; which of them every row's is."""
    codes = subject.codes[classes.order]
    if classes.subject is None:
        return codes, classes.starts, None
    keys, again = np.unique(classes.class_of * subject.size + codes, return_inverse=True)
    starts = np.searchsorted(keys, np.arange(classes.count + 1) * subject.size)
    return (keys % max(1, subject.size)).astype(np.int32), starts, again


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
    return of_persons(released, key.of_persons(dataset))


def of_persons(released: Table, scoped: PersonNames) -> PseudonymColumn:
    """The pseudonym of each row's person; null: nobody's."""
    subject = released.subject
    assert subject is not None
    names = folded(subject.values) if scoped.folded else subject.values
    return _of_each_row(subject, pseudonyms(scoped.key, names))


def _of_each_row(subject: Column, raw: Raw, number: Ints | Codes | None = None) -> PseudonymColumn:
    """`number` says which of the pseudonyms a row has; None: that of its person's code."""
    there = None if not subject.has_missing else subject.codes < subject.known
    return PseudonymColumn(raw.take(subject.codes if number is None else number, axis=0), there)
