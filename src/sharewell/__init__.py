"""sharewell: share patient data, well. Measure what an attacker could learn, protect it, prove it, see what it cost.

>>> import pyarrow, sharewell
>>> people = pyarrow.table({"sex": ["f", "f", "m"], "zip": ["02139", "02139", "02141"]})
>>> sharewell.risk(people, quasi=["sex", "zip"]).unique
1
"""

from sharewell.lazy_exports import Exports

_DOOR = {
    "BudgetExhausted": ".errors",
    "DataError": ".errors",
    "Finding": ".findings",
    "Infeasible": ".errors",
    "Key": ".keys",
    "MissingExtra": ".errors",
    "PolicyError": ".errors",
    "SharewellError": ".errors",
    "VerificationFailed": ".errors",
    "__version__": ".version",
    "load": ".policy",
    "plan": ".front_door",
    "protect": ".tables.front_door",
    "release": ".front_door",
    "risk": ".tables.front_door",
    "verify": ".front_door",
}
"""What `dir(sharewell)` shows."""

_OTHERS = {
    "Mistake": ".errors",
    "Policy": ".policy",
    "Protected": ".protocols",
    "Role": ".roles",
    "Schema": ".roles",
    "Source": ".io.sources",
    "Tier": ".findings",
    "Truth": ".protocols",
    "check": ".policy",
}
"""What can be imported too."""

_exports = Exports(__name__, _DOOR | _OTHERS, shown=list(_DOOR))
__all__ = _exports.names
__getattr__ = _exports.load
__dir__ = _exports.listed
