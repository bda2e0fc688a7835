"""The compiled forecast says what its twin in numpy says."""

from __future__ import annotations

import numpy as np
import pytest

from sharewell.tables.engine.protection.lattice import withheld_forecast

pytest.importorskip("numba")


@pytest.mark.parametrize("shape", [(4, 3, 5), (1, 2), (6,)])
def test_compiled_and_plain_forecasts_agree(shape: tuple[int, ...]) -> None:
    from sharewell.tables.engine.protection.lattice import withheld_forecast_kernel

    draw, sizes, nodes = np.random.default_rng(2), np.array(shape), int(np.prod(shape))
    levels = np.stack([draw.integers(0, size, 25) for size in shape], axis=-1)
    excesses, excluded = draw.normal(size=25) * 3, draw.random(nodes) < 0.3
    results = []
    for module in (withheld_forecast, withheld_forecast_kernel):
        terms = np.zeros((len(shape) + 1, max(shape)))
        errors = [module.fit(levels, excesses, sizes, terms) for _ in range(3)]
        shifted = module.shifted_chances(terms, errors[-1], sizes, excluded, np.array([0.0, 1.5, -2.0]))
        results.append((errors, terms, module.chances(terms, errors[-1], sizes, excluded), shifted))
    for plain, compiled in zip(*results, strict=True):
        assert np.allclose(plain, compiled, atol=1e-9)
    _, _, unshifted, shifted = results[0]
    assert (unshifted[excluded] == 0).all()
    assert (unshifted[~excluded] > 0).all()
    assert np.allclose(shifted[:, 0], unshifted, atol=1e-9)
    assert (shifted[~excluded, 2] < shifted[~excluded, 0]).all()
    assert (shifted[~excluded, 0] < shifted[~excluded, 1]).all()
