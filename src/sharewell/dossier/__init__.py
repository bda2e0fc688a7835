"""The dossier: one self-contained HTML page that a privacy officer files with a release."""

from sharewell.lazy_exports import Exports

_exports = Exports(__name__, {"render": ".page"})
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
