# Written by `make stubs`; do not edit.
from sharewell.proposal.answers import Answers as Answers
from sharewell.proposal.draft import Proposal as Proposal
from sharewell.proposal.draft import propose as propose
from sharewell.proposal.survey import ColumnLook as ColumnLook
from sharewell.proposal.survey import Survey as Survey
from sharewell.proposal.survey import look as look
from sharewell.proposal.survey import survey as survey
