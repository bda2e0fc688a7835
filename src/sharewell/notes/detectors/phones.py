"""Telephone, fax and pager numbers.

Ten digits in the groups of a North American number, an international number after +, and shorter or looser groups of
digits where "phone", "call", "fax", "pager" or "ext" stand before them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from sharewell.notes.spans import Span, Text

if TYPE_CHECKING:
    from sharewell.notes.known import Known

_EXT = r"(?:[ ,]{0,2}(?:x|ext\.?|extension)[ :]?\d{1,6}\b|(?!\w|[-./]\d))"
_WHOLE = re.compile(
    r"(?<![\w./+-])(?:\+?1[-. ]{0,2})?(?:\(\d{3}\)[-. /]{0,2}|\d{3}[-./ ]\s?|\d{3} - )"
    rf"\d{{3}}(?:[-. ]| - )\d{{4}}{_EXT}"
    rf"|(?<![\w.])\+\d{{1,3}}[-. ]?(?:\(\d{{1,4}}\)[-. ]?)?\d(?:[-. ]?\d){{5,12}}{_EXT}"
    rf"|(?<![\w./-])001[- ]\d{{3}}[- ]\d{{3}}[- ]\d{{4}}{_EXT}"
    r"|(?<![\w./+-])0\d{1,3}(?P<gap>[ .-])\d{2,4}(?P=gap)\d{2,4}(?:(?P=gap)\d{2,4}){0,2}(?![\w/]|[.-]\d)"
    r"|(?<![\w./+-])\d{3} \d{3} \d{3}(?![\w/]|[ .-]\d)"
)
_CLUSTER = re.compile(r"[\d(+][\d()+ ./-]{6,}")
"""Where a number can be: the long pattern is tried nowhere else."""
_SEVEN = re.compile(rf"(?<![\w./$:-])\d{{3}}[-.]\d{{4}}(?!%|\s?(?:mg|ml|units|cal)){_EXT}")
_LOOSE = re.compile(rf"(?<![\w$])[+(]?\d(?:[-. ()/]{{0,2}}\d){{3,15}}(?![.,]\d|\s?(?:mg|ml|units|%)){_EXT}")
_CUE = re.compile(
    r"(?:\b(?:phone|telephone|tel|ph|mobile|cell|cellular|fax|pager|beeper|paged?|call(?:ed|ing)?(?: back)?"
    r"|text(?:ed)?|dial(?:ed)?|"
    r"reach(?:ed|able)?|contact(?:ed)?|home|work|voicemail|whatsapp|hotline|callback|number|numbers|line"
    r"|extension|ext|ring|"
    r"phone number|contact number|cb|answer(?:ing)?|messages?|sms|registered|desk|office)\b|☎|\b[htcfp]:)"
    r"[ .:#'’)]*(?:(?:no|number|num|nr|\(?[cmhwof]\)?|is|at|on|me|him|her|us|them|me at|him at|her at|was|to|of"
    r"|days|nights|"
    r"this|my|the|back|and|or|s|desk|office|home|work|unit|nurse|\d{4,}|same|under)[ .:#()-]*){0,4}$"
)
_EXTENSION = re.compile(r"x ?\d{3,6}\b")
_LINE = re.compile(r"\b(?:call|work|at|ext|phone|or|office|desk|page|line)[ :.]{1,2}$")
_SHORT_CUE = re.compile(
    r"\b(?:pager|beeper|ext|extension|page|paged|bleep|x)[ .:#]*(?:(?:no|number|is|at|on|me)[ .:#]*){0,2}$"
)


class Phones:
    """Finds telephone numbers."""

    name: ClassVar[str] = "phones"

    def find(self, text: str, known: Known | None = None) -> list[Span]:
        low = Text.of(text).folded
        found = [
            Span(*match.span(), "PHONE", 0.9, "telephone number")
            for near in _CLUSTER.finditer(low)
            for match in _WHOLE.finditer(low, near.start(), near.end() + 14)
            if not match["gap"] or sum(map(str.isdigit, match[0])) >= 8  # 03-11-24 is a date
        ]
        for match in _EXTENSION.finditer(low):
            if _LINE.search(low, max(0, match.start() - 12), match.start()):
                found.append(Span(*match.span(), "PHONE", 0.8, "extension"))
        found += [
            Span(*match.span(), "PHONE", 0.65, "seven digits")
            for match in _SEVEN.finditer(low)
            if _plausible(low, match)
        ]
        return [*found, *_loose(low)]


def _plausible(low: str, match: re.Match[str]) -> bool:
    """No range of values: those grow, and a name of what was measured stands before them."""
    before = low[max(0, match.start() - 24) : match.start()]
    return not re.search(
        r"\b(?:range|ref|normal|between|from|goal|mrn|id|record|account|acct|case|lot|serial)\b[^\n]{0,12}$", before
    )


def _loose(low: str) -> Iterator[Span]:
    for match in _LOOSE.finditer(low):
        digits = sum(map(str.isdigit, match[0]))
        before = low[max(0, match.start() - 40) : match.start()]
        if digits >= 7 and _CUE.search(before):
            yield Span(*match.span(), "PHONE", 0.85, "number after a word about calling")
        elif 4 <= digits <= 6 and _SHORT_CUE.search(before) and not re.search(r"[./]", match[0]):
            yield Span(*match.span(), "PHONE", 0.8, "pager or extension")
