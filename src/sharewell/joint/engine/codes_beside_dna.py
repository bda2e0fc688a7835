"""Codes and DNA of the same persons: owners of records, records with equal DNA, records that may hold some codes.

Both sides are what their own wings make of them; they are only put side by side here, by person.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import DataError, PolicyError, Truth
from sharewell.io.sources import Source
from sharewell.spelling import fold


class NamedSnps(Protocol):
    id: NDArray[np.object_]


Ints = NDArray[np.int64]
Shown = NDArray[np.int8] | NDArray[np.uint8]


@runtime_checkable
class Genotypes(Protocol):
    """SNPs of persons."""

    packed: NDArray[np.uint8]
    persons: Sequence[str] | None
    snps: NamedSnps

    def array(self) -> NDArray[np.int8]:
        """Persons × SNPs; below zero where nothing was read."""
        ...


@runtime_checkable
class Sequences(Protocol):
    """Bases of persons, as sets of bits."""

    codes: NDArray[np.uint8]
    persons: Sequence[str] | None
    groups: NDArray[np.int64]
    """Equal sequences have one number."""


Dna = Genotypes | Sequences


class Sets(Protocol):
    def row(self, number: int) -> Iterable[int]: ...


@runtime_checkable
class SetsOfCodes(Protocol):
    """Codes of persons, or the labels published for them, and what each label may stand for."""

    names: tuple[str, ...]
    members: tuple[tuple[str, ...], ...]
    sets: Sets
    persons: Sequence[str] | None
    published: bool


def owners(name: str, released: Dna, truth: Truth[Dna] | None) -> Sequence[str]:
    """The person of each DNA record, by the fold of the name; from the truth, or else from the data itself."""
    if not isinstance(released, Genotypes | Sequences):
        raise PolicyError(f"{name} — reads DNA of persons, and this release shows something else")
    known = released.persons if truth is None else truth.original.persons
    if known is None:
        raise PolicyError(f"{name} — codes and DNA are joined by person — name the persons of the DNA")
    return [fold(who) for who in (known if truth is None else [known[row] for row in truth.rows])]


def published_dna(released: Dna) -> tuple[Shown, NDArray[np.bool_]]:
    """Records × places, and where a record shows exactly one base or genotype."""
    if isinstance(released, Genotypes):
        calls = released.array()
        return calls, calls >= 0
    codes = released.codes
    return codes, (codes > 0) & ((codes & (codes - 1)) == 0)


def equal_rows(table: Shown) -> Ints:
    """A number for each row; equal rows have one."""
    if not table.shape[1]:
        return np.zeros(len(table), dtype=np.int64)
    rows = np.ascontiguousarray(table).view(np.dtype((np.void, table.dtype.itemsize * table.shape[1])))[:, 0]
    return np.asarray(np.unique(rows, return_inverse=True)[1], dtype=np.int64)


def codes_by_person(codes: object, subject: str, code: str) -> dict[str, frozenset[str]]:
    """Fold of a person's name → codes, or the labels published for them, from sets of codes or one code a row."""
    if isinstance(codes, SetsOfCodes):
        if codes.persons is None:
            raise DataError("codes — nobody is named in them — give their persons, so that DNA can be put beside them")
        names = codes.names
        return {
            fold(person): frozenset(names[i] for i in codes.sets.row(row)) for row, person in enumerate(codes.persons)
        }
    codes_of: dict[str, set[str]] = {}
    table = Source.of(codes).read([subject, code])
    for person, text in zip(table[subject].to_pylist(), table[code].to_pylist(), strict=True):
        if person is not None:
            codes_of.setdefault(fold(str(person)), set()).update([] if text is None else [str(text).strip()])
    return {person: frozenset(codes_held) for person, codes_held in codes_of.items()}


class CodeIndex:
    """Which records may hold some codes: those whose labels cover each of them."""

    def __init__(self, codes: object, labels_of: Mapping[str, frozenset[str]], persons: Sequence[str]) -> None:
        sets = codes if isinstance(codes, SetsOfCodes) else None
        stands = {} if sets is None else dict(zip(sets.names, sets.members, strict=True))
        self.published = sets is not None and sets.published
        self.records: dict[str, set[int]] = {}
        for row, person in enumerate(persons):
            for label in labels_of.get(person, ()):
                for code in stands.get(label, (label,)):
                    self.records.setdefault(code, set()).add(row)

    def of(self, codes: Collection[str]) -> list[int]:
        """In order. Codes that a release covers by no label are left out: it withholds them."""
        known = [code for code in codes if code in self.records or not self.published]
        if not known:
            return []
        lists = sorted((self.records.get(code, set()) for code in known), key=len)
        return sorted(set.intersection(*lists))
