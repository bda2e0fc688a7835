# ruff: noqa: E501
"""Files as they should not be: a name, the bytes, and what reading it gives; no message may hold `SECRET`."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.parquet as pq
import workbook_files as workbooks

SECRET = "SECRET"
"""A cell value. It is in every file, and in no message."""
Columns = dict[str, list[str | None]]
_ROWS = f"name,age\n{SECRET},40\n".encode()
_TABLE: Columns = {"name": [SECRET], "age": ["40"]}
_NOTES = "clinical notes: put the documents into a folder, and name the folder; a table: export it as CSV"
_EXPORT = "export the table as CSV, Parquet or Excel"
_STATISTICS = "open it in the program that wrote it, and export it as CSV or Parquet"
_DATABASE = "export the tables that you need as CSV or Parquet"
_PICTURE = "pictures cannot be protected here: leave them out"
_DNA = "convert it to VCF or to PLINK .bed, .bim and .fam"
_ROW = "export an array of objects, each a row of the table"


@dataclass(frozen=True)
class Odd:
    """One file, and the columns that are read from it or the message that refuses it."""

    what: str
    name: str
    content: bytes
    result: Columns | str
    decided: tuple[str, ...] = ()


def _refused(what: str, name: str, content: bytes, message: str) -> Odd:
    return Odd(what, name, content, f"{name} — {message}")


def _no_reader(what: str, name: str, content: bytes, advice: str) -> Odd:
    return _refused(what, name, content, f"is {what}, which is not read — {advice}")


def odd_files() -> Iterator[Odd]:
    yield from _texts()
    yield from _archives()
    yield from _json()
    yield from _workbooks()
    yield from _others()


def _texts() -> Iterator[Odd]:
    yield _refused("empty", "a.csv", b"", "the file is empty — a header line is needed")
    yield _refused("blank", "a.csv", b" \n\n", "the file is empty — a header line is needed")
    yield _refused("zeros", "a.csv", bytes(100), "the file holds zero bytes alone — a header line is needed")
    yield Odd("only a header", "a.csv", b"name,age\n", {"name": [], "age": []})
    yield Odd("a byte order mark", "a.csv", b"\xef\xbb\xbf" + _ROWS, _TABLE, (_said("utf-8-sig", _MARK),))
    yield Odd(
        "a zero byte in a cell",
        "a.csv",
        b"name,age\nSEC\0RET,40\n" + _ROWS[9:],
        {"name": ["SEC\0RET", SECRET], "age": ["40", "40"]},
    )
    yield Odd(
        "mixed line ends", "a.csv", b"name,age\r\nA,1\nB,2\rC,3\r\n", {"name": ["A", "B", "C"], "age": ["1", "2", "3"]}
    )
    giant = "x" * 2_000_000
    yield Odd("one giant cell", "a.csv", f"name,age\n{giant},1\n".encode(), {"name": [giant], "age": ["1"]})
    yield Odd("UTF-16 with a mark", "a.csv", _ROWS.decode().encode("utf-16"), _TABLE, (_said("utf-16", _MARK),))
    wide = "every other byte is zero, and it has no byte order mark"
    yield Odd("UTF-16 without a mark", "a.csv", _ROWS.decode().encode("utf-16-le"), _TABLE, (_said("utf-16-le", wide),))
    yield Odd("UTF-32", "a.csv", _ROWS.decode().encode("utf-32"), _TABLE, (_said("utf-32", _MARK),))
    windows = "line 2 is not valid UTF-8, and all bytes are defined there"
    yield Odd(
        "windows-1252",
        "a.csv",
        "name,age\n€ Müller,1\n".encode("cp1252"),
        {"name": ["€ Müller"], "age": ["1"]},
        (_said("windows-1252", windows),),
    )
    yield Odd(
        "Latin-1",
        "a.csv",
        "name,age\nMüller,1\n".encode("latin-1"),
        {"name": ["Müller"], "age": ["1"]},
        (_said("windows-1252", f"{windows}; Latin-1 would read the same"),),
    )
    dos = "line 2: text that is neither UTF-8 nor UTF-16 nor windows-1252"
    which = "ask who exported it, and name its encoding (cp850? mac_roman? shift_jis?)"
    yield _refused("a code page of DOS", "a.csv", b"name,age\nSECRET \x81\x8d,1\n", f"{dos} — {which}")
    both = "line 3: not valid UTF-8, although most signs beyond ASCII are"
    yield _refused(
        "two encodings",
        "a.csv",
        "name,age\nSECRET Müller ß ö,1\n".encode() + b"M\xfcller,2\n",
        f"{both} — two encodings were put together: export it again in one",
    )
    late = b"name,age\n" + b"A,1\n" * 300_000 + b"SECRET \xff,2\n"
    yield _refused(
        "a byte that is wrong after a megabyte",
        "a.csv",
        late,
        "line 300002: not valid utf-8 — it seems to be windows-1252: say `encoding: windows-1252` if so",
    )
    yield _refused(
        "trailing separators",
        "a.csv",
        b"name,age\nSECRET,40,\n",
        "line 2: 3 field(s) where the header has 2 — check separators and quotes there",
    )
    yield _refused(
        "a trailing separator in the header",
        "a.csv",
        b"name,age,\nSECRET,40,\n",
        "1 column(s) without a name in the header — name every column, and put nothing above the header",
    )
    yield _refused(
        "the same name twice",
        "a.csv",
        b"name,name\nSECRET,40\n",
        "1 name(s) stand for two columns or more — has it a header line?",
    )
    yield Odd("a quoted line end", "a.csv", b'name,age\n"SEC\nRET",40\n', {"name": ["SEC\nRET"], "age": ["40"]})
    yield _refused(
        "a quote that is never closed",
        "a.csv",
        b'name,age\n"SECRET,40\nB,2\n',
        "line 2: a quote is opened here and never closed — quote the whole field, and double the quotes inside it",
    )
    yield _refused(
        "a cell that swallows records",
        "a.csv",
        b'name,age\n"SECRET,40\nB",2\n',
        "column name has a cell of several lines that look like records — close the quote, or say `newlines: true` if cells do hold such lines",
    )
    yield Odd(
        "semicolons and decimal commas",
        "a.csv",
        b"name;weight\nSECRET;71,5\n",
        {"name": [SECRET], "weight": ["71,5"]},
        ("a.csv has its columns separated by semicolons",),
    )
    prose = "running text, not a table — clinical notes: put the files into a folder, and name the folder; a table: save it as CSV"
    note = b"Dear colleague, thank you for referring SECRET.\nShe was seen in clinic today, and is well.\n\nYours\n"
    yield _refused("prose", "a.txt", note, prose)
    yield _refused("prose named .csv", "a.csv", b"Mrs SECRET was seen today. She is well.\nNo fever.\n", prose)
    yield _refused("a program's text", "a.py", b"import os\n\nprint('SECRET', os.name)\n", prose)


_MARK = "a byte order mark at its beginning says so"


def _said(encoding: str, why: str) -> str:
    return f"a.csv is read as {encoding}: {why}"


def _archives() -> Iterator[Odd]:
    unpack = "unpack it, and name the file in it"
    yield Odd("gzip", "a.csv.gz", gzip.compress(_ROWS), _TABLE, ("a.csv.gz is compressed (gzip)",))
    yield Odd("gzip without its ending", "a.csv", gzip.compress(_ROWS), _TABLE, ("a.csv is compressed (gzip)",))
    packed = pa.compress(_ROWS, "zstd", asbytes=True)
    yield Odd("Zstandard", "a.csv.zst", packed, _TABLE, ("a.csv.zst is compressed (Zstandard)",))
    one = workbooks.archive({"a.csv": _ROWS, "__MACOSX/._a.csv": b"x"})
    yield Odd("zip", "a.zip", one, _TABLE, ("a.zip is compressed (zip)",))
    two = workbooks.archive({"a.csv": _ROWS, "b.csv": _ROWS})
    yield _refused(
        "zip with two members",
        "a.zip",
        two,
        "a zip archive with 2 files — one file is wanted: unpack it, and name the file",
    )
    yield _refused(
        "zip with nothing",
        "a.zip",
        workbooks.archive({}),
        "a zip archive with no file — one file is wanted: unpack it, and name the file",
    )
    blown_up = b"name,age\n" + b"A,1\n" * 17_000_000  # just more than is unpacked without a question
    bomb = workbooks.archive({"a.csv": blown_up})
    exploding = "unpacks to more than 200 times its size — no table does so: ask its author, or unpack it yourself"
    yield _refused("a zip bomb", "a.zip", bomb, exploding)
    yield _refused("a gzip bomb", "a.csv.gz", gzip.compress(blown_up, 1), exploding)
    cut = gzip.compress(b"name,age\n" + b"SECRET,40\n" * 5000)[:-20]
    damaged = "is a damaged {} archive — copy or compress it again"
    yield _refused("a truncated gzip", "a.csv.gz", cut, damaged.format("gzip"))
    yield _refused("a truncated zip", "a.zip", one[:-10], damaged.format("zip"))
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as tar:
        member = tarfile.TarInfo("folder/a.csv")
        member.size = len(_ROWS)
        tar.addfile(member, io.BytesIO(_ROWS))
    yield _no_reader("a tar archive", "a.csv.gz", gzip.compress(held.getvalue()), unpack)
    yield _refused(
        "an archive in an archive",
        "a.csv.gz",
        gzip.compress(gzip.compress(_ROWS)),
        f"an archive inside an archive — {unpack}",
    )


def _json() -> Iterator[Odd]:
    rows = [{"name": SECRET, "age": 40}, {"name": None, "age": 1.50}]
    yield Odd("a JSON array", "a.json", json.dumps(rows).encode(), {"name": [SECRET, None], "age": ["40", "1.5"]})
    yield Odd(
        "a JSON array named .csv",
        "a.csv",
        json.dumps(rows[:1]).encode(),
        _TABLE,
        ("a.csv is a JSON array, although it is named .csv",),
    )
    yield Odd(
        "nested objects",
        "a.json",
        b'[{"name": {"last": "SECRET"}, "age": [1]}]',
        {"name": ['{"last": "SECRET"}'], "age": ['["1"]']},
    )
    yield _refused(
        "a JSON array of texts", "a.json", b'["SECRET", "x"]', f"a JSON array whose elements are no objects — {_ROW}"
    )
    yield Odd(
        "a text after objects",
        "a.json",
        b'[{"name": "x"}, "SECRET"]',
        "a.json, object 2 — is not a JSON object — an array of objects is wanted, each a row of the table",
    )
    yield Odd(
        "a JSON array without an end",
        "a.json",
        b'[{"name": "x"}, {"name": "SECRET"',
        "a.json, object 2 — is not valid JSON — check that the file is complete",
    )
    yield _refused("an empty JSON array", "a.json", b"[]", "an empty JSON array — there is no row to read")
    yield _refused(
        "one JSON object",
        "a.json",
        b'{"patients": [{"name": "SECRET"}]}',
        "is one JSON object, which is not a table — export an array of objects, or one object a line, each a row of the table",
    )
    yield Odd(
        "JSON Lines named .json",
        "a.json",
        b'{"name": "SECRET", "age": 40}\n{"name": "x", "age": 1}\n',
        {"name": [SECRET, "x"], "age": ["40", "1"]},
        ("a.json is JSON Lines, although it is named .json",),
    )
    yield Odd(
        "a bad line",
        "a.jsonl",
        b'{"name": "x"}\n{"name": SECRET}\n',
        "a.jsonl, line 2 — is not a JSON object — one object a line is wanted",
    )
    fhir = "is FHIR, whose resources are not rows of a table — export the fields that you need as a table, one row per record, in CSV or Parquet"
    patient = b'{"resourceType": "Patient", "telecom": [{"system": "phone", "value": "SECRET"}]}\n'
    yield _refused("FHIR, a resource a line", "Patient.ndjson", patient * 2, fhir)
    yield _refused("a FHIR bundle", "bundle.json", b'{\n "resourceType": "Bundle",\n "entry": ["SECRET"]\n}\n', fhir)


def _workbooks() -> Iterator[Odd]:
    rows: workbooks.Rows = [["name", "age"], [SECRET, 40.0]]
    yield Odd("a workbook", "a.xlsx", workbooks.xlsx({"People": rows}), _TABLE)
    said = "a.csv is an Excel workbook, although it is named .csv"
    yield Odd("a workbook named .csv", "a.csv", workbooks.xlsx({"People": rows}), _TABLE, (said,))
    yield Odd("an old workbook", "a.xls", workbooks.xls("People", rows), _TABLE)
    yield Odd("an OpenDocument workbook", "a.ods", workbooks.ods({"People": rows}), _TABLE)
    yield _refused(
        "several sheets",
        "a.xlsx",
        workbooks.xlsx({"People": rows, "Visits": rows}),
        "2 sheets: People, Visits — say which one: `sheet:` or --sheet",
    )
    yield Odd(
        "a hidden sheet beside it", "a.xlsx", workbooks.xlsx({"People": rows, "Lists": rows}, hidden=["Lists"]), _TABLE
    )
    merged = "— 1 merged range(s) of cells — unmerge them, so that every cell holds its own value"
    yield Odd(
        "merged cells in .xls",
        "a.xls",
        workbooks.xls("People", rows, [(0, 0, 0, 1)]),
        f"a.xls, sheet 'People' {merged}",
    )
    yield Odd(
        "merged cells in .xlsx",
        "a.xlsx",
        workbooks.xlsx({"People": rows}, ["A1:B1"]),
        f"a.xlsx, sheet 'People' {merged}",
    )
    titled: workbooks.Rows = [[f"Export of {SECRET}"], *rows]
    yield Odd(
        "a title above the header",
        "a.xlsx",
        workbooks.xlsx({"People": titled}),
        "a.xlsx, sheet 'People' — 1 of 2 column(s) without a name in the first row — name every column, and put nothing above the header",
    )
    yield Odd(
        "no header",
        "a.xlsx",
        workbooks.xlsx({"People": [[1.0, 2.0], [3.0, 4.0]]}),
        "a.xlsx, sheet 'People' — 2 of 2 cells of the first row are numbers or dates — put a header row above the data",
    )
    yield Odd(
        "an empty workbook",
        "a.xlsx",
        workbooks.xlsx({"People": []}),
        "a.xlsx, sheet 'People' — the sheet is empty — a header row is needed",
    )
    password = workbooks.compound("EncryptedPackage", b"x")
    yield _refused("a workbook with a password", "a.xlsx", password, "a workbook with a password — save it without one")
    broken = workbooks.archive({"xl/workbook.xml": "<SECRET"})
    yield _refused(
        "a broken workbook", "a.xlsx", broken, "not a readable workbook — open it in a spreadsheet, and save it again"
    )
    yield _refused(
        "HTML named .xls",
        "a.xls",
        b"<html><table><tr><td>SECRET</td></tr></table></html>",
        "is a web page (HTML), which is not read — open it in a spreadsheet, and save the table as .xlsx or CSV",
    )
    yield Odd(
        "tabs named .xls",
        "a.xls",
        b"name\tage\nSECRET\t40\n",
        _TABLE,
        ("a.xls is delimited text, although it is named .xls", "a.xls has its columns separated by tabs"),
    )


def _others() -> Iterator[Odd]:
    yield _no_reader("an RTF document", "a.csv", b"{\\rtf1\\ansi SECRET, 40}", _NOTES)
    yield _no_reader("a Word document", "a.docx", workbooks.archive({"word/document.xml": "<w/>"}), _NOTES)
    office = "an old Office document (Word 97, Outlook or the like)"
    word = workbooks.compound("WordDocument", b"SECRET")
    yield _no_reader(office, "a.doc", word, "save a table as .xlsx or CSV, and notes as .docx or .txt")
    yield _no_reader("a PDF document", "a.pdf", b"%PDF-1.7\nSECRET", f"{_EXPORT}; save notes as .txt or .docx")
    yield _no_reader("a DICOM image", "a.dcm", bytes(128) + b"DICM" + b"SECRET", _PICTURE)
    yield _no_reader("a DICOM image", "scan.csv", bytes(128) + b"DICM" + b"SECRET", _PICTURE)
    yield _no_reader("an image", "a.png", b"\x89PNG\r\n\x1a\n" + b"SECRET", _PICTURE)
    yield _no_reader("a PLINK 2 file of genotypes", "a.pgen", b"\x6c\x1b\x10" + b"SECRET", _DNA)
    yield _no_reader("a BGEN file of genotypes", "a.bgen", bytes(16) + b"bgen" + b"SECRET", _DNA)
    yield _no_reader("a SAS data set", "a.xpt", b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!", _STATISTICS)
    sas = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c") + b"SECRET"
    yield _no_reader("a SAS data set", "a.sas7bdat", sas, _STATISTICS)
    yield _no_reader("an SPSS data file", "a.sav", b"$FL2@(#) SPSS DATA FILE", _STATISTICS)
    yield _no_reader("a Stata data set", "a.dta", b"<stata_dta><header>", _STATISTICS)
    yield _no_reader("an R data file", "a.rds", gzip.compress(b"X\n\0\0\0\3SECRET"), _STATISTICS)
    yield _no_reader("an SQLite database", "a.sqlite", b"SQLite format 3\0SECRET", _DATABASE)
    yield _no_reader("an SQLite database", "a.csv", b"SQLite format 3\0SECRET", _DATABASE)
    fields = "export the fields that you need as a table, one row per record"
    yield _no_reader("a file of HL7 version 2 messages", "a.hl7", b"MSH|^~\\&|ADT|SECRET\rPID|1||40\r", fields)
    yield _no_reader("a file of HL7 version 2 messages", "a.txt", b"MSH|^~\\&|ADT|SECRET\rPID|1||40\r", fields)
    document = b'<?xml version="1.0"?>\n<ClinicalDocument><name>SECRET</name></ClinicalDocument>'
    entries = "export its entries as a table, and its narrative as .txt notes"
    yield _no_reader("a clinical document (C-CDA)", "a.xml", document, entries)
    yield _no_reader("an XML file", "a.xml", b'<?xml version="1.0"?>\n<people>SECRET</people>', _EXPORT)
    unknown = bytes(range(256)) * 8
    yield _refused(
        "bytes of no known kind",
        "a.dat",
        unknown,
        "not text: named .dat, but its content is of an unknown kind — name a table, notes or DNA",
    )
    held = io.BytesIO()
    pq.write_table(pa.table({"name": [SECRET], "age": ["40"]}), held)
    yield Odd(
        "Parquet named .csv", "a.csv", held.getvalue(), _TABLE, ("a.csv is a Parquet file, although it is named .csv",)
    )
    yield _refused(
        "truncated Parquet",
        "a.parquet",
        held.getvalue()[:-9],
        "not a readable Parquet file — check that it is complete",
    )
