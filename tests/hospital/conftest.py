"""A hospital of 20,000 patients as people meet it, a clean one, and a small one with notes, shared by all tests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
import pytest

from sharewell.hospital import Hospital
from sharewell.hospital.block import Block


@dataclass
class Town:
    """A hospital with its tables kept after the first look."""

    hospital: Hospital
    _frames: dict[str, pd.DataFrame] = field(default_factory=dict)
    _blocks: list[Block] = field(default_factory=list)

    @property
    def blocks(self) -> list[Block]:
        if not self._blocks:
            self._blocks = list(self.hospital.blocks())
        return self._blocks

    def frame(self, name: str) -> pd.DataFrame:
        if name not in self._frames:
            tables = [block.rows(name).to_pandas() for block in self.blocks]
            self._frames[name] = pd.concat(tables, ignore_index=True)
        return self._frames[name]

    def numbers(self, of: Any) -> np.ndarray[Any, Any]:
        return np.concatenate([np.asarray(of(block)) for block in self.blocks])


@pytest.fixture(scope="session")
def town() -> Town:
    return Town(Hospital(patients=20_000, seed=1))


@pytest.fixture(scope="session")
def clean() -> Town:
    return Town(Hospital(patients=4_000, seed=1, dirty=False))


@pytest.fixture(scope="session")
def notes() -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """(note, truth) of 1,200 patients."""
    pairs = []
    for block in Hospital(patients=1_200, seed=5).blocks():
        pairs += list(zip(block.notes, block.note_spans, strict=True))
    return pairs
