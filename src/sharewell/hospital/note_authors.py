"""The authors of notes: what each writes, in which words, with which slips (`data/hospital/note_authors.toml`).

A corpus of one hand shows nothing of how well something works on notes of another. Each note here has one author, by
whom a sample can be left out: `author` in the truth beside the notes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from typing import Literal

from sharewell.hospital.note_mess import TYPO, Part
from sharewell.io.shipped import shipped_text


@dataclass(frozen=True)
class Author:
    """The habits of one author; None: as everybody has it."""

    name: str
    writes: tuple[str, ...]
    dates: int
    short: Mapping[str, str] = field(default_factory=dict)
    case: Literal["lower", "upper"] | None = None
    slips: float = TYPO
    width: int | None = None
    copies: float | None = None
    opens: str = ""
    closes: str = ""

    @cached_property
    def _shortened(self) -> re.Pattern[str] | None:
        words = sorted(self.short, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)") if words else None

    def written(self, parts: list[Part]) -> list[Part]:
        """A draft in the author's own words: what is labelled stays."""
        pattern = self._shortened
        if pattern is not None:
            parts = [
                (pattern.sub(lambda word: self.short[word[0]], text), label) if label is None else (text, label)
                for text, label in parts
            ]
        before: list[Part] = [(self.opens, None)] if self.opens else []
        return [*before, *parts, *([(self.closes, None)] if self.closes else [])]


@lru_cache(maxsize=1)
def load_authors() -> tuple[Author, ...]:
    """Read the shipped authors (once)."""
    rows = tomllib.loads(shipped_text("hospital/note_authors.toml"))["authors"]
    return tuple(Author(**(row | {"writes": tuple(row["writes"])})) for row in rows)


@cache
def authors_of(template: str) -> tuple[Author, ...]:
    """Who writes a template; one that nobody claims is written by everybody."""
    return tuple(author for author in load_authors() if template in author.writes) or load_authors()
