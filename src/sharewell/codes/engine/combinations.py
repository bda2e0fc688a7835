"""Combinations and patterns of codes, as a user writes them: in lists, as text, or in a file with one a line.

In a file codes are separated by spaces, `;` or `,`; blank lines and lines that begin with `#` are skipped.

A pattern is a list of parts, and a part a list of codes: one part is a combination (`401.2 295`), two are a rule
(`401.2 295 > 303`), and in a sequence (`401.2 > 295 > 303`) each part is at a later time than the one before. A code
that holds a separator is written in lists.

>>> patterns(["401.2 295", ["303"]]), patterns(["295 401.2 > 303", [["401.2"], ["295"]]])
(((('295', '401.2'),), (('303',),)), ((('295', '401.2'), ('303',)), (('401.2',), ('295',))))
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from sharewell.errors import DataError
from sharewell.io.delimited import read_text_rows
from sharewell.io.sources import Source

Pattern = tuple[tuple[str, ...], ...]
Given = TypeVar("Given")
_APART = re.compile(r"[\s;,]+")
_THEN = re.compile(r"(?:^|(?<=[\s;,]))>(?=[\s;,]|$)")


def from_named_file(listing: Given) -> Given | tuple[tuple[str, ...], ...]:
    """Combinations from a file that is named in their place; whatever else is given stays as it is."""
    return listed(listing, "the file") if isinstance(listing, str | Path | Source) else listing


def listed(listing: str | Path | Source | Iterable[str | Iterable[str]], name: str) -> tuple[tuple[str, ...], ...]:
    """Distinct combinations, each sorted, in the order given.

    >>> listed([["b", "a"], "c", ["a", "b", "a"]], "itemsets")
    (('a', 'b'), ('c',))
    """
    rows: Iterable[str | Iterable[str]] = from_file(listing) if isinstance(listing, str | Path | Source) else listing
    return tuple(dict.fromkeys(_combination(row, name) for row in rows))


def _combination(listing: str | Iterable[str], name: str) -> tuple[str, ...]:
    codes: Iterable[object] = [listing] if isinstance(listing, str) else listing
    combination = tuple(sorted({str(code).strip() for code in codes} - {""}))
    if not combination:
        raise ValueError(f"{name} must not hold an empty combination")
    return combination


def flat(listing: str | Path | Source | Iterable[str | Iterable[str]], name: str) -> tuple[str, ...]:
    """Distinct codes, however they are grouped, in the order given.

    >>> flat(["295", "303", "295"], "private")
    ('295', '303')
    """
    return tuple(dict.fromkeys(code for combination in listed(listing, name) for code in combination))


def beginnings(listing: str | Iterable[object]) -> tuple[str, ...]:
    """How codes of a disease may begin: a list, or one alone. A blank would be the beginning of every code.

    >>> beginnings(["250 ", 401]), beginnings("250")
    (('250', '401'), ('250',))
    """
    prefixes = tuple(str(code).strip() for code in ([listing] if isinstance(listing, str) else listing))
    if not prefixes or "" in prefixes:
        raise ValueError("diseases must name codes for each disease, none of them blank")
    return prefixes


def from_file(file: str | Path | Source) -> list[list[str]]:
    """What stands on each line, in pieces."""
    path = file.path if isinstance(file, Source) else Path(file)
    if path is None:
        raise DataError("combinations of codes — a frame cannot list them — give a text file, one combination a line")
    if isinstance(file, Source) and file.clean:
        raise DataError(f"{path.name} — a list of combinations has no columns to clean — take `clean:` out")
    lines = []
    for row in read_text_rows(path, ";"):
        codes = [code for cell in row for code in _APART.split(cell) if code]
        if codes and not codes[0].startswith("#"):
            lines.append(codes)
    if not lines:
        raise DataError(f"{path.name} — lists no combination of codes — write one a line")
    return lines


def patterns(listing: Iterable[object], file: str | Path | Source | None = None) -> tuple[Pattern, ...]:
    """Different patterns in the order given, or those of a file."""
    if isinstance(listing, str):
        raise ValueError("patterns must be a list, and this is one text")
    rows: Iterable[object] = listing if file is None else (" ".join(pieces) for pieces in from_file(file))
    return tuple(dict.fromkeys(_pattern(row) for row in rows))


def _pattern(written: object) -> Pattern:
    if isinstance(written, str):
        parts: list[object] = [_APART.split(part) for part in _THEN.split(written)]
    else:
        parts = list(written) if isinstance(written, list | tuple) else [written]
        if not any(isinstance(part, list | tuple) for part in parts):  # a combination
            parts = [parts]
    pattern = tuple(_codes(part) for part in parts)
    if not pattern or not all(pattern):
        raise ValueError("patterns must hold codes in every part")
    return pattern


def _codes(part: object) -> tuple[str, ...]:
    codes = part if isinstance(part, list | tuple) else [part]
    texts = [code for code in codes if isinstance(code, str)]
    if len(texts) < len(codes):
        raise ValueError(
            "patterns must hold codes as text: the number 250.00 is 250.0, another code — put it in quotes"
        )
    return tuple(sorted({code.strip() for code in texts} - {""}))
