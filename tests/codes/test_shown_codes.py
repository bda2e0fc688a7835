"""No code stands in public/ that no published record shows: neither in a label nor in the dictionary."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_every_code_cell import CELLS, CODES, CRITERIA, PARTNERS, SEQUENCE, SETTINGS

from sharewell import registry
from sharewell.codes import CodeSets
from sharewell.codes.data import CodeSets as Data
from sharewell.codes.engine.labels import read_label
from sharewell.codes.engine.shown_codes import with_shown_codes
from sharewell.codes.wing import explained
from sharewell.errors import Infeasible
from sharewell.hierarchy import ICD9CM
from sharewell.keys import Key
from sharewell.protocols import Protected

MERGING = sorted({mechanism for mechanism, _ in CELLS if mechanism not in ("disassociation", "sequence-hiding")})
RECORDS = st.lists(st.lists(st.sampled_from([*CODES, "401", "402.1", "J1"]), max_size=4), min_size=4, max_size=12)


def protected_by(name: str, data: CodeSets) -> Protected[Any] | None:
    """By a mechanism, for the first criterion that it can make hold on this data."""
    able = SETTINGS.get(name) or registry.lookup("codes", "mechanisms", name)()
    for mechanism, criterion in CELLS:
        must = [CRITERIA[criterion][0], *(CRITERIA[one][0] for one in PARTNERS.get(criterion, ()))]
        must = [one for one in must if registry.compatible(type(able), type(one))]
        if mechanism == name and SEQUENCE not in must:
            try:
                return able.protect(data, must, Key(b"a key for this test, long enough"))
            except Infeasible:
                continue
    return None


def standing_codes(published: CodeSets) -> set[str]:
    """Every code that a reader of the file and of its dictionary meets."""
    entries = explained(published, None)
    listed = {code for facts in entries.values() for code in facts.get("codes", ())}  # type: ignore[attr-defined]
    return listed | {code for name in published.names if name not in entries for code in read_label(name)}


def shown_codes(original: CodeSets, released: CodeSets, rows: list[int]) -> set[str]:
    """By the plain words of the promise: a published person has the code, and a label of theirs covers it."""
    shown = set()
    for record, row in enumerate(rows):
        held = {original.names[i] for i in original.sets.row(row)}
        for label in released.sets.row(record).tolist():
            shown |= held & set(released.members[label])
    return shown


@pytest.mark.parametrize("name", MERGING)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(records=RECORDS, tree=st.booleans(), chance=st.randoms(use_true_random=False))
def test_codes_of_withheld_persons_and_left_out_codes_stand_nowhere(
    name: str, records: list[list[str]], tree: bool, chance: Any
) -> None:
    """After any mechanism, some persons are withheld and some labels left out of single records."""
    data = CodeSets.of(records, hierarchy=ICD9CM() if tree else None)
    done = protected_by(name, data)
    if done is None:
        return
    released: Data = done.data
    released = released.without(np.array([chance.random() < 0.2 for _ in released.sets.items], dtype=bool))
    kept = np.array([i for i in range(released.records) if chance.random() < 0.7], dtype=np.intp)
    released, rows = released.take(kept), done.rows[kept]
    published = with_shown_codes(released, data, rows)
    assert standing_codes(published) <= shown_codes(data, released, rows.tolist())
    assert published.records == released.records
    for record in range(published.records):
        before = {data.names[i] for i in data.sets.row(int(rows[record]))}
        shown = [set(published.members[label]) for label in published.sets.row(record).tolist()]
        assert all(codes & before for codes in shown)
    kept_codes = sorted(standing_codes(published))
    for first in kept_codes:
        for second in kept_codes:
            assert published.support({first, second}) == released.support({first, second})
    json.dumps(explained(published, data.hierarchy))


def test_a_node_beside_a_code_of_its_name_gets_the_name_back() -> None:
    """`401.-` tells that 401 occurs as a code."""
    data = CodeSets.of([["401.1"], ["401.9"], ["401"]], hierarchy=ICD9CM())
    tree = data.tree
    released = tree.recoded(data, np.zeros(3, dtype=np.int64))
    assert released.names == ("401.-",)
    rows = np.array([0, 1])
    published = with_shown_codes(released.take(rows), data, rows)
    assert (published.names, published.members) == (("401",), (("401.1", "401.9"),))


def test_a_code_that_one_recoding_suppresses_is_in_no_label() -> None:
    """The label of its neighbours covers it by the tree, in the same record too, but never stands for it."""
    data = CodeSets.of([["401.1", "401.9"], ["401.1", "402.1"]], hierarchy=ICD9CM())
    released = data.recoded(
        {"401.1": "401-405", "401.9": None, "402.1": "401-405"}, {"401-405": ["401.1", "401.9", "402.1"]}
    )
    published = with_shown_codes(released, data, np.array([0, 1]))
    assert published.members == (("401.1", "402.1"),)


def test_labels_stay_where_every_code_is_shown() -> None:
    data = CodeSets.of([["401.1"], ["401.9"]], hierarchy=ICD9CM())
    released = data.tree.recoded(data, np.zeros(2, dtype=np.int64))
    assert with_shown_codes(released, data, np.array([0, 1])) is released
    assert with_shown_codes(replace(released, labels=None), data, np.array([0, 1])).members == released.members
