"""The data types."""

from __future__ import annotations

from sharewell.genomes.data.beacon_answers import BeaconAnswers
from sharewell.genomes.data.frequencies import Frequencies
from sharewell.genomes.data.genotypes import Genotypes
from sharewell.genomes.data.sequences import Sequences
from sharewell.genomes.data.snps import Snps

__all__ = ["BeaconAnswers", "Frequencies", "Genotypes", "Sequences", "Snps"]
