"""Spans that compete, texts that remember their tokens, detectors together, recognisers that are plugged in."""

from __future__ import annotations

import gc
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from time_growth import grows_with_the_square

import sharewell.notes
from sharewell.errors import DataError
from sharewell.notes import Detectors, Plugged, Span, resolve_overlaps, tokens
from sharewell.notes.engine.spans import KINDS, SAFE, Text

SPANS = st.lists(
    st.builds(
        lambda start, length, kind, certainty: Span(start, start + length, kind, certainty),
        st.integers(0, 30),
        st.integers(1, 12),
        st.sampled_from([*KINDS[:4], SAFE]),
        st.sampled_from([0.3, 0.5, 0.9]),
    ),
    max_size=12,
)


def places(spans: list[Span]) -> set[int]:
    return {place for span in spans for place in range(span.start, span.end)}


@given(SPANS)
def test_winners_do_not_overlap_and_nothing_is_uncovered(spans: list[Span]) -> None:
    """By brute force, character by character: the most certain claim decides, whoever else claimed it."""
    claims, safe = [s for s in spans if s.kind != SAFE], [s for s in spans if s.kind == SAFE]
    won = resolve_overlaps(claims, safe)
    assert all(a.end <= b.start for a, b in pairwise(won))
    expected = set()
    for place in range(50):
        here = [s for s in spans if s.start <= place < s.end]
        if here:
            best = min(here, key=lambda s: (-s.certainty, s.start - s.end, s.start, s.kind != SAFE))
            if best.kind != SAFE:
                expected.add(place)
    assert places(won) == expected


def test_longer_first_on_ties_and_safe_phrases_win_by_certainty() -> None:
    name, phrase = Span(0, 9, "NAME", 0.6), Span(0, 19, SAFE, 0.8)
    assert resolve_overlaps([name], [phrase]) == []
    assert resolve_overlaps([Span(0, 9, "NAME", 0.95)], [phrase]) == [Span(0, 9, "NAME", 0.95)]
    assert resolve_overlaps([Span(3, 5, "DATE", 0.5), Span(0, 9, "ID", 0.5)]) == [Span(0, 9, "ID", 0.5)]


@given(st.text("ab c", max_size=30), st.lists(st.frozensets(st.sampled_from(["a", "b", "ab", "c"])), max_size=4))
def test_words_of_lists_are_found_whether_a_list_was_asked_for_before_or_not(text: str, lists: list[frozenset[str]]):
    note = Text(text)
    for listed in (*lists, *lists):  # once before it is known, once after
        for asked in (listed, set(listed), dict.fromkeys(listed).keys()):
            assert note.where(asked) == [at for at, token in enumerate(note.tokens) if token.lower in listed]


def test_remainders_without_a_token_are_dropped() -> None:
    text = "Boston, , 3/4"
    assert resolve_overlaps([Span(0, 9, "PLACE", 0.5), Span(0, 6, "NAME", 0.9)], text=text) == [Span(0, 6, "NAME", 0.9)]


@given(st.text(max_size=200))
def test_tokens_are_alphanumeric_runs(text: str) -> None:
    inside = places([Span(start, end, "OTHER", 1) for start, end in tokens(text)])
    assert inside == {i for i, letter in enumerate(text) if letter.isalnum()}


@settings(deadline=None)  # lists load on the first
@given(st.text(max_size=300))
def test_every_text_is_bearable(text: str) -> None:
    """Offsets stay within the text, spans are in order, and the folded form has the same length."""
    assert len(Text(text).folded) == len(text)
    found = Detectors.usual().find(text)
    assert all(0 <= span.start < span.end <= len(text) and span.kind in KINDS for span in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    "text", ["", "\x00\x01\x02", "\r\n\r\n", "{\\rtf1\\ansi Seen 3/4/2021}", "漢字かな", "." * 2000]
)
def test_odd_texts(text: str) -> None:
    assert [span.kind for span in Detectors.usual().find(text)] in ([], ["DATE"])


LINES = [
    "Seen 03/05/2016 by Dr. Owens in Springfield, IL 62704; BP 120/80, call 503-555-0142. ",
    "Given 5 mg morphine and levo 0.5 at 9, warfarin 5, born 1921, 2/7 of amox 500, 3/52. ",
]


@pytest.mark.parametrize("line", LINES)
def test_a_long_note_takes_time_in_proportion(line: str) -> None:
    note = line * 20
    detectors = Detectors.usual()
    assert len(detectors.find(note)) >= 80
    assert not grows_with_the_square(detectors.find, note, note * 10, 10)


def test_the_collector_of_garbage_waits_for_a_long_note_only() -> None:
    enabled = []

    class Watch:
        name = "watch"

        def find(self, text: str, known: object = None) -> list[Span]:
            enabled.append(gc.isenabled())
            if text.startswith("!"):
                raise DataError("refused")
            return []

    detectors = Detectors((Watch(),))
    detectors.find("Seen.")
    detectors.find("Seen. " * 50_000)
    with pytest.raises(DataError):
        detectors.find("!" * 300_000)
    assert enabled == [True, False, False]
    assert gc.isenabled()


def test_recognisers_plug_in() -> None:
    entity = SimpleNamespace(start_char=0, end_char=4, label_="PERSON")
    pipeline = Plugged.spacy(lambda text: SimpleNamespace(ents=[entity]))
    assert pipeline.find("Anna came") == [Span(0, 4, "NAME", 0.75, "plugged-in recogniser")]
    result = SimpleNamespace(start=0, end=4, entity_type="US_SSN", score=0.4)
    analyzer = SimpleNamespace(analyze=lambda text, language: [result])
    assert Plugged.presidio(analyzer).find("1234") == [Span(0, 4, "SSN", 0.4, "plugged-in recogniser")]
    model = Plugged(lambda text: [{"start": 0, "end": 4, "entity_group": "B-XYZ", "score": 1.2}], unknown=None)
    assert model.find("Anna") == []
    mapped = Plugged(lambda text: [(0, 4, "XYZ")], labels={"XYZ": "NAME"})
    assert [span.kind for span in mapped.find("Anna")] == ["NAME"]
    beyond = Plugged(lambda text: [(0, 99, "PERSON")])
    with pytest.raises(DataError, match="beyond the text"):
        beyond.find("Anna")
    together = (*Detectors.of("dates").all, Plugged(lambda text: [(0, 4, "PERSON", 0.99)]))
    assert [span.kind for span in Detectors(together).find("Anna 3/4/2021")] == ["NAME", "DATE"]


def test_exports() -> None:
    assert list(sharewell.notes.__all__) == sorted(sharewell.notes.__all__)
    assert all(getattr(sharewell.notes, name) is not None for name in sharewell.notes.__all__)
