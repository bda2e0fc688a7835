"""Which published sequence is whose: measures compare each sequence with its own release, in the order of the rows."""

from __future__ import annotations

from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.engine import iupac_lattice
from sharewell.genomes.engine.iupac_lattice import Codes

UNKNOWN = "which published sequence is whose cannot be told"


def side_by_side(before: Sequences | Genotypes, after: Sequences) -> tuple[Codes, Codes] | None:
    """Both as codes, row by row and place by place; None if a symbol is shown that does not cover the true one."""
    original = Sequences.of_genotypes(before) if isinstance(before, Genotypes) else before
    if not isinstance(after, Sequences) or original.codes.shape != after.codes.shape:
        return None
    true, shown = original.matrix, after.matrix
    return (true, shown) if bool(iupac_lattice.covers(shown, true).all()) else None
