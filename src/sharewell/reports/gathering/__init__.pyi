# Written by `make stubs`; do not edit.
from sharewell.reports.gathering.attacks.answer_guess import AnswerGuess as AnswerGuess
from sharewell.reports.gathering.criteria.local_privacy import LocalPrivacy as LocalPrivacy
from sharewell.reports.gathering.engine.exchange import rehearsed as rehearsed
from sharewell.reports.gathering.engine.mediator import Mediator as Mediator
from sharewell.reports.gathering.engine.owner import taking_part as taking_part
from sharewell.reports.gathering.engine.plan import Plan as Plan
from sharewell.reports.gathering.engine.plan import load_plan as load_plan
from sharewell.reports.gathering.engine.proposed_report import Gathered as Gathered
from sharewell.reports.gathering.engine.proposed_report import Proposed as Proposed
from sharewell.reports.gathering.mechanisms.randomised_response import RandomisedResponse as RandomisedResponse
from sharewell.reports.gathering.utility.estimate_error import EstimateError as EstimateError
