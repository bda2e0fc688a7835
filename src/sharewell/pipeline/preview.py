"""Preview: what would be published. Protects in memory, and shows what becomes of each column and a dozen rows.

Nothing is written, and the key is thrown away: pseudonyms, shifts and invented names will be others in a release. Rows
are for a screen alone: neither `repr` nor JSON holds them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from sharewell import registry
from sharewell.errors import Infeasible, SharewellError
from sharewell.io.external_sort import SortedRows
from sharewell.io.sources import DNA, Source
from sharewell.keys import Key
from sharewell.pipeline.column_fates import ColumnFate, fate_of, fate_of_listed, merged, unpublished
from sharewell.pipeline.completion import completed
from sharewell.pipeline.mechanism_choice import choose
from sharewell.pipeline.sized_steps import file_bytes
from sharewell.pipeline.text_columns import rewrite_some, text_columns
from sharewell.plain_data import JsonObject
from sharewell.policy.model import Dataset, Policy
from sharewell.progress import Progress, SizedStep
from sharewell.protocols import ListedValues, Protected
from sharewell.wing import ColumnFacts, Data, Published, Wing

ROWS = 12
"""This many rows are shown."""
SAMPLE = 20_000
"""Larger files are previewed on this many of their rows, evenly spread."""
CHARGED = "what it publishes is charged to its ledger, so that nothing is shown before a release"
_PIECE = 65_536


@dataclass(frozen=True)
class Preview:
    """What one dataset would publish."""

    columns: tuple[ColumnFate, ...] = ()
    rows: tuple[Mapping[str, str | None], ...] = field(default=(), repr=False)
    """A few published rows, evenly spread over the file; for a screen alone."""
    tried_rows: int = 0
    """Records that were protected for it."""
    why_not: str = ""
    """Why there is nothing to show."""

    def to_json(self) -> JsonObject:
        """Without the rows."""
        return {
            "columns": [one.to_json() for one in self.columns],
            "tried_rows": self.tried_rows,
            "why_not": self.why_not,
        }


def preview(policy: Policy, dataset: Dataset, progress: Progress = lambda step: None) -> Preview:
    """Protect one dataset in memory and look at what would be published of it."""
    wing = registry.wing(dataset.kind)
    if not wing.capabilities().previewed:
        return Preview(why_not=CHARGED)
    progress(SizedStep.of(f"previewing {dataset.name}", f"previewing {dataset.kind}", file_bytes(dataset.read.path)))
    dataset = _small(dataset)
    key = Key.fresh()
    with tempfile.TemporaryDirectory(prefix="sharewell-") as scratch:
        data = wing.open(dataset, policy.path.parent, Path(scratch))
        dataset = completed(dataset, data)
        try:
            chosen = choose(wing, data, dataset, key, progress)
        except SharewellError as error:
            return Preview(tried_rows=data.rows, why_not=str(error).splitlines()[0])
        return _shown(wing, data, chosen.protected, chosen.dataset, key, Path(scratch))


def _small(dataset: Dataset) -> Dataset:
    """The dataset with evenly spread rows of a large file in its place; of other files, and of DNA, all."""
    source = dataset.read
    if source.format in DNA or source.path is None or not source.is_large:
        return dataset
    rows = sum(piece.num_rows for piece in source.batches(None, _PIECE))
    step, first, kept = max(1, -(-rows // SAMPLE)), 0, []
    for piece in source.batches(None, _PIECE):
        kept.append(piece.take(pa.array(np.arange(-first % step, piece.num_rows, step))))
        first += piece.num_rows
    return replace(dataset, read=Source.of(pa.concat_tables(kept)))


def _shown(
    wing: Wing[Data], data: Data, protected: Protected[Data], dataset: Dataset, key: Key, scratch: Path
) -> Preview:
    """Texts are numbered for the time of publishing, and only those that are shown are rewritten."""
    texts, carrier = list(text_columns(dataset)), wing.capabilities().text_columns
    numbered = protected
    if texts and carrier is not None:
        numbers = pa.array([str(i) for i in range(protected.data.rows)])
        numbered = carrier.with_columns(protected, dict.fromkeys(texts, numbers))
    published = wing.publish(data, numbered, dataset, key, scratch)
    table = _table(published)
    before = wing.describe(data)
    fates = _fates(dataset, published, table, before, wing.listed_values(data, protected))
    places = np.unique(np.linspace(0, table.num_rows - 1, ROWS).astype(int)) if table.num_rows else np.zeros(0, int)
    some = table.take(pa.array(places)).to_pylist()
    if texts and carrier is not None:
        for name in texts:
            shown = _texts(wing, protected, dataset, name, [int(row[name]) for row in some], key)
            for row, text in zip(some, shown, strict=True):
                row[name] = text
    rows_shown = tuple({name: _text(cell) for name, cell in row.items()} for row in some)
    return Preview(tuple(fates), rows_shown, data.rows)


def _texts(
    wing: Wing[Data], protected: Protected[Data], dataset: Dataset, name: str, rows: Sequence[int], key: Key
) -> list[str | None]:
    """The texts of the rows that are shown; none where all of these would be withheld: other rows may have some."""
    try:
        return rewrite_some(wing, protected, dataset, name, rows, key)[0]
    except Infeasible:
        return [None] * len(rows)


def _table(published: Published) -> pa.Table:
    table = published.table
    return table.in_memory() if isinstance(table, SortedRows) else table


def _fates(
    dataset: Dataset,
    published: Published,
    table: pa.Table,
    before: Mapping[str, JsonObject],
    listed: Mapping[str, ListedValues],
) -> list[ColumnFate]:
    """What becomes of every column of the source, in its order, and then the columns that are new."""
    fates, texts = [], set(text_columns(dataset))
    shown_as: dict[str, list[str]] = {}
    for name, facts in published.dictionary.items():
        whole = facts.get("of", name)
        for column in whole if isinstance(whole, list) else [whole]:
            shown_as.setdefault(str(column), []).append(name)
    for column in dict.fromkeys((*dataset.columns, *before, *shown_as)):
        distinct = before.get(column, {}).get("distinct")
        rule = dataset.columns.get(column)
        role = str(rule.role if rule else before.get(column, {}).get("role", dataset.rest or ""))
        if column not in shown_as and column not in published.dictionary:
            fates.append(unpublished(column, role, distinct))
        for name in shown_as.get(column, []):
            if several := _sources(published.dictionary[name]):
                fates.append(merged(column, role))
                if column != several[-1]:
                    continue
            if name in listed:
                fates.append(fate_of_listed(name, published.dictionary[name], listed[name]))
                continue
            cells = [] if name in texts else list(_cells(table[name]))
            fate = fate_of(name, published.dictionary[name], cells, _values(dataset, column), distinct)
            fates.append(replace(fate, distinct_after=None) if name in texts else fate)
    return fates


def _sources(facts: ColumnFacts) -> list[str]:
    """The columns of which a published one holds what they hold together, as dx1, dx2 … become one set of codes."""
    whole = facts.get("of")
    return list(map(str, whole)) if isinstance(whole, list) and len(whole) > 1 else []


def _cells(column: pa.ChunkedArray) -> Iterator[str | None]:
    """Piece by piece: as a whole, a long column would keep Python's lock, and Ctrl-C would wait."""
    for first in range(0, len(column), _PIECE):
        yield from map(_text, column.slice(first, _PIECE).to_pylist())


def _values(dataset: Dataset, column: str) -> frozenset[str] | None:
    """The values of a column of the source, as texts."""
    if dataset.read.format in DNA:
        return None
    try:
        result = dataset.read.read([column])[column].cast(pa.string()).unique().to_pylist()
    except (SharewellError, pa.ArrowException, KeyError):
        return None
    return frozenset(value for value in result if value is not None)


def _text(cell: object) -> str | None:
    if isinstance(cell, list):
        return ", ".join(str(part) for part in cell)
    return None if cell is None else str(cell)
