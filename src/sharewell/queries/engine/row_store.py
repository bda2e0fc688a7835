"""The rows that count, in a private Parquet file from which every question is answered.

A source is read once: at most this many rows a person are kept, every cell becomes the number of its public label,
and every number lies within its declared bounds. What is not declared is not in the file. The file lies in a directory
of mode 700 that vanishes with the store.
"""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.extras import package
from sharewell.io.writing import remove_tree, write_table
from sharewell.queries.data import MOST_ROWS, ConfidentialTable, Domain, Range
from sharewell.queries.question import All, Compared, Condition, Not, OneOf, Some

if TYPE_CHECKING:
    import polars as pl

CELL, AMOUNT = "cell", "amount"


class RowStore:
    """Rows on disk; what is asked of them is a lazy frame of the cell of each row, and perhaps an amount."""

    def __init__(self, table: ConfidentialTable) -> None:
        self._domains = dict(table.domains)
        self._place = {name: i for i, name in enumerate(self._domains)}
        if table.rows > MOST_ROWS:
            raise DataError(f"{table.source.label} — has more than {MOST_ROWS} rows — split it into several datasets")
        directory = Path(tempfile.mkdtemp(prefix="sharewell-rows-"))  # mode 700
        self._remove = weakref.finalize(self, remove_tree, directory)
        self.path = directory / "rows.parquet"
        write_table(self.path, self._coded(table), "parquet")

    def close(self) -> None:
        self._remove()

    def cells(self, condition: Condition, group_by: Sequence[str], amount_of: str | None = None) -> pl.LazyFrame:
        """One row for each that passes the condition: the number of its group and, of a column, its amount in units.

        Row by row: a row more or less in the table is one more or less here.
        """
        polars = package("polars", "questions")
        cell = polars.col("code0") * 0
        for name in group_by:
            cell = cell * len(self._domains[name].labels) + polars.col(f"code{self._place[name]}")
        wanted = [cell.cast(polars.UInt32).alias(CELL)]
        if amount_of is not None:
            wanted.append(polars.col(f"units{self._place[amount_of]}").alias(AMOUNT))
        rows = polars.scan_parquet(self.path)
        if condition != All():
            rows = rows.filter(self._expression(condition))
        result: pl.LazyFrame = rows.select(wanted)
        return result

    def counts(self, condition: Condition, group_by: Sequence[str], cells: int) -> NDArray[np.int64]:
        """How many rows pass the condition in each group, exactly. Confidential."""
        polars = package("polars", "questions")
        if not group_by:
            rows = polars.scan_parquet(self.path)
            passing = rows if condition == All() else rows.filter(self._expression(condition))
            return np.array([passing.select(polars.len()).collect().item()], dtype=np.int64)
        result = self.cells(condition, group_by).group_by(CELL).agg(polars.len().alias("rows")).collect()
        counts = np.zeros(cells, np.int64)
        counts[result[CELL].to_numpy()] = result["rows"].to_numpy()
        return counts

    def passing(self, condition: Condition) -> NDArray[np.bool_]:
        """Which of the rows that count pass, in their order. Confidential."""
        polars = package("polars", "questions")
        rows = polars.scan_parquet(self.path)
        chosen = rows.select((polars.lit(True) & (polars.col("code0") >= 0) & self._expression(condition)).alias(CELL))
        result: NDArray[np.bool_] = chosen.collect()[CELL].to_numpy()
        return result

    def _expression(self, condition: Condition) -> pl.Expr:
        polars = package("polars", "questions")
        parts: list[pl.Expr]
        match condition:
            case All(given) | Some(given):
                parts = [self._expression(part) for part in given]
                joined = polars.all_horizontal if isinstance(condition, All) else polars.any_horizontal
                result: pl.Expr = joined(parts) if parts else polars.lit(isinstance(condition, All))
                return result
            case Not(part):
                return ~self._expression(part)
            case OneOf(column, values):
                return self._one_of(column, values)
            case Compared(column, operator, number):
                cell = polars.col(f"number{self._place[column]}")
                compared = {"<": cell < number, "<=": cell <= number, ">": cell > number, ">=": cell >= number}
                by_operator: pl.Expr = compared[operator]
                return by_operator

    def _one_of(self, column: str, values: Sequence[str | float]) -> pl.Expr:
        polars, domain, place = package("polars", "questions"), self._domains[column], self._place[column]
        if isinstance(domain, Range):
            numbers: pl.Expr = polars.col(f"number{place}").is_in([float(value) for value in values])
            return numbers
        codes = [domain.labels.index(str(value)) for value in values]
        result: pl.Expr = polars.col(f"code{place}").is_in(polars.Series(codes, dtype=polars.UInt32).implode())
        return result

    def _coded(self, table: ConfidentialTable) -> pa.Table:
        columns: dict[str, pa.Array] = {}
        for place, (name, domain) in enumerate(self._domains.items()):
            cells = table.column(name)
            columns[f"code{place}"] = pa.array(domain.codes(cells).astype(np.uint32))
            if isinstance(domain, Range):
                columns[f"number{place}"] = pa.array(domain.numbers(cells))
                columns[f"units{place}"] = pa.array(domain.units(cells))
        if not columns:
            columns["code0"] = pa.array(np.zeros(len(table.kept), np.uint32))
        return pa.table(columns)


def group_labels(domains: dict[str, Domain], group_by: Sequence[str]) -> list[dict[str, str]]:
    """The public labels of every group, in the order of their numbers."""
    groups: list[dict[str, str]] = [{}]
    for name in group_by:
        groups = [{**group, name: label} for group in groups for label in domains[name].labels]
    return groups
