"""One resolution: its steps in order, each with a case that another order would get wrong."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.spans import SAFE, Span, Text
from sharewell.notes.matcher.resolution import resolve

NOTE = Text("Ann Mokoena-Black, 44-71-90. Call 44-71-90.")


def shown(spans: list[Span]) -> list[tuple[int, int, str]]:
    return [(span.start, span.end, span.kind) for span in spans]


def test_the_most_certain_wins_and_the_rest_stays_claimed() -> None:
    claimed = [Span(0, 11, "NAME", 0.5), Span(4, 17, "PLACE", 0.9)]
    assert shown(resolve(NOTE, claimed, grow=False)) == [(0, 3, "NAME"), (4, 17, "PLACE")]


def test_safe_phrases_compete_and_are_not_in_the_result() -> None:
    assert resolve(NOTE, [Span(0, 3, "NAME", 0.5), Span(0, 3, SAFE, 0.6)], grow=False) == []


def test_reviewers_see_whole_names_and_have_the_last_word() -> None:
    class Doubting:
        def after_resolution(self, note: Text, won: Sequence[Span], safe: Sequence[Span]) -> list[Span]:
            assert shown(won) == [(0, 17, "NAME"), (19, 27, "ID"), (34, 42, "ID")]
            assert shown(safe) == [(29, 33, SAFE)]
            return list(won[1:])

    claimed = [Span(0, 11, "NAME", 0.7), Span(19, 27, "ID", 0.8), Span(29, 33, SAFE, 0.6)]
    assert shown(resolve(NOTE, claimed, [Doubting()])) == [(19, 27, "ID"), (34, 42, "ID")]


def test_names_grow_after_the_contest_and_numbers_count_again() -> None:
    claimed = [Span(0, 11, "NAME", 0.7), Span(19, 27, "ID", 0.8)]
    assert shown(resolve(NOTE, claimed)) == [(0, 17, "NAME"), (19, 27, "ID"), (34, 42, "ID")]


def test_nothing_grows_into_what_another_has() -> None:
    claimed = [Span(0, 3, "NAME", 0.7), Span(4, 17, "PLACE", 0.6)]
    assert shown(resolve(NOTE, claimed)) == [(0, 3, "NAME"), (4, 17, "PLACE")]


def test_the_result_is_in_order_and_apart_whatever_the_order_of_claims() -> None:
    text = Text("Seen 3/4/2021 by Dr. Ann Mokoena-Black of Boston, SSN 123-45-6789, MRN 4471902.")
    detectors = Detectors.usual()
    claimed = detectors.candidates(text)
    results = {
        tuple(shown(detectors.resolved(text, some))) for some in (claimed, claimed[::-1], sorted(claimed, key=str))
    }
    [spans] = results
    assert all(one[1] <= two[0] for one, two in pairwise(spans))
