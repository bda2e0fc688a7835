"""Synthetic tables. Fits need the extra `synthetic`, and are left out where it is not installed."""

from __future__ import annotations

import itertools
import math
import shutil
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from tiny_tables import bins, confidential

import sharewell
from sharewell import mechanism_traits
from sharewell.errors import Infeasible, MissingExtra, PolicyError
from sharewell.extras import is_installed
from sharewell.opendp_noise import LEAST, MOST, Price, opendp
from sharewell.policy import load
from sharewell.queries.criteria.differential_privacy import DifferentialPrivacy
from sharewell.queries.data import ConfidentialTable, NoisyTable, Range, Values
from sharewell.queries.mechanisms.noisy_marginals import NoisyMarginals
from sharewell.queries.mechanisms.synthetic_table import SyntheticTable, _measured, ending_in_time, records
from sharewell.queries.utility.marginal_error import MarginalError

EXAMPLES = Path(__file__).parents[2] / "examples"


def correlated(rows: int = 3000) -> ConfidentialTable:
    """Two columns that are nearly equal, and one that has nothing to do with them."""
    draw = np.random.default_rng(1)
    a = draw.integers(0, 4, rows)
    b = np.where(draw.random(rows) < 0.9, a, draw.integers(0, 4, rows))
    return confidential(list(zip(a.tolist(), b.tolist(), (a * 0 + 1).tolist(), strict=True)), bins(a=4, b=4, c=2))


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("method", ["mst", "aim"])
@pytest.mark.parametrize("budget", [{"epsilon": 2.0}, {"rho": 0.2}])
def test_records_keep_what_goes_together(budget: dict[str, float], method: Literal["mst", "aim"]) -> None:
    pytest.importorskip("mbi")
    steps: list[int] = []
    before = correlated()
    object.__setattr__(before, "report_progress", steps.append)
    released = SyntheticTable(**budget, method=method).protect(before, must=[])
    details, unit = released.details, next(iter(budget))
    assert getattr(details, unit) == pytest.approx(budget[unit])
    assert getattr(details, unit) <= budget[unit]
    assert details.method == method
    assert ["a", "b"] in released.data.spent["marginals"]
    assert records(released.data).num_rows == details.records == pytest.approx(3000, abs=300)
    assert MarginalError().score(before, released.data).value < 0.1
    assert 0 < sum(steps) < 3000
    finding = DifferentialPrivacy(epsilon=10.0, delta=1e-6).check(released.data)
    assert finding.ok
    assert not released.reproducible


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("method", ["mst", "aim"])
def test_noise_grows_with_the_rows_of_a_person(method: Literal["mst", "aim"]) -> None:
    """Three rows of each person, one person for another: tables differ in six rows, and noise is six times as wide."""
    pytest.importorskip("mbi")
    rows = [(i % 2, i % 2) for i in range(400)]
    alone = SyntheticTable(epsilon=3.0, method=method).protect(confidential(rows, bins(a=2, b=2)), [])
    table = confidential(rows, bins(a=2, b=2), rows_per_person=3, neighbours="change-one")
    many = SyntheticTable(epsilon=3.0, method=method).protect(table, [])
    assert many.details.scale == pytest.approx(6 * alone.details.scale)
    assert (many.details.sensitivity, alone.details.sensitivity) == (6, 1)
    assert 2.9 < many.details.epsilon <= 3.0
    assert DifferentialPrivacy(epsilon=3.0).check(many.data).ok


@pytest.mark.parametrize("amount", [LEAST, 0.1, 1.0, math.pi, MOST])
def test_any_number_of_columns_shares_a_budget(amount: float) -> None:
    """opendp rounds up what it adds up, and refuses many equal parts of a budget that it has itself divided."""
    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="i64")), dp.linf_distance(T="i64")
    for columns in (2, 5, 8, 9, 10, 17, 20, 25):
        share = _measured(Price("pure", amount), columns)
        assert 0.6 < share < 0.95
        pairs = before_twice(amount - amount * 0.5)
        rest = before_twice(pairs - pairs * share)
        parts = [math.nextafter(rest / (columns - 1), 0)] * (columns - 1)
        assert dp.c.make_adaptive_composition(*space, dp.max_divergence(), d_in=1, d_mids=parts).map(1) <= rest


def before_twice(number: float) -> float:
    return math.nextafter(math.nextafter(number, 0), 0)


def test_aim_ends_where_no_scale_fits_what_is_left() -> None:
    """Rounding leaves about 1e-16 of a budget: no scale is so large, and aim ends where it is told so as expected."""
    from opendp.extras.mbi import _aim

    dp = opendp()
    space = dp.vector_domain(dp.atom_domain(T="f64", nan=False)), dp.linf_distance(T="f64")

    def search(left: float) -> object:
        return _aim.binary_search_chain(
            lambda scale: dp.m.make_noisy_max(*space, dp.max_divergence(), scale=scale), d_in=1.0, d_out=left, T=float
        )

    with pytest.raises(dp.OpenDPException):
        search(4e-17)
    with ending_in_time():
        assert search(0.1) is not None
        with pytest.raises(ValueError, match="no scale fits"):
            search(4e-17)
    with pytest.raises(dp.OpenDPException):
        search(4e-17)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("epsilon", [1.0, 4.0])
def test_aim_spends_its_budget_and_beats_columns_by_themselves(epsilon: float) -> None:
    pytest.importorskip("mbi")
    before = correlated()
    released = SyntheticTable(epsilon=epsilon, method="aim").protect(before, must=[])
    assert epsilon * (1 - 1e-9) <= released.details.epsilon <= epsilon
    alone = NoisyMarginals(epsilon=epsilon, of=[["a"], ["b"], ["c"]]).protect(before, []).data
    shares = {
        name: {label: max(0.0, count) for label, count in zip(alone.keys[name], alone.counts, strict=True)}
        for name in "abc"
    }
    cells = list(itertools.product(*(before.domains[name].labels for name in "abc")))
    counts = [math.prod(shares[name][label] for name, label in zip("abc", one, strict=True)) for one in cells]
    keys = {name: [one[i] for one in cells] for i, name in enumerate("abc")}
    unrelated = NoisyTable(keys, np.array(counts) * 3000 / sum(counts), alone.spent)
    errors = [MarginalError().score(before, one).details.by_ways[2] for one in (released.data, unrelated)]
    assert errors[0] < errors[1] / 3


@pytest.mark.filterwarnings("default")
def test_many_columns_are_synthesised() -> None:
    pytest.importorskip("mbi")
    draw = np.random.default_rng(2)
    first = draw.integers(0, 2, 4000)
    rows = [np.where(draw.random(4000) < 0.9, first, 1 - first) for _ in range(9)]
    before = confidential(
        list(zip(first.tolist(), *(one.tolist() for one in rows), strict=True)), bins(**dict.fromkeys("abcdefghij", 2))
    )
    released = SyntheticTable(epsilon=5.0).protect(before, [])
    assert released.details.marginals == 9
    error = MarginalError().score(before, released.data).details
    assert error.by_ways[2] < 0.06, "columns with a common neighbour are related by it alone"


@pytest.mark.filterwarnings("default")
def test_the_example_is_released_and_verified(tmp_path: Path) -> None:
    pytest.importorskip("mbi")
    shutil.copytree(EXAMPLES, tmp_path / "examples")
    done = sharewell.release(tmp_path / "examples" / "publications" / "synthetic.yaml")
    assert sharewell.verify(done.directory).ok


def test_the_example_is_understood() -> None:
    [dataset] = load(EXAMPLES / "publications" / "synthetic.yaml").datasets.values()
    assert dataset.using.name == "synthetic-table"


def test_without_the_extra_it_says_what_is_missing() -> None:
    if is_installed("mbi"):
        pytest.skip("it is installed")
    with pytest.raises(MissingExtra, match=r"sharewell\[synthetic\]"):
        SyntheticTable(epsilon=1.0).protect(correlated(10), [])


def test_records_are_repeated_as_often_as_they_are_counted() -> None:
    table = NoisyTable({"sex": ["F", "M", "other"]}, np.array([2.0, 0.0, 1.0]), {})
    assert records(table).to_pydict() == {"sex": ["F", "F", "other"]}


def test_what_makes_no_record_is_refused() -> None:
    with pytest.raises(PolicyError, match="two columns or more"):
        SyntheticTable(epsilon=1.0).protect(confidential([], bins(a=4)), [])
    large = {"a": Range(0, 1, bins=1500), "b": Values(tuple(str(i) for i in range(1000)))}
    with pytest.raises(Infeasible, match="1,504,002 cells"):
        SyntheticTable(epsilon=1.0).protect(confidential([], large), [])
    with pytest.raises(ValueError, match=r"^epsilon"):
        SyntheticTable(epsilon=math.inf)
    assert ("queries", "synthetic-table") in mechanism_traits.FALSIFYING
