"""Whose sample each one is: the key between names of samples and persons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.protocols import Frame, NamesOfPeople
from sharewell.spelling import fold

if TYPE_CHECKING:
    import pyarrow as pa

SAMPLE, PERSON = "sample", "person"
"""The columns of a file that tells."""
PersonKey = Mapping[str, str | None] | Source | Frame
"""Sample → person, or a file or frame with these columns."""


def named(
    samples: Sequence[str], persons: PersonKey | None = None, of: str = "genotypes"
) -> tuple[tuple[str, ...], list[int]]:
    """The persons, and which sample is each one's.

    persons: a mapping, or a file or frame with columns `sample` and `person`; without it, samples are persons. A sample
    whose person is empty is left out. Two samples of one person are refused: the unit of protection is the person.
    of: what the samples are, in messages.

    >>> named(["s1", "s2", "s3"], {"s1": "Ann", "s2": None, "s3": "Bob"})
    (('Ann', 'Bob'), [0, 2])
    """
    refuse_twice(samples, "sample name(s)", "rename samples, or drop all but one", of)
    if persons is None:
        return tuple(samples), list(range(len(samples)))
    key = read_key(persons)
    if strange := sum(sample not in key for sample in samples):
        what = f"{strange} of {len(samples)} sample(s) are not in the key of persons"
        raise DataError(f"{of} — {what} — list every sample; an empty person leaves a sample out")
    kept = [i for i, sample in enumerate(samples) if key[sample] not in (None, "")]
    results = tuple(str(key[samples[i]]) for i in kept)
    refuse_twice(results, "person(s)", "leave out all samples but one by giving them an empty person", of)
    return results, kept


def names_of(people: Sequence[str], persons: Source | Frame | None = None) -> NamesOfPeople:
    """Persons, and how their samples are called, by folds of names. PLINK writes family and sample as one name.

    >>> sorted(names_of(["Ann"], {"S1": "ann ", "s2": None}).also), sorted(names_of(["S1_s1"]).also)
    (['s1'], ['s1'])
    """
    counted = frozenset(map(fold, people))
    samples = {
        fold(str(sample))
        for sample, person in ({} if persons is None else read_key(persons)).items()
        if fold(str(person)) in counted
    }
    halves = {match[1] for name in counted | samples if (match := re.fullmatch(r"(.+)_\1", name, re.DOTALL))}
    return NamesOfPeople(counted, frozenset(samples | halves))


def texts(column: pa.ChunkedArray, name: str) -> list[str | None]:
    """A column as text without blanks around it; what is blank or missing is None. A name with a blank is no other."""
    import pyarrow as pa

    if pa.types.is_floating(column.type):
        column = pa.chunked_array(
            [[None if one is None or one != one else one for one in column.to_pylist()]], column.type
        )
    try:
        result = column.cast(pa.string()).to_pylist()
    except (pa.ArrowException, NotImplementedError):
        raise DataError(f"column {name} — of type {column.type}, which cannot be read as text") from None
    return [None if one is None else one.strip() or None for one in result]


def refuse_twice(names: Sequence[str], what: str, hint: str, of: str = "genotypes") -> None:
    """Names that are there more than once, in whichever spelling, and how many entries that makes too many."""
    folds = _folds(names)
    if extra := len(folds) - len(set(folds)):
        spelt = "" if len(set(names)) < len(names) else " (but for case, blanks or invisible characters)"
        repeated = sum(times > 1 for times in Counter(folds).values())
        raise DataError(f"{of} — {repeated} {what} there more than once{spelt}, {extra} too many — {hint}")


def _folds(names: Sequence[str]) -> list[str]:
    """The fold of every name; where all are plain letters and digits, in one step.

    >>> _folds(["S1", "s1"]), _folds(["S1\\n", "s\u00a01"])
    (['s1', 's1'], ['s1', 's 1'])
    """
    together = "\n".join(names)
    plain = together.isascii() and together.replace("\n", "").isalnum() and together.count("\n") == len(names) - 1
    return together.lower().split("\n") if plain else [fold(name) for name in names]


def read_key(given: PersonKey) -> Mapping[str, str | None]:
    """Sample → person, from a mapping, or a file or frame with columns `sample` and `person`."""
    if isinstance(given, Mapping):
        return given
    source = Source.of(given)
    table = source.read([SAMPLE, PERSON])
    samples, people = ([one or "" for one in texts(table[name], name)] for name in (SAMPLE, PERSON))
    refuse_twice(samples, "sample(s) of the key", "list every sample once")
    return dict(zip(samples, people, strict=True))
