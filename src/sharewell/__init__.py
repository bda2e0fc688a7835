"""sharewell: share patient data, well. Measure what an attacker could learn, protect it, prove it, see what it cost."""

from sharewell.lazy_exports import exporting

TYPE_CHECKING = False  # not from typing: the less is imported here, the sooner the command can answer to Ctrl-C
if TYPE_CHECKING:
    from sharewell.errors import (
        BudgetExhausted,
        DataError,
        Infeasible,
        Mistake,
        PolicyError,
        SharewellError,
        VerificationFailed,
    )
    from sharewell.findings import Finding, Tier
    from sharewell.io.sources import Source
    from sharewell.keys import Key
    from sharewell.pipeline.plan import plan
    from sharewell.pipeline.verify import verify
    from sharewell.policy import Policy, check, load
    from sharewell.protocols import Protected, Truth
    from sharewell.roles import Role, Schema

__all__ = [
    "BudgetExhausted",
    "DataError",
    "Finding",
    "Infeasible",
    "Key",
    "Mistake",
    "Policy",
    "PolicyError",
    "Protected",
    "Role",
    "Schema",
    "SharewellError",
    "Source",
    "Tier",
    "Truth",
    "VerificationFailed",
    "check",
    "load",
    "plan",
    "verify",
]

__getattr__ = exporting(
    __name__,
    {
        "BudgetExhausted": "sharewell.errors",
        "DataError": "sharewell.errors",
        "Finding": "sharewell.findings",
        "Infeasible": "sharewell.errors",
        "Key": "sharewell.keys",
        "Mistake": "sharewell.errors",
        "Policy": "sharewell.policy",
        "PolicyError": "sharewell.errors",
        "Protected": "sharewell.protocols",
        "Role": "sharewell.roles",
        "Schema": "sharewell.roles",
        "SharewellError": "sharewell.errors",
        "Source": "sharewell.io.sources",
        "Tier": "sharewell.findings",
        "Truth": "sharewell.protocols",
        "VerificationFailed": "sharewell.errors",
        "check": "sharewell.policy",
        "load": "sharewell.policy",
        "plan": "sharewell.pipeline.plan",
        "verify": "sharewell.pipeline.verify",
    },
)
