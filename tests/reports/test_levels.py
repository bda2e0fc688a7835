"""Vectors of levels in words: every vector has its own sentence, and none is told as a vector."""

from __future__ import annotations

from itertools import product

from sharewell.reports.dossier.levels import levels_of, published, verdict


def test_every_vector_is_told_in_words_of_its_own() -> None:
    for nested in (False, True):
        told = {}
        for levels in product((1, 2, 3), repeat=6):
            rows, columns = levels[:3], levels[3:]
            vector = f"({','.join(map(str, rows))}|{','.join(map(str, columns))})"
            found = levels_of(vector)
            assert found is not None
            told[vector] = published(found, {"center": "5-point ", "dispersion": "1-point "}, nested=nested)
        assert len(set(told.values())) == len(told) == 3**6
        assert not [words for words in told.values() if "|" in words or "(" in words]


def test_the_answer_says_what_is_safe_and_whether_more_would_be() -> None:
    levels, nothing = levels_of("(1,1,1|2,1,1)"), levels_of("(1,1,1|1,1,1)")
    assert levels is not None
    assert nothing is not None
    told = verdict(levels, True, {"center": "5-point "})
    assert told == "Safe if means of the measures as 5-point ranges are published; nothing more detailed is safe."
    assert "is undecided" in verdict(levels, False)
    assert verdict(nothing, True) == "Safe only if nothing is published; nothing more detailed is safe."


def test_what_is_no_vector_stays_untold() -> None:
    assert levels_of("(1,2|3)") is None
    assert levels_of("") is None
