"""Why a note's spans are what they are: every candidate, its rule and certainty, and what became of it.

The text of a candidate is part of a note: show it to whoever may read the note, and to nobody else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.learned import Weighing
from sharewell.notes.engine.readable_text import readable
from sharewell.notes.engine.spans import SAFE, Span, Text
from sharewell.plain_data import JsonObject


@dataclass(frozen=True)
class ExplainedCandidate:
    """A candidate and its fate."""

    detector: str
    span: Span
    fate: str
    won: bool

    @property
    def rule_and_fate(self) -> tuple[str, str, str]:
        return self.detector, self.span.reason, self.fate

    def to_json(self) -> JsonObject:
        span = self.span
        place: JsonObject = {"start": span.start, "end": span.end, "kind": span.kind, "certainty": span.certainty}
        return place | {"detector": self.detector, "rule": span.reason, "won": self.won, "fate": self.fate}


def explain(text: str, detectors: Detectors | None = None) -> tuple[Text, list[ExplainedCandidate]]:
    """The note as it is read, and all candidates in order of place; what other steps added comes as candidates too."""
    detectors = detectors or Detectors.usual()
    note = Text.of(readable(text)[0])
    claimed = [(detector.name, span) for detector in detectors.all for span in detector.find(note, None)]
    ranked = [span for _, span in claimed]
    final, weighed = detectors.resolved(note, ranked), _without_threshold(detectors).resolved(note, ranked)
    candidates = [ExplainedCandidate(name, span, *_fate(span, ranked, final, weighed)) for name, span in claimed]
    ours = {(span.start, span.end) for _, span in claimed}
    added = [span for span in final if not any(span.overlaps(other) for other in ranked)]
    candidates += [
        ExplainedCandidate("resolution", span, f"added: {span.reason}", True)
        for span in added
        if (span.start, span.end) not in ours
    ]
    return note, sorted(candidates, key=lambda one: (one.span.start, one.span.end, -one.span.certainty))


def _without_threshold(detectors: Detectors) -> Detectors:
    """The same, where the model says of everything how certain it is and leaves nothing out."""
    return Detectors(tuple(replace(one, least=0.0) if isinstance(one, Weighing) else one for one in detectors.all))


def _same(span: Span, final: Sequence[Span]) -> list[Span]:
    return [one for one in final if one.overlaps(span) and (one.kind, one.reason) == (span.kind, span.reason)]


def _fate(span: Span, claimed: Sequence[Span], final: Sequence[Span], weighed: Sequence[Span] = ()) -> tuple[str, bool]:
    """What became of a candidate, in words, and whether it is in the result."""
    if mine := _same(span, final):
        one = mine[0]
        if one.certainty != span.certainty:
            result, won = _fate(span, claimed, [replace(one, certainty=span.certainty) for one in mine])
            return f"{result}; the model makes it {one.certainty:.2f} certain", won
        if one.start <= span.start and span.end <= one.end:
            grown = (one.start, one.end) != (span.start, span.end)
            return (f"won, and grew to {one.start}–{one.end}" if grown else "won"), True
        return f"won in part: {', '.join(f'{one.start}–{one.end}' for one in mine)}", True
    rivals = [one for one in claimed if one is not span and one.overlaps(span) and _rank(one) <= _rank(span)]
    if not rivals:
        doubt = f": the model makes it {mine[0].certainty:.2f} certain" if (mine := _same(span, weighed)) else ""
        return ("kept as it is" if span.kind == SAFE else f"left out: not certain enough{doubt}"), False
    best = min(rivals, key=_rank)
    longer = "as certain, and longer" if _rank(best) < _rank(span) else "the same, and first"
    why = "more certain" if best.certainty > span.certainty else longer
    return f"lost to {best.reason} ({best.kind} {best.certainty:g}, {why})", False


def _rank(span: Span) -> tuple[float, int, int]:
    return -span.certainty, span.start - span.end, span.start
