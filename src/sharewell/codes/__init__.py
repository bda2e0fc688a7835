"""Codes: sets of diagnosis codes, one set a person."""

from typing import TYPE_CHECKING

from sharewell.lazy import exporting

if TYPE_CHECKING:
    from sharewell.codes.attacks.code_homogeneity import CodeHomogeneity
    from sharewell.codes.attacks.code_linkage import CodeLinkage
    from sharewell.codes.criteria.complete_k_anonymity import CompleteKAnonymity
    from sharewell.codes.criteria.km_anonymity import KmAnonymity
    from sharewell.codes.criteria.privacy_policy import PrivacyPolicy
    from sharewell.codes.criteria.utility_policy import UtilityPolicy
    from sharewell.codes.dataset import CodeSets
    from sharewell.codes.mechanisms.aclip import ACLIP
    from sharewell.codes.mechanisms.apriori import Apriori
    from sharewell.codes.mechanisms.cba import CBA
    from sharewell.codes.mechanisms.coat import COAT
    from sharewell.codes.mechanisms.greedy_partitioning import GreedyPartitioning
    from sharewell.codes.mechanisms.lra import LRA
    from sharewell.codes.mechanisms.pcta import PCTA
    from sharewell.codes.mechanisms.ugaclip import UGACLIP
    from sharewell.codes.mechanisms.vpa import VPA
    from sharewell.codes.utility.case_counts import CaseCounts
    from sharewell.codes.utility.ncp import NCP
    from sharewell.codes.utility.query_error import QueryError
    from sharewell.codes.utility.retained_codes import RetainedCodes
    from sharewell.codes.utility.ul import UL

__all__ = [
    "ACLIP",
    "Apriori",
    "CBA",
    "COAT",
    "CaseCounts",
    "CodeHomogeneity",
    "CodeLinkage",
    "CodeSets",
    "CompleteKAnonymity",
    "GreedyPartitioning",
    "KmAnonymity",
    "LRA",
    "NCP",
    "PCTA",
    "PrivacyPolicy",
    "QueryError",
    "RetainedCodes",
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
        "CodeHomogeneity": "sharewell.codes.attacks.code_homogeneity",
        "CodeLinkage": "sharewell.codes.attacks.code_linkage",
        "CodeSets": "sharewell.codes.dataset",
        "CompleteKAnonymity": "sharewell.codes.criteria.complete_k_anonymity",
        "GreedyPartitioning": "sharewell.codes.mechanisms.greedy_partitioning",
        "KmAnonymity": "sharewell.codes.criteria.km_anonymity",
        "LRA": "sharewell.codes.mechanisms.lra",
        "NCP": "sharewell.codes.utility.ncp",
        "PCTA": "sharewell.codes.mechanisms.pcta",
        "PrivacyPolicy": "sharewell.codes.criteria.privacy_policy",
        "QueryError": "sharewell.codes.utility.query_error",
        "RetainedCodes": "sharewell.codes.utility.retained_codes",
        "UGACLIP": "sharewell.codes.mechanisms.ugaclip",
        "UL": "sharewell.codes.utility.ul",
        "UtilityPolicy": "sharewell.codes.criteria.utility_policy",
        "VPA": "sharewell.codes.mechanisms.vpa",
    },
)
