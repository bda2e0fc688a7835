"""Profiles: named thresholds with their source. A profile adds criteria; it never makes a release compliant by itself.

>>> profile("ipc-ontario-2025/high").criteria[0].parameters
{'k': 20}
>>> profile("hipaa-expert-determination").criteria
()

Where a source gives a largest probability, the class size enforced is the smallest k with 1/k within it. 0.09 is the
customary rounding of 1/11, so there the bound is 1/11 and k is 11.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from sharewell.errors import Mistake, PolicyError
from sharewell.io.shipped import shipped_text
from sharewell.policy.model import Profile
from sharewell.policy.wing_policy import policies
from sharewell.roles import did_you_mean


@dataclass(frozen=True)
class Facts:
    """What a source says, in our words."""

    name: str
    title: str
    citation: str
    notes: tuple[str, ...]
    k: int | None = None
    bound: Fraction | None = None
    criterion: str = ""
    """A criterion that is the rule itself; the policy gives its parameters."""
    no_shift: bool = False
    """Shifted dates are refused."""
    no_identifiers: bool = False
    """Columns published as they are, whose name is that of a direct identifier, are listed."""
    threshold: int | None = None
    """Of tables of counts: cells of fewer persons are hidden, and not to be derived."""
    rounded: int | None = None
    """Of tables of counts: to multiples of what the others are rounded."""


def _shipped() -> Iterator[Facts]:
    content = tomllib.loads(shipped_text("profiles.toml"))
    for given in content["profile"]:
        citation, *notes = (text.format(**content["texts"]) for text in (given.pop("citation"), *given.pop("notes")))
        bound = Fraction(given.pop("bound")) if "bound" in given else None
        yield Facts(**given, citation=citation, notes=tuple(notes), bound=bound)


FACTS: tuple[Facts, ...] = tuple(_shipped())
_BY_NAME = {facts.name: facts for facts in FACTS}


def facts_of(name: str) -> Facts:
    """The facts behind a name; an unknown one is a PolicyError with a hint."""
    if name not in _BY_NAME:
        tail = [full for full in _BY_NAME if full.startswith(f"{name}/")]
        hint = f"one of {', '.join(tail)}" if tail else did_you_mean(name, _BY_NAME) or f"known: {', '.join(_BY_NAME)}"
        raise PolicyError([Mistake(0, 0, "profile", f"no profile named '{name}'", hint)])
    return _BY_NAME[name]


def profile(name: str) -> Profile:
    """The profile of a name, with its criteria built by the kinds of data that they are about."""
    facts, kinds = facts_of(name), policies()
    added = {one.kind: one.from_profile(facts) for one in kinds}
    criteria = tuple(criterion for one in kinds if one.profiled for criterion in added[one.kind])
    return Profile(facts.name, facts.title, facts.citation, criteria, facts.notes, facts.bound, added)


def profiles() -> list[Profile]:
    """All of them."""
    return [profile(facts.name) for facts in FACTS]
