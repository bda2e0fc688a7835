"""The source as text, for tests of the house that look for names in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path


def nodes_naming(path: Path, names: Iterable[str]) -> Iterator[ast.AST]:
    """All nodes of a file in which one of these names stands at all; no other file need be parsed."""
    text = path.read_text(encoding="utf-8")
    if not set(re.findall(r"\w+", text)).isdisjoint(names):
        yield from ast.walk(ast.parse(text))


@cache
def imported(path: Path) -> tuple[tuple[str, bool], ...]:
    """Every name that a file imports when it is run, dotted, and whether that waits for a function to be called.

    What is imported from a module has the module in front of it. Imports for type checkers alone are left out.
    """
    return tuple(_imported(ast.parse(path.read_text(encoding="utf-8")).body, later=False))


def _imported(statements: Sequence[ast.stmt], *, later: bool) -> Iterator[tuple[str, bool]]:
    for one in statements:
        if isinstance(one, ast.Import):
            yield from ((alias.name, later) for alias in one.names)
        elif isinstance(one, ast.ImportFrom):
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
