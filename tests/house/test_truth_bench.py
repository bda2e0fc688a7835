"""The benchmark of false answers: no answer is falsely safe, and one that were would be counted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from benchmarks.house import Result
from benchmarks.truth import KINDS, Kind, judged
from benchmarks.truth.count_tables import CountTableCase, CountTableCases
from benchmarks.truth.registers import RegisterCase, RegisterCases
from benchmarks.truth.sensitive import DEFINITIONS, SensitiveCase, SensitiveCases, Visit
from benchmarks.truth.tally import Answer

FEW = {"draws of two releases under one key": 20}
"""Kinds of which a case takes longer."""


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_answer_is_falsely_safe(kind: type[Kind]) -> None:
    found = kind().tally(FEW.get(kind.name, 40), 3)
    assert found.false_safe == 0, found.examples
    assert found.said_safe > 0
    assert found.truly_safe >= found.said_safe
    assert found.said_safe + found.refused + found.undecided == found.cases


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_whoever_protects_nothing_is_contradicted(kind: type[Kind]) -> None:
    assert kind().tally(20, 3, protected=False).false_safe > 0


class Credulous(SensitiveCases):
    """Says that everything is safe."""

    def answer(self, case: Any) -> Answer:
        return Answer(True)


def test_a_false_answer_misses_the_bar_and_is_shown() -> None:
    results = list(judged(Credulous(), 20, 3))
    assert not results[0].reached
    assert results[0].value
    assert any("SensitiveCase" in one.name for one in results)
    assert [one.reached for one in results[1:]].count(False) == 0
    assert isinstance(results[0], Result)


def test_criteria_that_look_at_records_alone_are_contradicted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five people with one value and a sixth with five others: ten records, and hardly a doubt about a person."""
    built, *rest = DEFINITIONS["entropy l-diversity"]
    monkeypatch.setitem(DEFINITIONS, "entropy l-diversity", (lambda least: built(least, unit="record"), *rest))
    visits = tuple(Visit(f"p{i}", "c", "0") for i in range(5)) + tuple(
        Visit("q", "c", str(i)) for i in range(10, 60, 10)
    )
    case, kind = SensitiveCase("entropy l-diversity", (Fraction(5, 2),), visits), SensitiveCases()
    answer = kind.answer(case)
    assert answer.safe
    assert not kind.is_safe(case, answer.published)


def test_a_register_that_counts_rows_is_contradicted() -> None:
    listed = tuple(("p0", "20", "021") for _ in range(4))
    kind = RegisterCases()
    for question in ("k-map", "δ-presence", "journalist risk", "linkage"):
        case = RegisterCase(question, Fraction(1, 2), Fraction(0), listed, listed[:1])
        assert not kind.is_safe(case, None)
        assert kind.answer(case).safe is False


def test_the_oracle_of_count_tables_reads_marks() -> None:
    """3 + 1 = 4: empty cells leave 1 to 3 open; marks say that the one is small and the other is not."""
    case = CountTableCase((2,), (3, 1), 3, "negative", ())
    kind = CountTableCases()
    blank: Any = [(("*",), 4), (("v0",), None), (("v1",), None)]
    marked: Any = [(("*",), 4), (("v0",), None), (("v1",), -3)]
    assert kind.is_safe(CountTableCase((2,), (3, 1), 3, "blank", ()), blank)
    assert not kind.is_safe(case, marked)
    assert not kind.is_safe(case, [(("*",), 4), (("v0",), 3), (("v1",), None)])


def test_cases_are_the_same_for_the_same_seed() -> None:
    for kind in KINDS:
        one, other = (repr(kind().draw(np.random.default_rng(5))) for _ in range(2))
        assert one == other
