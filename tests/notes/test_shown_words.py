"""Words that count, and notes without some of them, with a map that still leads back to the original."""

from __future__ import annotations

import random
import re

import pytest

from sharewell.notes.engine.rewritten_text import Edit, apply_edits
from sharewell.notes.engine.shown_words import HIDDEN, with_sign, without_words, words_shown


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("the 62-year-old takes aspirin.", ["62-year-old", "takes", "aspirin"]),
        ("Seen in ZÜRICH, [60-69], BP 130/80", ["Seen", "ZÜRICH", "[60-69]", "BP", "130/80"]),
        (f"of the {HIDDEN} and (…)", []),
        ("snake_case 5mg", ["snake_case", "5mg"]),
        ("HIV+ HIV- HIV? <5 >5 50% $50 -2.5 3+", ["HIV+", "HIV-", "HIV?", "<5", ">5", "50%", "$50", "-2.5", "3+"]),
        ("an AIDS clinic; hearing aids, AN, hep A", ["AIDS", "clinic", "hearing", "aids", "AN", "hep", "A"]),
        ("🦄 ♀ [[x] {y}}", ["🦄", "♀", "[", "[x]", "{y}", "}"]),
    ],
)
def test_everything_between_blanks_counts_but_words_that_connect(text: str, words: list[str]) -> None:
    assert [word for _, _, word in words_shown(text)] == words


def test_hidden_words_are_gone_and_all_others_stay() -> None:
    draw = random.Random(3)
    vocabulary = ["aspirin", "baker", "Rome", "cough", "[60-69]", "5mg"]
    for _ in range(300):
        text = " ".join(draw.choice(vocabulary) + draw.choice(["", ",", "."]) for _ in range(8))
        hidden = set(draw.sample(vocabulary, 2))
        left, _ = without_words(text, (), hidden)
        shown = [word for _, _, word in words_shown(left)]
        assert shown == [word for _, _, word in words_shown(text) if word not in hidden]


def test_the_map_leads_from_the_original_to_what_is_published() -> None:
    """What no change touches is the same text in both; an earlier replacement goes as a whole."""
    original = "Rosa Delgado, baker from Rome, takes aspirin daily."
    first = apply_edits(original, [Edit(0, 12, "NAME", "Ann Lee"), Edit(25, 29, "PLACE", "[place]")])
    text, changes = without_words(first.text or "", first.changes, {"Lee", "aspirin", "baker"})
    assert text == f"{HIDDEN} from [place], takes {HIDDEN} daily."
    last = published = 0
    for one in changes:
        assert original[last : one.start] == text[published : one.published_start]
        last, published = one.end, one.published_end
    assert original[last:] == text[published:]


def test_between_two_words_that_stay_there_is_one_sign_however_many_went() -> None:
    draw = random.Random(4)
    vocabulary = ["aspirin", "baker", "and", "of", "Rome,", "cough.", "[60-69]"]
    for _ in range(300):
        text = " ".join(draw.choice(vocabulary) for _ in range(12))
        for _ in range(2):  # what an earlier pass left out counts, too
            text, _ = without_words(text, (), {draw.choice(["aspirin", "baker", "Rome", "cough", "[60-69]"])})
        apart = re.split("|".join(re.escape(word) for _, _, word in words_shown(text)) or "$", text)
        assert all(gap.count(HIDDEN) <= 1 for gap in apart)


def test_a_note_without_the_sign_loses_a_word_that_nobody_can_predict() -> None:
    """A sign that stands beside a whole text would say that nothing is missing."""
    text, lost = "Seen today, takes aspirin daily.", set()
    for secret in range(60):
        left, (change,) = with_sign(text, (), bytes([secret]))
        assert left.count(HIDDEN) == 1
        assert left[: change.published_start] + text[change.start : change.end] + left[change.published_end :] == text
        assert with_sign(left, (change,), b"") == (left, (change,))
        lost.add(text[change.start : change.end])
    assert lost == {"Seen", "today", "takes", "aspirin", "daily"}
    assert with_sign("and of the", (), b"")[0] == f"and of the {HIDDEN}"
