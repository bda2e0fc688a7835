"""Guards about first and last words: where there are none they say no, or have nothing to object to."""

from __future__ import annotations

import re

import pytest

from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.guards import OF_FORM
from sharewell.notes.matcher.rule import Candidate

COLOURS = frozenset(("red", "blue"))


@pytest.mark.parametrize(
    ("name", "written", "answer"),
    [
        ("begins_in", "Red von Ketner", True),
        ("begins_in", "Red Von Ketner", False),
        ("begins_in", "R. Ketner", True),
        ("ends_in", "Ketner-Red 5", True),
        ("ends_in", "5", False),
        ("ends_not_in", "5", True),
        ("no_capital_in", "von red Ketner", True),
        ("no_capital_in", "Ketner, RED", False),
    ],
)
def test_first_and_last_words(name: str, written: str, answer: bool) -> None:
    match = re.match(".*", written)
    assert match
    assert OF_FORM.worded[name](COLOURS)(Candidate(Text(written), match, 0, len(written))) is answer
