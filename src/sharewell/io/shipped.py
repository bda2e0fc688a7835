"""Tables that ship with the package, under `sharewell/data/`; `data/ORIGINS.md` names the origin of each."""

from __future__ import annotations

import csv
import gzip
import io
import re
import tomllib
from collections.abc import Iterator
from importlib import resources
from operator import itemgetter
from typing import Any


def shipped_bytes(name: str) -> bytes:
    """The bytes of `sharewell/data/<name>`, unpacked if the name ends in .gz."""
    raw = resources.files("sharewell").joinpath("data", *name.split("/")).read_bytes()
    return gzip.decompress(raw) if name.endswith(".gz") else raw


def shipped_text(name: str) -> str:
    """The same as UTF-8 text."""
    return shipped_bytes(name).decode("utf-8")


def shipped_marks(name: str) -> dict[str, str]:
    """Of a shipped file whose lines begin with a mark of one letter: the rest of each line → its mark."""
    lines = shipped_text(name).splitlines()
    return dict(zip(map(itemgetter(slice(1, None)), lines), map(itemgetter(0), lines), strict=True))


def shipped_rows(name: str) -> Iterator[dict[str, str]]:
    """The rows of a shipped CSV file, as text."""
    return csv.DictReader(io.StringIO(shipped_text(name), newline=""))


def package_files(folder: str, ending: str) -> list[str]:
    """Files below a folder of the package whose names end so, in order: "notes/rules" → notes/rules/ssn.toml, …"""
    results: list[str] = []
    for entry in resources.files("sharewell").joinpath(*folder.split("/")).iterdir():
        name = f"{folder}/{entry.name}"
        if entry.is_dir():
            results += package_files(name, ending)
        elif name.endswith(ending):
            results.append(name)
    return sorted(results)


def package_text(name: str) -> str:
    """The text of a file of the package that package_files lists, unpacked if its name ends in .gz."""
    raw = resources.files("sharewell").joinpath(*name.split("/")).read_bytes()
    return (gzip.decompress(raw) if name.endswith(".gz") else raw).decode("utf-8")


class ShippedPatterns:
    """Regular expressions of a shipped TOML file.

    A pattern may go over several lines: line ends, and blanks after them, are not part of it. `{year}` in a pattern
    stands for the text `year` of the table `pieces`, or of the pieces that the program adds. Patterns of the table
    `any_case` ignore case, those of `as_written` do not. One name may have a list of patterns.
    """

    def __init__(self, name: str, **pieces: str) -> None:
        document = tomllib.loads(shipped_text(name))
        self.pieces = pieces
        for piece, text in document.pop("pieces", {}).items():
            pieces[piece] = self._expanded(text)
        self.content: dict[str, Any] = self._expanded(document)
        """All but the pieces, which are put in."""
        self._compiled = {
            key: [re.compile(text, flags) for text in ([content] if isinstance(content, str) else content)]
            for table, flags in (("any_case", re.IGNORECASE), ("as_written", re.NOFLAG))
            for key, content in self.content.get(table, {}).items()
        }

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return self._compiled[name][0]

    def several(self, name: str) -> list[re.Pattern[str]]:
        return self._compiled[name]

    def _expanded(self, content: Any) -> Any:
        if isinstance(content, dict):
            return {key: self._expanded(entry) for key, entry in content.items()}
        if isinstance(content, list):
            return [self._expanded(entry) for entry in content]
        whole = re.sub(r"\n *", "", content)
        return re.sub(r"\{([a-z_]+)\}", lambda match: self.pieces[match[1]], whole)
