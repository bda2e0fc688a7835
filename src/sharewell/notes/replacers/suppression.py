"""Suppression: a mark of the kind, a line, or nothing at all stands for a piece.

A piece that goes without a mark takes its blank and its brackets with it.

>>> left_out("given Lasix (40 mg), then", 13, 18)
(11, 19)
>>> marked("DATE", "kind"), marked("DATE", "line"), marked("DATE", "nothing")
('[DATE]', '___', '')
"""

from __future__ import annotations

from typing import Literal

Mark = Literal["kind", "line", "nothing"]
MARKS = ("kind", "line", "nothing")


def marked(kind: str, mark: Mark) -> str:
    """What stands for a piece."""
    return {"kind": f"[{kind}]", "line": "___", "nothing": ""}[mark]


def left_out(text: str, start: int, end: int, least: int = 0, most: int | None = None) -> tuple[int, int]:
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
