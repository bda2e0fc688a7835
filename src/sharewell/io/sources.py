"""Where data comes from: a lazy, hashed description of one file, or of a frame in memory.

Nothing here ever quotes a cell: exceptions of readers are replaced by our own with place, counts and what to do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from sharewell.errors import DataError
from sharewell.io import formats
from sharewell.io.columnar import parquet_rows
from sharewell.io.delimited import Delimited
from sharewell.io.plain_files import open_plain
from sharewell.parameters import As
from sharewell.roles import did_you_mean
from sharewell.terminal_text import legible

if TYPE_CHECKING:
    import pyarrow as pa

Format = str
"""The word by which a policy names a format."""
FORMATS: tuple[Format, ...] = ("csv", *formats.FORMATS)
"""Formats of tables."""
DNA: tuple[Format, ...] = ("bed", "vcf", "fasta")
"""Formats of DNA: a source of such a file names and hashes it; the genomes wing reads it."""
SUFFIXES = {ending: name for name, form in formats.FORMATS.items() for ending in form.endings}
SUFFIXES |= dict.fromkeys((".csv", ".tsv", ".txt"), "csv")
SUFFIXES |= {".bed": "bed", ".vcf": "vcf", ".bcf": "vcf", ".fasta": "fasta", ".fa": "fasta"}
LARGE = {"csv": formats.LARGE} | {name: form.large for name, form in formats.FORMATS.items()}
"""Bytes of a file beyond which columns that no algorithm looks at stay on disk."""


@dataclass(frozen=True)
class Source:
    """One table to read. `columns` maps our names to the file's, where they differ."""

    path: Path | None = None
    format: Format = "csv"
    encoding: str | None = None
    separator: str | None = None
    missing: tuple[str, ...] = ()
    """Texts that mean "no value", besides the empty one."""
    newlines: bool = False
    """May cells of a CSV file hold line ends that look like records? Usually that is a quote that was never closed."""
    columns: Mapping[str, str] = field(default_factory=dict)
    multiallelic: Literal["refuse", "split"] = "refuse"
    """Of VCF: sites of several alternatives."""
    haploid: Literal["refuse", "double", "missing"] = "refuse"
    """Of VCF: calls of one allele."""
    frame: object = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, origin: object) -> Source:
        """From a Source, a path, or a dataframe."""
        if isinstance(origin, Source):
            return origin
        if isinstance(origin, str | Path):
            path = Path(origin)
            ending = Path(path.stem).suffix if path.suffix.lower() == ".gz" else path.suffix
            return cls(path, SUFFIXES.get(ending.lower(), "csv"))
        return cls(frame=origin)

    def under(self, base: Path) -> Source:
        """The same with a relative path taken from `base`."""
        return self if self.path is None else replace(self, path=base / self.path)

    @property
    def label(self) -> str:
        """How messages name it: the file's name, never its contents."""
        return "the frame" if self.path is None else legible(self.path.name)

    def __repr__(self) -> str:
        return f"Source({self.label})"

    @cached_property
    def sha256(self) -> str:
        """The hash by which a verifier recognises the file."""
        if self.path is None:
            raise DataError("the frame — has no file, so no hash — write it to a file to name it as evidence")
        return sha256(self.path)

    def names(self) -> list[str]:
        """The column names under which the table is known here; a file of DNA has none."""
        if self.format in DNA:
            self._refuse_absent()
            return []
        return list(self._renamed(self._file_names()))

    @property
    def is_large(self) -> bool:
        """Is the file so large that columns nobody computes with should stay on disk?"""
        if self.path is None or self.format in DNA or not self.path.is_file():
            return False
        return self.path.stat().st_size > LARGE[self.format]

    def batches(self, columns: Sequence[str] | None = None, rows: int = 1 << 18) -> Iterator[pa.Table]:
        """The same as `read`, piece by piece in file order, for files that should not be in memory at once."""
        for piece in self._pieces(self._file_columns(columns), rows):
            yield self._tidied(piece, columns)

    def read(self, columns: Sequence[str] | None = None) -> pa.Table:
        """An Arrow table; every CSV column is text, and an empty cell is missing."""
        return self._tidied(self._read(self._file_columns(columns)), columns)

    def _file_columns(self, columns: Sequence[str] | None) -> list[str] | None:
        """What the file calls these columns."""
        if columns is None:
            return None
        self.refuse_unknown(columns)
        return [self.columns.get(name, name) for name in columns]

    def refuse_unknown(self, columns: Sequence[str]) -> None:
        known = self.names()
        for name in columns:
            if name not in known:
                hint = did_you_mean(name, known) or f"it has {len(known)} others; map names with `columns:`"
                raise DataError(f"{self.label} — no column '{name}' — {hint}")

    def _renamed(self, names: Sequence[str]) -> list[str]:
        twice = sorted({n for n in names if names.count(n) > 1}) if len(set(names)) < len(names) else []
        if twice:
            raise DataError(
                f"{self.label} — {len(twice)} name(s) stand for two columns or more — has it a header line?"
            )
        our_names = {in_file: name for name, in_file in self.columns.items()}
        for in_file in our_names:
            if in_file not in names:
                hint = did_you_mean(in_file, names) or f"it has {len(names)} others"
                raise DataError(f"{self.label} — no column '{in_file}' — {hint}")
        return [our_names.get(name, name) for name in names]

    def _tidied(self, table: pa.Table, columns: Sequence[str] | None) -> pa.Table:
        """Our names; dictionaries decoded, for they may list values that no row has; "no value" texts made missing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        table = table.rename_columns(list(columns) if columns is not None else self._renamed(table.column_names))
        for i, name in enumerate(table.column_names):
            column = table[name]
            if pa.types.is_dictionary(column.type):
                column = column.cast(column.type.value_type)
            if self.missing and not pa.types.is_nested(column.type) and not pa.types.is_binary(column.type):
                empty = pc.is_in(column.cast(pa.string()), pa.array(self.missing, pa.string()))
                column = pc.if_else(empty, pa.scalar(None, column.type), column)
            if column is not table[name]:
                table = table.set_column(i, name, column)
        return table

    def _file_names(self) -> list[str]:
        if self.path is None or not self.path.is_file():
            return list(self._read().column_names)
        form = formats.FORMATS.get(self.format)
        return list(self._delimited().dialect.header) if form is None else form.names(self.path)

    def _read(self, only: list[str] | None = None) -> pa.Table:
        if self.path is None:
            from sharewell.io.frames import to_arrow

            table = to_arrow(self.frame)[0]
            return table if only is None else table.select(only)
        self._refuse_absent()
        if self.format == "csv":
            return self._delimited().read(only)
        if self.format in DNA:
            raise DataError(f"{self.label} — {self.format} holds DNA, not a table — name a table")
        return formats.FORMATS[self.format].table(self.path, only)

    def rows_in_header(self) -> int | None:
        """How many rows the file says it has, where it does so before it is read."""
        return parquet_rows(self.path) if self.format == "parquet" and self.path is not None else None

    def _pieces(self, only: list[str] | None, rows: int) -> Iterator[pa.Table]:
        if self.path is None or self.format in DNA:
            yield self._read(only)
        elif self.format == "csv":
            yield from self._delimited().pieces(only)
        else:
            self._refuse_absent()
            yield from formats.FORMATS[self.format].pieces(self.path, only, rows)

    def _delimited(self) -> Delimited:
        assert self.path is not None
        self._refuse_absent()
        return Delimited(self.path, self.label, self.encoding, self.separator, self.newlines)

    def _refuse_absent(self) -> None:
        assert self.path is not None
        if self.path.is_dir():
            raise DataError(f"{self.path} — a directory, not a file — name the file in it")
        if not self.path.is_file():
            near = [p.name for p in self.path.parent.iterdir()] if self.path.parent.is_dir() else []
            raise DataError(f"{self.path} — no such file — {did_you_mean(self.path.name, near) or 'check the path'}")


Evidence = Annotated[Source | Any, As(Source.of)]
"""What an algorithm is given to compare with: a source, a path or a dataframe."""


def sha256(path: Path) -> str:
    """The SHA-256 of a file, read in pieces."""
    with open_plain(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def same_file(first: Path, second: Path) -> bool:
    """One file, or a copy of it."""
    try:
        if first.resolve() == second.resolve():
            return True
        return first.stat().st_size == second.stat().st_size and sha256(first) == sha256(second)
    except (OSError, DataError):  # a missing file is no copy
        return False
