"""The language of published cells reads back to what was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.cells import (
    Any,
    Cell,
    Exact,
    Interval,
    Node,
    Prefix,
    Set,
    Suppressed,
    intervals_of,
    labelled,
    parse,
    sets_of,
)

texts = st.text(alphabet=st.sampled_from("ab01.-,*[]{}<>\\: \n:prefixnode"), max_size=12) | st.text(max_size=6)
cells = st.one_of(
    texts.map(Exact),
    st.builds(Interval, texts, texts),
    st.lists(texts, min_size=2, max_size=4, unique=True).map(lambda m: Set(tuple(m))),
    texts.map(Prefix),
    st.just(Any()),
    st.just(Suppressed()),
)


@given(cells)
def test_a_cell_reads_back_to_itself(cell: Cell) -> None:
    assert parse(cell.text) == cell


@given(st.lists(texts, min_size=1, max_size=6), st.data())
def test_many_intervals_and_sets_are_written_like_one(values: list[str], data: st.DataObject) -> None:
    places = sorted(data.draw(st.sets(st.integers(0, len(values) - 1), min_size=1)))
    low, high = places[0], places[-1]
    assert intervals_of(values)(low, high) == Interval(values[low], values[high]).text
    members = {values[place] for place in places}
    one = Exact(members.pop()) if len(members) == 1 else Set(tuple(members))
    for some, which in ((values, places), (sorted(set(values)), [sorted(set(values)).index(m) for m in _members(one)])):
        assert sets_of(some)(which) == one.text


def _members(cell: Cell) -> list[str]:
    return [cell.value] if isinstance(cell, Exact) else sorted(cell.members) if isinstance(cell, Set) else []


@given(texts.filter(bool).map(Node))
def test_a_node_reads_back_to_itself_in_a_column_of_nodes(cell: Node) -> None:
    assert parse(cell.text, nodes=True) == cell


@given(cells, cells)
def test_two_cells_never_share_a_text(one: Cell, other: Cell) -> None:
    assert (one == other) == (one.text == other.text)


@pytest.mark.parametrize("literal", ["*", "[1-2]", "{A,B}", "021*", "\\x", "<suppressed>", "<node:x>"])
def test_a_literal_that_looks_like_a_generalisation_is_escaped(literal: str) -> None:
    assert Exact(literal).text == "\\" + literal


@pytest.mark.parametrize("literal", ["<=50K", "<18", "[open", "{half", "a-b", "[1..", "[a-b]", ""])
def test_a_literal_that_cannot_be_mistaken_stays_as_it_is(literal: str) -> None:
    assert Exact(literal).text == literal


@pytest.mark.parametrize(
    ("label", "cell"),
    [("*", Any()), ("021*", Prefix("021")), ("[20-24]", Interval("20", "24")), ("E11", Node("E11"))],
)
def test_labels_of_hierarchies_become_cells(label: str, cell: Cell) -> None:
    assert labelled(label) == cell
