"""Texts with their findings in brackets, for tables of examples: "Seen [3/4/2021]" means that the date is found."""

from __future__ import annotations

import re

from sharewell.notes.detectors import Detector, Detectors
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.spans import Span, Text


class Together:
    """Several shipped detectors as one: all that they claim."""

    def __init__(self, *names: str) -> None:
        self.name = " ".join(names)
        self.detectors = Detectors.of(*names)

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        return self.detectors.candidates(Text.of(text), known)


def parts(marked: str) -> tuple[str, list[str]]:
    """The text without brackets, and what stands in them."""
    return re.sub(r"[\[\]]", "", marked), re.findall(r"\[([^\]]*)\]", marked)


def found(detector: Detector, text: str) -> list[str]:
    """What a detector finds, in order, each piece once, the longest where they overlap."""
    spans = sorted(detector.find(text, None), key=lambda span: (span.start, -span.end))
    kept: list[str] = []
    end = -1
    for span in spans:
        assert 0 <= span.start < span.end <= len(text)
        assert 0 < span.certainty <= 1
        assert span.reason
        if span.end > end:
            kept.append(text[max(span.start, end) : span.end].strip(" ,"))
            end = span.end
    return kept


def check(detector: Detector, marked: str) -> None:
    text, wanted = parts(marked)
    assert found(detector, text) == wanted
