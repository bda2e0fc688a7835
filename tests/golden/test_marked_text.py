"""The marks in the texts that detectors are measured on say where they are, and lie where they say."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

MARKED = Path(__file__).parents[2] / "benchmarks" / "marked"
FILES = sorted(MARKED.rglob("*.jsonl"))
LABELS = {"NAME", "DATE", "LOCATION", "PHONE", "EMAIL", "SSN", "ID", "AGE90", "URL", "IP"}
OF_DRUGS = {"DRUG", "DOSE"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(MARKED).with_suffix("").as_posix())
def test_marks_lie_where_they_say(path: Path) -> None:
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    assert len({row["id"] for row in rows}) == len(rows)
    allowed = OF_DRUGS if path.stem.endswith("_drugs") else LABELS
    for row in rows:
        spans = sorted(row["spans"], key=lambda span: span["start"])
        assert {span["label"] for span in spans} <= allowed, row["id"]
        for span in spans:
            marked = row["text"][span["start"] : span["end"]]
            assert marked == span["text"], row["id"]
            assert marked.strip() == marked != "", row["id"]
        assert all(one["end"] <= other["start"] for one, other in pairwise(spans)), row["id"]


def test_every_author_is_measured_on_notes() -> None:
    authors = {path.stem.partition("_")[0] for path in FILES}
    assert {f"heldout{number}" for number in (4, 5, *range(12, 20))} <= authors
    assert {"tuning", *(f"tuning{number}" for number in range(2, 25))} <= authors
