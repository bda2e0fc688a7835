"""Notes with characters that are not seen, entities, control words: found as if they were not there, places exact."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from time_growth import grows_with_the_square

from sharewell.notes import Detectors, tokens
from sharewell.notes.engine.detection_scores import Scores, gold_span
from sharewell.notes.engine.readable_text import readable
from sharewell.notes.engine.spans import KINDS

ODD = [
    ("Seen by Dr. Whit\u200bcombe today", "Whit\u200bcombe"),
    ("Seen by Dr. Whit\u00adcombe today", "Whit\u00adcombe"),
    ("Seen by Dr. Pe\u0301rez today", "Pe\u0301rez"),
    ("Seen by Dr. \ufb01nnegan today", "\ufb01nnegan"),
    ("DOB: \uff10\uff13/\uff10\uff15/\uff11\uff19\uff16\uff11", "\uff10\uff13/\uff10\uff15/\uff11\uff19\uff16\uff11"),
    ("Name:\u00a0Rosa\u00a0Delgado\r\nMRN: 1", "Rosa\u00a0Delgado"),
    ("Patient: O&#39;Brien, Ann&nbsp;M.", "O&#39;Brien, Ann&nbsp;M"),
    ("Seen by Dr. P&eacute;rez today", "P&eacute;rez"),
    (r"{\rtf1\ansi \b Name: \b0 Rosa Delgado\par DOB: 03/05/1961\par}", "Rosa Delgado"),
    (r"{\rtf1 Seen by Dr. P\'e9rez\par}", r"P\'e9rez"),
    ("Seen by Dr. Whitcombe\x00\x01 today", "Whitcombe"),
    ("\ufeffMr. Whitcombe\u2028came", "Whitcombe"),
]


@pytest.mark.parametrize(("text", "name"), ODD)
def test_names_are_found_at_their_places(text: str, name: str) -> None:
    start = text.index(name)
    found = Detectors.usual().find(text)
    for first, last in tokens(name):
        assert any(span.start <= start + first and start + last <= span.end for span in found), name
    assert all(a.end <= b.start for a, b in pairwise(found))


def test_plain_text_stays_as_it_is() -> None:
    for text in ("", "Seen today.", "a & b, R&D; café", "C:\\notes\\b.txt {x}"):
        assert readable(text) == (text, None)


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet=st.sampled_from("aÉé\u0301\u200b\u00adﬁ０\r\n \t&;#x27amp\\par'e9{}\x00.3/D"), max_size=80))
def test_places_stay_in_order_and_inside(text: str) -> None:
    shown, places = readable(text)
    if places is None:
        assert shown == text
        return
    assert len(shown) == len(places.starts) == len(places.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(places.starts, places.ends, strict=True))
    assert all(a <= b for a, b in pairwise(places.starts))
    found = Detectors.usual().find(text)
    assert all(0 <= span.start < span.end <= len(text) and span.kind in KINDS for span in found)
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "A",
        "1",
        "a.",
        "a.b.",
        "A-1-",
        "a@",
        "Abc ",
        "1 ",
        "1/",
        "(",
        '"',
        "\n",
        "a|",
        "x,",
        "A. ",
        "St ",
        "O'",
        "Mr. ",
        "#1",
        "漢 ",
    ],
)
def test_no_text_takes_longer_than_in_proportion(piece: str) -> None:
    short = piece * (1_600 // len(piece))
    assert not grows_with_the_square(Detectors.usual().find, short, short * 10, 10)


def test_gold_spans_may_overlap() -> None:
    text = "Seen by Dr. Rosa Delgado on 3 May 2021."
    marks = [
        gold_span(text, *place) for place in ((12, 24, "NAME"), (17, 24, "NAME"), (12, 38, "OTHER"), (12, 12, "NAME"))
    ]
    scores = Scores()
    scores.add(text, marks, Detectors.usual().find(text))
    assert scores.to_json()["phi"]["clean"] in (0, 1)
    assert 0 < scores.to_json()["phi"]["recall"] <= 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Delga&shy;dillo", "Delgadillo"),
        ("Delga&#173;dillo", "Delgadillo"),
        ("Delga&zwnj;dillo", "Delgadillo"),
        ("Delga&#8203;dillo", "Delgadillo"),
        ("Delga&ZeroWidthSpace;dillo", "Delgadillo"),
        ("Jose&#769;", "José"),
        ("Rosa&nbsp;Delgado", "Rosa Delgado"),
        ("R&Delgado;", "R&Delgado;"),
        (r"{\rtf1 Delgad\u237?llo}", "Delgadíllo"),
        (r"{\rtf1 Delgad\u237\'edllo}", "Delgadíllo"),
        (r"{\rtf1\uc0 Delgad\u237 llo}", "Delgadíllo"),
        (r"{\rtf1 Delga\u173?dillo}", "Delgadillo"),
        (r"{\rtf1 Delga\'addillo}", "Delgadillo"),
        (r"{\rtf1 \u-4051?x}", "\uf02dx"),
        (r"{\rtf1 \u-10179?x}", "\ufffdx"),
        (r"{\rtf1 Rosa\~Delgado\par O\rquote Neil, Ann\_Marie\cell x}", "Rosa Delgado\nO’Neil, Ann-Marie x"),
    ],
)
def test_what_stands_for_a_sign_is_read_as_the_sign(text: str, shown: str) -> None:
    assert readable(text)[0] == shown
