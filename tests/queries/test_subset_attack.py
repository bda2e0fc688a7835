"""What attacks on a noisy table and on answers have in common: which of the two they do, and what they know."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from sharewell.findings import Finding
from sharewell.parameters import Declared
from sharewell.queries.attacks.averaging import Averaging
from sharewell.queries.attacks.membership import Membership
from sharewell.queries.attacks.reconstruction import Reconstruction
from sharewell.queries.attacks.tracker import Tracker
from sharewell.queries.data import ConfidentialTable, NoisyTable
from sharewell.queries.engine.attackers.subset_answers import SimulatedAnswers, SubsetAnswers
from sharewell.queries.engine.attackers.subset_attack import Bits, SubsetAttack


@dataclass(frozen=True)
class WhatItGets(Declared, SubsetAttack):
    """Reports what it is called with."""

    def on_table(self, released: NoisyTable, original: ConfidentialTable | None) -> Finding:
        return Finding("given", None, note="table")

    def by_asking(self, answers: SubsetAnswers, bits: Bits | None) -> Finding:
        return Finding("given", None if bits is None else float(bits.sum()), note="answers")


def test_answers_are_asked_and_a_list_of_bits_counts_as_an_array() -> None:
    answers = SimulatedAnswers(np.array([1, 0, 1, 1]))
    assert WhatItGets().mount(answers, truth=[1, 0, 1, 1]) == Finding("given", 3.0, note="answers")
    assert WhatItGets().mount(answers) == Finding("given", None, note="answers")


@pytest.mark.parametrize("attack", [Averaging, Membership, Reconstruction, Tracker])
def test_none_is_mounted_on_the_original(attack: type[SubsetAttack]) -> None:
    assert SubsetAttack in attack.__mro__
    assert attack.released_only
