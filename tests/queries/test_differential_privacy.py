"""The judge of noisy tables: arithmetic anew, from what the dictionary says."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from sharewell.findings import Finding
from sharewell.queries import DifferentialPrivacy, NoisyTable
from sharewell.queries.data import LedgerEntry


def noisy(**more: object) -> NoisyTable:
    term = {"noise": "discrete-laplace", "scale": 6.0, "sensitivity": 3.0, "epsilon": 0.5, "rho": None, "times": 1}
    spent = {"epsilon": 0.5, "rho": None, "rows_per_person": 3, "neighbours": "add-remove", "terms": [term]}
    entry = more.pop("entry", None)
    term |= {key: value for key, value in more.items() if key in term}
    spent |= {key: value for key, value in more.items() if key not in term or key in ("epsilon", "rho")}
    keys = {"sex": ["F"], "ward": ["A"]}
    if spent.pop("marginals_shown", 1) == 2:
        keys = {"sex": ["F", "*"], "ward": ["*", "A"]}
    return NoisyTable(keys, np.ones(len(keys["sex"])), spent, entry)  # type: ignore[arg-type]


def test_the_loss_is_computed_anew() -> None:
    assert DifferentialPrivacy(0.5).check(noisy()).value == 0.5
    assert DifferentialPrivacy(1.0).check(noisy(times=2, epsilon=1.0)).value == 1


@pytest.mark.parametrize(
    "lie",
    [
        {"scale": 3.0},
        {"sensitivity": 6.0},
        {"times": 2},
        {"sensitivity": 1.0},
        {"noise": "none"},
        {"noise": "rounding"},
        {"scale": 0.0},
        {"scale": -6.0},
        {"scale": math.inf},
        {"scale": math.nan},
        {"scale": "6"},
        {"times": 0},
        {"terms": []},
        {"terms": None},
        {"rows_per_person": None},
        {"rows_per_person": 0, "sensitivity": 0.0},
        {"rows_per_person": 0.5, "sensitivity": 0.5},
        {"rows_per_person": -3, "sensitivity": -3.0},
        {"rows_per_person": True, "sensitivity": 1.0},
        {"neighbours": "change-one"},
        {"neighbours": "rows"},
        {"neighbours": None},
        {"mechanism": "noisy-marginals", "marginals_shown": 2},
        {"delta": 0.5},
        {"times": True},
        {"times": 1.5},
        {"scale": "1e999999999"},
        {"scale": "6" + "0" * 40},
        {"noise": "permute-and-flip"},
        {"noise": "mst", "mechanism": "noisy-marginals"},
    ],
)
def test_what_contradicts_itself_is_not_decided(lie: dict[str, object]) -> None:
    finding = DifferentialPrivacy(0.5).check(noisy(**lie))
    assert finding.failed or finding.value == 0.5  # a number that is written as text is the number
    assert finding.failed or lie == {"scale": "6"}


def test_gaussian_noise_is_judged_at_its_delta() -> None:
    table = noisy(noise="discrete-gaussian", rho=0.125, epsilon=None)
    assert DifferentialPrivacy(5.0).check(table).failed
    found = DifferentialPrivacy(5.0, 1e-6).check(table)
    assert float(found.value or 0) == pytest.approx(0.125 + 2 * math.sqrt(0.125 * math.log(1e6)))
    assert found.ok
    assert DifferentialPrivacy(2.0, 1e-6).check(table).failed


def test_a_choice_costs_what_is_stated_and_no_less_than_its_noise() -> None:
    synthesis = noisy(noise="mst", scale=6.0, epsilon=1.0)
    assert DifferentialPrivacy(1.0).check(synthesis).value == 1
    assert DifferentialPrivacy(1.0).check(noisy(noise="mst", epsilon=0.1)).failed
    assert with_choice(epsilon=0.25, total=0.75).value == 0.75
    assert with_choice(epsilon=0.1, total=0.75).value == Fraction(2, 3)
    assert with_choice(epsilon=0.25, total=0.5).failed


@pytest.mark.parametrize("lie", [{"sensitivity": -1.0, "epsilon": -0.4}, {"sensitivity": 0.0, "epsilon": 0.0}])
def test_a_choice_takes_nothing_off(lie: dict[str, float]) -> None:
    assert with_choice(**lie, total=0.5).failed


def with_choice(total: float, **more: float) -> Finding:
    """Noise on counts with ε = 0.5, and a choice."""
    counts = noisy()
    choice = {"noise": "permute-and-flip", "scale": 6.0, "sensitivity": 1.0, "rho": None, "times": 1, **more}
    spent = {**counts.spent, "epsilon": total, "terms": [*counts.spent["terms"], choice]}
    return DifferentialPrivacy(1.0).check(NoisyTable(counts.keys, counts.counts, spent))


def test_the_charge_is_for_this_table_and_enough() -> None:
    def entry(published: str, epsilon: str | None = "0.5") -> LedgerEntry:
        return LedgerEntry(1, epsilon, None, published)

    digest = noisy().digest
    assert DifferentialPrivacy(0.5).check(noisy(entry=entry(digest))).ok
    assert DifferentialPrivacy(0.5).check(noisy(entry=entry("0" * 64))).failed
    assert DifferentialPrivacy(0.5).check(noisy(entry=entry(digest, "0.4"))).failed
    assert DifferentialPrivacy(0.5).check(noisy(entry=entry(digest, None))).failed
