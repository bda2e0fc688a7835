"""What published notes show of persons, note by note, and the same notes without some of it.

>>> from sharewell.notes import Notes
>>> facts = person_facts(Notes.of(["Takes metformin.", "Takes insulin."], persons=["a", "b"]))
>>> facts.persons, facts.sets[1].tolist()
(('a', 'b'), [0, 1, 0, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.notes.data import Notes
from sharewell.notes.engine.rewritten_text import Change
from sharewell.notes.engine.shown_words import without_words, words_shown
from sharewell.protocols import PersonFacts
from sharewell.roles import Role

_AS_THEY_ARE = (Role.KEEP, Role.SENSITIVE)
"""Roles of columns beside the text whose cells count like words; dates that move are left out."""
Cells = dict[str, list[str | None]]


@dataclass(frozen=True)
class _Facts:
    """The words of each note, each once: those of note i are items[starts[i] : starts[i + 1]]."""

    starts: NDArray[np.int64]
    items: NDArray[np.int64]
    words: tuple[str, ...]
    """By number. A cell of another column is its name and its value with a sign between that no text has."""
    beside: Cells

    def of_note(self, i: int, marks: NDArray[np.bool_]) -> set[str]:
        """The words of a note that are marked."""
        begin, end = self.starts[i], self.starts[i + 1]
        return {self.words[item] for item in self.items[begin:end][marks[begin:end]].tolist()}


@lru_cache(maxsize=2)
def _facts(data: Notes) -> _Facts:
    beside = _cells_beside(data)
    number: dict[str, int] = {}
    starts, items = [0], list[int]()
    for i, text in enumerate(data.texts):
        held = {number.setdefault(word, len(number)) for _, _, word in words_shown(text)}
        cells = [(name, column[i]) for name, column in beside.items()]
        held |= {number.setdefault(_fact(name, cell), len(number)) for name, cell in cells if cell}
        items += sorted(held)
        starts.append(len(items))
    return _Facts(np.array(starts, np.int64), np.array(items, np.int64), tuple(number), beside)


def _fact(column: str, cell: str) -> str:
    return f"{column}\0{cell}"


def _cells_beside(data: Notes) -> Cells:
    columns = data.columns_beside().items() if data.beside is not None else ()
    shown = {name: column for name, column in columns if data.facts.get(name, {}).get("role") in _AS_THEY_ARE}
    return {name: column.cast(pa.string()).to_pylist() for name, column in shown.items()}


def person_facts(data: Notes) -> PersonFacts | None:
    """The words of each note, and the cells beside it that are published as they are; None where nobody is named."""
    persons = data.persons if data.linked_names is None else data.linked_names
    if persons is None:
        return None
    facts = _facts(data)
    sensitive = {
        name: np.unique([cell or "" for cell in cells], return_inverse=True)[1].astype(np.int64)
        for name, cells in facts.beside.items()
        if data.facts[name].get("role") == Role.SENSITIVE
    }
    return PersonFacts(persons, {}, (), sensitive, sets=(facts.starts, facts.items), called="word")


def without_facts(
    data: Notes,
    changes: Sequence[Sequence[Change]],
    removed: NDArray[np.bool_] | None,
    kept: NDArray[np.bool_],
) -> tuple[Notes, tuple[tuple[Change, ...], ...]]:
    """The notes that are kept, with a mark in place of the words that are removed, and the maps of what was replaced.

    removed: one mark for each fact of `person_facts`. All notes are in memory then.
    """
    rows, texts, maps = np.flatnonzero(kept), list(data.texts), [tuple(one) for one in changes]
    beside = None if data.beside is None else pa.table(data.columns_beside())
    if removed is not None:
        facts = _facts(data)
        hidden = [facts.of_note(i, removed) for i in range(data.rows)]
        done = [without_words(text, maps[i], hidden[i]) for i, text in enumerate(texts)]
        texts, maps = [text for text, _ in done], [one for _, one in done]
        for name, cells in facts.beside.items():
            assert beside is not None
            shown = [cell if cell and _fact(name, cell) not in hidden[i] else None for i, cell in enumerate(cells)]
            beside = beside.set_column(beside.column_names.index(name), name, pa.array(shown, pa.string()))
    left = replace(
        data,
        texts=tuple(texts[row] for row in rows),
        persons=None if data.persons is None else tuple(data.persons[row] for row in rows),
        beside=None if beside is None else beside.take(rows),
        origin=None if data.origin is None else np.asarray(data.origin)[rows],
    )
    return left, tuple(maps[row] for row in rows)
