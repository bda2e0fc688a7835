"""Pseudonyms: one within a class, or one for all rows of a person or of a piece."""

from trail_cases import Published

from sharewell.keys import Key
from sharewell.person_names import key_of_names
from sharewell.tables.engine.pseudonyms import for_evidence, whole_trails, within_classes

KEY = Key(b"an example key of enough bytes..")
CASE = Published((("p", 0, "A", 1), ("p", 0, "B", 2), ("q", 0, "A", 1), (None, 0, "A", 1)))


def test_one_name_in_all_rows() -> None:
    names = whole_trails(CASE.table, "visits", KEY).arrow().to_pylist()
    assert names == [key_of_names(KEY, "visits").pseudonym(who) if who else None for who in ("p", "p", "q", None)]
    assert len(set(within_classes(CASE.table, "visits", KEY).arrow().to_pylist())) == 4
    assert not set(names) & set(for_evidence(CASE.table, "visits", KEY).arrow().to_pylist()) - {None}


def test_each_piece_has_its_own_name() -> None:
    case = Published((("p", 0, "A", 1), ("p", 1, "B", 2), ("p", 1, "A", 3), ("q", 0, "A", 1)))
    names = whole_trails(case.table, "visits", KEY).arrow().to_pylist()
    assert names[1] == names[2] == key_of_names(KEY, "visits", piece=1).pseudonym("p")
    assert len(set(names)) == 3
    assert len(set(for_evidence(case.table, "visits", KEY).arrow().to_pylist())) == 2


def test_names_within_a_class_are_those_of_its_scope() -> None:
    rows = (("p", 0, "A", 1), ("q", 0, "A", 1), ("p", 0, "A", 1), ("p", 0, "B", 2), (None, 0, "B", 2))
    table = Published(rows).table
    found = within_classes(table, "visits", KEY).arrow().to_pylist()
    shown = [column.arrow.to_pylist() for column in table.quasi]
    for name, (who, *_), cells in zip(found, rows, zip(*shown, strict=True), strict=True):
        assert name == (KEY.scoped("visits", *cells).pseudonym(who) if who else None)
