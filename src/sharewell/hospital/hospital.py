"""The synthetic hospital: one frozen description, from which every table follows, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import pyarrow as pa

from sharewell.errors import DataError
from sharewell.hospital.block import LINES, TABLES, Block
from sharewell.hospital.calendar import Window
from sharewell.hospital.illness import load_catalogue
from sharewell.hospital.patients import MOST
from sharewell.hospital.people import QUARTER
from sharewell.hospital.places import load_places
from sharewell.io.rowfile import LineFile, RowFile

BLOCK = 4_000  # patients a block: memory does not grow with the hospital


@dataclass(frozen=True)
class Hospital:
    """A town, its register and its hospital. The same arguments always give the same bytes.

    patients           how many patients; 100 patients are the first 100 of 1,000
    seed               another seed, another town
    home_zip3          the prefix that two thirds of the people live in
    start, years       the window of the visits; ages are those on its last day
    population_factor  people in the register for each patient (patients included)
    notes              write notes.jsonl and truth/note_spans.jsonl
    dirty              missing cells, guessed birth dates, mixed formats, blanks: what real records look like
    enrich             make a common code of the tables more frequent, e.g. {"D57.1": 20}

    >>> Hospital(patients=3, seed=1).frame("link").num_rows
    3
    """

    patients: int = 20_000
    seed: int = 7
    home_zip3: str = "021"
    start: date = date(2023, 1, 1)
    years: int = 3
    population_factor: int = 5
    notes: bool = True
    dirty: bool = True
    enrich: Mapping[str, float] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if not 1 <= self.patients <= MOST:
            raise DataError(f"hospital: patients — {self.patients} — choose 1 to {MOST:,}")
        if not (1 <= self.population_factor <= 100 and 1 <= self.years <= 20 and 1950 <= self.start.year <= 2035):
            raise DataError("hospital: population_factor 1 to 100, years 1 to 20, start 1950 to 2035 — out of range")
        if self.patients * self.population_factor >= 2**32:
            raise DataError("hospital: the register would hold more than 2**32 people — lower population_factor")
        unknown = sorted(set(self.enrich) - set(load_catalogue().codes))
        if unknown:
            raise DataError(f"hospital: enrich — codes not in the table: {', '.join(unknown)} — see diagnoses.csv")
        load_places(self.home_zip3)

    @property
    def window(self) -> Window:
        """The days that it covers."""
        return Window.of(self.start, self.years)

    def blocks(self) -> Iterator[Block]:
        """The hospital in pieces of constant size, each with every table about its people."""
        for first in range(0, self.patients, BLOCK):
            yield Block(self, first // QUARTER, min(BLOCK, self.patients - first))

    def tables(self, name: str) -> Iterator[pa.Table]:
        """A table of `TABLES`, block by block."""
        return (block.rows(name) for block in self.blocks())

    def frame(self, name: str) -> pa.Table:
        """A whole table in memory, for small hospitals; `name` is one of the tables, or notes, note_spans."""
        if name in LINES:
            return pa.Table.from_pylist([row for block in self.blocks() for row in block.lines(name)])
        if name not in TABLES:
            raise DataError(f"hospital: no table of that name — there are {', '.join([*TABLES, *LINES])}")
        return pa.concat_tables(self.tables(name)).combine_chunks()

    def write(self, directory: Path, progress: Callable[[int, int], None] | None = None) -> dict[str, int]:
        """Stream every table into a directory; the number of rows of each comes back.

        `progress(done, all)` is called after each block with the number of patients written.
        """
        lines = LINES if self.notes else {}
        done = 0
        with ExitStack() as open_files:
            files: dict[str, RowFile | LineFile] = {}
            for block in self.blocks():
                for name, path in TABLES.items():
                    rows = block.rows(name)
                    if name not in files:
                        files[name] = open_files.enter_context(closing(RowFile(directory / path, rows.column_names)))
                    files[name].write(rows)
                for name, path in lines.items():
                    if name not in files:
                        files[name] = open_files.enter_context(closing(LineFile(directory / path)))
                    files[name].write(block.lines(name))
                done += block.size
                if progress:
                    progress(done, self.patients)
        return {name: file.rows for name, file in files.items()}
