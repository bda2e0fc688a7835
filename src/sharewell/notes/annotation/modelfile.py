"""A model on disk: a card that describes it, and the weights of its features, as readable JSON.

The card holds kinds, counts, the version of the features and the hashes of the training files; no text. Some features
are everyday words and letters of the notes: **a model file is as confidential as the notes it was trained on**, and is
written for its owner alone. Training takes python-crfsuite; using a model takes numpy alone.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from sharewell.errors import DataError
from sharewell.extras import package
from sharewell.io.writing import read_bytes, write_bytes
from sharewell.notes.annotation.features import VERSION

OUTSIDE = "O"
SETTINGS: Mapping[str, float] = {"c1": 0.3, "c2": 0.05, "max_iterations": 80, "feature.possible_transitions": True}
LEAST_WEIGHT = 0.005
"""A smaller weight says nothing, and is left out."""
_ONCE = ("rules", "calibration")
"""What the card of an earlier version also had, empty in a house's own model."""
Sequences = Sequence[tuple[list[list[str]], list[str]]]


@dataclass(frozen=True)
class ModelCard:
    """What a model file tells of itself."""

    kinds: tuple[str, ...]
    notes: int
    tokens: int
    trained_on: tuple[str, ...]
    """SHA-256 of the files."""
    least: int = 3
    """Words and letters that fewer notes have are not in the model."""
    affixes: bool = True
    features: int = VERSION
    measured: dict[str, float] | None = field(default=None)


@dataclass(frozen=True, eq=False)
class Model:
    """A sheet, and weights: of features by label, and of one label after another."""

    sheet: ModelCard
    labels: tuple[str, ...]
    transitions: tuple[tuple[float, ...], ...] = field(repr=False)
    weights: Mapping[str, Mapping[str, float]] = field(repr=False)

    def to_bytes(self) -> bytes:
        document: dict[str, object] = {
            "sharewell": "a model of notes",
            "sheet": asdict(self.sheet),
            "labels": self.labels,
        }
        document |= {"transitions": self.transitions, "weights": dict(self.weights)}
        return json.dumps(document, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"

    def write(self, path: Path) -> None:
        """For the owner alone; never over another file."""
        write_bytes(path, self.to_bytes(), private=True)

    @classmethod
    def of_bytes(cls, content: bytes, name: str) -> Model:
        try:
            document = json.loads(content)
            card = {key: entry for key, entry in document["sheet"].items() if key not in _ONCE}
            lists = {key: tuple(card[key]) for key in ("kinds", "trained_on")}
            sheet, labels = ModelCard(**(card | lists)), tuple(map(str, document["labels"]))
            rows = tuple(tuple(map(float, row)) for row in document["transitions"])
            known = set(chain.from_iterable(document["weights"].values())) <= set(labels)
            if not known or [len(row) for row in rows] != [len(labels)] * len(labels) or OUTSIDE not in labels:
                raise ValueError("weights of other labels")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise DataError(f"{name} — is not a model that `sharewell notes train` wrote") from None
        if sheet.features != VERSION:
            raise DataError(f"{name} — was trained by another version of sharewell — train it again")
        return cls(sheet, labels, rows, document["weights"])


@lru_cache(maxsize=4)
def read_model(path: Path) -> Model:
    return Model.of_bytes(read_bytes(path), path.name)


def fit_model(examples: Sequences, sheet: ModelCard, **settings: float) -> Model:
    """The model that sequences of features and labels give (L-BFGS with both penalties): same input, same model."""
    trainer = crfsuite().Trainer(algorithm="lbfgs", verbose=False)
    for features, labels_wanted in examples:
        if labels_wanted:
            trainer.append(features, labels_wanted)
    trainer.set_params({**SETTINGS, **settings})
    with tempfile.TemporaryDirectory(prefix="sharewell-") as private:  # the library writes to a path alone
        path = Path(private) / "weights"
        trainer.train(str(path))
        info = _opened(path).info()
    labels = (OUTSIDE, *sorted(label for label in info.labels if label != OUTSIDE))
    weights: dict[str, dict[str, float]] = {}
    for (feature, label), weight in sorted(info.state_features.items()):
        if abs(round(weight, 3)) >= LEAST_WEIGHT:
            weights.setdefault(feature, {})[label] = round(weight, 3)
    rows = tuple(tuple(round(info.transitions.get((before, after), 0.0), 3) for after in labels) for before in labels)
    return Model(sheet, labels, rows, weights)


def _opened(path: Path) -> Any:
    tagger = crfsuite().Tagger()
    tagger.open(str(path))
    return tagger


def crfsuite() -> ModuleType:
    module: ModuleType = package("pycrfsuite", "training")
    return module
