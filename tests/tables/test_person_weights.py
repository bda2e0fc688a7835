"""One person with many values must not hide what nearly everybody has: distributions are of persons and of records."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest

from sharewell.tables import (
    AlphaKAnonymity,
    BetaLikeness,
    DeltaDisclosure,
    EntropyLDiversity,
    EpsilonMAnonymity,
    LDiversity,
    RecursiveLDiversity,
    Table,
    TCloseness,
)

F = Fraction
Visits = list[tuple[str | None, str, str]]
"""Who, in which class, with which value."""


def opened(visits: Visits, subject: bool = True) -> Table:
    who, cell, ill = (list(part) for part in zip(*visits, strict=True))
    frame = pa.table({"who": pa.array(who, pa.string()), "cell": cell, "ill": pa.array(ill, pa.string())})
    roles: dict[str, Any] = {"subject": "who"} if subject else {"drop": ["who"]}
    return Table.of(frame, quasi=["cell"], sensitive=["ill"], **roles)


FIVE_ALIKE: Visits = [(f"person {i}", "a", "1") for i in range(5)]
ONE_WITH_MANY: Visits = [("another", "a", str(100 * i)) for i in range(2, 22)]
OTHERS: Visits = [(f"other {i}", "b", str(100 * i if i else 1)) for i in range(22) if i != 1]


@pytest.mark.parametrize(
    ("criterion", "value"),
    [
        (EntropyLDiversity(10), pytest.approx(2.585, abs=1e-3)),  # e^H of 5/6 and twenty times 1/120
        (RecursiveLDiversity(1, 3), F(5) / F(19, 20)),
        (EpsilonMAnonymity(1, 4), F(5, 6)),
        (TCloseness("4/5"), F(5, 6) - F(6, 27)),
    ],
    ids=lambda one: getattr(one, "name", ""),
)
def test_one_person_with_many_values_hides_nothing(criterion: Any, value: Any) -> None:
    visits = FIVE_ALIKE + ONE_WITH_MANY + (OTHERS if criterion.name == "t-closeness" else [])
    found = criterion.check(opened(visits))
    assert found.value == value
    assert found.ok is (criterion.name == "t-closeness")


def test_shares_are_of_persons_and_of_records() -> None:
    """One of four persons has flu, but eight of eleven records say so."""
    visits: Visits = [("a", "x", "flu")] * 8 + [(who, "x", "gout") for who in "bcd"]
    found = AlphaKAnonymity("1/2", 2, values=("flu",)).check(opened(visits))
    assert (found.value, found.ok) == (F(8, 11), False)
    by_record = AlphaKAnonymity("3/4", 2, values=("gout",)).check(opened(visits))
    assert (by_record.value, by_record.ok) == (F(3, 4), True)


@pytest.mark.parametrize("subject", [True, False])
def test_a_value_that_everybody_has_gains_nothing(subject: bool) -> None:
    """Enhanced β-likeness of a constant column: nothing is gained, and that is a number."""
    visits: Visits = [("a", "x", "flu"), ("a", "x", "flu"), ("b", "y", "flu")]
    found = BetaLikeness(1, enhanced=True).check(opened(visits, subject))
    assert (found.value, found.ok) == (0.0, True)


def test_persons_are_held_against_persons() -> None:
    """In the whole table every second person has flu, in the class, too; but most records are of one person."""
    visits: Visits = [("a", "x", "flu"), ("b", "x", "gout"), ("c", "y", "flu")] + [("d", "y", "gout")] * 9
    table = opened(visits)
    assert TCloseness(0, unit="record").check(table).value == F(5, 6) - F(1, 2)
    assert TCloseness("1/3").check(table).ok is True
    counts = {"flu": 2, "gout": 10}
    alone = TCloseness("1/3", column="ill", counts=counts).check(table)
    assert "a reference that counts records" in alone.note
    beside = TCloseness("1/3", column="ill", counts=counts, person_counts={"flu": "1/1", "gout": 1}).check(table)
    assert (beside.ok, beside.note) == (True, "")
    frame = pa.table({"ill": [ill for _, _, ill in visits], "patient": [who for who, _, _ in visits]})
    filed = TCloseness("1/3", column="ill", reference=frame, subject="patient").check(table)
    assert (filed.value, filed.ok) == (F(1, 3), True)
    assert DeltaDisclosure(2, column="ill", reference=frame, subject="patient").check(table).ok is True


def test_records_without_a_person_may_all_be_of_one() -> None:
    """Twenty unnamed records with rare values would hide as well as one person with twenty."""
    visits: Visits = FIVE_ALIKE + [(None, cell, ill) for _, cell, ill in ONE_WITH_MANY]
    assert RecursiveLDiversity(1, 3).check(opened(visits)).value == F(100, 19)


def test_a_person_counts_in_parts_however_many_records_others_have() -> None:
    """Numbers of records without a common divisor: whole numbers of 64 bits are too short, and still a tie is a tie."""
    owned = [1, 7, 11, 13, 17, 19, 23, 29, 31, 37]
    visits: Visits = [(f"p{i}", "x", ill) for i, n in enumerate(owned) for ill in ["flu"] * n + ["gout"] * n]
    table = opened(visits)
    assert EntropyLDiversity(2).check(table).ok is True
    assert EntropyLDiversity("2.0001").check(table).ok is False
    assert RecursiveLDiversity("1.0001", 2).check(table).ok is True
    assert RecursiveLDiversity(1, 2).check(table).ok is False  # strictly less
    assert TCloseness(0).check(table).value == 0


@pytest.mark.parametrize("criterion", [LDiversity(3), EntropyLDiversity(2), TCloseness(1), EpsilonMAnonymity(1, 1)])
def test_the_largest_share_of_persons_with_one_value_is_told(criterion: Any) -> None:
    found = criterion.check(opened(FIVE_ALIKE + ONE_WITH_MANY))
    assert found.details.person_share == F(5, 6)


def test_distinct_values_say_nothing_of_how_frequent_they_are() -> None:
    found = LDiversity(21).check(opened(FIVE_ALIKE + ONE_WITH_MANY))
    assert found.ok is True
    assert "share of a class's persons" in found.note
    alone: Visits = [(str(i), "a", ill) for i, ill in enumerate(["flu", "flu", "gout"])]
    assert LDiversity(2).check(opened(alone)).note == "up to 66.7 % of a class have one value"
