"""Genomes: genotypes, sequences, and what published frequencies of alleles give away."""

from typing import TYPE_CHECKING

from sharewell.lazy_exports import exporting

if TYPE_CHECKING:
    from sharewell.genomes.attacks.beacon import Beacon
    from sharewell.genomes.attacks.genotype_phenotype import GenotypePhenotype
    from sharewell.genomes.attacks.homer import Homer
    from sharewell.genomes.attacks.kinship import Kinship
    from sharewell.genomes.attacks.likelihood_ratio import LikelihoodRatio
    from sharewell.genomes.attacks.selection_membership import SelectionMembership
    from sharewell.genomes.attacks.wip import WIP
    from sharewell.genomes.criteria.beacon_power import BeaconPower
    from sharewell.genomes.criteria.diverse_sequences import DiverseSequences
    from sharewell.genomes.criteria.k_identical import KIdentical
    from sharewell.genomes.criteria.membership_power import MembershipPower
    from sharewell.genomes.criteria.minor_frequency import MinorFrequency
    from sharewell.genomes.criteria.safe_number import SafeNumber
    from sharewell.genomes.criteria.snp_bins import SnpBins
    from sharewell.genomes.data.beacon_answers import BeaconAnswers
    from sharewell.genomes.data.frequencies import Frequencies
    from sharewell.genomes.data.genotypes import Genotypes
    from sharewell.genomes.data.sequences import Sequences
    from sharewell.genomes.data.snps import Snps
    from sharewell.genomes.engine.iupac_lattice import lattice_distance
    from sharewell.genomes.engine.selection import Selection
    from sharewell.genomes.mechanisms.beacon_release import BeaconRelease
    from sharewell.genomes.mechanisms.binning import Binning
    from sharewell.genomes.mechanisms.dnala import DNALA
    from sharewell.genomes.mechanisms.frequency_floor import FrequencyFloor
    from sharewell.genomes.mechanisms.noisy_frequencies import NoisyFrequencies
    from sharewell.genomes.mechanisms.safe_snps import SafeSNPs
    from sharewell.genomes.utility.bases_kept import BasesKept
    from sharewell.genomes.utility.frequency_error import FrequencyError
    from sharewell.genomes.utility.gwas import GWAS
    from sharewell.genomes.utility.lattice_distance import LatticeDistance
    from sharewell.genomes.utility.ld_error import LDError

__all__ = [
    "BasesKept",
    "Beacon",
    "BeaconAnswers",
    "BeaconPower",
    "BeaconRelease",
    "Binning",
    "DNALA",
    "DiverseSequences",
    "Frequencies",
    "FrequencyError",
    "FrequencyFloor",
    "GWAS",
    "GenotypePhenotype",
    "Genotypes",
    "Homer",
    "KIdentical",
    "Kinship",
    "LDError",
    "LatticeDistance",
    "LikelihoodRatio",
    "MembershipPower",
    "MinorFrequency",
    "NoisyFrequencies",
    "SafeNumber",
    "SafeSNPs",
    "Selection",
    "SelectionMembership",
    "Sequences",
    "SnpBins",
    "Snps",
    "WIP",
    "lattice_distance",
]

__getattr__ = exporting(
    __name__,
    {
        "BasesKept": "sharewell.genomes.utility.bases_kept",
        "Beacon": "sharewell.genomes.attacks.beacon",
        "BeaconAnswers": "sharewell.genomes.data.beacon_answers",
        "BeaconPower": "sharewell.genomes.criteria.beacon_power",
        "BeaconRelease": "sharewell.genomes.mechanisms.beacon_release",
        "Binning": "sharewell.genomes.mechanisms.binning",
        "DNALA": "sharewell.genomes.mechanisms.dnala",
        "DiverseSequences": "sharewell.genomes.criteria.diverse_sequences",
        "Frequencies": "sharewell.genomes.data.frequencies",
        "FrequencyError": "sharewell.genomes.utility.frequency_error",
        "FrequencyFloor": "sharewell.genomes.mechanisms.frequency_floor",
        "GWAS": "sharewell.genomes.utility.gwas",
        "GenotypePhenotype": "sharewell.genomes.attacks.genotype_phenotype",
        "Genotypes": "sharewell.genomes.data.genotypes",
        "Homer": "sharewell.genomes.attacks.homer",
        "KIdentical": "sharewell.genomes.criteria.k_identical",
        "Kinship": "sharewell.genomes.attacks.kinship",
        "LDError": "sharewell.genomes.utility.ld_error",
        "LatticeDistance": "sharewell.genomes.utility.lattice_distance",
        "LikelihoodRatio": "sharewell.genomes.attacks.likelihood_ratio",
        "MembershipPower": "sharewell.genomes.criteria.membership_power",
        "MinorFrequency": "sharewell.genomes.criteria.minor_frequency",
        "NoisyFrequencies": "sharewell.genomes.mechanisms.noisy_frequencies",
        "SafeNumber": "sharewell.genomes.criteria.safe_number",
        "SafeSNPs": "sharewell.genomes.mechanisms.safe_snps",
        "Selection": "sharewell.genomes.engine.selection",
        "SelectionMembership": "sharewell.genomes.attacks.selection_membership",
        "Sequences": "sharewell.genomes.data.sequences",
        "SnpBins": "sharewell.genomes.criteria.snp_bins",
        "Snps": "sharewell.genomes.data.snps",
        "WIP": "sharewell.genomes.attacks.wip",
        "lattice_distance": "sharewell.genomes.engine.iupac_lattice",
    },
)
