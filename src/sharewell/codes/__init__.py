"""Codes: sets of diagnosis codes, one set a person."""

from typing import TYPE_CHECKING

from sharewell.lazy_exports import exporting

if TYPE_CHECKING:
    from sharewell.codes.attacks.chunk_linking import ChunkLinking
    from sharewell.codes.attacks.code_homogeneity import CodeHomogeneity
    from sharewell.codes.attacks.code_linkage import CodeLinkage
    from sharewell.codes.criteria.complete_k_anonymity import CompleteKAnonymity
    from sharewell.codes.criteria.cover_free import CoverFree
    from sharewell.codes.criteria.hidden_patterns import HiddenPattern
    from sharewell.codes.criteria.hkp_coherence import Coherence
    from sharewell.codes.criteria.km_anonymity import KmAnonymity
    from sharewell.codes.criteria.km_disassociation import KmDisassociation
    from sharewell.codes.criteria.privacy_policy import PrivacyPolicy
    from sharewell.codes.criteria.ps_rules import PSRules
    from sharewell.codes.criteria.rho_uncertainty import RhoUncertainty
    from sharewell.codes.criteria.utility_policy import UtilityPolicy
    from sharewell.codes.data import CodeSets
    from sharewell.codes.engine.chunks import Chunks
    from sharewell.codes.mechanisms.aclip import ACLIP
    from sharewell.codes.mechanisms.apriori import Apriori
    from sharewell.codes.mechanisms.cba import CBA
    from sharewell.codes.mechanisms.coat import COAT
    from sharewell.codes.mechanisms.disassociation import Disassociation
    from sharewell.codes.mechanisms.global_suppression import GlobalSuppression
    from sharewell.codes.mechanisms.greedy_partitioning import GreedyPartitioning
    from sharewell.codes.mechanisms.greedy_suppression import GreedySuppression
    from sharewell.codes.mechanisms.local_suppression import LocalSuppression
    from sharewell.codes.mechanisms.lra import LRA
    from sharewell.codes.mechanisms.pattern_hiding import PatternHiding
    from sharewell.codes.mechanisms.pcta import PCTA
    from sharewell.codes.mechanisms.rbat import RBAT
    from sharewell.codes.mechanisms.sequence_hiding import SequenceHiding
    from sharewell.codes.mechanisms.suppress_control import SuppressControl
    from sharewell.codes.mechanisms.td_control import TDControl
    from sharewell.codes.mechanisms.ugaclip import UGACLIP
    from sharewell.codes.mechanisms.vpa import VPA
    from sharewell.codes.utility.case_counts import CaseCounts
    from sharewell.codes.utility.co_occurrence import CoOccurrence
    from sharewell.codes.utility.lost_patterns import LostPatterns
    from sharewell.codes.utility.ncp import NCP
    from sharewell.codes.utility.query_error import QueryError
    from sharewell.codes.utility.retained_codes import RetainedCodes
    from sharewell.codes.utility.ul import UL
    from sharewell.joint.attacks.two_step import TwoStep
    from sharewell.joint.criteria.k_km_anonymity import KKmAnonymity
    from sharewell.joint.data import RTData
    from sharewell.joint.mechanisms.rt_anonymization import RTAnonymization

__all__ = [
    "ACLIP",
    "Apriori",
    "CBA",
    "COAT",
    "CaseCounts",
    "ChunkLinking",
    "Chunks",
    "CoOccurrence",
    "CodeHomogeneity",
    "CodeLinkage",
    "CodeSets",
    "Coherence",
    "CompleteKAnonymity",
    "CoverFree",
    "Disassociation",
    "GlobalSuppression",
    "GreedyPartitioning",
    "GreedySuppression",
    "HiddenPattern",
    "KKmAnonymity",
    "KmAnonymity",
    "KmDisassociation",
    "LRA",
    "LocalSuppression",
    "LostPatterns",
    "NCP",
    "PCTA",
    "PSRules",
    "PatternHiding",
    "PrivacyPolicy",
    "QueryError",
    "RBAT",
    "RTAnonymization",
    "RTData",
    "RetainedCodes",
    "RhoUncertainty",
    "SequenceHiding",
    "SuppressControl",
    "TDControl",
    "TwoStep",
    "UGACLIP",
    "UL",
    "UtilityPolicy",
    "VPA",
]

__getattr__ = exporting(
    __name__,
    {
        "ACLIP": "sharewell.codes.mechanisms.aclip",
        "Apriori": "sharewell.codes.mechanisms.apriori",
        "CBA": "sharewell.codes.mechanisms.cba",
        "COAT": "sharewell.codes.mechanisms.coat",
        "CaseCounts": "sharewell.codes.utility.case_counts",
        "ChunkLinking": "sharewell.codes.attacks.chunk_linking",
        "Chunks": "sharewell.codes.engine.chunks",
        "CoOccurrence": "sharewell.codes.utility.co_occurrence",
        "CodeHomogeneity": "sharewell.codes.attacks.code_homogeneity",
        "CodeLinkage": "sharewell.codes.attacks.code_linkage",
        "CodeSets": "sharewell.codes.data",
        "Coherence": "sharewell.codes.criteria.hkp_coherence",
        "CompleteKAnonymity": "sharewell.codes.criteria.complete_k_anonymity",
        "CoverFree": "sharewell.codes.criteria.cover_free",
        "Disassociation": "sharewell.codes.mechanisms.disassociation",
        "GlobalSuppression": "sharewell.codes.mechanisms.global_suppression",
        "GreedyPartitioning": "sharewell.codes.mechanisms.greedy_partitioning",
        "GreedySuppression": "sharewell.codes.mechanisms.greedy_suppression",
        "HiddenPattern": "sharewell.codes.criteria.hidden_patterns",
        "KKmAnonymity": "sharewell.joint.criteria.k_km_anonymity",
        "KmAnonymity": "sharewell.codes.criteria.km_anonymity",
        "KmDisassociation": "sharewell.codes.criteria.km_disassociation",
        "LRA": "sharewell.codes.mechanisms.lra",
        "LocalSuppression": "sharewell.codes.mechanisms.local_suppression",
        "LostPatterns": "sharewell.codes.utility.lost_patterns",
        "NCP": "sharewell.codes.utility.ncp",
        "PCTA": "sharewell.codes.mechanisms.pcta",
        "PSRules": "sharewell.codes.criteria.ps_rules",
        "PatternHiding": "sharewell.codes.mechanisms.pattern_hiding",
        "PrivacyPolicy": "sharewell.codes.criteria.privacy_policy",
        "QueryError": "sharewell.codes.utility.query_error",
        "RBAT": "sharewell.codes.mechanisms.rbat",
        "RTAnonymization": "sharewell.joint.mechanisms.rt_anonymization",
        "RTData": "sharewell.joint.data",
        "RetainedCodes": "sharewell.codes.utility.retained_codes",
        "RhoUncertainty": "sharewell.codes.criteria.rho_uncertainty",
        "SequenceHiding": "sharewell.codes.mechanisms.sequence_hiding",
        "SuppressControl": "sharewell.codes.mechanisms.suppress_control",
        "TDControl": "sharewell.codes.mechanisms.td_control",
        "TwoStep": "sharewell.joint.attacks.two_step",
        "UGACLIP": "sharewell.codes.mechanisms.ugaclip",
        "UL": "sharewell.codes.utility.ul",
        "UtilityPolicy": "sharewell.codes.criteria.utility_policy",
        "VPA": "sharewell.codes.mechanisms.vpa",
    },
)
