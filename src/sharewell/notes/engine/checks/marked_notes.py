"""Marked notes, matched with their published texts, and what is left there of the marked spans.

A marked note is looked for among the published texts by its unmarked words; then the two are aligned word for word.
Nothing that a mechanism reports is used: no map of offsets, no list of spans.

>>> note = GoldNote.of("Seen by Rosa Delgado on 5 March 2019 for gout.", [(8, 20, "NAME"), (24, 36, "DATE")])
>>> note.compared("Seen by Rosa Ortiz on 7 March 2019 for gout.")
LeakComparison(kept=1.0, spans=2, leaked=1, tokens=5, survived=3)
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from heapq import nlargest, nsmallest
from itertools import pairwise, repeat
from typing import NamedTuple

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.notes.data import Notes
from sharewell.notes.engine.checks.known_value_search import PARTICLES
from sharewell.notes.engine.checks.plain_text import plain
from sharewell.notes.engine.word_lists import listed
from sharewell.spelling import fold

_WORD = re.compile(r"90\+|[^\W_]+")
_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")
_NOT_IDENTIFYING = ("DRUG", "DOSE")
_NAMES = ("NAME", "PATIENT", "DOCTOR", "PERSON", "STAFF", "RELATIVE", "USERNAME")
_FORM = PARTICLES | listed(
    "of the and a at in on st street avenue ave road rd drive dr lane court blvd way suite unit apt box po ct hospital"
    " clinic center centre medical health general community university regional memorial associates inc dept"
    " department mr mrs ms miss md rn phd jr sr ext com org net edu www http https am pm"
    " family service services care school academy insurance company"
)
"""Words that tell nothing by themselves: a replacement of the same kind may hold them too."""
_PAIRS, _CANDIDATES, _FITTING, _ALIKE = 40, 16, 0.7, 0.02
FOUND = 0.8
"""A published text is a note's counterpart if so much of what nobody marked is in it."""


class LeakComparison(NamedTuple):
    """A marked note beside a published text."""

    kept: float
    """Share of the unmarked words that are in it, in their order."""
    spans: int
    leaked: int
    """Marked pieces that are left: of a name one word, of a date day and month, of all else more than half."""
    tokens: int
    survived: int


@dataclass(frozen=True)
class GoldNote:
    """An original note with the identifying pieces that people marked in it."""

    words: tuple[str, ...] = field(repr=False)
    pieces: tuple[tuple[str, tuple[int, ...]], ...] = field(repr=False)
    """Label and words of each piece."""
    ignored: frozenset[int] = field(default=frozenset(), repr=False)
    """Words that are marked and identify nobody, such as drugs: they may be published or not."""
    person: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, text: str, spans: Iterable[tuple[int, int, str]], person: str | None = None) -> GoldNote:
        places = [match.span() for match in _WORD.finditer(text)]
        words = tuple(plain(text[start:end]).casefold() for start, end in places)
        pieces, aside = [], set()
        for start, end, label in spans:
            if not 0 <= start <= end <= len(text):
                raise ValueError("a span beyond the text")
            first = bisect_right(places, start, key=lambda place: place[1])
            words_in_span = tuple(i for i in range(first, len(places)) if places[i][0] < end) if start < end else ()
            if words_in_span and _identifying(label.upper(), [words[i] for i in words_in_span]):
                pieces.append((label.upper(), words_in_span))
            else:
                aside |= set(words_in_span)
        return cls(words, tuple(pieces), frozenset(aside), person)

    @cached_property
    def marked_words(self) -> frozenset[int]:
        """The words of all pieces."""
        return frozenset(i for _, piece in self.pieces for i in piece)

    @cached_property
    def unmarked(self) -> frozenset[int]:
        """The words by which the note is recognised."""
        return frozenset(range(len(self.words))) - self.marked_words - self.ignored

    @cached_property
    def context(self) -> frozenset[tuple[str, str]]:
        """Pairs of neighbours that nobody marked."""
        by_itself = self.unmarked
        return frozenset((self.words[i], self.words[i + 1]) for i in by_itself if i + 1 in by_itself)

    def compared(self, text: str) -> LeakComparison:
        """What of the pieces is left in a published text."""
        shown = _words(text)
        blocks = SequenceMatcher(None, self.words, shown, autojunk=False).get_matching_blocks()
        aligned = {i for block in blocks for i in range(block.a, block.a + block.size)}
        kept = len(aligned & self.unmarked) / len(self.unmarked) if self.unmarked else float(bool(aligned))
        survived = {i for i in self.marked_words if i in aligned} | self._surplus(shown, aligned)
        leaked = sum(_leaks(label, piece, self.words, survived) for label, piece in self.pieces)
        return LeakComparison(kept, len(self.pieces), leaked, len(self.marked_words), len(survived))

    def _surplus(self, shown: Sequence[str], aligned: set[int]) -> set[int]:
        """Words that are published more often than nobody marked them: wherever they stand, some have survived."""
        published = Counter(shown)
        unmarked = Counter(word for i, word in enumerate(self.words) if i not in self.marked_words)
        survivors: set[int] = set()
        surplus = {word: count - unmarked[word] for word, count in published.items()}
        for i in sorted(self.marked_words, key=lambda i: (i not in aligned, i)):
            word = self.words[i]
            if surplus.get(word, 0) > 0 and not (word.isdecimal() and len(word) <= 4):
                surplus[word] -= 1
                survivors.add(i)
        return survivors


def read_gold(source: Source, subject: str = "") -> list[GoldNote]:
    """From JSON Lines, or any table with the columns `text` and `spans`; whose a note is, where a column says it."""
    table = source.read(["text", "spans", *([subject] if subject else [])])
    persons = table[subject].to_pylist() if subject else [None] * table.num_rows
    notes = []
    for row, (text, spans, person) in enumerate(
        zip(table["text"].to_pylist(), table["spans"].to_pylist(), persons, strict=True), 1
    ):
        try:
            listed_spans = json.loads(spans) if isinstance(spans, str) else spans or []
            marks = [(int(span["start"]), int(span["end"]), str(span["label"])) for span in listed_spans]
            notes.append(GoldNote.of(text or "", marks, None if person is None else fold(str(person))))
        except (KeyError, TypeError, ValueError):
            problem = "a span wants start, end (0 ≤ start ≤ end ≤ length) and label"
            raise DataError(f"{source.label}, note {row} — {problem} — correct it") from None
    return notes


def counterparts(sample: Sequence[GoldNote], data: Notes) -> list[LeakComparison | None]:
    """Every marked note beside its published counterpart; None where there is none. Texts are streamed once.

    Where several texts fit equally well (notes are copied), the one that gives most away counts.
    """
    candidates: list[list[tuple[float, str]]] = [[] for _ in sample]
    for text, number, score in _scored(sample, data):
        if (score, text) not in candidates[number]:  # equal texts tell the same
            candidates[number] = nlargest(_CANDIDATES, [*candidates[number], (score, text)])
    return [
        _best([note.compared(text) for score, text in texts if score >= _FITTING * texts[0][0]])
        for note, texts in zip(sample, candidates, strict=True)
    ]


def _scored(sample: Sequence[GoldNote], data: Notes) -> Iterator[tuple[str, int, float]]:
    """Published texts, the marked notes that each may have come from, and how well they fit.

    A note is recognised by those of its pairs of words that fewest notes of the sample have.
    """
    common = Counter(pair for note in sample for pair in note.context)
    index: dict[tuple[str, str], list[int]] = {}
    for number, note in enumerate(sample):
        for pair in nsmallest(_PAIRS, note.context, key=lambda pair: (common[pair], pair)):
            index.setdefault(pair, []).append(number)
    short = [number for number, note in enumerate(sample) if not note.context]
    sampled_persons = {note.person for note in sample}
    persons = data.persons if data.persons is not None and None not in sampled_persons else None
    for text, person in zip(data.texts, persons if persons is not None else repeat(None), strict=False):
        person = None if person is None else fold(person)
        if persons is not None and person not in sampled_persons:
            continue
        shown = _words(text)
        votes: Counter[int] = Counter()
        for pair in index.keys() & set(pairwise(shown)):
            votes.update(index[pair])
        votes.update(i for i in short if abs(len(shown) - len(sample[i].words)) <= len(sample[i].words))
        for number, count in votes.items():
            if persons is None or sample[number].person == person:
                yield text, number, count / min(_PAIRS, len(sample[number].context) or 1)


def _best(comparisons: list[LeakComparison]) -> LeakComparison | None:
    best = max((comparison.kept for comparison in comparisons), default=0.0)
    if best < FOUND:
        return None
    return max(
        (comparison for comparison in comparisons if comparison.kept >= best - _ALIKE),
        key=lambda comparison: (comparison.leaked, comparison.survived),
    )


def _words(text: str) -> list[str]:
    return [plain(match[0]).casefold() for match in _WORD.finditer(text)]


def _identifying(label: str, words: Sequence[str]) -> bool:
    """Years by themselves, ages below 90, drugs and doses are marked in some files, and identify nobody."""
    if label.startswith("AGE"):
        return any(89 < _leading(word) < 130 for word in words)
    return label not in _NOT_IDENTIFYING and not (label.startswith("DATE") and all(map(_YEAR.fullmatch, words)))


def _leading(word: str) -> int:
    match = re.match(r"\d{1,4}", word)
    return int(match[0]) if match else 0


def _leaks(label: str, piece: Sequence[int], words: Sequence[str], survived: set[int]) -> bool:
    """Of a name one telling word is enough; of a date day and month must be left; of all else more than half."""
    if label.startswith("DATE"):
        return all(i in survived for i in piece if not _YEAR.fullmatch(words[i]))
    telling = [i for i in piece if len(words[i]) > 1 and words[i] not in _FORM] or piece
    letters_left = sum(len(words[i]) for i in telling if i in survived)
    return letters_left > 0 if label in _NAMES else 2 * letters_left > sum(len(words[i]) for i in telling)
