"""The benchmark of false answers: no answer is falsely safe, and one that were would be counted."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from benchmarks.house import Result
from benchmarks.truth import KINDS, Kind, judged, tally
from benchmarks.truth.count_tables import CountTableCase, CountTableCases
from benchmarks.truth.enumeration import ENDLESS, agreeing, inside
from benchmarks.truth.registers import RegisterCase, RegisterCases
from benchmarks.truth.sensitive import DEFINITIONS, SensitiveCase, SensitiveCases, Visit
from benchmarks.truth.snps import SNPCases
from benchmarks.truth.sums import SumsCase, SumsCases, needed
from benchmarks.truth.tables_together import RecordsCases, TogetherCase
from benchmarks.truth.tally import Answer


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_answer_is_falsely_safe(kind: type[Kind]) -> None:
    found = kind().tally(20, 3)
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


def test_the_oracle_of_rounded_counts_leaves_out_small_ones() -> None:
    """1 + 2 = 3, shown as ? + 0 = 0: of multiples of 7 a 0 is 0, 2 or 3. Who is among the 2 computes the 1."""
    published: Any = [(("*",), 0), (("v0",), None), (("v1",), 0)]
    kind = CountTableCases()
    assert not kind.is_safe(CountTableCase((2,), (1, 2), 2, "nearest", base=7), published)
    assert kind.is_safe(CountTableCase((2,), (1, 2), 2, "nearest", base=7, insiders=False), published)


def test_cases_are_the_same_for_the_same_seed() -> None:
    for kind in KINDS:
        one, other = (repr(kind().draw(np.random.default_rng(5))) for _ in range(2))
        assert one == other


def test_the_oracle_of_sums_knows_its_contributors() -> None:
    """5 + 4 and 4, both hidden, with their total: all readers are in doubt, unless they are only two."""
    gifts = ((0, 0, 5), (0, 1, 4), (1, 2, 4))
    kind, rule = SumsCases(), (("threshold", 2),)
    published: Any = [(("*",), 13), (("v0",), None), (("v1",), None)]
    strangers = SumsCase((2,), gifts, rule, False, (1.0,))
    assert needed(strangers, {1}) == 1
    assert needed(strangers, {0}) is None
    assert kind.is_safe(strangers, published)
    assert kind.is_safe(SumsCase((2,), gifts, rule, True, (1.0,)), published)
    assert not kind.is_safe(strangers, [(("*",), 13), (("v0",), 9), (("v1",), None)])
    alone = SumsCase((2,), ((0, 0, 5), (1, 2, 4)), rule, True, (1.0,))  # each computes the other's from the total
    assert not kind.is_safe(alone, [(("*",), 9), (("v0",), None), (("v1",), None)])


def test_the_oracle_of_records_counts_them() -> None:
    """Hidden 1 and 3, and the total: records that show their values disclose them if none was withheld."""
    people = (("0", "0", "0"), *[("1", "0", "0")] * 3)
    published: Any = [[((("a", "*"),), None), ((("a", "0"),), None), ((("a", "1"),), 3)]]
    kind = RecordsCases()

    def safe(records: Any, known: bool) -> bool:
        case = TogetherCase(people, 1, (("a",),), 2, (False,), ((),), records=records, records_known=known)
        return kind.is_safe(case, published)

    assert safe(people, known=False)
    assert not safe(people, known=True)
    assert safe((("*", "0", "0"),), known=False)


def test_tables_that_agree_are_all_met() -> None:
    """Against the plain product of all numbers."""
    under = inside((2, 2), tuple((a, b) for a in ("*", "v0", "v1") for b in ("*", "v0", "v1")))
    values = under @ np.array([1, 2, 0, 3])
    low, high = np.where(under.sum(axis=1) > 1, values, 0), np.where(under.sum(axis=1) > 1, values, ENDLESS)
    plain = [table for table in product(range(7), repeat=4) if (under @ np.array(table) >= low).all()]
    plain = [table for table in plain if (under @ np.array(table) <= high).all()]
    assert sorted(map(tuple, agreeing(under, low, high, 9).tolist())) == sorted(plain)
    assert len(plain) == 2


def test_parts_of_a_run_add_up_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tally, "CHUNK", 16)
    parts = list(tally.tallied(SensitiveCases, 40, 3, protected=True, workers=1))
    assert [part.cases for part in parts] == [16, 16, 8]
    monkeypatch.setattr(tally, "WORKERS", 1)
    whole = tally.Tally("")
    for part in parts:
        whole.merge(part)
    again = SensitiveCases().tally(40, 3)
    assert (whole.said_safe, whole.truly_safe, whole.over_cautious) == (
        again.said_safe,
        again.truly_safe,
        again.over_cautious,
    )
    assert again.truly_safe == again.said_safe - again.false_safe + again.over_cautious


def test_power_beyond_the_bound_is_false_for_all_of_its_pools() -> None:
    found = tally.Tally("", cases=50, said_safe=50, truly_safe=50, means={("lot", 0.5): (30.0, 18.0, 50, 2000)})
    SNPCases().finish(found)
    assert (found.false_safe, found.truly_safe) == (50, 0)
    fine = tally.Tally("", cases=50, means={("lot", 0.5): (25.0, 12.5, 50, 2000)})
    SNPCases().finish(fine)
    assert not fine.false_safe
