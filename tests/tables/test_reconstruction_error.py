"""Reconstruction error: true counts against estimates, in any spelling; nothing to say of columns as they are."""

from __future__ import annotations

import pyarrow as pa

from sharewell.keys import Key
from sharewell.tables import ReconstructionError, RetentionReplacement, Table

KEY = Key(b"an example key of enough bytes..")


def test_estimates_come_nearer_with_more_people_and_more_truth() -> None:
    def error(people: int, ratio: int) -> float:
        codes = (["HIV", "hiv ", "flu", "flu", "none"] * people)[:people]
        table = Table.of(pa.table({"sex": ["F"] * people, "code": codes}), quasi=["sex"], sensitive=["code"])
        how = RetentionReplacement({"code": ["hiv", "flu", "none"]}, ratio=ratio)
        found = ReconstructionError().score(table, how.protect(table, [], KEY).data)
        assert found.details.largest_standard_error > 0
        return float(found.value or 0)

    assert error(20_000, 5) < 0.02
    assert error(20_000, 100) < 0.005 < error(200, 2)


def test_counts_of_a_table_as_it_is_are_not_estimated() -> None:
    table = Table.of(pa.table({"code": ["a"]}), quasi=[], sensitive=["code"])
    found = ReconstructionError().score(table, table)
    assert (found.value, found.note) == (0, "no column was drawn: counts are what they were")
