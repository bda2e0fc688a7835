"""Values mean the same however they are written: those that a steward names, and those of a sensitive column."""

from decimal import Decimal
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import PolicyError
from sharewell.hierarchy import Flat, Intervals, Tree
from sharewell.roles import Role
from sharewell.tables import (
    AlphaKAnonymity,
    EntropyLDiversity,
    Homogeneity,
    InstanceDisclosure,
    LDiversity,
    RangeDiversity,
    RecursiveLDiversity,
    Table,
    TCloseness,
)
from sharewell.tables.engine.columns import encode
from sharewell.tables.wing import TablesWing

REGISTER = pa.table({"pid": list("abcdefgh"), "q": ["a"] * 4 + ["b"] * 4})
NUMBERS = pa.array([1.0, 1.0, 1.0, 2.5])
TRUTHS = pa.array([True, True, True, False])
DATES = pa.array(["31.12.2020"] * 3 + ["01.02.2021"])
WRITTEN = [
    *((NUMBERS, value) for value in (1.0, "1.0", 1, "1", "1e0", Decimal("1.00"))),
    *((TRUTHS, value) for value in (True, "true", "TRUE")),
    (pa.array(["True"] * 3 + ["False"]), True),
    (pa.array(["1.0"] * 3 + ["2"]), 1),
    (pa.array(["1", "1.0", "1e0", "unknown"]), 1),
    (pa.array(["True", "true", "TRUE", "False"]), True),
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


@pytest.mark.parametrize(("values", "written"), [(["HIV"] * 4, "HVI"), (["HIV"] * 4, "H IV"), (["E11"] * 4, "E11.0")])
def test_text_is_compared_by_its_looks_and_an_absent_value_is_noted(values: list[str], written: object) -> None:
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


SPELLINGS = [
    ["1", "1.0", "1.00", "1"],
    ["1", "1e0", "+1", "01"],
    ["0", "-0", "0.0", "0e5"],
    ["True", "true", "TRUE", " true"],
    ["1", "1.0", "1.000", "1."],
]


@pytest.mark.parametrize("spellings", SPELLINGS)
@pytest.mark.parametrize("more", [[], ["unknown"]])
def test_spellings_of_one_value_are_not_diverse(spellings: list[str], more: list[str]) -> None:
    shown = Table.of(
        pa.table({"q": ["a"] * 4 + ["b"] * len(more), "s": [*spellings, *more]}), quasi=["q"], sensitive=["s"]
    )
    for asked in (LDiversity(2), EntropyLDiversity(2), RecursiveLDiversity(3, 2)):
        assert asked.check(shown).ok is False
    assert LDiversity(1).check(shown).value == 1
    assert AlphaKAnonymity("3/4", 1, [spellings[0]]).check(shown).value == 1
    assert Homogeneity(column="s").mount(shown).value == 1
    assert shown.carried["s"].to_pylist() == [*spellings, *more]  # published as they were written


def test_numbers_that_differ_beyond_floating_point_are_two() -> None:
    column = encode("s", Role.SENSITIVE, pa.array(["0.1", "0.10", "0.1000000000000000000001", "1e-400", "0"]))
    assert column.texts == ("0", "0.1", "0.1000000000000000000001", "1e-400")
    assert column.codes.tolist() == [1, 1, 2, 3, 0]


def test_other_columns_and_trees_keep_their_spellings() -> None:
    assert encode("q", Role.QUASI, pa.array(["1", "1.0"])).size == 2
    assert encode("who", Role.SUBJECT, pa.array(["1", "1.0"]), kind="text").size == 2
    codes = Tree([["250.0", "250"], ["250.00", "250"]])
    assert encode("s", Role.SENSITIVE, pa.array(["250.0", "250.00"]), hierarchy=codes).size == 2
    for tree in (Intervals(width=5), Flat()):
        assert encode("s", Role.SENSITIVE, pa.array(["7", "7.0"]), hierarchy=tree).size == 1


def test_two_spellings_of_a_number_among_persons_are_cautioned() -> None:
    frame = pa.table({"who": ["1", "1.0", "2"], "q": ["a"] * 3})
    assert TablesWing().lookalikes(Table.of(frame, quasi=["q"], subject="who")) == {"who": 1}


def test_a_reference_in_another_spelling_is_the_same() -> None:
    listed = pa.table({"s": ["1", "1.0", "2", "x"]})
    shown = Table.of(pa.table({"q": ["a"] * 4, "s": ["1.0", "01", "2.0", "x"]}), quasi=["q"], sensitive=["s"])
    assert TCloseness("1/10", column="s", reference=listed).check(shown).value == 0


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.sampled_from(["1", "1.0", "1e0", "2", "2.", "true", "True", "x"])),
        min_size=1,
        max_size=10,
    )
)
def test_diversity_by_definition(rows: list[tuple[int, str]]) -> None:
    means = {"1": 1, "1.0": 1, "1e0": 1, "2": 2, "2.": 2, "true": "t", "True": "t", "x": "x"}
    shown = Table.of(
        pa.table({"q": [str(q) for q, _ in rows], "s": [s for _, s in rows]}), quasi=["q"], sensitive=["s"]
    )
    expected = min(len({means[s] for q, s in rows if q == one}) for one, _ in rows)
    assert LDiversity(1).check(shown).value == expected


@pytest.mark.parametrize("one", ["1", "01", "+1", "1e0", "10e-1", "１", "\u0661", "1.", " 1", "1\u200b"])
def test_an_order_is_that_of_numbers_however_one_of_them_is_spelt(one: str) -> None:
    """By definition: of 1 < 5 < 10 the class b has 10 alone, 3/8 away from the whole."""
    for values in (["10", "5", one, "10"], ["10", "５", one, "10"], ["10.0", "50e-1", one, "1e1"]):
        frame = pa.table({"q": list("aaab"), "s": values})
        found = TCloseness("3/10", distance="ordered").check(Table.of(frame, quasi=["q"], sensitive=["s"]))
        assert (found.value, found.ok) == (Fraction(3, 8), False)


@pytest.mark.parametrize(
    "values",
    [
        ["10", "5", "1", "<1"],
        ["10", "5", "1", "refused"],
        ["10 mg", "5 mg", "1 mg", "10 mg"],
        ["03/04/2020", "05/01/2019", "01/02/2021", "01/02/2021"],
        ["2020-01-05", "2020-01-06", "6.1.2020", "n/a"],
    ],
)
def test_an_order_that_nobody_knows_is_refused(values: list[str]) -> None:
    data = table(pa.array(values))
    with pytest.raises(PolicyError, match="whose order is unknown") as refused:
        TCloseness(1, distance="ordered").check(data)
    assert not any(value in str(refused.value) for value in values if len(value) > 2)
    assert TCloseness(1).check(data).ok


def test_categories_are_ordered_by_their_text() -> None:
    for values in (["high", "low", "Middle", "low"], ["stage 1", "stage 2", "Stage 3", "stage 2"]):
        assert TCloseness(1, distance="ordered").check(table(pa.array(values))).ok


def test_a_tree_does_not_make_two_places_of_one_number() -> None:
    """250.0 and 250.00 are two diseases of the tree, and one place on the line."""
    tree = Tree([["1", "a"], ["5.0", "a"], ["5.00", "b"], ["10", "b"]])
    frame = pa.table({"q": list("aaab"), "s": ["10", "5.0", "1", "10"]})
    double = pa.table({"q": list("aaaaaabb"), "s": ["10", "5.0", "1", "10", "5.00", "1", "10", "10"]})
    found = [
        TCloseness(1, distance="ordered").check(Table.of(rows, quasi=["q"], sensitive=["s"], hierarchies={"s": tree}))
        for rows in (frame, double)
    ]
    assert found[0].value == found[1].value == Fraction(3, 8)


def test_an_exponent_keeps_its_decimals() -> None:
    """0.5 and 1 lie 0.5 apart, whatever the exponent that they are written with."""
    for half in ("0.5", "5e-1"):
        frame = pa.table({"q": list("aabb"), "s": [half, "1", "0", "10"]})
        data = Table.of(frame, quasi=["q"], sensitive=["s"])
        assert RangeDiversity(0).check(data).value == Fraction(1, 20)
