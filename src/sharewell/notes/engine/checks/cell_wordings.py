"""The ways in which a text may say a published age and no more: the cell, its two ends, or the decade that it is.

A judge takes these out of a text before it looks for ages. A part of a decade ("early 60s") says more than the cell,
and stays.

>>> without_ages("In their 60s (60-69, [60-69]); early 60s, 1960s", ["[60-69]"]).replace(CELL, "…")
'In their … (…, …); early 60s, 1960s'
>>> without_ages("In their 60s, 60-64", ["[60-64]"]).replace(CELL, "…")
'In their 60s, …'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from sharewell import cells

CELL = "\0"
"""What stands where a cell was."""
_TENTHS = range(20, 91, 10)
_NARROWER = ["early", "mid", "middle", "late", "later", "upper", "lower", "young", "low", "high", "first", "second"]


def without_ages(text: str, row: Iterable[str]) -> str:
    """A text with a sign of its own in the place of every such wording of these cells."""
    for cell in row:
        if cell and not cell.isalnum() and cell != "*":
            text = text.replace(cell, CELL)
            for form in _forms(cell):
                text = form.sub(CELL, text)
    return text


@lru_cache(maxsize=4096)
def _forms(cell: str) -> tuple[re.Pattern[str], ...]:
    published = cells.parse(cell)
    if not isinstance(published, cells.Interval) or not re.fullmatch(
        r"\d{1,3}-\d{1,3}", f"{published.low}-{published.high}"
    ):
        return ()
    first, last = int(published.low), int(published.high)
    results = [re.compile(rf"(?<![\d.,-])(?<!\d[/:]){first}-{last}(?!\d|[./:]\d|-\d)")]
    if first in _TENTHS and last - first == 9:
        narrower = "".join(rf"(?<!\b{word}[\s-])" for word in _NARROWER)
        results.append(re.compile(rf"(?i)(?<![\w.,'’-])(?<!\d[/:]){narrower}{first}s(?!\w)"))
    return tuple(results)
