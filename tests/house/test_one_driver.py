"""One place protects a dataset: `Dataset.protect`, which every kind calls, and the pipeline through its wing."""

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path

import pytest

from sharewell import registry
from sharewell.policy.model import Dataset

SOURCE = Path(__file__).parents[2] / "src" / "sharewell"
PROTECT_A_DATASET = {"joint_protection.py": 2, "mechanism_choice.py": 1}
"""Modules of the pipeline that protect what is released, through the wing: at first, and in agreement with others."""
TRY_OUT = {"compare.py": 1, "joint_protection.py": 1, "relax.py": 3, "text_columns.py": 1}
"""Those that call a mechanism: to compare or relax in memory, for texts in a column, and for datasets together."""


def calls_of_protect(source: str) -> list[str]:
    """What `.protect` is called on."""
    nodes = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [ast.unparse(one.value) for one in nodes if isinstance(one, ast.Attribute) and one.attr == "protect"]


@pytest.mark.parametrize("kind", registry.kinds())
def test_every_kind_of_data_leaves_protection_to_the_dataset(kind: str) -> None:
    """Some prepare the data before and move dates after; none asks a mechanism itself, but for that of a part of it."""
    called = calls_of_protect(textwrap.dedent(inspect.getsource(type(registry.wing(kind)).protect)))
    assert called in (["dataset"], ["self.of(data)"])  # reports ask the wing of counts or of figures


def test_the_dataset_asks_its_mechanism() -> None:
    assert calls_of_protect(textwrap.dedent(inspect.getsource(Dataset.protect))) == ["self.mechanism"]


def test_the_pipeline_protects_through_the_wing() -> None:
    paths = sorted((SOURCE / "pipeline").glob("*.py"))
    called = {path.name: calls_of_protect(path.read_text()) for path in paths}
    by_wing = {name: sum(one.endswith("wing") for one in calls) for name, calls in called.items()}
    others = {name: len(calls) - by_wing[name] for name, calls in called.items()}
    assert {name: count for name, count in by_wing.items() if count} == PROTECT_A_DATASET
    assert {name: count for name, count in others.items() if count} == TRY_OUT
