"""Phrases of a gazetteer or a lexicon: the longest that begins at a word, across blanks, dashes and apostrophes."""

from __future__ import annotations

import pytest

from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.phrases import GAZETTEERS, Phrases, phrases

SHOPS = Phrases.of(["sam s club", "sam", "best buy"])


def within(text: str, seen: str = "") -> list[str]:
    return [text[start:end] for start, end in SHOPS.within(Text(text), seen)]


def test_the_longest_phrase_wins_and_phrases_do_not_overlap() -> None:
    assert within("Sam's Club, then Sam at Best-Buy") == ["Sam's Club", "Sam", "Best-Buy"]


def test_a_sign_that_joins_no_words_ends_a_phrase() -> None:
    assert within("best, buy; sam\ns club") == ["sam"]


def test_what_must_have_a_capital_has_one_in_what_is_seen() -> None:
    text = "sam and Sam at best buy"
    assert within(text, seen=text) == ["Sam"]


@pytest.mark.parametrize(
    ("name", "phrase"), [("cities", "baton rouge"), ("states", "north dakota"), ("chains", "rite aid")]
)
def test_gazetteers_and_lexicons_have_phrases(name: str, phrase: str) -> None:
    assert phrase in phrases(name).all
    assert "large_cities" in GAZETTEERS
    assert phrases("large_cities").all < phrases("cities").all


def test_the_list_of_places_knows_how_long_its_names_are() -> None:
    cities = phrases("cities")
    again = Phrases.of(cities.all)
    assert (again.all, again.firsts) == (cities.all, cities.firsts)
    for word in (*sorted(again.firsts)[::50], "no-such-place"):
        assert again.longest(word) == cities.longest(word)
        assert bool(cities.has(word)) == again.has(word)
