"""One line of imports is enough to write an algorithm, and it gives nothing of its own."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import ClassVar

import pytest

from sharewell import algorithm
from sharewell.algorithm import Count, Criterion, Declared, Finding, Sense

HOMES = ("attack_simulation", "errors", "findings", "keys", "output_check", "parameters", "protocols", "roles")


@dataclass(frozen=True)
class AtLeast(Declared, Criterion[list[int]]):
    """No number of a list is below a bound."""

    least: Count

    sense: ClassVar[Sense] = "≥"
    bounded_by: ClassVar[str] = "least"

    def check(self, data: list[int]) -> Finding:
        return self.finding(min(data))


@pytest.mark.parametrize(("numbers", "ok"), [([3, 2], True), ([3, 1], False)])
def test_a_criterion_is_written_with_one_import(numbers: list[int], ok: bool) -> None:
    assert AtLeast(2).check(numbers).ok is ok


def test_a_declared_parameter_is_checked() -> None:
    with pytest.raises(ValueError, match="least — must be at least 1"):
        AtLeast(0)


def test_every_name_is_that_of_another_module() -> None:
    homes = [importlib.import_module(f"sharewell.{home}") for home in HOMES]
    for name in algorithm.__all__:
        assert any(getattr(home, name, None) is getattr(algorithm, name) for home in homes), name
