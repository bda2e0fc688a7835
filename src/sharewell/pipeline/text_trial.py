"""Text columns in a plan: some of their texts are rewritten, so that a plan refuses what a release would refuse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.algorithm import Infeasible, Key, Protected
from sharewell.pipeline.text_columns import rewrite_some, text_columns
from sharewell.policy.model import Dataset
from sharewell.progress import Progress
from sharewell.wing import Data, Wing

TEXTS = 50
"""This many texts of a column are rewritten, evenly spread."""
MOST_TEXTS = 1000
"""If none of them may be published, this many: those that are withheld cost little."""


@dataclass(frozen=True)
class TextTrial:
    """What became of some texts of one column."""

    column: str
    tried: int
    texts: int
    """How many texts the column has."""
    withheld: Mapping[str, int]
    """Reason → how many of those that were tried."""
    why_not: str = ""
    """Why none could be published."""

    def __str__(self) -> str:
        part = "" if self.tried == self.texts else f" (tried on {self.tried} of {self.texts} texts)"
        if self.why_not:
            first, *others = self.why_not.splitlines()
            return "\n".join([f"{first}{part}", *others])
        reasons = ", ".join(f"{reason} {count}" for reason, count in self.withheld.items())
        lost = sum(self.withheld.values())
        return f"column {self.column}: {100 * lost / self.tried:.0f} % of its texts would be withheld ({reasons}){part}"


def try_texts(
    wing: Wing[Data], protected: Protected[Data], dataset: Dataset, progress: Progress = lambda step: None
) -> Iterator[TextTrial]:
    """One trial for each text column that has texts."""
    carrier = wing.capabilities().text_columns
    for name in text_columns(dataset) if carrier is not None else ():
        assert carrier is not None
        column = carrier.column(protected.data, name)
        rows = np.flatnonzero(pc.is_valid(column).to_numpy())
        if not len(rows):
            continue
        progress(f"trying texts of {name}")
        trial = _tried(wing, protected, dataset, name, rows, TEXTS)
        yield _tried(wing, protected, dataset, name, rows, MOST_TEXTS) if trial.why_not else trial


def _tried(
    wing: Wing[Data], protected: Protected[Data], dataset: Dataset, name: str, rows: NDArray[np.intp], most: int
) -> TextTrial:
    places = np.unique(np.linspace(0, len(rows) - 1, min(most, len(rows))).astype(int))
    some = [int(rows[place]) for place in places]
    try:
        _, withheld = rewrite_some(wing, protected, dataset, name, some, Key.fresh())
    except Infeasible as error:
        return TextTrial(name, len(some), len(rows), {}, str(error))
    return TextTrial(name, len(some), len(rows), withheld)
