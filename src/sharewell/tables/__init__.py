"""Tables: demographics and other data with one row a record."""

from typing import TYPE_CHECKING

from sharewell.lazy import exporting

if TYPE_CHECKING:
    from sharewell.tables.attacks.homogeneity import Homogeneity
    from sharewell.tables.attacks.linkage import Linkage
    from sharewell.tables.attacks.prosecutor import Prosecutor
    from sharewell.tables.criteria.alpha_k_anonymity import AlphaKAnonymity
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
    from sharewell.tables.criteria.marketer_risk import MarketerRisk
    from sharewell.tables.criteria.one_k_anonymity import OneKAnonymity
    from sharewell.tables.criteria.personalised_privacy import PersonalisedPrivacy
    from sharewell.tables.criteria.population_uniqueness import PopulationUniqueness
    from sharewell.tables.criteria.prosecutor_risk import ProsecutorRisk
    from sharewell.tables.criteria.range_diversity import RangeDiversity
    from sharewell.tables.criteria.record_share import RecordShare
    from sharewell.tables.criteria.recursive_l_diversity import RecursiveLDiversity
    from sharewell.tables.criteria.sample_uniqueness import SampleUniqueness
    from sharewell.tables.criteria.t_closeness import TCloseness
    from sharewell.tables.dataset import Table
    from sharewell.tables.mechanisms.bottom_up import BottomUp
    from sharewell.tables.mechanisms.k_member import KMember
    from sharewell.tables.mechanisms.mondrian import Mondrian
    from sharewell.tables.mechanisms.multi_record_partitioning import MultiRecordPartitioning
    from sharewell.tables.mechanisms.optimal_recoding import OptimalRecoding
    from sharewell.tables.mechanisms.top_down import TopDown
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
    "AlphaKAnonymity",
    "AverageClass",
    "BetaLikeness",
    "BottomUp",
    "Classification",
    "Correlation",
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
    "JournalistRisk",
    "K1Anonymity",
    "KAnonymity",
    "KKAnonymity",
    "KMap",
    "KMapEstimated",
    "KMember",
    "LDiversity",
    "LM",
    "Linkage",
    "Marginals",
    "MarketerRisk",
    "Mondrian",
    "MultiRecordPartitioning",
    "NCP",
    "OneKAnonymity",
    "OptimalRecoding",
    "Pairwise",
    "PersonalisedPrivacy",
    "PopulationUniqueness",
    "Prediction",
    "Prosecutor",
    "ProsecutorRisk",
    "QueryError",
    "RangeDiversity",
    "RecordShare",
    "RecursiveLDiversity",
    "SampleUniqueness",
    "TCloseness",
    "Table",
    "TopDown",
]

__getattr__ = exporting(
    __name__,
    {
        "AlphaKAnonymity": "sharewell.tables.criteria.alpha_k_anonymity",
        "AverageClass": "sharewell.tables.utility.average_class",
        "BetaLikeness": "sharewell.tables.criteria.beta_likeness",
        "BottomUp": "sharewell.tables.mechanisms.bottom_up",
        "Classification": "sharewell.tables.utility.classification",
        "Correlation": "sharewell.tables.utility.correlation",
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
        "JournalistRisk": "sharewell.tables.criteria.journalist_risk",
        "K1Anonymity": "sharewell.tables.criteria.k_1_anonymity",
        "KAnonymity": "sharewell.tables.criteria.k_anonymity",
        "KKAnonymity": "sharewell.tables.criteria.k_k_anonymity",
        "KMap": "sharewell.tables.criteria.k_map",
        "KMapEstimated": "sharewell.tables.criteria.k_map_estimated",
        "KMember": "sharewell.tables.mechanisms.k_member",
        "LDiversity": "sharewell.tables.criteria.l_diversity",
        "LM": "sharewell.tables.utility.lm",
        "Linkage": "sharewell.tables.attacks.linkage",
        "Marginals": "sharewell.tables.utility.marginals",
        "MarketerRisk": "sharewell.tables.criteria.marketer_risk",
        "Mondrian": "sharewell.tables.mechanisms.mondrian",
        "MultiRecordPartitioning": "sharewell.tables.mechanisms.multi_record_partitioning",
        "NCP": "sharewell.tables.utility.ncp",
        "OneKAnonymity": "sharewell.tables.criteria.one_k_anonymity",
        "OptimalRecoding": "sharewell.tables.mechanisms.optimal_recoding",
        "Pairwise": "sharewell.tables.utility.pairwise",
        "PersonalisedPrivacy": "sharewell.tables.criteria.personalised_privacy",
        "PopulationUniqueness": "sharewell.tables.criteria.population_uniqueness",
        "Prediction": "sharewell.tables.utility.prediction",
        "Prosecutor": "sharewell.tables.attacks.prosecutor",
        "ProsecutorRisk": "sharewell.tables.criteria.prosecutor_risk",
        "QueryError": "sharewell.tables.utility.query_error",
        "RangeDiversity": "sharewell.tables.criteria.range_diversity",
        "RecordShare": "sharewell.tables.criteria.record_share",
        "RecursiveLDiversity": "sharewell.tables.criteria.recursive_l_diversity",
        "SampleUniqueness": "sharewell.tables.criteria.sample_uniqueness",
        "TCloseness": "sharewell.tables.criteria.t_closeness",
        "Table": "sharewell.tables.dataset",
        "TopDown": "sharewell.tables.mechanisms.top_down",
    },
)
