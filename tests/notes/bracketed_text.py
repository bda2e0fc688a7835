"""Texts with what identifies in brackets, and which of their tokens detectors leave or take too much."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from sharewell.notes import Span, tokens


class Covered(NamedTuple):
    missed: list[str]
    extra: list[str]


def halves(marked: str) -> tuple[str, list[tuple[int, int]]]:
    """The text without brackets, and where they were; a bracket before a digit is one of the text."""
    places, text = [], ""
    for piece in re.split(r"(\[(?!\d)[^\]]*\])", marked):
        if piece.startswith("[") and piece.endswith("]") and not piece[1:2].isdigit():
            places.append((len(text), len(text) + len(piece) - 2))
            piece = piece[1:-1]
        text += piece
    return text, places


def covered(text: str, wanted: Sequence[tuple[int, int]], found: Sequence[Span]) -> Covered:
    spans = [(s.start, s.end) for s in found if s.kind not in ("DRUG", "DOSE")]

    def inside(token: tuple[int, int], areas: Sequence[tuple[int, int]]) -> bool:
        return any(token[0] < end and start < token[1] for start, end in areas)

    each = [(text[t[0] : t[1]], inside(t, wanted), inside(t, spans)) for t in tokens(text)]
    return Covered([w for w, gold, hit in each if gold and not hit], [w for w, gold, hit in each if hit and not gold])
