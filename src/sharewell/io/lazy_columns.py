"""Columns of a file that are read when somebody asks for them, one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from sharewell.io.sources import Source

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, eq=False)
class Waiting:
    """Behaves like an Arrow table in what tables ask of it; row i here is row rows[i] of the file."""

    source: Source
    column_names: list[str]
    rows: NDArray[np.intp] | None = field(default=None, repr=False)

    def select(self, names: Sequence[str]) -> Waiting:
        return replace(self, column_names=list(names))

    def take(self, rows: ArrayLike | pa.Array) -> Waiting:
        import numpy as np

        wanted = np.asarray(rows)
        return replace(self, rows=wanted if self.rows is None else self.rows[wanted])

    def __getitem__(self, name: str) -> pa.ChunkedArray:
        import pyarrow as pa

        column = self.source.read([name])[name]
        return column if self.rows is None else column.take(pa.array(self.rows))
