"""The policy as it is written: one record for each mapping of the file. Loading and the editors' schema both use these."""

from __future__ import annotations

from dataclasses import MISSING, dataclass, field
from typing import Any, Literal


def says(text: str, default: Any = MISSING) -> Any:
    """A field with the line that editors show for it."""
    metadata = {"says": text}
    return field(metadata=metadata) if default is MISSING else field(default=default, metadata=metadata)


@dataclass(frozen=True, kw_only=True)
class WrittenPolicy:
    """A sharewell policy: what is released, from where, and what must hold."""

    sharewell: Any = says("Version of the policy language; always 1.")
    release: dict[str, Any] = says("What is released, to whom, in which setting.")
    datasets: dict[str, Any] = says("The datasets of the release, by name.")
    profile: str | None = says("A named set of thresholds. It adds criteria; weaker ones of yours are listed.", None)
    secrets: dict[str, Any] | None = says("Where secrets lie. Never the secrets themselves.", None)
    write: dict[str, Any] | None = says("Format and folder of the release.", None)


@dataclass(frozen=True, kw_only=True)
class WrittenRelease:
    """What is released, to whom, in which setting."""

    name: str = says("A name that is also a folder name: letters, digits, dot, hyphen, underscore.")
    recipient: str = says("Who receives it.", "")
    context: Literal["public", "non-public", ""] = says("Published to everybody, or to known people only.", "")


@dataclass(frozen=True, kw_only=True)
class WrittenSecrets:
    """Where secrets lie: env:NAME or file:PATH."""

    key: Any = says("The key from which pseudonyms and shifts derive: env:NAME or file:PATH.", None)
    sign: Any = says("The private key that signs the certificate: env:NAME or file:PATH.", None)


@dataclass(frozen=True, kw_only=True)
class WrittenSource:
    """One file to read: one of csv, parquet, arrow with its path, relative to the policy."""

    csv: str | None = says("Path of a delimited text file.", None)
    parquet: str | None = says("Path of a Parquet file.", None)
    arrow: str | None = says("Path of an Arrow file.", None)
    encoding: str | None = says("Encoding of a CSV file, if it is not found by itself.", None)
    separator: str | None = says("Separator of a CSV file, if it is not found by itself.", None)
    missing: list[Any] | None = says("Texts that mean that there is no value.", None)
    columns: dict[str, str] | None = says("Our column names, and those of the file where they differ.", None)


@dataclass(frozen=True, kw_only=True)
class WrittenColumn:
    """One column: its role and, if needed, its hierarchy and type."""

    role: str = says("What the column means to an attacker, and so what happens to it.")
    hierarchy: str | dict[str, Any] | None = says("How its values are generalised.", None)
    type: str | dict[str, Any] | None = says("number, date, text or {date: form}, if it is not found by itself.", None)
    most_days: int | None = says("For the role shift: how many days a date may move, either way.", None)


@dataclass(frozen=True, kw_only=True)
class WrittenDataset:
    """One dataset of the release."""

    kind: str = says("The kind of data.")
    read: dict[str, Any] = says("Where the data comes from.")
    columns: dict[str, Any] = says("Every column and its role.")
    using: str | dict[str, Any] = says("The mechanism, or auto.")
    require: list[Any] | None = says("Criteria that must hold.", None)
    attacks: list[Any] | None = says("Attacks to mount on the result.", None)
    utility: list[Any] | None = says("Measures of what protection cost.", None)
    rest: str | None = says("A role for every column that is not listed.", None)
    publish: str | None = says("What stands for the subject in public.", None)
    link: bool | None = says("One pseudonym across datasets; not available.", None)
    map: bool | None = says("Keep the table pseudonym to person in internal/.", None)


@dataclass(frozen=True, kw_only=True)
class WrittenWrite:
    """Format and folder of the release: one of parquet, csv with a folder, relative to the policy."""

    parquet: str | None = says("Write Parquet files below this folder.", None)
    csv: str | None = says("Write CSV files below this folder.", None)
