"""Every mode in which answers can be given, over the same zeros and ones, for the tests of attacks."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sharewell.queries import Session
from sharewell.queries.engine.attackers.subset_answers import AskedSubsets, SimulatedAnswers
from sharewell.queries.engine.exact_control import ExactControl

EPSILON, CAP = 0.1, 1.0


def coin_tosses(people: int, seed: int = 11) -> NDArray[np.int64]:
    return np.random.default_rng(seed).integers(0, 2, people)


def once_in_a_million(chance: float, trials: int) -> float:
    """The share of trials that succeed more often once in a million times, if each does with this chance: exactly."""
    beyond, successes = 0.0, trials
    while successes and beyond + _exactly(successes, chance, trials) <= 1e-6:
        beyond += _exactly(successes, chance, trials)
        successes -= 1
    return successes / trials


def _exactly(successes: int, chance: float, trials: int) -> float:
    return math.comb(trials, successes) * chance**successes * (1 - chance) ** (trials - successes)


def modes(bits: NDArray[np.int64], seed: int = 5) -> dict[str, SimulatedAnswers]:
    """Noise without a cap and with one, exact answers without control and with either rule."""
    people = len(bits)
    return {
        "noise": SimulatedAnswers(bits, EPSILON, seed=seed),
        "noise and stored answers": SimulatedAnswers(bits, EPSILON, stored=True, seed=seed),
        "noise and budget": SimulatedAnswers(bits, EPSILON, cap=CAP, stored=True, seed=seed),
        "exact": SimulatedAnswers(bits),
        "exact by sums": SimulatedAnswers(bits, control=ExactControl(people, 5, "sums")),
        "exact by cells": SimulatedAnswers(bits, control=ExactControl(people, 5, "cells")),
    }


def session_of(directory: Path, bits: NDArray[np.int64], how: str) -> Session:
    """A real session about people with a number each and a secret; `how`: the keys of the policy."""
    rows = "".join(f"{i},{i},{'yes' if bit else 'no'}\n" for i, bit in enumerate(bits.tolist()))
    (directory / "people.csv").write_text("who,badge,secret\n" + rows)
    (directory / "policy.yaml").write_text(f"""\
sharewell: 1
release: {{name: room}}
datasets:
  people:
    kind: queries
    read: {{csv: people.csv}}
    columns: {{who: subject, badge: quasi, secret: sensitive}}
    domains: {{badge: {{low: 0, high: 1000}}, secret: {{values: ["yes", "no"]}}}}
    {how}
""")
    return Session.open(directory / "policy.yaml")


def asked(session: Session, people: int, epsilon: float | None) -> AskedSubsets:
    """The attacker's way to ask it."""
    badges = [float(i) for i in range(people)]
    return AskedSubsets(
        lambda question: session.ask(question, epsilon=epsilon).value, "badge", badges, {"secret": "yes"}, epsilon
    )
