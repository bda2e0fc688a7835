"""Dataframes of any kind in, and the same kind out. Narwhals is imported only when a frame is not Arrow already."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from sharewell.errors import DataError


def to_arrow(frame: Any) -> tuple[Any, str]:
    """An Arrow table, and the name of the library it came from."""
    if isinstance(frame, pa.Table):
        return frame, "pyarrow"
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame]), "pyarrow"
    import narwhals as nw

    try:
        wrapped: Any = nw.from_native(frame)
    except TypeError:
        kind = type(frame).__name__
        raise DataError(
            f"a {kind} is not a dataframe — pandas, polars, Arrow, DuckDB or anything else that narwhals knows"
        ) from None
    if isinstance(wrapped, nw.LazyFrame):
        wrapped = wrapped.collect()
    arrow = wrapped.to_arrow()
    if any(name.startswith("__index_level") for name in arrow.column_names):
        arrow = arrow.select([c for c in arrow.column_names if not c.startswith("__index_level")])
    return arrow.replace_schema_metadata(None), str(wrapped.implementation).rpartition(".")[2].lower()


def from_arrow(arrow: Any, backend: str) -> Any:
    """An Arrow table as a frame of the given library."""
    if backend == "pyarrow":
        return arrow
    import narwhals as nw

    library: Any = backend
    return nw.from_arrow(arrow, backend=library).to_native()
