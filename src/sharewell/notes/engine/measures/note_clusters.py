"""Notes in clusters by their words: the mining task by which PACS measures what protection costs.

In this order: words, stop words out, Porter stems, stems under three letters out; a vector of zeros and ones; k-means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.extras import package
from sharewell.notes.data import Notes
from sharewell.notes.engine.spans import Text
from sharewell.notes.engine.word_lists import STOP_WORDS

SHORTEST = 3
"""Letters of a stem."""


@dataclass(frozen=True)
class ClusterPersistence:
    """How clusters of the original are found again."""

    by_cluster: tuple[float, ...]
    """Of each original cluster, largest first: |intersection| / |union| with the published cluster paired with it."""
    sizes: tuple[int, ...]
    """Notes in each original cluster, in the same order."""
    records_kept: float
    """The share of notes that stayed in the cluster paired with their own."""

    @property
    def average(self) -> float:
        return sum(self.by_cluster) / len(self.by_cluster)


def stems(text: str) -> set[str]:
    """What a note is about, in stems.

    >>> sorted(stems("The patients were given 5 mg of morphine; she was weaning."))
    ['morphin', 'patient', 'wean']
    """
    words = (token.lower for token in Text.of(text).tokens)
    return {stem for word in words if word not in STOP_WORDS and len(stem := _stem(word)) >= SHORTEST}


@cache
def _stemmer() -> Callable[[str], str]:
    stem: Callable[[str], str] = package("snowballstemmer", "persistence").stemmer("porter").stemWord
    return stem


@cache
def _stem(word: str) -> str:
    return str(_stemmer()(word))


def clusters(texts: Iterable[str], k: int, seed: int, starts: int) -> NDArray[np.intp]:
    """The cluster of each note; clusters are numbered by size, the largest first, ties by their first note."""
    if k < 1:
        raise DataError("persistence — clusters is 1 or more")
    if not 0 <= seed < 1 << 32:
        raise DataError("persistence — seed is 0 or more, and below 2³²")
    labels = _clustered([stems(text) for text in texts], k, seed, starts)
    names, first, sizes = np.unique(labels, return_index=True, return_counts=True)
    order = np.lexsort((first, -sizes))
    rank = np.empty(len(names), np.intp)
    rank[order] = np.arange(len(names))
    return rank[np.searchsorted(names, labels)]


def _clustered(notes: Sequence[set[str]], k: int, seed: int, starts: int) -> NDArray[np.intp]:
    csr_array = package("scipy.sparse", "persistence").csr_array
    KMeans = package("sklearn.cluster", "persistence").KMeans  # noqa: N806
    words = {word: i for i, word in enumerate(sorted(set().union(*notes)))}
    if not words or len({frozenset(note) for note in notes}) < k:
        raise DataError(f"persistence — fewer than {k} different notes — ask for fewer clusters, or give more notes")
    places = [[words[word] for word in sorted(note)] for note in notes]
    row_ends = np.cumsum([0, *map(len, places)])
    vectors = csr_array(
        (np.ones(int(row_ends[-1])), np.concatenate([*places, []]).astype(np.int32), row_ends.astype(np.int32)),
        shape=(len(notes), len(words)),
    )
    fitted = KMeans(n_clusters=k, random_state=seed, n_init=starts).fit(vectors)
    return np.asarray(fitted.labels_, dtype=np.intp)


def compare_clusters(before: NDArray[np.intp], after: NDArray[np.intp]) -> ClusterPersistence:
    """Clusters paired so that |intersection| / |union| adds up to the most."""
    linear_sum_assignment = package("scipy.optimize", "persistence").linear_sum_assignment
    both = np.zeros((int(before.max()) + 1, int(after.max()) + 1))
    np.add.at(both, (before, after), 1)
    union = both.sum(1, keepdims=True) + both.sum(0, keepdims=True) - both
    share = both / np.maximum(union, 1)
    rows, columns = linear_sum_assignment(-share)
    by_cluster = np.zeros(len(both))
    by_cluster[rows] = share[rows, columns]
    kept = both[rows, columns].sum() / len(before)
    return ClusterPersistence(tuple(map(float, by_cluster)), tuple(map(int, both.sum(1))), float(kept))


def align_notes(before: Notes, after: Notes) -> tuple[list[str], list[str]]:
    """The same notes, as they were and as they are published; withheld ones are in neither."""
    if after.origin is not None:
        return list(before.take(np.asarray(after.origin)).texts), list(after.texts)
    if before.rows != after.rows:
        raise DataError(
            "notes — which published note was which original is not known — measure what a mechanism returned"
        )
    return list(before.texts), list(after.texts)
