"""The detectors find the same spans in the marked texts that ship with the project."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from golden.canonical import plain_digest
from golden.store import Golden
from sharewell.notes import Detectors

ROOT = Path(__file__).parents[2]
COLLECTIONS = [*sorted((ROOT / "benchmarks" / "marked").glob("*.jsonl")), ROOT / "examples/notes-checked/marked.jsonl"]
STEP = 4
"""Every so many texts are read by default: all of them take too long for a test that always runs."""


@pytest.fixture(scope="module")
def detectors() -> Detectors:
    return Detectors.usual().ready()


def found_in(detectors: Detectors, texts: list[str]) -> dict[str, Any]:
    """How many spans of each kind, and hashes: of where they are and how certain, and of the rules that found them."""
    hits = [[(s.start, s.end, s.kind, round(s.certainty, 9), s.reason) for s in detectors.find(text)] for text in texts]
    return {
        "texts": len(texts),
        "spans": dict(Counter(hit[2] for of_text in hits for hit in of_text)),
        "spans_sha256": plain_digest([[hit[:4] for hit in of_text] for of_text in hits]),
        "rules_sha256": plain_digest([[hit[4] for hit in of_text] for of_text in hits]),
    }


@pytest.mark.parametrize("path", COLLECTIONS, ids=lambda path: path.stem)
def test_the_same_spans_are_found(
    path: Path, detectors: Detectors, golden: Golden, request: pytest.FixtureRequest
) -> None:
    texts = [json.loads(line)["text"] for line in path.read_text("utf-8").splitlines()]
    name = str(path.relative_to(ROOT).as_posix())
    golden.check("spans", f"{name}, every {STEP}th text", found_in(detectors, texts[::STEP]))
    if golden.write or request.config.getoption("--every-text"):
        golden.check("spans", f"{name}, every text", found_in(detectors, texts))


def test_no_collection_is_left_out(golden: Golden) -> None:
    names = [path.relative_to(ROOT).as_posix() for path in COLLECTIONS]
    golden.names("spans", [f"{name}, {part}" for name in names for part in (f"every {STEP}th text", "every text")])
