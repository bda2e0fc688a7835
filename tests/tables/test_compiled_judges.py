"""Which criteria the compiled judge takes over, and which are left to themselves."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from sharewell.tables import (
    BetaLikeness,
    DeltaDisclosure,
    EntropyLDiversity,
    KAnonymity,
    LDiversity,
    RangeDiversity,
    RecursiveLDiversity,
    Table,
)
from sharewell.tables.engine.protection.lattice.compiled_judges import column_judges

ROWS = pa.table({"who": [*"aab"], "age": [*"xyy"], "illness": [*"123"], "place": [*"123"]})
TABLE = Table.of(ROWS, quasi=["age"], sensitive=["illness", "place"], drop=["who"])
PERSONS = Table.of(ROWS, quasi=["age"], sensitive=["illness", "place"], subject="who")


@pytest.mark.parametrize(
    ("criterion", "judges"),
    [
        (KAnonymity(2), 1),
        (LDiversity(2), 2),
        (EntropyLDiversity(2), 2),
        (BetaLikeness(1, column="place"), 1),
        (DeltaDisclosure(2), 2),
    ],
)
def test_there_is_a_judge_for_each_column(criterion: Any, judges: int) -> None:
    built = column_judges(criterion, TABLE)
    assert built is not None
    assert len(built) == judges


@pytest.mark.parametrize(
    "criterion",
    [
        RangeDiversity(1),
        DeltaDisclosure("1/2"),
        RecursiveLDiversity(2**62, 2),
    ],
)
def test_what_has_no_judge_or_does_not_fit_is_left_to_the_criterion(criterion: Any) -> None:
    assert column_judges(criterion, TABLE) is None


def test_persons_with_several_records_are_left_to_the_criterion() -> None:
    assert column_judges(LDiversity(2), PERSONS) is None
