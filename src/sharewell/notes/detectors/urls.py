"""Web addresses: with a scheme, with www, bare domains of well-known endings, and handles (@name)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.engine.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_TLD = (
    "(?:com|org|net|edu|gov|mil|int|info|biz|name|health|care|clinic|hospital|blog|online|site|app|dev|io|me|tv"
    "|us|uk|ca|au|"
    "example|test|local|localhost|intranet|internal|lan|nhs|"
    "de|fr|it|es|nl|be|ch|at|se|no|dk|fi|pl|cz|pt|br|ie|nz|in|jp|eu|hu|ro|gr|ru|cy|ee|lt|lv|sk|si|hr|is|mx|za|cn|kr)"
)
_URL = re.compile(
    r"\b(?:https?|ftp|file)\s?:\s?//\s?[^\s<>\"'|)\]]+"
    r"|\bwww ?\. ?[\w-]+(?:\.[\w-]+| \. ?[\w-]+)*(?:/[^\s<>\"'|)\]]*)?"
    rf"|(?<![\w@.-])(?:[a-z\d](?:[a-z\d-]{{0,61}}[a-z\d])?\.)+{_TLD}\b(?![\w@]|-\w|\.\w)(?:/[^\s<>\"'|)\]]*)?"
    r"|(?<![\w@.-])[a-z][a-z\d-]{1,62}(?:\.[a-z][a-z\d-]{1,62}){2,5}\b(?![\w@])(?:/[^\s<>\"'|)\]]*)?"
)
_DOTTED = re.compile(r"\.(?<=[a-z\d]\.)[a-z]")
_SIGNS = re.compile(r"\.(?<=[a-z\d]\.)[a-z]|//|www")
_BLANK = re.compile(r"\s")
_REACH = 255
_HANDLE = re.compile(r"(?<![\w@.])@[a-z_][\w.]{2,30}")
_SHORT_ENDINGS = re.compile(r"\.(?:in|is|no|at|be|it|me|us|es|de|name|care|clinic|hospital|health|site|si|hr|pt|ca)$")


class Urls:
    """Finds web addresses."""

    name: ClassVar[str] = "urls"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        low = text.folded
        found = []
        if _DOTTED.search(low) or "//" in low or "www" in low:
            for match in _near(low):
                end = match.end() - (len(match[0]) - len(match[0].rstrip(".,;:!?")))
                if not _two_sentences(text, match, end):
                    found.append(Span(match.start(), end, "URL", 0.92, "web address"))
        if "@" in low:
            found += [Span(*match.span(), "URL", 0.6, "handle") for match in _HANDLE.finditer(low)]
        return found


def _near(low: str) -> Iterator[re.Match[str]]:
    """Matches of the long pattern, tried around dots between letters, slashes and www."""
    past = 0
    for sign in _SIGNS.finditer(low):
        if sign.start() < past:
            continue
        before = low[max(past, sign.start() - _REACH) : sign.start()]
        first = sign.start() - (len(before.rsplit(None, 1)[-1]) if before and not before[-1].isspace() else 0)
        first -= low.endswith(" ", past, first) and low.startswith("//", first)  # "http: //"
        until = sign.end() + _REACH
        if sign[0][0] == "." and (blank := _BLANK.search(low, sign.end(), until)):
            until = blank.start()
        match = _URL.search(low, max(past, first - 7 if low.startswith("//", first) else first), until)
        match = match and _URL.match(low, match.start())  # its end may lie further on
        if match:
            past = match.end()
            yield match


def _two_sentences(text: Text, match: re.Match[str], end: int) -> bool:
    """'pain.No fever', 'edema.It': a full stop without a blank, not a domain."""
    said = match[0]
    if "/" in said or said.startswith("www"):
        return False
    if not _SHORT_ENDINGS.search(said[: end - match.start()]):
        return not re.search("[a-z]", said[: said.rfind(".")])
    last = text[match.start() + said.rfind(".") + 1 : end]
    return not last.islower() or said.count(".") == 1
