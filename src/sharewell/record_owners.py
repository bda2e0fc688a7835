"""Whose each record is, by numbers into a list of names: a sequence of names that takes little time to join by.

>>> owners = RecordOwners.of(["ann", None, "ann"])
>>> list(owners), owners[2], len(owners), owners.codes.tolist(), owners.names.to_pylist()
(['ann', None, 'ann'], 'ann', 3, [0, 1, 0], ['ann', None])
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class RecordOwners(Sequence[str | None]):
    """The person of each record; None where nobody is named. Names may occur twice, and need not occur at all."""

    names: pa.Array
    codes: NDArray[np.int64]
    """Of each record: its place among the names."""

    @classmethod
    def of(cls, persons: Sequence[str | None]) -> RecordOwners:
        if isinstance(persons, RecordOwners):
            return persons
        encoded = pa.array(persons, pa.string()).dictionary_encode(null_encoding="encode")
        return cls(encoded.dictionary, np.asarray(encoded.indices).astype(np.int64))

    def renamed(self, names: pa.Array) -> RecordOwners:
        """The same records with other names, one for each."""
        return RecordOwners(names, self.codes)

    @cached_property
    def _texts(self) -> list[str | None]:
        texts: list[str | None] = self.names.to_pylist()
        return texts

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[str | None]:
        texts = self._texts
        return (texts[code] for code in self.codes.tolist())

    @overload
    def __getitem__(self, place: int) -> str | None: ...

    @overload
    def __getitem__(self, place: slice) -> RecordOwners: ...

    def __getitem__(self, place: int | slice) -> str | RecordOwners | None:
        if isinstance(place, slice):
            return RecordOwners(self.names, self.codes[place])
        return self._texts[int(self.codes[place])]
