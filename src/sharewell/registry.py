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
from typing import TYPE_CHECKING, Any

from sharewell.errors import Mistake, PolicyError
from sharewell.roles import did_you_mean

if TYPE_CHECKING:
    from sharewell.wing import Wing

ROOMS = ("criteria", "mechanisms", "attacks", "utility")

_TABLES = "sharewell.tables"
_CODES = "sharewell.codes"
_JOINT = "sharewell.joint"
_REPORTS = "sharewell.reports"
_GENOMES = "sharewell.genomes"
_NOTES = "sharewell.notes"
BUILTIN: dict[tuple[str, str, str], str] = {
    ("tables", "wing", "tables"): "sharewell.tables.wing:TablesWing",
    ("tables", "criteria", "1-k-anonymity"): "sharewell.tables.criteria.one_k_anonymity:OneKAnonymity",
    ("tables", "criteria", "alpha-k-anonymity"): "sharewell.tables.criteria.alpha_k_anonymity:AlphaKAnonymity",
    ("tables", "criteria", "append-safe"): "sharewell.tables.criteria.append_safe:AppendSafe",
    ("tables", "criteria", "beta-likeness"): "sharewell.tables.criteria.beta_likeness:BetaLikeness",
    ("tables", "criteria", "delta-disclosure"): "sharewell.tables.criteria.delta_disclosure:DeltaDisclosure",
    ("tables", "criteria", "delta-presence"): "sharewell.tables.criteria.delta_presence:DeltaPresence",
    ("tables", "criteria", "entropy-l-diversity"): "sharewell.tables.criteria.entropy_l_diversity:EntropyLDiversity",
    ("tables", "criteria", "epsilon-m-anonymity"): "sharewell.tables.criteria.epsilon_m_anonymity:EpsilonMAnonymity",
    ("tables", "criteria", "g-balance"): "sharewell.tables.criteria.g_balance:GBalance",
    ("tables", "criteria", "h-affiliation"): "sharewell.tables.criteria.h_affiliation:HAffiliation",
    ("tables", "criteria", "instance-disclosure"): "sharewell.tables.criteria.instance_disclosure:InstanceDisclosure",
    ("tables", "criteria", "journalist-risk"): "sharewell.tables.criteria.journalist_risk:JournalistRisk",
    ("tables", "criteria", "k-1-anonymity"): "sharewell.tables.criteria.k_1_anonymity:K1Anonymity",
    ("tables", "criteria", "k-anonymity"): "sharewell.tables.criteria.k_anonymity:KAnonymity",
    ("tables", "criteria", "k-k-anonymity"): "sharewell.tables.criteria.k_k_anonymity:KKAnonymity",
    ("tables", "criteria", "k-map"): "sharewell.tables.criteria.k_map:KMap",
    ("tables", "criteria", "k-map-estimated"): "sharewell.tables.criteria.k_map_estimated:KMapEstimated",
    ("tables", "criteria", "l-diversity"): "sharewell.tables.criteria.l_diversity:LDiversity",
    ("tables", "criteria", "limited-data-set"): "sharewell.tables.criteria.limited_data_set:LimitedDataSetRule",
    ("tables", "criteria", "marketer-risk"): "sharewell.tables.criteria.marketer_risk:MarketerRisk",
    (
        "tables",
        "criteria",
        "personalised-privacy",
    ): "sharewell.tables.criteria.personalised_privacy:PersonalisedPrivacy",
    (
        "tables",
        "criteria",
        "population-uniqueness",
    ): "sharewell.tables.criteria.population_uniqueness:PopulationUniqueness",
    ("tables", "criteria", "prosecutor-risk"): "sharewell.tables.criteria.prosecutor_risk:ProsecutorRisk",
    ("tables", "criteria", "range-diversity"): "sharewell.tables.criteria.range_diversity:RangeDiversity",
    ("tables", "criteria", "record-share"): "sharewell.tables.criteria.record_share:RecordShare",
    (
        "tables",
        "criteria",
        "recursive-l-diversity",
    ): "sharewell.tables.criteria.recursive_l_diversity:RecursiveLDiversity",
    ("tables", "criteria", "safe-harbor"): "sharewell.tables.criteria.safe_harbor:SafeHarborRule",
    ("tables", "criteria", "sample-uniqueness"): "sharewell.tables.criteria.sample_uniqueness:SampleUniqueness",
    ("tables", "criteria", "t-closeness"): "sharewell.tables.criteria.t_closeness:TCloseness",
    (
        "tables",
        "mechanisms",
        "multi-record-partitioning",
    ): "sharewell.tables.mechanisms.multi_record_partitioning:MultiRecordPartitioning",
    (
        "tables",
        "mechanisms",
        "attribute-suppression",
    ): "sharewell.tables.mechanisms.attribute_suppression:AttributeSuppression",
    ("tables", "mechanisms", "limited-data-set"): "sharewell.tables.mechanisms.limited_data_set:LimitedDataSet",
    ("tables", "mechanisms", "mdav"): "sharewell.tables.mechanisms.mdav:MDAV",
    ("tables", "mechanisms", "noise"): "sharewell.tables.mechanisms.noise:Noise",
    ("tables", "mechanisms", "pram"): "sharewell.tables.mechanisms.pram:PRAM",
    ("tables", "mechanisms", "rank-swapping"): "sharewell.tables.mechanisms.rank_swapping:RankSwapping",
    ("tables", "mechanisms", "record-suppression"): "sharewell.tables.mechanisms.record_suppression:RecordSuppression",
    ("tables", "mechanisms", "rounding"): "sharewell.tables.mechanisms.rounding:Rounding",
    ("tables", "mechanisms", "safe-harbor"): "sharewell.tables.mechanisms.safe_harbor:SafeHarbor",
    ("tables", "mechanisms", "value-suppression"): "sharewell.tables.mechanisms.value_suppression:ValueSuppression",
    ("tables", "mechanisms", "bottom-up"): "sharewell.tables.mechanisms.bottom_up:BottomUp",
    (
        "tables",
        "mechanisms",
        "instance-partitioning",
    ): "sharewell.tables.mechanisms.instance_partitioning:InstancePartitioning",
    ("tables", "mechanisms", "k-member"): "sharewell.tables.mechanisms.k_member:KMember",
    ("tables", "mechanisms", "local-recoding"): "sharewell.tables.mechanisms.local_recoding:LocalRecoding",
    ("tables", "mechanisms", "mondrian"): "sharewell.tables.mechanisms.mondrian:Mondrian",
    ("tables", "mechanisms", "packing"): "sharewell.tables.mechanisms.packing:Packing",
    ("tables", "mechanisms", "top-down"): "sharewell.tables.mechanisms.top_down:TopDown",
    ("tables", "mechanisms", "optimal-recoding"): "sharewell.tables.mechanisms.optimal_recoding:OptimalRecoding",
    ("tables", "attacks", "background-knowledge"): "sharewell.tables.attacks.background_knowledge:BackgroundKnowledge",
    ("tables", "attacks", "composition"): "sharewell.tables.attacks.composition:Composition",
    ("tables", "attacks", "date-shift"): "sharewell.tables.attacks.date_shift:DateShift",
    (
        "tables",
        "attacks",
        "accidental-identifiers",
    ): "sharewell.tables.attacks.accidental_identifiers:AccidentalIdentifiers",
    ("tables", "attacks", "definetti"): "sharewell.tables.attacks.definetti:DeFinetti",
    ("tables", "attacks", "minimality"): "sharewell.tables.attacks.minimality:Minimality",
    ("tables", "attacks", "homogeneity"): "sharewell.tables.attacks.homogeneity:Homogeneity",
    ("tables", "attacks", "linkage"): "sharewell.tables.attacks.linkage:Linkage",
    ("tables", "attacks", "multi-record-linkage"): "sharewell.tables.attacks.multi_record_linkage:MultiRecordLinkage",
    ("tables", "attacks", "prosecutor"): "sharewell.tables.attacks.prosecutor:Prosecutor",
    ("tables", "attacks", "uniqueness"): "sharewell.tables.attacks.uniqueness:Uniqueness",
    ("tables", "utility", "average-class"): "sharewell.tables.utility.average_class:AverageClass",
    ("tables", "utility", "classification"): "sharewell.tables.utility.classification:Classification",
    ("tables", "utility", "correlation"): "sharewell.tables.utility.correlation:Correlation",
    ("tables", "utility", "discernibility"): "sharewell.tables.utility.discernibility:Discernibility",
    ("tables", "utility", "entropy-loss"): "sharewell.tables.utility.entropy_loss:EntropyLoss",
    ("tables", "utility", "height"): "sharewell.tables.utility.height:Height",
    ("tables", "utility", "lm"): "sharewell.tables.utility.lm:LM",
    ("tables", "utility", "marginals"): "sharewell.tables.utility.marginals:Marginals",
    ("tables", "utility", "ncp"): "sharewell.tables.utility.ncp:NCP",
    ("tables", "utility", "pairwise"): "sharewell.tables.utility.pairwise:Pairwise",
    ("tables", "utility", "prediction"): "sharewell.tables.utility.prediction:Prediction",
    ("tables", "utility", "query-error"): "sharewell.tables.utility.query_error:QueryError",
    ("codes", "wing", "codes"): "sharewell.codes.wing:CodesWing",
    ("codes", "criteria", "complete-k-anonymity"): "sharewell.codes.criteria.complete_k_anonymity:CompleteKAnonymity",
    ("codes", "criteria", "cover-free"): "sharewell.codes.criteria.cover_free:CoverFree",
    ("codes", "criteria", "hidden-patterns"): "sharewell.codes.criteria.hidden_patterns:HiddenPattern",
    ("codes", "criteria", "hkp-coherence"): "sharewell.codes.criteria.hkp_coherence:Coherence",
    ("codes", "criteria", "km-anonymity"): "sharewell.codes.criteria.km_anonymity:KmAnonymity",
    ("codes", "criteria", "km-disassociation"): "sharewell.codes.criteria.km_disassociation:KmDisassociation",
    ("codes", "criteria", "privacy-policy"): "sharewell.codes.criteria.privacy_policy:PrivacyPolicy",
    ("codes", "criteria", "ps-rules"): "sharewell.codes.criteria.ps_rules:PSRules",
    ("codes", "criteria", "rho-uncertainty"): "sharewell.codes.criteria.rho_uncertainty:RhoUncertainty",
    ("codes", "criteria", "utility-policy"): "sharewell.codes.criteria.utility_policy:UtilityPolicy",
    ("codes", "mechanisms", "aclip"): "sharewell.codes.mechanisms.aclip:ACLIP",
    ("codes", "mechanisms", "apriori"): "sharewell.codes.mechanisms.apriori:Apriori",
    ("codes", "mechanisms", "cba"): "sharewell.codes.mechanisms.cba:CBA",
    ("codes", "mechanisms", "coat"): "sharewell.codes.mechanisms.coat:COAT",
    ("codes", "mechanisms", "disassociation"): "sharewell.codes.mechanisms.disassociation:Disassociation",
    ("codes", "mechanisms", "global-suppression"): "sharewell.codes.mechanisms.global_suppression:GlobalSuppression",
    (
        "codes",
        "mechanisms",
        "greedy-partitioning",
    ): "sharewell.codes.mechanisms.greedy_partitioning:GreedyPartitioning",
    (
        "codes",
        "mechanisms",
        "greedy-suppression",
    ): "sharewell.codes.mechanisms.greedy_suppression:GreedySuppression",
    ("codes", "mechanisms", "local-suppression"): "sharewell.codes.mechanisms.local_suppression:LocalSuppression",
    ("codes", "mechanisms", "lra"): "sharewell.codes.mechanisms.lra:LRA",
    ("codes", "mechanisms", "pattern-hiding"): "sharewell.codes.mechanisms.pattern_hiding:PatternHiding",
    ("codes", "mechanisms", "pcta"): "sharewell.codes.mechanisms.pcta:PCTA",
    ("codes", "mechanisms", "rbat"): "sharewell.codes.mechanisms.rbat:RBAT",
    ("codes", "mechanisms", "sequence-hiding"): "sharewell.codes.mechanisms.sequence_hiding:SequenceHiding",
    ("codes", "mechanisms", "suppress-control"): "sharewell.codes.mechanisms.suppress_control:SuppressControl",
    ("codes", "mechanisms", "td-control"): "sharewell.codes.mechanisms.td_control:TDControl",
    ("codes", "mechanisms", "ugaclip"): "sharewell.codes.mechanisms.ugaclip:UGACLIP",
    ("codes", "mechanisms", "vpa"): "sharewell.codes.mechanisms.vpa:VPA",
    ("codes", "attacks", "chunk-linking"): "sharewell.codes.attacks.chunk_linking:ChunkLinking",
    ("codes", "attacks", "code-homogeneity"): "sharewell.codes.attacks.code_homogeneity:CodeHomogeneity",
    ("codes", "attacks", "code-linkage"): "sharewell.codes.attacks.code_linkage:CodeLinkage",
    ("codes", "attacks", "two-step"): "sharewell.joint.attacks.two_step:TwoStep",
    ("codes", "utility", "case-counts"): "sharewell.codes.utility.case_counts:CaseCounts",
    ("codes", "utility", "co-occurrence"): "sharewell.codes.utility.co_occurrence:CoOccurrence",
    ("codes", "utility", "lost-patterns"): "sharewell.codes.utility.lost_patterns:LostPatterns",
    ("codes", "utility", "ncp"): "sharewell.codes.utility.ncp:NCP",
    ("codes", "utility", "query-error"): "sharewell.codes.utility.query_error:QueryError",
    ("codes", "utility", "retained-codes"): "sharewell.codes.utility.retained_codes:RetainedCodes",
    ("codes", "utility", "ul"): "sharewell.codes.utility.ul:UL",
    ("reports", "wing", "reports"): "sharewell.reports.wing:ReportsWing",
    ("reports", "criteria", "cell-protection"): "sharewell.reports.counts.criteria.cell_protection:CellProtection",
    (
        "reports",
        "mechanisms",
        "cell-suppression",
    ): "sharewell.reports.counts.mechanisms.cell_suppression:CellSuppression",
    (
        "reports",
        "mechanisms",
        "controlled-rounding",
    ): "sharewell.reports.counts.mechanisms.controlled_rounding:ControlledRounding",
    ("reports", "attacks", "table-interval"): "sharewell.reports.counts.attacks.table_interval:TableInterval",
    ("reports", "utility", "suppressed-share"): "sharewell.reports.counts.utility.suppressed_share:SuppressedShare",
    ("reports", "criteria", "entropy"): "sharewell.reports.figures.criteria.entropy:Entropy",
    ("reports", "criteria", "local-privacy"): "sharewell.reports.gathering.criteria.local_privacy:LocalPrivacy",
    ("reports", "criteria", "protection"): "sharewell.reports.figures.criteria.protection:Protection",
    ("reports", "criteria", "width"): "sharewell.reports.figures.criteria.width:Width",
    (
        "reports",
        "mechanisms",
        "randomised-response",
    ): "sharewell.reports.gathering.mechanisms.randomised_response:RandomisedResponse",
    ("reports", "mechanisms", "aggregate"): "sharewell.reports.figures.mechanisms.aggregate:Aggregate",
    ("reports", "utility", "report-loss"): "sharewell.reports.figures.utility.report_loss:ReportLoss",
    ("reports", "attacks", "snooper"): "sharewell.reports.figures.attacks.snooper:Snooper",
    (
        "together",
        "criteria",
        "frequencies-together",
    ): "sharewell.genomes.criteria.frequencies_together:FrequenciesTogether",
    ("together", "criteria", "tables-together"): "sharewell.reports.counts.criteria.tables_together:TablesTogether",
    ("together", "attacks", "noise-differencing"): "sharewell.tables.attacks.noise_differencing:NoiseAcrossDatasets",
    ("together", "attacks", "release-linkage"): "sharewell.tables.attacks.release_linkage:LinkageAcrossDatasets",
    (
        "together",
        "attacks",
        "composition-of-datasets",
    ): "sharewell.tables.attacks.composition_of_datasets:CompositionOfDatasets",
    ("joint", "wing", "joint"): "sharewell.joint.wing:JointWing",
    ("joint", "criteria", "k-km-anonymity"): "sharewell.joint.criteria.k_km_anonymity:KKmAnonymity",
    ("joint", "mechanisms", "rt-anonymization"): "sharewell.joint.mechanisms.rt_anonymization:RTAnonymization",
    (
        "joint",
        "attacks",
        "accidental-identifiers",
    ): "sharewell.joint.attacks.accidental_identifiers:RTAccidentalIdentifiers",
    ("joint", "attacks", "class-homogeneity"): "sharewell.joint.attacks.class_homogeneity:ClassHomogeneity",
    ("joint", "attacks", "rt-linkage"): "sharewell.joint.attacks.rt_linkage:RTLinkage",
    ("joint", "attacks", "two-step"): "sharewell.joint.attacks.two_step:TwoStep",
    ("joint", "utility", "codes-ncp"): "sharewell.joint.utility.codes_ncp:CodesNCP",
    ("joint", "utility", "ncp"): "sharewell.joint.utility.ncp:NCP",
    ("joint", "utility", "relational-ncp"): "sharewell.joint.utility.relational_ncp:RelationalNCP",
    ("joint", "utility", "rt-query-error"): "sharewell.joint.utility.rt_query_error:RTQueryError",
    ("genomes", "wing", "genomes"): "sharewell.genomes.wing:GenomesWing",
    ("genomes", "criteria", "beacon-power"): "sharewell.genomes.criteria.beacon_power:BeaconPower",
    ("genomes", "criteria", "diverse-sequences"): "sharewell.genomes.criteria.diverse_sequences:DiverseSequences",
    ("genomes", "criteria", "k-identical"): "sharewell.genomes.criteria.k_identical:KIdentical",
    ("genomes", "criteria", "membership-power"): "sharewell.genomes.criteria.membership_power:MembershipPower",
    ("genomes", "criteria", "minor-frequency"): "sharewell.genomes.criteria.minor_frequency:MinorFrequency",
    ("genomes", "criteria", "safe-number"): "sharewell.genomes.criteria.safe_number:SafeNumber",
    ("genomes", "criteria", "snp-bins"): "sharewell.genomes.criteria.snp_bins:SnpBins",
    ("genomes", "mechanisms", "beacon-release"): "sharewell.genomes.mechanisms.beacon_release:BeaconRelease",
    ("genomes", "mechanisms", "binning"): "sharewell.genomes.mechanisms.binning:Binning",
    ("genomes", "mechanisms", "dnala"): "sharewell.genomes.mechanisms.dnala:DNALA",
    ("genomes", "mechanisms", "frequency-floor"): "sharewell.genomes.mechanisms.frequency_floor:FrequencyFloor",
    ("genomes", "mechanisms", "noisy-frequencies"): "sharewell.genomes.mechanisms.noisy_frequencies:NoisyFrequencies",
    ("genomes", "mechanisms", "safe-snps"): "sharewell.genomes.mechanisms.safe_snps:SafeSNPs",
    ("genomes", "attacks", "beacon"): "sharewell.genomes.attacks.beacon:Beacon",
    ("genomes", "attacks", "dna-and-codes"): "sharewell.joint.attacks.dna_and_codes:DnaAndCodes",
    ("genomes", "attacks", "dna-linkage"): "sharewell.joint.attacks.dna_linkage:DnaLinkage",
    ("genomes", "attacks", "genotype-phenotype"): "sharewell.genomes.attacks.genotype_phenotype:GenotypePhenotype",
    ("genomes", "attacks", "homer"): "sharewell.genomes.attacks.homer:Homer",
    ("genomes", "attacks", "kinship"): "sharewell.genomes.attacks.kinship:Kinship",
    ("genomes", "attacks", "likelihood-ratio"): "sharewell.genomes.attacks.likelihood_ratio:LikelihoodRatio",
    (
        "genomes",
        "attacks",
        "selection-membership",
    ): "sharewell.genomes.attacks.selection_membership:SelectionMembership",
    ("genomes", "attacks", "wip"): "sharewell.genomes.attacks.wip:WIP",
    ("genomes", "utility", "bases-kept"): "sharewell.genomes.utility.bases_kept:BasesKept",
    ("genomes", "utility", "frequency-error"): "sharewell.genomes.utility.frequency_error:FrequencyError",
    ("genomes", "utility", "gwas"): "sharewell.genomes.utility.gwas:GWAS",
    ("genomes", "utility", "lattice-distance"): "sharewell.genomes.utility.lattice_distance:LatticeDistance",
    ("genomes", "utility", "ld-error"): "sharewell.genomes.utility.ld_error:LDError",
    ("notes", "wing", "notes"): "sharewell.notes.wing:NotesWing",
    ("notes", "criteria", "extracted-values"): "sharewell.notes.criteria.extracted_values:ExtractedValues",
    ("notes", "criteria", "no-known-identifiers"): "sharewell.notes.criteria.no_known_identifiers:NoKnownIdentifiers",
    ("notes", "criteria", "safe-harbor"): "sharewell.notes.criteria.safe_harbor:SafeHarborText",
    ("notes", "criteria", "residual-risk"): "sharewell.notes.criteria.residual_risk:ResidualRisk",
    ("notes", "criteria", "concepts-only"): "sharewell.notes.criteria.concepts_only:ConceptsOnly",
    ("notes", "criteria", "k-safe"): "sharewell.notes.criteria.k_safe:KSafe",
    ("notes", "criteria", "t-plausible"): "sharewell.notes.criteria.t_plausible:TPlausible",
    ("notes", "mechanisms", "concept-match"): "sharewell.notes.mechanisms.concept_match:ConceptMatch",
    ("notes", "mechanisms", "k-safety"): "sharewell.notes.mechanisms.k_safety:KSafety",
    ("notes", "mechanisms", "pacs"): "sharewell.notes.mechanisms.pacs:Pacs",
    ("notes", "mechanisms", "t-plausibility"): "sharewell.notes.mechanisms.t_plausibility:TPlausibility",
    ("notes", "mechanisms", "replace"): "sharewell.notes.mechanisms.replace:Replace",
    (
        "notes",
        "utility",
        "clinical-terms-kept",
    ): "sharewell.notes.utility.clinical_terms_kept:ClinicalTermsKept",
    ("notes", "utility", "disclosure-risk"): "sharewell.notes.utility.disclosure_risk:DisclosureRisk",
    ("notes", "utility", "persistence"): "sharewell.notes.utility.persistence:Persistence",
    ("notes", "attacks", "register-search"): "sharewell.notes.attacks.register_search:RegisterSearch",
    ("notes", "attacks", "condition-from-drugs"): "sharewell.notes.attacks.condition_from_drugs:ConditionFromDrugs",
    ("notes", "attacks", "note-linkage"): "sharewell.notes.attacks.note_linkage:NoteLinkage",
    ("notes", "attacks", "rare-words"): "sharewell.notes.attacks.rare_words:RareWords",
    # In the order in which editors offer their keys.
    ("codes", "policy", "codes"): "sharewell.codes.policy:CodesPolicy",
    ("joint", "policy", "joint"): "sharewell.joint.policy:JointPolicy",
    ("reports", "policy", "reports"): "sharewell.reports.policy:ReportsPolicy",
    ("notes", "policy", "notes"): "sharewell.notes.policy:NotesPolicy",
    ("genomes", "policy", "genomes"): "sharewell.genomes.policy:GenomesPolicy",
    ("tables", "policy", "tables"): "sharewell.tables.policy:TablesPolicy",
    ("codes", "dossier", "codes"): "sharewell.codes.dossier:CodesDossier",
    ("joint", "dossier", "joint"): "sharewell.joint.dossier:JointDossier",
    ("reports", "dossier", "reports"): "sharewell.reports.dossier:ReportsDossier",
    ("notes", "dossier", "notes"): "sharewell.notes.dossier:NotesDossier",
    ("genomes", "dossier", "genomes"): "sharewell.genomes.dossier:GenomesDossier",
    ("tables", "dossier", "tables"): "sharewell.tables.dossier:TablesDossier",
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


def wing(kind: str) -> Wing[Any]:
    """The adapter through which a release runs a kind of data."""
    if kind not in kinds():
        what, hint = f"there is no wing for kind '{kind}'", did_you_mean(kind, kinds())
        raise PolicyError([Mistake(0, 0, "kind", what, hint or f"kinds: {', '.join(kinds())}")])
    found: Wing[Any] = lookup(kind, "wing", kind)()
    return found


def owned(room: str) -> dict[str, Any]:
    """Kind of data → what it registers for itself in a room such as `policy`, in the order of registration."""
    there = kinds()
    found = {kind: target for (kind, its_room, name), target in _all().items() if its_room == room and name == kind}
    return {kind: Entry(kind, room, kind, target).load() for kind, target in found.items() if kind in there}


def compatible(mechanism: Any, criterion: Any) -> bool:
    """Can this mechanism make this criterion hold? It can if the criterion offers what the mechanism's engine calls."""
    engines = (mechanism.engine,) if isinstance(mechanism.engine, str) else mechanism.engine
    offered = any(callable(getattr(criterion, engine, None)) for engine in engines)
    return offered and criterion.name not in mechanism.refuses
