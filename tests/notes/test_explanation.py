"""`notes explain`: every candidate, and why one won."""

from __future__ import annotations

from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.spans import Span
from sharewell.notes.matcher.explanation import explain


class Fixed:
    """Claims what it is told to."""

    name = "names"

    def __init__(self, *spans: Span) -> None:
        self.spans = spans

    def find(self, text: str, known: object = None) -> list[Span]:
        return list(self.spans)


def fates(text: str, *spans: Span) -> list[str]:
    return [one.fate for one in explain(text, Detectors((Fixed(*spans),)))[1]]


def test_the_winner_and_the_loser_are_told() -> None:
    assert fates("Boston", Span(0, 6, "PLACE", 0.9, "sure"), Span(0, 6, "NAME", 0.5, "unsure")) == [
        "won",
        "lost to sure (PLACE 0.9, more certain)",
    ]


def test_ties_parts_and_growth_are_told() -> None:
    assert fates("ab cd", Span(0, 5, "ID", 0.5, "long"), Span(0, 2, "ID", 0.5, "short")) == [
        "lost to long (ID 0.5, as certain, and longer)",
        "won",
    ]
    assert fates("ab cd", Span(0, 5, "ID", 0.5, "long"), Span(0, 2, "ID", 0.9, "sure")) == ["won", "won in part: 3–5"]
    assert fates("Ann Mokoena-Black came", Span(0, 11, "NAME", 0.7, "r")) == ["won, and grew to 0–17"]


def test_what_the_resolution_adds_is_told() -> None:
    told = explain("44-71-90. Call 44-71-90.", Detectors((Fixed(Span(0, 8, "ID", 0.8, "r")),)))[1]
    assert [(one.detector, one.won) for one in told] == [("names", True), ("resolution", True)]


def test_what_the_model_makes_of_a_candidate_is_told() -> None:
    told = explain("Seen by Dr. Delgado in Springfield. Strength 4/5, seen again 4/5.", Detectors.usual())[1]
    name = next(one for one in told if one.won and one.span.kind == "NAME")
    assert "; the model makes it " in name.fate
    assert all("the model" in one.fate for one in told if one.fate.startswith("left out"))
