"""Beacon power: the criterion is the attack, carried out, at its upper limit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.errors import DataError, PolicyError
from sharewell.genomes import Beacon, BeaconAnswers, BeaconPower, BeaconRelease, Frequencies, Genotypes
from sharewell.testing import check_finding


def people(snps: int = 3_000) -> tuple[Genotypes, Genotypes]:
    """Thirty in the beacon, sixty outside, mostly rare alleles."""
    draw = np.random.default_rng(4)
    frequency = np.exp(draw.uniform(np.log(0.002), np.log(0.3), snps))
    whole = Genotypes.of(draw.binomial(2, frequency, (90, snps)))
    return whole.take(persons=slice(0, 30)), whole.take(persons=slice(30, None))


def criterion(max_power: float = 0.5, **more: Any) -> BeaconPower:
    pool, others = people()
    return BeaconPower(max_power, pool=pool, reference=others, **{"queries": (5, 50), **more})


def test_the_limit_is_never_below_what_the_attack_reaches() -> None:
    pool, others = people()
    for released in (BeaconAnswers.of(pool), BeaconRelease(carriers=2).protect(pool, []).data):
        judged = criterion().check(released)
        attack = Beacon(others, pool, queries=(5, 50), nulls="reference")
        reached = attack.mount(released, truth=pool.persons).value
        assert judged.value >= reached - 1e-9
        assert max(one.upper for one in judged.details.at) == judged.value


def test_a_true_beacon_fails_and_one_that_denies_rare_alleles_holds() -> None:
    pool, _ = people()
    assert criterion().check(BeaconAnswers.of(pool)).failed
    assert criterion().check(BeaconRelease(carriers=30).protect(pool, [criterion()]).data).ok


def test_a_finding_holds_no_name() -> None:
    pool, _ = people()
    check_finding(criterion().check(BeaconAnswers.of(pool)), pa.table({"who": list(pool.persons)}))


def test_odd_input_is_told() -> None:
    pool, others = people(50)
    true = BeaconAnswers.of(pool)
    ours = {"pool": pool, "reference": others}
    with pytest.raises(PolicyError, match="answers of a beacon"):
        BeaconPower(0.5, **ours).check(Frequencies.of(pool))
    with pytest.raises(DataError, match="answers for 30"):
        BeaconPower(0.5, pool=pool.take(persons=slice(0, 9)), reference=others).check(true)
    few = BeaconPower(0.5, pool=pool, reference=others.take(snps=slice(0, 20))).check(true)
    assert few.failed
    assert "lack 30" in few.note
    assert BeaconPower(0.5, **ours).check(true.take(slice(0, 0))).failed
    for bad in ({"fpr": 0.0}, {"fpr": 0.6}, {"queries": ()}, {"error": 0.0}, {"confidence": 0.3}, {"folds": 1}):
        with pytest.raises(ValueError, match=r"\w"):
            BeaconPower(0.5, **{**ours, **bad})
    with pytest.raises(ValueError, match="pool and reference"):
        BeaconPower(0.5)
