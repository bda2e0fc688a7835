"""Whatever is deleted, renamed or put elsewhere: a PolicyError or a policy, never another exception."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from policy_texts import VALID

from sharewell.errors import Mistake, PolicyError
from sharewell.io.yaml_positions import parse
from sharewell.policy import check

VALUES: list[Any] = [
    None, True, 0, -1, 5, 10**30, 0.5, "", "x", "auto", "1/11", "1/0", [], ["x"], [None], [[]], {}, {"x": None},
    {"strictest": [2, "x"]}, "strictest", {"auto": {"among": ["mondrian", 5], "measure": {"ncp": {"at_most": "x"}}}},
    {"k": ["x"], "require": [["k-anonymity"]], "risk": "prosecutor.", "measure": 5}, {"ncp": {"at_most": "1/0"}},
    {"csv": 5}, {"auto": None}, {"date": None}, {"k-anonymity": None}, "text", "shift", "..", "/", "~", "\n",
]  # fmt: skip


def _places(tree: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    steps = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    return [found for key, value in steps for found in ((*path, key), *_places(value, (*path, key)))]


def _mutated(tree: Any, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(_places(tree)))
    parent = tree
    for step in path[:-1]:
        parent = parent[step]
    how = data.draw(st.sampled_from(["delete", "rename", "replace"]))
    if how == "replace":
        parent[path[-1]] = copy.deepcopy(data.draw(st.sampled_from(VALUES) | st.text(max_size=4)))
    elif isinstance(parent, list) or how == "delete":
        del parent[path[-1]]
    else:
        word = data.draw(st.sampled_from([f"{path[-1]}x", "", "k", "population", "csv"]) | st.text(max_size=4))
        parent[word] = parent.pop(path[-1])


def _mistakes(path: Path) -> Sequence[Mistake]:
    try:
        check(path)
    except PolicyError as error:
        return error.mistakes
    return ()


@settings(max_examples=400, deadline=None)
@given(st.data())
def test_a_mutated_policy_is_a_policy_or_a_policy_error(data: st.DataObject) -> None:
    tree = parse("profile: ema-policy-0070\n" + VALID).plain
    for _ in range(data.draw(st.integers(1, 4))):
        if tree:
            _mutated(tree, data)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "policy.yaml"
        path.write_text(json.dumps(tree), encoding="utf-8")  # JSON is YAML
        mistakes = _mistakes(path)
    assert all(mistake.line >= 1 for mistake in mistakes)
