"""From the codes of one classification to those of another: what each may stand for there.

Two crosswalks ship, `icd9cm-icd10cm` and back: the General Equivalence Mappings of CMS and NCHS, of 2018. Many codes
have several counterparts, some only several codes together, and some have none.

>>> gems = Crosswalk.shipped("icd9cm-icd10cm")
>>> gems.answers("250.00"), gems.answers("0730"), gems.answers("365.70"), gems.answers("no code")
((('E11.9',),), (('A70', 'J17'),), (), None)
>>> Crosswalk.shipped("icd10cm-icd9cm").answers("I10")
(('401.0',), ('401.1',), ('401.9',))
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from sharewell.errors import DataError
from sharewell.hierarchy.codetree import dotted
from sharewell.io.shipped import shipped_text
from sharewell.io.sources import Source

Answer = tuple[str, ...]
"""Codes that together stand for one code."""
SHIPPED: dict[str, Callable[[str], int]] = {
    "icd9cm-icd10cm": lambda code: 3,
    "icd10cm-icd9cm": lambda code: 4 if code.startswith("E") else 3,
}
"""Name → where the dot of a target code stands."""
FROM, TO = "from", "to"
_MOST = 64
"""Answers of one code; of more, only which codes occur is kept, each as an answer of its own."""


@dataclass(frozen=True)
class Crosswalk:
    """For every code, dots and case aside, all that it may stand for."""

    name: str
    table: Mapping[str, tuple[Answer, ...]]

    @staticmethod
    @cache
    def shipped(name: str) -> Crosswalk:
        """By name; see `SHIPPED`."""
        table: dict[str, tuple[Answer, ...]] = {}
        for line in shipped_text(f"{name.replace('-', '_')}.txt.gz").splitlines():
            code, _, listed = line.removeprefix("=").partition("\t")
            table[code] = _answers(listed.split("|") if listed else [], SHIPPED[name])
        return Crosswalk(name, table)

    @classmethod
    def of_file(cls, source: Source) -> Crosswalk:
        """From a file with the columns `from` and `to`, one pair a row; an empty `to` says that there is none."""
        names = source.names()
        if not {FROM, TO} <= set(names):
            raise DataError(
                f"{source.label} — a crosswalk has the columns {FROM} and {TO} — it has: {', '.join(names)}"
            )
        rows = source.read([FROM, TO]).to_pydict()
        pairs = [(_text(one), _text(other)) for one, other in zip(rows[FROM], rows[TO], strict=True)]
        if nameless := sum(not one for one, _ in pairs):
            raise DataError(f"{source.label} — {nameless} row(s) have nothing under {FROM} — fill it in, or drop them")
        results: dict[str, dict[Answer, None]] = {}
        for one, other in pairs:
            answers = results.setdefault(plain(one), {})
            if other:
                answers[other,] = None
        if not results:
            raise DataError(f"{source.label} — the crosswalk is empty — give a row for every pair of codes")
        return cls(source.label, {code: tuple(answers) for code, answers in results.items()})

    def answers(self, code: str) -> tuple[Answer, ...] | None:
        """All that a code may stand for; none, if it has no counterpart; None, if the crosswalk does not know it."""
        return self.table.get(plain(code))


def plain(code: str) -> str:
    """A code without dots and blanks, in upper case.

    >>> plain(" e11.9")
    'E119'
    """
    return code.replace(".", "").strip().upper()


def _answers(written: Sequence[str], dot: Callable[[str], int]) -> tuple[Answer, ...]:
    """Every choice of codes that stand together; equal ones once."""
    results: dict[Answer, None] = {}
    for one in written:
        lists = [[dotted(code, dot(code)) for code in choices.split(",")] for choices in one.split("+")]
        answers = itertools.islice(itertools.product(*lists), _MOST)
        results |= dict.fromkeys(tuple(sorted(set(answer))) for answer in answers)
        if len(results) >= _MOST:
            codes = {code for choices in (*lists, *results) for code in choices}
            return tuple((code,) for code in sorted(codes))
    return tuple(results)


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()
