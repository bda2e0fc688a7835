"""Lists of combinations of codes, as they are given: lists of lists, or a file with one combination a line.

In a file codes are separated by spaces, `;` or `,`; blank lines and lines that begin with `#` are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.io.tablefile import read_text_rows

_APART = re.compile(r"[\s;,]+")


def listed(given: Any, what: str) -> tuple[tuple[str, ...], ...]:
    """Distinct combinations, each sorted, in the order given.

    >>> listed([["b", "a"], "c", ["a", "b", "a"]], "itemsets")
    (('a', 'b'), ('c',))
    """
    rows: Iterable[Any] = _from_file(given) if isinstance(given, str | Path | Source) else given
    return tuple(dict.fromkeys(_combination(row, what) for row in rows))


def _combination(given: Any, what: str) -> tuple[str, ...]:
    codes: Iterable[Any] = [given] if isinstance(given, str) else given
    found = tuple(sorted({str(code).strip() for code in codes} - {""}))
    if not found:
        raise ValueError(f"{what} must not hold an empty combination")
    return found


def _from_file(given: str | Path | Source) -> list[list[str]]:
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
