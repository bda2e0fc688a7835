"""Tables: demographics and other data with one row a record."""

from sharewell import registry
from sharewell.lazy_exports import Exports

_OTHERS = {
    "Table": ".data",
    "assess": ".engine.assessment",
    "assess_file": ".engine.assessment",
    "risk_by_column": ".engine.column_risk",
}
"""What is exported besides the registered algorithms."""

_exports = Exports(__name__, registry.exported(__name__) | _OTHERS)
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
