"""Joint: what only shows when datasets are joined on the person, such as demographics beside diagnosis codes."""

from sharewell import registry
from sharewell.lazy_exports import Exports

_OTHERS = {"RTData": ".data", "SnpCells": ".engine.snp_cells"}
"""What is exported besides the registered algorithms."""

_exports = Exports(__name__, registry.exported(__name__) | _OTHERS)
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
