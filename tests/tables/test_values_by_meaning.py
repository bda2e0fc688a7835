"""Values that a steward names mean the same in a column, however both are written."""

from decimal import Decimal
from fractions import Fraction

import pyarrow as pa
import pytest

from sharewell.tables import AlphaKAnonymity, InstanceDisclosure, Table, TCloseness

REGISTER = pa.table({"pid": list("abcdefgh"), "q": ["a"] * 4 + ["b"] * 4})
NUMBERS = pa.array([1.0, 1.0, 1.0, 2.5])
TRUTHS = pa.array([True, True, True, False])
DATES = pa.array(["31.12.2020"] * 3 + ["01.02.2021"])
WRITTEN = [
    *((NUMBERS, value) for value in (1.0, "1.0", 1, "1", "1e0", Decimal("1.00"))),
    *((TRUTHS, value) for value in (True, "true", "TRUE")),
    (pa.array(["True"] * 3 + ["False"]), True),
    (pa.array(["1.0"] * 3 + ["2"]), 1),
    (DATES, "31.12.2020"),
    (DATES, "2020-12-31"),
    (pa.array(["flu"] * 3 + ["HIV"]), "flu"),
    (pa.array([None, None, None, "HIV"]), None),
]


def table(values: pa.Array) -> Table:
    return Table.of(pa.table({"q": ["a"] * 4, "s": values}), quasi=["q"], sensitive=["s"])


@pytest.mark.parametrize(("values", "written"), WRITTEN)
def test_a_guarded_value_is_recognised(values: pa.Array, written: object) -> None:
    data = table(values)
    guarded = AlphaKAnonymity("1/2", 1, [written]).check(data)
    assert (guarded.value, guarded.ok, guarded.note) == (Fraction(3, 4), False, "")
    assert AlphaKAnonymity("3/4", 1, [written]).check(data).ok
    bounded = InstanceDisclosure(REGISTER, 1, bounds={"s": {written: "1/2"}}).check(data)
    assert bounded.ok is False
    assert "occur in no record" not in bounded.note
    assert InstanceDisclosure(REGISTER, 1, bounds={"s": {written: "3/4"}}).check(data).ok
    cases = InstanceDisclosure(REGISTER, "1/2", case={"s": written}).check(data)
    assert cases.value == Fraction(3, 4)
    assert cases.ok is False


@pytest.mark.parametrize(
    ("values", "written"),
    [(["01", "01", "01", "2"], 1), (["x", "1", "1", "1"], "1.0"), (["HIV"] * 4, "HVI"), (["HIV"] * 4, "hiv")],
)
def test_text_is_compared_as_it_stands_and_an_absent_value_is_noted(values: list[str], written: object) -> None:
    data = table(pa.array(values))
    found = AlphaKAnonymity("1/2", 1, [written, values[0]]).check(data)
    assert found.note == "1 of 2 guarded values occur in no record of column s"
    found = InstanceDisclosure(REGISTER, 1, case={"s": [written]}, bounds={"s": {written: "1/2"}}).check(data)
    assert "1 of 1 values of cases occur in no record of column s" in found.note
    assert "1 of 1 values with a bound occur in no record of column s" in found.note


def test_counts_of_a_reference_are_matched_by_meaning() -> None:
    plain = TCloseness(1, column="s", counts={"1": 3, "2.5": 1}).check(table(NUMBERS))
    assert TCloseness(1, column="s", counts={1.0: 3, "2.50": 1}).check(table(NUMBERS)).value == plain.value
    assert TCloseness(1, column="s", counts={True: 3, False: 1}).check(table(TRUTHS)).value == 0
    parts = {True: "5/2", False: "3/2"}
    assert TCloseness(1, column="s", counts={True: 3, False: 1}, person_counts=parts).check(table(TRUTHS)).value == 0
