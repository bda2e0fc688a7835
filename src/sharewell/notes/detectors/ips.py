"""Internet addresses, version 4 and 6, and hardware (MAC) addresses. Version numbers are not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.engine.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.engine.known_identifiers import Known

_OCTET = r"(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_FOUR = re.compile(rf"(?<![\w.])(?:{_OCTET}\.){{3}}{_OCTET}(?:/\d\d?)?(?!\w|\.\d)(?::\d{{2,5}}\b)?")
_HEX = "[0-9a-f]{1,4}"
_SIX = re.compile(
    rf"(?<![\w:.])"
    rf"(?:(?:{_HEX}:){{7}}{_HEX}|(?:{_HEX}:){{1,7}}:(?:{_HEX}(?::{_HEX}){{0,5}})?|::(?:{_HEX}:){{0,5}}{_HEX})"
    r"(?:%\w+|/\d{1,3})?(?![\w:])"
)
_MAC = re.compile(r"(?<![\w:-])(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}(?![\w:-])")
_COLONS = re.compile(r":[0-9a-f]{0,4}:")
_PAIRS = re.compile(r"[:-][0-9a-f]{2}[:-][0-9a-f]{2}[:-]")
"""What no address of version 6 and no hardware address is without: the long patterns are tried nowhere else."""
_VERSION = re.compile(r"(?:\bv|version|release|firmware|software|build|section|§)[ .:]*$")


class Ips:
    """Finds internet addresses."""

    name: ClassVar[str] = "ips"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        text = Text.of(text)
        low = text.folded
        found = [
            Span(*match.span(), "IP", 0.95, "internet address")
            for start, end in text.digits
            if end - start < 4 and low[end : end + 1] == "." and (match := _FOUR.match(low, start))
            if not _VERSION.search(low[max(0, match.start() - 14) : match.start()])
        ]
        if _COLONS.search(low):
            found += [
                Span(*match.span(), "IP", 0.95, "internet address, version 6")
                for match in _SIX.finditer(low)
                if sum(map(str.isalnum, match[0])) >= 3
            ]
        if _PAIRS.search(low):
            found += [Span(*match.span(), "IP", 0.9, "hardware address") for match in _MAC.finditer(low)]
        return found
