"""What a model finds is judged by what rules and lists know to be nobody's."""

from __future__ import annotations

import pytest

from sharewell.notes import Span
from sharewell.notes.detectors.learned import usual
from sharewell.notes.detectors.unlikely import likely, titleless
from sharewell.notes.engine.spans import Text

NOBODYS = [
    ("NAME", "Seen by the team, [LVN], today"),
    ("NAME", "Attn: Francis Dell, [M.D], Orthopedics"),
    ("ORGANISATION", "known [OSA] on CPAP"),
    ("PLACE", "spoke in [Spanish] all along"),
    ("NAME", "back from [Peru]"),
    ("PHONE", "call [911] for chest pain"),
    ("DATE", "pain [7/10] with stairs"),
    ("DATE", "born 1973 ([44 yrs])"),
    ("ID", "visit at [28w2d] today"),
    ("PLACE", "lives in Moose Jaw, [3] steps"),
    ("PLACE", "care home, [warden] on call"),
    ("ORGANISATION", "given [at] home"),
    ("ORGANISATION", "[Ward]: Hawthorn"),
]
TRIMMED = [
    ("NAME", "met [of Rosa Delgado]", "Rosa Delgado"),
    ("NAME", "brother [Fr. Jun Bautista]", "Jun Bautista"),
    ("NAME", "signed [K. Nelson, LVN]", "K. Nelson"),
    ("ORGANISATION", "works at [the Price Chopper on]", "Price Chopper"),
    ("NAME", "with [Rosa Delgado]", "Rosa Delgado"),
    ("ID", "ticket [4471]", "4471"),
    ("DATE", "seen [7/11] here", "7/11"),
]


def marked(kind: str, text: str) -> tuple[Text, Span]:
    start, end = text.index("["), text.index("]") - 1
    return Text(text.replace("[", "").replace("]", "")), Span(start, end, kind, 0.4, "learnt from marked notes")


@pytest.mark.parametrize(("kind", "text"), NOBODYS)
def test_what_is_nobodys_is_dropped(kind: str, text: str) -> None:
    assert likely(*marked(kind, text)) is None


@pytest.mark.parametrize(("kind", "text", "kept"), TRIMMED)
def test_what_identifies_is_kept_without_what_stands_at_its_ends(kind: str, text: str, kept: str) -> None:
    note, span = marked(kind, text)
    left = likely(note, span)
    assert left is not None
    assert note[left.start : left.end] == kept


def test_a_piece_inside_of_a_word_keeps_its_length() -> None:
    note, span = Text("MRNRosa99"), Span(3, 7, "NAME", 0.4, "learnt from marked notes")
    assert titleless(note, span) == span


def test_what_a_contest_has_left_stays_where_it_joins_two_findings() -> None:
    text = Text("from Sunset Ridge of Cullman, of late")
    ridge, town = Span(5, 17, "ORGANISATION", 0.7, "name"), Span(21, 28, "PLACE", 0.7, "large place")
    joint, late = (Span(at, at + 2, "PLACE", 0.4, "learnt from marked notes") for at in (18, 30))
    assert usual().after_resolution(text, [ridge, joint, town, late]) == [ridge, joint, town]
