"""What the DNA lost, alone and in the mean of all parts."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.codes import CodeSets
from sharewell.joint import NCP, DnaNCP, RTData, SnpCells
from sharewell.tables import Table

CODES = CodeSets.of([["401"], ["250"]])


def joined(table: Table, cells: list[str]) -> RTData:
    return RTData.of(table, CODES, SnpCells.reopened({"rs1": pa.chunked_array([cells])}, "calls"))


def test_parts_are_weighed_alike_unless_it_is_said_otherwise() -> None:
    exact = Table.of(pa.table({"age": [20, 60]}), quasi=["age"])
    wide = Table.of(pa.table({"age": ["[20-60]"] * 2}), quasi=["age"], published=True)
    before, after = joined(exact, ["0", "1"]), joined(wide, ["{0,1}", "{0,1}"])
    assert DnaNCP().score(before, after).value == 0.5
    found = NCP().score(before, after)
    assert [part.value for part in found.parts] == [1, 0, 0.5]
    assert found.value == pytest.approx(0.5)
    assert NCP(weight=1.0).score(before, after).value == pytest.approx((2 + 0.5) / 3)


def test_without_demographics_codes_and_dna_count_half_each() -> None:
    nobody = Table.of(pa.table({"who": ["a", "b"]}), quasi=[], subject="who")
    found = NCP().score(joined(nobody, ["0", "1"]), joined(nobody, ["*", "*"]))
    assert (found.value, len(found.parts)) == (0.5, 2)


def test_without_dna_there_is_nothing_to_measure() -> None:
    table = Table.of(pa.table({"age": [20, 60]}), quasi=["age"])
    plain = RTData.of(table, CODES)
    assert DnaNCP().score(plain, plain).note == "no DNA is published"
