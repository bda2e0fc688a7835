"""Train the shipped model on text written and marked for it: `python tools/build_learned.py [--out FOLDER]`.

The text is that of `benchmarks/marked/tuning*`: invented notes and short queries by several authors, some of them once
more in small letters or capitals, about people of other names, or with phrases between (`learned_variants.py`). The
rules run first; what they find, and how sure each is of itself, are facts of the tokens beside their shape, the lists
that have them and what stands around them. The model sees no letters beyond those of everyday words that many notes
have, so it learns what stands around names rather than names.

How far its probabilities can be trusted is measured on authors that it has not seen: those of `LEFT_OUT` are left out,
the others train, and isotonic regression over what that model says of the left-out text gives the calibration that is
shipped, with precision and recall by threshold (`learned_curve.csv`). Then all authors train. `--apart` leaves out
every author by itself, prints what rules and model do there, and writes nothing. Needs python-crfsuite and
scikit-learn; takes eight minutes of processor time. The same text and rules give the same model: `learned_made_of.json`
has the hashes of all that it was made of, of a model of a few notes that a test makes again, and of the shipped one.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

from sharewell.notes.annotation.evidence import evidence
from sharewell.notes.annotation.marginals import Decoder
from sharewell.notes.annotation.modelfile import Model
from sharewell.notes.annotation.training import learn, measure
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.learned import REASON, Weighing
from sharewell.notes.detectors.plugged import USUAL
from sharewell.notes.engine.detection_scores import gold_span
from sharewell.notes.engine.spans import Span, Text

sys.path.insert(0, str(Path(__file__).parent))
from learned_variants import PHRASES, Row, of_phrases, with_phrases, with_unlisted_names

MARKED = Path(__file__).parent.parent / "benchmarks" / "marked"
MADE_OF = Path(__file__).with_name("learned_made_of.json")
"""Hashes of what the shipped model was made of, and of the model: a test compares them."""
KINDS = {"NAME": "NAME", "ID": "ID", "DATE": "DATE", "PHONE": "PHONE"}
"""Labels that the model tells apart, beside places; the rest has a form of its own, and is one kind."""
FRESH = frozenset(("tuning13", "tuning14", "tuning15"))
"""Authors on whose text no rule was tuned: they count twice."""
LEFT_OUT = ("tuning14", "tuning15", "tuning9")
"""Authors for the calibration: two fresh ones, and the one whose text is most like what hospitals write."""
DRAWN = frozenset(("tuning7", "tuning10", "tuning11"))
"""Authors with values drawn into a few hundred sentences: their notes train as they stand, without variants."""
PHRASES_ALONE = "phrases"
_OF_PHRASES = 900
_SEED = 20
THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
SETTINGS = {"c1": 0.5, "c2": 0.05, "max_iterations": 60}
_LEAST = 4
_PART = 6
"""So many notes of a file, and steps of the trainer, for a model that a test makes again."""
_KNOTS = 24
_SMALL = 0.02
Marks = list[tuple[int, int, str]]


@dataclass(frozen=True)
class Example:
    """A note, what is marked in it by kind and by label, and what the rules say of its tokens."""

    text: str
    marks: Marks
    labelled: Marks
    facts: Mapping[int, Sequence[str]]
    reasons: frozenset[str]
    as_written: bool = True
    """No copy in small letters or capitals."""


class Recorder:
    """A detector that only notes what the rules found before the model would weigh it."""

    name = "recorder"

    def find(self, text: str, known: object = None) -> list[Span]:
        return []

    def after_resolution(self, note: Text, won: Sequence[Span], safe: Sequence[Span]) -> list[Span]:
        self.facts = evidence(note, won, safe)
        self.reasons = frozenset(span.reason for span in won)
        return list(won)


def authors(most: int | None = None, only: Sequence[str] = ()) -> dict[str, list[Example]]:
    """Author → examples: of every note, or of so many of each file; of some authors, or of all."""
    facts_of = Facts()
    found: dict[str, list[Example]] = defaultdict(list)
    for path in marked_files():
        author = path.stem.partition("_")[0]
        if not only or author in only:
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[:most]):
                found[author] += facts_of.examples(json.loads(line), number, author)
    random = Random(_SEED)
    found[PHRASES_ALONE] = [facts_of.example(of_phrases(random)) for _ in range(most or _OF_PHRASES)]
    return found


def marked_files() -> list[Path]:
    return sorted(MARKED.glob("tuning*_[nq]*.jsonl"))


class Facts:
    """What the rules say of texts."""

    def __init__(self) -> None:
        self.sorting, self.recorder = Detectors.of("addresses", "organisations", "places"), Recorder()
        self.rules = Detectors.usual(also=[self.recorder], without=["learned"])

    def examples(self, row: Row, number: int, author: str) -> Iterator[Example]:
        """A note, and some notes once more: in small letters, in capitals, with other names, with phrases between."""
        yield self.example(row)
        if author in DRAWN:
            return
        random = Random(f"{_SEED} {author} {number}")
        if number % 3 == 1:
            yield self.example(with_unlisted_names(row, random), as_written=False)
        elif number % 3 == 2:
            yield self.example(with_phrases(row, random), as_written=False)
        for text in [row["text"].lower()] * (number % 3 == 0) + [row["text"].upper()] * (number % 5 == 1):
            if len(text) == len(row["text"]):
                yield self.example(row | {"text": text}, list(_marks(row, self.sorting)), as_written=False)

    def example(self, row: Row, marks: Marks | None = None, as_written: bool = True) -> Example:
        marks = list(_marks(row, self.sorting)) if marks is None else marks
        labelled = [(span["start"], span["end"], span["label"]) for span in row["spans"]]
        self.rules.find(row["text"])
        return Example(row["text"], marks, labelled, self.recorder.facts, self.recorder.reasons, as_written)


def _marks(row: Row, sorting: Detectors) -> Iterator[tuple[int, int, str]]:
    """Places are marked as one label: what the rules take each for is its kind."""
    places = sorting.find(row["text"])
    for span in row["spans"]:
        start, end = span["start"], span["end"]
        kind = KINDS.get(span["label"], "OTHER")
        if USUAL.get(span["label"]) == "PLACE":
            over = [found for found in places if found.start < end and start < found.end]
            kind = max(over, key=lambda found: min(end, found.end) - max(start, found.start)).kind if over else "PLACE"
        yield start, end, kind


def made(sets: Mapping[str, Sequence[Example]], **settings: float) -> Model:
    """A model of some authors."""
    examples = [example for name, theirs in sets.items() for example in [*theirs] * (2 if name in FRESH else 1)]
    notes = [(example.text, example.marks) for example in examples]
    model = learn(notes, _LEAST, evidence=[example.facts for example in examples], **(SETTINGS | settings))
    rules = frozenset[str]().union(*(example.reasons for example in examples)) - {REASON}
    return replace(model, sheet=replace(model.sheet, rules=tuple(sorted(rules))))


def left_out(sets: Mapping[str, Sequence[Example]]) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """What a model of the other authors says of every token of those left out, and whether it was marked."""
    said, right = [], []
    decoder = Decoder(made({name: theirs for name, theirs in sets.items() if name not in LEFT_OUT}))
    for example in (example for name in LEFT_OUT for example in sets[name] if example.as_written):
        note = Text.of(example.text)
        if note.tokens:
            facts = {at: [tuple(told)] for at, told in example.facts.items()}
            hidden = 1.0 - decoder.marginals(note, facts)[:, 0]
            wanted, neutral = _wanted(note, example)
            said.append(hidden[~neutral])
            right.append(wanted[~neutral])
    return np.concatenate(said), np.concatenate(right)


def _wanted(note: Text, example: Example) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which tokens are to be found, and which are neither to be found nor to be left."""
    wanted, neutral = (np.zeros(len(note.tokens), dtype=bool) for _ in range(2))
    for start, end, label in example.labelled:
        gold = gold_span(example.text, start, end, label)
        touched = [at for at, token in enumerate(note.tokens) if token.start < end and start < token.end]
        (wanted if gold.role == "phi" else neutral)[touched] = True
    return wanted, neutral & ~wanted


def calibration(said: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[tuple[float, float], ...]:
    """Knots of a line that rises: how often the model is right where it says so much."""
    fitted = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(said, right)
    inner = np.concatenate((np.linspace(0.0, 0.1, 6)[1:], np.linspace(0.1, 0.9, _KNOTS - 12), np.linspace(0.9, 1.0, 6)))
    knots = np.unique(np.concatenate(([0.0], inner)))
    return tuple(
        (round(float(at), 4), round(float(to), 4)) for at, to in zip(knots, fitted.predict(knots), strict=True)
    )


def curve(said: NDArray[np.float64], right: NDArray[np.bool_]) -> tuple[tuple[float, float, float], ...]:
    """Threshold, precision and recall of tokens."""
    points = []
    for least in THRESHOLDS:
        found = said >= least
        hits = int((found & right).sum())
        points.append((least, round(hits / max(1, int(found.sum())), 4), round(hits / max(1, int(right.sum())), 4)))
    return tuple(points)


def apart(sets: dict[str, list[Example]]) -> Iterator[str]:
    """What rules find of each author's text, alone and weighed by a model of the others' text."""
    rules = Detectors.usual(without=["learned"])
    for name in sets:
        model = made({other: theirs for other, theirs in sets.items() if other != name})
        weighed = Detectors.usual(also=[Weighing(given=model)], without=["learned"])
        notes = [(example.text, example.labelled) for example in sets[name]]
        yield f"{name}: rules {measure(rules, notes)}, weighed by a model of the others {measure(weighed, notes)}"


def without_small(model: Model) -> Model:
    """Less the weights that hardly say anything, a tenth of the file."""
    spoken = (
        (fact, {label: weight for label, weight in by_label.items() if abs(weight) >= _SMALL})
        for fact, by_label in model.weights.items()
    )
    return replace(model, weights={fact: by_label for fact, by_label in spoken if by_label})


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def inputs() -> dict[str, str]:
    """Every file that training reads or runs here, and its hash; what rules find is told apart (`part`)."""
    here = Path(__file__)
    files = [*marked_files(), PHRASES, here, here.with_name("learned_variants.py")]
    root = here.parent.parent
    return {path.relative_to(root).as_posix(): digest(path.read_bytes()) for path in files}


def part() -> str:
    """The hash of a model of a few notes: another one where rules, features, variants or the trainer have changed."""
    sets = authors(_PART, ("tuning9", "tuning14"))
    return digest(made(sets, max_iterations=_PART).to_bytes())


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--out", type=Path, default=Path("src/sharewell/data/notes"))
    asked.add_argument("--apart", action="store_true", help="measure on each author in turn; write nothing")
    told, sets = asked.parse_args(), authors()
    if told.apart:
        for line in apart(sets):
            sys.stdout.write(line + "\n")
        return
    said, right = left_out(sets)
    written(made(sets), said, right, told.out)


def written(model: Model, said: NDArray[np.float64], right: NDArray[np.bool_], folder: Path) -> None:
    """Write the model with its calibration, the curve beside it, and what both were made of."""
    knots = calibration(said, right)
    points = curve(np.interp(said, *zip(*knots, strict=True)), right)
    sheet = replace(model.sheet, calibration=knots, trained_on=tuple(sorted(inputs().values())))
    content = without_small(replace(model, sheet=sheet)).to_bytes()
    packed = gzip.compress(content, 9, mtime=0)
    (folder / "learned.json.gz").write_bytes(packed)
    rows = "".join(f"{least},{precision},{recall}\n" for least, precision, recall in points)
    (folder / "learned_curve.csv").write_text("certainty,precision,recall\n" + rows)
    made_of = {"inputs": inputs(), "part": part(), "model": digest(content)}
    MADE_OF.write_text(json.dumps(made_of, indent=1) + "\n")
    sys.stdout.write(f"{len(packed):,} bytes, {model.sheet.notes} notes\n{rows}")


if __name__ == "__main__":
    main()
