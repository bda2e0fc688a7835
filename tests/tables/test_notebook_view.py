"""How tables and assessments show themselves: counts and roles, and rows of what is published alone."""

from __future__ import annotations

import pyarrow as pa

from sharewell.tables import KAnonymity, Mondrian, Table
from sharewell.tables.engine.assessment import assess
from sharewell.tables.engine.notebook_view import assessment_html, table_html

FRAME = pa.table({"age": [71, 72, 81, 82] * 6, "illness": ["leprosy", "flu"] * 12, "who": [f"p{i}" for i in range(24)]})


def original() -> Table:
    return Table.of(FRAME, quasi=["age"], sensitive=["illness"], subject="who")


def test_an_original_shows_how_many_values_and_none_of_them() -> None:
    told = table_html(original())
    assert "<td>age</td><td>quasi</td><td>number</td><td>4</td>" in told
    assert "original table: 24 rows, 24 persons" in told
    assert not [cell for cell in ("71", "leprosy", "p3") if cell in told]


def test_a_published_table_shows_one_record_of_each_class() -> None:
    told = table_html(Mondrian().protect(original(), [KAnonymity(12)]).data)
    assert "one record of 2 of 2 classes" in told
    assert told.count("<td>[71-72]</td>") == told.count("<td>[81-82]</td>") == 1
    assert "p3" not in told


def test_an_empty_release_shows_no_row() -> None:
    empty = Table.of(pa.table({"age": pa.array([], pa.string())}), quasi=["age"], published=True)
    assert "published table: 0 rows" in table_html(empty)


def test_an_assessment_says_whether_it_is_enough() -> None:
    told = assessment_html(assess(original(), k=6))
    assert "by age: every class has 6 persons or more" in told
    assert "not anonymous for k = 7" in assessment_html(assess(original(), k=7))
    assert not [cell for cell in ("71", "leprosy", "p3") if cell in told]
