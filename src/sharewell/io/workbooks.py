"""Workbooks (.xlsx, .xlsm, .xlsb, .xls, .ods): one sheet as a table of text, through calamine (extra: excel).

The first row that holds anything is the header, or the first below a title (`skip`). Every cell becomes text, as in
CSV: a number as it is shown without a format (2139, not 2139.0), a date in ISO 8601, true and false; an empty cell, or
one with an error such as #N/A, is missing. A workbook stores the digits of a number alone, so leading zeros are there
only if the cells are text.
"""

from __future__ import annotations

import datetime
import re
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from sharewell.errors import DataError
from sharewell.extras import is_installed, package
from sharewell.io.compression import refuse_exploding, zip_sizes
from sharewell.io.title_rows import FEW, rows_above_header
from sharewell.terminal_text import legible

if TYPE_CHECKING:
    import pyarrow as pa
    from python_calamine import CalamineSheet, CalamineWorkbook

Cell: TypeAlias = "int | float | str | bool | datetime.time | datetime.date | datetime.datetime | datetime.timedelta"
_SPANNED = re.compile(rb'number-(?:columns|rows)-spanned="(?!1")\d')
_EXACT = 10**15
"""Whole numbers below this are exact in a workbook, which has 15 digits."""


@dataclass(frozen=True)
class Workbook:
    """One sheet of a workbook that exists."""

    path: Path
    label: str
    sheet: str | None = None
    """None: the only one that is visible and not empty."""
    skip: int = 0
    """Rows of the sheet that stand above the header, a title say."""

    def names(self) -> list[str]:
        """The cells of the first row."""
        return list(_header(self.path, _version(self.path), self.label, self.sheet, self.skip))

    def rows_above(self) -> int:
        """How many rows stand above the header, as the sheet counts its rows; 0 where nothing tells that any does."""
        with _opened(self.path, self.label) as book:
            chosen = _chosen(book, self.label, self.sheet)[1]
            above = rows_above_header(_first_rows(chosen))
            return above and _empty_rows(chosen) + above

    def read(self, only: Sequence[str] | None = None) -> pa.Table:
        import pyarrow as pa

        return pa.concat_tables(self.pieces(only)).combine_chunks()

    def pieces(self, only: Sequence[str] | None = None, rows: int = 1 << 16) -> Iterator[pa.Table]:
        """Arrow tables of text, in the order of the sheet; at least one. Rows without any value are passed over."""
        import pyarrow as pa

        header = self.names()
        wanted = [header.index(name) for name in (header if only is None else only)]
        held: list[list[Cell]] = []
        pieces = 0

        def piece() -> pa.Table:
            columns = {header[i]: pa.array([_text(row[i]) for row in held], pa.string()) for i in wanted}
            held.clear()
            return pa.table(columns)

        with _opened(self.path, self.label) as book:
            chosen = _chosen(book, self.label, self.sheet)[1]
            for row in chosen.to_python()[_place(chosen, self.skip) + 1 :]:
                if any(cell != "" for cell in row):
                    held.append(row)
                if len(held) >= rows:
                    yield piece()
                    pieces += 1
        if held or not pieces:
            yield piece()


def sheet_names(path: Path, label: str) -> tuple[str, ...]:
    """The sheets that are visible; none where the package that reads them is not installed."""
    if not is_installed("python_calamine"):
        return ()
    with _opened(path, label) as book:
        return tuple(_visible(book))


@lru_cache(maxsize=16)
def _header(path: Path, version: tuple[int, ...], label: str, sheet: str | None, skip: int) -> tuple[str, ...]:
    """The header of a sheet that is a table; cached for each version of a file."""
    with _opened(path, label) as book:
        name, chosen = _chosen(book, label, sheet)
        where = f"{label}, sheet '{legible(name)}'"
        if not skip and (above := rows_above_header(_first_rows(chosen))):
            above += _empty_rows(chosen)
            problem = f"{above} row(s) stand above the header, it seems"
            raise DataError(f"{where} — {problem} — say `skip: {above}`, or delete them")
        merged = sum(last >= skip for _, (last, _) in chosen.merged_cell_ranges or ()) or _spanned(path)
        if merged:
            problem = f"{merged} merged range(s) of cells"
            raise DataError(f"{where} — {problem} — unmerge them, so that every cell holds its own value")
        place = _place(chosen, skip)
        first = next(iter(chosen.to_python(nrows=place + 1)[place:]), [])
    if not first:
        raise DataError(f"{where} — the sheet is empty — a header row is needed")
    bare = sum(isinstance(cell, str) and not cell.strip() for cell in first)
    if bare:
        problem = f"{bare} of {len(first)} column(s) without a name in the first row"
        raise DataError(f"{where} — {problem} — name every column, and put nothing above the header")
    no_text = sum(not isinstance(cell, str) for cell in first)
    if 2 * no_text > len(first):
        problem = f"{no_text} of {len(first)} cells of the first row are numbers or dates"
        raise DataError(f"{where} — {problem} — put a header row above the data")
    return tuple(_text(cell) or "" for cell in first)


def _first_rows(sheet: CalamineSheet) -> list[list[str]]:
    """As text; what is no text has no letter, so that it is no name of a column."""
    return [[cell if isinstance(cell, str) else "0" for cell in row] for row in sheet.to_python(nrows=FEW)]


def _empty_rows(sheet: CalamineSheet) -> int:
    """Rows above the first that holds anything: calamine leaves them out."""
    return 0 if sheet.start is None else int(sheet.start[0])


def _place(sheet: CalamineSheet, skip: int) -> int:
    """The header among the rows that calamine gives."""
    return max(0, skip - _empty_rows(sheet))


def _version(path: Path) -> tuple[int, ...]:
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns, facts.st_ino


@contextmanager
def _opened(path: Path, label: str) -> Iterator[CalamineWorkbook]:
    calamine = package("python_calamine", label)
    if zipfile.is_zipfile(path):
        refuse_exploding(label, zip_sizes(path), path.stat().st_size)
    try:
        with calamine.CalamineWorkbook.from_path(str(path)) as book:
            yield book
    except calamine.PasswordError:
        raise DataError(f"{label} — a workbook with a password — save it without one") from None
    except (calamine.CalamineError, calamine.ZipError, calamine.XmlError, OSError, ValueError):
        raise DataError(f"{label} — not a readable workbook — open it in a spreadsheet, and save it again") from None


def _visible(book: CalamineWorkbook) -> list[str]:
    shown = [one for one in book.sheets_metadata if str(one.visible).endswith(".Visible")]
    return [one.name for one in shown if str(one.typ).endswith(".WorkSheet")]


def _chosen(book: CalamineWorkbook, label: str, sheet: str | None) -> tuple[str, CalamineSheet]:
    if sheet is not None:
        if sheet not in book.sheet_names:
            named = ", ".join(legible(name) for name in _visible(book))
            raise DataError(f"{label} — no sheet '{legible(sheet)}' — its sheets: {named}")
        return sheet, book.get_sheet_by_name(sheet)
    opened = {name: book.get_sheet_by_name(name) for name in _visible(book)}
    filled = {name: one for name, one in opened.items() if one.height} or opened
    if len(filled) != 1:
        named = ", ".join(legible(name) for name in filled)
        raise DataError(f"{label} — {len(filled)} sheets: {named} — say which one: `sheet:` or --sheet")
    return next(iter(filled.items()))


def _spanned(path: Path) -> int:
    """Merged cells of OpenDocument, which calamine does not report."""
    if not zipfile.is_zipfile(path):
        return 0
    with zipfile.ZipFile(path) as archive:
        return len(_SPANNED.findall(archive.read("content.xml"))) if "content.xml" in archive.namelist() else 0


def _text(cell: Cell) -> str | None:
    """A cell as text.

    >>> _text(2139.0), _text(0.1 + 0.2), _text(True), _text(""), _text(datetime.datetime(2000, 1, 2, 8, 30))
    ('2139', '0.3', 'true', None, '2000-01-02 08:30:00')
    """
    match cell:
        case bool():
            return "true" if cell else "false"
        case float() if cell.is_integer() and abs(cell) < _EXACT:
            return str(int(cell))
        case float():
            return f"{cell:.15g}"
        case datetime.datetime():
            return cell.isoformat(" ")
        case datetime.date() | datetime.time():
            return cell.isoformat()
        case str():
            return cell or None
    return str(cell)
