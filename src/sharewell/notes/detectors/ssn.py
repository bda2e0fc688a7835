"""US Social Security numbers, whole or the last four digits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.engine.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_WHOLE = re.compile(r"\d{3}(?<![\w.-]\d{3})(?:-\d\d-|- \d\d- | \d\d )\d{4}(?![\w]|-\d)")
_MASKED = re.compile(r"(?<![\w-])[x*#]{3}-?[x*#]{2}-?\d{4}\b")
_CUED = re.compile(
    r"\b(?:ssn?|soc(?:ial)?\.? sec(?:urity)?|social|last (?:4|four)(?! (?:days|weeks|months|years|hours|visits"
    r"|of)))\b\.?[ ]?(?:no|num|number|#)?\b[^\n\w]{0,4}"
    r"(?:(?:last (?:4|four)|[a-z]{1,8})[ :=#-]*){0,3}"
    r"(?P<value>\d[\d -]{6,12}\d|[x*#]{2,}[-x*# ]*\d{4}|\d{4})\b(?!\w)"
)
_CUES = frozenset(("ss", "ssn", "soc", "social", "last"))


class SocialNumbers:
    """Finds Social Security numbers."""

    name: ClassVar[str] = "ssn"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        low = text.folded
        found = [
            Span(*match.span(), "SSN", 0.93, "form of a Social Security number")
            for start, end in text.digits
            if end - start == 3 and low[end : end + 1] in ("-", " ") and (match := _WHOLE.match(low, start))
        ]
        if any(mask in low for mask in ("xx", "**", "##")):
            found += [
                Span(*match.span(), "SSN", 0.93, "masked Social Security number") for match in _MASKED.finditer(low)
            ]
        found += [
            Span(*match.span("value"), "SSN", 0.96, "after the words Social Security")
            for match in text.cued(_CUED, _CUES)
        ]
        return found
