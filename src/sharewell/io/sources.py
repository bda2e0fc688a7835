"""Where data comes from: a lazy, hashed description of one file, or of a frame in memory.

Nothing here ever quotes a cell: exceptions of readers are replaced by our own with place, counts and what to do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol

from sharewell.errors import DataError
from sharewell.io import formats
from sharewell.io.cleaning import Cleaning, cleaning_digest
from sharewell.io.cleaning_account import Account, total
from sharewell.io.columnar import parquet_rows, parquet_table
from sharewell.io.compression import ENDINGS as PACKED
from sharewell.io.delimited import Delimited
from sharewell.io.joined_person import JoinedPerson, rows_of
from sharewell.io.notes_folder import NOTE, SUBJECT, NotesFolder, subject_mapping
from sharewell.io.parsed_file import read_parsed
from sharewell.io.plain_files import sha256
from sharewell.io.recognition import (
    DELIMITED,
    DNA_ENDINGS,
    EXCEL_ENDINGS,
    NOTES_FOLDER,
    ReaderHints,
    Recognised,
    recognise,
    recognise_notes,
)
from sharewell.io.workbooks import Workbook
from sharewell.parameters import As
from sharewell.roles import did_you_mean
from sharewell.terminal_text import legible

if TYPE_CHECKING:
    import pyarrow as pa

Format = str
"""The word by which a policy names a format."""
FORMATS: tuple[Format, ...] = ("csv", *formats.FORMATS, "excel")
"""Formats of tables."""
DNA: tuple[Format, ...] = ("bed", "vcf", "fasta")
"""Formats of DNA: a source of such a file names and hashes it; the genomes wing reads it."""
SUFFIXES = {ending: name for name, form in formats.FORMATS.items() for ending in form.endings}
SUFFIXES |= dict.fromkeys(DELIMITED, "csv") | dict.fromkeys(EXCEL_ENDINGS, "excel") | DNA_ENDINGS
LARGE = {"csv": formats.LARGE, "excel": formats.LARGE} | {name: form.large for name, form in formats.FORMATS.items()}
"""Bytes of a file beyond which columns that no algorithm looks at stay on disk."""
_UNPACKED = 8
"""A compressed file is taken for this many times as large."""


class Reader(Protocol):
    """How one file is read as a table; columns come in the order asked for."""

    def names(self) -> list[str]: ...
    def read(self, only: Sequence[str] | None = None) -> pa.Table: ...
    def pieces(self, only: Sequence[str] | None, rows: int) -> Iterator[pa.Table]: ...


@dataclass(frozen=True)
class Source:
    """One table to read. `columns` maps our names to the file's, where they differ."""

    path: Path | None = None
    format: Format = "csv"
    encoding: str | None = None
    separator: str | None = None
    missing: tuple[str, ...] = ()
    """Texts that mean "no value", besides the empty one."""
    decimal: str | None = None
    """The decimal sign of numbers, where columns are cleaned as numbers."""
    thousands: str | None = None
    """What stands between the thousands of numbers, likewise."""
    day_first: bool | None = None
    """In dates such as 03/04/2021, does the day come first? None: nobody has said."""
    sheet: str | None = None
    """Of a workbook: the sheet."""
    skip: int = 0
    """Of delimited text or a workbook: lines above the header."""
    subjects: Source | None = None
    """Of a folder of notes: a table with the columns `note` and `subject`."""
    newlines: bool = False
    """May cells of a CSV file hold line ends that look like records? Usually that is a quote that was never closed."""
    columns: Mapping[str, str] = field(default_factory=dict)
    multiallelic: Literal["refuse", "split"] = "refuse"
    """Of VCF: sites of several alternatives."""
    haploid: Literal["refuse", "double", "missing"] = "refuse"
    """Of VCF: calls of one allele."""
    hidden: tuple[str, ...] = ()
    """Columns of the file that the table does not have here."""
    clean: Mapping[str, Cleaning] = field(default_factory=dict)
    """How columns, by our names, are cleaned after "no value" texts are made missing. A `JoinedPerson` is a column that
    the file does not have: it is made of others, and stands behind them."""
    frame: object = field(default=None, repr=False, compare=False)
    _accounts: dict[str, Account] = field(default_factory=dict, init=False, repr=False, compare=False)
    """What cleaning did, once a column has been read from end to end."""

    @classmethod
    def of(cls, origin: object) -> Source:
        """From a Source, a path, or a dataframe. A file that is there must be one that is understood.

        An encoding other than UTF-8 is not guessed here, but refused by name when the file is read; `detected` adopts
        what was recognised, for commands that then say so.
        """
        if isinstance(origin, Source):
            return origin
        if isinstance(origin, str | Path):
            path = Path(origin)
            return cls(path, recognise(path).format) if path.exists() else cls.named(path)
        return cls(frame=origin)

    @classmethod
    def named(cls, path: Path) -> Source:
        """By the name alone: for files that are not there yet, that a release wrote, or whose form is known."""
        ending = Path(path.stem).suffix if path.suffix.lower() == ".gz" else path.suffix
        return cls(path, SUFFIXES.get(ending.lower(), "csv"))

    @classmethod
    def detected(cls, path: Path, given: Source | None = None, *, documents: bool = False) -> tuple[Source, Recognised]:
        """The file as it was recognised, with its encoding and separator; whoever calls it says what was decided.

        given: what was said about reading it. documents: may it be one document, or a folder of them?
        """
        said = given or cls()
        known = recognise_notes if documents else recognise
        how = ReaderHints(said.encoding, said.separator, said.skip, said.sheet)
        result = known(path, how)
        encoding = said.encoding or result.encoding
        return cls(path, result.format, encoding=encoding, separator=said.separator, skip=result.skip), result

    def by_file_names(self) -> Source:
        """The same with every column under the name that it has in the file."""
        clean = {self.columns.get(name, name): self._in_file(cleaning) for name, cleaning in self.clean.items()}
        return replace(self, columns={}, clean=clean)

    def _in_file(self, cleaning: Cleaning) -> Cleaning:
        if not isinstance(cleaning, JoinedPerson):
            return cleaning
        return replace(cleaning, parts=tuple(self.columns.get(part, part) for part in cleaning.parts))

    @cached_property
    def joined(self) -> dict[str, JoinedPerson]:
        """Columns that the file does not have: persons by several of its columns."""
        return {name: one for name, one in self.clean.items() if isinstance(one, JoinedPerson)}

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
        if self.format != NOTES_FOLDER:
            return sha256(self.path)
        return self._folder(None).sha256(None if self.subjects is None else self.subjects.sha256)

    @property
    def reading_digest(self) -> str:
        """One hash of how the file is read: read otherwise, the same file holds other cells."""
        how: tuple[object, ...] = (self.format, self.encoding, self.separator, self.missing, self.newlines, self.sheet)
        how += (self.skip,) if self.skip else ()
        named = sorted(self.columns.items()), cleaning_digest(self.clean)
        return hashlib.sha256(repr((*how, *named)).encode("utf-8", "surrogatepass")).hexdigest()

    @property
    def is_dna(self) -> bool:
        """Is it a file of DNA, which has no columns?"""
        return self.format in DNA

    def names(self) -> list[str]:
        """The column names under which the table is known here; a file of DNA has none."""
        if self.is_dna:
            self._refuse_absent()
            return []
        return [*(name for name in self._renamed(self._file_names()) if name not in self.hidden), *self.joined]

    @property
    def is_large(self) -> bool:
        """Is the file so large that columns nobody computes with should stay on disk?"""
        if self.path is None or self.format in DNA or not self.path.is_file():
            return False
        size = self.path.stat().st_size
        return size * (_UNPACKED if self.path.suffix.lower() in PACKED else 1) > LARGE[self.format]

    def batches(self, columns: Sequence[str] | None = None, rows: int = 1 << 18) -> Iterator[pa.Table]:
        """The same as `read`, piece by piece in file order, for files that should not be in memory at once."""
        accounts: dict[str, Account] = {}
        columns = self.names() if columns is None and self.hidden else columns
        for piece in self._pieces(self._file_columns(columns), rows):
            table, more = self._tidied(piece, columns)
            accounts = total(accounts, more)
            yield table
        self._account_for(accounts)

    def read(self, columns: Sequence[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
        """An Arrow table; every CSV column is text, and an empty cell is missing.

        coded: columns of text that may come as dictionaries, which may list values that no row has. Parquet has them
        so, and a column of a few values then takes four bytes a row.
        """
        columns = self.names() if columns is None and self.hidden else columns
        coded = () if self.missing or self.clean else coded
        table, accounts = self._tidied(self._read(self._file_columns(columns), coded), columns, coded)
        self._account_for(accounts)
        return table

    def account(self, rows: int | None = None) -> dict[str, Account]:
        """What cleaning does to each column, of the first `rows` rows or of all; nothing is refused.

        A column that has been read from end to end is not read again.
        """
        if rows is None and set(self.clean) <= set(self._accounts):
            return {name: self._accounts[name] for name in self.clean}
        accounts: dict[str, Account] = {}
        seen = 0
        wanted = self._file_columns(list(self.clean))
        pieces = [self._read(wanted)] if self.path is None else self._pieces(wanted, 1 << 18)
        for piece in pieces if self.clean else ():
            table, more = self._tidied(piece, list(self.clean))
            accounts, seen = total(accounts, more), seen + table.num_rows
            if rows is not None and seen >= rows:
                return accounts
        self._accounts.update(accounts)
        return accounts

    def refused_or_accounted(self) -> dict[str, Account]:
        """The accounts of the whole file; what may not go unread is refused."""
        accounts = self.account()
        self._account_for(accounts)
        return accounts

    def _account_for(self, accounts: Mapping[str, Account]) -> None:
        """Keep the accounts of a whole file, and refuse what could not be read where the policy does not let it go."""
        self._accounts.update(accounts)
        for name, account in accounts.items():
            if problem := self.clean[name].problem(account):
                raise DataError(f"{self.label} — column {name}: {problem}")

    def _file_columns(self, columns: Sequence[str] | None) -> list[str] | None:
        """What the file calls these columns."""
        if columns is None:
            return None
        self.refuse_unknown(columns)
        return [self.columns.get(name, name) for name in self._with_parts(columns)]

    def _with_parts(self, columns: Sequence[str]) -> list[str]:
        """These columns without those that are joined, and with the parts of these."""
        parts = (part for name in columns if name in self.joined for part in self.joined[name].parts)
        return list(dict.fromkeys([*(name for name in columns if name not in self.joined), *parts]))

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
        renamed = [our_names.get(name, name) for name in names]
        cleaned = [part for column, one in self.clean.items() for part in one.columns(column)]
        for name in cleaned:
            if name not in renamed:
                hint = did_you_mean(name, renamed) or f"it has {len(renamed)} others"
                raise DataError(f"{self.label} — no column '{name}' to clean — {hint}")
        for name in self.joined:
            if name in renamed:
                hint = "give the joined column another name"
                raise DataError(f"{self.label} — has a column '{name}' already, so that none can be joined — {hint}")
        return renamed

    def _tidied(
        self, table: pa.Table, columns: Sequence[str] | None, coded: Sequence[str] = ()
    ) -> tuple[pa.Table, dict[str, Account]]:
        """Our names; "no value" texts made missing. Then columns are cleaned, and each has its account.

        Dictionaries other than `coded` are decoded, for they may list values that no row has.
        """
        import pyarrow as pa
        import pyarrow.compute as pc

        accounts: dict[str, Account] = {}
        wanted = columns
        columns = None if columns is None else self._with_parts(columns)
        table = table.rename_columns(columns if columns is not None else self._renamed(table.column_names))
        for i, name in enumerate(table.column_names):
            column = given = table.column(i)
            if pa.types.is_dictionary(column.type) and name not in coded:
                column = column.cast(column.type.value_type)
            if self.missing and not pa.types.is_nested(column.type) and not pa.types.is_binary(column.type):
                empty = pc.is_in(column.cast(pa.string()), pa.array(self.missing, pa.string()))
                column = pc.if_else(empty, pa.scalar(None, column.type), column)
            if name in self.clean:
                column, accounts[name] = self._cleaned(name, column)
            if column is not given:
                table = table.set_column(i, name, column)
        if not self.joined:
            return table, accounts
        table, more = self._with_joined(table, list(self.joined) if wanted is None else wanted)
        return table if wanted is None else table.select(wanted), accounts | more

    def _with_joined(self, table: pa.Table, wanted: Sequence[str]) -> tuple[pa.Table, dict[str, Account]]:
        """The columns that are made of others, behind these."""
        accounts: dict[str, Account] = {}
        for name in (name for name in wanted if name in self.joined):
            column, accounts[name] = self._cleaned(name, rows_of(table, self.joined[name].parts))
            table = table.append_column(name, column)
        return table, accounts

    def _cleaned(self, name: str, column: pa.ChunkedArray) -> tuple[pa.ChunkedArray, Account]:
        try:
            return self.clean[name].apply(column, self.missing)
        except DataError as error:
            raise DataError(f"{self.label} — column {name}: {error}") from None

    def _file_names(self) -> list[str]:
        return list(self._read().column_names) if self.path is None else self._reader().names()

    def _read(self, only: list[str] | None = None, coded: Sequence[str] = ()) -> pa.Table:
        if self.path is None:
            from sharewell.io.frames import to_arrow

            table = to_arrow(self.frame)[0]
            return table if only is None else table.select(only)
        reader = self._reader()
        if coded and self.format == "parquet":
            return parquet_table(self.path, only, self._file_columns(coded) or ())
        return read_parsed(reader, only) if isinstance(reader, Delimited) else reader.read(only)

    def rows_in_header(self) -> int | None:
        """How many rows the file says it has, where it does so before it is read."""
        return parquet_rows(self.path) if self.format == "parquet" and self.path is not None else None

    def _pieces(self, only: list[str] | None, rows: int) -> Iterator[pa.Table]:
        if self.path is None:
            yield self._read(only)
        else:
            yield from self._reader().pieces(only, rows)

    def _reader(self) -> Reader:
        assert self.path is not None
        self._refuse_absent()
        match self.format:
            case "csv":
                return Delimited(self.path, self.label, self.encoding, self.separator, self.newlines, self.skip)
            case "excel":
                return Workbook(self.path, self.label, self.sheet, self.skip)
            case _ if self.format == NOTES_FOLDER:
                return self._folder(self.subjects)
            case _ if self.format in DNA:
                raise DataError(f"{self.label} — {self.format} holds DNA, not a table — name a table")
        return formats.FormatReader(formats.FORMATS[self.format], self.path)

    def _folder(self, subjects: Source | None) -> NotesFolder:
        assert self.path is not None
        whose = None
        if subjects is not None:
            table = subjects.read([NOTE, SUBJECT]).to_pydict()
            whose = subject_mapping(table[NOTE], table[SUBJECT], subjects.label)
        return NotesFolder(self.path, self.label, self.encoding, whose)

    def _refuse_absent(self) -> None:
        assert self.path is not None
        if self.path.is_dir() and self.format != NOTES_FOLDER:
            raise DataError(f"{self.path} — a directory, not a file — name the file in it")
        if not self.path.exists():
            near = [p.name for p in self.path.parent.iterdir()] if self.path.parent.is_dir() else []
            raise DataError(f"{self.path} — no such file — {did_you_mean(self.path.name, near) or 'check the path'}")


Evidence = Annotated[Source | Any, As(Source.of)]
"""What an algorithm is given to compare with: a source, a path or a dataframe."""


def _one_or_several(given: object) -> Source | tuple[Source, ...]:
    """Of a list, each; a list of one is that one."""
    if not isinstance(given, list | tuple):
        return Source.of(given)
    if not given:
        raise ValueError("population must name at least one list")
    several = tuple(Source.of(one) for one in given)
    return several[0] if len(several) == 1 else several


Registers = Annotated[Source | tuple[Source, ...] | Any, As(_one_or_several)]
"""The same, or a list of such."""


def sources_in(value: object) -> Iterator[Source]:
    """The sources that a parameter names: one, several in a list, or none."""
    for one in value if isinstance(value, list | tuple) else (value,):
        if isinstance(one, Source):
            yield one


def same_file(first: Path, second: Path) -> bool:
    """One file, or a copy of it."""
    try:
        if first.resolve() == second.resolve():
            return True
        return first.stat().st_size == second.stat().st_size and sha256(first) == sha256(second)
    except (OSError, DataError):  # a missing file is no copy
        return False
