"""Codes: sets of diagnosis codes, one set a person."""

from sharewell import registry
from sharewell.lazy_exports import Exports

_OTHERS = {
    "Chunks": ".engine.chunks",
    "CodeSets": ".data",
    "KKmAnonymity": "sharewell.joint.criteria.k_km_anonymity",
    "RTAnonymization": "sharewell.joint.mechanisms.rt_anonymization",
    "RTData": "sharewell.joint.data",
}
"""What is exported besides the registered algorithms."""

_exports = Exports(__name__, registry.exported(__name__) | _OTHERS)
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
