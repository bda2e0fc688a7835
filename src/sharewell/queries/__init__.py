"""Queries: the steward keeps the data and answers questions about it, under a budget of differential privacy."""

from sharewell import registry
from sharewell.lazy_exports import Exports

_OTHERS = {
    "Answer": ".answer",
    "ConfidentialTable": ".data",
    "Cost": ".answer",
    "Loss": ".loss",
    "NoisyTable": ".data",
    "Question": ".question",
    "Range": ".data",
    "Session": ".session",
    "Values": ".data",
}
"""What is exported besides the registered algorithms."""

_exports = Exports(__name__, registry.exported(__name__) | _OTHERS)
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
