"""The policy: one YAML file that says what is released, from where, and what must hold."""

from sharewell.policy.model import Policy
from sharewell.policy.policy_file import check, load

__all__ = ["Policy", "check", "load"]
