"""The source as text, for tests of the house that look for names in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path


def nodes_naming(path: Path, names: Iterable[str]) -> Iterator[ast.AST]:
    """All nodes of a file in which one of these names stands at all; no other file need be parsed."""
    text = path.read_text(encoding="utf-8")
    if not set(re.findall(r"\w+", text)).isdisjoint(names):
        yield from ast.walk(ast.parse(text))
