"""Sequences of several releases, grouped by what all of them show of a person."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from sharewell.genomes import Sequences
from sharewell.genomes.engine.joined_sequences import (
    LinkedSequences,
    agreement,
    joined_sequences,
    sequence_identifier_doubts,
)
from sharewell.people_evidence import NotComparable, PeopleEvidence


def linked(
    title: str, texts: list[str], persons: list[str], labels: list[str | None] | None = None, claimed: bool = False
) -> LinkedSequences:
    people = PeopleEvidence("names", "", pa.array(persons), np.arange(len(texts)))
    data = Sequences.of(texts, labels=labels, published=True)
    return LinkedSequences(title, data, people, same_identifiers=claimed)


def test_a_group_shares_what_all_releases_show_and_where_persons_are() -> None:
    own = linked("own", ["AA", "AA", "AA", "RC"], list("wxyz"), ["flu", "gout", "flu", "flu"])
    other = linked("other", ["CC", "CC", "GG"], list("zwx"), ["flu", "gout", "gout"])
    joined = joined_sequences(own, [other])
    assert sorted(joined.sizes.tolist()) == [1, 1, 1, 1]
    again = joined_sequences(own, [linked("other", ["CC"] * 4, list("zyxw"))])
    assert sorted(again.sizes.tolist()) == [1, 3]
    assert joined.unchanged.tolist() == [False, True, True, True]


def test_labels_are_counted_among_all_and_among_those_that_stay() -> None:
    own = linked("own", ["AA"] * 3, list("xyz"), ["flu", "gout", "flu"])
    other = linked("other", ["AA"] * 3, list("xyz"), ["flu", "flu", "Flu "])
    assert [one.tolist() for one in joined_sequences(own, [other]).labels()] == [[2], [1]]
    bare = linked("own", ["AA"], ["x"])
    assert [one.tolist() for one in joined_sequences(bare, [other]).labels()] == [[0]]


def test_a_person_with_two_sequences_is_not_joined() -> None:
    own = linked("own", ["AA", "AA"], list("xy"))
    with pytest.raises(NotComparable, match="several sequences"):
        joined_sequences(own, [linked("other", ["AA", "AC"], list("xx"))])


DRAW = random.Random(3)
TRUE = ["".join(DRAW.choice("ACGT") for _ in range(6)) for _ in range(30)]
NAMES = [f"p{i}" for i in range(30)]


def test_strangers_under_the_same_identifiers_are_noticed() -> None:
    wide = [f"N{text[1:]}" for text in TRUE]
    assert sequence_identifier_doubts([linked("one", TRUE, NAMES), linked("two", wide, NAMES)]) == []
    dealt = wide[1:] + wide[:1]
    (doubt,) = sequence_identifier_doubts([linked("one", TRUE, NAMES), linked("two", dealt, NAMES)])
    assert "look like those of strangers" in doubt
    both = [linked("one", TRUE, NAMES, claimed=True), linked("two", dealt, NAMES, claimed=True)]
    assert sequence_identifier_doubts(both) == []
    (doubt,) = sequence_identifier_doubts([linked("one", TRUE, NAMES), linked("two", TRUE, [f"n{i}" for i in NAMES])])
    assert "fewer than half" in doubt


def test_other_lengths_few_persons_and_sequences_of_n_say_nothing() -> None:
    one, numbers = Sequences.of(TRUE), np.arange(30)
    assert agreement(one, Sequences.of([f"{text}A" for text in TRUE]), numbers, numbers) is None
    assert agreement(one.take(numbers[:9]), one.take(numbers[:9]), numbers[:9], numbers[:9]) is None
    assert agreement(one, Sequences.of(["NNNNNN"] * 30), numbers, numbers) is None
    gaps = Sequences.of([f"-{text[1:]}" for text in TRUE])
    assert agreement(Sequences.of([f"N{text[1:]}" for text in TRUE]), gaps, numbers, numbers) == 1
