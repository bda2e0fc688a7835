"""Codes: sets of diagnosis codes, one set a person."""

from sharewell.codes.criteria.complete_k_anonymity import CompleteKAnonymity
from sharewell.codes.criteria.km_anonymity import KmAnonymity
from sharewell.codes.criteria.privacy_policy import PrivacyPolicy
from sharewell.codes.criteria.utility_policy import UtilityPolicy
from sharewell.codes.dataset import CodeSets

__all__ = ["CodeSets", "CompleteKAnonymity", "KmAnonymity", "PrivacyPolicy", "UtilityPolicy"]
