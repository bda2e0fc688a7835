"""The policy as it is written: one record for each mapping of the file, with the line that editors show for each key.

Loading checks a file against these records, and the JSON Schema is made from them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Interval

from sharewell.parameters import Count
from sharewell.plain_data import Json, JsonObject

Days = Annotated[int, Interval(ge=1, le=3650)]


@dataclass(frozen=True, kw_only=True)
class PolicySpec:
    """A sharewell policy: what is released, from where, and what must hold."""

    sharewell: Annotated[Json, "Version of the policy language; always 1."]
    release: Annotated[JsonObject, "What is released, to whom, in which setting."]
    datasets: Annotated[JsonObject, "The datasets of the release, by name."]
    profile: Annotated[str | None, "A named set of thresholds. It adds criteria; weaker ones of yours are listed."] = (
        None
    )
    person: Annotated[JsonObject | None, "How datasets are tied by person, and what must hold of all together."] = None
    secrets: Annotated[JsonObject | None, "Where secrets lie. Never the secrets themselves."] = None
    write: Annotated[JsonObject | None, "Format and folder of the release."] = None


@dataclass(frozen=True, kw_only=True)
class ReleaseSpec:
    """What is released, to whom, in which setting."""

    name: Annotated[str, "A name that is also a folder name: letters, digits, dot, hyphen, underscore."]
    recipient: Annotated[str, "Who receives it."] = ""
    context: Annotated[Literal["public", "non-public", ""], "Published to everybody, or to known people only."] = ""
    after: Annotated[list[str] | None, "Folders of earlier releases about the same people; judged with this one."] = (
        None
    )
    same_identifiers: Annotated[
        bool, "You claim that a person has the same identifier in every file of this and of earlier releases."
    ] = False


@dataclass(frozen=True, kw_only=True)
class PersonSpec:
    """How datasets are tied by person, and what must hold of all that is published of a person."""

    table: Annotated[str, "The dataset of the people, one a row."]
    key: Annotated[str, "Its subject column; subject columns of the other datasets hold the same names."]
    require: Annotated[list[Json] | None, "Joint criteria that must hold, such as joined-k-anonymity."] = None
    using: Annotated[str | JsonObject | None, "The joint mechanism, after each dataset was protected by itself."] = None


@dataclass(frozen=True, kw_only=True)
class SecretsSpec:
    """Where secrets lie: env:NAME or file:PATH."""

    key: Annotated[Json, "The key from which pseudonyms and shifts derive: env:NAME or file:PATH."] = None
    sign: Annotated[Json, "The private key that signs the certificate: env:NAME or file:PATH."] = None


@dataclass(frozen=True, kw_only=True)
class SourceSpec:
    """One file to read: its format (csv, parquet, …; of DNA bed, vcf, fasta) with its path from the policy on."""

    csv: Annotated[str | None, "Path of a delimited text file."] = None
    parquet: Annotated[str | None, "Path of a Parquet file."] = None
    duckdb: Annotated[
        str | None, "Path of a DuckDB database with one table, or one that has the name of the file. It is only read."
    ] = None
    arrow: Annotated[str | None, "Path of an Arrow file."] = None
    jsonl: Annotated[str | None, "Path of a file of JSON Lines, one object a line, plain or gzipped."] = None
    json: Annotated[str | None, "Path of a JSON array of objects, each a row of the table."] = None
    excel: Annotated[str | None, "Path of a workbook: .xlsx, .xls or .ods (extra: excel)."] = None
    folder: Annotated[str | None, "Of kind notes: path of a folder of .txt, .rtf and .docx notes, one a file."] = None
    bed: Annotated[str | None, "Of kind genomes: path of a PLINK .bed file, with .bim and .fam beside it."] = None
    vcf: Annotated[str | None, "Of kind genomes: path of a VCF or BCF file."] = None
    fasta: Annotated[str | None, "Of kind genomes: path of a FASTA file, plain or gzipped."] = None
    encoding: Annotated[str | None, "Encoding of a CSV file or of plain notes, if it is not found by itself."] = None
    separator: Annotated[str | None, "Separator of a CSV file, if it is not found by itself."] = None
    newlines: Annotated[bool, "Cells of a CSV file may hold lines that look like records."] = False
    decimal: Annotated[str | None, "The decimal sign of numbers that are cleaned: . or ,"] = None
    thousands: Annotated[str | None, "What stands between the thousands of numbers that are cleaned."] = None
    day_first: Annotated[bool | None, "In dates that are cleaned, does the day come before the month?"] = None
    sheet: Annotated[str | None, "Of a workbook: the sheet, if there are several."] = None
    skip: Annotated[int, Interval(ge=0), "Of a CSV file or a workbook: lines above the header, such as a title."] = 0
    subjects: Annotated[
        JsonObject | None, "Of a folder: a table with columns note and subject, the person of each note."
    ] = None
    missing: Annotated[list[Json] | None, "Texts that stand for a missing value."] = None
    columns: Annotated[dict[str, str] | None, "Our column names, and those of the file where they differ."] = None
    clean: Annotated[JsonObject | None, "Columns by our names, and the steps by which each is cleaned."] = None
    multiallelic: Annotated[
        Literal["refuse", "split"] | None, "Of VCF: sites of several alternatives; as the dataset says if left out."
    ] = None
    haploid: Annotated[
        Literal["refuse", "double", "missing"] | None, "Of VCF: calls of one allele; as the dataset says if left out."
    ] = None


@dataclass(frozen=True, kw_only=True)
class ColumnSpec:
    """One column: its role and, if needed, its hierarchy and type."""

    role: Annotated[str, "What the column means to an attacker, and so what happens to it."]
    hierarchy: Annotated[str | JsonObject | None, "How its values are generalised."] = None
    type: Annotated[str | JsonObject | None, "number, date, text or {date: form}, if it is not found by itself."] = None
    most_days: Annotated[Days | None, "For the role shift: how many days a date may move, either way."] = None
    time: Annotated[str | None, "For the role shift: drop the time of day, cut it to the hour, or keep it."] = None
    style: Annotated[str | JsonObject | None, "For the role quasi: how a class shows its values."] = None
    separator: Annotated[str | None, "For codes: what stands between the codes of one cell."] = None
    using: Annotated[Json, "For the role text in a table: how it is protected; replace if left out."] = None
    known: Annotated[Json, "For the role text in a table: columns of the same row searched for in it, by sort."] = None
    agrees_with_table: Annotated[
        bool | JsonObject | None,
        "For the role text in a table: columns of the row that it may not say more than, by sort; false: none.",
    ] = None
    anyway: Annotated[bool, "For keep and sensitive: publish it although it looks like an identifier."] = False


@dataclass(frozen=True, kw_only=True)
class DatasetSpec:
    """One dataset of the release."""

    kind: Annotated[str, "The kind of data."]
    read: Annotated[JsonObject, "Where the data comes from."]
    columns: Annotated[JsonObject | None, "Every column and its role; files of DNA have no columns."] = None
    using: Annotated[str | JsonObject, "The mechanism, or auto: one that suits the criteria and the data."]
    require: Annotated[list[Json] | None, "Criteria that must hold."] = None
    attacks: Annotated[list[Json] | None, "Attacks to mount on the result."] = None
    utility: Annotated[list[Json] | None, "Measures of what protection cost; at_most or at_least promises one."] = None
    rest: Annotated[str | None, "A role for every column that is not listed."] = None
    publish: Annotated[
        str | JsonObject | None, "What stands for the subject in public; of reports of owners, which figures."
    ] = None
    link: Annotated[
        bool | None, "One pseudonym and one date shift a person, in all datasets that say so; see person."
    ] = None
    map: Annotated[bool | None, "Keep the table pseudonym to person in internal/."] = None
    compare: Annotated[JsonObject | None, "What `sharewell compare` puts side by side."] = None


@dataclass(frozen=True, kw_only=True)
class AutoSpec:
    """Try some mechanisms on the data and take the one that loses least."""

    among: Annotated[list[Json], "The mechanisms to try."]
    measure: Annotated[Json, "The measure by which they are compared; ncp if left out."] = None


@dataclass(frozen=True, kw_only=True)
class CompareSpec:
    """What `sharewell compare` puts side by side."""

    k: Annotated[list[Count] | None, "Least class sizes, each in place of the one required."] = None
    require: Annotated[list[Json] | None, "Lists of criteria, each in place of the dataset's own."] = None
    using: Annotated[list[Json] | None, "Mechanisms."] = None
    risk: Annotated[Json, "The attack that measures risk, such as prosecutor, or prosecutor.average."] = None
    measure: Annotated[Json, "The measure of what is lost, such as ncp."] = None


@dataclass(frozen=True, kw_only=True)
class WriteSpec:
    """Format and folder of the release: one of parquet, csv with a folder, relative to the policy."""

    parquet: Annotated[str | None, "Write Parquet files below this folder."] = None
    csv: Annotated[str | None, "Write CSV files below this folder."] = None
