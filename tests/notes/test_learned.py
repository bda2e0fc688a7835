"""The shipped model weighs what the rules find: its certainties are calibrated, and the policy sets the threshold."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from sharewell.io.shipped import shipped_bytes
from sharewell.notes import Detectors, Plugged, Replace, Span
from sharewell.notes.detectors.learned import SHIPPED, Weighing, shipped
from sharewell.notes.engine.detection_scores import GoldSpan, gold_span
from sharewell.notes.engine.spans import USUAL_CERTAINTY, Text, tokens

MARKED = Path(__file__).parents[2] / "benchmarks" / "marked"
HELD_OUT = ("heldout5", "heldout12", "heldout13", "heldout14", "heldout15")
BINS = (USUAL_CERTAINTY, 0.5, 0.8, 0.95, 1.001)
TOLERANCE = 0.05
"""In each bin the share that is right lies so near to the mean certainty."""
ENOUGH = 60


def notes_of(author: str) -> list[tuple[str, list[GoldSpan]]]:
    rows = map(json.loads, (MARKED / f"{author}_notes.jsonl").read_text("utf-8").splitlines())
    return [(r["text"], [gold_span(r["text"], s["start"], s["end"], s["label"]) for s in r["spans"]]) for r in rows]


def is_right(text: str, span: Span, gold: list[GoldSpan]) -> bool:
    """Most of its words were marked."""
    own = [place for place in tokens(text) if place[0] < span.end and span.start < place[1]]
    hits = [place for place in own if any(place[0] < mark.end and mark.start < place[1] for mark in gold)]
    return 2 * len(hits) > len(own)


def test_certainties_are_calibrated_on_authors_that_nobody_tuned_on() -> None:
    detectors = Detectors.usual()
    rated = [
        (span.certainty, is_right(text, span, gold))
        for author in HELD_OUT
        for text, gold in notes_of(author)
        for span in detectors.find(text)
        if span.kind not in ("DRUG", "DOSE")
    ]
    certainty, right = np.array([rate for rate, _ in rated]), np.array([hit for _, hit in rated])
    table = []
    for low, high in pairwise(BINS):
        inside = (low <= certainty) & (certainty < high)
        if inside.sum() >= ENOUGH:
            table.append((low, round(certainty[inside].mean(), 3), round(right[inside].mean(), 3), int(inside.sum())))
    assert len(table) >= 3
    assert [row for row in table if abs(row[1] - row[2]) > TOLERANCE] == [], table


def test_the_threshold_is_the_policys() -> None:
    text = (
        "Seen with Vrebicky at Calder Ridge Manor on 4/11; D/w Osei. Strength 4/5, CHADS2 3, L5-S1 fused. To Marsh."
        " Kerrapro to heel, lives w collie, brooke rang."
    )
    found = {}
    for certainty in (0.05, 0.15, 0.9, 1.0):
        spans = Replace(certainty=certainty)._detectors().find(text)
        found[certainty] = {at for span in spans for at in range(span.start, span.end)}
    assert found[0.05] >= found[0.15] >= found[0.9]
    assert len(found[0.05]) > len(found[0.9])
    assert {text.index("Vrebicky"), text.index("Osei")} <= found[0.15]
    assert not found[0.15] & {text.index("CHADS2"), text.index("L5-S1"), text.index("4/5")}
    with pytest.raises(ValueError, match="certainty"):
        Replace(certainty=1.5)


def test_what_the_model_was_not_trained_with_stays_as_it_is() -> None:
    """A recogniser of the user's own is not overruled."""
    text = "The wound is healing and the patient slept well."
    mine = Plugged(lambda text: [(4, 9, "PERSON", 0.55)])
    [span] = Detectors.usual(also=[mine]).find(text)
    assert (span.start, span.end, span.certainty) == (4, 9, 0.55)


def test_a_finding_loses_the_words_at_its_ends_that_identify_nobody() -> None:
    text = Text("Signed by Rosa Delgado today")
    [span] = Weighing().after_resolution(text, [Span(10, 28, "NAME", 0.9, "names side by side")], [])
    assert text[span.start : span.end] == "Rosa Delgado"


def test_a_letter_beside_a_stroke_is_nobody_unless_that_is_likely() -> None:
    text = "He is 47 y/o, w/o cough, s/p CABG."
    assert [text[span.start : span.end] for span in Detectors.usual().find(text)] == []


def test_pieces_of_one_number_are_not_taken_apart() -> None:
    text = Text("DOB 11/02/1951, MRN 44-17-93")
    spans = Detectors.usual().find(text)
    assert [text[span.start : span.end] for span in spans] == ["11/02/1951", "44-17-93"]


def test_the_shipped_model_is_small_and_says_what_it_was_trained_with() -> None:
    assert len(shipped_bytes(SHIPPED)) < 2_000_000
    card = shipped().card
    said, right = zip(*card.calibration, strict=True)
    assert list(said) == sorted(said)
    assert list(right) == sorted(right)
    assert len(card.rules) > 50
