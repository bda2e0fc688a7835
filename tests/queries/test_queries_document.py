"""The page for stewards: its table of posteriors is right, and its example of a policy can be loaded."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from sharewell.policy import load
from sharewell.queries.policy import Exact, QueryKeys

PAGE = (Path(__file__).parents[2] / "docs" / "queries.md").read_text()


def test_the_largest_posterior_of_every_prior_is_right() -> None:
    """e^ε·p / (1 - p + e^ε·p), to three digits."""
    epsilons = [float(one) for one in re.findall(r"ε = ([0-9.]+) \|", PAGE)]
    rows = re.findall(r"^\| ([0-9.]+) % \| (.+) \|$", PAGE, re.MULTILINE)
    assert epsilons == [0.1, 0.5, 1, 2, 3]
    assert len(rows) == 6
    for prior, shown in rows:
        p = float(prior) / 100
        for epsilon, cell in zip(epsilons, shown.split(" | "), strict=True):
            posterior = math.exp(epsilon) * p / (1 - p + math.exp(epsilon) * p)
            assert float(cell.removesuffix(" %")) == pytest.approx(100 * posterior, rel=5e-3)


def test_the_policy_of_the_page_has_no_mistake(tmp_path: Path) -> None:
    [dataset, published] = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    policy = "sharewell: 1\nrelease: {name: r}\n" + dataset
    for text in (policy, policy + published):
        (tmp_path / "policy.yaml").write_text(text)
        assert load(tmp_path / "policy.yaml").datasets["visits"].kind == "queries"


def test_the_policy_of_the_page_on_exact_answers_has_no_mistake(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "exact-answers.md").read_text()
    [dataset] = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "policy.yaml").write_text("sharewell: 1\nrelease: {name: r}\n" + dataset)
    own = load(tmp_path / "policy.yaml").datasets["stays"].own
    assert isinstance(own, QueryKeys)
    assert own.exact == Exact(5, "cells")
