"""Genomes: genotypes, sequences, and what published frequencies of alleles give away."""

from sharewell import registry
from sharewell.lazy_exports import Exports

_OTHERS = {
    "BeaconAnswers": ".data.beacon_answers",
    "Frequencies": ".data.frequencies",
    "Genotypes": ".data.genotypes",
    "Selection": ".engine.selection",
    "Sequences": ".data.sequences",
    "Snps": ".data.snps",
    "lattice_distance": ".engine.iupac_lattice",
}
"""What is exported besides the registered algorithms."""

_exports = Exports(__name__, registry.exported(__name__) | _OTHERS)
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
