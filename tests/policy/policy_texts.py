"""A policy without mistakes, the header of its data, and how to catch what is wrong with another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sharewell.errors import PolicyError

VALID = """\
sharewell: 1
release: {name: demo-1, recipient: University X, context: non-public}
secrets: {key: env:SHAREWELL_KEY, sign: file:steward.key}
datasets:
  patients:
    kind: tables
    read: {csv: patients.csv, missing: [NA, -9, 007]}
    publish: within-class
    columns:
      patient_id: subject
      name: drop
      age: {role: quasi, type: number}
      born: {role: quasi, type: {date: "%d/%m/%Y"}, hierarchy: date}
      admitted: {role: shift, most_days: 100}
      diagnosis: sensitive
    require:
      - k-anonymity: {k: 5}
      - l-diversity: {l: 2, column: diagnosis}
    using: {mondrian: {suppress: 0.01}}
    attacks: [linkage: {population: {csv: people.csv}}, prosecutor]
    utility: [ncp]
write: {csv: out/}
"""

HEADER = "patient_id,name,age,born,admitted,diagnosis\n"


def refusal(call: Callable[[Any], object], given: Any) -> PolicyError:
    """The PolicyError that a call raises."""
    with pytest.raises(PolicyError) as caught:
        call(given)
    return caught.value
