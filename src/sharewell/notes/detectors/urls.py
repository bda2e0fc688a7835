"""Web addresses: with a scheme, with www, bare domains of well-known endings, and handles (@name)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known

_TLD = (
    "(?:com|org|net|edu|gov|mil|int|info|biz|name|health|care|clinic|hospital|blog|online|site|app|dev|io|me|tv"
    "|us|uk|ca|au|"
    "de|fr|it|es|nl|be|ch|at|se|no|dk|fi|pl|cz|pt|br|ie|nz|in|jp|eu|hu|ro|gr|ru|cy|ee|lt|lv|sk|si|hr|is|mx|za|cn|kr)"
)
_URL = re.compile(
    r"\b(?:https?|ftp|file)\s?:\s?//\s?[^\s<>\"'|)\]]+"
    r"|\bwww ?\. ?[\w-]+(?:\.[\w-]+| \. ?[\w-]+)*(?:/[^\s<>\"'|)\]]*)?"
    rf"|(?<![\w@.-])(?:[a-z\d](?:[a-z\d-]*[a-z\d])?\.)+{_TLD}\b(?![\w@]|-\w|\.\w)(?:/[^\s<>\"'|)\]]*)?"
)
_DOTTED = re.compile(r"[a-z\d]\.[a-z]|:\s?//|www")
_HANDLE = re.compile(r"(?<![\w@.])@[a-z_][\w.]{2,30}")
_SHORT_ENDINGS = re.compile(r"\.(?:in|is|no|at|be|it|me|us|es|de|name|care|clinic|hospital|health|site|si|hr|pt|ca)$")


class Urls:
    """Finds web addresses."""

    name: ClassVar[str] = "urls"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        low = text.folded
        found = []
        if _DOTTED.search(low):
            for match in _URL.finditer(low):
                end = match.end() - (len(match[0]) - len(match[0].rstrip(".,;:!?")))
                if not _two_sentences(text, match, end):
                    found.append(Span(match.start(), end, "URL", 0.92, "web address"))
        if "@" in low:
            found += [Span(*match.span(), "URL", 0.6, "handle") for match in _HANDLE.finditer(low)]
        return found


def _two_sentences(text: Text, match: re.Match[str], end: int) -> bool:
    """'pain.No fever', 'edema.It': a full stop without a blank, not a domain."""
    said = match[0]
    if "/" in said or said.startswith("www"):
        return False
    if not _SHORT_ENDINGS.search(said[: end - match.start()]):
        return not re.search("[a-z]", said[: said.rfind(".")])
    last = text[match.start() + said.rfind(".") + 1 : end]
    return not last.islower() or said.count(".") == 1
