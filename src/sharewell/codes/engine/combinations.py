"""Lists of combinations of codes, as they are given: lists of lists, or a file with one combination a line.

In a file codes are separated by spaces, `;` or `,`; blank lines and lines that begin with `#` are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from sharewell.errors import DataError
from sharewell.io.delimited import read_text_rows
from sharewell.io.sources import Source

_APART = re.compile(r"[\s;,]+")


Given = TypeVar("Given")


def from_named_file(given: Given) -> Given | tuple[tuple[str, ...], ...]:
    """Combinations from a file that is named in their place; whatever else is given stays as it is."""
    return listed(given, "the file") if isinstance(given, str | Path | Source) else given


def listed(given: str | Path | Source | Iterable[str | Iterable[str]], what: str) -> tuple[tuple[str, ...], ...]:
    """Distinct combinations, each sorted, in the order given.

    >>> listed([["b", "a"], "c", ["a", "b", "a"]], "itemsets")
    (('a', 'b'), ('c',))
    """
    rows: Iterable[str | Iterable[str]] = from_file(given) if isinstance(given, str | Path | Source) else given
    return tuple(dict.fromkeys(_combination(row, what) for row in rows))


def _combination(given: str | Iterable[str], what: str) -> tuple[str, ...]:
    codes: Iterable[object] = [given] if isinstance(given, str) else given
    found = tuple(sorted({str(code).strip() for code in codes} - {""}))
    if not found:
        raise ValueError(f"{what} must not hold an empty combination")
    return found


def flat(given: str | Path | Source | Iterable[str | Iterable[str]], what: str) -> tuple[str, ...]:
    """Distinct codes, however they are grouped, in the order given.

    >>> flat(["295", "303", "295"], "private")
    ('295', '303')
    """
    return tuple(dict.fromkeys(code for one in listed(given, what) for code in one))


def beginnings(given: str | Iterable[object]) -> tuple[str, ...]:
    """How codes of a disease may begin: a list, or one alone. A blank would be the beginning of every code.

    >>> beginnings(["250 ", 401]), beginnings("250")
    (('250', '401'), ('250',))
    """
    found = tuple(str(code).strip() for code in ([given] if isinstance(given, str) else given))
    if not found or "" in found:
        raise ValueError("diseases must name codes for each disease, none of them blank")
    return found


def from_file(given: str | Path | Source) -> list[list[str]]:
    """What stands on each line, in pieces."""
    path = given.path if isinstance(given, Source) else Path(given)
    if path is None:
        raise DataError("combinations of codes — a frame cannot list them — give a text file, one combination a line")
    found = []
    for row in read_text_rows(path, ";"):
        codes = [code for cell in row for code in _APART.split(cell) if code]
        if codes and not codes[0].startswith("#"):
            found.append(codes)
    if not found:
        raise DataError(f"{path.name} — lists no combination of codes — write one a line")
    return found
