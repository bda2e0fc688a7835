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

from sharewell.dossier import curves
from sharewell.dossier.curves import Axis, Line, Plot
from sharewell.dossier.markup import Html
from sharewell.errors import DataError
from sharewell.io.plain_files import sha256
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
        fields = ("measured", "rules")
        card = {key: value for key, value in asdict(self.sheet).items() if key not in fields}
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


def learn(
    notes: Sequence[tuple[str, Spans]],
    least: int = LEAST,
    *,
    affixes: bool = True,
    **settings: float,
) -> Model:
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


_STYLE = """
svg { background: #ffffff; font: 12px system-ui, "Liberation Sans", Arial, sans-serif; color: #1d2733; }
text { fill: #1d2733; } .grid { stroke: #e3e0d8; } .axis { stroke: #55606d; }
.curve { fill: none; stroke-width: 2.2; } .alone { stroke: #a8500b; } .both { stroke: #0b66a0; }
.rules { stroke: #55606d; stroke-dasharray: 6 4; } .bar.alone { fill: #fbe6d3; stroke: #a8500b; }
.bar.both { fill: #0b66a0; }
"""


def svg(trained: TrainingResult) -> str:
    """A drawing that stands by itself."""
    sizes = [point.notes for point in trained.points]
    if not sizes or trained.rules is None:
        return ""
    alone = tuple((float(p.notes), p.alone["f2"]) for p in trained.points)
    both = tuple((float(p.notes), p.with_rules["f2"]) for p in trained.points)
    low = min(0.9, int(min(y for _, y in (*alone, *both)) * 10) / 10, trained.rules["f2"])
    low = int(low * 10) / 10
    ticks = [round(low + i * (1 - low) / 5, 3) for i in range(6)]
    right = max(float(sizes[-1]), 1.0)
    rules = ((0.0, trained.rules["f2"]), (right, trained.rules["f2"]))
    lines = (
        Line("model alone", "alone", alone), Line("model alone", "alone", alone, marked=True),
        Line("rules and model", "both", both), Line("rules and model", "both", both, marked=True),
        Line("rules", "rules", rules),
    )  # fmt: skip
    plot = Plot(
        "curve",
        f"F2 by the number of marked notes, measured on {trained.measured_on} others",
        "; ".join(
            f"{p.notes} notes: {p.alone['f2']:.3f} alone, {p.with_rules['f2']:.3f} with rules" for p in trained.points
        ),
        Axis("marked notes in training", curves.across_of(0.0, right, [0, *sizes[-4:]]), lambda n: f"{n or 0:g}"),
        Axis("F2 on other notes", curves.upwards_of(low, 1.0, ticks), lambda n: f"{n or 0:.2f}"),
        lines,
    )
    drawing = curves.svg(plot)
    return str(_alone(drawing))


def _alone(drawing: Html) -> Html:
    """A drawing of a page as a file of its own: a name space, its colours, and a key to its lines."""
    key = "".join(
        f'<g transform="translate(230 {195 + 18 * i})"><line class="curve {tone}" x1="0" y1="0" x2="26" y2="0" />'
        f'<text x="32" y="4">{name}</text></g>'
        for i, (tone, name) in enumerate(
            (("both", "rules and model"), ("rules", "rules alone"), ("alone", "model alone"))
        )
    )
    opened = drawing.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace('width="100%"', "")
    head, _, rest = opened.partition(">")
    return Html(f"{head}><style>{_STYLE}</style>{rest.removesuffix('</svg>')}{key}</svg>\n")
