"""A note as a reader sees it, with a way back to the places of the original.

What a screen does not show breaks words for a program: zero-width characters and soft hyphens in a name, accents as
characters of their own, ligatures, full-width digits, entities of HTML, control words of RTF, carriage returns.
`readable` takes them out, or puts what they stand for in their place, before detectors look at the text. Spans and
edits are then moved to their places in the original, with everything that stood between their characters; in RTF the
text of an edit is escaped, and keeps the braces that open or close a group inside the piece it replaces.

>>> from sharewell.notes.engine.rewritten_text import Edit
>>> note, offsets = readable("Sm\\u00adith &amp; J\\uff4fnes")
>>> note, offsets.original(0, 5)
('Smith & Jones', (0, 6))
>>> rtf = "{\\\\rtf1 Seen {\\\\b Jos\\\\'e9} N.\\\\par}"
>>> shown, offsets = readable(rtf)
>>> start = shown.index("José")
>>> print(edits_in_source(rtf, [Edit(start, start + 7, "NAME", "Zoë K.")], offsets)[0].text)
Zo\\'eb K.}
"""

from __future__ import annotations

import html
import re
import unicodedata
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sharewell.notes.engine.spans import Span

if TYPE_CHECKING:
    from sharewell.notes.engine.rewritten_text import Edit

_SIGNS = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\xa0\\xad\u0300-\u036f\u034f\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufb00-\ufb06\ufe00-\ufe0f"
    "\ufeff\uff01-\uff5e"
)
_ODD = re.compile(
    f"[{_SIGNS}]"
    r"|&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});"
)
_HINT = re.compile(f"[{_SIGNS}&]")
_RTF_HINT = re.compile(f"[{_SIGNS}&{{}}\\\\]")
"""Signs of which one stands wherever something has to change: quick to look for."""
_CONTROL = (
    r"\\'(?P<code>[0-9a-fA-F]{2})|\\u(?P<number>-?\d{1,5}) ?%s"
    r"|\\(?P<word>[a-z]{1,20})(?:-?\d{1,6})? ?|\\(?P<sign>[*~_{}\\-])|[{}]"
)
_RTF = re.compile(_CONTROL % r"(?:\\'[0-9a-fA-F]{2}|[^\\{}\r\n])?")
"""What stands for a letter beyond the code page is followed by one sign for programs that do not know it …"""
_RTF_ALONE = re.compile(_CONTROL % "")
"""… unless the note says that it is not."""
_ALONE = re.compile(r"\\uc0(?!\d)")
_IS_RTF = re.compile(r"\{\\rtf|\\par\b|\\[bi]0\b")
_UNSEEN = re.compile(
    "[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_WORDS = dict.fromkeys(("par", "pard", "line", "row", "page", "sect"), "\n") | {"tab": " ", "cell": " "}
_WORDS |= {"emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’"}
_CONTROL_SIGNS = {"~": " ", "_": "-", "{": "{", "}": "}", "\\": "\\"}


@dataclass(frozen=True)
class OffsetMap:
    """For each character of the readable text where it begins and ends in the original."""

    starts: array[int]
    ends: array[int]
    rtf: bool = False
    """Is the original RTF?"""

    def original(self, start: int, end: int) -> tuple[int, int]:
        return self.starts[start], self.ends[end - 1]


def readable(text: str) -> tuple[str, OffsetMap | None]:
    """The text without what is not seen, and the places; None if nothing had to change."""
    rtf = _control(text)
    if not rtf and (_is_plain(text) or not (_HINT.search(text) and _ODD.search(text))):
        return text, None
    letters: list[str] = []
    piece_starts, piece_ends = array("q"), array("q")
    hint = _RTF_HINT if rtf else _HINT
    offset = next_odd = 0
    while offset < len(text):
        if offset >= next_odd:
            odd = hint.search(text, offset)
            next_odd = odd.start() if odd else len(text)
            if next_odd > offset and (plain := text[offset:next_odd]).isascii():  # as most of a note is
                letters += plain
                piece_starts.extend(range(offset, next_odd))
                piece_ends.extend(range(offset + 1, next_odd + 1))
                offset = next_odd
                continue
        end, shown = _piece(text, offset, rtf)
        if shown and letters and unicodedata.combining(shown[0]):
            joined = unicodedata.normalize("NFC", letters[-1] + shown)
            if len(joined) == 1:
                letters[-1], piece_ends[-1] = joined, end
            else:  # an accent that no letter has: it is dropped
                piece_ends[-1] = end
        else:
            for letter in shown:
                letters.append(letter)
                piece_starts.append(offset)
                piece_ends.append(end)
        offset = end
    return "".join(letters), OffsetMap(piece_starts, piece_ends, rtf is not None)


def _is_plain(text: str) -> bool:
    """Is it all letters and signs of ASCII, line ends and tabs, without entities? A pattern takes longer to tell."""
    return text.isascii() and "&" not in text and text.translate(_LINE_SIGNS).isprintable()


_LINE_SIGNS = str.maketrans("\n\t", "  ")


def spans_in_original(spans: list[Span], places: OffsetMap | None) -> list[Span]:
    """Findings at their places in the original text."""
    if places is None:
        return spans
    original_spans: list[Span] = []
    for span in spans:
        start, end = places.original(span.start, span.end)
        start = max(start, original_spans[-1].end) if original_spans else start  # two may share a ligature
        if start < end:
            original_spans.append(Span(start, end, span.kind, span.certainty, span.reason))
    return original_spans


def _control(text: str) -> re.Pattern[str] | None:
    """What control words look like in a note that is RTF; none in another."""
    if "\\" not in text or not _IS_RTF.search(text):
        return None
    return _RTF_ALONE if _ALONE.search(text) else _RTF


def _piece(text: str, offset: int, rtf: re.Pattern[str] | None) -> tuple[int, str]:
    """Where the piece ends that begins at a place, and what a reader sees of it."""
    sign = text[offset]
    if rtf and sign in "\\{}" and (match := rtf.match(text, offset)):
        return match.end(), _controlled(match)
    if sign == "&" and (match := _ODD.match(text, offset)):
        meant = html.unescape(match[0])
        # a longer one is no entity, and stays as it is written
        return (match.end(), "".join(map(_seen, meant))) if len(meant) <= 2 else (offset + 1, sign)
    if sign == "\r" and text.startswith("\n", offset + 1):
        return offset + 1, ""
    return offset + 1, _seen(sign)


def _controlled(match: re.Match[str]) -> str:
    """What a reader sees of a control word or sign of RTF."""
    if match["code"]:
        return _seen(bytes.fromhex(match["code"]).decode("cp1252", "replace"))
    if match["number"]:
        number = int(match["number"]) % 65536
        return _seen("\ufffd" if 0xD800 <= number < 0xE000 else chr(number))
    return _WORDS.get(match["word"] or "", "") or _CONTROL_SIGNS.get(match["sign"] or "", "")


def _seen(sign: str) -> str:
    """What a reader sees of a sign."""
    if " " <= sign < "\x7f" or sign in "\n\t":
        return sign
    if _UNSEEN.match(sign):
        return ""
    if sign.isspace():
        return "\n" if sign in "\r\x0b\x0c\u2028\u2029\x85" else " "
    if "\ufb00" <= sign <= "\ufb06" or "\uff01" <= sign <= "\uff5e":
        return unicodedata.normalize("NFKC", sign)
    return sign


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
            new = _for_file(edit.text, text[start:end], places.rtf)
            source_edits.append(edit._replace(start=start, end=end, text=new))
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
