"""What stands for the persons of a table: pseudonyms that end at a class, or one for all rows of a person."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pyarrow as pa

from sharewell.io.pieces import in_arrow, texts_in
from sharewell.keys import Key
from sharewell.person_names import pseudonym_of
from sharewell.tables.data import Table
from sharewell.tables.engine.classes import distinct_rows


def within_classes(released: Table, dataset: str, key: Key) -> pa.Array:
    """HMAC(dataset, class, person) for each row: persons can be counted within a class, and followed nowhere else."""
    subject, classes = released.subject, released.classes
    assert subject is not None
    first = classes.order[classes.starts[:-1]]
    shown = ([column.texts[code] for code in column.codes[first]] for column in released.quasi)
    scopes = list(zip(*shown, strict=True)) or [()] * classes.count

    def named() -> Iterator[str | None]:
        people = texts_in(subject.values, subject.codes[classes.order])
        for scope, size in zip(scopes, np.diff(classes.starts).tolist(), strict=True):
            scoped = key.scoped(dataset, *scope)
            yield from (scoped.pseudonym(person) if person else None for person in islice(people, size))

    row_of = np.empty(released.rows, dtype=np.int64)
    row_of[classes.order] = np.arange(released.rows)
    return in_arrow(named()).take(pa.array(row_of))


def whole_trails(released: Table, dataset: str, key: Key) -> pa.Array:
    """One pseudonym for all rows of a person, or for all of each piece into which a mechanism broke them."""
    subject = released.subject
    assert subject is not None
    if released.trails is None:
        names = in_arrow(pseudonym_of(key, dataset, text) if text else None for text in texts_in(subject.values))
        return names.take(pa.array(subject.codes))
    trail = distinct_rows(subject.codes, released.trails.piece)
    _, first = np.unique(trail, return_index=True)
    people = zip(texts_in(subject.values, subject.codes[first]), released.trails.piece[first].tolist(), strict=True)
    names = in_arrow(pseudonym_of(key, dataset, text, piece) if text else None for text, piece in people)
    return names.take(pa.array(trail))


def for_evidence(released: Table, dataset: str, key: Key) -> pa.Array:
    """One pseudonym a person for internal/ alone: criteria that look at the whole table count each person once."""
    subject, scoped = released.subject, key.of_persons(dataset)
    assert subject is not None
    names = in_arrow(scoped.pseudonym(text) if text else None for text in texts_in(subject.values))
    return names.take(pa.array(subject.codes))
