"""What the protocols of the rooms add to an algorithm."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import pytest

from sharewell import registry
from sharewell.findings import Finding, Sense
from sharewell.protocols import Criterion


@dataclass(frozen=True)
class AtLeast(Criterion[int]):
    k: int

    name: ClassVar[str] = "at-least"
    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "k"

    def check(self, data: int) -> Finding:
        return self.finding(data or None, unit="records", note="looked at")


@dataclass(frozen=True)
class AtMost(AtLeast):
    sense: ClassVar[Sense] = "≤"


@dataclass(frozen=True)
class WithField(Criterion[int]):
    """A field may be called `bound`: it must have no default of its own."""

    bound: int

    sense: ClassVar[Sense] = "≤"

    def check(self, data: int) -> Finding:
        return self.finding(data)


@pytest.mark.parametrize(
    ("criterion", "data", "ok"),
    [
        (AtLeast(5), 5, True),
        (AtLeast(5), 4, False),
        (AtLeast(5), 0, None),
        (AtMost(5), 5, True),
        (AtMost(5), 6, False),
        (WithField(3), 3, True),
        (WithField(3), 4, False),
    ],
)
def test_a_finding_is_held_against_the_bound_that_is_named(
    criterion: Criterion[int], data: int, ok: bool | None
) -> None:
    assert criterion.check(data).ok is ok


def test_a_finding_says_what_it_was_held_against() -> None:
    result = AtLeast(5).check(7)
    assert (result.name, result.value, result.bound, result.sense) == ("at-least", 7, 5, "≥")
    assert (result.unit, result.note) == ("records", "looked at")


def test_a_field_called_bound_has_to_be_given() -> None:
    with pytest.raises(TypeError):
        WithField()  # type: ignore[call-arg]


def test_a_registered_criterion_is_bounded_by_a_parameter_of_its_own() -> None:
    criteria = [entry.load() for entry in registry.entries() if entry.room == "criteria"]
    bounded = [one for one in criteria if one.bounded_by]
    assert len(bounded) > 40
    assert [one.name for one in bounded if one.bounded_by not in one.__dataclass_fields__] == []


def test_bounds_stay_exact() -> None:
    share = registry.lookup("tables", "criteria", "record-share")("1/3")
    assert share.bound == Fraction(1, 3)
