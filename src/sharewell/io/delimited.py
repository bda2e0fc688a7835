"""Delimited text (CSV and its kin), whatever program wrote it: tables of data, and small tables such as hierarchies.

Every cell is text, so that leading zeros stay. Unless given, encoding and separator are derived from the first bytes,
by one rule for every command. No error quotes a cell: exceptions of readers, which do, are replaced by our own with
place, counts and what to do.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from sharewell.errors import DataError
from sharewell.io.compression import compression_at, open_unpacked, zip_names
from sharewell.io.encodings import ADVICE_NAME_IT, detect_encoding, marked, utf_16
from sharewell.io.quote_check import Misquoted, check_quotes, pieces_of, swallows_records
from sharewell.io.refused_files import refuse_as_delimited, refuse_office_archive
from sharewell.io.title_rows import lines_above_header

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

SEPARATORS = (";", "\t", "|", ",")
"""The comma comes last: cells hold it without quotes (decimals, ranges) in files that another separator divides."""
_LINES = 200
_PEEK = 1 << 16
_RECENT = 4
"""A source is opened several times in a run: what its first lines show is worked out once."""
_PIECE = 1 << 20
_MOST_WORDS, _FEW_WORDS = 12, 5
"""Words of a column's name, and of a sentence."""
RUNNING_TEXT = (
    "running text, not a table — clinical notes: put the files into a folder, and name the folder; "
    "a table: save it as CSV"
)
_ADVICE_QUOTES = "quote the whole field, and double the quotes inside it"


@dataclass(frozen=True)
class Dialect:
    """How a delimited file is written."""

    encoding: str
    separator: str
    header: tuple[str, ...]
    skipped: int
    """Lines before the header: a title, blank ones, and one that names the separator."""
    header_alone: bool
    """Is there only a header, without a line end? Arrow refuses such a file."""


@dataclass(frozen=True)
class Delimited:
    """A table with a header line in a file that exists."""

    path: Path
    label: str
    """How messages name it."""
    encoding: str | None = None
    separator: str | None = None
    newlines: bool = False
    """May cells hold line ends that look like records?"""
    skip: int = 0
    """Lines of the file that stand above the header, a title say."""

    def names(self) -> list[str]:
        """The header."""
        return list(self.dialect.header)

    def read(self, only: Sequence[str] | None = None) -> pa.Table:
        """An Arrow table of text; an empty cell is missing."""
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        if self.dialect.header_alone:
            return pa.table({name: pa.array([], pa.string()) for name in only or self.dialect.header})
        with self._own_errors():
            self._refuse_misquoted()
            with _arrow_input(self.path) as file:
                return arrow_csv.read_csv(file, *_csv_options(self.dialect, only))

    def pieces(self, only: Sequence[str] | None = None, rows: int = 0) -> Iterator[pa.Table]:
        """The rows, piece by piece in file order; a piece is a block of the file, whatever rows are asked for."""
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        with self._own_errors():
            self._refuse_misquoted()
            with _arrow_input(self.path) as file:
                for batch in arrow_csv.open_csv(file, *_csv_options(self.dialect, only)):
                    yield pa.Table.from_batches([batch])

    @cached_property
    def dialect(self) -> Dialect:
        """The dialect, from the first bytes."""
        start = self._start()
        self._refuse_other_formats(start)
        text, encoding = self._decoded(start)
        if not text.strip("\0 \t\r\n\ufeff"):
            raise DataError(f"{self.label} — the file is empty — a header line is needed")
        named, table = below_title(text, self.skip)
        skipped = line_ends(text[: len(text) - len(table)])
        text = table
        if not text.strip():
            raise DataError(f"{self.label} — {self.skip} line(s) are passed over, and none is left — lower `skip:`")
        separator = self.separator or named or separator_of(text)
        if not self.skip and (above := titled(text, self.separator or named)[0]):
            problem = f"{skipped + above} line(s) stand above the header, it seems"
            raise DataError(f"{self.label} — {problem} — say `skip: {skipped + above}`, or delete them")
        header = next(csv.reader(io.StringIO(text, newline=""), delimiter=separator))
        if len(header) == 1 and is_sentence(header[0]):
            raise DataError(f"{self.label} — {RUNNING_TEXT}")
        bare = sum(not name.strip() for name in header)
        if bare:
            advice = "name every column, and put nothing above the header"
            raise DataError(f"{self.label} — {bare} column(s) without a name in the header — {advice}")
        alone = not text.strip("\r\n").count("\n") and not text.endswith(("\n", "\r"))
        return Dialect(encoding, separator, tuple(header), skipped, alone)

    def _start(self) -> bytes:
        try:
            if compression_at(self.path) == "zip":
                refuse_office_archive(self.label, zip_names(self.path))
            with open_unpacked(self.path) as file:
                start = file.read(_PEEK)
                while not re.search(rb"[\r\n]", start.lstrip(b"\r\n")) and (more := file.read(len(start))):
                    start += more  # a very wide header
        except OSError as error:
            raise DataError(f"{self.label} — cannot be read ({error.strerror})") from None
        return start

    def _decoded(self, start: bytes) -> tuple[str, str]:
        """The first bytes as text, and the encoding: the one given, the one a mark names, or UTF-8."""
        mark = marked(start)
        encoding = self.encoding or mark or "utf-8"
        try:
            if mark == "utf-8-sig" and codecs.lookup(encoding).name == "utf-8":
                encoding = mark
            return codecs.getincrementaldecoder(encoding)("strict").decode(start), encoding
        except LookupError:
            advice = "try utf-8 or windows-1252"
            raise DataError(f"{self.label} — there is no encoding named '{encoding}' — {advice}") from None
        except UnicodeDecodeError:
            raise self._badly_encoded(encoding) from None

    def _refuse_other_formats(self, start: bytes) -> None:
        """A file of another format, whose content would become names of columns."""
        text = start[:_PEEK].decode(utf_16(start) or marked(start) or "latin-1", "ignore")
        refuse_as_delimited(self.label, start, text)

    def _badly_encoded(self, encoding: str) -> DataError:
        """The line of the first byte that is wrong, and the encoding to write; called only when decoding has failed."""
        line, window = _first_undecodable(self.path, encoding)
        try:
            result = detect_encoding(window, False, self.label)
            advice = f"it seems to be {result.name}: say `encoding: {result.name}` if so"
        except DataError:
            advice = ADVICE_NAME_IT
        return DataError(f"{self.label} — line {line}: not valid {encoding} — {advice}")

    @contextmanager
    def _own_errors(self) -> Iterator[None]:
        """Replace errors of a CSV reader, which may quote a row, by place and advice."""
        import pyarrow as pa

        encoding = self.dialect.encoding
        try:
            yield
        except UnicodeError:
            raise self._badly_encoded(encoding) from None
        except (pa.ArrowInvalid, OSError) as error:
            if "utf" in str(error).lower():
                raise self._badly_encoded(encoding) from None
            raise DataError(f"{self.label} — {self._first_ragged_line()}") from None

    def _refuse_misquoted(self) -> None:
        """A misplaced quote merges many records into one cell, and would publish columns that are to be dropped."""
        facts = self.path.stat()
        version = (facts.st_size, facts.st_mtime_ns, facts.st_ino)
        try:
            column = _swallowing(self.path, version, self.dialect, self.newlines)
        except Misquoted as error:
            raise DataError(f"{self.label} — {error} — {_ADVICE_QUOTES}") from None
        if column is not None:
            problem = f"column {column} has a cell of several lines that look like records"
            advice = "close the quote, or say `newlines: true` if cells do hold such lines"
            raise DataError(f"{self.label} — {problem} — {advice}")

    def _first_ragged_line(self) -> str:
        """Find the first line with too many or too few fields; called only when reading has failed."""
        width = len(self.dialect.header)
        with (
            open_unpacked(self.path) as raw,
            io.TextIOWrapper(raw, encoding=self.dialect.encoding, errors="replace", newline="") as file,
        ):
            rows = csv.reader(file, delimiter=self.dialect.separator)
            try:
                for row in rows:
                    if row and len(row) != width and rows.line_num > self.dialect.skipped:
                        problem = f"line {rows.line_num}: {len(row)} field(s) where the header has {width}"
                        return f"{problem} — check separators and quotes there"
            except csv.Error:
                return f"line {rows.line_num}: cannot be read as delimited text — check separators and quotes there"
        return "cannot be read as delimited text — check separators and quotes"


def read_text_rows(path: Path, separator: str | None = None, header: bool = False) -> list[list[str]]:
    """The rows of a small text table. A blank line is an empty row, so that row n stands on line n + 1.

    header: is the first row a header? Then rows are as wide as it; otherwise (a hierarchy) they may differ in width.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} — cannot be read — {error.strerror or 'unknown reason'} — check the path") from None
    text = decode(raw)
    if "\0" in text:
        raise DataError(f"{path} — not a text table — {len(raw)} bytes with zero bytes among them — export it as CSV")
    separator = separator or separator_of(text, ragged=not header)
    try:
        check_quotes(lambda: [text.encode()], separator)
    except Misquoted as error:
        raise DataError(f"{path} — {error} — {_ADVICE_QUOTES}") from None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    try:
        rows.extend(reader)
    except csv.Error:  # its message may quote a cell
        raise DataError(f"{path} — not a text table — stopped at line {reader.line_num} — check its quotes") from None
    return rows


def decode(raw: bytes) -> str:
    """Bytes as text; this never fails, since every byte means something in the last encoding tried.

    Without a byte order mark UTF-8, UTF-16 and Windows-1252 are tried. Use it only for files that a steward reviews
    (hierarchies, lists, single notes): the encoding of data must be given or marked, and is never guessed.

    >>> decode(b"\\xef\\xbb\\xbfa"), decode("é".encode("utf-16")), decode("é;b".encode("utf-16-le"))
    ('a', 'é', 'é;b')
    """
    mark = marked(raw)
    encodings = [] if mark is None else [mark]
    if not encodings and b"\0" in raw and len(raw) % 2 == 0:
        # Separators and digits have a zero half in UTF-16; it is the second one in little-endian text.
        encodings.append("utf-16-le" if raw[1::2].count(0) >= raw[::2].count(0) else "utf-16-be")
    for encoding in (*encodings, "utf-8", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


def from_header(text: str) -> tuple[str | None, str]:
    """A text from its header on; what stands before may be blank lines, and one by which Excel learns the separator.

    >>> from_header("sep=;\\r\\na;b"), from_header("\\na,b"), from_header("sep=mean,b")
    ((';', 'a;b'), (None, 'a,b'), (None, 'sep=mean,b'))
    """
    text = text.lstrip("\r\n")
    if (line := re.match(r'("?)sep=([^\r\n"])\1[\r\n]+', text, re.IGNORECASE)) is None:
        return None, text
    return line[2], text[line.end() :]


def below_title(text: str, skip: int) -> tuple[str | None, str]:
    """The same of a text of which this many lines stand above the header.

    >>> below_title("sep=;\\nWards\\n\\na;b", 2), below_title("a,b\\n1,2", 0)
    ((';', 'a;b'), (None, 'a,b\\n1,2'))
    """
    named, table = from_header(text)
    if not skip:
        return named, table
    return named, from_header("".join(text.splitlines(keepends=True)[skip:]))[1]


@lru_cache(_RECENT)
def titled(text: str, separator: str | None = None) -> tuple[int, str]:
    """How many lines stand above the header, and the separator: the one given, or the one that divides the table."""
    usual = separator or separator_of(text)
    above = {one: lines_above_header(text, one) for one in ([separator] if separator else SEPARATORS)}
    found = max(above, key=lambda one: (above[one] > 0, text.count(one)))
    return (above[found], found) if above[found] else (0, usual)


def is_sentence(header: str) -> bool:
    """Is the only cell of a first line running text rather than the name of a column? A remark after # is neither.

    >>> is_sentence("Seen today in clinic. She is well."), is_sentence("patient number (MRN)"), is_sentence("Dr. Who")
    (True, False, False)
    """
    words = len(header.split())
    has_stops = re.search(r"[.:;!?]\s+\S|[.!?]$", header.strip()) is not None
    return not header.startswith("#") and (words > _MOST_WORDS or (words >= _FEW_WORDS and has_stops))


@lru_cache(_RECENT)
def separator_of(text: str, ragged: bool = False) -> str:
    """The separator that divides most of the first lines as evenly as the first, into the most fields.

    Where two do so equally, the comma is part of the cells. Lines of a ragged table differ in their number of fields:
    there the separator is the one that divides the most lines.

    >>> separator_of("a;b\\n1,5;2\\n"), separator_of("v;g,h\\n1;2,5\\n"), separator_of("a,b\\nc,d"), separator_of("one")
    (';', ';', ',', ',')
    >>> separator_of("29;[20,30[;*\\n43;[40,50[", ragged=True)
    ';'
    """
    lines = text.splitlines()[:_LINES]
    if not ragged and (len(lines) == _LINES or (len(lines) > 1 and not text.endswith(("\n", "\r")))):
        lines.pop()  # it may be cut, and then has fewer fields
    best, highest = ",", (0, 0)
    for separator in SEPARATORS:
        score = _evenness(lines, separator, ragged)
        if score > highest:
            best, highest = separator, score
    return best


def _evenness(lines: list[str], separator: str, ragged: bool) -> tuple[int, int]:
    """How well a separator divides these lines; (0, 0) if it does not."""
    try:
        widths = [len(row) for row in csv.reader(io.StringIO("\n".join(lines), newline=""), delimiter=separator) if row]
    except csv.Error:
        return 0, 0
    if ragged:
        return sum(width > 1 for width in widths), 0
    return (widths.count(widths[0]), widths[0]) if widths and widths[0] > 1 else (0, 0)


def _first_undecodable(path: Path, encoding: str) -> tuple[int, bytes]:
    """The line of the first byte that an encoding does not allow, and the bytes around it."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    line, previous, piece = 1, b"", b""
    with open_unpacked(path) as file:
        while piece := file.read(_PIECE):
            try:
                text = decoder.decode(piece)
            except UnicodeDecodeError as error:
                text = error.object[: error.start].decode(encoding, "replace")  # begins with what was held back before
                return line + line_ends(text), previous[-_PEEK:] + piece
            line, previous = line + line_ends(text), piece
    return line, previous


def line_ends(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


@contextmanager
def _arrow_input(path: Path) -> Iterator[Path | BinaryIO]:
    """What Arrow reads: the path of a plain file, or the unpacked bytes of any other."""
    if compression_at(path) is None and path.suffix.lower() not in (".gz", ".bz2", ".zst", ".lz4"):
        yield path
        return
    with open_unpacked(path) as file:
        yield file


def _csv_options(
    dialect: Dialect, only: Sequence[str] | None = None
) -> tuple[arrow_csv.ReadOptions, arrow_csv.ParseOptions, arrow_csv.ConvertOptions]:
    """Every column as text; an empty cell is missing, quoted or not; an empty line is a row only of one column."""
    import pyarrow as pa
    from pyarrow import csv as arrow_csv

    plain = codecs.lookup(dialect.encoding).name in ("utf-8", "utf-8-sig", "ascii")
    single = len(dialect.header) == 1
    return (
        arrow_csv.ReadOptions(
            encoding="utf8" if plain else dialect.encoding, block_size=1 << 24, skip_rows=dialect.skipped
        ),
        arrow_csv.ParseOptions(delimiter=dialect.separator, newlines_in_values=True, ignore_empty_lines=not single),
        arrow_csv.ConvertOptions(
            column_types={name: pa.string() for name in dialect.header},
            include_columns=None if only is None else list(only),
            null_values=[""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=True,
        ),
    )


@lru_cache(maxsize=64)
def _swallowing(path: Path, version: tuple[int, ...], dialect: Dialect, newlines: bool) -> str | None:
    """The first column with a cell that may be several records; raises Misquoted. Cached for each version of a file."""
    import pyarrow.compute as pc
    from pyarrow import csv as arrow_csv

    if not check_quotes(partial(pieces_of, path, dialect.encoding), dialect.separator) or newlines:
        return None
    width = len(dialect.header)
    with _arrow_input(path) as file:
        for batch in arrow_csv.open_csv(file, *_csv_options(dialect)):
            for place, name in enumerate(dialect.header):
                column = batch.column(place)
                several = pc.or_(pc.match_substring(column, "\n"), pc.match_substring(column, "\r"))
                for cell in column.filter(several).to_pylist():
                    if swallows_records(cell, place, width, dialect.separator):
                        return name
    return None
