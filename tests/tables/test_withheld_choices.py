"""Whom a search may withhold: nobody whom another criterion wants present, and as many as the share says."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.findings import Finding
from sharewell.tables import (
    DeltaDisclosure,
    DeltaPresence,
    EpsilonMAnonymity,
    KAnonymity,
    MarketerRisk,
    OptimalRecoding,
    SampleUniqueness,
    Table,
)

NUMBERS = [1, 10, 20, 30, 5, 5, 5, 6]


@pytest.mark.parametrize(
    "criterion", [MarketerRisk("1/3"), SampleUniqueness("1/9"), EpsilonMAnonymity(1, 2), DeltaDisclosure(0.5)]
)
def test_a_least_presence_holds_beside_criteria_that_withhold_classes(criterion: object) -> None:
    """People of the population whose class is withheld fit no published class: their presence is 0."""
    values = ["a"] * 4 + ["b"] * 4
    table = Table.of(pa.table({"q": values, "n": NUMBERS}), quasi=["q"], sensitive=["n"])
    people = pa.table({"q": values + ["a"] * 4 + ["b"] * 4})
    must = [DeltaPresence(people, "2/3", min="1/20", unit="record"), criterion]
    released = OptimalRecoding(suppress=1).protect(table, must=must)  # type: ignore[arg-type]
    findings: list[Finding] = [one.check(released.data) for one in must]  # type: ignore[attr-defined]
    assert [found.ok for found in findings] == [True, True]


def test_the_smallest_case_of_a_least_presence() -> None:
    values = ["a"] * 4 + ["b"]
    table = Table.of(pa.table({"q": values}), quasi=["q"])
    presence = DeltaPresence(pa.table({"q": values + ["a"] * 4 + ["b"] * 4}), "2/3", min="1/20")  # type: ignore[arg-type]
    released = OptimalRecoding(suppress=1).protect(table, must=[presence, MarketerRisk("1/3")])  # type: ignore[arg-type]
    assert presence.check(released.data).ok
    assert released.details.suppressed == 0


def test_an_average_against_a_population_is_not_called_proven() -> None:
    """Withholding one record of b would do, and the riskiest class is a."""
    table = Table.of(pa.table({"q": ["a"] * 10 + ["b"] + ["c"] * 20}), quasi=["q"])
    people = pa.table({"q": ["a"] * 20 + ["b"] * 21 + ["c"] * 1000})
    released = OptimalRecoding(suppress=0.5).protect(table, must=[MarketerRisk("18/1000", population=people)])  # type: ignore[arg-type]
    assert not released.details.proven


def test_a_share_is_what_its_decimals_say() -> None:
    """29 of 100 are 29 %, although 0.29 · 100 is less in binary."""
    values = [f"u{i}" for i in range(29)] + ["same"] * 71
    released = OptimalRecoding(suppress=0.29).protect(Table.of(pa.table({"q": values}), quasi=["q"]), [KAnonymity(2)])
    assert released.details.suppressed == 29
