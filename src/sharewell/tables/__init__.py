"""Tables: demographics and other data with one row a record."""

from typing import TYPE_CHECKING

from sharewell.lazy_exports import exporting

if TYPE_CHECKING:
    from sharewell.tables.attacks.accidental_identifiers import AccidentalIdentifiers
    from sharewell.tables.attacks.background_knowledge import BackgroundKnowledge
    from sharewell.tables.attacks.composition import Composition
    from sharewell.tables.attacks.composition_of_datasets import CompositionOfDatasets
    from sharewell.tables.attacks.date_shift import DateShift
    from sharewell.tables.attacks.definetti import DeFinetti
    from sharewell.tables.attacks.homogeneity import Homogeneity
    from sharewell.tables.attacks.linkage import Linkage
    from sharewell.tables.attacks.minimality import Minimality
    from sharewell.tables.attacks.multi_record_linkage import MultiRecordLinkage
    from sharewell.tables.attacks.prosecutor import Prosecutor
    from sharewell.tables.attacks.uniqueness import Uniqueness
    from sharewell.tables.criteria.alpha_k_anonymity import AlphaKAnonymity
    from sharewell.tables.criteria.append_safe import AppendSafe
    from sharewell.tables.criteria.beta_likeness import BetaLikeness
    from sharewell.tables.criteria.delta_disclosure import DeltaDisclosure
    from sharewell.tables.criteria.delta_presence import DeltaPresence
    from sharewell.tables.criteria.entropy_l_diversity import EntropyLDiversity
    from sharewell.tables.criteria.epsilon_m_anonymity import EpsilonMAnonymity
    from sharewell.tables.criteria.g_balance import GBalance
    from sharewell.tables.criteria.h_affiliation import HAffiliation
    from sharewell.tables.criteria.instance_disclosure import InstanceDisclosure
    from sharewell.tables.criteria.journalist_risk import JournalistRisk
    from sharewell.tables.criteria.k_1_anonymity import K1Anonymity
    from sharewell.tables.criteria.k_anonymity import KAnonymity
    from sharewell.tables.criteria.k_k_anonymity import KKAnonymity
    from sharewell.tables.criteria.k_map import KMap
    from sharewell.tables.criteria.k_map_estimated import KMapEstimated
    from sharewell.tables.criteria.l_diversity import LDiversity
    from sharewell.tables.criteria.limited_data_set import LimitedDataSetRule
    from sharewell.tables.criteria.marketer_risk import MarketerRisk
    from sharewell.tables.criteria.one_k_anonymity import OneKAnonymity
    from sharewell.tables.criteria.personalised_privacy import PersonalisedPrivacy
    from sharewell.tables.criteria.population_uniqueness import PopulationUniqueness
    from sharewell.tables.criteria.prosecutor_risk import ProsecutorRisk
    from sharewell.tables.criteria.range_diversity import RangeDiversity
    from sharewell.tables.criteria.record_share import RecordShare
    from sharewell.tables.criteria.recursive_l_diversity import RecursiveLDiversity
    from sharewell.tables.criteria.safe_harbor import SafeHarborRule
    from sharewell.tables.criteria.sample_uniqueness import SampleUniqueness
    from sharewell.tables.criteria.t_closeness import TCloseness
    from sharewell.tables.data import Table
    from sharewell.tables.engine.assessment import assess, assess_file
    from sharewell.tables.engine.column_risk import risk_by_column
    from sharewell.tables.mechanisms.attribute_suppression import AttributeSuppression
    from sharewell.tables.mechanisms.bottom_up import BottomUp
    from sharewell.tables.mechanisms.instance_partitioning import InstancePartitioning
    from sharewell.tables.mechanisms.k_member import KMember
    from sharewell.tables.mechanisms.limited_data_set import LimitedDataSet
    from sharewell.tables.mechanisms.local_recoding import LocalRecoding
    from sharewell.tables.mechanisms.mdav import MDAV
    from sharewell.tables.mechanisms.mondrian import Mondrian
    from sharewell.tables.mechanisms.multi_record_partitioning import MultiRecordPartitioning
    from sharewell.tables.mechanisms.noise import Noise
    from sharewell.tables.mechanisms.optimal_recoding import OptimalRecoding
    from sharewell.tables.mechanisms.packing import Packing
    from sharewell.tables.mechanisms.pram import PRAM
    from sharewell.tables.mechanisms.rank_swapping import RankSwapping
    from sharewell.tables.mechanisms.record_suppression import RecordSuppression
    from sharewell.tables.mechanisms.rounding import Rounding
    from sharewell.tables.mechanisms.safe_harbor import SafeHarbor
    from sharewell.tables.mechanisms.top_down import TopDown
    from sharewell.tables.mechanisms.value_suppression import ValueSuppression
    from sharewell.tables.utility.average_class import AverageClass
    from sharewell.tables.utility.classification import Classification
    from sharewell.tables.utility.correlation import Correlation
    from sharewell.tables.utility.discernibility import Discernibility
    from sharewell.tables.utility.entropy_loss import EntropyLoss
    from sharewell.tables.utility.height import Height
    from sharewell.tables.utility.lm import LM
    from sharewell.tables.utility.marginals import Marginals
    from sharewell.tables.utility.ncp import NCP
    from sharewell.tables.utility.pairwise import Pairwise
    from sharewell.tables.utility.prediction import Prediction
    from sharewell.tables.utility.query_error import QueryError

__all__ = [
    "AccidentalIdentifiers",
    "AlphaKAnonymity",
    "AppendSafe",
    "AttributeSuppression",
    "AverageClass",
    "BackgroundKnowledge",
    "BetaLikeness",
    "BottomUp",
    "Classification",
    "Composition",
    "CompositionOfDatasets",
    "Correlation",
    "DateShift",
    "DeFinetti",
    "DeltaDisclosure",
    "DeltaPresence",
    "Discernibility",
    "EntropyLDiversity",
    "EntropyLoss",
    "EpsilonMAnonymity",
    "GBalance",
    "HAffiliation",
    "Height",
    "Homogeneity",
    "InstanceDisclosure",
    "InstancePartitioning",
    "JournalistRisk",
    "K1Anonymity",
    "KAnonymity",
    "KKAnonymity",
    "KMap",
    "KMapEstimated",
    "KMember",
    "LDiversity",
    "LM",
    "LimitedDataSet",
    "LimitedDataSetRule",
    "Linkage",
    "LocalRecoding",
    "MDAV",
    "Marginals",
    "MarketerRisk",
    "Minimality",
    "Mondrian",
    "MultiRecordLinkage",
    "MultiRecordPartitioning",
    "NCP",
    "Noise",
    "OneKAnonymity",
    "OptimalRecoding",
    "PRAM",
    "Packing",
    "Pairwise",
    "PersonalisedPrivacy",
    "PopulationUniqueness",
    "Prediction",
    "Prosecutor",
    "ProsecutorRisk",
    "QueryError",
    "RangeDiversity",
    "RankSwapping",
    "RecordShare",
    "RecordSuppression",
    "RecursiveLDiversity",
    "Rounding",
    "SafeHarbor",
    "SafeHarborRule",
    "SampleUniqueness",
    "TCloseness",
    "Table",
    "TopDown",
    "Uniqueness",
    "ValueSuppression",
    "assess",
    "assess_file",
    "risk_by_column",
]

__getattr__ = exporting(
    __name__,
    {
        "AccidentalIdentifiers": "sharewell.tables.attacks.accidental_identifiers",
        "AlphaKAnonymity": "sharewell.tables.criteria.alpha_k_anonymity",
        "AppendSafe": "sharewell.tables.criteria.append_safe",
        "AttributeSuppression": "sharewell.tables.mechanisms.attribute_suppression",
        "AverageClass": "sharewell.tables.utility.average_class",
        "BackgroundKnowledge": "sharewell.tables.attacks.background_knowledge",
        "BetaLikeness": "sharewell.tables.criteria.beta_likeness",
        "BottomUp": "sharewell.tables.mechanisms.bottom_up",
        "Classification": "sharewell.tables.utility.classification",
        "Composition": "sharewell.tables.attacks.composition",
        "CompositionOfDatasets": "sharewell.tables.attacks.composition_of_datasets",
        "Correlation": "sharewell.tables.utility.correlation",
        "DateShift": "sharewell.tables.attacks.date_shift",
        "DeFinetti": "sharewell.tables.attacks.definetti",
        "DeltaDisclosure": "sharewell.tables.criteria.delta_disclosure",
        "DeltaPresence": "sharewell.tables.criteria.delta_presence",
        "Discernibility": "sharewell.tables.utility.discernibility",
        "EntropyLDiversity": "sharewell.tables.criteria.entropy_l_diversity",
        "EntropyLoss": "sharewell.tables.utility.entropy_loss",
        "EpsilonMAnonymity": "sharewell.tables.criteria.epsilon_m_anonymity",
        "GBalance": "sharewell.tables.criteria.g_balance",
        "HAffiliation": "sharewell.tables.criteria.h_affiliation",
        "Height": "sharewell.tables.utility.height",
        "Homogeneity": "sharewell.tables.attacks.homogeneity",
        "InstanceDisclosure": "sharewell.tables.criteria.instance_disclosure",
        "InstancePartitioning": "sharewell.tables.mechanisms.instance_partitioning",
        "JournalistRisk": "sharewell.tables.criteria.journalist_risk",
        "K1Anonymity": "sharewell.tables.criteria.k_1_anonymity",
        "KAnonymity": "sharewell.tables.criteria.k_anonymity",
        "KKAnonymity": "sharewell.tables.criteria.k_k_anonymity",
        "KMap": "sharewell.tables.criteria.k_map",
        "KMapEstimated": "sharewell.tables.criteria.k_map_estimated",
        "KMember": "sharewell.tables.mechanisms.k_member",
        "LDiversity": "sharewell.tables.criteria.l_diversity",
        "LM": "sharewell.tables.utility.lm",
        "LimitedDataSet": "sharewell.tables.mechanisms.limited_data_set",
        "LimitedDataSetRule": "sharewell.tables.criteria.limited_data_set",
        "Linkage": "sharewell.tables.attacks.linkage",
        "LocalRecoding": "sharewell.tables.mechanisms.local_recoding",
        "MDAV": "sharewell.tables.mechanisms.mdav",
        "Marginals": "sharewell.tables.utility.marginals",
        "MarketerRisk": "sharewell.tables.criteria.marketer_risk",
        "Minimality": "sharewell.tables.attacks.minimality",
        "Mondrian": "sharewell.tables.mechanisms.mondrian",
        "MultiRecordLinkage": "sharewell.tables.attacks.multi_record_linkage",
        "MultiRecordPartitioning": "sharewell.tables.mechanisms.multi_record_partitioning",
        "NCP": "sharewell.tables.utility.ncp",
        "Noise": "sharewell.tables.mechanisms.noise",
        "OneKAnonymity": "sharewell.tables.criteria.one_k_anonymity",
        "OptimalRecoding": "sharewell.tables.mechanisms.optimal_recoding",
        "PRAM": "sharewell.tables.mechanisms.pram",
        "Packing": "sharewell.tables.mechanisms.packing",
        "Pairwise": "sharewell.tables.utility.pairwise",
        "PersonalisedPrivacy": "sharewell.tables.criteria.personalised_privacy",
        "PopulationUniqueness": "sharewell.tables.criteria.population_uniqueness",
        "Prediction": "sharewell.tables.utility.prediction",
        "Prosecutor": "sharewell.tables.attacks.prosecutor",
        "ProsecutorRisk": "sharewell.tables.criteria.prosecutor_risk",
        "QueryError": "sharewell.tables.utility.query_error",
        "RangeDiversity": "sharewell.tables.criteria.range_diversity",
        "RankSwapping": "sharewell.tables.mechanisms.rank_swapping",
        "RecordShare": "sharewell.tables.criteria.record_share",
        "RecordSuppression": "sharewell.tables.mechanisms.record_suppression",
        "RecursiveLDiversity": "sharewell.tables.criteria.recursive_l_diversity",
        "Rounding": "sharewell.tables.mechanisms.rounding",
        "SafeHarbor": "sharewell.tables.mechanisms.safe_harbor",
        "SafeHarborRule": "sharewell.tables.criteria.safe_harbor",
        "SampleUniqueness": "sharewell.tables.criteria.sample_uniqueness",
        "TCloseness": "sharewell.tables.criteria.t_closeness",
        "Table": "sharewell.tables.data",
        "TopDown": "sharewell.tables.mechanisms.top_down",
        "Uniqueness": "sharewell.tables.attacks.uniqueness",
        "ValueSuppression": "sharewell.tables.mechanisms.value_suppression",
        "assess": "sharewell.tables.engine.assessment",
        "assess_file": "sharewell.tables.engine.assessment",
        "risk_by_column": "sharewell.tables.engine.column_risk",
    },
)
