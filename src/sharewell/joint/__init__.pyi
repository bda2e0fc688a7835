# Written by `make stubs`; do not edit.
from sharewell.joint.attacks.accidental_identifiers import RTAccidentalIdentifiers as RTAccidentalIdentifiers
from sharewell.joint.attacks.class_homogeneity import ClassHomogeneity as ClassHomogeneity
from sharewell.joint.attacks.dna_and_codes import DnaAndCodes as DnaAndCodes
from sharewell.joint.attacks.dna_linkage import DnaLinkage as DnaLinkage
from sharewell.joint.attacks.joined_linkage import JoinedLinkage as JoinedLinkage
from sharewell.joint.attacks.rt_linkage import RTLinkage as RTLinkage
from sharewell.joint.attacks.two_step import TwoStep as TwoStep
from sharewell.joint.criteria.joined_inference import JoinedInference as JoinedInference
from sharewell.joint.criteria.joined_k_anonymity import JoinedKAnonymity as JoinedKAnonymity
from sharewell.joint.criteria.k_km_anonymity import KKmAnonymity as KKmAnonymity
from sharewell.joint.data import RTData as RTData
from sharewell.joint.mechanisms.joined_suppression import JoinedSuppression as JoinedSuppression
from sharewell.joint.mechanisms.rt_anonymization import RTAnonymization as RTAnonymization
from sharewell.joint.utility.codes_ncp import CodesNCP as CodesNCP
from sharewell.joint.utility.ncp import NCP as NCP
from sharewell.joint.utility.relational_ncp import RelationalNCP as RelationalNCP
from sharewell.joint.utility.rt_query_error import RTQueryError as RTQueryError
