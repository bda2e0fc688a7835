"""Look at data files and propose a policy: a draft with a reason for each column, for a person to correct.

Only names of columns, counts and shapes of values are used, and no value is ever written into a draft.

>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> for column in look(Source.of(pa.table({"patient_id": ["a", "a", "b"], "sex": ["F", "F", "M"]}))):
...     print(column.name, column.role, "—", column.reasons[0])
patient_id subject — the name says that it is the key of a person
sex quasi — the name says sex or gender
"""

from sharewell.proposal.answers import Answers
from sharewell.proposal.draft import Proposal, propose
from sharewell.proposal.survey import ColumnLook, Survey, look, survey

__all__ = ["Answers", "ColumnLook", "Proposal", "Survey", "look", "propose", "survey"]
