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
    PersonalisedPrivacy,
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
