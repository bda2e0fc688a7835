"""Patterns of codes as they are written: `401.2 295`, the rule `401.2 295 > 303`, or the sequence `401.2 > 295 > 303`.

A pattern is a list of parts, and a part a list of codes: one part is a combination, two are a rule, and in a sequence
each part is at a later time than the one before. In a policy a pattern is a text or lists; in a file, one a line, lines
that begin with `#` skipped. Codes are separated by spaces, `;` or `,`; a code that holds one of these is written in
lists.

>>> patterns(["401.2 295", ["303"]]), patterns(["295 401.2 > 303", [["401.2"], ["295"]]])
(((('295', '401.2'),), (('303',),)), ((('295', '401.2'), ('303',)), (('401.2',), ('295',))))
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from sharewell.codes.engine.combinations import from_file
from sharewell.io.sources import Source

Pattern = tuple[tuple[str, ...], ...]
_APART = re.compile(r"[\s;,]+")
_THEN = re.compile(r"(?:^|(?<=[\s;,]))>(?=[\s;,]|$)")


def patterns(given: Iterable[object], file: str | Path | Source | None = None) -> tuple[Pattern, ...]:
    """Different patterns in the order given, or those of a file."""
    if isinstance(given, str):
        raise ValueError("patterns must be a list, and this is one text")
    rows: Iterable[object] = given if file is None else (" ".join(pieces) for pieces in from_file(file))
    return tuple(dict.fromkeys(_pattern(row) for row in rows))


def _pattern(given: object) -> Pattern:
    if isinstance(given, str):
        parts: list[object] = [_APART.split(part) for part in _THEN.split(given)]
    else:
        parts = list(given) if isinstance(given, list | tuple) else [given]
        if not any(isinstance(part, list | tuple) for part in parts):  # a combination
            parts = [parts]
    found = tuple(_codes(part) for part in parts)
    if not found or not all(found):
        raise ValueError("patterns must hold codes in every part")
    return found


def _codes(part: object) -> tuple[str, ...]:
    codes = part if isinstance(part, list | tuple) else [part]
    texts = [code for code in codes if isinstance(code, str)]
    if len(texts) < len(codes):
        raise ValueError(
            "patterns must hold codes as text: the number 250.00 is 250.0, another code — put it in quotes"
        )
    return tuple(sorted({code.strip() for code in texts} - {""}))
