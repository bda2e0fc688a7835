"""Criteria completed with what only the original data tells, so that the certificate carries all that a verifier needs.

A criterion may say `parameters_from(data)`: parameters that the policy leaves open and the original decides, such as
the column by which a list names its persons, or how many persons the data held before anything was withheld.
"""

from __future__ import annotations

import dataclasses

from sharewell.parameters import with_values
from sharewell.policy.model import ConfiguredCriterion, Dataset
from sharewell.wing import Records


def completed(dataset: Dataset, original: Records) -> Dataset:
    """The dataset with criteria as they will be judged."""
    return dataclasses.replace(dataset, require=tuple(_completed(one, original) for one in dataset.require))


def _completed(one: ConfiguredCriterion, original: Records) -> ConfiguredCriterion:
    rungs = tuple(_completed(rung, original) for rung in one.rungs)
    more = one.built.parameters_from(original)
    if not more:
        return dataclasses.replace(one, rungs=rungs) if rungs else one
    built = with_values(one.built, **more)
    return dataclasses.replace(one, parameters={**one.parameters, **more}, built=built, rungs=rungs)
