"""Scores, pressures, spells of time, hours, counts and names of fields: what no model should take for a person's."""

from __future__ import annotations

import re

import pytest

from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.learned import Learned
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.matcher.matching import RuleDetector

MEASURES = RuleDetector.shipped("measures")

LEFT = """
Power {5/5} both legs, GCS {14/15}, pain now {7/10}, MMSE was {23/30}
vision {6/9} right; BP {148/92}, then {132/78}; gas {7.31/48/90}
Cough {3/52}, seen at {26/40}; amoxicillin tds for {5/7}, pain {6/12} ago
handover at {0715}, theatre {14:30}, home by {2 pm}, shift {1900-0730}
scan {6/3/21} {0940}; reviewed {4 May} {11.20}
glucose {210-260}, Na {138}, weight {82}, urine {1675}
three sets {3x10}, vomited {x2}, bottle {2 of 4}, a {58m}, checked {q4h}
Rate steps {20-40-80-120}; worked in {1987}
seen 3/7/2016 ({Mon})
{Tuesday} and {Fridays}; {DOB} and {Fax}; it {may} be viral; on {the} 14th
""".strip().splitlines()

TOLD = """
seen on 4/5 and 11/12 at the clinic
pager 0415; extension 1130; room phone 2210
MRN 0415; lot 1130
in May I saw her; postcode Arden 1227
""".strip().splitlines()


def _inner(marked: str) -> tuple[str, list[str]]:
    return re.sub(r"[{}]", "", marked), re.findall(r"\{([^}]*)\}", marked)


@pytest.mark.parametrize("marked", LEFT)
def test_harmless_numbers_are_safe(marked: str) -> None:
    text, wanted = _inner(marked)
    spans = list(MEASURES.find(Text(text)))
    for piece in wanted:
        if piece not in ("6/3/21", "4 May"):  # dates, which give their hours away
            assert any(piece in text[span.start : span.end] for span in spans), piece


@pytest.mark.parametrize("text", TOLD)
def test_what_may_be_a_finding_is_not_safe(text: str) -> None:
    assert not [
        said for span in MEASURES.find(Text(text)) if any(map(str.isdigit, said := text[span.start : span.end]))
    ]


def test_a_guess_gives_way_and_a_rule_does_not() -> None:
    class Guess:
        name = "guess"

        def find(self, text: str, known: object = None) -> list[Span]:
            start = text.index("3/4")
            return [Span(start, start + 3, "DATE", Learned(None).most / 2, "guess")]

    both = Detectors((MEASURES, Guess()))
    assert not both.find("power 3/4 in the arm")
    assert both.find("came back 3/4 with his wife")


@pytest.mark.parametrize("piece", ["power 3/5 ", "3/5 ", "0715 ", "the 4th ", "may be ", "na 138 ", "12-14-16-18 "])
def test_long_runs_are_quick(piece: str) -> None:
    list(MEASURES.find(Text(piece * 3000)))
