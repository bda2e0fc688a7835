"""Train a conditional random field over tokens (Lafferty, McCallum, Pereira 2001) on notes that people marked, as HIDE
does (Gardner and Xiong 2008): mark some notes, train, tag more, correct the tags, train again.

A model learns the style of the notes it saw, and is worth little on others: it is one more detector for notes of the
same hospital, and does not replace the rules. Its features are in `annotation.features`; words and letters that fewer
than `least` notes have are left out. Half of the notes (by a hash of their identifiers) trains, the other half
measures; the learning curve shows whether more marked notes would help. Needs python-crfsuite (extra `notes`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.sources import sha256
from sharewell.notes.annotation.features import features_of, frequent, gaps, segments, without_rare
from sharewell.notes.annotation.modelfile import OUTSIDE, Model, ModelCard, fit_model
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.learned import Learned
from sharewell.notes.detectors.plugged import USUAL
from sharewell.notes.engine.spans import KINDS, Span, Text

_SHARES = (0.125, 0.25, 0.5, 0.75, 1.0)
_FEW = 4
"""Fewer notes than that are no point of a curve."""
LEAST = 3
Spans = Sequence[tuple[int, int, str]]
Example = tuple[list[list[str]], list[str]]


@dataclass(frozen=True)
class CurvePoint:
    """So many notes trained; precision, recall and F2 on the other half: of the model alone, and beside the rules."""

    notes: int
    alone: dict[str, float]
    with_rules: dict[str, float]


@dataclass(frozen=True)
class TrainingResult:
    """A trained model's card, and its scores on the notes that were held out (none if there are none)."""

    sheet: ModelCard
    rules: dict[str, float] | None
    """The rules without any model, on the same notes."""
    points: tuple[CurvePoint, ...]
    measured_on: int

    def to_json(self) -> dict[str, object]:
        card = {key: value for key, value in asdict(self.sheet).items() if key != "measured"}
        return card | {
            "measured": self.sheet.measured,
            "measured_on": self.measured_on,
            "rules": self.rules,
            "curve": [{"notes": p.notes, **p.alone, "with_rules": p.with_rules} for p in self.points],
        }


def train(marked: Path | Sequence[Path], model: Path, *, least: int = LEAST, whole: bool = False) -> TrainingResult:
    """Train on half of the marked notes, measure on the other half, write the model.

    Of several files a later one replaces notes of the same identifier: corrected notes come last. `whole`: when the
    other half has measured, train once more on all of them.
    """
    files = [marked] if isinstance(marked, Path) else list(marked)
    rows = {name: (text, spans) for file in files for name, text, spans in _rows(file)}
    training = [note for name, note in rows.items() if _half(name)]
    held_out = [note for name, note in rows.items() if not _half(name)]
    names = " and ".join(file.name for file in files)
    if not training:
        raise DataError(f"{names} — holds too few notes to train on")
    learnt = learn(training, least)
    if not learnt.sheet.kinds:
        raise DataError(f"{names} — has no span in the half that trains")
    hashes = tuple(sha256(file) for file in files)
    points: tuple[CurvePoint, ...] = ()
    rules = None
    if held_out:
        points = _curve(training, held_out, least, learnt)
        rules = measure(Detectors.usual(), held_out)
    if whole:
        learnt = learn([*training, *held_out], least)
    sheet = replace(learnt.sheet, trained_on=hashes, measured=points[-1].alone if points else None)
    replace(learnt, sheet=sheet).write(model)
    return TrainingResult(sheet, rules, points, len(held_out))


def learn(notes: Sequence[tuple[str, Spans]], least: int = LEAST, *, affixes: bool = True, **settings: float) -> Model:
    """A model of marked notes, in memory."""
    examples = [example(text, spans, affixes) for text, spans in notes]
    kinds = tuple(sorted({label for _, labels in examples for label in labels if label != OUTSIDE}))
    sheet = ModelCard(kinds, len(notes), sum(len(labels) for _, labels in examples), (), least, affixes)
    if not kinds:
        return Model(sheet, (OUTSIDE,), ((0.0,),), {})
    kept = frequent([features for features, _ in examples], least)
    cut = []
    for (text, _), (features, labels) in zip(notes, examples, strict=True):
        features, starts = without_rare(features, kept), segments(gaps(Text.of(text)))
        cut += [(features[a:b], labels[a:b]) for a, b in pairwise([*starts, len(labels)])]
    return fit_model(cut, sheet, **settings)


def example(text: str, spans: Spans, affixes: bool = True) -> Example:
    """Features and labels (a kind, or O) of a note's tokens."""
    note = Text.of(text)
    labels = [OUTSIDE] * len(note.tokens)
    for index, token in enumerate(note.tokens):
        labels[index] = next((kind for start, end, kind in spans if token.start < end and start < token.end), OUTSIDE)
    return features_of(note, affixes), labels


def measure(detectors: Detectors | Learned, notes: Sequence[tuple[str, Spans]]) -> dict[str, float]:
    """Precision, recall and F2 by token of anything that finds spans."""
    from sharewell.notes.engine.detection_scores import Scores, gold_span

    scores = Scores()
    for text, spans in notes:
        spans_found: list[Span] = detectors.find(text)
        scores.add(text, [gold_span(text, start, end, kind) for start, end, kind in spans], spans_found)
    phi: dict[str, float] = scores.to_json().get("phi", {"precision": 1.0, "recall": 1.0, "f2": 1.0})
    return {key: phi[key] for key in ("precision", "recall", "f2")}


def _curve(
    training: Sequence[tuple[str, Spans]], held_out: Sequence[tuple[str, Spans]], least: int, full_model: Model
) -> tuple[CurvePoint, ...]:
    sizes = sorted({size for share in _SHARES if (size := int(len(training) * share)) >= _FEW} | {len(training)})
    points = []
    for size in sizes:
        model = full_model if size == len(training) else learn(training[:size], least)
        if model.sheet.kinds:
            learned = Learned.of(model)
            both = Detectors.usual(also=[learned])
            points.append(CurvePoint(size, measure(learned, held_out), measure(both, held_out)))
    return tuple(points)


def _half(name: str) -> bool:
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


def _rows(path: Path) -> Iterator[tuple[str, str, list[tuple[int, int, str]]]]:
    """Identifier, text and (start, end, kind) of each marked note; labels of other corpora become our kinds."""
    from sharewell.notes.annotation.marked import read

    for note in read(path):
        kinds = [(span.start, span.end, _kind(span.label)) for span in note.spans]
        yield note.id, note.text, [(start, end, kind) for start, end, kind in kinds if kind in KINDS]


def _kind(label: str) -> str | None:
    label = label.upper()
    return {"AGE90": "AGE"}.get(label) or USUAL.get(label, "OTHER")
