"""Dataframes of any kind in, and the same kind out. Narwhals is imported only when a frame is not Arrow already."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import pyarrow as pa

from sharewell.errors import DataError

if TYPE_CHECKING:
    import narwhals as nw
    import pandas as pd
    from narwhals.typing import IntoDataFrame, IntoFrame


def to_arrow(frame: object, unread: Callable[[str], bool] = lambda name: False) -> tuple[pa.Table, str]:
    """An Arrow table, and the name of the library it came from.

    Columns that are `unread` are not converted: they have no values in the table, unless it was Arrow's before.
    """
    if isinstance(frame, pa.RecordBatch):
        frame = pa.Table.from_batches([frame])
    if isinstance(frame, pa.Table):
        return _without_views(frame), "pyarrow"
    import narwhals as nw

    try:
        wrapped = nw.from_native(cast("IntoFrame", frame))
    except nw.exceptions.DuplicateError:
        raise DataError("the frame — two columns of one name — rename one") from None
    except TypeError:
        kind = type(frame).__name__
        raise DataError(
            f"a {kind} is not a dataframe — pandas, polars, Arrow, DuckDB or anything else that narwhals knows"
        ) from None
    collected = wrapped.collect() if isinstance(wrapped, nw.LazyFrame) else wrapped
    names = list(map(str, collected.columns))
    left = [name for name in names if unread(name)]
    arrow = _converted(collected.drop(left) if left else collected)
    for name in left:
        arrow = arrow.append_column(name, pa.nulls(len(collected)))
    arrow = arrow.select(names)  # pandas adds its index as columns; the user's stay, in their order
    return arrow.replace_schema_metadata(None), str(collected.implementation).rpartition(".")[2].lower()


def _converted(wrapped: nw.DataFrame[IntoDataFrame]) -> pa.Table:
    """To Arrow; if that fails, the message names the columns that cannot be converted, and quotes no cell."""
    try:
        arrow = _from_pandas(wrapped) if wrapped.implementation.is_pandas() else wrapped.to_arrow()
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        odd = [name for name in wrapped.columns if not _converts(wrapped, name)]
        names = ", ".join(map(str, odd)) or "some columns together"
        advice = "give every column values of one type, such as text, or leave it out"
        raise DataError(f"the frame — values of several types in one column: {names} — {advice}") from None
    return _without_views(arrow)


def _from_pandas(wrapped: nw.DataFrame[IntoDataFrame]) -> pa.Table:
    """Without the index; one thread is quicker for all but the widest frames."""
    return pa.Table.from_pandas(wrapped.to_native(), preserve_index=False, nthreads=1)


def _without_views(arrow: pa.Table) -> pa.Table:
    """String views as plain strings: Arrow cannot yet reorder them."""
    for i, column in enumerate(arrow.schema):
        if pa.types.is_string_view(column.type):
            arrow = arrow.set_column(i, column.name, arrow.column(i).cast(pa.large_string()))
    return arrow


def _converts(wrapped: nw.DataFrame[IntoDataFrame], name: str) -> bool:
    try:
        wrapped.select(name).to_arrow()
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return False
    return True


def from_arrow(arrow: pa.Table, backend: str) -> Any:
    """An Arrow table as a frame of the given library."""
    if backend == "pyarrow":
        return arrow
    import narwhals as nw

    library: Any = backend
    frame = nw.from_arrow(arrow, backend=library).to_native()
    if backend == "pandas":
        integers_with_gaps = [f.name for f in arrow.schema if pa.types.is_integer(f.type) and arrow[f.name].null_count]
        for name in integers_with_gaps:  # pandas would turn whole numbers with gaps into floats, and lose digits
            frame[name] = arrow[name].to_pandas(types_mapper=lambda kind: _nullable(kind))
    return frame


def _nullable(kind: pa.DataType) -> pd.api.extensions.ExtensionDtype:
    import pandas as pd

    return pd.api.types.pandas_dtype(str(kind).replace("int", "Int").replace("uInt", "UInt"))
