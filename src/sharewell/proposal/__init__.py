"""Look at data files and propose a policy: a draft with a reason for each column, for a person to correct.

Only names of columns, counts and shapes of values are used, and no value is ever written into a draft.

>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.proposal import look
>>> for column in look(Source.of(pa.table({"patient_id": ["a", "a", "b"], "sex": ["F", "F", "M"]}))):
...     print(column.name, column.role, "—", column.reasons[0])
patient_id subject — named like the key of a person
sex quasi — named like sex or gender
"""

from sharewell.lazy_exports import Exports

# Lazily: a policy is checked by what this package knows of columns, and a draft of a policy reads policies.
_exports = Exports(
    __name__,
    {
        "Answers": ".answers",
        "ColumnLook": ".survey",
        "Proposal": ".draft",
        "Survey": ".survey",
        "look": ".survey",
        "propose": ".draft",
        "survey": ".survey",
    },
)
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
