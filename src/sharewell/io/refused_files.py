"""Files that hold patient data and that no reader here understands: each is refused by its name, with what to do.

A file is known by its first bytes or, where a format has no mark of its own, by how its name ends. Read as delimited
text, the cells of such a file would become names of columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from sharewell.errors import DataError

_TABLE = "export the table as CSV, Parquet or Excel"
_STATISTICS = "open it in the program that wrote it, and export it as CSV or Parquet"
_DATABASE = "export the tables that you need as CSV or Parquet"
_DNA = "convert it to VCF or to PLINK .bed, .bim and .fam"
_PICTURE = "pictures cannot be protected here: leave them out"
_NOTES = "clinical notes: put the documents into a folder, and name the folder; a table: export it as CSV"
_ARCHIVE = "unpack it, and name the file in it"
_FHIR = "export the fields that you need as a table, one row a record, in CSV or Parquet"
_NO_TEXT = re.compile(rb"[\0-\x08\x0e-\x19]")


@dataclass(frozen=True)
class Refused:
    """A format that is not read."""

    what: str
    advice: str
    begins: tuple[bytes, ...] = ()
    """Any of these at the very beginning."""
    at: tuple[tuple[int, bytes], ...] = ()
    """Or any of these at such a place."""
    endings: tuple[str, ...] = ()
    why: str = "which is not read"

    def fits(self, start: bytes) -> bool:
        marks = [(0, mark) for mark in self.begins] + list(self.at)
        return any(start[i : i + len(mark)] == mark and (_is_sure(mark) or _is_binary(start)) for i, mark in marks)

    def error(self, label: str) -> DataError:
        return DataError(f"{label} — is {self.what}, {self.why} — {self.advice}")


def _is_sure(mark: bytes) -> bool:
    """A few letters may be the name of a column."""
    return len(mark) > 4 or not mark.isalnum()


def _is_binary(start: bytes) -> bool:
    return _NO_TEXT.search(start, 0, 1024) is not None


RTF = Refused("an RTF document", _NOTES, (rb"{\rtf",), endings=(".rtf",))
DOCX = Refused("a Word document", _NOTES, endings=(".docx", ".docm"))
FHIR = Refused("FHIR", _FHIR, why="whose resources are not rows of a table")
JSON_OBJECT = Refused(
    "one JSON object",
    "export an array of objects, or one object a line, each a row of the table",
    why="which is not a table",
)
OFFICE = Refused(
    "an old Office document (Word 97, Outlook or the like)",
    "save a table as .xlsx or CSV, and notes as .docx or .txt",
    (bytes.fromhex("d0cf11e0a1b11ae1"),),
    endings=(".doc", ".msg", ".ppt"),
)
REFUSED: tuple[Refused, ...] = (
    RTF,
    DOCX,
    OFFICE,
    Refused("a PDF document", f"{_TABLE}; save notes as .txt or .docx", (b"%PDF-",), endings=(".pdf",)),
    Refused("a PostScript file", _TABLE, (b"%!PS",), endings=(".ps", ".eps")),
    Refused("a presentation", _TABLE, endings=(".pptx", ".odp")),
    Refused("an OpenDocument text", "save notes as .docx or .txt, and a table as CSV", endings=(".odt",)),
    Refused("a DICOM image", _PICTURE, at=((128, b"DICM"),), endings=(".dcm", ".dicom")),
    Refused("a NIfTI image", _PICTURE, at=((344, b"n+1\0"), (344, b"ni1\0")), endings=(".nii",)),
    Refused(
        "an image",
        _PICTURE,
        (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"II*\0", b"MM\0*"),
        ((8, b"WEBP"), (4, b"ftyphei"), (4, b"ftypavif")),
        (".png", ".jpg", ".jpeg", ".gif", ".tif", ".tiff", ".bmp", ".webp", ".heic", ".svs"),
    ),
    Refused(
        "a recording of sound or film", _PICTURE, (b"ID3", b"OggS"), ((8, b"WAVE"), (4, b"ftyp")), (".mp3", ".wav")
    ),
    Refused(
        "a PLINK 2 file of genotypes",
        _DNA,
        (b"\x6c\x1b\x02", b"\x6c\x1b\x03", b"\x6c\x1b\x10", b"\x6c\x1b\x11", b"\x6c\x1b\x20", b"\x6c\x1b\x21"),
        endings=(".pgen", ".pvar", ".psam"),
    ),
    Refused("a BGEN file of genotypes", _DNA, at=((16, b"bgen"),), endings=(".bgen",)),
    Refused("a PLINK text file of genotypes", _DNA, endings=(".ped", ".map")),
    Refused(
        "the .bim or .fam file of a PLINK data set",
        "name the .bed file: both are read with it",
        endings=(".bim", ".fam"),
    ),
    Refused(
        "a file of sequencing reads", _DNA, (b"BAM\1", b"CRAM"), endings=(".bam", ".cram", ".sam", ".fastq", ".fq")
    ),
    Refused(
        "a SAS data set",
        _STATISTICS,
        (bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c"), b"HEADER RECORD*******"),
        endings=(".sas7bdat", ".xpt", ".sas7bcat"),
    ),
    Refused("an SPSS data file", _STATISTICS, (b"$FL2@(#)", b"$FL3@(#)"), endings=(".sav", ".zsav", ".por")),
    Refused("a Stata data set", _STATISTICS, (b"<stata_dta>",), endings=(".dta",)),
    Refused(
        "an R data file",
        _STATISTICS,
        (b"RDX2\n", b"RDX3\n", b"RDA2\n", b"RDA3\n", b"X\n\0\0\0\2", b"X\n\0\0\0\3"),
        endings=(".rds", ".rda", ".rdata"),
    ),
    Refused("a MATLAB file", _STATISTICS, (b"MATLAB 5.0 MAT", b"MATLAB 7.3 MAT"), endings=(".mat",)),
    Refused("a NumPy file", _TABLE, (b"\x93NUMPY",), endings=(".npy", ".npz")),
    Refused("a Python pickle, which can run code when it is opened", _TABLE, endings=(".pkl", ".pickle", ".joblib")),
    Refused("an HDF5 file", _TABLE, (b"\x89HDF\r\n\x1a\n",), endings=(".h5", ".hdf5", ".h5ad")),
    Refused("an SQLite database", _DATABASE, (b"SQLite format 3\0",), endings=(".sqlite", ".sqlite3", ".db")),
    Refused(
        "an Access database",
        _DATABASE,
        (b"\0\1\0\0Standard Jet DB", b"\0\1\0\0Standard ACE DB"),
        endings=(".mdb", ".accdb"),
    ),
    Refused("a file of an old Feather version", "write it anew as Arrow or Parquet", (b"FEA1",)),
    Refused("an Avro file", _TABLE, (b"Obj\1",), endings=(".avro",)),
    Refused("an ORC file", _TABLE, (b"ORC",), endings=(".orc",)),
    Refused("a tar archive", _ARCHIVE, at=((257, b"ustar"),), endings=(".tar", ".tgz")),
    Refused(
        "a bzip2, xz, 7z or RAR archive",
        _ARCHIVE,
        (b"BZh", b"\xfd7zXZ\0", b"7z\xbc\xaf\x27\x1c", b"Rar!\x1a\x07"),
        endings=(".bz2", ".xz", ".7z", ".rar"),
    ),
    Refused("a program", "name a file of data", (b"\x7fELF", b"MZ\x90\0", b"\xcf\xfa\xed\xfe")),
)
"""In this order: a mark that begins like another one comes before it."""
_TEXTS: tuple[tuple[re.Pattern[str], Refused], ...] = (
    (
        re.compile(r"\x0b?(?:MSH|FHS|BHS)[|^~\\&#]"),
        Refused("a file of HL7 version 2 messages", "export the fields that you need as a table, one row a record"),
    ),
    (
        re.compile(r"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<\?[^>]*>\s*)*<ClinicalDocument\b", re.DOTALL),
        Refused("a clinical document (C-CDA)", "export its entries as a table, and its narrative as .txt notes"),
    ),
    (
        re.compile(r"(?:<\?xml[^>]*>\s*)?(?:<\?[^>]*>\s*)*<Workbook\b"),
        Refused("a spreadsheet of Excel 2003 in XML", "open it in Excel, and save it as .xlsx or CSV"),
    ),
    (re.compile(r"(?:<\?xml[^>]*>\s*)?<(?:Bundle|Patient)\b[^>]*fhir"), FHIR),
    (
        re.compile(
            r"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|table|meta|style)\b",
            re.IGNORECASE | re.DOTALL,
        ),
        Refused("a web page (HTML)", "open it in a spreadsheet, and save the table as .xlsx or CSV"),
    ),
    (re.compile(r"<\?xml\b|<!DOCTYPE\b|<[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>"), Refused("an XML file", _TABLE)),
)
_NOT_DELIMITED = "not delimited text"
_WORKBOOK = Refused("an Excel workbook", "write `excel:` in place of `csv:`", why=_NOT_DELIMITED)
_TABLES: tuple[Refused, ...] = (
    Refused("a Parquet file", "write `parquet:` in place of `csv:`", (b"PAR1",), why=_NOT_DELIMITED),
    Refused("an Arrow file", "write `arrow:` in place of `csv:`", (b"ARROW1",), why=_NOT_DELIMITED),
    Refused(
        "a file of DNA",
        "write `bed:` or `vcf:` in place of `csv:`",
        (b"\x6c\x1b\x01", b"BCF\x02", b"##fileformat=VCF"),
        why=_NOT_DELIMITED,
    ),
)
"""What has a reader of its own, and is no delimited text."""
_JSON = (
    (
        re.compile(r'\[\s*(?:\{\s*["}]|\]|(?:"(?:[^"\\]|\\.)*"|-?\d[\d.]*)\s*[,\]])'),
        Refused("a JSON array", "write `json:` in place of `csv:`", why=_NOT_DELIMITED),
    ),
    (
        re.compile(r'\{\s*(?:"(?:[^"\\]|\\.)*"\s*:|\}\s)'),
        Refused("JSON", "write `jsonl:` in place of `csv:` if it has one object a line", why=_NOT_DELIMITED),
    ),
)
_ENDINGS = {ending: one for one in REFUSED for ending in one.endings}


def refused_by_bytes(start: bytes) -> Refused | None:
    """By the first bytes."""
    return next((one for one in REFUSED if one.fits(start)), None)


def refused_by_text(text: str) -> Refused | None:
    """By the first words of a text."""
    text = text.lstrip("\ufeff \t\r\n")
    return next((one for pattern, one in _TEXTS if pattern.match(text)), None)


def refused_by_ending(ending: str) -> Refused | None:
    """By how the file's name ends, in small letters."""
    return _ENDINGS.get(ending)


def refused_by_members(names: Iterable[str]) -> Refused | None:
    """Documents that are zip archives inside."""
    held = set(names)
    if "word/document.xml" in held:
        return DOCX
    if "ppt/presentation.xml" in held:
        return _ENDINGS[".pptx"]
    return _ENDINGS[".npz"] if held and all(name.endswith(".npy") for name in held) else None


def is_workbook(names: Iterable[str]) -> bool:
    """Is a zip archive with these members a workbook?"""
    held = set(names)
    return "xl/workbook.xml" in held or "xl/workbook.bin" in held


def refuse_office_archive(label: str, names: Iterable[str]) -> None:
    """A DataError if an archive that is to be read as delimited text is a workbook or a document."""
    held = set(names)
    found = _WORKBOOK if is_workbook(held) else refused_by_members(held)
    if found is not None:
        raise found.error(label)


def refuse_as_delimited(label: str, start: bytes, text: str) -> None:
    """A DataError if a file that is to be read as delimited text is something else, by its first bytes and as text."""
    found = next((one for one in _TABLES if one.fits(start)), None) or refused_by_bytes(start) or refused_by_text(text)
    stripped = text.lstrip("\ufeff \t\r\n")
    found = found or next((one for pattern, one in _JSON if pattern.match(stripped)), None)
    if found is not None:
        raise found.error(label)
