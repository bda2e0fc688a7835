"""Train the shipped network on text written and marked for it: `python tools/build_learned.py [--out FOLDER]`.

The text is that of `benchmarks/marked/tuning*`: invented notes and short queries by several authors, each of them
several times more about other people and in other layouts (`learned_redrawn.py`), and short texts of phrases alone
(`learned_variants.py`). The rules run first; what they find, and how sure each is of itself, are facts of the tokens
beside how these are written, the lists that have them and the signs around them (`notes.annotation.token_facts`).

How far its probabilities can be trusted is measured on authors whom neither it nor the rules have seen: those on whose
text no rule was tuned are dealt out in a few groups, a network is trained without each group in turn, and isotonic
regression over its findings in the text of that group gives the calibration that is shipped, with precision and recall
by threshold (`learned_curve.csv`). Then all authors train. `--apart` prints what a network of the other groups finds of
each author's text, and writes nothing. Needs scipy and scikit-learn; takes ten minutes of processor time. On one
machine the same text and rules give the same network, on another one that differs in the last places.
`learned_made_of.json` has the hashes of all that it was made of, what a network of a few notes says, which a test
compares, and the hash of the shipped one.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from sklearn.isotonic import IsotonicRegression

sys.path.insert(0, str(Path(__file__).parent))
from learned_network import Encoded, encoded, rounded, trained, vocabulary
from learned_redrawn import cased, redrawn
from learned_variants import PHRASES, Row, of_phrases

from sharewell.notes.annotation.network import Network, NetworkCard
from sharewell.notes.annotation.token_facts import (
    evidence_facts,
    evidence_of,
    gap_facts,
    gaps_of,
    place_facts,
    places_of,
    tokens_of,
    word_facts,
)
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.learned import OF_THEIR_OWN_FORM, REASON, Weighing
from sharewell.notes.detectors.plugged import USUAL
from sharewell.notes.engine.detection_scores import GoldSpan, Scores, gold_span
from sharewell.notes.engine.spans import Span, Text
from sharewell.plain_data import Json

MARKED = Path(__file__).parent.parent / "benchmarks" / "marked"
MADE_OF = Path(__file__).with_name("learned_made_of.json")
"""Hashes of what the shipped network was made of, and of the network: a test compares them."""
LABELS = ("O", "NAME", "PLACE", "ADDRESS", "ORGANISATION", "ID", "DATE", "PHONE", "OTHER")
KINDS = {"NAME": "NAME", "ID": "ID", "DATE": "DATE", "PHONE": "PHONE"}
"""Labels that the network tells apart, beside places; the rest has a form of its own, and is one kind."""
FIRST_FRESH = 13
"""On the text of this author and those after it no rule was tuned: it counts twice."""
GROUPS = 3
PHRASES_ALONE = "phrases"
COPIES, EPOCHS, OF_PHRASES = 3, 4, 700
_SEED = 20
THRESHOLDS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95)
PART = 6
"""So many notes of a file for a network that a test makes again."""
_SAMPLE = 300
_KNOTS = 30
_LEAST = 0.02


@dataclass(frozen=True)
class Example:
    """A text with what is marked in it and what the rules say of it."""

    note: Text
    row: Row
    kinds: list[int]
    """The label of each token by its place in LABELS; -1 where it does not count."""
    named: list[bool]
    copy: int
    won: list[Span] = field(repr=False)
    safe: list[Span] = field(repr=False)

    def facts(self) -> list[tuple[str, ...]]:
        """Of each token."""
        note, won, safe = self.note, self.won, self.safe
        said = evidence_of(
            note, won, [tokens_of(note, span) for span in won], safe, [tokens_of(note, span) for span in safe]
        )
        rows = zip(note.written, gaps_of(note), places_of(note), strict=True)
        return [
            (*word_facts(word), *gap_facts(gap), *place_facts(place), *(evidence_facts(said[at]) if at in said else ()))
            for at, (word, gap, place) in enumerate(rows)
        ]

    def gold(self) -> list[GoldSpan]:
        spans = self.row["spans"]
        return [gold_span(self.note, span["start"], span["end"], span["label"]) for span in spans]


class Recorder:
    """A detector that only notes what the rules found before the network would weigh it."""

    name = "recorder"

    def find(self, text: str, known: object = None) -> list[Span]:
        return []

    def after_resolution(self, note: Text, won: Sequence[Span], safe: Sequence[Span]) -> list[Span]:
        self.note, self.won, self.safe = note, list(won), list(safe)
        return list(won)


class Examples:
    """Makes examples of texts."""

    def __init__(self) -> None:
        self.sorting, self.recorder = Detectors.of("addresses", "organisations", "places"), Recorder()
        self.rules = Detectors.usual(also=[self.recorder], without=["learned"])

    def of(self, row: Row, written: str, copy: int) -> Iterator[Example]:
        """None of a text that the rules read with other tokens than it has."""
        marks = list(_marks(row, self.sorting))
        self.rules.find(written)
        note = self.recorder.note
        if [token[:2] for token in note.tokens] != [token[:2] for token in Text.of(written).tokens]:
            return
        kinds, named = [0] * len(note.tokens), [False] * len(note.tokens)
        for (start, end, kind), span in zip(marks, row["spans"], strict=True):
            counts = gold_span(written, span["start"], span["end"], span["label"]).role == "phi"
            for at in tokens_of(note, Span(start, end, kind, 1.0)):
                if counts:
                    kinds[at], named[at] = LABELS.index(kind), kind == "NAME"
                elif not kinds[at]:
                    kinds[at] = -1
        yield Example(note, row, kinds, named, copy, self.recorder.won, self.recorder.safe)


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


def marked_files() -> list[Path]:
    return sorted(MARKED.glob("tuning*_[nq]*.jsonl"))


def authors(copies: int = COPIES, most: int | None = None, only: Sequence[str] = ()) -> dict[str, list[Example]]:
    """Author → examples: of every note, or of so many of each file; of some authors, or of all."""
    making = Examples()
    found: dict[str, list[Example]] = defaultdict(list)
    for path in marked_files():
        author = path.stem.partition("_")[0]
        if only and author not in only:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()[:most]):
            row = json.loads(line)
            found[author] += making.of(row, row["text"], 0)
            for copy in range(1, copies + 1):
                found[author] += making.of(*redrawn(row, Random(f"{_SEED} {path.stem} {number} {copy}")), copy)
    random = Random(_SEED)
    for _ in range(most or OF_PHRASES * copies):
        row = of_phrases(random)
        found[PHRASES_ALONE] += making.of(row, cased(row, random), 1)
    return found


def made(sets: Mapping[str, Sequence[Example]], epochs: int = EPOCHS) -> Network:
    """A network of some authors."""
    every = [(author, example) for author, theirs in sets.items() for example in theirs if example.note.written]
    facts = vocabulary((author, example.facts(), example.named) for author, example in every if example.copy < 2)
    known = {fact: row for row, fact in enumerate(facts)}
    texts: list[Encoded] = []
    for author, example in every:
        one = encoded(example.facts(), example.kinds, known)
        texts += [one] * (2 if author != PHRASES_ALONE and _number(author) >= FIRST_FRESH else 1)
    rules = {span.reason for _, example in every for span in example.won} - {REASON}
    card = NetworkCard(LABELS, tuple(sorted(rules)), (), (), len(every), 1.0)
    weights = trained(texts, facts, len(LABELS), epochs, _SEED)
    return rounded(weights, facts, card, texts[:: max(1, len(texts) // _SAMPLE)])


def _number(author: str) -> int:
    return int(author.removeprefix("tuning") or 1)


Findings = list[tuple[float, bool]]


def left_out(sets: Mapping[str, Sequence[Example]]) -> Iterator[tuple[list[str], Network]]:
    """Groups of authors, and a network of all others."""
    names = [name for name in sets if name != PHRASES_ALONE and _number(name) >= FIRST_FRESH]
    for group in range(GROUPS):
        apart = names[group::GROUPS]
        yield apart, made({name: theirs for name, theirs in sets.items() if name not in apart})


def findings(network: Network, examples: Sequence[Example]) -> tuple[Findings, Findings]:
    """How certain each finding is and whether most of its words were marked; and the same for each token."""
    weighing, spans, tokens = Weighing(least=_LEAST, given=network), Findings(), Findings()
    known = network.rules | {REASON}
    for example in examples:
        certain = [0.0] * len(example.kinds)
        for span in weighing.after_resolution(example.note, example.won, example.safe):
            touched = tokens_of(example.note, span)
            hits = [example.kinds[at] > 0 for at in touched if example.kinds[at] >= 0]
            if span.kind in ("DRUG", "DOSE") or not hits:
                continue
            weighed = span.kind not in OF_THEIR_OWN_FORM and span.reason in known
            if weighed:
                spans.append((span.certainty, 2 * sum(hits) > len(hits)))
            for at in touched:
                certain[at] = span.certainty if weighed else 1.0
        counted = zip(certain, example.kinds, strict=True)
        tokens += [(sure, kind > 0) for sure, kind in counted if kind >= 0]
    return spans, tokens


def calibration(spans: Findings) -> tuple[tuple[float, float], ...]:
    """Knots of a line that rises: how often a finding is right of which the network says so much."""
    said, right = (np.array(column, dtype=np.float64) for column in zip(*spans, strict=True))
    fitted = IsotonicRegression(y_min=0.0, y_max=1.0, out_of_bounds="clip").fit(said, right)
    inner = np.concatenate((np.linspace(0.0, 0.1, 6)[1:], np.linspace(0.1, 0.9, _KNOTS - 12), np.linspace(0.9, 1.0, 8)))
    knots = np.unique(np.concatenate(([0.0], inner)))
    to = np.concatenate(([0.0], fitted.predict(knots[1:])))
    return tuple((round(float(at), 4), round(float(by), 4)) for at, by in zip(knots, to, strict=True))


def curve(tokens: Findings) -> tuple[tuple[float, float, float], ...]:
    """Threshold, precision and recall of tokens."""
    said, right = np.array([sure for sure, _ in tokens]), np.array([hit for _, hit in tokens], dtype=bool)
    points = []
    for least in THRESHOLDS:
        found = said >= least
        hits = int((found & right).sum())
        points.append((least, round(hits / max(1, int(found.sum())), 4), round(hits / max(1, int(right.sum())), 4)))
    return tuple(points)


def scores(network: Network, examples: Sequence[Example]) -> Json:
    """Precision, recall, F2 and documents without a leak of an author's text."""
    board, weighing = Scores(), Weighing(given=network)
    for example in examples:
        board.add(example.note, example.gold(), weighing.after_resolution(example.note, example.won, example.safe))
    return board.to_json()["phi"]


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def inputs() -> dict[str, str]:
    """Every file that training reads or runs here, and its hash; what rules find is told apart (`part`)."""
    here = Path(__file__)
    names = ("learned_network.py", "learned_redrawn.py", "learned_variants.py")
    files = [*marked_files(), PHRASES, here, *map(here.with_name, names)]
    root = here.parent.parent
    return {path.relative_to(root).as_posix(): digest(path.read_bytes()) for path in files}


def part() -> dict[str, object]:
    """Of a few notes: the hash of what a network is told, and how probable a network of these calls each kind, on the
    whole. Rules, facts, variants or the trainer have changed where this is another."""
    sets = authors(1, PART, ("tuning9", "tuning14"))
    told = [(example.facts(), example.kinds) for theirs in sets.values() for example in theirs]
    network = made(sets, epochs=8)
    example = sets["tuning9"][0]
    won_tokens, safe_tokens = (
        [tokens_of(example.note, span) for span in spans] for spans in (example.won, example.safe)
    )
    probable = network.probabilities(example.note, example.won, won_tokens, example.safe, safe_tokens)
    mean: NDArray[np.float64] = probable.mean(axis=0)
    return {"facts": digest(json.dumps(told).encode()), "says": [round(float(share), 4) for share in mean]}


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--out", type=Path, default=Path("src/sharewell/data/notes"))
    asked.add_argument("--apart", action="store_true", help="measure on each group in turn; write nothing")
    told, sets = asked.parse_args(), authors()
    spans, tokens = Findings(), Findings()
    for names, network in left_out(sets):
        for name in names:
            theirs = [example for example in sets[name] if not example.copy]
            if told.apart:
                sys.stdout.write(f"{name}: {scores(network, theirs)}\n")
            found = findings(network, theirs)
            spans += found[0]
            tokens += found[1]
    if not told.apart:
        written(made(sets), spans, tokens, told.out)


def written(network: Network, spans: Findings, tokens: Findings, folder: Path) -> None:
    """Write the network with its calibration, the curve beside it, and what both were made of."""
    knots = calibration(spans)
    said, right = zip(*knots, strict=True)
    points = curve([(float(np.interp(sure, said, right)), hit) for sure, hit in tokens])
    card = replace(network.card, calibration=knots, trained_on=tuple(sorted(inputs().values())))
    content = replace(network, card=card).to_bytes()
    packed = gzip.compress(content, 9, mtime=0)
    (folder / "learned.network.gz").write_bytes(packed)
    rows = "".join(f"{least},{precision},{recall}\n" for least, precision, recall in points)
    (folder / "learned_curve.csv").write_text("certainty,precision,recall\n" + rows)
    made_of = {"inputs": inputs(), "part": part(), "network": digest(content)}
    MADE_OF.write_text(json.dumps(made_of, indent=1) + "\n")
    sys.stdout.write(f"{len(packed):,} bytes, {network.card.notes} notes\n{rows}")


if __name__ == "__main__":
    main()
