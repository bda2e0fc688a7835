"""Every algorithm by (kind of data, room, name). Nothing is imported before it is asked for.

Built-ins stand in the table below; a package adds its own through the entry-point group `sharewell`, with a name of the
form `kind.room.name` (for example `tables.criteria.my-criterion = "my_package.my_module:MyCriterion"`).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any

from sharewell.errors import Mistake, PolicyError
from sharewell.roles import did_you_mean

ROOMS = ("criteria", "mechanisms", "attacks", "utility")

_TABLES = "sharewell.tables"
_CODES = "sharewell.codes"
_JOINT = "sharewell.joint"
_REPORTS = "sharewell.reports"
_GENOMES = "sharewell.genomes"
_NOTES = "sharewell.notes"
BUILTIN: dict[tuple[str, str, str], str] = {
    ("tables", "wing", "tables"): f"{_TABLES}.wing:TablesWing",
    ("tables", "criteria", "1-k-anonymity"): f"{_TABLES}.criteria.one_k_anonymity:OneKAnonymity",
    ("tables", "criteria", "alpha-k-anonymity"): f"{_TABLES}.criteria.alpha_k_anonymity:AlphaKAnonymity",
    ("tables", "criteria", "append-safe"): f"{_TABLES}.criteria.append_safe:AppendSafe",
    ("tables", "criteria", "beta-likeness"): f"{_TABLES}.criteria.beta_likeness:BetaLikeness",
    ("tables", "criteria", "delta-disclosure"): f"{_TABLES}.criteria.delta_disclosure:DeltaDisclosure",
    ("tables", "criteria", "delta-presence"): f"{_TABLES}.criteria.delta_presence:DeltaPresence",
    ("tables", "criteria", "entropy-l-diversity"): f"{_TABLES}.criteria.entropy_l_diversity:EntropyLDiversity",
    ("tables", "criteria", "epsilon-m-anonymity"): f"{_TABLES}.criteria.epsilon_m_anonymity:EpsilonMAnonymity",
    ("tables", "criteria", "g-balance"): f"{_TABLES}.criteria.g_balance:GBalance",
    ("tables", "criteria", "h-affiliation"): f"{_TABLES}.criteria.h_affiliation:HAffiliation",
    ("tables", "criteria", "instance-disclosure"): f"{_TABLES}.criteria.instance_disclosure:InstanceDisclosure",
    ("tables", "criteria", "journalist-risk"): f"{_TABLES}.criteria.journalist_risk:JournalistRisk",
    ("tables", "criteria", "k-1-anonymity"): f"{_TABLES}.criteria.k_1_anonymity:K1Anonymity",
    ("tables", "criteria", "k-anonymity"): f"{_TABLES}.criteria.k_anonymity:KAnonymity",
    ("tables", "criteria", "k-k-anonymity"): f"{_TABLES}.criteria.k_k_anonymity:KKAnonymity",
    ("tables", "criteria", "k-map"): f"{_TABLES}.criteria.k_map:KMap",
    ("tables", "criteria", "k-map-estimated"): f"{_TABLES}.criteria.k_map_estimated:KMapEstimated",
    ("tables", "criteria", "l-diversity"): f"{_TABLES}.criteria.l_diversity:LDiversity",
    ("tables", "criteria", "limited-data-set"): f"{_TABLES}.criteria.limited_data_set:LimitedDataSetRule",
    ("tables", "criteria", "marketer-risk"): f"{_TABLES}.criteria.marketer_risk:MarketerRisk",
    ("tables", "criteria", "personalised-privacy"): f"{_TABLES}.criteria.personalised_privacy:PersonalisedPrivacy",
    ("tables", "criteria", "population-uniqueness"): f"{_TABLES}.criteria.population_uniqueness:PopulationUniqueness",
    ("tables", "criteria", "prosecutor-risk"): f"{_TABLES}.criteria.prosecutor_risk:ProsecutorRisk",
    ("tables", "criteria", "range-diversity"): f"{_TABLES}.criteria.range_diversity:RangeDiversity",
    ("tables", "criteria", "record-share"): f"{_TABLES}.criteria.record_share:RecordShare",
    ("tables", "criteria", "recursive-l-diversity"): f"{_TABLES}.criteria.recursive_l_diversity:RecursiveLDiversity",
    ("tables", "criteria", "safe-harbor"): f"{_TABLES}.criteria.safe_harbor:SafeHarborRule",
    ("tables", "criteria", "sample-uniqueness"): f"{_TABLES}.criteria.sample_uniqueness:SampleUniqueness",
    ("tables", "criteria", "t-closeness"): f"{_TABLES}.criteria.t_closeness:TCloseness",
    (
        "tables",
        "mechanisms",
        "multi-record-partitioning",
    ): f"{_TABLES}.mechanisms.multi_record_partitioning:MultiRecordPartitioning",
    (
        "tables",
        "mechanisms",
        "attribute-suppression",
    ): f"{_TABLES}.mechanisms.attribute_suppression:AttributeSuppression",
    ("tables", "mechanisms", "limited-data-set"): f"{_TABLES}.mechanisms.limited_data_set:LimitedDataSet",
    ("tables", "mechanisms", "mdav"): f"{_TABLES}.mechanisms.mdav:MDAV",
    ("tables", "mechanisms", "noise"): f"{_TABLES}.mechanisms.noise:Noise",
    ("tables", "mechanisms", "pram"): f"{_TABLES}.mechanisms.pram:PRAM",
    ("tables", "mechanisms", "rank-swapping"): f"{_TABLES}.mechanisms.rank_swapping:RankSwapping",
    ("tables", "mechanisms", "record-suppression"): f"{_TABLES}.mechanisms.record_suppression:RecordSuppression",
    ("tables", "mechanisms", "rounding"): f"{_TABLES}.mechanisms.rounding:Rounding",
    ("tables", "mechanisms", "safe-harbor"): f"{_TABLES}.mechanisms.safe_harbor:SafeHarbor",
    ("tables", "mechanisms", "value-suppression"): f"{_TABLES}.mechanisms.value_suppression:ValueSuppression",
    ("tables", "mechanisms", "bottom-up"): f"{_TABLES}.mechanisms.bottom_up:BottomUp",
    (
        "tables",
        "mechanisms",
        "instance-partitioning",
    ): f"{_TABLES}.mechanisms.instance_partitioning:InstancePartitioning",
    ("tables", "mechanisms", "k-member"): f"{_TABLES}.mechanisms.k_member:KMember",
    ("tables", "mechanisms", "local-recoding"): f"{_TABLES}.mechanisms.local_recoding:LocalRecoding",
    ("tables", "mechanisms", "mondrian"): f"{_TABLES}.mechanisms.mondrian:Mondrian",
    ("tables", "mechanisms", "packing"): f"{_TABLES}.mechanisms.packing:Packing",
    ("tables", "mechanisms", "top-down"): f"{_TABLES}.mechanisms.top_down:TopDown",
    ("tables", "mechanisms", "optimal-recoding"): f"{_TABLES}.mechanisms.optimal_recoding:OptimalRecoding",
    ("tables", "attacks", "background-knowledge"): f"{_TABLES}.attacks.background_knowledge:BackgroundKnowledge",
    ("tables", "attacks", "composition"): f"{_TABLES}.attacks.composition:Composition",
    ("tables", "attacks", "date-shift"): f"{_TABLES}.attacks.date_shift:DateShift",
    (
        "tables",
        "attacks",
        "accidental-identifiers",
    ): f"{_TABLES}.attacks.accidental_identifiers:AccidentalIdentifiers",
    ("tables", "attacks", "definetti"): f"{_TABLES}.attacks.definetti:DeFinetti",
    ("tables", "attacks", "minimality"): f"{_TABLES}.attacks.minimality:Minimality",
    ("tables", "attacks", "homogeneity"): f"{_TABLES}.attacks.homogeneity:Homogeneity",
    ("tables", "attacks", "linkage"): f"{_TABLES}.attacks.linkage:Linkage",
    ("tables", "attacks", "multi-record-linkage"): f"{_TABLES}.attacks.multi_record_linkage:MultiRecordLinkage",
    ("tables", "attacks", "prosecutor"): f"{_TABLES}.attacks.prosecutor:Prosecutor",
    ("tables", "attacks", "uniqueness"): f"{_TABLES}.attacks.uniqueness:Uniqueness",
    ("tables", "utility", "average-class"): f"{_TABLES}.utility.average_class:AverageClass",
    ("tables", "utility", "classification"): f"{_TABLES}.utility.classification:Classification",
    ("tables", "utility", "correlation"): f"{_TABLES}.utility.correlation:Correlation",
    ("tables", "utility", "discernibility"): f"{_TABLES}.utility.discernibility:Discernibility",
    ("tables", "utility", "entropy-loss"): f"{_TABLES}.utility.entropy_loss:EntropyLoss",
    ("tables", "utility", "height"): f"{_TABLES}.utility.height:Height",
    ("tables", "utility", "lm"): f"{_TABLES}.utility.lm:LM",
    ("tables", "utility", "marginals"): f"{_TABLES}.utility.marginals:Marginals",
    ("tables", "utility", "ncp"): f"{_TABLES}.utility.ncp:NCP",
    ("tables", "utility", "pairwise"): f"{_TABLES}.utility.pairwise:Pairwise",
    ("tables", "utility", "prediction"): f"{_TABLES}.utility.prediction:Prediction",
    ("tables", "utility", "query-error"): f"{_TABLES}.utility.query_error:QueryError",
    ("codes", "wing", "codes"): f"{_CODES}.wing:CodesWing",
    ("codes", "criteria", "complete-k-anonymity"): f"{_CODES}.criteria.complete_k_anonymity:CompleteKAnonymity",
    ("codes", "criteria", "cover-free"): f"{_CODES}.criteria.cover_free:CoverFree",
    ("codes", "criteria", "hidden-patterns"): f"{_CODES}.criteria.hidden_patterns:HiddenPattern",
    ("codes", "criteria", "hkp-coherence"): f"{_CODES}.criteria.hkp_coherence:Coherence",
    ("codes", "criteria", "km-anonymity"): f"{_CODES}.criteria.km_anonymity:KmAnonymity",
    ("codes", "criteria", "km-disassociation"): f"{_CODES}.criteria.km_disassociation:KmDisassociation",
    ("codes", "criteria", "privacy-policy"): f"{_CODES}.criteria.privacy_policy:PrivacyPolicy",
    ("codes", "criteria", "ps-rules"): f"{_CODES}.criteria.ps_rules:PSRules",
    ("codes", "criteria", "rho-uncertainty"): f"{_CODES}.criteria.rho_uncertainty:RhoUncertainty",
    ("codes", "criteria", "utility-policy"): f"{_CODES}.criteria.utility_policy:UtilityPolicy",
    ("codes", "mechanisms", "aclip"): f"{_CODES}.mechanisms.aclip:ACLIP",
    ("codes", "mechanisms", "apriori"): f"{_CODES}.mechanisms.apriori:Apriori",
    ("codes", "mechanisms", "cba"): f"{_CODES}.mechanisms.cba:CBA",
    ("codes", "mechanisms", "coat"): f"{_CODES}.mechanisms.coat:COAT",
    ("codes", "mechanisms", "disassociation"): f"{_CODES}.mechanisms.disassociation:Disassociation",
    ("codes", "mechanisms", "global-suppression"): f"{_CODES}.mechanisms.global_suppression:GlobalSuppression",
    (
        "codes",
        "mechanisms",
        "greedy-partitioning",
    ): f"{_CODES}.mechanisms.greedy_partitioning:GreedyPartitioning",
    (
        "codes",
        "mechanisms",
        "greedy-suppression",
    ): f"{_CODES}.mechanisms.greedy_suppression:GreedySuppression",
    ("codes", "mechanisms", "local-suppression"): f"{_CODES}.mechanisms.local_suppression:LocalSuppression",
    ("codes", "mechanisms", "lra"): f"{_CODES}.mechanisms.lra:LRA",
    ("codes", "mechanisms", "pattern-hiding"): f"{_CODES}.mechanisms.pattern_hiding:PatternHiding",
    ("codes", "mechanisms", "pcta"): f"{_CODES}.mechanisms.pcta:PCTA",
    ("codes", "mechanisms", "rbat"): f"{_CODES}.mechanisms.rbat:RBAT",
    ("codes", "mechanisms", "sequence-hiding"): f"{_CODES}.mechanisms.sequence_hiding:SequenceHiding",
    ("codes", "mechanisms", "suppress-control"): f"{_CODES}.mechanisms.suppress_control:SuppressControl",
    ("codes", "mechanisms", "td-control"): f"{_CODES}.mechanisms.td_control:TDControl",
    ("codes", "mechanisms", "ugaclip"): f"{_CODES}.mechanisms.ugaclip:UGACLIP",
    ("codes", "mechanisms", "vpa"): f"{_CODES}.mechanisms.vpa:VPA",
    ("codes", "attacks", "chunk-linking"): f"{_CODES}.attacks.chunk_linking:ChunkLinking",
    ("codes", "attacks", "code-homogeneity"): f"{_CODES}.attacks.code_homogeneity:CodeHomogeneity",
    ("codes", "attacks", "code-linkage"): f"{_CODES}.attacks.code_linkage:CodeLinkage",
    ("codes", "attacks", "two-step"): f"{_JOINT}.attacks.two_step:TwoStep",
    ("codes", "utility", "case-counts"): f"{_CODES}.utility.case_counts:CaseCounts",
    ("codes", "utility", "co-occurrence"): f"{_CODES}.utility.co_occurrence:CoOccurrence",
    ("codes", "utility", "lost-patterns"): f"{_CODES}.utility.lost_patterns:LostPatterns",
    ("codes", "utility", "ncp"): f"{_CODES}.utility.ncp:NCP",
    ("codes", "utility", "query-error"): f"{_CODES}.utility.query_error:QueryError",
    ("codes", "utility", "retained-codes"): f"{_CODES}.utility.retained_codes:RetainedCodes",
    ("codes", "utility", "ul"): f"{_CODES}.utility.ul:UL",
    ("reports", "wing", "reports"): f"{_REPORTS}.wing:ReportsWing",
    ("reports", "criteria", "cell-protection"): f"{_REPORTS}.criteria.cell_protection:CellProtection",
    ("reports", "mechanisms", "cell-suppression"): f"{_REPORTS}.mechanisms.cell_suppression:CellSuppression",
    ("reports", "mechanisms", "controlled-rounding"): f"{_REPORTS}.mechanisms.controlled_rounding:ControlledRounding",
    ("reports", "attacks", "table-interval"): f"{_REPORTS}.attacks.table_interval:TableInterval",
    ("reports", "utility", "suppressed-share"): f"{_REPORTS}.utility.suppressed_share:SuppressedShare",
    ("reports", "criteria", "entropy"): f"{_REPORTS}.criteria.entropy:Entropy",
    ("reports", "criteria", "local-privacy"): f"{_REPORTS}.criteria.local_privacy:LocalPrivacy",
    ("reports", "criteria", "protection"): f"{_REPORTS}.criteria.protection:Protection",
    ("reports", "criteria", "width"): f"{_REPORTS}.criteria.width:Width",
    ("reports", "mechanisms", "randomised-response"): f"{_REPORTS}.mechanisms.randomised_response:RandomisedResponse",
    ("reports", "mechanisms", "aggregate"): f"{_REPORTS}.mechanisms.aggregate:Aggregate",
    ("reports", "utility", "report-loss"): f"{_REPORTS}.utility.report_loss:ReportLoss",
    ("reports", "attacks", "snooper"): f"{_REPORTS}.attacks.snooper:Snooper",
    ("together", "criteria", "frequencies-together"): f"{_GENOMES}.criteria.frequencies_together:FrequenciesTogether",
    ("together", "criteria", "tables-together"): f"{_REPORTS}.criteria.tables_together:TablesTogether",
    ("together", "attacks", "noise-differencing"): f"{_TABLES}.attacks.noise_differencing:NoiseAcrossDatasets",
    ("together", "attacks", "release-linkage"): f"{_TABLES}.attacks.release_linkage:LinkageAcrossDatasets",
    (
        "together",
        "attacks",
        "composition-of-datasets",
    ): f"{_TABLES}.attacks.composition_of_datasets:CompositionOfDatasets",
    ("joint", "wing", "joint"): f"{_JOINT}.wing:JointWing",
    ("joint", "criteria", "k-km-anonymity"): f"{_JOINT}.criteria.k_km_anonymity:KKmAnonymity",
    ("joint", "mechanisms", "rt-anonymization"): f"{_JOINT}.mechanisms.rt_anonymization:RTAnonymization",
    (
        "joint",
        "attacks",
        "accidental-identifiers",
    ): f"{_JOINT}.attacks.accidental_identifiers:RTAccidentalIdentifiers",
    ("joint", "attacks", "class-homogeneity"): f"{_JOINT}.attacks.class_homogeneity:ClassHomogeneity",
    ("joint", "attacks", "rt-linkage"): f"{_JOINT}.attacks.rt_linkage:RTLinkage",
    ("joint", "attacks", "two-step"): f"{_JOINT}.attacks.two_step:TwoStep",
    ("joint", "utility", "codes-ncp"): f"{_JOINT}.utility.codes_ncp:CodesNCP",
    ("joint", "utility", "ncp"): f"{_JOINT}.utility.ncp:NCP",
    ("joint", "utility", "relational-ncp"): f"{_JOINT}.utility.relational_ncp:RelationalNCP",
    ("joint", "utility", "rt-query-error"): f"{_JOINT}.utility.rt_query_error:RTQueryError",
    ("genomes", "wing", "genomes"): f"{_GENOMES}.wing:GenomesWing",
    ("genomes", "criteria", "beacon-power"): f"{_GENOMES}.criteria.beacon_power:BeaconPower",
    ("genomes", "criteria", "diverse-sequences"): f"{_GENOMES}.criteria.diverse_sequences:DiverseSequences",
    ("genomes", "criteria", "k-identical"): f"{_GENOMES}.criteria.k_identical:KIdentical",
    ("genomes", "criteria", "membership-power"): f"{_GENOMES}.criteria.membership_power:MembershipPower",
    ("genomes", "criteria", "minor-frequency"): f"{_GENOMES}.criteria.minor_frequency:MinorFrequency",
    ("genomes", "criteria", "safe-number"): f"{_GENOMES}.criteria.safe_number:SafeNumber",
    ("genomes", "criteria", "snp-bins"): f"{_GENOMES}.criteria.snp_bins:SnpBins",
    ("genomes", "mechanisms", "beacon-release"): f"{_GENOMES}.mechanisms.beacon_release:BeaconRelease",
    ("genomes", "mechanisms", "binning"): f"{_GENOMES}.mechanisms.binning:Binning",
    ("genomes", "mechanisms", "dnala"): f"{_GENOMES}.mechanisms.dnala:DNALA",
    ("genomes", "mechanisms", "frequency-floor"): f"{_GENOMES}.mechanisms.frequency_floor:FrequencyFloor",
    ("genomes", "mechanisms", "noisy-frequencies"): f"{_GENOMES}.mechanisms.noisy_frequencies:NoisyFrequencies",
    ("genomes", "mechanisms", "safe-snps"): f"{_GENOMES}.mechanisms.safe_snps:SafeSNPs",
    ("genomes", "attacks", "beacon"): f"{_GENOMES}.attacks.beacon:Beacon",
    ("genomes", "attacks", "dna-and-codes"): f"{_JOINT}.attacks.dna_and_codes:DnaAndCodes",
    ("genomes", "attacks", "dna-linkage"): f"{_JOINT}.attacks.dna_linkage:DnaLinkage",
    ("genomes", "attacks", "genotype-phenotype"): f"{_GENOMES}.attacks.genotype_phenotype:GenotypePhenotype",
    ("genomes", "attacks", "homer"): f"{_GENOMES}.attacks.homer:Homer",
    ("genomes", "attacks", "kinship"): f"{_GENOMES}.attacks.kinship:Kinship",
    ("genomes", "attacks", "likelihood-ratio"): f"{_GENOMES}.attacks.likelihood_ratio:LikelihoodRatio",
    ("genomes", "attacks", "selection-membership"): f"{_GENOMES}.attacks.selection_membership:SelectionMembership",
    ("genomes", "attacks", "wip"): f"{_GENOMES}.attacks.wip:WIP",
    ("genomes", "utility", "bases-kept"): f"{_GENOMES}.utility.bases_kept:BasesKept",
    ("genomes", "utility", "frequency-error"): f"{_GENOMES}.utility.frequency_error:FrequencyError",
    ("genomes", "utility", "gwas"): f"{_GENOMES}.utility.gwas:GWAS",
    ("genomes", "utility", "lattice-distance"): f"{_GENOMES}.utility.lattice_distance:LatticeDistance",
    ("genomes", "utility", "ld-error"): f"{_GENOMES}.utility.ld_error:LDError",
    ("notes", "wing", "notes"): f"{_NOTES}.wing:NotesWing",
    ("notes", "criteria", "extracted-values"): f"{_NOTES}.criteria.extracted_values:ExtractedValues",
    ("notes", "criteria", "no-known-identifiers"): f"{_NOTES}.criteria.no_known_identifiers:NoKnownIdentifiers",
    ("notes", "criteria", "safe-harbor"): f"{_NOTES}.criteria.safe_harbor:SafeHarborText",
    ("notes", "criteria", "residual-risk"): f"{_NOTES}.criteria.residual_risk:ResidualRisk",
    ("notes", "criteria", "concepts-only"): f"{_NOTES}.criteria.concepts_only:ConceptsOnly",
    ("notes", "criteria", "k-safe"): f"{_NOTES}.criteria.k_safe:KSafe",
    ("notes", "criteria", "t-plausible"): f"{_NOTES}.criteria.t_plausible:TPlausible",
    ("notes", "mechanisms", "concept-match"): f"{_NOTES}.mechanisms.concept_match:ConceptMatch",
    ("notes", "mechanisms", "k-safety"): f"{_NOTES}.mechanisms.k_safety:KSafety",
    ("notes", "mechanisms", "pacs"): f"{_NOTES}.mechanisms.pacs:Pacs",
    ("notes", "mechanisms", "t-plausibility"): f"{_NOTES}.mechanisms.t_plausibility:TPlausibility",
    ("notes", "mechanisms", "replace"): f"{_NOTES}.mechanisms.replace:Replace",
    (
        "notes",
        "utility",
        "clinical-terms-kept",
    ): f"{_NOTES}.utility.clinical_terms_kept:ClinicalTermsKept",
    ("notes", "utility", "disclosure-risk"): f"{_NOTES}.utility.disclosure_risk:DisclosureRisk",
    ("notes", "utility", "persistence"): f"{_NOTES}.utility.persistence:Persistence",
    ("notes", "attacks", "register-search"): f"{_NOTES}.attacks.register_search:RegisterSearch",
    ("notes", "attacks", "condition-from-drugs"): f"{_NOTES}.attacks.condition_from_drugs:ConditionFromDrugs",
    ("notes", "attacks", "note-linkage"): f"{_NOTES}.attacks.note_linkage:NoteLinkage",
    ("notes", "attacks", "rare-words"): f"{_NOTES}.attacks.rare_words:RareWords",
}


@dataclass(frozen=True, order=True)
class Entry:
    """One registered name."""

    kind: str
    room: str
    name: str
    target: str

    def load(self) -> Any:
        module, _, attribute = self.target.partition(":")
        return getattr(importlib.import_module(module), attribute)

    @property
    def summary(self) -> str:
        """The first line of its page."""
        module = importlib.import_module(self.target.partition(":")[0])
        return (module.__doc__ or "").strip().splitlines()[0]


@cache
def _all() -> dict[tuple[str, str, str], str]:
    found = dict(BUILTIN)
    for point in entry_points(group="sharewell"):
        kind, _, tail = point.name.partition(".")
        room, _, name = tail.partition(".")
        if name and (kind, room, name) not in BUILTIN:  # a plug-in adds names, it never replaces a built-in
            found[kind, room, name] = point.value
    return found


def entries(kind: str | None = None, room: str | None = None) -> Iterator[Entry]:
    """Registered names in order; the wings themselves are not listed."""
    for (its_kind, its_room, name), target in sorted(_all().items()):
        if its_room in ROOMS and kind in (None, its_kind) and room in (None, its_room):
            yield Entry(its_kind, its_room, name, target)


def kinds() -> tuple[str, ...]:
    """The kinds of data that have a wing."""
    return tuple(sorted(kind for kind, room, _ in _all() if room == "wing"))


def lookup(kind: str, room: str, name: str) -> Any:
    """The class behind a name; an unknown one is a PolicyError with a hint."""
    target = _all().get((kind, room, name))
    if target is not None:
        return Entry(kind, room, name, target).load()
    known = [entry.name for entry in entries(kind, room)]
    hint = did_you_mean(name, known) or f"known: {', '.join(known) or 'none yet'}"
    raise PolicyError([Mistake(0, 0, "", f"no {room} named '{name}' for {kind}", hint)])


def wing(kind: str) -> Any:
    """The adapter through which a release runs a kind of data."""
    if kind not in kinds():
        what, hint = f"there is no wing for kind '{kind}'", did_you_mean(kind, kinds())
        raise PolicyError([Mistake(0, 0, "kind", what, hint or f"kinds: {', '.join(kinds())}")])
    return lookup(kind, "wing", kind)()


def compatible(mechanism: Any, criterion: Any) -> bool:
    """Can this mechanism make this criterion hold? It can if the criterion offers what the mechanism's engine calls."""
    engines = (mechanism.engine,) if isinstance(mechanism.engine, str) else mechanism.engine
    offered = any(callable(getattr(criterion, engine, None)) for engine in engines)
    return offered and criterion.name not in mechanism.refuses
