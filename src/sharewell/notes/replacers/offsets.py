"""Edits of the readable text → edits of the note as it is written.

Replacers see what a reader sees, so that a name has one surrogate whether its accents are signs of their own, entities
or escapes. What stands for a piece is written for the file again: in RTF with its escapes, and with the braces that
open or close a group inside the piece; with carriage returns where the piece had them.

>>> from sharewell.notes.engine.readable_text import readable
>>> note = "{\\\\rtf1 Seen {\\\\b Jos\\\\'e9} N.\\\\par}"
>>> shown, places = readable(note)
>>> at = shown.index("José")
>>> print(edits_in_source(note, [Edit(at, at + 7, "NAME", "Zoë K.")], places)[0].text)
Zo\\'eb K.}
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sharewell.notes.engine.readable_text import OffsetMap
from sharewell.notes.engine.rewritten_text import Edit

_BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
_SPECIAL = re.compile(r"[\\{}\n]|[^\x00-\x7f]")


def edits_in_source(text: str, edits: Sequence[Edit], places: OffsetMap | None) -> list[Edit]:
    """The edits at their places in the text, in order. Of two that share a sign (a ligature) the first has it."""
    if places is None:
        return list(edits)
    source_edits: list[Edit] = []
    last_end = 0
    for edit in edits:
        start, end = places.original(edit.start, edit.end)
        start = max(start, last_end)
        if start < end:
            source_edits.append(Edit(start, end, edit.kind, _for_file(edit.text, text[start:end], places.rtf)))
            last_end = end
    return source_edits


def _for_file(new: str, was: str, rtf: bool) -> str:
    if rtf:
        return _SPECIAL.sub(_escaped, new) + _open(was)
    return new.replace("\n", "\r\n") if "\r\n" in was else new


def _escaped(match: re.Match[str]) -> str:
    sign = match[0]
    if sign == "\n":
        return "\\line "
    if sign in "\\{}":
        return f"\\{sign}"
    code = sign.encode("cp1252", "ignore")
    if code:
        return f"\\'{code.hex()}"
    units = sign.encode("utf-16-le")
    numbers = (int.from_bytes(units[i : i + 2], "little", signed=True) for i in range(0, len(units), 2))
    return "".join(f"\\u{number}?" for number in numbers)


def _open(was: str) -> str:
    """The braces of a piece that have no counterpart in it: without them groups would end elsewhere.

    >>> _open("Rosa} {\\\\b Del}gado {")
    '}{'
    """
    unmatched: list[str] = []
    for brace in _BRACES.findall(was):
        if brace == "}" and unmatched and unmatched[-1] == "{":
            unmatched.pop()
        elif brace in "{}":
            unmatched.append(brace)
    return "".join(unmatched)
