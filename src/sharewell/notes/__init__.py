"""Notes: clinical text, one note a record."""

from typing import TYPE_CHECKING

from sharewell.lazy import exporting

if TYPE_CHECKING:
    from sharewell.notes.detectors import Detectors
    from sharewell.notes.detectors.plugged import Plugged
    from sharewell.notes.known import Known
    from sharewell.notes.pacs import Pacs
    from sharewell.notes.scoring import Scores, evaluate
    from sharewell.notes.spans import Span, compete, tokens

__all__ = [
    "Detectors",
    "Known",
    "Pacs",
    "Plugged",
    "Scores",
    "Span",
    "compete",
    "evaluate",
    "tokens",
]

__getattr__ = exporting(
    __name__,
    {
        "Detectors": "sharewell.notes.detectors",
        "Known": "sharewell.notes.known",
        "Pacs": "sharewell.notes.pacs",
        "Plugged": "sharewell.notes.detectors.plugged",
        "Scores": "sharewell.notes.scoring",
        "Span": "sharewell.notes.spans",
        "compete": "sharewell.notes.spans",
        "evaluate": "sharewell.notes.scoring",
        "tokens": "sharewell.notes.spans",
    },
)
