"""Detectors on a file of notes: the spans they find, and how well these agree with what people marked.

Tokens are Unicode alphanumeric runs. A token is found if any part of it is covered, whatever the kind; a gold span is
found fully if each of its tokens is. F2 weighs recall, for a leak costs more than a word too many. A file without gold
in which nothing is found scores 1.

The reading is the strictest one: names with initials, dates finer than a year, ages over 89, places below the country
(the state too), hospitals, employers, contacts and numbers. What was marked but does not identify by this reading (a
year, a country, an age below 90, a title) is *neutral*: found or not, it does not count. Drugs and doses are scored by
spans: one is found if some finding of that kind overlaps it, and a finding is right if it overlaps one that was marked.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.gazetteer import countries
from sharewell.notes.engine.spans import Span, tokens
from sharewell.plain_data import Json, JsonObject
from sharewell.roles import did_you_mean

NEUTRAL = "neutral"
_KEYS = ("id", "note_id", "note")
"""Columns that name a note."""
_ROLES = {
    **dict.fromkeys(("DATE", "DATE_TIME"), "date"),
    **dict.fromkeys(("LOCATION", "PLACE", "GPE", "LOC"), "place"),
    **dict.fromkeys(("TITLE", "NRP", "NORP", "COUNTRY", "PROFESSION"), NEUTRAL),
    **{kind.upper(): kind for kind in ("age", "drug", "dose")},
}
"""What labels of known corpora count as; every other label counts as identifying (phi)."""

_STRAY = 0.05
"""So small a share of marks may stand elsewhere than they say: a slip of the hand, not another way to count."""
_COUNTED = "count offsets in characters (not bytes, not UTF-16), from 0, up to but not including end"
_YEAR = re.compile(r"\s*(?:in |the )?(?:['’]?\d{2}|(?:1[89]|20)\d{2})(?:['’]?s)?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class GoldSpan:
    """A gold span: where, its label, and what that counts as (phi, drug, dose, neutral)."""

    start: int
    end: int
    label: str
    role: str


@dataclass
class Scores:
    """Counts over documents; `to_json` turns them into shares."""

    documents: int = 0
    clean: int = 0
    gold: int = 0
    found: int = 0
    right: int = 0
    spans: int = 0
    full: int = 0
    labels: Counter[str] = field(default_factory=Counter)
    label_hits: Counter[str] = field(default_factory=Counter)
    terms: Counter[tuple[str, str]] = field(default_factory=Counter)
    marked: set[str] = field(default_factory=set)
    seconds: float = 0.0

    def add(self, text: str, gold: Sequence[GoldSpan], found: Sequence[Span]) -> None:
        """One document."""
        self.documents += 1
        self.marked |= {mark.role for mark in gold}
        self._add_tokens(text, gold, [span for span in found if span.kind not in ("DRUG", "DOSE")])
        for role in ("drug", "dose"):
            term_spans = [span for span in found if span.kind == role.upper()]
            marks = [mark for mark in gold if mark.role == role]
            self.terms[role, "found"] += len(term_spans)
            self.terms[role, "right"] += sum(any(_meet(span, mark) for mark in marks) for span in term_spans)
            self.terms[role, "gold"] += len(marks)
            self.terms[role, "hit"] += sum(any(_meet(span, mark) for span in term_spans) for mark in marks)

    def _add_tokens(self, text: str, gold: Sequence[GoldSpan], results: Sequence[Span]) -> None:
        places = tokens(text)
        covered = _covered(places, results)
        neutral = _covered(places, [mark for mark in gold if mark.role == NEUTRAL])
        wanted: set[int] = set()
        for mark in gold:
            if mark.role == "phi":
                marked_tokens = _covered(places, [mark])
                wanted |= marked_tokens
                self.labels[mark.label] += len(marked_tokens)
                self.label_hits[mark.label] += len(marked_tokens & covered)
                self.spans += 1
                self.full += marked_tokens <= covered
        self.gold += len(wanted)
        self.right += len(wanted & covered)
        self.found += len(covered - (neutral - wanted))
        self.clean += wanted <= covered

    def to_json(self) -> JsonObject:
        scores: dict[str, object] = {}
        if "phi" in self.marked or not self.marked - {NEUTRAL}:
            scores["phi"] = self._phi()
        for role in ("drug", "dose"):
            if role in self.marked:
                count = {part: self.terms[role, part] for part in ("found", "right", "gold", "hit")}
                precision, recall = _share(count["right"], count["found"]), _share(count["hit"], count["gold"])
                scores[role] = {"precision": precision, "recall": recall}
        scores["notes_per_cpu_second"] = round(self.documents / max(self.seconds, 1e-9), 1)
        return scores

    def _phi(self) -> dict[str, object]:
        precision, recall = _share(self.right, self.found), _share(self.right, self.gold)
        weighed = 4 * precision + recall
        return {
            "precision": precision,
            "recall": recall,
            "f2": round(5 * precision * recall / weighed, 4) if weighed else 0.0,
            "full": _share(self.full, self.spans),
            "clean": self.clean,
            "documents": self.documents,
            "by_label": {label: _share(self.label_hits[label], self.labels[label]) for label in sorted(self.labels)},
        }


def evaluate(path: Path, detectors: Detectors | None = None) -> JsonObject:
    """The scores of a file of marked notes (JSON Lines with `text` and `spans`), and notes per CPU second."""
    detectors = (detectors or Detectors.usual()).ready()  # lists load once, before the clock
    scores = Scores()
    for text, gold in read_marked(path):
        began = time.process_time()
        result = detectors.find(text)
        scores.seconds += time.process_time() - began
        scores.add(text, gold, result)
    if not scores.documents:
        raise DataError(f"{path.name} — contains no note — one JSON object per line, with 'text' and 'spans'")
    return scores.to_json()


def read_marked(path: Path) -> Iterator[tuple[str, list[GoldSpan]]]:
    """Notes with their gold spans. Spans beyond the text or without a label are a DataError by line; so are, at the
    end, offsets that count something else than characters."""
    from sharewell.io.jsonlines import read_jsonl

    marks, misplaced, first = 0, 0, 0
    for number, row in read_jsonl(path):
        text, spans = row.get("text"), row.get("spans") or []
        if not isinstance(text, str) or not isinstance(spans, list):
            raise DataError(f"{path.name}, line {number} — wants 'text' as a string and 'spans' as a list")
        try:
            marked = [gold_span(text, int(s["start"]), int(s["end"]), str(s["label"])) for s in spans]
        except (KeyError, TypeError, ValueError):
            raise DataError(
                f"{path.name}, line {number} — a span wants start, end (0 ≤ start ≤ end ≤ length) and label"
            ) from None
        astray = sum(_astray(text, span) for span in spans)
        first = first or (number if astray else 0)
        marks, misplaced = marks + len(spans), misplaced + astray
        yield text, marked
    if misplaced > _STRAY * marks:
        problem = f"the text of {misplaced} of {marks} spans stands elsewhere than from start to end"
        raise DataError(f"{path.name}, line {first} and on — {problem} — {_COUNTED}")


def _astray(text: str, span: Mapping[str, Json]) -> bool:
    """Do a span's own words stand in the text, but not at its offsets? They may count bytes, or halves of characters.

    Blanks, case and punctuation may differ: some write the words down tidily.
    """
    span_text = span.get("text")
    if not isinstance(span_text, str) or span_text not in text:
        return False
    span_letters, letters_at_offsets = (
        _letters(part) for part in (span_text, text[int(span["start"]) : int(span["end"])])
    )
    return span_letters not in letters_at_offsets


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def gold_span(text: str, start: int, end: int, label: str) -> GoldSpan:
    """A gold span with what it counts as: a mere year, a country or an age below 90 is neutral."""
    if not 0 <= start <= end <= len(text):
        raise ValueError("a span beyond the text")
    role = _ROLES.get(label.upper().replace(" ", "_"), "phi")
    covered = text[start:end]
    if role == "date":
        role = NEUTRAL if _YEAR.fullmatch(covered) else "phi"
    elif role == "place":
        role = NEUTRAL if covered.strip().casefold() in countries() else "phi"
    elif role == "age":
        numbers = [int(n) for n in re.findall(r"\d+", covered)]
        role = "phi" if any(89 < n < 130 for n in numbers) else NEUTRAL
    return GoldSpan(start, end, label, role)


def _covered(token_places: Sequence[tuple[int, int]], spans: Iterable[Span | GoldSpan]) -> set[int]:
    """Which tokens have a part in some span."""
    covered: set[int] = set()
    for span in spans:
        index = bisect_right(token_places, span.start, key=lambda place: place[1])
        while index < len(token_places) and token_places[index][0] < span.end and span.start < span.end:
            covered.add(index)
            index += 1
    return covered


def _meet(span: Span, mark: GoldSpan) -> bool:
    return span.start < mark.end and mark.start < span.end


def _share(part: int, total: int) -> float:
    return round(part / total, 4) if total else 1.0


@dataclass(frozen=True)
class NoteSpans:
    """A note by its identifier, and the spans that detectors find in it."""

    id: str
    spans: list[Span]

    def to_json(self) -> dict[str, object]:
        return {"id": self.id, "spans": [asdict(span) for span in self.spans]}


def read_notes(file: Source | Path, text: str = "text") -> Iterator[tuple[str, str]]:
    """Identifiers and texts: of JSON Lines or a table with a note a row, of a folder, or of a file that is one note."""
    source = file if isinstance(file, Source) else Source.detected(file, documents=True)[0]
    if source.format != "jsonl":
        yield from _from_table(source, text)
        return
    from sharewell.io.jsonlines import read_jsonl

    assert source.path is not None
    name = source.path.name
    for number, row in read_jsonl(source.path):
        if not isinstance(row.get(text), str):
            raise DataError(f"{name}, line {number} — has no '{text}' that is a string — name the key with --text")
        yield str(row.get("id", row.get("note_id", number))), row[text]


def _from_table(source: Source, text: str) -> Iterator[tuple[str, str]]:
    names = source.names()
    if text not in names:
        hint = did_you_mean(text, names) or f"it has {len(names)} others"
        raise DataError(f"{source.label} — no column '{text}' — {hint}: name it with --text")
    key = next((name for name in _KEYS if name in names), None)
    number = 0
    for table in source.batches([text] if key is None else [text, key]):
        keys = [None] * table.num_rows if key is None else table[key].to_pylist()
        for one, body in zip(keys, table[text].to_pylist(), strict=True):
            number += 1
            yield str(number if one is None else one), str(body or "")


def detect_file(file: Source | Path, text: str = "text", detectors: Detectors | None = None) -> Iterator[NoteSpans]:
    """The spans in each note of a file, one note at a time."""
    detectors = detectors or Detectors.usual()
    for name, body in read_notes(file, text):
        yield NoteSpans(name, detectors.find(body))
