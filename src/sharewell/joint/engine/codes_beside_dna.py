"""Codes beside DNA: whose each record is, which records show the same DNA, and which may hold some codes.

Both sides are what their own wings make of them; they are only put side by side here, by person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError, PolicyError
from sharewell.io.sources import Source
from sharewell.protocols import Truth
from sharewell.spelling import fold

Ints = NDArray[np.int64]
Shown = NDArray[np.int8] | NDArray[np.uint8]


@runtime_checkable
class Genotypes(Protocol):
    """SNPs of persons."""

    @property
    def packed(self) -> NDArray[np.uint8]: ...

    @property
    def persons(self) -> Sequence[str] | None: ...

    def array(self) -> NDArray[np.int8]:
        """Persons × SNPs; below zero where nothing was read."""
        ...


@runtime_checkable
class Sequences(Protocol):
    """Bases of persons, as sets of bits."""

    @property
    def codes(self) -> NDArray[np.uint8]: ...

    @property
    def persons(self) -> Sequence[str] | None: ...

    @property
    def groups(self) -> NDArray[np.int64]:
        """Equal sequences have one number."""
        ...


Dna = Genotypes | Sequences


class Sets(Protocol):
    def row(self, number: int) -> Iterable[int]: ...


@runtime_checkable
class SetsOfCodes(Protocol):
    """Codes of persons, or the labels published for them, and what each label may stand for."""

    @property
    def names(self) -> tuple[str, ...]: ...

    @property
    def members(self) -> tuple[tuple[str, ...], ...]: ...

    @property
    def sets(self) -> Sets: ...

    @property
    def persons(self) -> Sequence[str] | None: ...

    @property
    def published(self) -> bool: ...


def owners(name: str, released: Dna, truth: Truth[Dna] | None) -> Sequence[str]:
    """Whose each DNA record is, as the truth says, or the data itself: folds of names, as `by_person` has them."""
    if not isinstance(released, Genotypes | Sequences):
        raise PolicyError(f"{name} — reads DNA of persons, and this release shows something else")
    known = released.persons if truth is None else truth.original.persons
    if known is None:
        raise PolicyError(f"{name} — codes and DNA are joined by person — name the persons of the DNA")
    return [fold(who) for who in (known if truth is None else [known[row] for row in truth.rows])]


def shown(released: Dna) -> tuple[Shown, NDArray[np.bool_]]:
    """Records × places, and where a record surely tells one base or one genotype."""
    if isinstance(released, Genotypes):
        calls = released.array()
        return calls, calls >= 0
    codes = released.codes
    return codes, (codes > 0) & ((codes & (codes - 1)) == 0)


def same(table: Shown) -> Ints:
    """A number for each row; equal rows have one."""
    if not table.shape[1]:
        return np.zeros(len(table), dtype=np.int64)
    rows = np.ascontiguousarray(table).view(np.dtype((np.void, table.dtype.itemsize * table.shape[1])))[:, 0]
    return np.asarray(np.unique(rows, return_inverse=True)[1], dtype=np.int64)


def by_person(given: object, subject: str, code: str) -> dict[str, frozenset[str]]:
    """Fold of a person's name → codes, or the labels published for them, from sets of codes or one code a row."""
    if isinstance(given, SetsOfCodes):
        if given.persons is None:
            raise DataError("codes — nobody is named in them — give their persons, so that DNA can be put beside them")
        names = given.names
        return {fold(who): frozenset(names[i] for i in given.sets.row(row)) for row, who in enumerate(given.persons)}
    found: dict[str, set[str]] = {}
    table = Source.of(given).read([subject, code])
    for who, one in zip(table[subject].to_pylist(), table[code].to_pylist(), strict=True):
        if who is not None:
            found.setdefault(fold(str(who)), set()).update([] if one is None else [str(one).strip()])
    return {who: frozenset(held) for who, held in found.items()}


class Holding:
    """Which records may hold some codes: those whose labels cover each of them."""

    def __init__(self, given: object, held: Mapping[str, frozenset[str]], persons: Sequence[str]) -> None:
        sets = given if isinstance(given, SetsOfCodes) else None
        stands = {} if sets is None else dict(zip(sets.names, sets.members, strict=True))
        self.published = sets is not None and sets.published
        self.records: dict[str, set[int]] = {}
        for row, who in enumerate(persons):
            for label in held.get(who, ()):
                for code in stands.get(label, (label,)):
                    self.records.setdefault(code, set()).add(row)

    def of(self, codes: Collection[str]) -> list[int]:
        """In order. Codes that a release covers by no label are left out: it withholds them."""
        known = [code for code in codes if code in self.records or not self.published]
        if not known:
            return []
        found = sorted((self.records.get(code, set()) for code in known), key=len)
        return sorted(set.intersection(*found))
