"""Where data comes from: a lazy, hashed description of one file, or of a frame in memory.

CSV is read as text, so that leading zeros stay; encoding and separator are found from the first bytes unless given.
Nothing here ever quotes a cell: exceptions of readers are replaced by our own with place, counts and what to do.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal

from sharewell.errors import DataError
from sharewell.io.columnar import arrow_table, parquet_pieces, parquet_rows, parquet_schema, parquet_table
from sharewell.io.jsonlines import jsonl_names, jsonl_tables
from sharewell.io.plain_files import open_plain
from sharewell.io.quoting import Misquoted, check_quotes, pieces_of, swallows_records
from sharewell.legible import legible
from sharewell.parameters import As
from sharewell.roles import did_you_mean

Format = Literal["csv", "parquet", "arrow", "jsonl", "bed", "vcf", "fasta"]
FORMATS: tuple[Format, ...] = ("csv", "parquet", "arrow", "jsonl")
"""Formats of tables."""
DNA: tuple[Format, ...] = ("bed", "vcf", "fasta")
"""Formats of DNA: a source of such a file names and hashes it; the genomes wing reads it."""
SUFFIXES: dict[str, Format] = {".csv": "csv", ".tsv": "csv", ".txt": "csv", ".parquet": "parquet", ".arrow": "arrow"}
SUFFIXES |= {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".bed": "bed",
    ".vcf": "vcf",
    ".bcf": "vcf",
    ".fasta": "fasta",
    ".fa": "fasta",
}
_SEPARATORS = ",;\t|"
_BOMS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
_PEEK = 1 << 16
LARGE: Mapping[Format, int] = {"csv": 1 << 29, "parquet": 1 << 27, "arrow": 1 << 29, "jsonl": 1 << 29}
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
    frame: Any = field(default=None, repr=False, compare=False)

    @classmethod
    def of(cls, given: Any) -> Source:
        """A Source, a path, or a dataframe."""
        if isinstance(given, Source):
            return given
        if isinstance(given, str | Path):
            path = Path(given)
            ending = Path(path.stem).suffix if path.suffix.lower() == ".gz" else path.suffix
            return cls(path, SUFFIXES.get(ending.lower(), "csv"))
        return cls(frame=given)

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

    def batches(self, columns: Sequence[str] | None = None, rows: int = 1 << 18) -> Iterator[Any]:
        """The same as `read`, piece by piece in file order, for files that should not be in memory at once."""
        if columns is None:
            for piece in self._pieces(None, rows):
                yield self._tidied(piece.rename_columns(self._renamed(piece.column_names)))
            return
        self._refuse_unknown(columns)
        for piece in self._pieces([self.columns.get(name, name) for name in columns], rows):
            yield self._tidied(piece.rename_columns(list(columns)))

    def read(self, columns: Sequence[str] | None = None) -> Any:
        """An Arrow table; every CSV column is text, and an empty cell is missing."""
        if columns is None:
            table = self._read()
            return self._tidied(table.rename_columns(self._renamed(table.column_names)))
        self._refuse_unknown(columns)
        table = self._read([self.columns.get(name, name) for name in columns])
        return self._tidied(table.rename_columns(list(columns)))

    def _refuse_unknown(self, columns: Sequence[str]) -> None:
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
        ours = {theirs: our for our, theirs in self.columns.items()}
        for theirs in ours:
            if theirs not in names:
                hint = did_you_mean(theirs, names) or f"it has {len(names)} others"
                raise DataError(f"{self.label} — no column '{theirs}' — {hint}")
        return [ours.get(name, name) for name in names]

    def _tidied(self, table: Any) -> Any:
        """Dictionaries decoded, for they may list values that no row has; texts that mean "no value" taken out."""
        import pyarrow as pa
        import pyarrow.compute as pc

        for i, name in enumerate(table.column_names):
            column = table[name]
            if pa.types.is_dictionary(column.type):
                column = column.cast(column.type.value_type)
            if self.missing and not pa.types.is_nested(column.type) and not pa.types.is_binary(column.type):
                gone = pc.is_in(column.cast(pa.string()), pa.array(self.missing, pa.string()))
                column = pc.if_else(gone, pa.scalar(None, column.type), column)
            if column is not table[name]:
                table = table.set_column(i, name, column)
        return table

    def _file_names(self) -> list[str]:
        if self.path is None or self.format == "arrow" or not self.path.is_file():
            return list(self._read().column_names)
        if self.format == "jsonl":
            return jsonl_names(self.path)
        return list(parquet_schema(self.path).names if self.format == "parquet" else self._dialect().header)

    def _read(self, only: list[str] | None = None) -> Any:
        if self.path is None:
            from sharewell.io.frames import to_arrow

            table = to_arrow(self.frame)[0]
            return table if only is None else table.select(only)
        self._refuse_absent()
        readers = {
            "csv": self._read_csv,
            "parquet": self._read_parquet,
            "arrow": self._read_arrow,
            "jsonl": self._read_jsonl,
        }
        if self.format not in readers:
            raise DataError(f"{self.label} — {self.format} holds DNA, not a table — name a table")
        return readers[self.format](only)

    def _read_parquet(self, only: list[str] | None) -> Any:
        assert self.path is not None
        return parquet_table(self.path, only)

    def rows_in_header(self) -> int | None:
        """How many rows the file says it has, where it does so before it is read."""
        return parquet_rows(self.path) if self.format == "parquet" and self.path is not None else None

    def _read_arrow(self, only: list[str] | None) -> Any:
        assert self.path is not None
        return arrow_table(self.path, only)

    def _read_jsonl(self, only: list[str] | None) -> Any:
        import pyarrow as pa

        assert self.path is not None
        pieces = list(jsonl_tables(self.path, jsonl_names(self.path), only))
        return pa.concat_tables(pieces).combine_chunks()

    def _read_csv(self, only: list[str] | None) -> Any:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        dialect = self._dialect()
        if dialect.header_alone:
            return pa.table({name: pa.array([], pa.string()) for name in only or dialect.header})
        with self._told(dialect):
            self._refuse_misquoted(dialect)
            return arrow_csv.read_csv(self.path, *_csv_options(dialect, only))

    def _pieces(self, only: list[str] | None, rows: int) -> Iterator[Any]:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        if self.format == "csv":
            dialect = self._dialect()
            with self._told(dialect):
                self._refuse_misquoted(dialect)
                for batch in arrow_csv.open_csv(self.path, *_csv_options(dialect, only)):
                    yield pa.Table.from_batches([batch])
        elif self.format == "parquet":
            self._refuse_absent()
            assert self.path is not None
            yield from parquet_pieces(self.path, only, rows)
        elif self.format == "jsonl":
            self._refuse_absent()
            assert self.path is not None
            yield from jsonl_tables(self.path, jsonl_names(self.path), only)
        else:
            yield self._read(only)

    @contextmanager
    def _told(self, dialect: Dialect) -> Iterator[None]:
        """Replace what a CSV reader says, which may quote a row, by place and advice."""
        import pyarrow as pa

        advice = "set `encoding:` (windows-1252? utf-16?)"
        try:
            yield
        except UnicodeError:
            raise DataError(f"{self.label} — not valid {dialect.encoding} — {advice}") from None
        except (pa.ArrowInvalid, OSError) as error:
            if "utf" in str(error).lower():
                raise DataError(f"{self.label} — not valid {dialect.encoding} — {advice}") from None
            raise DataError(f"{self.label} — {self._ragged(dialect)}") from None

    def _refuse_misquoted(self, dialect: Dialect) -> None:
        """A quote that went astray makes one cell of many records, and would publish what was to be dropped."""
        assert self.path is not None
        facts = self.path.stat()
        try:
            column = _swallowing(self.path, (facts.st_size, facts.st_mtime_ns, facts.st_ino), dialect, self.newlines)
        except Misquoted as error:
            advice = "quote the whole field, and double the quotes inside it"
            raise DataError(f"{self.label} — {error} — {advice}") from None
        if column is not None:
            what = f"column {column} has a cell of several lines that look like records"
            advice = "close the quote, or say `newlines: true` if cells do hold such lines"
            raise DataError(f"{self.label} — {what} — {advice}")

    def _ragged(self, dialect: Dialect) -> str:
        """Where the first line with too many or too few fields is: looked for only when reading failed."""
        assert self.path is not None
        with self.path.open(encoding=dialect.encoding, errors="replace", newline="") as file:
            rows = csv.reader(file, delimiter=dialect.separator)
            try:
                for row in rows:
                    if row and len(row) != len(dialect.header):
                        what = f"line {rows.line_num}: {len(row)} field(s) where the header has {len(dialect.header)}"
                        return f"{what} — check separators and quotes there"
            except csv.Error:
                return f"line {rows.line_num}: cannot be read as delimited text — check separators and quotes there"
        return "cannot be read as delimited text — check separators and quotes"

    def _refuse_absent(self) -> None:
        assert self.path is not None
        if self.path.is_dir():
            raise DataError(f"{self.path} — a directory, not a file — name the file in it")
        if not self.path.is_file():
            near = [p.name for p in self.path.parent.iterdir()] if self.path.parent.is_dir() else []
            raise DataError(f"{self.path} — no such file — {did_you_mean(self.path.name, near) or 'check the path'}")

    def _dialect(self) -> Dialect:
        """What the first bytes tell."""
        assert self.path is not None
        self._refuse_absent()
        try:
            with self.path.open("rb") as file:
                start = file.read(_PEEK)
                while not re.search(rb"[\r\n]", start.lstrip(b"\r\n")) and (more := file.read(len(start))):
                    start += more  # a very wide header
        except OSError as error:
            raise DataError(f"{self.label} — cannot be read ({error.strerror})") from None
        text, encoding = self._decoded(start)
        if not text.strip():
            raise DataError(f"{self.label} — the file is empty — a header line is needed")
        blank = len(text) - len(text.lstrip("\r\n"))
        skipped = text[:blank].replace("\r\n", "\n").count("\n")
        text = text[blank:]
        separator = self.separator or sniff_separator(text)
        header = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
        bare = sum(not name.strip() for name in header)
        if bare:
            raise DataError(f"{self.label} — {bare} column(s) without a name in the header — name every column")
        alone = not text.strip("\r\n").count("\n") and not text.endswith(("\n", "\r"))
        return Dialect(encoding, separator, tuple(header), skipped, alone)

    def _decoded(self, start: bytes) -> tuple[str, str]:
        """The first bytes as text, and the encoding: the one given, the one a mark names, or UTF-8."""
        marked = next((name for bom, name in _BOMS if start.startswith(bom)), None)
        encoding = self.encoding or marked or "utf-8"
        try:
            if marked == "utf-8-sig" and codecs.lookup(encoding).name == "utf-8":
                encoding = marked
            return codecs.getincrementaldecoder(encoding)("strict").decode(start), encoding
        except LookupError:
            advice = "try utf-8 or windows-1252"
            raise DataError(f"{self.label} — there is no encoding named '{encoding}' — {advice}") from None
        except UnicodeDecodeError:
            advice = "set `encoding:` (windows-1252? utf-16?)"
            raise DataError(f"{self.label} — not valid {encoding} — {advice}") from None


Evidence = Annotated[Source | Any, As(Source.of)]
"""What an algorithm is given to compare with: a source, a path or a dataframe."""


@dataclass(frozen=True)
class Dialect:
    """How a delimited file is written."""

    encoding: str
    separator: str
    header: tuple[str, ...]
    skipped: int
    """Blank lines before the header."""
    header_alone: bool
    """Is there nothing but a header, not even a line end? Arrow would not take that for a file."""


def _csv_options(dialect: Dialect, only: list[str] | None = None) -> tuple[Any, Any, Any]:
    """Every column as text; an empty cell is missing, quoted or not; an empty line is a row only of one column."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    encoding = _python_encoding(dialect.encoding)
    single = len(dialect.header) == 1
    return (
        arrow_csv.ReadOptions(encoding=encoding, block_size=1 << 24, skip_rows=dialect.skipped),
        arrow_csv.ParseOptions(delimiter=dialect.separator, newlines_in_values=True, ignore_empty_lines=not single),
        arrow_csv.ConvertOptions(
            column_types={name: pa.string() for name in dialect.header},
            include_columns=only,
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        ),
    )


@lru_cache(maxsize=64)
def _swallowing(path: Path, version: tuple[int, ...], dialect: Dialect, newlines: bool) -> str | None:
    """The first column with a cell that may be several records; raises Misquoted. Looked at once for each version."""
    import pyarrow.compute as pc
    from pyarrow import csv as arrow_csv

    if not check_quotes(partial(pieces_of, path, dialect.encoding), dialect.separator) or newlines:
        return None
    width = len(dialect.header)
    for batch in arrow_csv.open_csv(path, *_csv_options(dialect)):
        for at, name in enumerate(dialect.header):
            column = batch.column(at)
            several = pc.or_(pc.match_substring(column, "\n"), pc.match_substring(column, "\r"))
            for cell in column.filter(several).to_pylist():
                if swallows_records(cell, at, width, dialect.separator):
                    return name
    return None


def sniff_separator(text: str) -> str:
    """The separator that splits the first lines into the same number of fields, the most fields first.

    >>> sniff_separator("a;b\\n1,5;2\\n")
    ';'
    """
    lines = text.splitlines()[:20]
    lines = lines[:-1] if len(lines) == 20 or (len(lines) > 1 and not text.endswith(("\n", "\r"))) else lines
    best, score = ",", (0, 0)
    for separator in _SEPARATORS:
        counts = [len(row) for row in csv.reader(io.StringIO("\n".join(lines), newline=""), delimiter=separator) if row]
        same = sum(count == counts[0] for count in counts)
        if counts and counts[0] > 1 and (same, counts[0]) > score:
            best, score = separator, (same, counts[0])
    return best


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
    except (OSError, DataError):  # what is not there is no copy of anything
        return False


def _python_encoding(encoding: str) -> str:
    return "utf8" if codecs.lookup(encoding).name in ("utf-8", "utf-8-sig", "ascii") else encoding
