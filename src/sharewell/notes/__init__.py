"""Notes: clinical text, one note a record."""

from sharewell import registry
from sharewell.lazy_exports import Exports

_OTHERS = {
    "Detectors": ".detectors",
    "Known": ".engine.known_identifiers",
    "Notes": ".data",
    "People": ".engine.people_tables",
    "Plugged": ".detectors.plugged",
    "Scores": ".engine.detection_scores",
    "Span": ".engine.spans",
    "evaluate": ".engine.detection_scores",
    "resolve_overlaps": ".engine.spans",
    "tokens": ".engine.spans",
}
"""What is exported besides the registered algorithms."""

_exports = Exports(__name__, registry.exported(__name__) | _OTHERS)
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
