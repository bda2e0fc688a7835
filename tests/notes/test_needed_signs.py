"""Signs that a text must hold: where they are missing, a search would have found nothing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from sharewell.notes.matcher.needed_signs import needed_signs
from sharewell.notes.matcher.rule_files import shipped, shipped_detectors

MARKED = Path(__file__).parents[2] / "benchmarks" / "marked"
SIGNS = sorted({rule.sign for name in shipped_detectors() for rule in shipped(name) if rule.sign})


@pytest.mark.parametrize(
    ("pattern", "wanted"),
    [
        ("@", ["@"]),
        (r"[A-Z] ?\d", []),
        ("x#?", []),
        ("(?:a#|b[+-])", ["#+-"]),
        ("(?:a#|b)", []),
        ("(?P<s>[.]){2}", ["."]),
        ("[^#]", []),
        ("[-a]", []),
    ],
)
def test_only_what_every_match_holds_is_needed(pattern: str, wanted: list[str]) -> None:
    assert ["".join(sorted(signs)) for signs in needed_signs(pattern)] == wanted


@pytest.mark.parametrize("sign", SIGNS)
def test_what_a_shipped_sign_needs_is_in_all_that_it_finds(sign: str) -> None:
    texts = [json.loads(line)["text"] for line in (MARKED / "tuning2_notes.jsonl").read_text("utf-8").splitlines()]
    found = [match[0] for text in texts for seen in (text, text.lower()) for match in re.finditer(sign, seen)]
    assert all(not signs.isdisjoint(match) for match in found for signs in needed_signs(sign))
