"""The engine tries each rule at its cue, and nowhere else."""

from __future__ import annotations

import pytest

from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.matching import RuleDetector, found
from sharewell.notes.matcher.rule import Rule


def made(pattern: str, **more: object) -> Rule:
    return Rule("r", "ID", 0.5, pattern, "d", "f.toml", **more)  # type: ignore[arg-type]


def spans(rule: Rule, text: str) -> list[str]:
    return [text[span.start : span.end] for span in found(rule, Text.of(text))]


@pytest.mark.parametrize(
    ("rule", "text", "wanted"),
    [
        (made(r"ward \d", words=frozenset(["ward"])), "Ward 5, ward 6; steward 7", ["Ward 5", "ward 6"]),
        (made(r"\d+-\d+", digits=(3, 3), next="-"), "12-3 123-4 1234-5", ["123-4"]),
        (made(r"\d+", digits=(1, 2)), "1 22 333 4", ["1", "22", "4"]),
        (made(r"\w+@\w+", sign="@", reach=9), "to jane@home, @x", ["jane@home"]),
        (made(r"[A-Z]\d", digits=(1, 1), reach=1, as_written=True), "A1 b2", ["A1"]),
        (made(r"\w+: (?P<value>\d+)", words=frozenset(["id"])), "id: 12", ["12"]),
        (made(r"(?P<a>\d)-(?P<b>\d)", digits=(1, 1), spans=("a", "b")), "1-2", ["1", "2"]),
        (made(r"\d", digits=(1, 1), before=r"no\. ", not_after=r"\s?mg"), "no. 1, no. 2 mg, 3", ["1"]),
        (made(r"\d", digits=(1, 1), not_before="v", after="x"), "1x v2x 3", ["1"]),
        (made(r"\d+ \w+", digits=(1, 2), sign=r"\d+ c"), "12 cats, 3 dogs, 456 cows", ["12 cats"]),
        (made(r" at (?P<value>\d+)", follows="drugs"), "levophed at 12, bed at 14", ["12"]),
        (made(r",? then (?P<value>\d+)", follows="doses"), "morphine 10 mg then 5, then 2", ["5", "2"]),
    ],
)
def test_cues(rule: Rule, text: str, wanted: list[str]) -> None:
    assert spans(rule, text) == wanted


def test_a_detector_of_rules_says_which_rule_found_it() -> None:
    [span] = RuleDetector.shipped("ips").find("from 192.0.2.14.")
    assert (span.reason, span.kind) == ("internet-address", "IP")
    assert isinstance(Detectors.of("ips").all[0], RuleDetector)


def test_long_runs_without_a_match_take_time_in_proportion() -> None:
    assert not RuleDetector.shipped("urls").find("a.b." * 5_000)


def test_rules_find_the_same_alone_and_together() -> None:
    """Detectors that look for their words together, and some that left for others."""
    names = ("dates", "organisations", "name-forms", "phones")
    text = "Seen 3 May 2021 at Lakeside General Hospital by Dr. A. Moreno, call 503-555-0142 or text Ann."
    together, alone = Detectors.of(*names), [RuleDetector.shipped(name) for name in names]
    wanted = [one.find(text) for one in alone]
    assert sum(map(bool, wanted)) > 2
    note = Text.of(text)
    together.candidates(note)
    assert [one.find(note) for one in together.all] == wanted
    Detectors(together.all[2:]).candidates(note)  # they share with others from now on
    assert [one.find(note) for one in together.all] == wanted
