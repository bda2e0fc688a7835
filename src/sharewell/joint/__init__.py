"""Joint: what only shows when datasets are joined on the person, such as demographics beside diagnosis codes."""

from typing import TYPE_CHECKING

from sharewell.lazy_exports import exporting

if TYPE_CHECKING:
    from sharewell.joint.attacks.accidental_identifiers import RTAccidentalIdentifiers
    from sharewell.joint.attacks.class_homogeneity import ClassHomogeneity
    from sharewell.joint.attacks.dna_and_codes import DnaAndCodes
    from sharewell.joint.attacks.dna_linkage import DnaLinkage
    from sharewell.joint.attacks.rt_linkage import RTLinkage
    from sharewell.joint.attacks.two_step import TwoStep
    from sharewell.joint.criteria.k_km_anonymity import KKmAnonymity
    from sharewell.joint.data import RTData
    from sharewell.joint.mechanisms.rt_anonymization import RTAnonymization
    from sharewell.joint.utility.codes_ncp import CodesNCP
    from sharewell.joint.utility.ncp import NCP
    from sharewell.joint.utility.relational_ncp import RelationalNCP
    from sharewell.joint.utility.rt_query_error import RTQueryError

__all__ = [
    "ClassHomogeneity",
    "CodesNCP",
    "DnaAndCodes",
    "DnaLinkage",
    "KKmAnonymity",
    "NCP",
    "RTAccidentalIdentifiers",
    "RTAnonymization",
    "RTData",
    "RTLinkage",
    "RTQueryError",
    "RelationalNCP",
    "TwoStep",
]

__getattr__ = exporting(
    __name__,
    {
        "ClassHomogeneity": "sharewell.joint.attacks.class_homogeneity",
        "CodesNCP": "sharewell.joint.utility.codes_ncp",
        "DnaAndCodes": "sharewell.joint.attacks.dna_and_codes",
        "DnaLinkage": "sharewell.joint.attacks.dna_linkage",
        "KKmAnonymity": "sharewell.joint.criteria.k_km_anonymity",
        "NCP": "sharewell.joint.utility.ncp",
        "RTAccidentalIdentifiers": "sharewell.joint.attacks.accidental_identifiers",
        "RTAnonymization": "sharewell.joint.mechanisms.rt_anonymization",
        "RTData": "sharewell.joint.data",
        "RTLinkage": "sharewell.joint.attacks.rt_linkage",
        "RTQueryError": "sharewell.joint.utility.rt_query_error",
        "RelationalNCP": "sharewell.joint.utility.relational_ncp",
        "TwoStep": "sharewell.joint.attacks.two_step",
    },
)
