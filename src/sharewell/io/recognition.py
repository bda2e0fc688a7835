"""What a file is: by its first bytes, by its first lines, and by how its name ends.

Nothing is read that is not recognised: a file that looks like something else than a table, notes or DNA is refused by
name. Where name and content disagree the content decides, and that is said. Only the beginning is read (a megabyte, and
the directory of a zip archive), so what comes later is for the reader to judge.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io import formats
from sharewell.io.compression import ENDINGS as PACKED
from sharewell.io.compression import NAMES, Compression, compression_of, open_unpacked, zip_member, zip_names, zip_start
from sharewell.io.delimited import RUNNING_TEXT, below_title, is_sentence, line_ends, separator_of, titled
from sharewell.io.encodings import Encoding, detect_encoding, first_invalid, line_of
from sharewell.io.notes_folder import ENDINGS, note_files
from sharewell.io.refused_files import (
    FHIR,
    JSON_OBJECT,
    OFFICE,
    is_workbook,
    refused_by_bytes,
    refused_by_ending,
    refused_by_members,
    refused_by_text,
)
from sharewell.io.workbooks import Workbook, sheet_names
from sharewell.roles import did_you_mean
from sharewell.terminal_text import legible

PEEK = 1 << 20
"""Bytes of a file that are looked at."""
NOTES_FOLDER = "notes-folder"
DELIMITED = (".csv", ".tsv", ".tab", ".psv", ".txt")
DNA_ENDINGS = {".bed": "bed", ".vcf": "vcf", ".bcf": "vcf", ".fasta": "fasta", ".fa": "fasta"}
EXCEL_ENDINGS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods")
_CHECKED = ("parquet", "arrow", "jsonl", "json", "duckdb")
"""Formats of `formats.FORMATS` that are known by their content; others by their ending alone."""
_WORDS = {
    "csv": "delimited text",
    "jsonl": "JSON Lines",
    "json": "a JSON array",
    "excel": "an Excel workbook",
    "parquet": "a Parquet file",
    "arrow": "an Arrow file",
    "duckdb": "a DuckDB database",
    "vcf": "a VCF or BCF file",
    "fasta": "a FASTA file",
    "bed": "a PLINK .bed file",
}
SEPARATOR_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_TEXT = 1 << 18
"""Characters whose lines are looked at."""
_LINES = 200
_EVEN = 0.9
"""The share of lines that must have as many fields as the first, where the name does not say that it is a table."""
_LONGEST_NAME, _MOST_WORDS = 80, 12
_CONTROL = bytes(i for i in range(32) if i not in b"\t\n\r\x0b\x0c\x1a\x1b")


@dataclass(frozen=True)
class Recognised:
    """What a file is, and what was decided about reading it."""

    format: str
    encoding: str | None = None
    """Of text: the encoding that a policy names. None: UTF-8."""
    separator: str | None = None
    """Of delimited text."""
    compression: Compression | None = None
    skip: int = 0
    """Lines above the header, where the reader must be given their number."""
    sheets: tuple[str, ...] = ()
    """Of a workbook, if the package that reads it is installed."""
    decided: tuple[str, ...] = ()
    """Sentences that say what was chosen and why; no value of the data."""


@dataclass(frozen=True)
class ReaderHints:
    """What the caller says about a file."""

    encoding: str | None = None
    separator: str | None = None
    skip: int = 0
    sheet: str | None = None


def recognise(path: Path, hints: ReaderHints = ReaderHints()) -> Recognised:  # noqa: B008 - it is frozen
    """What the file is; a DataError says what it seems to be, and what to do, if it is not read."""
    refuse_absent(path)
    if path.is_dir():
        return _folder(path)
    start = _start(path)
    label = legible(path.name)
    if not start.strip(b"\0"):
        what = "the file is empty" if not start else "the file holds zero bytes alone"
        raise DataError(f"{label} — {what} — a header line is needed")
    look = _Look(label, start, _ending(path.name), len(start) < PEEK, hints)
    compression = compression_of(start)
    if compression is None:
        return _plain(path, look)
    return _packed(path, look, compression)


class RunningText(DataError):
    """Text that nothing divides into columns: no table, but perhaps a note."""


def recognise_notes(path: Path, hints: ReaderHints = ReaderHints()) -> Recognised:  # noqa: B008
    """The same where a file may also be one note: a document, or plain text that is not a table by its name."""
    refuse_absent(path)
    if path.is_dir():
        return _folder(path)
    if path.suffix.lower() in ENDINGS:
        return _one_note(path, hints.encoding)
    try:
        recognised = recognise(path, hints)
    except RunningText:
        return _one_note(path, hints.encoding)
    if recognised.format == "csv" and not path.suffix:
        return _one_note(path, hints.encoding)
    return recognised


def _one_note(path: Path, encoding: str | None) -> Recognised:
    start, label = _start(path), legible(path.name)
    if start.startswith((b"PK", rb"{\rtf")) or encoding is not None:
        return Recognised(NOTES_FOLDER)
    result = detect_encoding(start, len(start) < PEEK, label)
    decided = (f"{label} is read as {result.name}: {result.reason}",) if result.reason else ()
    return Recognised(NOTES_FOLDER, None if result.found_by_reader else result.name, decided=decided)


def refuse_absent(path: Path) -> None:
    """A DataError if nothing is there, with a name that is near."""
    if not path.exists():
        near = [one.name for one in path.parent.iterdir()] if path.parent.is_dir() else []
        raise DataError(f"{path} — no such file — {did_you_mean(path.name, near) or 'check the path'}")
    if not path.is_file() and not path.is_dir():
        raise DataError(f"{path} — a pipe or device, not a file — give `-` for standard input, or save it to a file")


@dataclass(frozen=True)
class _Look:
    """The beginning of one file."""

    label: str
    start: bytes
    ending: str
    whole: bool
    """Is the beginning all of it?"""
    hints: ReaderHints


def _start(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(PEEK)
    except OSError as error:
        raise DataError(f"{legible(path.name)} — cannot be read ({error.strerror})") from None


def _ending(name: str) -> str:
    """The ending that says what a file holds: of `people.csv.gz` it is `.csv`."""
    name = name.lower()
    for packed in PACKED:
        name = name.removesuffix(packed)
    return Path(name).suffix


def _folder(path: Path) -> Recognised:
    """A folder of notes; the encoding is the one that a plain note needs, if any does."""
    if not any(one.suffix.lower() in ENDINGS for one in path.iterdir()):
        raise DataError(f"{path} — a directory, not a file — name the file in it")
    files = note_files(path)
    label = legible(path.name)
    decided = [f"{label} is a folder of {len(files)} notes, one a file"]
    left, encoding = PEEK, None
    for file in files:
        if left > 0 and file.suffix.lower() == ".txt":
            start = _start(file)[:left]
            result = detect_encoding(start, len(start) == file.stat().st_size, legible(file.name))
            left -= len(start)
            if encoding is None and not result.found_by_reader:
                encoding = result.name
                decided.append(f"{label}: notes that are not valid UTF-8 are read as {encoding}")
    return Recognised(NOTES_FOLDER, encoding=encoding, decided=tuple(decided))


def _packed(path: Path, look: _Look, compression: Compression) -> Recognised:
    """What a compressed file holds."""
    if compression == "zip":
        names = zip_names(path)
        if is_workbook(names):
            return _named(look, _workbook(path, look))
        if (refused := refused_by_members(names)) is not None:
            raise refused.error(look.label)
        if "mimetype" in names and "content.xml" in names:
            return _named(look, _open_document(path, look))
        look = replace(look, ending=_ending(zip_member(path).name))
    with open_unpacked(path, compression) as unpacked:
        start = unpacked.read(PEEK)
    if not start:
        raise DataError(f"{look.label} — the file is empty — a header line is needed")
    if compression_of(start) is not None:
        raise DataError(f"{look.label} — an archive inside an archive — unpack it, and name the file in it")
    result = _plain(path, replace(look, start=start, whole=len(start) < PEEK))
    if result.format not in ("csv", "json", "jsonl", "vcf", "fasta") or (
        result.format in DNA_ENDINGS.values() and compression != "gzip"
    ):
        raise DataError(f"{look.label} — {_WORDS[result.format]} in an archive — unpack it, and name the file in it")
    return replace(
        result, compression=compression, decided=(f"{look.label} is compressed ({NAMES[compression]})", *result.decided)
    )


def _open_document(path: Path, look: _Look) -> Recognised:
    """A sheet of OpenDocument; its texts and slides are refused."""
    if b"opendocument.spreadsheet" not in zip_start(path, "mimetype"):
        refused = refused_by_ending(".odt")
        assert refused is not None
        raise refused.error(look.label)
    return _workbook(path, look)


def _workbook(path: Path, look: _Look) -> Recognised:
    """A title above the header of the one sheet that is read is passed over."""
    sheets = sheet_names(path, look.label)
    one = look.hints.sheet in sheets or (look.hints.sheet is None and len(sheets) == 1)
    skip = look.hints.skip or (Workbook(path, look.label, look.hints.sheet).rows_above() if one else 0)
    return Recognised("excel", skip=skip, sheets=sheets, decided=_passed_over(look, skip, "row"))


def _plain(path: Path, look: _Look) -> Recognised:
    """What the bytes say; then the ending; then the text."""
    start = look.start
    if start.startswith(b"PAR1"):
        return _named(look, Recognised("parquet"))
    if start.startswith(b"ARROW1"):
        return _named(look, Recognised("arrow"))
    if start[8:12] == b"DUCK":
        return _named(look, Recognised("duckdb"))
    if start.startswith((b"\x6c\x1b\x01", b"\x6c\x1b\x00")) and look.ending != ".pgen":
        return _named(look, Recognised("bed"))
    if start.startswith(b"BCF\x02"):
        return _named(look, Recognised("vcf"))
    if OFFICE.fits(start) and _is_old_workbook(look):
        return _named(look, _workbook(path, look))
    if look.ending == ".duckdb":
        raise DataError(f"{look.label} — no DuckDB database, although it is named .duckdb — name it after what it is")
    registered = _by_ending(look.ending)
    if registered is not None and registered not in _CHECKED:
        return Recognised(registered)
    if (refused := refused_by_bytes(start) or refused_by_ending(look.ending)) is not None:
        raise refused.error(look.label)
    return _named(look, _text(look))


def _by_ending(ending: str) -> str | None:
    return next((name for name, form in formats.FORMATS.items() if ending in form.endings), None)


def _is_old_workbook(look: _Look) -> bool:
    """Is a compound file a workbook of Excel 97? Its directory names the stream, which may lie further on."""
    streams = {
        name: name.encode("utf-16-le") in look.start for name in ("Workbook", "WordDocument", "EncryptedPackage")
    }
    if streams["EncryptedPackage"]:
        raise DataError(f"{look.label} — a workbook with a password — save it without one")
    return streams["Workbook"] or (look.ending == ".xls" and not streams["WordDocument"])


def _named(look: _Look, recognised: Recognised) -> Recognised:
    """Says so if the name promises something else."""
    usual = {
        "csv": DELIMITED,
        "excel": EXCEL_ENDINGS,
        **{name: form.endings for name, form in formats.FORMATS.items()},
        "vcf": (".vcf", ".bcf"),
        "fasta": (".fasta", ".fa", ".fna", ".ffn", ".faa"),
        "bed": (".bed",),
    }
    if look.ending in usual[recognised.format] or (recognised.format == "csv" and look.ending in ("", ".dat")):
        return recognised
    said = f"named {look.ending}" if look.ending else "named without an ending"
    sentence = f"{look.label} is {_WORDS[recognised.format]}, although it is {said}"
    return replace(recognised, decided=(sentence, *recognised.decided))


def _text(look: _Look) -> Recognised:
    """JSON, DNA, or delimited text; prose and whatever is no text is refused."""
    encoding = _encoding(look)
    text = look.start.decode(encoding.name, "ignore").removeprefix("\ufeff")
    cut = len(text) > _TEXT
    look, text = replace(look, whole=look.whole and not cut), text[:_TEXT]
    if not encoding.name.startswith(("utf-16", "utf-32")):
        _refuse_binary(look, _CONTROL)
    stripped = text.lstrip()
    if not stripped:
        raise DataError(f"{look.label} — the file is empty — a header line is needed")
    if (refused := refused_by_text(stripped)) is not None:
        raise refused.error(look.label)
    if stripped.startswith("##fileformat=VCF"):
        return Recognised("vcf")
    if re.match(r">[^\n]*\n[A-Za-z*\-.\s]+(?:\n>|$)", stripped[:100_000]):
        return Recognised("fasta")
    form = _json_form(look, stripped)
    if form is not None:
        return Recognised(form)
    return _delimited(look, text, encoding)


def _refuse_binary(look: _Look, controls: bytes) -> None:
    """A DataError if more than a twentieth are control characters."""
    many = len(look.start) - len(look.start.translate(None, controls))
    if many > max(1, len(look.start) // 20):
        kind = f"named {look.ending}, but its content is of an unknown kind" if look.ending else "of an unknown kind"
        raise DataError(f"{look.label} — not text: {kind} — name a table, notes or DNA")


def _encoding(look: _Look) -> Encoding:
    if look.hints.encoding is None:
        _refuse_binary(look, _CONTROL[1:])  # zero bytes may be those of UTF-16
        return detect_encoding(look.start, look.whole, look.label)
    try:
        place = first_invalid(look.start, look.hints.encoding, look.whole)
    except LookupError:
        problem = f"there is no encoding named '{look.hints.encoding}'"
        raise DataError(f"{look.label} — {problem} — try utf-8 or windows-1252") from None
    if place is not None:
        line = line_of(look.start, place)
        raise DataError(f"{look.label} — line {line}: not valid {look.hints.encoding} — name another encoding, or none")
    return Encoding(look.hints.encoding, "", found_by_reader=False)


def _json_form(look: _Look, text: str) -> str | None:
    """`json` or `jsonl` if the text is such a table; None if it is no JSON at all."""
    first = text.split("\n", 1)[0].strip()
    if text.startswith("{"):
        return _json_lines(look, text, first)
    if not re.match(r'\[\s*(?:[{\["\d\]-]|true|false|null)', text):
        if look.ending == ".json":
            problem = "named .json, and no JSON array of objects"
            raise DataError(f"{look.label} — {problem} — export an array of objects, each a row of the table")
        return None
    element = text[1:].lstrip()
    if element.startswith("]"):
        raise DataError(f"{look.label} — an empty JSON array — there is no row to read")
    try:
        value, end = json.JSONDecoder().raw_decode(element)
    except (ValueError, RecursionError):
        if element.startswith("{") and (look.ending == ".json" or not look.whole):
            return "json"  # the first object may be longer than what is looked at
        return None
    if element[end:].lstrip()[:1] not in (",", "]", ""):
        return None
    if not isinstance(value, dict):
        problem = "a JSON array whose elements are no objects"
        raise DataError(f"{look.label} — {problem} — export an array of objects, each a row of the table")
    _refuse_fhir(look, value)
    return "json"


def _json_lines(look: _Look, text: str, first: str) -> str | None:
    try:
        value = json.loads(first)
    except (ValueError, RecursionError):
        return _json_object(look, text)
    if not isinstance(value, dict):
        return None
    _refuse_fhir(look, value)
    if "\n" not in text.strip() and look.whole and look.ending not in formats.FORMATS["jsonl"].endings:
        raise JSON_OBJECT.error(look.label)
    return "jsonl"


def _json_object(look: _Look, text: str) -> str | None:
    """A text that begins with a brace and whose first line is no object."""
    if look.ending in formats.FORMATS["jsonl"].endings:
        return "jsonl"  # the reader names the line that is broken
    if re.search(r'"resourceType"\s*:', text[:5000]):
        raise FHIR.error(look.label)
    if look.ending == ".json" or re.match(r'\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\})', text):
        raise JSON_OBJECT.error(look.label)
    return None


def _refuse_fhir(look: _Look, record: dict[str, object]) -> None:
    if "resourceType" in record:
        raise FHIR.error(look.label)


def _delimited(look: _Look, text: str, encoding: Encoding) -> Recognised:
    named, text, separator, above = _table_in(text, look.hints)
    given = look.hints.separator
    surely = look.ending in (".csv", ".tsv", ".tab", ".psv") or given is not None or named is not None
    if _is_prose(text, separator, surely, look.whole):
        if look.ending in formats.FORMATS["json"].endings + formats.FORMATS["jsonl"].endings:
            raise DataError(f"{look.label} — named {look.ending}, but its content is not JSON — check what it is")
        raise RunningText(f"{look.label} — {RUNNING_TEXT}")
    decided = []
    if encoding.reason:
        decided.append(f"{look.label} is read as {encoding.name}: {encoding.reason}")
    if given is None and separator != ",":
        decided.append(f"{look.label} has its columns separated by {_separator_name(separator)}")
    decided.extend(_passed_over(look, above, "line"))
    return Recognised("csv", encoding=encoding.to_name, separator=separator, skip=above, decided=tuple(decided))


def _table_in(text: str, hints: ReaderHints) -> tuple[str | None, str, str, int]:
    """The separator that the file names, the text from its header on, its separator, and the lines above."""
    named, table = below_title(text, hints.skip)
    if hints.skip:
        return named, table, hints.separator or named or separator_of(table), hints.skip
    above, separator = titled(table, hints.separator or named)
    if above:
        above += line_ends(text[: len(text) - len(table)])
    return named, below_title(text, above)[1], separator, above


def _passed_over(look: _Look, above: int, unit: str) -> tuple[str, ...]:
    said = f"{look.label}: {above} {unit}(s) above its header are passed over"
    return (said,) if above and not look.hints.skip else ()


def _separator_name(separator: str) -> str:
    return SEPARATOR_NAMES.get(separator, f"the sign {separator}")


def _is_prose(text: str, separator: str, surely: bool, whole: bool) -> bool:
    """Is it text that nothing divides into columns? A name that says that it is a table is believed more."""
    rows = _rows(text, separator, whole)
    if not rows:
        return False
    header, widths = rows[0], [len(row) for row in rows]
    if len(header) == 1:
        several = [row for row in rows if len(row) > 1 or len(row[0].split()) > 1]
        return is_sentence(header[0]) if surely else bool(several)
    if surely:
        return False
    if any(len(name) > _LONGEST_NAME or len(name.split()) > _MOST_WORDS for name in header):
        return True
    return widths.count(len(header)) < _EVEN * len(widths)


def _rows(text: str, separator: str, whole: bool) -> list[list[str]]:
    rows: list[list[str]] = []
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator):
            if row:
                rows.append(row)
            if len(rows) > _LINES:
                return rows[:-1]
    except csv.Error:
        return rows
    return rows if whole or len(rows) < 2 else rows[:-1]
