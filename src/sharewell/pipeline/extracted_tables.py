"""Notes → table → notes: what notes say of people is protected as a table, and written back into them.

The wing of notes makes the rows and writes cells back; the wing of tables protects the rows; neither knows of the
other. The table is published beside the notes, so that anybody can check it; whose row is which stays in internal/.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from sharewell import registry
from sharewell.errors import DataError, Infeasible
from sharewell.io.sources import Source
from sharewell.io.writing import make_directories, write_salted
from sharewell.keys import Key
from sharewell.pipeline.mechanism_choice import Chosen, choose
from sharewell.policy.extracted import CRITERION, PERSON
from sharewell.policy.model import ConfiguredAlgorithm, Dataset, Policy
from sharewell.roles import Role
from sharewell.wing import Data, Extraction, Records, Wing

_FOLDER = "extracted"


def table_of(policy: Policy, dataset: Dataset) -> Dataset:
    """The dataset of the table, with its rows read from the notes."""
    assert dataset.extract is not None
    wing = registry.wing(dataset.kind)
    rows = _extraction(wing).extract(wing.open(dataset, policy.path.parent), columns_of(dataset.extract))
    if not rows.num_rows:
        raise DataError(f"{dataset.name} — there are no notes to make a table from")
    return replace(dataset.extract, read=Source.of(rows))


def written_back(
    dataset: Dataset, table: Dataset, made: Chosen[Records], partial: Path, file: str, key: Key
) -> Dataset:
    """The notes' dataset with a mechanism that writes the table's cells back, and the criterion that judges it."""
    make_directories(partial / "internal" / _FOLDER)
    path = partial / "internal" / _FOLDER / f"{dataset.name}.parquet"
    write_salted(path, kept_rows(table, made), key.digest("evidence of rows", dataset.name))
    return _written_back(dataset, table, made, Source(path, "parquet"), Source.named(partial / "public" / file))


def tried_back(policy: Policy, dataset: Dataset, table: Dataset) -> Dataset:
    """The same for a plan, which writes nothing; the dataset as it is where the table cannot be protected."""
    wing = registry.wing(table.kind)
    try:
        made = choose(wing, wing.open(table, policy.path.parent), table, Key.fresh())
    except Infeasible:
        return dataset
    rows = kept_rows(table, made)
    return _written_back(dataset, table, made, Source.of(rows), Source.of(rows.drop_columns([PERSON])))


def kept_rows(table: Dataset, made: Chosen[Records]) -> pa.Table:
    """Whose row shows what, for the steward alone."""
    cells = cells_of(table, made)
    kept = {PERSON: list(cells)} | {name: [row[name] for row in cells.values()] for name in columns_of(table)}
    return pa.table({name: pa.array(values, pa.string()) for name, values in kept.items()})


def _extraction(wing: Wing[Data]) -> Extraction[Data]:
    result = wing.capabilities().extraction
    assert result is not None, "loading a policy refuses `extract` for other kinds of data"
    return result


def columns_of(table: Dataset) -> tuple[str, ...]:
    return tuple(name for name, rule in table.columns.items() if rule.role is Role.QUASI)


def _written_back(dataset: Dataset, table: Dataset, made: Chosen[Records], rows: Source, public: Source) -> Dataset:
    columns = columns_of(table)
    criterion = registry.lookup(dataset.kind, "criteria", CRITERION)(rows, public, columns)
    others = tuple(one for one in dataset.require if one.name != CRITERION)
    extraction = _extraction(registry.wing(dataset.kind))
    built = extraction.writing_back(dataset.mechanism, columns, cells_of(table, made))
    using = replace(dataset.using, built=built)
    return replace(dataset, using=using, require=(*others, ConfiguredAlgorithm(CRITERION, {}, criterion)))


def cells_of(table: Dataset, made: Chosen[Records]) -> dict[str, dict[str, str | None]]:
    """Person → published cell by column, of everybody whose row is published."""
    persons = table.read.read([PERSON])[PERSON].to_pylist()
    people = registry.wing(table.kind).capabilities().people
    assert people is not None, "loading a policy makes such a table of a kind of data that can hold it"
    columns = {name: cells.to_pylist() for name, cells in people.quasi_cells(made.protected.data).items()}
    rows = [int(row) for row in made.protected.rows]
    results = {str(persons[row]): {name: cells[i] for name, cells in columns.items()} for i, row in enumerate(rows)}
    return dict(sorted(results.items()))
