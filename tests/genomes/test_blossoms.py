"""Blossoms: whichever of their nodes is matched outside, all others are matched inside."""

from __future__ import annotations

import pytest

from sharewell.genomes.engine.protection.blossoms import Blossoms


def five() -> Blossoms:
    """A triangle 0, 1, 2, which with 3 and 4 is a cycle of three nodes; 5 stands outside."""
    nodes = Blossoms(6)
    nodes.match[1], nodes.match[2] = (1, 2), (2, 1)
    triangle = nodes.add([0, 1, 2], [(0, 1), (1, 2), (2, 0)])
    nodes.add([triangle, 3, 4], [(1, 3), (3, 4), (4, 2)])
    return nodes


@pytest.mark.parametrize("inner", range(5))
def test_any_of_them_may_be_matched_outside(inner: int) -> None:
    nodes = five()
    assert nodes.outermost == [7] * 5 + [5] == nodes.outermost_of.tolist()
    assert nodes.is_outermost(7)
    assert not nodes.is_outermost(6)
    nodes.match[7], nodes.match[5] = (inner, 5), (5, inner)
    partners = nodes.partners()
    edges = {frozenset(edge) for edge in ((0, 1), (1, 2), (2, 0), (1, 3), (3, 4), (4, 2), (inner, 5))}
    assert partners[5] == inner
    for one, other in enumerate(partners):
        assert partners[other] == one
        assert frozenset((one, other)) in edges
    assert nodes.outermost == [0, 1, 2, 3, 4, 5] == nodes.outermost_of.tolist()
    assert not nodes.is_outermost(7)


def test_prices_are_paid_once() -> None:
    """Three edges leave the vertices of a triangle at a price of 2 each where a pairing pays it once."""
    nodes = five()
    nodes.price[6], nodes.price[7] = 2, 5
    assert nodes.paid([7, 7, 7, 5, 5, 1]) == 32 - 2 * 2 - 4 * 5
