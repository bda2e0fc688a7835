"""The shipped network: sums that are exact, notes of any length, and bytes that come back as they were."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from sharewell.notes import Detectors, Span
from sharewell.notes.annotation import network as of_networks
from sharewell.notes.annotation.network import HIGHEST, Layer, Network
from sharewell.notes.annotation.token_facts import gap_facts, gaps_of, place_facts, places_of, word_facts
from sharewell.notes.detectors.learned import shipped
from sharewell.notes.engine.spans import Text

NOTE = "Seen by Dr. Delgado in Springfield on 3 May.\nMRN 1234567; Delgado will call. Strength 4/5."


def said(text: str, network: Network | None = None) -> np.ndarray:
    return (network or shipped()).probabilities(Text(text), [], [], [], [])


def plainly(text: str) -> np.ndarray:
    """The same in whole numbers, token by token, from the facts."""
    network, note = shipped(), Text(text)
    rows = {fact: network.table[row].astype(np.int64) for row, fact in enumerate(network.facts)}
    told = zip(note.written, gaps_of(note), places_of(note), strict=True)
    inside = []
    for word, gap, place in told:
        facts = (*word_facts(word), *gap_facts(gap), *place_facts(place))
        total = sum((rows[fact] for fact in facts if fact in rows), np.zeros(network.table.shape[1], dtype=np.int64))
        inside.append(np.maximum(total.astype(np.float32) * np.float32(network.card.scale) + network.bias, 0))
    for layer in network.layers:
        seen = []
        for at in range(len(inside)):
            near = [at - layer.reach, at, at + layer.reach] if layer.reach else [at]
            seen.append([inside[one] if 0 <= one < len(inside) else 0 * inside[at] for one in near])
        scores = []
        for rows_seen in seen:
            whole = np.minimum(np.rint(np.concatenate(rows_seen) * np.float32(layer.steps)), HIGHEST).astype(np.int64)
            product = whole @ layer.weights.astype(np.int64)
            scores.append(product.astype(np.float32) * layer.scales + layer.bias)
        if layer is network.layers[-1]:
            likely = np.exp(np.array(scores, dtype=np.float64))
            return likely / likely.sum(axis=1, keepdims=True)
        inside = [one + np.maximum(score, 0) for one, score in zip(inside, scores, strict=True)]
    raise AssertionError


@pytest.mark.parametrize("text", [NOTE, "Rosa", "Rosa rosa ROSA 12/3", "JONES, A 4471\n" * 30])
def test_it_is_what_whole_numbers_give(text: str) -> None:
    assert np.allclose(said(text), plainly(text), atol=1e-9, rtol=0)


@given(some.integers(1, 40), some.sampled_from([0, 1, 2, 4]), some.integers(0, 2**32 - 1))
def test_every_product_is_exact(count: int, reach: int, seed: int) -> None:
    """Even where all numbers are as large as they may be, the sum is a whole number that 32 bits hold exactly."""
    random = np.random.default_rng(seed)
    width = 64 * (3 if reach else 1)
    weights = random.choice([-127.0, 127.0, 126.0], (width, 8)).astype(np.float32)
    layer = Layer(reach, 1.0, weights, np.ones(8, dtype=np.float32), np.zeros(8, dtype=np.float32))
    inside = random.choice([HIGHEST, HIGHEST - 1, 1e9], (count, 64)).astype(np.float32)
    whole = np.minimum(inside, HIGHEST).astype(np.int64)
    if reach:
        nothing = np.zeros((reach, 64), dtype=np.int64)
        padded = np.concatenate((nothing, whole, nothing))
        whole = np.concatenate([padded[at : at + count] for at in (0, reach, 2 * reach)], axis=1)
    assert (layer(inside).astype(np.int64) == whole @ weights.astype(np.int64)).all()
    assert width * HIGHEST * 127 < 2**24


def test_a_long_note_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(f"{number} seen by nurse{number} at noon{number}" for number in range(100, 160))
    whole = said(text)
    monkeypatch.setattr(of_networks, "_BLOCK", 50)
    monkeypatch.setattr(of_networks, "_KEPT", 5)  # and forgets words on the way
    fresh = Network.of_bytes(shipped().to_bytes())
    assert (said(text, fresh) == whole).all()
    assert (said(NOTE, fresh) == said(NOTE)).all()


def test_it_comes_back_from_bytes() -> None:
    network = shipped()
    again = Network.of_bytes(network.to_bytes())
    assert (again.card, again.facts) == (network.card, network.facts)
    assert again.to_bytes() == network.to_bytes()


def test_what_rules_say_counts() -> None:
    won = [Span(12, 19, "NAME", 0.9, "after-a-title")]
    weighed = shipped().probabilities(Text(NOTE), won, [range(3, 4)], [], [])
    assert weighed[3, 0] < said(NOTE)[3, 0]


def test_words_that_many_texts_have_are_known_and_names_are_not() -> None:
    known = {fact[5:] for fact in shipped().facts if fact.startswith("word=")}
    assert {"seen", "by", "dr", "nurse", "hospital"} <= known
    assert not known & {"mokoena", "delgado", "oyelowo", "radziwick"}


def test_a_copy_in_another_process_finds_the_same() -> None:
    import pickle

    detectors = pickle.loads(pickle.dumps(Detectors.of("names", "learned")))
    assert detectors.find(NOTE) == Detectors.of("names", "learned").find(NOTE)
