"""What stands for a piece that has no surrogate: a tag in the manner of DE-ID, a mark of the kind, a line, or nothing.

>>> tag("ID"), tag("PLACE"), tag("AGE"), tag("DATE", "04/11/2015")
('**ID-NUM', '**PLACE', '**AGE[over 89]', '**DATE[04/11/2015]')
>>> suppression_mark("DATE", "kind"), suppression_mark("DATE", "line"), suppression_mark("DATE", "nothing")
('[DATE]', '___', '')
>>> omitted_span("given Lasix (40 mg), then", 13, 18)
(11, 19)
"""

from __future__ import annotations

from typing import Literal

from sharewell.notes.engine.spans import KINDS

_DE_ID_WORDS = {
    "ADDRESS": "STREET-ADDRESS",
    "ORGANISATION": "INSTITUTION",
    "URL": "WEB-LOC",
    "IP": "IP-ADDRESS",
    "ID": "ID-NUM",
}
"""Kind → what DE-ID calls it, where that is another word."""
Mark = Literal["kind", "line", "nothing"]


def tag(kind: str, content: str = "") -> str:
    """The tag of a kind, with what may be said of the piece: the code of a name, a shifted date."""
    content = content or ("over 89" if kind == "AGE" else "")
    word = _DE_ID_WORDS.get(kind, kind) if kind in KINDS else "OTHER"
    return f"**{word}" + (f"[{content}]" if content else "")


def suppression_mark(kind: str, mark: Mark) -> str:
    """What stands for a piece."""
    return {"kind": f"[{kind}]", "line": "___", "nothing": ""}[mark]


def omitted_span(text: str, start: int, end: int, least: int = 0, most: int | None = None) -> tuple[int, int]:
    """Where a piece that is left out begins and ends, with its brackets, blanks and "of", inside what is free."""
    most = len(text) if most is None else most
    if start > least and text[start - 1] == "(" and end < most and text[end] == ")":
        start, end = start - 1, end + 1
    if text.startswith(" of ", end) and end + 3 <= most:
        end += 3
    if end >= len(text) or text[end] in " \t.,;:)\n":
        while start > least and text[start - 1] in " \t":
            start -= 1
    return start, end
