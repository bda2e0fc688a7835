"""Learn from notes that people marked: a conditional random field over tokens (Lafferty, McCallum, Pereira 2001).

What it sees of a token: its shape, its marks in the lists of names and words, what its letters say, what stands before
it, and the same of its neighbours. Only everyday words of English are seen as themselves, so a model file holds no rare
word of the notes it was trained on, no name and no number. A model learns the forms of the notes it saw, and is
worth little on others: it is one more detector for notes of the same house, never a replacement of the rules.

Half of the notes (by a hash of their identifiers) trains, the other half measures; the curve tells whether more marked
notes would help. Needs the package python-crfsuite (extra `notes`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sharewell.errors import DataError
from sharewell.notes.detectors.name_tokens import Word, letters_say, shown
from sharewell.notes.detectors.plugged import USUAL
from sharewell.notes.spans import Span, Text

_AROUND = (-3, -2, -1, 1, 2, 3)
_SHARES = (0.25, 0.5, 1.0)
_SETTINGS = {"c1": 0.3, "c2": 0.05, "max_iterations": 80, "feature.possible_transitions": True}
OUTSIDE = "O"
Example = tuple[list[list[str]], list[str]]


@dataclass(frozen=True)
class Trained:
    """What was learnt from: notes and tokens; the kinds; what the other half says (none if there is none)."""

    notes: int
    tokens: int
    kinds: tuple[str, ...]
    measured: dict[str, Any] | None
    curve: tuple[tuple[int, float], ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "notes": self.notes,
            "tokens": self.tokens,
            "kinds": list(self.kinds),
            "measured": self.measured,
            "curve": [{"notes": notes, "f2": f2} for notes, f2 in self.curve],
        }


def train(marked: Path, model: Path) -> Trained:
    """Train on half of the marked notes of a JSON Lines file, measure on the other, write the model."""
    from sharewell.notes.detectors.learned import Learned

    rows = list(_rows(marked))
    mine = [(text, spans) for name, text, spans in rows if _half(name)]
    theirs = [(text, spans) for name, text, spans in rows if not _half(name)]
    if not mine:
        raise DataError(f"{marked.name} — holds too few notes to train on")
    examples = [example(text, spans) for text, spans in mine]
    if all(label == OUTSIDE for _, labels in examples for label in labels):
        raise DataError(f"{marked.name} — has no span in the half that trains")
    curve = []
    for share in _SHARES if theirs else (1.0,):
        some = examples[: max(1, int(len(examples) * share))]
        fit(some, model)
        measured = _measure(Learned(model), theirs) if theirs else None
        if measured:
            curve.append((len(some), float(measured["f2"])))
    kinds = {label[2:] for _, labels in examples for label in labels if label != OUTSIDE}
    tokens = sum(len(labels) for _, labels in examples)
    return Trained(len(mine), tokens, tuple(sorted(kinds)), measured, tuple(curve))


def fit(examples: Sequence[Example], model: Path) -> None:
    """Write a model trained on features and labels."""
    trainer = crfsuite().Trainer(algorithm="lbfgs", verbose=False)
    for features, labels in examples:
        if labels:
            trainer.append(features, labels)
    trainer.set_params(_SETTINGS)
    trainer.train(str(model))


def example(text: str, spans: Sequence[tuple[int, int, str]]) -> Example:
    """Features and labels (B-NAME, I-NAME, O) of a note's tokens."""
    note = Text.of(text)
    labels = [OUTSIDE] * len(note.tokens)
    for start, end, kind in spans:
        inside = [at for at, token in enumerate(note.tokens) if token.start < end and start < token.end]
        for at in inside:
            labels[at] = f"{'B' if at == inside[0] else 'I'}-{kind}"
    return features_of(note), labels


def features_of(text: Text) -> list[list[str]]:
    """What a model sees of each token: its own facts, and those of its neighbours."""
    own = [_facts(text, at) for at in range(len(text.tokens))]
    seen = []
    for at, facts in enumerate(own):
        around = [f"{by:+d}{fact}" for by in _AROUND if 0 <= at + by < len(own) for fact in own[at + by][:4]]
        ends = [end for end, there in (("first", at == 0), ("last", at == len(own) - 1)) if there]
        seen.append([*facts, *around, *ends])
    return seen


def _facts(text: Text, at: int) -> list[str]:
    """Shape, lists, the word if it is an everyday one, the gap before; then letters and length."""
    token = text.tokens[at]
    word = Word(token.start, token.end, *shown(text[token.start : token.end]))
    before = text[text.tokens[at - 1].end : token.start] if at else "\n"
    gap = "\n" if "\n" in before else before.strip()[:2] or " "
    shape = f"d{len(word.lower)}" if word.lower.isdigit() else word.shape
    common = word.lower if word.level in ("1", "2") and not word.mark.isupper() else ""
    letters = max(-3, min(3, letters_say(word) // 40)) if word.shape in "tul" else 0
    return [
        f"shape={shape}", f"lists={word.mark}{word.level}", f"word={common}", f"gap={gap}",
        f"letters={letters}", f"length={min(len(word.lower), 12)}",
    ]  # fmt: skip


def crfsuite() -> Any:
    try:
        import pycrfsuite  # type: ignore[import-untyped]
    except ImportError:
        raise DataError("training needs python-crfsuite — pip install 'sharewell[notes]'") from None
    return pycrfsuite


def _half(name: str) -> bool:
    return hashlib.sha256(name.encode()).digest()[0] % 2 == 0


def _rows(path: Path) -> Iterator[tuple[str, str, list[tuple[int, int, str]]]]:
    """Identifier, text and (start, end, kind) of each marked note; labels of other corpora become our kinds."""
    from sharewell.io.jsonlines import read_jsonl
    from sharewell.notes.scoring import read_marked

    names = [str(row.get("id", number)) for number, row in read_jsonl(path)]
    for name, (text, gold) in zip(names, read_marked(path), strict=True):
        yield name, text, [(m.start, m.end, USUAL.get(m.label.upper(), "OTHER")) for m in gold if m.role != "neutral"]


def _measure(learned: Any, notes: Sequence[tuple[str, Sequence[tuple[int, int, str]]]]) -> dict[str, Any]:
    from sharewell.notes.scoring import Scores, as_marked

    scores = Scores()
    for text, spans in notes:
        found: list[Span] = learned.find(text)
        scores.add(text, [as_marked(text, start, end, kind) for start, end, kind in spans], found)
    phi: dict[str, Any] = scores.to_json().get("phi", {"precision": 1.0, "recall": 1.0, "f2": 1.0})
    return {key: phi[key] for key in ("precision", "recall", "f2")}
