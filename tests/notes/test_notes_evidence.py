"""What the rules say of a token is a fact that the model weighs."""

from __future__ import annotations

import numpy as np

from sharewell.io.shipped import shipped_bytes
from sharewell.notes import Detectors, Span
from sharewell.notes.annotation.evidence import evidence, grouped, tokens_of
from sharewell.notes.annotation.marginals import Decoder
from sharewell.notes.annotation.modelfile import Model
from sharewell.notes.detectors.learned import SHIPPED
from sharewell.notes.engine.spans import SAFE, Text


def test_a_token_that_no_rule_touches_has_no_facts() -> None:
    note = Text("Rosa Delgado slept well and went home")
    facts = evidence(note, [Span(0, 12, "NAME", 0.9, "names side by side")], [Span(19, 23, SAFE, 0.5, "a phrase")])
    assert sorted(facts) == [0, 1, 2, 3]
    assert facts[1][:3] == ["rule=NAME|names side by side", "sure=NAME|18", "part=NAME|E"]
    assert facts[2] == ["ahead=NAME|-"]
    assert facts[3] == ["safe=a phrase", "safely=-"]


def test_evidence_counts_in_compiled_code_too() -> None:
    text = Text("Seen by Dr. Delgado and Brown, 4/5 strength.\nMRN 1234567")
    spans = Detectors.usual(without=["learned"]).find(text)
    facts = grouped(text, spans, [], [tokens_of(text, span) for span in spans], [])
    model = Model.of_bytes(shipped_bytes(SHIPPED), SHIPPED)
    quick, plainly = (Decoder(model, swift=swift) for swift in (True, False))
    assert np.allclose(quick.marginals(text, facts), plainly.marginals(text, facts), atol=1e-12)
    assert not np.allclose(plainly.marginals(text, facts), plainly.marginals(text), atol=1e-3)


def test_tokens_of_a_span_that_begins_inside_of_a_word_or_before_one() -> None:
    text = Text("MRNRosa99, Delgado")
    assert tokens_of(text, Span(3, 7, "NAME", 0.4)) == range(1)
    assert tokens_of(text, Span(9, 18, "NAME", 0.4)) == range(1, 2)
    assert tokens_of(text, Span(9, 11, "NAME", 0.4)) == range(1, 1)
