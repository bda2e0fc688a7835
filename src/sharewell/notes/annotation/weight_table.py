"""The weights of a model as a table: a row for each fact, with a column for each label, of the word and its neighbours.

To read the shipped model and make its table takes a tenth of what a short command needs; so the table is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sharewell.io.kept_files import worked_out_bytes
from sharewell.io.shipped import shipped_bytes
from sharewell.notes.annotation.features import AROUND
from sharewell.notes.annotation.modelfile import Model

PLACES = {f"{by:+d}": row for row, by in enumerate(AROUND, 1)}
"""How a feature begins that is a fact of a neighbour → its place in a row; the word itself has place 0."""
_DEPENDS_ON = ("data/notes", "notes/annotation")
_WHERE, _VALUE = np.dtype("<i4"), np.dtype("<f8")


class WeightTable(NamedTuple):
    """What each fact adds to the scores of a word and of its neighbours."""

    rows: dict[str, int]
    """Fact → its row; the first row is nothing."""
    weights: NDArray[np.float64]
    """Row, place, label."""

    @classmethod
    def of(cls, model: Model) -> WeightTable:
        given = model.weights
        rows = {fact: row for row, fact in enumerate(dict.fromkeys(map(_fact, given)), 1)}
        column = {label: i for i, label in enumerate(model.labels)}
        weights = np.zeros((len(rows) + 1, 1 + len(AROUND), len(column)))
        places = [PLACES.get(feature[:2], 0) for feature in given]
        where = [rows[_fact(feature)] for feature in given]
        counts = list(map(len, given.values()))
        labels = [column[label] for label in chain.from_iterable(given.values())]
        said = list(chain.from_iterable(by_label.values() for by_label in given.values()))
        weights[np.repeat(where, counts), np.repeat(places, counts), labels] = said
        return cls(rows, weights)

    def to_bytes(self) -> bytes:
        """The facts, and below them where weights are and what they are."""
        where = np.flatnonzero(self.weights)
        head = json.dumps({"facts": list(self.rows), "shape": self.weights.shape, "count": len(where)}).encode()
        values = self.weights.ravel()[where]
        return head + b"\n" + where.astype(_WHERE).tobytes() + values.astype(_VALUE).tobytes()

    @classmethod
    def of_bytes(cls, content: bytes) -> WeightTable:
        first, _, numbers = content.partition(b"\n")
        head = json.loads(first)
        weights = np.zeros(head["shape"])
        parted = head["count"] * _WHERE.itemsize
        weights.ravel()[np.frombuffer(numbers[:parted], _WHERE)] = np.frombuffer(numbers[parted:], _VALUE)
        return cls({fact: row for row, fact in enumerate(head["facts"], 1)}, weights)


def _fact(feature: str) -> str:
    return feature[2:] if feature[:2] in PLACES else feature


@dataclass(frozen=True)
class ShippedWeights(Mapping[str, Mapping[str, float]]):
    """The weights of a model that comes with the software, read when somebody asks for them."""

    name: str

    @cached_property
    def _read(self) -> Mapping[str, Mapping[str, float]]:
        return Model.of_bytes(shipped_bytes(self.name), self.name).weights

    def __getitem__(self, feature: str) -> Mapping[str, float]:
        return self._read[feature]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read)

    def __len__(self) -> int:
        return len(self._read)


def shipped_model(name: str) -> tuple[Model, WeightTable]:
    """A model that comes with the software, and its table."""

    def read() -> bytes:
        model = Model.of_bytes(shipped_bytes(name), name)
        empty = Model(model.sheet, model.labels, model.transitions, {})
        return empty.to_bytes() + WeightTable.of(model).to_bytes()

    place = name.rpartition("/")[2].partition(".")[0]
    first, _, rest = worked_out_bytes(f"{place}.weights", _DEPENDS_ON, read).partition(b"\n")
    empty = Model.of_bytes(first, name)
    return Model(empty.sheet, empty.labels, empty.transitions, ShippedWeights(name)), WeightTable.of_bytes(rest)
