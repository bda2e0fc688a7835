"""The lists by which the verifier knows mechanisms are those of the classes."""

from __future__ import annotations

from sharewell import registry
from sharewell.mechanism_traits import FALSIFYING, OWN_HIERARCHIES, SEVERAL_PSEUDONYMS, falsifies


def test_every_mechanism_that_falsifies_is_known_to_the_verifier() -> None:
    """It may load none of them, so their names are listed; the list is that of the classes."""
    entries = [entry for entry in registry.entries(room="mechanisms") if entry.kind in registry.kinds()]
    assert {(one.kind, one.name) for one in entries if one.load().falsifies} == FALSIFYING
    assert {(one.kind, one.name) for one in entries if one.load().several_pseudonyms} == SEVERAL_PSEUDONYMS
    assert {(one.kind, one.name) for one in entries if one.load().own_hierarchies} == OWN_HIERARCHIES
    assert falsifies("tables", "somebody-elses") is None
    assert falsifies("tables", "noise") is True
    assert falsifies("tables", "mondrian") is False
