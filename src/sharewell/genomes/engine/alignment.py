"""Star alignment: every sequence is aligned to one reference, and the alignments are laid over each other.

A column is a base of the reference, or a place where some sequence has a base more. Whatever a sequence lacks is a gap;
columns in which every sequence has a gap are left out. The reference itself is not part of the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.extras import package
from sharewell.genomes.engine import iupac_lattice
from sharewell.genomes.engine.iupac_lattice import BASES, GAP, Codes

MATCH, MISMATCH, OPEN, EXTEND = 5, -4, -10, -1
"""Scores of two symbols, of a gap and of every further symbol of it. Codes that share bases are scored in between."""
_ALPHABET = iupac_lattice.SYMBOLS[1:GAP]

Path = NDArray[np.int64]
"""Two rows, reference and sequence: where each straight piece of an alignment begins and ends."""


def star(rows: Sequence[Codes], reference: Codes) -> Codes:
    """Rows of one length. Gaps that are there already, in a row or in the reference, are taken out first.

    >>> rows = [iupac_lattice.read(text) for text in ("ACGTTTACG", "ACGTTACG", "ACGTTTCACG")]
    >>> [iupac_lattice.write(row) for row in star(rows, iupac_lattice.read("ACGTTTACG"))]
    ['ACGTTT-ACG', 'ACG-TT-ACG', 'ACGTTTCACG']
    """
    base = _bare(reference)
    if not len(base):
        raise DataError("alignment — the reference holds no base — give a sequence of the same region")
    texts = [iupac_lattice.write(_bare(row)) for row in rows]
    if empty := sum(not text for text in texts):
        raise DataError(f"alignment — {empty} of {len(texts)} sequence(s) hold no base — leave them out")
    aligner, known = _aligner(), iupac_lattice.write(base)
    paths = {text: np.asarray(aligner.align(known, text)[0].coordinates, dtype=np.int64) for text in set(texts)}
    more = np.zeros(len(base) + 1, dtype=np.int64)  # symbols to insert before each base, and at the end
    for path in paths.values():
        steps = np.diff(path, axis=1)
        inserted = (steps[0] == 0) & (steps[1] > 0)  # the sequence goes on and the reference does not
        np.maximum.at(more, path[0, :-1][inserted], steps[1, inserted])
    place = np.arange(len(base) + 1) + np.cumsum(more)
    laid = {text: _laid(iupac_lattice.read(text), path, place, more) for text, path in paths.items()}
    whole = np.array([laid[text] for text in texts], dtype=np.uint8).reshape(len(texts), int(place[-1]))
    return np.asarray(whole[:, (whole != GAP).any(axis=0)], dtype=np.uint8, order="C")


def _bare(codes: Codes) -> Codes:
    return np.asarray(codes[(codes != 0) & (codes != GAP)], dtype=np.uint8)


def _laid(codes: Codes, path: Path, place: Path, more: Path) -> Codes:
    """One row in the columns of all; inserted symbols stand at the left of their place."""
    row = np.full(int(place[-1]), GAP, dtype=np.uint8)
    for i in range(path.shape[1] - 1):
        (here, there), (begin, end) = path[:, i : i + 2]
        if begin == end:
            continue
        where = place[here:there] if there > here else place[here] - more[here] + np.arange(end - begin)
        row[where] = codes[begin:end]
    return row


def _aligner() -> Any:
    """Global, but what the reference has before or after a sequence costs nothing: a part may lie anywhere in it."""
    bio = package("Bio.Align", "alignment")
    aligner = bio.PairwiseAligner()
    scores = bio.substitution_matrices.Array(_ALPHABET, dims=2)
    for x in range(1, GAP):
        for y in range(1, GAP):
            share = int(BASES[x & y]) / int(BASES[x | y])
            scores[iupac_lattice.SYMBOLS[x], iupac_lattice.SYMBOLS[y]] = MISMATCH + (MATCH - MISMATCH) * share
    aligner.substitution_matrix = scores
    aligner.mode = "global"
    aligner.open_gap_score, aligner.extend_gap_score = OPEN, EXTEND
    aligner.end_deletion_score = 0
    return aligner
