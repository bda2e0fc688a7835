"""What the shipped network is told of each token."""

from __future__ import annotations

from sharewell.notes import Span
from sharewell.notes.annotation.token_facts import (
    evidence_facts,
    evidence_of,
    gap_facts,
    gaps_of,
    place_facts,
    places_of,
    tokens_of,
    word_facts,
)
from sharewell.notes.engine.spans import SAFE, Text


def test_a_token_that_no_rule_touches_has_no_evidence() -> None:
    note = Text("Rosa Delgado slept well and went home with Rosa")
    won, safe = [Span(0, 12, "NAME", 0.9, "names side by side")], [Span(19, 23, SAFE, 0.5, "a phrase")]
    said = evidence_of(note, won, [range(2)], safe, [range(3, 4)])
    assert said == {
        0: ("NAME", "names side by side", 18, "B", "", ()),
        1: ("NAME", "names side by side", 18, "E", "", ()),
        3: ("", "", 0, "", "", ("a phrase",)),
        8: ("", "", 0, "", "NAME", ()),
    }
    assert evidence_facts(said[1]) == ("rule=NAME|names side by side", "sure=NAME|18", "part=NAME|E")
    assert (evidence_facts(said[3]), evidence_facts(said[8])) == (("safe=a phrase",), ("again=NAME",))


def test_a_word_is_told_by_its_letters_and_a_number_by_its_size() -> None:
    assert {"look=Xxxxxx", "front=del", "back=ado", "tail=do", "word=delgado"} <= {*word_facts("Delgado")}
    assert {"number=7", "look=99", "word=07"} <= {*word_facts("07")}
    assert {"number=d4y", "decade=198"} <= {*word_facts("1987")}
    assert "mixed=a9" in word_facts("A123")


def test_signs_stand_before_and_after() -> None:
    note = Text("Seen: Rosa,\n\nhome")
    assert [gap_facts(gap) for gap in gaps_of(note)] == [
        ("before=", "after=: "), ("before=: ", "after=line2,"), ("before=line2,", "after=line1"),
    ]  # fmt: skip


def test_a_place_has_its_heading_and_its_step_in_the_line() -> None:
    note = Text("Plan: a b c d e\nhome")
    assert list(places_of(note)) == [("plan", step, False, True) for step in (0, 1, 2, 3, 3, 3, 0)]
    assert place_facts(("plan", 0, True, False)) == ("heading=plan", "step=0", "caseless")


def test_tokens_of_a_span_that_begins_inside_of_a_word_or_before_one() -> None:
    text = Text("MRNRosa99, Delgado")
    assert tokens_of(text, Span(3, 7, "NAME", 0.4)) == range(1)
    assert tokens_of(text, Span(9, 18, "NAME", 0.4)) == range(1, 2)
    assert tokens_of(text, Span(9, 11, "NAME", 0.4)) == range(1, 1)
