"""Every algorithm by (kind of data, room, name), and every kind of data. Each is imported when asked for.

To add an algorithm, add its line to `ALGORITHMS`. Exports of the wing (`__all__`, `from sharewell.tables import …`) and
its stub for type checkers (`make stubs`) follow from it. To add a kind of data, add it to `WINGS` too.

A package adds algorithms of its own through the entry-point group `sharewell`, with a name of the form
`kind.room.name` (for example `tables.criteria.my-criterion = "my_package.my_module:MyCriterion"`).
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sharewell.errors import Mistake, PolicyError
from sharewell.io.plug_ins import plug_ins

if TYPE_CHECKING:
    from sharewell.protocols import AnyCriterion, AnyMechanism
    from sharewell.wing import Records, Wing

ROOMS = ("criteria", "mechanisms", "attacks", "utility")
USUAL_KIND = "tables"
"""The kind of data where none is named."""
TEXT_KIND = "notes"
"""The kind of data that protects columns of text of the others."""

WINGS: dict[str, dict[str, str]] = {
    "codes": {"wing": "CodesWing", "policy": "CodesPolicy", "dossier": "CodesDossier"},
    "joint": {"wing": "JointWing", "policy": "JointPolicy", "dossier": "JointDossier"},
    "reports": {"wing": "ReportsWing", "policy": "ReportsPolicy", "dossier": "ReportsDossier"},
    "notes": {"wing": "NotesWing", "policy": "NotesPolicy", "dossier": "NotesDossier"},
    "genomes": {"wing": "GenomesWing", "policy": "GenomesPolicy", "dossier": "GenomesDossier"},
    "queries": {"wing": "QueriesWing", "policy": "QueriesPolicy", "dossier": "QueriesDossier"},
    "tables": {"wing": "TablesWing", "policy": "TablesPolicy", "dossier": "TablesDossier"},
}
"""Kind of data → module of its package → the class there by which the rest of the house knows it."""


ALGORITHMS: dict[str, dict[str, str]] = {
    "tables.criteria": {
        "1-k-anonymity": "tables.criteria.one_k_anonymity:OneKAnonymity",
        "alpha-k-anonymity": "AlphaKAnonymity",
        "append-safe": "AppendSafe",
        "beta-likeness": "BetaLikeness",
        "delta-disclosure": "DeltaDisclosure",
        "delta-growth": "DeltaGrowth",
        "delta-presence": "DeltaPresence",
        "diversity-under-rules": "DiversityUnderRules",
        "entropy-l-diversity": "EntropyLDiversity",
        "epsilon-m-anonymity": "EpsilonMAnonymity",
        "g-balance": "GBalance",
        "h-affiliation": "HAffiliation",
        "instance-disclosure": "InstanceDisclosure",
        "journalist-risk": "JournalistRisk",
        "k-1-anonymity": "K1Anonymity",
        "k-anonymity": "KAnonymity",
        "k-k-anonymity": "KKAnonymity",
        "k-map": "KMap",
        "k-map-estimated": "KMapEstimated",
        "l-diversity": "LDiversity",
        "limited-data-set": "LimitedDataSetRule",
        "marketer-risk": "MarketerRisk",
        "personalised-privacy": "PersonalisedPrivacy",
        "population-uniqueness": "PopulationUniqueness",
        "prosecutor-risk": "ProsecutorRisk",
        "range-diversity": "RangeDiversity",
        "record-share": "RecordShare",
        "recursive-l-diversity": "RecursiveLDiversity",
        "rho1-to-rho2": "Rho1ToRho2",
        "safe-harbor": "SafeHarborRule",
        "sample-uniqueness": "SampleUniqueness",
        "t-closeness": "TCloseness",
        "trail-k-anonymity": "TrailKAnonymity",
    },
    "tables.mechanisms": {
        "attribute-suppression": "AttributeSuppression",
        "bottom-up": "BottomUp",
        "earlier-cells": "EarlierCells",
        "instance-partitioning": "InstancePartitioning",
        "k-member": "KMember",
        "limited-data-set": "LimitedDataSet",
        "local-recoding": "LocalRecoding",
        "mdav": "MDAV",
        "mondrian": "Mondrian",
        "multi-record-partitioning": "MultiRecordPartitioning",
        "noise": "Noise",
        "optimal-recoding": "OptimalRecoding",
        "packing": "Packing",
        "pram": "PRAM",
        "rank-swapping": "RankSwapping",
        "record-suppression": "RecordSuppression",
        "retention-replacement": "RetentionReplacement",
        "rounding": "Rounding",
        "safe-harbor": "SafeHarbor",
        "subsample": "Subsample",
        "top-down": "TopDown",
        "trail-breaking": "TrailBreaking",
        "trail-grouping": "TrailGrouping",
        "value-suppression": "ValueSuppression",
    },
    "tables.attacks": {
        "accidental-identifiers": "AccidentalIdentifiers",
        "background-knowledge": "BackgroundKnowledge",
        "classifier-inference": "ClassifierInference",
        "composition": "Composition",
        "date-shift": "DateShift",
        "definetti": "DeFinetti",
        "homogeneity": "Homogeneity",
        "inferential-disclosure": "InferentialDisclosure",
        "linkage": "Linkage",
        "minimality": "Minimality",
        "multi-record-linkage": "MultiRecordLinkage",
        "prosecutor": "Prosecutor",
        "trail-linkage": "TrailLinkage",
        "uniqueness": "Uniqueness",
    },
    "tables.utility": {
        "average-class": "AverageClass",
        "classification": "Classification",
        "correlation": "Correlation",
        "discernibility": "Discernibility",
        "entropy-loss": "EntropyLoss",
        "height": "Height",
        "lm": "LM",
        "marginals": "Marginals",
        "ncp": "NCP",
        "pairwise": "Pairwise",
        "prediction": "Prediction",
        "query-error": "QueryError",
        "reconstruction-error": "ReconstructionError",
        "um": "UM",
    },
    "codes.criteria": {
        "complete-k-anonymity": "CompleteKAnonymity",
        "cover-free": "CoverFree",
        "hidden-patterns": "HiddenPattern",
        "hkp-coherence": "Coherence",
        "km-anonymity": "KmAnonymity",
        "km-disassociation": "KmDisassociation",
        "privacy-policy": "PrivacyPolicy",
        "ps-rules": "PSRules",
        "rho-uncertainty": "RhoUncertainty",
        "utility-policy": "UtilityPolicy",
    },
    "codes.mechanisms": {
        "aclip": "ACLIP",
        "apriori": "Apriori",
        "cba": "CBA",
        "coat": "COAT",
        "disassociation": "Disassociation",
        "global-suppression": "GlobalSuppression",
        "greedy-partitioning": "GreedyPartitioning",
        "greedy-suppression": "GreedySuppression",
        "local-suppression": "LocalSuppression",
        "lra": "LRA",
        "pattern-hiding": "PatternHiding",
        "pcta": "PCTA",
        "rbat": "RBAT",
        "sequence-hiding": "SequenceHiding",
        "suppress-control": "SuppressControl",
        "td-control": "TDControl",
        "ugaclip": "UGACLIP",
        "vpa": "VPA",
    },
    "codes.attacks": {
        "chunk-linking": "ChunkLinking",
        "code-homogeneity": "CodeHomogeneity",
        "code-linkage": "CodeLinkage",
        "sparse-linkage": "SparseLinkage",
        "two-step": "joint.attacks.two_step:TwoStep",
    },
    "codes.utility": {
        "case-counts": "CaseCounts",
        "co-occurrence": "CoOccurrence",
        "lost-patterns": "LostPatterns",
        "ncp": "NCP",
        "query-error": "QueryError",
        "retained-codes": "RetainedCodes",
        "ul": "UL",
    },
    "notes.criteria": {
        "concepts-only": "ConceptsOnly",
        "extracted-values": "ExtractedValues",
        "k-safe": "KSafe",
        "no-known-identifiers": "NoKnownIdentifiers",
        "residual-risk": "ResidualRisk",
        "safe-harbor": "SafeHarborText",
        "t-plausible": "TPlausible",
        "text-agrees-with-table": "TextAgreesWithTable",
    },
    "notes.mechanisms": {
        "concept-match": "ConceptMatch",
        "k-safety": "KSafety",
        "pacs": "Pacs",
        "replace": "Replace",
        "t-plausibility": "TPlausibility",
    },
    "notes.attacks": {
        "condition-from-drugs": "ConditionFromDrugs",
        "note-linkage": "NoteLinkage",
        "rare-words": "RareWords",
        "register-search": "RegisterSearch",
    },
    "notes.utility": {
        "clinical-terms-kept": "ClinicalTermsKept",
        "disclosure-risk": "DisclosureRisk",
        "persistence": "Persistence",
    },
    "genomes.criteria": {
        "beacon-power": "BeaconPower",
        "diverse-sequences": "DiverseSequences",
        "k-identical": "KIdentical",
        "membership-power": "MembershipPower",
        "minor-frequency": "MinorFrequency",
        "safe-number": "SafeNumber",
        "snp-bins": "SnpBins",
    },
    "genomes.mechanisms": {
        "beacon-release": "BeaconRelease",
        "binning": "Binning",
        "dnala": "DNALA",
        "frequency-floor": "FrequencyFloor",
        "noisy-frequencies": "NoisyFrequencies",
        "safe-snps": "SafeSNPs",
    },
    "genomes.attacks": {
        "beacon": "Beacon",
        "dna-and-codes": "joint.attacks.dna_and_codes:DnaAndCodes",
        "dna-linkage": "joint.attacks.dna_linkage:DnaLinkage",
        "genotype-phenotype": "GenotypePhenotype",
        "homer": "Homer",
        "kinship": "Kinship",
        "likelihood-ratio": "LikelihoodRatio",
        "selection-membership": "SelectionMembership",
        "sequence-linkage": "SequenceLinkage",
        "wip": "WIP",
    },
    "genomes.utility": {
        "bases-kept": "BasesKept",
        "frequency-error": "FrequencyError",
        "gwas": "GWAS",
        "lattice-distance": "LatticeDistance",
        "ld-error": "LDError",
        "snps-kept": "SnpsKept",
        "true-answers": "TrueAnswers",
    },
    "reports.counts.criteria": {
        "cell-protection": "CellProtection",
        "sum-privacy": "SumPrivacy",
    },
    "reports.counts.mechanisms": {
        "cell-suppression": "CellSuppression",
        "controlled-rounding": "ControlledRounding",
        "noisy-sums": "NoisySums",
    },
    "reports.counts.attacks": {
        "table-interval": "TableInterval",
    },
    "reports.counts.utility": {
        "suppressed-share": "SuppressedShare",
        "table-error": "TableError",
    },
    "reports.figures.criteria": {
        "entropy": "Entropy",
        "protection": "Protection",
        "width": "Width",
    },
    "reports.figures.mechanisms": {
        "aggregate": "Aggregate",
    },
    "reports.figures.attacks": {
        "snooper": "Snooper",
    },
    "reports.figures.utility": {
        "report-loss": "ReportLoss",
    },
    "reports.gathering.criteria": {
        "local-privacy": "LocalPrivacy",
    },
    "reports.gathering.mechanisms": {
        "randomised-response": "RandomisedResponse",
    },
    "reports.gathering.attacks": {
        "answer-guess": "AnswerGuess",
    },
    "reports.gathering.utility": {
        "estimate-error": "EstimateError",
    },
    "queries.criteria": {
        "differential-privacy": "DifferentialPrivacy",
    },
    "queries.mechanisms": {
        "consistent-tree": "ConsistentTree",
        "data-cube": "DataCube",
        "diffgen": "DiffGen",
        "noisy-marginals": "NoisyMarginals",
        "privelet": "Privelet",
        "synthetic-table": "SyntheticTable",
    },
    "queries.attacks": {
        "averaging": "Averaging",
        "membership": "Membership",
        "reconstruction": "Reconstruction",
        "tracker": "Tracker",
    },
    "queries.utility": {
        "marginal-error": "MarginalError",
        "noise-error": "NoiseError",
        "prediction-error": "PredictionError",
        "query-error": "QueryError",
        "range-error": "RangeError",
    },
    "joint.criteria": {
        "joined-record": "JoinedRecord",
        "k-km-anonymity": "KKmAnonymity",
    },
    "joint.mechanisms": {
        "joined-anonymization": "JoinedAnonymization",
        "rt-anonymization": "RTAnonymization",
    },
    "joint.attacks": {
        "accidental-identifiers": "RTAccidentalIdentifiers",
        "class-homogeneity": "ClassHomogeneity",
        "rt-linkage": "RTLinkage",
        "two-step": "TwoStep",
    },
    "joint.utility": {
        "codes-ncp": "CodesNCP",
        "dna-ncp": "DnaNCP",
        "ncp": "NCP",
        "relational-ncp": "RelationalNCP",
        "rt-query-error": "RTQueryError",
    },
    "together.criteria": {
        "codes-together": "codes.criteria.codes_together:CodesTogether",
        "composition": "tables.criteria.composition:CompositionRule",
        "draws-together": "tables.criteria.draws_together:DrawsTogether",
        "frequencies-together": "genomes.criteria.frequencies_together:FrequenciesTogether",
        "joined-inference": "joint.criteria.joined_inference:JoinedInference",
        "joined-instance-disclosure": "tables.criteria.joined_instance_disclosure:JoinedInstanceDisclosure",
        "joined-k-anonymity": "joint.criteria.joined_k_anonymity:JoinedKAnonymity",
        "notes-agree-with-table": "notes.criteria.notes_agree_with_table:NotesAgreeWithTable",
        "sequences-together": "genomes.criteria.sequences_together:SequencesTogether",
        "tables-together": "reports.counts.criteria.tables_together:TablesTogether",
    },
    "together.mechanisms": {
        "joined-suppression": "joint.mechanisms.joined_suppression:JoinedSuppression",
    },
    "together.attacks": {
        "composition-of-datasets": "tables.attacks.composition_of_datasets:CompositionOfDatasets",
        "joined-linkage": "joint.attacks.joined_linkage:JoinedLinkage",
        "noise-differencing": "tables.attacks.noise_differencing:NoiseAcrossDatasets",
        "release-linkage": "tables.attacks.release_linkage:LinkageAcrossDatasets",
    },
}
"""Package below `sharewell` → name in a policy → class.

The first word of the package is the kind of data, the last one the room. The module is named as the algorithm, with `_`
for `-`; where it is not, or is elsewhere, module (below `sharewell`) and class are given. The kind `together` has what
judges several datasets at once.
"""


def _built_in() -> Iterator[tuple[tuple[str, str, str], str]]:
    for kind, owned in WINGS.items():
        yield from (((kind, module, kind), f"sharewell.{kind}.{module}:{name}") for module, name in owned.items())
    for package, classes in ALGORITHMS.items():
        kind, room = package.partition(".")[0], package.rpartition(".")[2]
        for name, given in classes.items():
            target = given if ":" in given else f"{package}.{name.replace('-', '_')}:{given}"
            yield (kind, room, name), f"sharewell.{target}"


BUILTIN: dict[tuple[str, str, str], str] = dict(_built_in())
"""(kind, room, name) → module:class."""


def exported(package: str) -> dict[str, str]:
    """Class → module of the algorithms that a package exports: those of its kind of data, and those that it holds.

    >>> exported("sharewell.joint")["RTLinkage"]
    'sharewell.joint.attacks.rt_linkage'
    """
    results = {}
    for (kind, room, _), target in BUILTIN.items():
        module, _, name = target.partition(":")
        if room in ROOMS and (package == f"sharewell.{kind}" or module.startswith(f"{package}.")):
            results[name] = module
    return results


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
    results = dict(BUILTIN)
    for given, target in plug_ins().items():
        kind, _, tail = given.partition(".")
        room, _, name = tail.partition(".")
        if name and (kind, room, name) not in BUILTIN:  # a plug-in adds names, it never replaces a built-in
            results[kind, room, name] = target
    return results


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
    from sharewell.roles import did_you_mean

    known = [entry.name for entry in entries(kind, room)]
    hint = did_you_mean(name, known) or f"known: {', '.join(known) or 'none yet'}"
    raise PolicyError([Mistake(0, 0, "", f"no {room} named '{name}' for {kind}", hint)])


def wing(kind: str) -> Wing[Records]:
    """The adapter through which a release runs a kind of data."""
    if kind not in kinds():
        from sharewell.roles import did_you_mean

        what, hint = f"there is no kind of data called '{kind}'", did_you_mean(kind, kinds())
        raise PolicyError([Mistake(0, 0, "kind", what, hint or f"kinds: {', '.join(kinds())}")])
    result: Wing[Records] = lookup(kind, "wing", kind)()
    return result


@cache  # every word of a dossier asks for it
def owned(room: str) -> Mapping[str, Any]:
    """Kind of data → what it registers for itself in a room such as `policy`, in the order of registration."""
    there = kinds()
    results = {kind: target for (kind, its_room, name), target in _all().items() if its_room == room and name == kind}
    return {kind: Entry(kind, room, kind, target).load() for kind, target in results.items() if kind in there}


def commands(kind: str) -> ModuleType | None:
    """What a kind of data adds to the command line: the module `commands` beside its wing, if there is one."""
    package = _all()[kind, "wing", kind].partition(":")[0].rpartition(".")[0]
    if not package:  # a wing from elsewhere that is a module of its own
        return None
    name = f"{package}.commands"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None


def compatible(mechanism: AnyMechanism | type[AnyMechanism], criterion: AnyCriterion | type[AnyCriterion]) -> bool:
    """Can this mechanism make this criterion hold? It can if the criterion offers what the mechanism's engine calls."""
    engines = (mechanism.engine,) if isinstance(mechanism.engine, str) else mechanism.engine
    offered = any(callable(getattr(criterion, engine, None)) for engine in engines)
    return offered and criterion.name not in mechanism.refuses
