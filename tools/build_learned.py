"""Train the shipped model on text written and marked for it: `python tools/build_learned.py [--out FILE]`.

The text is that of `benchmarks/marked/tuning*`: invented notes and short queries by several authors. The model sees no
letters beyond those of everyday words that many notes have, so it learns what stands around names rather than names.
`--apart` measures how well it does on authors it has not seen: each in turn is left out, and only measured. Needs
python-crfsuite; takes half a minute. The same text gives the same model.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sharewell.notes.annotation.modelfile import Model
from sharewell.notes.annotation.training import learn, measure
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.learned import usual
from sharewell.notes.detectors.plugged import USUAL

MARKED = Path(__file__).parent.parent / "benchmarks" / "marked"
KINDS = {"NAME": "NAME", "ID": "ID", "DATE": "DATE", "PHONE": "PHONE"}
"""Labels that the model tells apart, beside places; the rest has a form of its own, and is one kind."""
Note = tuple[str, list[tuple[int, int, str]]]


def authors() -> dict[str, list[Note]]:
    """Set → its notes and queries."""
    sorting = Detectors.of("addresses", "organisations", "places", "sites", "venues")
    found: dict[str, list[Note]] = defaultdict(list)
    for path in sorted(MARKED.glob("tuning*_[nq]*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found[path.stem.partition("_")[0]].append((row["text"], list(_spans(row, sorting))))
    return found


def _spans(row: dict, sorting: Detectors) -> Iterator[tuple[int, int, str]]:  # type: ignore[type-arg]
    """Places are marked as one label: what the rules take each for is its kind."""
    places = sorting.find(row["text"])
    for span in row["spans"]:
        start, end = span["start"], span["end"]
        kind = KINDS.get(span["label"], "OTHER")
        if USUAL.get(span["label"]) == "PLACE":
            over = [found for found in places if found.start < end and start < found.end]
            kind = max(over, key=lambda found: min(end, found.end) - max(start, found.start)).kind if over else "PLACE"
        yield start, end, kind


def made(notes: Sequence[Note]) -> Model:
    """Some notes once more in small letters or in capitals: few are written so, and those are the hard ones."""
    small = [(text.lower(), spans) for text, spans in notes[::3] if len(text.lower()) == len(text)]
    capitals = [(text.upper(), spans) for text, spans in notes[1::5] if len(text.upper()) == len(text)]
    return learn([*notes, *small, *capitals], 4, c1=0.5, c2=0.05, max_iterations=100)


def apart(sets: dict[str, list[Note]]) -> Iterator[str]:
    """What rules find of each author's text, alone and with a model of the others' text."""
    for name, notes in sets.items():
        model = made([note for other, theirs in sets.items() if other != name for note in theirs])
        both = Detectors.usual(also=[replace(usual(), given=model)], without=["learned"])
        rules = Detectors.usual(without=["learned"])
        yield f"{name}: rules {measure(rules, notes)}, with a model of the others {measure(both, notes)}"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--out", type=Path, default=Path("src/sharewell/data/notes/learned.json.gz"))
    asked.add_argument("--apart", action="store_true", help="measure on each author in turn; write nothing")
    told, sets = asked.parse_args(), authors()
    if told.apart:
        for line in apart(sets):
            sys.stdout.write(line + "\n")
        return
    model = made([note for notes in sets.values() for note in notes])
    packed = gzip.compress(model.to_bytes(), 9, mtime=0)
    told.out.write_bytes(packed)
    sys.stdout.write(f"{told.out}: {len(packed):,} bytes, {model.sheet.notes} notes of {len(sets)} authors\n")


if __name__ == "__main__":
    main()
