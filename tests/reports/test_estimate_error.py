"""Readers know how far estimates may be off."""

from __future__ import annotations

import pytest

from sharewell.keys import Key
from sharewell.reports import CountTable, EstimateError, RandomisedResponse

KEY = Key(b"a key of the tests, long enough..")
PATIENTS = CountTable.of_cells({("no",): 700, ("yes",): 300}, ["smokes"])


def test_less_truth_is_more_error() -> None:
    errors = []
    for epsilon in (0.25, 0.5, 1.0, 2.0, 4.0):
        released = RandomisedResponse(epsilon).protect(PATIENTS, [], KEY).data
        found = EstimateError().score(PATIENTS, released)
        errors.append(float(found.value or 0))
        assert found.details.deviation < 5 * errors[-1]
    assert errors == sorted(errors, reverse=True)


def test_it_is_the_standard_error_of_the_mechanism() -> None:
    protected = RandomisedResponse(1.0).protect(PATIENTS, [], KEY)
    found = EstimateError().score(PATIENTS, protected.data)
    assert found.value == pytest.approx(protected.details.standard_error / 1000)


def test_an_empty_table_is_undecided() -> None:
    empty = CountTable.of_cells({("no",): 0, ("yes",): 0}, ["smokes"])
    assert EstimateError().score(empty, empty).value is None
