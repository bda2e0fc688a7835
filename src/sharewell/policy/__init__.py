"""The policy: one YAML file that says what is released, from where, and what must hold."""

from sharewell.policy.loading import check, load
from sharewell.policy.model import Policy

__all__ = ["Policy", "check", "load"]
