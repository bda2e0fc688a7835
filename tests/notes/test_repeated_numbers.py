"""Numbers that are found once count wherever they stand."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from time_growth import grows_with_the_square

from sharewell.notes import Span
from sharewell.notes.engine.spans import Text
from sharewell.notes.matcher.repeated_numbers import _places, repeated_numbers


def test_every_place_of_a_number() -> None:
    text = Text("MRN 98-02-896. Labelled 98-02-896, not 98-02-8961; bed 12, bed 12")
    won = repeated_numbers(text, [Span(4, 13, "ID", 0.8, "x"), Span(55, 57, "ID", 0.8, "x")])
    assert [text[span.start : span.end] for span in won] == ["98-02-896", "98-02-896", "12"]


@given(st.lists(st.sampled_from(["12345", "98-02-896", "a", ",", "12345-1"]), max_size=12), st.integers(0, 60))
def test_spans_stay_apart_and_in_order(pieces: list[str], at: int) -> None:
    text = Text(" ".join(pieces))
    won = [Span(at, at + 5, "PHONE", 0.7, "x")] if at + 5 <= len(text) else []
    found = repeated_numbers(text, won)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(any(span.start <= old.start and old.end <= span.end for span in found) for old in won)


PIECES = st.lists(st.sampled_from(["12345", "98-02-896", "98-02-8", "02", "98-0", "896", "-", "é5"]), max_size=14)


@given(PIECES, st.sampled_from([" ", "-", ", "]), st.integers(0, 99), st.integers(1, 12))
def test_what_counts_again_is_every_whole_place(pieces: list[str], joint: str, start: int, size: int) -> None:
    text = Text(joint.join(pieces))
    piece = text[start : start + size]
    alike = [at for at in text.token_starts if text.startswith(piece, at)]
    whole = [at for at in alike if not text[at + size : at + size + 1].isalnum()]
    if start in text.starts and len(piece) == size:
        assert list(_places(text, start, piece)) == [at for at in whole if at != start]


def test_many_numbers_take_time_in_proportion() -> None:
    def searched(count: int) -> list[Span]:
        text = Text(" ".join(f"503-555-{number:05}" for number in range(count)))
        return repeated_numbers(text, [Span(at * 14, at * 14 + 13, "PHONE", 0.8, "x") for at in range(count)])

    assert not grows_with_the_square(searched, 300, 3_000, 10)
