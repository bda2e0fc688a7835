"""Records of several releases of codes, joined by person."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.codes import CodeSets
from sharewell.codes.engine import joined_sets as engine
from sharewell.codes.engine.joined_sets import LinkedSets, TooMany, joined_sets, repeats
from sharewell.people_evidence import NotComparable, PeopleEvidence


def linked(title: str, rows: list[list[str]], persons: str, names: str = "n", **members: Any) -> LinkedSets:
    people = PeopleEvidence(names, "", pa.array(list(persons)), np.arange(len(rows)))
    return LinkedSets(title, CodeSets.of(rows, published=True, members=members), people)


def test_a_record_stands_beside_every_record_of_its_person() -> None:
    own = linked("own", [["a"], ["b"], ["c"]], "xyz")
    other = linked("other", [["a"], ["b"], ["d"]], "yxx")
    alone, both = sorted(joined_sets(own, [other]), key=lambda part: part.rows)
    assert alone.places.tolist() == [[2, -1]]
    assert both.places.tolist() == [[0, 1], [0, 2], [1, 0]]
    assert both.owners == 2


def test_visits_of_two_files_are_not_joined_where_somebody_has_several() -> None:
    """Beside each other they would count as records that show what both show, whichever visits are the same."""
    several, others = linked("own", [["a"], ["b"]], "xx"), linked("other", [["a"], ["b"]], "xx")
    with pytest.raises(NotComparable, match="which visits of other and own are the same"):
        joined_sets(several, [others])
    once = linked("other", [["a"]], "x")
    assert len(joined_sets(several, [once])[0].places) == 2  # a record of the person
    visit = replace(once, people=replace(once.people, visits=True))
    for own, other in ((several, visit), (visit, several)):
        with pytest.raises(NotComparable, match="two files"):
            joined_sets(own, [other])
    assert joined_sets(visit, [visit])[0].places.tolist() == [[0, 0]]


def test_a_code_is_one_fact_however_many_releases_show_it() -> None:
    own = linked("own", [["a"], ["a"], ["(b,c)"]], "xyz")
    other = linked("other", [["(a,b)"], ["(a,b)"], ["(a,b)"]], "xyz")
    (part,) = joined_sets(own, [other])
    # a in both; b in both; b or a in the second alone; c in the first alone
    assert sorted(part.facts.lengths.tolist()) == [2, 2, 3]
    assert part.rare(1, 2) == 2
    assert part.rare(1, 1) == 0
    assert part.small_groups(2) == 1
    assert part.rare_parts(["a", "c"], 2, True) == 1
    assert part.rare_parts(["a", "c"], 2, False) == 0


def test_records_of_one_owner_count_once_and_beyond_listing_only_what_is_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    own = linked("own", [["a"], ["a"], ["a"]], "xyz")
    other = linked("other", [["b"]] * 5, "xxyyz")
    (part,) = joined_sets(own, [other])
    assert (part.rare(2, 3), part.rare(2, 4)) == (0, 3)
    monkeypatch.setattr(engine, "MOST_LISTED", 0)
    assert part.rare(2, 3) == 0  # five of at most two each are at least three
    assert part.rare(2, 4) is None
    monkeypatch.setattr(engine, "MOST_COUNTED", 0)
    assert part.rare(2, 3) is None
    with pytest.raises(TooMany):
        part.rare_parts(["a"], 2, True)


def test_too_many_records_or_facts_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    own, other = linked("own", [["a"]] * 3, "xyz"), linked("other", [["b"]] * 3, "xyz")
    (part,) = joined_sets(own, [other])
    monkeypatch.setattr(engine, "MOST_FACTS", 2)
    with pytest.raises(TooMany):
        part.rare(1, 2)
    monkeypatch.setattr(engine, "MOST_ROWS", 2)
    with pytest.raises(NotComparable, match="too many records"):
        joined_sets(own, [other])


def test_persons_who_are_called_otherwise_are_not_joined() -> None:
    with pytest.raises(NotComparable, match="same secret key"):
        joined_sets(linked("own", [["a"]], "x"), [linked("other", [["a"]], "x", names="m")])


def test_what_repeats_a_release_shows_the_same_labels_of_the_same_people() -> None:
    own = linked("own", [["a", "N"], ["b"]], "xy", N=["c", "d"])
    assert repeats(own, linked("other", [["b"], ["N", "a"]], "yx", N=["c", "d"]))
    assert repeats(own, linked("other", [["b"], ["N", "a"], ["a"]], "yxz", N=["c", "d"]))
    assert not repeats(own, linked("other", [["b"], ["N", "a"]], "yx", N=["c", "e"]))
    assert not repeats(own, linked("other", [["b"], ["N", "a"]], "xy", N=["c", "d"]))
    assert not repeats(own, linked("other", [["b"], ["N", "a"]], "yz", N=["c", "d"]))
    assert not repeats(own, linked("other", [["b"], ["N", "a"], ["b"]], "yxy", N=["c", "d"]))
