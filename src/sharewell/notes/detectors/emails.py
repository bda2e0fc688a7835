"""E-mail addresses, written or dictated ("jane dot doe at example dot org")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.engine.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_WRITTEN = re.compile(
    r"[^\W_](?:[\w.+%'’-]{0,62}\w)?\s?@\s?(?:[\w-]{1,63}\.)+[^\W\d_]{2,24}\b|[\w.+-]{1,64}@[\w-]+\b(?!\.)"
)
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
            found += _written(low)
        if " dot " in low or "(at)" in low or "[at]" in low or _AT.search(low):
            found += [Span(*match.span(), "EMAIL", 0.9, "dictated e-mail address") for match in _SPOKEN.finditer(low)]
        return found


def _written(low: str) -> Iterator[Span]:
    """Around each at sign, no further back than an address may be long."""
    at, past = low.find("@"), 0
    while at >= 0:
        match = _WRITTEN.search(low, max(past, at - 66), min(len(low), at + 256))
        if match and not _is_handle(match[0]):
            yield Span(*match.span(), "EMAIL", 0.97, "e-mail address")
            past = match.end()
        at = low.find("@", max(at + 1, past))


def _is_handle(said: str) -> bool:
    """ "handle @jane.doe": a word, a blank and the name of an account on some network; 2024@14 is a time."""
    local, _, domain = said.partition("@")
    if local.isdigit() and domain.isdigit():
        return True
    return local[-1].isspace() and not domain[0].isspace() and local.strip().isalpha()
