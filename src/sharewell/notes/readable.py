"""A note as a reader sees it, with a way back to the places of the original.

What a screen does not show breaks words for a program: zero-width characters and soft hyphens in a name, accents as
characters of their own, ligatures, full-width digits, entities of HTML, control words of RTF, carriage returns. They
are taken out or replaced by what they stand for before detectors look; findings are then given at their places in the
original text, with everything that stood between their characters.

>>> note, places = readable("Sm\\u00adith &amp; J\\uff4fnes")
>>> note
'Smith & Jones'
>>> places.original(0, 5)
(0, 6)
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass

from sharewell.notes.spans import Span

_SIGNS = (
    "\\x00-\\x08\\x0b-\\x1f\\x7f-\\xa0\\xad\u0300-\u036f\u034f\u061c\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufb00-\ufb06\ufe00-\ufe0f"
    "\ufeff\uff01-\uff5e"
)
_ODD = re.compile(
    f"[{_SIGNS}]"
    r"|&(?:#\d{1,6}|#[xX][0-9a-fA-F]{1,5}|[A-Za-z]{2,8});"
)
_HINT = re.compile(f"[{_SIGNS}&]")
_RTF_HINT = re.compile(f"[{_SIGNS}&{{}}\\\\]")
"""Signs of which one stands wherever something has to change: quick to look for."""
_RTF = re.compile(
    r"\\'(?P<code>[0-9a-fA-F]{2})|\\(?:par|line|tab|cell|row)\b ?|\\[a-z]{1,20}-?\d{0,6} ?|\\[*~_{}\\-]|[{}]"
)
_IS_RTF = re.compile(r"\{\\rtf|\\par\b|\\[bi]0\b")
_UNSEEN = re.compile(
    "[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\xad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_BREAKS = ("\\par", "\\line", "\\row")


@dataclass(frozen=True)
class Places:
    """For each character of the readable text where it begins and ends in the original."""

    starts: list[int]
    ends: list[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        return self.starts[start], self.ends[end - 1]


def readable(text: str) -> tuple[str, Places | None]:
    """The text without what is not seen, and the places; None if nothing had to change."""
    rtf = "\\" in text and _IS_RTF.search(text) is not None
    if not rtf and not (_HINT.search(text) and _ODD.search(text)):
        return text, None
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    hint = _RTF_HINT if rtf else _HINT
    at = upto = 0
    while at < len(text):
        if at >= upto:
            odd = hint.search(text, at)
            upto = odd.start() if odd else len(text)
            if upto > at and (plain := text[at:upto]).isascii():  # as most of a note is
                letters += plain
                starts += range(at, upto)
                ends += range(at + 1, upto + 1)
                at = upto
                continue
        end, shown = _piece(text, at, rtf)
        if shown and letters and unicodedata.combining(shown[0]):
            joined = unicodedata.normalize("NFC", letters[-1] + shown)
            if len(joined) == 1:
                letters[-1], ends[-1] = joined, end
            else:  # an accent that no letter has: it is dropped
                ends[-1] = end
        else:
            for letter in shown:
                letters.append(letter)
                starts.append(at)
                ends.append(end)
        at = end
    return "".join(letters), Places(starts, ends)


def placed(spans: list[Span], places: Places | None) -> list[Span]:
    """Findings at their places in the original text."""
    if places is None:
        return spans
    found: list[Span] = []
    for span in spans:
        start, end = places.original(span.start, span.end)
        start = max(start, found[-1].end) if found else start  # two may share a ligature
        if start < end:
            found.append(Span(start, end, span.kind, span.certainty, span.reason))
    return found


def _piece(text: str, at: int, rtf: bool) -> tuple[int, str]:
    """Where the piece ends that begins at a place, and what a reader sees of it."""
    sign = text[at]
    if rtf and sign in "\\{}" and (match := _RTF.match(text, at)):
        if match["code"]:
            return match.end(), bytes.fromhex(match["code"]).decode("cp1252", "replace")
        return match.end(), "\n" if match[0].startswith(_BREAKS) else " " if match[0].startswith("\\tab") else ""
    if sign == "&" and (match := _ODD.match(text, at)):
        shown = html.unescape(match[0])
        return match.end(), match[0] if len(shown) > 2 else " " if shown.isspace() else shown
    if sign == "\r":
        return at + 1, "" if text.startswith("\n", at + 1) else "\n"
    if " " <= sign < "\x7f" or sign in "\n\t":
        return at + 1, sign
    if _UNSEEN.match(sign):
        return at + 1, ""
    if sign.isspace():
        return at + 1, "\n" if sign in "\x0b\x0c\u2028\u2029\x85" else " "
    if "\ufb00" <= sign <= "\ufb06" or "\uff01" <= sign <= "\uff5e":
        return at + 1, unicodedata.normalize("NFKC", sign)
    return at + 1, sign
