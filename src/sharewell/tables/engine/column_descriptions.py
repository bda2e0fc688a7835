"""What the dictionary of a release says of a table's columns, held against the published cells."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sharewell.cells import Any as AnyCell
from sharewell.cells import Cell, Exact, Interval, Mean, Node, Prefix, Set, Suppressed
from sharewell.plain_data import Json
from sharewell.roles import Role
from sharewell.styles import STYLES
from sharewell.tables.data import Table

PSEUDONYMS = "pseudonym, one for each person and class"
ONE_A_PERSON = "pseudonym, one for all rows of a person or of a part of them"
_STYLE_OF = {"within-class": PSEUDONYMS, "dataset": ONE_A_PERSON}
_KINDS = ("number", "date", "text")
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_WRITTEN: Mapping[str, tuple[type[Cell], ...]] = {
    "range": (Exact, Interval),
    "set": (Exact, Set, Node),
    "node": (Exact, Interval, Node, Prefix),
    "mean": (Exact, Mean),
    "low-high": (Exact, Interval),
}
"""Style → the cells that it writes, beside `*` and withheld records. A value in a tree is a node of it."""


def misdescribed(
    data: Table, name: str, facts: Mapping[str, Json], asked: str | None, subject: str = "within-class"
) -> str:
    """In what the dictionary is wrong about a column; empty if in nothing that the file or the policy shows.

    asked: the style that the policy asks for. Mechanisms that falsify a column, and Safe Harbor, write it in their own
    way, which the dictionary tells beside the style. subject: what the policy publishes in place of the subject.
    """
    role, kind, style = Role(facts["role"]), facts.get("kind"), facts.get("style")
    if role is Role.SUBJECT:
        return "" if style == _STYLE_OF.get(subject) else "the dictionary does not say that its names are pseudonyms"
    if role is not Role.QUASI:
        return ""
    if kind not in _KINDS or style not in STYLES:
        return "the dictionary does not say of which kind it is, or in which style it is written"
    if {"falsified", "safe_harbor"} & set(facts):
        return ""
    by_itself = "node" if "hierarchy" in facts else "set" if kind == "text" else "range"
    if style != (asked or by_itself):
        return "the dictionary names a style that columns of its kind do not have by themselves"
    cells = data.columns[name].cells
    if style in _WRITTEN and not all(isinstance(cell, (*_WRITTEN[style], AnyCell, Suppressed)) for cell in cells):
        return "its cells are not written in the style that the dictionary names"
    if kind == "number" and style == "range" and not all(_is_numeric(cell) for cell in cells):
        return "the dictionary says that it holds numbers, and some cells are none"
    return ""


def _is_numeric(cell: Cell) -> bool:
    ends = (cell.low, cell.high) if isinstance(cell, Interval) else (cell.value,) if isinstance(cell, Exact) else ()
    return all(not end or _NUMBER.fullmatch(end.strip()) for end in ends)
