"""Whoever has a sequence picks one of those that show the same."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import PolicyError
from sharewell.genomes import Frequencies, KIdentical, SequenceLinkage, Sequences


@given(st.lists(st.text("ACGTNRY-", min_size=3, max_size=3), min_size=1, max_size=12))
def test_the_chance_is_one_over_the_copies(texts: list[str]) -> None:
    found = SequenceLinkage().mount(Sequences.of(texts))
    copies = Counter(texts)
    assert found.value == 1 / min(copies.values())
    assert found.details.average == pytest.approx(sum(1 / copies[text] for text in texts) / len(texts))
    assert found.details.alone == sum(copies[text] == 1 for text in texts) / len(texts)


def test_it_is_never_below_what_the_criterion_counts() -> None:
    data = Sequences.of(["AC", "AC", "AG", "AG", "AG"])
    reached = KIdentical(2).check(data).value
    assert SequenceLinkage().mount(data).value == 1 / int(reached or 0)


def test_nothing_to_look_for_is_undecided() -> None:
    assert SequenceLinkage().mount(Sequences.of([])).value is None
    with pytest.raises(PolicyError, match="not sequence data"):
        SequenceLinkage().mount(Frequencies.of_arrays([0.2], people=10))  # type: ignore[arg-type]
