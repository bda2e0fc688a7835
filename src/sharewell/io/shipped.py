"""Tables that ship with the package, under `sharewell/data/`; `data/ORIGINS.md` names the origin of each."""

from __future__ import annotations

import csv
import gzip
import io
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any


@cache
def _package() -> Traversable:
    """The folder of the package, looked for once."""
    return resources.files("sharewell")


def shipped_bytes(name: str) -> bytes:
    """The bytes of `sharewell/data/<name>`, unpacked if the name ends in .gz."""
    raw = _package().joinpath("data", *name.split("/")).read_bytes()
    return gzip.decompress(raw) if name.endswith(".gz") else raw


def shipped_text(name: str) -> str:
    """The same as UTF-8 text."""
    return shipped_bytes(name).decode("utf-8")


def shipped_rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of a shipped CSV file, as text."""
    return csv.DictReader(io.StringIO(shipped_text(name), newline=""))


def package_files(folder: str, ending: str) -> list[str]:
    """Files below a folder of the package whose names end so, in order: "notes/rules" → notes/rules/ssn.toml, …"""
    return [name for name in _files_below(folder) if name.endswith(ending)]


@cache
def _files_below(folder: str) -> list[str]:
    """All files below a folder of the package, in order; it does not change while a program runs."""
    results: list[str] = []
    for entry in _package().joinpath(*folder.split("/")).iterdir():
        name = f"{folder}/{entry.name}"
        results += _files_below(name) if entry.is_dir() else [name]
    return sorted(results)


def package_text(name: str) -> str:
    """The text of a file of the package that package_files lists, unpacked if its name ends in .gz."""
    raw = _package().joinpath(*name.split("/")).read_bytes()
    return (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("utf-8")


class ShippedPatterns:
    """Regular expressions of a shipped TOML file.

    A pattern may go over several lines: line ends, and blanks after them, are not part of it. `{year}` in a pattern
    stands for the text `year` of the table `pieces`, or of the pieces that the program adds. Patterns of the table
    `any_case` ignore case, those of `as_written` do not. One name may have a list of patterns. `compile` is another
    compiler than Python's own, such as `io.compiled_patterns.compiled`.
    """

    def __init__(self, name: str, compile: Callable[[str, int], re.Pattern[str]] = re.compile, **pieces: str) -> None:
        document = tomllib.loads(shipped_text(name))
        self.pieces, self._compile = pieces, compile
        for piece, text in document.pop("pieces", {}).items():
            pieces[piece] = self._expanded(text)
        self.content: dict[str, Any] = self._expanded(document)
        """All but the pieces, which are put in."""
        self._flags = {
            key: (flags, [content] if isinstance(content, str) else content)
            for table, flags in (("any_case", re.IGNORECASE), ("as_written", re.NOFLAG))
            for key, content in self.content.get(table, {}).items()
        }
        self._compiled: dict[str, list[re.Pattern[str]]] = {}

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return self.several(name)[0]

    def several(self, name: str) -> list[re.Pattern[str]]:
        """The patterns of a name, compiled when they are first asked for."""
        compiled = self._compiled.get(name)
        if compiled is None:
            flags, texts = self._flags[name]
            compiled = self._compiled[name] = [self._compile(text, flags) for text in texts]
        return compiled

    def _expanded(self, content: Any) -> Any:
        if isinstance(content, dict):
            return {key: self._expanded(entry) for key, entry in content.items()}
        if isinstance(content, list):
            return [self._expanded(entry) for entry in content]
        whole = re.sub(r"\n *", "", content)
        return re.sub(r"\{([a-z_]+)\}", lambda match: self.pieces[match[1]], whole)
