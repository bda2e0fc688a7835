"""E-mail addresses, written or dictated ("jane dot doe at example dot org")."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known

_WRITTEN = re.compile(r"[^\W_](?:[\w.+%'’-]*\w)?\s?@\s?(?:[\w-]+\.)+[^\W\d_]{2,24}\b|[\w.+-]+@[\w-]+\b(?!\.)")
_SPOKEN = re.compile(
    r"\b[a-z][\w.-]*(?: (?:dot|underscore|dash|hyphen) [\w-]+){0,3} ?(?: at |\(at\)|\[at\]) ?[a-z][\w-]*"
    r"(?: ?(?: dot |\(dot\)|\[dot\]) ?[a-z]+){0,2} ?(?: dot |\(dot\)|\[dot\]|\.) ?(?:com|org|net|edu|gov|co|uk"
    r"|info|io|us|ca)\b"
)
_AT = re.compile(r" at [a-z][\w-]*\.(?:com|org|net|edu|gov)")


class Emails:
    """Finds e-mail addresses."""

    name: ClassVar[str] = "emails"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        low = Text.of(text).folded
        found: list[Span] = []
        if "@" in low:
            found += [Span(*match.span(), "EMAIL", 0.97, "e-mail address") for match in _WRITTEN.finditer(low)]
        if " dot " in low or "(at)" in low or "[at]" in low or _AT.search(low):
            found += [Span(*match.span(), "EMAIL", 0.9, "dictated e-mail address") for match in _SPOKEN.finditer(low)]
        return found
