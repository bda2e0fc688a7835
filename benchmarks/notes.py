"""Clinical text: how well identifiers, drugs and doses are found, and how quickly, beside other tools.

Two sorts of sets. Those in `benchmarks/marked` are invented and shipped: on `tuning…` the rules were tuned and the
model was trained, the `heldout…` ones nobody who wrote a rule has looked at. Others come through `--data`; by a hash of
its identifier a note belongs to the half that rules were tuned on or to the other, which was only measured. Both are
told, and bars are for what was not tuned on. A generated hospital needs no data. Peers are measured on what was not
tuned on, each in an environment of its own, by the same scores.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.house import Result
from benchmarks.peers.installing import ask, interpreter
from sharewell.io.jsonlines import read_jsonl
from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.detection_scores import GoldSpan, Scores, gold_span
from sharewell.notes.engine.spans import Span
from sharewell.notes.matcher.language_packs import language_packs

SETS = ("notes_phi_dev", "presidio_synth_v2", "aci_drug_dose_dev", "icu_incidents_dev")
PEERS = ("philter", "presidio", "scrubadub", "drug_ner")
HALVES = ("tuned on", "measured only")
MARKED = Path(__file__).parent / "marked"
ROLES = {"tuning": "trained on", "heldout": "held out"}
Note = tuple[str, list[GoldSpan]]


def notes(data: Path | None, rows: int) -> Iterator[Result]:
    """Every set at hand; bars are for the half that was only measured."""
    detectors = Detectors.usual().ready()
    yield from _speed(detectors)
    yield from _told("generated hospital", _ours(detectors, _hospital()))
    yield from _shipped(detectors)
    yield from _languages()
    for name in SETS:
        file = None if data is None else next(data.rglob(f"{name}.jsonl"), None)
        if file is None:
            yield Result(f"{name}: skipped, needs --data with {name}.jsonl", None)
            continue
        halves = _halves(file)
        for half, told in enumerate(HALVES):
            yield from _told(f"{name}, {told}", _ours(detectors, halves[half]), bars=half == 1)
        yield from _peers(name, halves[1])


def _shipped(detectors: Detectors) -> Iterator[Result]:
    """The sets of this directory."""
    for file in sorted(MARKED.glob("*.jsonl"), reverse=True):
        role = file.stem.partition("_")[0].rstrip("0123456789")
        name, told = file.stem, ROLES.get(role, role)
        given = [note for half in _halves(file) for note in half]
        yield from _told(f"{name}, {told}", _ours(detectors, given), bars=role == "heldout")
        if role == "heldout":
            yield from _peers(f"{name}, {told}", given)


def _languages() -> Iterator[Result]:
    """The sets of languages that have a pack."""
    for pack in language_packs().values():
        detectors = Detectors.of_language(pack.name).ready()
        for file in sorted((MARKED / pack.code).glob("*.jsonl"), reverse=True):
            role = file.stem.partition("_")[0]
            given = [note for half in _halves(file) for note in half]
            told = {"tuning": "tuned on"}.get(role, ROLES.get(role, role))
            yield from _told(f"{pack.name} {file.stem}, {told}", _ours(detectors, given), bars=role == "heldout")


def _halves(file: Path) -> tuple[list[Note], list[Note]]:
    halves: tuple[list[Note], list[Note]] = ([], [])
    for _, row in read_jsonl(file):
        spans = [gold_span(row["text"], s["start"], s["end"], s["label"]) for s in row["spans"]]
        halves[hashlib.sha256(str(row["id"]).encode()).digest()[0] & 1].append((row["text"], spans))
    return halves


def _hospital(patients: int = 400) -> list[Note]:
    from sharewell.hospital.hospital import Hospital

    hospital = Hospital(patients=patients, seed=7)
    listed: list[Note] = []
    for bodies, truths in ((block.notes, block.note_spans) for block in hospital.blocks()):
        for body, truth in zip(bodies, truths, strict=True):
            text = body["body"]
            listed.append((text, [gold_span(text, s["start"], s["end"], s["label"]) for s in truth["spans"]]))
    return listed


def _ours(detectors: Detectors, given: Sequence[Note]) -> dict[str, Any]:
    scores = Scores()
    for text, gold in given:
        began = time.process_time()
        found = detectors.find(text)
        scores.seconds += time.process_time() - began
        scores.add(text, gold, found)
    return scores.to_json()


def _speed(detectors: Detectors) -> Iterator[Result]:
    """Generated notes, glued to a kilobyte each."""
    glued = "\n".join(text for text, _ in _hospital(200))
    pieces = [glued[at : at + 1000] for at in range(0, min(len(glued), 300_000), 1000)]
    speeds = []
    for _ in range(4):
        began = time.process_time()
        for piece in pieces:
            detectors.find(piece)
        speeds.append(len(pieces) / (time.process_time() - began))
    yield Result("notes of 1 kB a CPU second, all detectors, at first sight", speeds[0], "/s", 300, "≥")
    yield Result("notes of 1 kB a CPU second, all detectors, once more", max(speeds[1:]), "/s", 300, "≥")
    answer = _asked("philter", pieces[::5])
    if answer is None:
        yield Result("philter on the same notes: skipped, could not install", None)
    else:
        philter = len(pieces[::5]) / answer["seconds"]
        yield Result("philter, notes of 1 kB a CPU second", philter, "/s")
        yield Result("notes a CPU second, once more, to philter's", max(speeds[1:]) / philter, "×", 15, "≥")
    yield Result("CPU seconds of a new process until it has found something", _first_finding(), "s", 0.5)


def _first_finding() -> float:
    """The least of three processes that look at one short note with all detectors.

    The first keeps what it works out of the rules (`io.kept_files`), and Python the code of its modules, as it does
    wherever the software is installed.
    """
    script = (
        "import time; from sharewell.notes.detectors import Detectors\n"
        "Detectors.usual().find('Seen 3 May 2021 by Dr. Roe, call 503-555-0142.'); print(time.process_time())"
    )
    given = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    runs = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=given)
        for _ in range(3)
    ]
    return min(float(run.stdout) for run in runs)


def _told(name: str, scores: dict[str, Any], bars: bool = False) -> Iterator[Result]:
    phi = scores.get("phi")
    if phi:
        yield Result(f"{name}: F2", phi["f2"], "", 0.95 if bars else None, "≥")
        yield Result(f"{name}: precision", phi["precision"], "", 0.85 if bars else None, "≥")
        yield Result(f"{name}: recall", phi["recall"])
        yield Result(f"{name}: notes without a leak", phi["clean"] / phi["documents"], "", 0.6 if bars else None, "≥")
        for label, recall in phi["by_label"].items():
            yield Result(f"{name}: recall of {label}", recall)
    for part, least in (("drug", 0.85), ("dose", 0.9)):
        if part in scores:
            yield Result(f"{name}: {part} recall", scores[part]["recall"], "", least if bars else None, "≥")
            yield Result(f"{name}: {part} precision", scores[part]["precision"], "", 0.95 if bars else None, "≥")
    yield Result(f"{name}: notes a CPU second", scores["notes_per_cpu_second"], "/s")


def _peers(name: str, given: Sequence[Note]) -> Iterator[Result]:
    """What each peer finds in the same notes, scored alike."""
    drugs = any(mark.role == "drug" for _, gold in given for mark in gold)
    for peer in PEERS:
        if (peer == "drug_ner") != drugs:
            continue
        answer = _asked(peer, [text for text, _ in given])
        if answer is None:
            yield Result(f"{peer}: skipped, could not install", None)
            continue
        scores = Scores(seconds=answer["seconds"])
        for (text, gold), found in zip(given, answer["spans"], strict=True):
            scores.add(text, gold, [Span(start, end, kind, 1.0) for start, end, kind in found])
        told = scores.to_json()
        if drugs:
            told.pop("dose", None)
        else:
            told["phi"]["by_label"] = {}
        yield from _told(f"{name}, {peer}", told)


def _asked(peer: str, texts: Sequence[str]) -> dict[str, Any] | None:
    """What a peer finds in some texts, and its CPU seconds; None if it cannot be installed."""
    python = interpreter(peer)
    if python is None:
        return None
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "texts.json"
        file.write_text(json.dumps(texts), encoding="utf-8")
        return ask(python, peer, file=str(file))
