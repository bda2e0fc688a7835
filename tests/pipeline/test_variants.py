"""Which variants a comparison tries: numbers around those of the policy, and mechanisms that go with them."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from sharewell.genomes import DNALA, KIdentical, SafeNumber
from sharewell.parameters import values_of
from sharewell.pipeline.compare import Comparison, compare_policy
from sharewell.pipeline.variants import _around, _stricter_and_weaker, matched
from sharewell.policy import check, load
from sharewell.policy.bounds import bounding
from sharewell.queries import DifferentialPrivacy, NoisyMarginals
from sharewell.reports import CellProtection, LocalPrivacy, Width
from sharewell.tables import KAnonymity, TCloseness

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_numbers_around_a_value_are_of_its_type() -> None:
    assert _around(11) == [2, 5, 11, 20]
    assert _around(0.3) == [0.1, 0.25, 0.3, 0.5, 0.75]
    assert _around(1.0) == [0.25, 0.5, 1.0, 2.0, 4.0]
    assert _around(Fraction(1, 2)) == [Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)]


def test_the_number_that_bounds_a_criterion() -> None:
    found = [bounding(one) for one in (KAnonymity(5), TCloseness(t=0.3), CellProtection(threshold=11), Width(least=3))]
    assert found == ["k", "t", "threshold", "least"]
    assert bounding(LocalPrivacy(0.1)) == "epsilon"


def test_criteria_that_share_a_number_vary_together() -> None:
    lists = _stricter_and_weaker([SafeNumber(0.75), SafeNumber(0.75, copies=0)])
    assert [[values_of(one)["max_power"] for one in must] for must in lists] == [
        [power, power] for power in (0.1, 0.25, 0.5, 0.75)
    ]


def test_a_mechanism_goes_with_its_criterion() -> None:
    assert matched(NoisyMarginals(epsilon=1.0), [DifferentialPrivacy(1.0)], [DifferentialPrivacy(2.0)]).epsilon == 2.0
    assert matched(DNALA(k=4), [KIdentical(3)], [KIdentical(5)]) == DNALA(k=4)


SHIPPED = {
    "genomes": {
        "useful-snps": ("likelihood-ratio", "snps-kept"),
        "common-alleles": ("likelihood-ratio", "snps-kept"),
        "noisy": ("likelihood-ratio", "frequency-error"),
        "beacon": ("beacon", "true-answers"),
        "identical": ("sequence-linkage", "bases-kept"),
        "bins": ("sequence-linkage", "bases-kept"),
    },
    "reports": {"rates": ("snooper", "report-loss")},
    "reports-answers": {"sexes": ("answer-guess", "estimate-error")},
    "reports-table": {
        "patients-by-ward": ("table-interval.best_guess", "table-error"),
        "costs": ("table-interval.best_guess", "table-error"),
    },
    "joint": {"patients": ("rt-linkage", "ncp"), "codes-alone": ("code-linkage", "ncp")},
    "queries": {"visits": ("membership.bound", "query-error")},
    "plausible": dict.fromkeys(
        ("plausible", "expected", "concepts", "safe", "medications"), ("note-linkage", "clinical-terms-kept")
    ),
    "register": {"patients": ("prosecutor", "ncp")},
    "limited-data-set": {"admissions": ("prosecutor", "ncp")},
    "randomised": dict.fromkeys(("diagnoses", "grouped", "measured"), ("prosecutor", "marginals")),
}
"""Example → dataset → the axes of its map."""


@pytest.mark.parametrize("example", SHIPPED)
def test_every_kind_of_data_is_compared(example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHAREWELL_KEY", "a secret of the tests, long enough")
    found = compare_policy(check(EXAMPLES / example / "policy.yaml"))
    assert {name: (one.risk, one.measure) for name, one in found.items()} == SHIPPED[example]
    for one in found.values():
        assert one.drawn, [point.why_not for point in one.points]
        assert any(point.current for point in one.points), "the policy's own variant is among them"
        assert one.risk_words
        assert one.measure_words
        _legible(one)


def _legible(found: Comparison) -> None:
    drawn = found.svg()
    assert ("larger is safer" in drawn) is found.larger_is_safer is (found.risk == "snooper")
    assert found.picks_record or "customary" not in drawn
    assert "the policy" in drawn
    assert found.risk_words.partition("'")[0][:20] in drawn
    assert len({point.label for point in found.drawn}) > 1 or len(found.drawn) == 1


def test_codes_in_pieces_are_compared_by_what_goes_together() -> None:
    policy = check(EXAMPLES / "codes" / "policy.yaml")
    alone = replace(policy, datasets={"pieces-of-records": policy.datasets["pieces-of-records"]})
    found = compare_policy(alone)["pieces-of-records"]
    assert (found.risk, found.measure, found.risk_before) == ("chunk-linking.average", "co-occurrence", None)
    assert len(found.drawn) > 1


def test_a_policy_without_a_k_is_compared_as_it_is_too() -> None:
    policy = load(EXAMPLES / "limited-data-set" / "policy.yaml")
    [point] = [one for one in compare_policy(policy)["admissions"].points if one.current]
    assert not point.why_not
    assert point.label == "nothing added"
