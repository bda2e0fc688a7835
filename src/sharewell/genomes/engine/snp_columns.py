"""The columns that every table of SNPs begins with, and how they are read back: place, alleles, numbers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from numpy.typing import ArrayLike, NDArray

from sharewell.errors import DataError
from sharewell.genomes.data.snps import Snps

SITE = ("id", "chromosome", "position", "effect", "other")


def site_columns(snps: Snps) -> dict[str, pa.Array]:
    """Where each SNP is, and its alleles."""
    return {
        name: pa.array(snps.position) if name == "position" else pa.array(snps.columns[name].tolist(), pa.string())
        for name in SITE
    }


def sites_of(table: pa.Table) -> Snps:
    """The SNPs of a table; only `id` is needed."""
    if "id" not in table.column_names:
        raise DataError("SNPs — no column id — name every SNP")
    told: dict[str, list[str]] = {}
    for name in SITE:
        if name in table.column_names and name != "position":
            told[name] = cells = table[name].cast(pa.string()).to_pylist()
            if lacking := cells.count(None):
                raise DataError(f"SNPs — {lacking} of {table.num_rows} row(s) lack {name} — complete them")
    position = whole_numbers(table["position"], "position") if "position" in table.column_names else None
    return Snps.of(
        told["id"],
        chromosome=told.get("chromosome"),
        position=position,
        effect=told.get("effect"),
        other=told.get("other"),
    )


def frequencies_of(given: ArrayLike | pa.ChunkedArray, count: int, name: str) -> NDArray[np.float64]:
    """Numbers from 0 to 1, or NaN, one a SNP; from an array or an Arrow column, numbers or text."""
    values = _numbers(given, name)
    if values.shape != (count,):
        raise DataError(f"frequencies — {values.size} of {name} for {count} SNP(s) — give one for each")
    if wrong := int(((values < 0) | (values > 1) | np.isinf(values)).sum()):
        raise DataError(f"frequencies — {wrong} of {count} in {name} are not from 0 to 1 — tell shares, not percent")
    return values


def whole_numbers(given: ArrayLike | pa.ChunkedArray, name: str) -> NDArray[np.int64]:
    values = _numbers(given, name)
    if wrong := int((~np.isfinite(values) | (values != np.floor(values)) | (np.abs(values) > 2**53)).sum()):
        raise DataError(f"column {name} — {wrong} of {len(values)} cell(s) are no whole numbers")
    return values.astype(np.int64)


def count_of(table: pa.Table, name: str) -> int:
    """A number that stands in every row."""
    found = np.unique(whole_numbers(table[name], name))
    if len(found) != 1:
        raise DataError(f"column {name} — {len(found)} different numbers, where every row tells the same")
    return int(found[0])


def _numbers(given: ArrayLike | pa.ChunkedArray, name: str) -> NDArray[np.float64]:
    try:
        if isinstance(given, pa.Array | pa.ChunkedArray):
            given = given.cast(pa.float64()).to_numpy()
        return np.asarray(given, dtype=np.float64)
    except (pa.ArrowException, TypeError, ValueError):
        raise DataError(f"column {name} — some cells are no numbers") from None
