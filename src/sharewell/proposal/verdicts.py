"""A proposed role and why it is proposed."""

from __future__ import annotations

from dataclasses import dataclass

from sharewell.proposal.names import Topic
from sharewell.roles import Role

LEAST_ROWS = 20
"""Below this many records "always the same" and "always different" say nothing."""


@dataclass(frozen=True)
class Verdict:
    """A proposed role and why. `sure` is False for a guess; `date_form` is set where the policy must name it."""

    role: Role
    reasons: tuple[str, ...]
    hierarchy: str | None = None
    date_form: str | None = None
    sure: bool = True
    topic: Topic = ""
