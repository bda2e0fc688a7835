"""Files of rules: what they may say, and how each mistake is told."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, PolicyError
from sharewell.notes.matcher.matching import RuleDetector
from sharewell.notes.matcher.named_guards import described
from sharewell.notes.matcher.rule import FIELDS, SEEN
from sharewell.notes.matcher.rule_examples import failed
from sharewell.notes.matcher.rule_files import lexicon, locales, parse, read, shipped, shipped_detectors
from sharewell.plain_data import Json

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


DOUBLING = "[pieces]\na = 'xxxxxxxxxx'\n" + "".join(
    f"{b} = '{{{a}}}{{{a}}}'\n" for a, b in pairwise("abcdefghijklmnopqrstuvwxyz")
)


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
        ('words = ["badge"]', 'follows = "dozes"', "rule badge, follows — no such detector of rules"),
        ('words = ["badge"]', 'words = ["badge"]\ndigits = 3', "rule badge — must have one cue"),
        ("{letters}", "{leters}", "rule badge, pattern — no piece, locale piece or lexicon leters"),
        ("{letters}", "(", "rule badge, pattern — no regular expression"),
        ('kind = "ID"', 'kind = "BADGE"', "rule badge, kind — no such kind"),
        ('not_found = ["badge of honour"]', "", "rule badge, not_found — is missing"),
        ('name = "badge"', "name = 3", "rule 3, name — must be a text"),
        ("[[rule]]", 'guards = ["luhn"]\n[[rule]]', "pieces.guards — must be a text"),
        ("[pieces]", "[parts]", "parts — no such table"),
        ('found = ["Badge [[qx-12]]"]', "found = [1]", "rule badge, found — must be a list of texts"),
        ("certainty = 0.9", 'certainty = 0.9\nguards = ["luhm"]', "rule badge, guards — no guard luhm"),
        ("certainty = 0.9", "certainty = ", "no TOML"),
        ("certainty = 0.9", "certainty = true", "rule badge, certainty — must be above 0"),
        ("certainty = 0.9", "certainty = nan", "rule badge, certainty — must be above 0"),
        ("certainty = 0.9", f"certainty = {'9' * 5000}", "no TOML"),
        ('found = ["Badge [[qx-12]]"]', "found = 5", "rule badge, found — must be a list of texts"),
        ("{letters}", "[a-z]{99999999999}", "rule badge, pattern — no regular expression: the repetition number"),
        ("{letters}", "(" * 3000 + ")" * 3000, "rule badge, pattern — is too long or nested too deep"),
        ("{letters}", "[[a]", "rule badge, pattern — no regular expression: Possible nested set"),
        ("{letters}", "(?:a+)+", "rule badge, pattern — a repetition in it reads the same text in several ways"),
        ("certainty = 0.9", 'certainty = 0.9\nspans = ["nope"]', "rule badge, spans — the pattern has no group nope"),
        ("certainty = 0.9", 'certainty = 0.9\nbefore = "(?i)a"', "rule badge, before — no regular expression"),
        ("certainty = 0.9", "certainty = 0.9\nreach = 1000000000", "rule badge, reach — must be a whole number"),
        ('words = ["badge"]', "words = []", "rule badge — must have one cue"),
        ('words = ["badge"]', "digits = []", "rule badge, digits — must be a number"),
        ('words = ["badge"]', "sign = 'a*'", "rule badge, sign — must be of 1 to 48 characters"),
        ("[pieces]", f"a = {'[' * 3000}\n[pieces]", "mine.toml: no TOML — brackets are nested too deep"),
    ],
)
def test_each_mistake_is_told_with_its_rule_and_field(old: str, new: str, told: str) -> None:
    assert told in mistakes(RULE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("rule = 5", "mine.toml: rule — must be a list of tables — begin each rule with a line [[rule]]"),
        ("rule = [5]", "rule — must be a list of tables"),
        ("pieces = 5", "pieces — must be a table of texts"),
        (DOUBLING, "pieces.r — is too long with its pieces put in — at most 1,000,000 characters"),
    ],
)
def test_a_file_of_another_form_is_told(source: str, told: str) -> None:
    assert told in mistakes(source)


def test_rules_may_stand_in_a_list() -> None:
    """Their lines are not known then."""
    assert "mine.toml: rule (no name), name — is missing" in mistakes("rule = [{kind = 'ID'}]")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
    max_leaves=5,
)


@settings(max_examples=300, deadline=None)
@given(
    changes=st.dictionaries(st.sampled_from([*FIELDS, "other"]), VALUES, min_size=1, max_size=3),
    outside=st.dictionaries(st.sampled_from(["about", "kind", "pieces", "rule", "one_line"]), VALUES, max_size=1),
)
def test_whatever_fields_hold_only_policy_errors_are_raised(changes: dict[str, Json], outside: dict[str, Json]) -> None:
    """The document is given as TOML would be read; what is accepted also runs on a note."""
    document = tomllib.loads(RULE)
    for key, value in changes.items():
        document["rule"][0].pop(key, None)
        if value is not None:
            document["rule"][0][key] = value
    document |= {key: value for key, value in outside.items() if value is not None}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tomllib, "loads", lambda _: document)
        try:
            rules = parse(RULE, "mine.toml", "mine")
        except PolicyError:
            return
    RuleDetector("mine", rules).find("Badge qx-12 was seen on 3 May, 12 and 13, ²")
    list(failed(rules))


@pytest.mark.parametrize("guard", [name for name in described() if ":" not in name])
def test_guards_take_whatever_a_pattern_finds(guard: str) -> None:
    """A user's pattern may have other groups and digits than those of the shipped rule that the guard was made for."""
    source = RULE.replace("{letters}-\\d+", "[^!]+").replace(
        "certainty = 0.9", f'certainty = 0.9\nguards = ["{guard}"]'
    )
    detector = RuleDetector("mine", parse(source, "mine.toml", "mine"))
    for found in ("²", " ", "a", "3", "3 4", "3 4 5", "may", "\n", "12-13-14 b"):
        assert len(detector.find(f"badge {found}!")) <= 1


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


def test_a_rule_of_the_users_sees_a_short_part_of_a_note() -> None:
    """The shipped ones see all that follows."""
    source = RULE.replace("{letters}-\\d+", "a+")
    [own], [other] = parse(source, "mine.toml", "mine"), parse(source, "mine.toml", "mine", own=False)
    long = "badge " + "a" * 2 * SEEN
    assert [span.end for span in RuleDetector("mine", (own,)).find(long)] == [SEEN]
    assert [span.end for span in RuleDetector("mine", (other,)).find(long)] == [len(long)]
