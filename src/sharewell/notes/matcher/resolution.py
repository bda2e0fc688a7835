"""The resolution: what many detectors claim of one note becomes spans that do not overlap. Nothing moves a span later.

In this order:

1. *Contest.* Spans that touch compete: the most certain wins, then the longest; what a loser claimed besides stays
   claimed, and safe phrases compete like the others (`resolve_overlaps`).
2. *Growth.* Names, places and organisations grow over what is joined to them (`whole_names`), into nobody else's span.
3. *Repetition.* A number that identifies counts wherever it stands in the note (`repeated_numbers`).
4. *Review.* A detector that is a `Reviewer` weighs what won: the shipped model leaves out what is not certain enough,
   adds what no rule found, and says how certain each finding is (`detectors.learned`).

`spread_sure_names` (5) then looks at all notes of one person: a name that is certain in one is a name in the others.
Each step takes spans in order and apart and returns such; detectors know neither the steps nor each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from sharewell.notes.engine.spans import SAFE, Span, Text, resolve_overlaps
from sharewell.notes.matcher.repeated_numbers import repeated_numbers
from sharewell.notes.matcher.whole_names import whole_names


@runtime_checkable
class Reviewer(Protocol):
    """A detector that weighs what won, with the safe phrases at hand."""

    def after_resolution(self, note: Text, won: Sequence[Span], safe: Sequence[Span]) -> list[Span]: ...


def resolve(note: Text, claimed: Sequence[Span], reviewers: Sequence[Reviewer] = (), grow: bool = True) -> list[Span]:
    """Spans that do not overlap, in order. `grow`: names grow and numbers count again (steps 2 and 3).

    >>> note = Text("Ann Mokoena-Black, 44-71-90. Call 44-71-90.")
    >>> claimed = [Span(0, 11, "NAME", 0.7), Span(4, 11, "PLACE", 0.4), Span(19, 27, "ID", 0.8)]
    >>> [(span.start, span.end, span.kind) for span in resolve(note, claimed)]
    [(0, 17, 'NAME'), (19, 27, 'ID'), (34, 42, 'ID')]
    """
    safe = [span for span in claimed if span.kind == SAFE]
    won = resolve_overlaps((span for span in claimed if span.kind != SAFE), safe, note)
    won = repeated_numbers(note, whole_names(note, won, safe)) if grow else won
    for reviewer in reviewers:
        won = reviewer.after_resolution(note, won, safe)
    return won
