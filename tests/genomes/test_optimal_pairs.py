"""Pairs of least cost: against another matching, and against shares that prove it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import rustworkx
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from plain_sequences import apart, descended, star, texts

from sharewell.genomes import DNALA, Sequences
from sharewell.genomes.engine.iupac_lattice import GAPS, Codes
from sharewell.genomes.engine.protection import near_partners, shared_stretches
from sharewell.genomes.engine.protection.near_partners import NearPartners
from sharewell.genomes.engine.protection.optimal_pairs import Trees, optimal_pairs


def least_by_other_code(distances: NDArray[np.int64]) -> int:
    """By rustworkx on all pairs; of an odd number with one more at no distance from any."""
    count = len(distances)
    whole = np.pad(distances, (0, count % 2))
    graph: Any = rustworkx.generators.complete_graph(len(whole))
    most = int(whole.max()) + 1
    for edge, (one, other) in zip(graph.edge_indices(), graph.edge_list(), strict=True):
        graph.update_edge_by_index(edge, most - int(whole[one, other]))
    return sum(int(whole[pair]) for pair in rustworkx.max_weight_matching(graph, True, int))


def slack(trees: Trees, distances: NDArray[np.int64]) -> NDArray[np.int64]:
    """What every pair could pay more: twice its distance, less both shares, but prices within a blossom are not paid.

    A share holds the prices of all blossoms around its vertex. A pair pays for those alone that have one of the two.
    """
    shares = np.array(trees.share)
    left = 2 * distances - shares[:, None] - shares
    nodes = sorted(set(trees.nodes.outermost))
    while nodes:
        node = nodes.pop()
        inside = trees.nodes.inside[node]
        if len(inside) > 1:
            assert trees.nodes.price[node] >= 0
            left[np.ix_(inside, inside)] += 2 * trees.nodes.price[node]
            nodes += trees.nodes._cycle[node]
    return np.asarray(left)


def solved(codes: Codes, gap: Any) -> Trees:
    trees = Trees(NearPartners(codes, gap))
    trees.grow_all()
    return trees


class TestLeastCost:
    @given(
        rows=texts,
        gap=st.sampled_from(GAPS),
        few=st.integers(1, 3),
        margin=st.integers(1, 4),
        crowd=st.sampled_from([1, 256]),
        shared=st.sampled_from([0, 1, 200]),
    )
    @settings(max_examples=200, deadline=None)
    def test_against_other_code(
        self, rows: list[str], gap: Any, few: int, margin: int, crowd: int, shared: int
    ) -> None:
        codes = Sequences.of(sorted(rows)).codes
        distances = apart(codes, gap)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(near_partners, "FEW", few)
            patch.setattr(near_partners, "MARGIN", margin)
            patch.setattr(near_partners, "CROWD", crowd)
            patch.setattr(shared_stretches, "PAIRS", shared)
            pairs, least = optimal_pairs(codes, gap)
        assert len(set(pairs.ravel().tolist())) == 2 * len(pairs) == len(rows) // 2 * 2
        assert int(distances[tuple(pairs.T)].sum()) == least == least_by_other_code(distances)

    @pytest.mark.parametrize("count", [90, 91, 200, 201])
    @pytest.mark.parametrize("gap", GAPS)
    def test_lines_of_descent(self, count: int, gap: Any) -> None:
        for mutations in (0.7, 2.0, 6.0):
            codes = descended(count, 25, mutations, count)
            distances = apart(codes, gap)
            pairs, least = optimal_pairs(codes, gap)
            assert int(distances[tuple(pairs.T)].sum()) == least == least_by_other_code(distances)

    @pytest.mark.parametrize("count", [120, 121, 500])
    def test_all_others_equally_near(self, count: int) -> None:
        """One is paired with the middle, at a distance of 2; all others are 4 from each other."""
        pairs, least = optimal_pairs(star(count), "leaf")
        assert len(pairs) == count // 2
        assert least == 4 * (count // 2) - 2

    def test_few(self) -> None:
        for count in (0, 1):
            pairs, least = optimal_pairs(star(2)[:count], "leaf")
            assert (pairs.tolist(), least) == ([], 0)
        pairs, least = optimal_pairs(star(2), "leaf")
        assert (pairs.tolist(), least) == ([[0, 1]], 2)


class TestProof:
    @given(rows=texts, gap=st.sampled_from(GAPS), few=st.integers(1, 3))
    @settings(max_examples=80, deadline=None)
    def test_no_two_pay_more_than_their_distance(self, rows: list[str], gap: Any, few: int) -> None:
        codes = Sequences.of(sorted(rows)).codes
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(near_partners, "FEW", few)
            patch.setattr(near_partners, "MARGIN", 1)
            trees = solved(codes, gap)
        self.proven(trees, apart(codes, gap))

    @pytest.mark.parametrize("count", [150, 151, 300])
    def test_lines_of_descent(self, count: int) -> None:
        codes = descended(count, 30, 1.5, count)
        self.proven(solved(codes, "leaf"), apart(codes, "leaf"))

    @staticmethod
    def proven(trees: Trees, distances: NDArray[np.int64]) -> None:
        left = slack(trees, distances)
        count = len(left)
        assert left[np.triu_indices(count, 1)].min() >= 0
        ceiling = trees.ceiling or 0
        assert (ceiling == max(trees.share)) if count % 2 else (trees.ceiling is None)
        least = trees.least()
        partners = trees.nodes.partners()
        alone = [one for one, other in enumerate(partners) if other < 0]
        assert len(alone) == count % 2
        for one, other in enumerate(partners):
            if other >= 0:
                assert partners[other] == one
                assert left[one, other] == 0
        assert 2 * least == sum(int(distances[one, other]) for one, other in enumerate(partners) if other >= 0)


class TestManyGroups:
    def test_thousands_are_paired_optimally(self) -> None:
        """The cost that is published is that of the pairs, and no pairing costs less."""
        codes = descended(3_000, 300, 1.2, 2)
        details = DNALA().protect(Sequences(codes[np.random.default_rng(0).permutation(3_000)]), []).details
        assert (details.pairing, details.groups, details.largest) == ("optimal", 1_500, 2)
        assert details.cost == details.least_cost_of_pairs

    def test_an_odd_one_changes_places_near_it_alone(self) -> None:
        codes = descended(1_501, 300, 1.2, 3)
        plain, better = (DNALA(improve=one).protect(Sequences(codes), []).details for one in (False, True))
        assert plain.largest == 3
        assert plain.improved == 0
        assert plain.least_cost_of_pairs == better.least_cost_of_pairs <= better.cost <= plain.cost
