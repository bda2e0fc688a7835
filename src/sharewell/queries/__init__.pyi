# Written by `make stubs`; do not edit.
from sharewell.queries.answer import Answer as Answer
from sharewell.queries.answer import Cost as Cost
from sharewell.queries.attacks.averaging import Averaging as Averaging
from sharewell.queries.attacks.membership import Membership as Membership
from sharewell.queries.attacks.reconstruction import Reconstruction as Reconstruction
from sharewell.queries.attacks.tracker import Tracker as Tracker
from sharewell.queries.criteria.differential_privacy import DifferentialPrivacy as DifferentialPrivacy
from sharewell.queries.data import ConfidentialTable as ConfidentialTable
from sharewell.queries.data import NoisyTable as NoisyTable
from sharewell.queries.data import Range as Range
from sharewell.queries.data import Values as Values
from sharewell.queries.loss import Loss as Loss
from sharewell.queries.mechanisms.noisy_marginals import NoisyMarginals as NoisyMarginals
from sharewell.queries.question import Question as Question
from sharewell.queries.session import Session as Session
from sharewell.queries.utility.query_error import QueryError as QueryError
