"""The source as text, for tests of the house that look for names in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path


def nodes_naming(path: Path, names: Iterable[str]) -> Iterator[ast.AST]:
    """All nodes of a file in which one of these names stands at all; no other file need be parsed."""
    text = path.read_text(encoding="utf-8")
    if re.search(rf"\b(?:{'|'.join(map(re.escape, names))})\b", text):
        yield from ast.walk(ast.parse(text))


@dataclass(frozen=True)
class Outline:
    """What most laws ask of a file, of which its tree would be a thousand times as large."""

    lines: int
    functions: tuple[tuple[str, int], ...]
    """Each function with its number of lines."""
    imported: tuple[tuple[str, bool], ...]


@cache
def outline(path: Path) -> Outline:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    functions = (one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef))
    lengths = tuple((one.name, (one.end_lineno or one.lineno) - one.lineno + 1) for one in functions)
    return Outline(len(text.splitlines()), lengths, tuple(_imported(tree.body, later=False)))


def imported(path: Path) -> tuple[tuple[str, bool], ...]:
    """Every name that a file imports when it is run, dotted, and whether that waits for a function to be called.

    What is imported from a module has the module in front of it. Imports for type checkers alone are left out.
    """
    return outline(path).imported


def _imported(statements: Sequence[ast.stmt], *, later: bool) -> Iterator[tuple[str, bool]]:
    for one in statements:
        if isinstance(one, ast.Import):
            yield from ((alias.name, later) for alias in one.names)
        elif isinstance(one, ast.ImportFrom):
            assert not one.level, f"line {one.lineno}: say from which module, so that laws about imports can be read"
            yield from ((f"{one.module}.{alias.name}", later) for alias in one.names)
        elif isinstance(one, ast.If) and "TYPE_CHECKING" in ast.dump(one.test):
            yield from _imported(one.orelse, later=later)
        else:
            inside = later or isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
            for block in _blocks(one):
                yield from _imported(block, later=inside)


def _blocks(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The statements that a statement holds; expressions hold none."""
    for part in (statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield from (getattr(part, name) for name in ("body", "orelse", "finalbody") if hasattr(part, name))
