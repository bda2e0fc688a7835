"""Secrets made of words, dates and walks on the keyboard are worth what a guesser pays for them."""

from __future__ import annotations

import secrets
from random import Random

import pytest

from sharewell.weak_secrets import LEAST_BITS, bits, is_guessable


def test_keys_as_keygen_makes_them_are_never_refused() -> None:
    """Two thousand fresh ones, and their bytes; each has many times the bits that are asked for."""
    keys = [secrets.token_hex(32) for _ in range(2_000)]
    assert not any(is_guessable(key.encode()) or is_guessable(bytes.fromhex(key)) for key in keys)
    assert min(bits(key) for key in keys[:50]) > 4 * LEAST_BITS


@pytest.mark.parametrize("seed", range(20))
def test_six_rare_words_pass_and_three_everyday_words_do_not(seed: int) -> None:
    draw = Random(seed)
    rare = ["zygote", "quixotic", "ferrous", "marmoset", "obelisk", "tannery", "gherkin", "sextant", "plover", "dahlia"]
    often = ["water", "house", "people", "night", "mother", "school", "money", "friend"]
    assert not is_guessable(" ".join(draw.sample(rare, 6)).encode())
    assert is_guessable(" ".join(draw.sample(often, 3)).encode())


def test_what_is_enough_is_not_computed_further() -> None:
    text = secrets.token_hex(64)
    assert LEAST_BITS <= bits(text, enough=LEAST_BITS) < bits(text)


@pytest.mark.parametrize("text", ["", "a", "ab", "é", "-", "19", "2026", "x" * 10_000])
def test_any_text_has_a_value(text: str) -> None:
    assert 0 <= bits(text) <= 5 * len(text)
