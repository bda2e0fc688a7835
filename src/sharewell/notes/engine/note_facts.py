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
from weakref import WeakKeyDictionary

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.keys import Key
from sharewell.notes.data import Notes
from sharewell.notes.engine.rewritten_text import Change
from sharewell.notes.engine.shown_words import HIDDEN, with_sign, without_words, words_shown
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
    text_starts: NDArray[np.int64]
    text_items: NDArray[np.int64]
    """The same without cells beside the text, and in the order of the text."""
    words: tuple[str, ...]
    """By number. A cell of another column is its name and its value with a sign between that no text has."""
    beside: Cells
    marked: NDArray[np.bool_]
    """Does the note show that words were left out?"""

    def of_note(self, i: int, marks: NDArray[np.bool_]) -> set[str]:
        """The words of a note that are marked."""
        begin, end = self.starts[i], self.starts[i + 1]
        return {self.words[item] for item in self.items[begin:end][marks[begin:end]].tolist()}

    def shown_by(self, i: int) -> list[str]:
        """All words of the text of a note, in order."""
        return [self.words[item] for item in self.text_items[self.text_starts[i] : self.text_starts[i + 1]].tolist()]


@dataclass(frozen=True)
class _Before:
    """What is known of notes that were made from others by leaving words out."""

    facts: _Facts
    rows: NDArray[np.intp]
    """Of each note: the one that it was."""
    same: NDArray[np.bool_]
    """Of each note: does it show all words that it showed?"""


_BEFORE: WeakKeyDictionary[Notes, _Before] = WeakKeyDictionary()
"""Facts are left out pass by pass, most of them in a few notes: the words of all others are not read again."""


@lru_cache(maxsize=2)
def _facts(data: Notes) -> _Facts:
    beside = _cells_beside(data)
    before = _BEFORE.get(data)
    number: dict[str, int] = {}
    held, of_text, marked = list[list[int]](), list[list[int]](), list[bool]()
    for i, text in enumerate(data.texts):
        marked.append(HIDDEN in text)
        if before is not None and before.same[i]:
            words = before.facts.shown_by(int(before.rows[i]))
        else:
            words = [word for _, _, word in words_shown(text)]
        of_text.append(list(dict.fromkeys(number.setdefault(word, len(number)) for word in words)))
        cells = [_fact(name, column[i]) for name, column in beside.items()]
        held.append(sorted({*of_text[-1], *(number.setdefault(cell, len(number)) for cell in cells)}))
    return _Facts(*_packed(held), *_packed(of_text), tuple(number), beside, np.array(marked, bool))


def _packed(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each list begins, and all of them one after the other."""
    starts = np.concatenate([[0], np.cumsum([len(one) for one in lists])]).astype(np.int64)
    return starts, np.array([item for one in lists for item in one], np.int64)


def _fact(column: str, cell: str | None) -> str:
    """That a cell is empty is a fact too: among filled cells it may be one person's alone."""
    return f"{column}\0{cell or ''}"


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
    sets = facts.starts, facts.items
    return PersonFacts(persons, {}, (), sensitive, sets=sets, called="word", marked=facts.marked)


def without_facts(
    data: Notes,
    changes: Sequence[Sequence[Change]],
    removed: NDArray[np.bool_] | None,
    kept: NDArray[np.bool_],
    key: Key | None = None,
) -> tuple[Notes, tuple[tuple[Change, ...], ...]]:
    """The notes that are kept, with a mark in place of the words that are removed, and the maps of what was replaced.

    removed: one mark for each fact of `person_facts`. Every note then lacks a word at least, and shows the sign of it:
    one without it would tell that its person had none of the words that were removed. For the same reason a column
    beside the text is emptied for everybody, if it must be for somebody. All notes are in memory then. key: draws the
    word that goes where none has to.
    """
    rows, texts, maps = np.flatnonzero(kept), list(data.texts), [tuple(one) for one in changes]
    beside = None if data.beside is None else pa.table(data.columns_beside())
    same = np.ones(data.rows, bool)
    if removed is not None:
        facts = _facts(data)
        lacking = np.diff(np.concatenate([[0], np.cumsum(removed)])[facts.starts]) > 0
        hidden = [facts.of_note(i, removed) if some else set() for i, some in enumerate(lacking)]
        secret = (key or Key.fresh()).digest("words left out")
        done = [
            with_sign(*(without_words(text, maps[i], hidden[i]) if hidden[i] else (text, maps[i])), secret)
            for i, text in enumerate(texts)
        ]
        same = np.array([left == text for text, (left, _) in zip(texts, done, strict=True)], dtype=bool)
        texts, maps = [text for text, _ in done], [one for _, one in done]
        for name, cells in facts.beside.items():
            assert beside is not None
            if any(_fact(name, cells[row]) in hidden[row] for row in rows.tolist()):
                nothing = pa.nulls(len(cells), pa.string())
                beside = beside.set_column(beside.column_names.index(name), name, nothing)
    left = replace(
        data,
        texts=tuple(texts[row] for row in rows),
        persons=None if data.persons is None else tuple(data.persons[int(row)] for row in rows),
        beside=None if beside is None else beside.take(rows),
        origin=None if data.origin is None else np.asarray(data.origin)[rows],
    )
    _BEFORE[left] = _Before(_facts(data), rows, same[rows])
    return left, tuple(maps[row] for row in rows)
