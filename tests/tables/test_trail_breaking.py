"""Trail breaking: pieces that are shared, with pseudonyms of their own; the guarantee is tested with trail grouping."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from sharewell.errors import Infeasible
from sharewell.tables import KAnonymity, Table, TrailBreaking, TrailKAnonymity


def wards(**visits: str) -> Table:
    """Person → wards visited, one letter each."""
    rows = [(who, ward) for who, trail in visits.items() for ward in trail]
    frame = pa.table({"who": [who for who, _ in rows], "ward": [ward for _, ward in rows]})
    return Table.of(frame, quasi=["ward"], subject="who")


def pieces(released: Any) -> list[tuple[str, str]]:
    """(person, wards) of every pseudonym."""
    found: dict[Any, str] = {}
    shown = zip(
        released.data.subject.arrow.to_pylist(),
        released.data.trails.piece.tolist(),
        released.data.arrow["ward"].to_pylist(),
        strict=True,
    )
    for who, piece, ward in shown:
        found[who, piece] = found.get((who, piece), "") + ward
    return sorted((who, "".join(sorted(trail))) for (who, _), trail in found.items())


def test_shared_trails_stay_whole_and_others_are_broken() -> None:
    table = wards(p="AB", q="AB", r="AC", s="AC", t="BC", u="B", v="C")
    released = TrailBreaking().protect(table, [TrailKAnonymity(2)])
    whole = [("p", "AB"), ("q", "AB"), ("r", "AC"), ("s", "AC")]
    assert pieces(released) == sorted([*whole, ("t", "B"), ("t", "C"), ("u", "B"), ("v", "C")])
    assert (released.details.broken, released.details.suppressed_records) == (1, 0)


def test_pieces_of_one_person_never_count_as_two() -> None:
    """Five visits of one person in a ward that one other person visits once: k-anonymity of persons finds two."""
    table = wards(p="AAAAA", q="A", r="BB", s="BB")
    with pytest.raises(Infeasible):
        TrailBreaking(suppress=0.2).protect(table, [TrailKAnonymity(2)])
    released = TrailBreaking(suppress=0.9).protect(table, [TrailKAnonymity(2), KAnonymity(2)])
    assert pieces(released) == [("p", "A"), ("q", "A"), ("r", "BB"), ("s", "BB")]
    assert KAnonymity(2).check(released.data).value == 2


def test_the_first_mechanism_is_set_as_the_policy_says() -> None:
    with pytest.raises(ValueError, match="settings — of mondrian"):
        TrailBreaking(settings={"no_such": 1})
    made = TrailBreaking("multi-record-partitioning", {"keep_person_together": True})
    released = made.protect(wards(p="AB", q="AB", r="AB"), [TrailKAnonymity(3), KAnonymity(2)])
    assert released.data.rows == 6
