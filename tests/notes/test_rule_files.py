"""Files of rules: what they may say, and how each mistake is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.errors import DataError, PolicyError
from sharewell.notes.matcher.rule_files import lexicon, locales, parse, read, shipped, shipped_detectors

RULE = """
kind = "ID"
[pieces]
letters = '[a-z]{2}'
[[rule]]
name = "badge"
certainty = 0.9
words = "badge"
pattern = 'badge (?P<value>{letters}-\\d+)'
found = ["Badge [[qx-12]]"]
not_found = ["badge of honour"]
""".replace('words = "badge"', 'words = ["badge"]')


def mistakes(source: str) -> str:
    with pytest.raises(PolicyError) as caught:
        parse(source, "mine.toml", "mine")
    return str(caught.value)


def test_pieces_are_put_in() -> None:
    [rule] = parse(RULE, "mine.toml", "mine")
    assert (rule.pattern, rule.kind, rule.detector) == (r"badge (?P<value>[a-z]{2}-\d+)", "ID", "mine")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("certainty = 0.9", "certainty = 3", "mine.toml:5:1: rule badge, certainty — must be above 0 and at most 1"),
        ("certainty = 0.9", "", "rule badge, certainty — is missing"),
        ("words = ", "wordz = ", "rule badge, wordz — no such field — did you mean 'words'?"),
        ("words = ", "wordz = ", "rule badge — must have one cue"),
        ('words = ["badge"]', 'words = "no-such-list"', "rule badge, words — no such lexicon"),
        ("{letters}", "{leters}", "rule badge, pattern — no piece, locale piece or lexicon leters"),
        ("{letters}", "(", "rule badge, pattern — no regular expression"),
        ('kind = "ID"', 'kind = "BADGE"', "rule badge, kind — no such kind"),
        ('not_found = ["badge of honour"]', "", "rule badge, not_found — is missing"),
        ('name = "badge"', "name = 3", "rule 3, name — is of another type — str"),
        ("[[rule]]", 'guards = ["luhn"]\n[[rule]]', "pieces.guards — must be a text"),
        ("[pieces]", "[parts]", "parts — no such table"),
        ('found = ["Badge [[qx-12]]"]', "found = [1]", "rule badge, found — must be a list of texts"),
        ("certainty = 0.9", 'certainty = 0.9\nguards = ["luhm"]', "rule badge, guards — no guard or lexicon 'luhm'"),
        ("certainty = 0.9", "certainty = ", "no TOML"),
    ],
)
def test_each_mistake_is_told_with_its_rule_and_field(old: str, new: str, told: str) -> None:
    assert told in mistakes(RULE.replace(old, new, 1))


def test_two_rules_of_one_name_are_refused() -> None:
    assert "two rules have this name" in mistakes(RULE + RULE[RULE.index("[[rule]]") :])


def test_a_file_that_is_not_there_or_no_text(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file"):
        read(tmp_path / "mine.toml")
    (tmp_path / "mine.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(PolicyError, match="UTF-8"):
        read(tmp_path / "mine.toml")


def test_every_shipped_file_is_read() -> None:
    assert {"emails", "ips", "ssn", "urls"} <= set(shipped_detectors())
    names = [rule.name for detector in shipped_detectors() for rule in shipped(detector)]
    assert len(names) == len(set(names)), "a reason must tell one rule"
    assert "us" in locales()
    with pytest.raises(KeyError):
        lexicon("no-such-list")
