"""Load a text as a policy, with or without its data."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from policy_texts import HEADER

from sharewell.policy import Policy, check, load


@pytest.fixture
def loaded(tmp_path: Path) -> Callable[[str], Policy]:
    """Load a text as policy.yaml, on its own."""

    def from_text(text: str) -> Policy:
        (tmp_path / "policy.yaml").write_text(text, encoding="utf-8")
        return load(tmp_path / "policy.yaml")

    return from_text


@pytest.fixture
def checked(tmp_path: Path) -> Callable[[str], Policy]:
    """Load a text as policy.yaml, beside the data that the valid policy names."""

    def from_text(text: str) -> Policy:
        (tmp_path / "policy.yaml").write_text(text, encoding="utf-8")
        (tmp_path / "patients.csv").write_text(HEADER, encoding="utf-8")
        (tmp_path / "people.csv").write_text("name,age\n", encoding="utf-8")
        return check(tmp_path / "policy.yaml")

    return from_text
