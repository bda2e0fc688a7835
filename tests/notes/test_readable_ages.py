"""A published range of ages inside a sentence: in words, and never anything but the range."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.notes.annotation.readable_ages import AgeRange, readable
from sharewell.notes.engine.checks.cell_wordings import CELL, without_ages


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A [60-69]-year-old man with cough.", "A man in his 60s with cough."),
        ("An [80-89] y/o retired woman, well.", "A retired woman in her 80s, well."),
        ("This is a [60-69] year old white male who coughs.", "This is a white male in his 60s who coughs."),
        ("A [60-69]-year-old [trait] person.", "A [trait] person in their 60s."),
        ("A [60-69]-year-old retired teacher.", "A 60-69-year-old retired teacher."),
        ("The [60-69]-year-old was admitted.", "The person in their 60s was admitted."),
        ("[60-69]yo, well.", "Person in their 60s, well."),
        ("Lowe ([60-69] yo) came.", "Lowe (in their 60s) came."),
        ("Patient is [60-69].", "Patient is in their 60s."),
        ("She is a [60-69] y.o. She is well.", "She is a person in their 60s. She is well."),
        ("age: [60-69]", "age: 60s"),
        ("Aged [60-69].", "Aged 60-69."),
        ("Lowe, [60-69], retired.", "Lowe, 60s, retired."),
        ("[60-69]F here; F[60-69]", "60s F here; F 60s"),
        ("[60-69]yoM", "60s M"),
        ("seen at 3[60-64]7 times", "seen at 3 60-64 7 times"),
        ("her [60-69]th birthday", "her 60s birthday"),
        ("has seen [60-69] winters", "has seen 60-69 winters"),
        ("A [10-19]-year-old boy.", "A 10-19-year-old boy."),
        ("An [18-44]-year-old boy.", "An 18-44-year-old boy."),
        ("A [80-99]-year-old man.", "An 80-99-year-old man."),
        ("A [60-69]-year-old man, wife [60-69].", "A man in his 60s, wife 60s."),
    ],
)
def test_a_sentence_stays_one(text: str, wanted: str) -> None:
    assert readable(text, next(iter(re.findall(r"\[\d+-\d+\]", text)))) == wanted


@pytest.mark.parametrize("cell", ["{61,64}", "*", "6*", "64", "[2020-2024]", "[60.5-69]", "elderly", ""])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert AgeRange.of(cell) is None
    assert readable(f"A {cell}-year-old man.", cell) == f"A {cell}-year-old man."


PIECES = st.sampled_from(
    ["A", "the", "is", "aged", "man", "person", "-year-old", " y/o", "yo", "with", ".", ",", "(", ")", "F", "early",
     "[sex]", "\n", "63", "seen", "of", "years", "'s", "he", "-", "/", ":", "teacher"]
)  # fmt: skip


@given(
    st.lists(PIECES, max_size=6), st.lists(PIECES, max_size=6), st.integers(0, 109), st.sampled_from([2, 4, 5, 9, 19])
)
def test_no_word_of_the_rest_is_lost_and_the_range_is_said_once(
    before: list[str], after: list[str], low: int, width: int
) -> None:
    """Whatever stands around: the numbers said are those that stood there and the range, and no person is lost."""
    cell = f"[{low}-{low + width}]"
    text = f"{' '.join(before)} {cell}{' '.join(after)}"
    made = readable(text, cell)
    others = before + after
    said = re.findall(r"\d+s?", made)
    expected = [one for one in others if one == "63"]
    decade = width == 9 and low % 10 == 0 and 20 <= low <= 90
    once = [f"{low}s"] if decade and f"{low}s" in said else [str(low), str(low + width)]
    assert sorted(said) == sorted(expected + once)
    assert made.count("teacher") == others.count("teacher")
    assert cell not in made


FORMS = ("A {}-year-old man.", "She is {}.", "age: {}", "Lowe, {}, baker", "{}F", "aged {}", "({} y/o)")


@given(st.sampled_from(FORMS), st.integers(2, 10), st.integers(1, 30))
def test_the_judge_takes_it_for_the_cell(form: str, tens: int, width: int) -> None:
    """The judge's own search: no figure is left of what it takes for the cell."""
    cell = f"[{10 * tens}-{10 * tens + width}]"
    assert not re.search(r"\d", without_ages(readable(form.format(cell), cell), [cell]).replace(CELL, ""))
