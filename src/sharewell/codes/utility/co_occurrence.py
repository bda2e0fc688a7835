"""Co-occurrence: the share of the pairs of codes in one record that are still seen together in chunks.

## What it does not protect
Not a privacy measure. Pairs that are not seen together can still be estimated: the error says how well.

## Parameters
pairs: lists of two codes whose numbers of records are estimated. Left out, pairs are drawn.
number: how many pairs to draw; each is in some record, frequent ones are drawn more often.
frequent: draw only pairs that at least this share of the records holds.
draws: how many reconstructions to draw. A pair's error is |estimate − actual| / actual in each of them, on average.
seed: of drawn pairs and reconstructions.

## Worked example
Of four pairs of codes two are published in one piece. All three records hold a, and one holds c: however the pieces are
laid together, a and c meet in one record, as they did.

>>> from sharewell.codes import CodeSets
>>> from sharewell.codes.engine.chunks import Chunks, Cluster, Joint
>>> before = CodeSets.of([["a", "b", "c"], ["a", "b"], ["a"]])
>>> after = Chunks.of([Joint((Cluster.of(3, [[["a", "b"], ["a", "b"], ["a"]], [["c"]]]),))])
>>> result = CoOccurrence(pairs=[["a", "c"]]).score(before, after)
>>> result.value, result.details.kept, result.details.error
(0.5, 2, 0.0)

## Why it is safe
Pairs are counted in the published sub-records, however often the same two codes meet. Reconstructions are drawn with a
fixed seed from the chunks alone.

## Cost
O(occurrences) for each reconstruction, and O(records of the rarer code) for each pair.

## Source
Terrovitis, Liagouris, Mamoulis and Skiadopoulos, 2012, compare the supports of pairs in reconstructed data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import Count, Declared, Finding, Measure, Share
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.chunks import Chunks, chunks_in
from sharewell.codes.engine.combinations import listed
from sharewell.codes.engine.reconstructions import reconstructed
from sharewell.codes.utility.query_error import QueryError


@dataclass(frozen=True)
class CoOccurrenceDetails:
    """Pairs of codes in one record, before and in one piece after; and how wrong estimates are."""

    before: int
    kept: int
    occurrences_before: int
    occurrences_in_pieces: int
    """Codes of sub-records: the number of records that hold them is known."""
    pairs_estimated: int
    error: float | None
    """None if no pair is frequent enough."""
    median_error: float | None


@dataclass(frozen=True)
class CoOccurrence(Declared, Measure[CodeSets | Chunks]):
    """Pairs of codes that stay together, of all."""

    pairs: Sequence[Sequence[str]] = ()
    number: Count = 500
    frequent: Share = 0.0
    draws: Count = 3
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "pairs", listed(self.pairs, "pairs"))
        if any(len(pair) != 2 for pair in self.pairs):
            raise ValueError("pairs must hold two different codes each")

    def score(self, before: CodeSets | Chunks, after: CodeSets | Chunks) -> Finding:
        assert isinstance(before, CodeSets)
        released = chunks_in(after, self.name)
        lengths = before.sets.lengths
        total = int((lengths * (lengths - 1) // 2).sum())
        if not total:
            return Finding(self.name, None, note="no record holds two codes")
        pieces = np.array(
            [len(codes) for joint in released.joints for bag in joint.bags for codes in bag], dtype=np.int64
        )
        kept = int((pieces * (pieces - 1) // 2).sum())
        errors = self._errors(before, released)
        details = CoOccurrenceDetails(
            before=total,
            kept=kept,
            occurrences_before=int(lengths.sum()),
            occurrences_in_pieces=int(pieces.sum()),
            pairs_estimated=len(errors),
            error=float(errors.mean()) if len(errors) else None,
            median_error=float(np.median(errors)) if len(errors) else None,
        )
        return Finding(self.name, kept / total, details=details)

    def _errors(self, before: CodeSets, released: Chunks) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """For each pair the mean relative error over reconstructions."""
        drawn = QueryError(number=self.number, size=2, frequent=self.frequent, seed=self.seed)
        pairs = self.pairs or drawn.drawn(before)
        actual = np.array([before.support(pair) for pair in pairs], dtype=np.float64)
        errors = np.zeros(len(pairs))
        for seed in range(self.seed, self.seed + self.draws) if pairs else ():
            guess = reconstructed(released, seed)
            estimate = np.array([guess.support(pair) for pair in pairs], dtype=np.float64)
            errors += np.abs(estimate - actual) / np.maximum(actual, 1.0)
        return errors / self.draws
