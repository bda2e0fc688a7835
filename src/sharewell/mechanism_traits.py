"""What the verifier, which loads no mechanism, has to know of those that ship with sharewell."""

from __future__ import annotations

from sharewell import registry

SEVERAL_PSEUDONYMS = frozenset({("tables", "trail-breaking")})
"""(kind, mechanism): those that may publish one person under several pseudonyms."""
OWN_HIERARCHIES = frozenset({("tables", "safe-harbor")})
"""Those that generalise by hierarchies of their own, whatever the policy names."""
FALSIFYING = frozenset(
    {
        ("genomes", "beacon-release"),
        ("genomes", "noisy-frequencies"),
        ("notes", "replace"),
        ("queries", "consistent-tree"),
        ("queries", "data-cube"),
        ("queries", "diffgen"),
        ("queries", "noisy-marginals"),
        ("queries", "privelet"),
        ("queries", "synthetic-table"),
        ("reports", "noisy-sums"),
        ("reports", "randomised-response"),
        ("tables", "mdav"),
        ("tables", "noise"),
        ("tables", "pram"),
        ("tables", "rank-swapping"),
        ("tables", "retention-replacement"),
        ("tables", "rounding"),
    }
)
"""Mechanisms that change values on purpose (`falsifies`), for the verifier, which loads no mechanism."""


def falsifies(kind: str, mechanism: str) -> bool | None:
    """Does a mechanism change values on purpose? None for one that does not ship with sharewell."""
    if (kind, "mechanisms", mechanism) not in registry.BUILTIN:
        return None
    return (kind, mechanism) in FALSIFYING
