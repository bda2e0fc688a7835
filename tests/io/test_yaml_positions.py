"""YAML with positions: every key and item is found where it stands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.io.yaml_positions import Document, dotted, parse

words = st.text("abcdefgh_-é", min_size=1, max_size=6).filter(lambda word: word[0] not in "-")
trees = st.recursive(
    st.integers(0, 99) | st.booleans(),
    lambda inner: st.lists(inner, min_size=1, max_size=3) | st.dictionaries(words, inner, min_size=1, max_size=3),
    max_leaves=12,
)


def _flow(tree: Any) -> str:
    if isinstance(tree, dict):
        return "{" + ", ".join(f"{key}: {_flow(value)}" for key, value in tree.items()) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(_flow, tree)) + "]"
    return str(tree).lower()


@given(st.dictionaries(words, trees, min_size=1, max_size=4))
def test_every_key_stands_where_its_position_says(tree: dict[str, Any]) -> None:
    """The text at a key's position begins with the key."""
    text = "".join(f"{key}:\n  {_flow(value)}\n" for key, value in tree.items())
    document, lines = parse(text), text.split("\n")
    assert document.plain == tree
    assert not document.mistakes
    for path, (line, column) in document.positions.items():
        if path and isinstance(path[-1], str):
            assert lines[line - 1][column - 1 :].startswith(path[-1])


@given(st.text(max_size=60))
def test_any_text_gives_a_document_or_a_mistake(text: str) -> None:
    assert isinstance(parse(text), Document)


def test_missing_paths_have_the_place_of_their_nearest_parent() -> None:
    assert parse("a:\n  b: 1\n").at(("a", "b", "c", 4)) == (2, 3)


def test_scalars_keep_their_text() -> None:
    document = parse("a: [007, 1e3, 2026-01-31, yes, 0x10, ~]")
    assert document.plain == {"a": [7, 1000.0, "2026-01-31", "yes", 16, None]}
    assert [document.texts["a", i] for i in range(4)] == ["007", "1e3", "2026-01-31", "yes"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: &a [*a]", "an alias that contains itself"),
        ("a: [" * 3000, "nested too deeply"),
        ("? [1, 2]\n: 3", "a key that is not a word"),
        ('a: "x\\0y"', "a control character"),
        ("a: \x01", "a character that is not allowed"),
        ("a: 1\na: 2\nb: 3\nb: 4", "stands twice"),
    ],
)
def test_odd_yaml_is_told(text: str, said: str) -> None:
    assert said in str(parse(text).mistakes[0])


def test_an_anchor_may_be_used_again() -> None:
    assert parse("a: &x 1\nb: &x 2\nc: *x").plain == {"a": 1, "b": 2, "c": 2}


def test_aliases_that_multiply_are_stopped() -> None:
    lines = ["a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 8)]
    assert any("more than 100000 entries" in str(mistake) for mistake in parse("\n".join(lines)).mistakes)


def test_syntax_mistakes_do_not_quote_what_stands_there() -> None:
    for text in ("a: *canary", "a: 'canary", "key: canary: canary", "a: [canary\nb: canary]]"):
        assert parse(text).mistakes, text
        assert "canary" not in str(parse(text).mistakes), text


def test_paths_are_shown_as_people_write_them() -> None:
    assert dotted(("a", 0, "b")) == "a[0].b"
