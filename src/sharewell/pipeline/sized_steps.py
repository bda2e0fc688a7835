"""Steps of the pipeline whose length grows with the data: what they are called, which work that is, and how much."""

from __future__ import annotations

from pathlib import Path

from sharewell.policy.model import Dataset
from sharewell.progress import SizedStep
from sharewell.wing import Claim, Records


def reading(dataset: Dataset) -> SizedStep:
    """By the bytes of its file; of what is no file, nothing is known."""
    return SizedStep.of(f"reading {dataset.name}", f"reading {dataset.kind}", file_bytes(dataset.read.path))


def working(what: str, dataset: Dataset, data: Records) -> SizedStep:
    """Some work on all cells, such as measuring or writing."""
    return SizedStep.of(f"{what} {dataset.name}", f"{what} {dataset.kind}", cells(dataset, data))


def protecting(dataset: Dataset, data: Records) -> SizedStep:
    by = dataset.using.name
    return SizedStep.of(f"protecting {dataset.name} by {by}", protection_work(dataset.kind, by), cells(dataset, data))


def protection_work(kind: str, mechanism: str) -> str:
    return f"protecting {kind} by {mechanism}"


def algorithm_work(kind: str, name: str) -> str:
    """Of an attack or a measure."""
    return f"{name} of {kind}"


def verifying_work(kind: str) -> str:
    return f"verifying {kind}"


def cells(dataset: Dataset, data: Records) -> int:
    return data.rows * max(1, len(dataset.columns))


def claimed_cells(claim: Claim) -> int:
    return claim.rows * max(1, len(claim.columns))


def file_bytes(path: Path | None) -> int:
    """Of a file, or of all that lie in a folder; 0 if there is none."""
    if path is None:
        return 0
    try:
        files = [one for one in path.iterdir() if one.is_file()] if path.is_dir() else [path]
        return sum(one.stat().st_size for one in files)
    except OSError:
        return 0


def release_bytes(directory: Path) -> int:
    """Of the files that recipients get."""
    return file_bytes(directory if directory.name == "public" else directory / "public")
