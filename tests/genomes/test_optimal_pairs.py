"""Pairs of least cost: against another matching, against shares that prove it, and who is looked at as a partner."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import rustworkx
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from sharewell.genomes import DNALA, Sequences, lattice_distance
from sharewell.genomes.engine.iupac_lattice import GAPS, SYMBOLS, Codes, write
from sharewell.genomes.engine.protection import near_partners, shared_stretches
from sharewell.genomes.engine.protection.bit_distances import BitDistances, least_distance
from sharewell.genomes.engine.protection.near_partners import NearPartners
from sharewell.genomes.engine.protection.optimal_pairs import Trees, optimal_pairs

texts = st.integers(1, 6).flatmap(
    lambda long: st.lists(st.text(SYMBOLS[1:], min_size=long, max_size=long), min_size=2, max_size=40, unique=True)
)


def descended(count: int, places: int, mutations: float, seed: int, symbols: int = 7) -> Codes:
    """Different sequences, each that of an earlier one with some mutations: many are equally near."""
    draw = np.random.default_rng(seed)
    rows = [draw.choice(np.array([1, 2, 4, 8], dtype=np.uint8), places)]
    for _ in range(2 * count):
        row = rows[draw.integers(0, len(rows))].copy()
        changed = draw.integers(0, places, draw.poisson(mutations))
        row[changed] = draw.choice(np.array([1, 2, 4, 8, 15, 16, 5][:symbols], dtype=np.uint8), len(changed))
        rows.append(row)
    return np.unique(np.array(rows), axis=0)[:count]


def star(count: int) -> Codes:
    """One sequence, and others that differ from it in one place: each of them is as far from all others."""
    rows = np.ones((count, count), dtype=np.uint8)
    np.fill_diagonal(rows[1:, 1:], 2)
    return rows


def apart(codes: Codes, gap: Any) -> NDArray[np.int64]:
    names = [write(row) for row in codes]
    return np.array([[lattice_distance(one, other, gap) for other in names] for one in names], dtype=np.int64)


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
    return left


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


class TestPartners:
    @given(rows=texts, gap=st.sampled_from(GAPS))
    @settings(max_examples=80, deadline=None)
    def test_distances_are_bits(self, rows: list[str], gap: Any) -> None:
        codes = Sequences.of(rows).codes
        expected, distances, everyone = apart(codes, gap), BitDistances(codes, gap), np.arange(len(rows))
        assert len(distances) == len(rows)
        assert distances.block(everyone, everyone).tolist() == expected.tolist()
        assert distances.block(everyone[:0], everyone).shape == (0, len(rows))
        assert distances.row(1).tolist() == expected[1].tolist()
        assert distances.row(0, everyone[::-1]).tolist() == expected[0, ::-1].tolist()

    @given(rows=texts, gap=st.sampled_from(GAPS), differences=st.sampled_from([(3, 2, 1), (2, 1), (1,), ()]))
    @settings(max_examples=80, deadline=None)
    def test_stretches_find_all_that_differ_in_few_places(
        self, rows: list[str], gap: Any, differences: tuple[int, ...]
    ) -> None:
        codes = Sequences.of(rows).codes
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(shared_stretches, "DIFFERENCES", differences)
            one, other, places = shared_stretches.on_shared_stretches(codes)
        assert places == (differences[0] + 1 if differences else 0)
        found = {frozenset(pair) for pair in zip(one.tolist(), other.tolist(), strict=True)}
        distances = apart(codes, gap)
        for i, j in itertools.combinations(range(len(rows)), 2):
            differing = int((codes[i] != codes[j]).sum())
            assert frozenset((i, j)) in found or differing >= places
            assert distances[i, j] >= differing * least_distance(codes, gap)

    @given(
        rows=texts,
        gap=st.sampled_from(GAPS),
        few=st.integers(1, 3),
        crowd=st.sampled_from([1, 256]),
        shared=st.sampled_from([0, 1, 200]),
        seed=st.integers(0, 9),
    )
    @settings(max_examples=120, deadline=None)
    def test_whoever_is_not_named_is_beyond_the_limits(
        self, rows: list[str], gap: Any, few: int, crowd: int, shared: int, seed: int
    ) -> None:
        codes = Sequences.of(sorted(rows)).codes
        distances = 2 * apart(codes, gap)
        known: list[set[int]] = [set() for _ in rows]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(near_partners, "CROWD", crowd)
            patch.setattr(shared_stretches, "PAIRS", shared)
            partners = NearPartners(codes, gap)
            first = partners.first().tolist()
        assert len({(one, other) for one, other, _ in first}) == len(first)

        def told(one: int, other: int, far: int) -> None:
            assert far == distances[one, other]
            known[one].add(other)
            known[other].add(one)

        for row in first:
            told(*row)
        assert all(known)
        for i, j in itertools.combinations(range(len(rows)), 2):
            assert j in known[i] or distances[i, j] >= partners.limit[i] + partners.limit[j]
        draw = np.random.default_rng(seed)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(near_partners, "FEW", few)
            for one in draw.integers(0, len(rows), 30).tolist():
                before = int(partners.limit[one])
                more = partners.further(one, known[one], np.ones(len(rows), dtype=bool))
                assert more[0] or partners.limit[one] > before
                for other, far in zip(*more, strict=True):
                    told(one, other, far)
                for i, j in itertools.combinations(range(len(rows)), 2):
                    assert j in known[i] or distances[i, j] >= partners.limit[i] + partners.limit[j]

    def test_they_look_at_few_pairs(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Fewer than half of all distances between 6,000 sequences are computed."""
        compared = []
        plain = BitDistances._differing

        def counted(self: BitDistances, some: Any, others: Any) -> Any:
            found = plain(self, some, others)
            compared.append(found.size)
            return found

        monkeypatch.setattr(BitDistances, "_differing", counted)
        partners = NearPartners(descended(6_000, 300, 1.2, 1, symbols=4), "leaf")
        assert len(np.unique(partners.first()[:, :2])) == 6_000
        assert sum(compared) < 6_000**2 // 4


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
