"""Lines of YAML that any reader gives back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from sharewell.proposal.yaml_text import commented, entry, mapping, scalar, sequence

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=12)


@given(st.lists(TEXTS, max_size=4))
def test_sequences_and_mappings_come_back(texts: list[str]) -> None:
    fields = {f"k{i}": scalar(text) for i, text in enumerate(texts)}
    text = "\n".join([f"a: {sequence(texts)}", *commented(entry("b", mapping(fields), ""), "why")])
    assert YAML(typ="safe", pure=True).load(text) == {
        "a": texts,
        "b": {f"k{i}": one for i, one in enumerate(texts)},
    }
