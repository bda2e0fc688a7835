"""sharewell: share patient data, well. Measure what an attacker could learn, protect it, prove it, see what it cost.

    risk(frame, quasi=["sex", "zip"])              what an attacker could do with a frame or a file as it stands
    protect(frame, quasi=["sex", "zip"], k=11)     the frame, coarser until k persons share each class
    load("policy.yaml")                            a policy, with every mistake in it told at once
    plan("policy.yaml")                            what a release would do; changes nothing
    release("policy.yaml")                         protect, write, verify, attack, measure, certify
    verify("out/diabetes-2026")                    check a release again, from its files

Frames are those of pandas, polars, Arrow or DuckDB. Files and folders are named by strings or paths. Every result shows
itself in a notebook. Algorithms are in the packages of their kind of data: `from sharewell.tables import Mondrian`.

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
    "RowOrderWarning": ".errors",
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
