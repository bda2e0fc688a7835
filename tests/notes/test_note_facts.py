"""What notes show of persons: words, and cells beside the text that are published as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from sharewell.keys import Key
from sharewell.notes import Notes
from sharewell.notes.engine.note_facts import person_facts, without_facts
from sharewell.notes.engine.rewritten_text import Change
from sharewell.notes.engine.shown_words import HIDDEN, words_shown

KEY = Key(b"a key of a test, long enough")
NOTES = replace(
    Notes.of(["Takes aspirin.", "Takes insulin.", "Takes aspirin."], persons=["a", "b", "a"]),
    beside=pa.table({"ward": ["x", "y", None], "day": ["1", "2", "3"]}),
    facts={"ward": {"role": "keep"}, "day": {"role": "shift"}},
)


def test_words_and_kept_cells_are_facts_and_shifted_dates_are_not() -> None:
    facts = person_facts(NOTES)
    assert facts is not None
    assert list(facts.persons) == ["a", "b", "a"]
    assert facts.sets is not None
    assert np.diff(facts.sets[0]).tolist() == [3, 3, 3]  # an empty cell is a fact too
    assert facts.marked is not None
    assert not facts.marked.any()
    assert person_facts(Notes.of(["Nobody's."])) is None
    linked = person_facts(replace(NOTES, linked_names=["x1", "x2", "x1"]))
    assert linked is not None
    assert list(linked.persons) == ["x1", "x2", "x1"]


def test_what_is_removed_is_gone_from_text_and_cells_and_every_note_shows_the_sign() -> None:
    facts = person_facts(NOTES)
    assert facts is not None
    assert facts.sets is not None
    starts, items = facts.sets
    gone = np.isin(items, items[starts[1] : starts[2]]) & ~np.isin(items, items[: starts[1]])  # only b has these
    left, changes = without_facts(NOTES, [()] * 3, gone, np.array([True, True, False]))
    assert left.texts[0] in (f"Takes {HIDDEN}.", f"{HIDDEN} aspirin.")
    assert left.texts[1] == f"Takes {HIDDEN}."
    assert left.columns_beside()["ward"].to_pylist() == [None, None]  # one empty cell would tell whose it is
    assert left.columns_beside()["day"].to_pylist() == ["1", "2"]
    assert [len(one) for one in changes] == [1, 1]
    after = person_facts(left)
    assert after is not None
    assert after.marked is not None
    assert after.marked.all()


def without_rare_words(notes: Notes) -> list[str]:
    facts = person_facts(notes)
    assert facts is not None
    assert facts.sets is not None
    items = facts.sets[1]
    rare = np.bincount(items)[items] == 1
    return list(without_facts(notes, [()] * notes.rows, rare, np.ones(notes.rows, bool), KEY)[0].texts)


def test_whoever_had_the_words_that_are_removed_is_not_the_only_one_who_lacks_some() -> None:
    """One of six has a rare word. Were words missing from that note alone, the sign would tell whose it was."""
    notes = Notes.of(["Seen HIV clinic today.", *["Seen cough clinic today."] * 5], persons=list("abcdef"))
    left = without_rare_words(notes)
    assert [len(list(words_shown(text))) for text in left] == [3] * 6
    assert {text.count(HIDDEN) for text in left} == {1}
    back = without_rare_words(replace(notes, texts=tuple(notes.texts)[::-1]))
    assert left == back[::-1], "the order of notes decides nothing"


def test_which_word_goes_where_none_has_to_is_drawn_under_the_key() -> None:
    text = " ".join(f"word{i}" for i in range(50))
    notes, none = Notes.of([text], persons=["a"]), np.zeros(50, bool)
    keys = [Key.fresh() for _ in range(20)]
    left = [without_facts(notes, [()], none, np.ones(1, bool), key)[0].texts[0] for key in keys]
    assert left == [without_facts(notes, [()], none, np.ones(1, bool), key)[0].texts[0] for key in keys]
    assert len({*left}) > 10


WORDS = st.lists(st.sampled_from(["AIDS", "the", "[60-69]", "mg,", "[", "{a b}", "HIV+", "(daily).", HIDDEN, "x"]))


@given(st.lists(st.tuples(WORDS, st.sampled_from(["u", "v", None])), min_size=1, max_size=4), st.data())
def test_words_that_are_not_read_again_are_those_of_the_text(
    drawn: list[tuple[list[str], str | None]], data: st.DataObject
) -> None:
    texts = [" ".join(words) for words, _ in drawn]
    notes: Notes = replace(
        Notes.of(texts, persons=[str(i) for i in range(len(texts))]),
        beside=pa.table({"ward": pa.array([cell for _, cell in drawn], pa.string())}),
        facts={"ward": {"role": "keep"}},
    )
    changes: Sequence[Sequence[Change]] = [()] * notes.rows
    for _ in range(3):
        facts = person_facts(notes)
        assert facts is not None
        assert facts.sets is not None
        count = len(facts.sets[1])
        removed = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)), dtype=bool)
        kept = np.array(data.draw(st.lists(st.booleans(), min_size=notes.rows, max_size=notes.rows)), dtype=bool)
        notes, changes = without_facts(notes, changes, removed, kept)
        left, anew = person_facts(notes), person_facts(replace(notes))  # nothing is known of a copy
        assert left is not None
        assert anew is not None
        assert left.sets is not None
        assert anew.sets is not None
        assert [one.tolist() for one in left.sets] == [one.tolist() for one in anew.sets]
        assert left.marked is not None
        assert anew.marked is not None
        assert left.marked.tolist() == anew.marked.tolist()
