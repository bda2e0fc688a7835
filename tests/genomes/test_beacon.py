"""Beacons and published frequencies: answers written and read, and the attack on beacons against its definition."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import plain_membership as plain
import pyarrow as pa
import pyarrow.csv as pacsv
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.attack_simulation import NOT_SIMULATED
from sharewell.errors import DataError, PolicyError
from sharewell.genomes import Beacon, BeaconAnswers, Frequencies, Genotypes, Snps
from sharewell.genomes.attacks.beacon import Questions
from sharewell.genomes.engine.membership import References
from sharewell.io.sources import Source
from sharewell.protocols import Truth
from sharewell.testing import check_attack, check_finding


def people(rows: int, frequency: Any, seed: int = 1, name: str = "p") -> Genotypes:
    array = np.random.default_rng(seed).binomial(2, frequency, (rows, len(frequency)))
    return Genotypes.of(array, persons=[f"{name}{i}" for i in range(rows)])


def spectrum(snps: int, seed: int = 1) -> Any:
    return np.exp(np.random.default_rng(seed).uniform(np.log(0.001), np.log(0.5), snps))


# — the attack


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 12), st.integers(1, 60), st.integers(0, 10**6), st.integers(1, 6))
def test_scores_are_what_the_definition_says(snps: int, size: int, seed: int, most: int) -> None:
    draw = np.random.default_rng(seed)
    frequency, answers = draw.uniform(0.01, 0.9, snps), draw.random(snps) < 0.5
    data = Genotypes.of(draw.integers(-1, 3, (4, snps)))
    known = Frequencies.of_arrays(frequency, people=10**6, snps=data.snps)
    beacon = BeaconAnswers(data.snps, answers, size)
    questions = Questions(beacon, References.whole(known), True, 0.01, (1.0, 2.0))
    scores, asked = questions.scores(data, (1, most), "beacon")
    order = np.argsort(frequency).tolist()
    for who, calls in enumerate(data.array()):
        for i, count in enumerate((1, most)):
            expected = plain.beacon(calls, answers, frequency, order, count, size, 0.01)
            assert scores[who, i] == pytest.approx(expected, abs=1e-9)
        assert asked[who] == min(most, int((calls > 0).sum()))


def test_without_frequencies_their_spectrum_is_taken() -> None:
    """Of alleles that somebody carries, neutral ones, n others lack a share of 1/(n + 1)."""
    data = Genotypes.of([[1, 2, 0]])
    beacon = BeaconAnswers(data.snps, np.array([True, False, True]), 9)
    scores, _ = Questions(beacon, None, False, 0.01, (1.0, 2.0)).scores(data, (10,), "beacon")
    yes, no = math.log((1 - 0.01 / 9) / (1 - 1 / 10)), math.log(0.01 / 9 * 10)
    assert scores[0, 0] == pytest.approx(yes + no)


@pytest.fixture(scope="module")
def small() -> tuple[Genotypes, Genotypes, Any]:
    """Sixty-five people in a beacon, and as targets they and 150 others; rare alleles and common ones."""
    frequency = spectrum(8_000)
    inside, outside = people(65, frequency, 1, "in"), people(150, frequency, 2, "out")
    both = np.concatenate([inside.array(), outside.array()])
    return inside, Genotypes.of(both, persons=[*inside.persons, *outside.persons]), frequency


def test_rare_alleles_betray_everybody_and_random_ones_need_many_questions(small: Any) -> None:
    inside, targets, frequency = small
    known, beacon = Frequencies.of_arrays(frequency, people=10**6), BeaconAnswers.of(inside)
    rare = Beacon(known, targets).mount(beacon, truth=inside.persons)
    assert [at.power for at in rare.details.at] == [1.0, 1.0, 1.0, 1.0]
    blind = Beacon(known, targets, order="random").mount(beacon, truth=inside.persons).details.at
    assert blind[0].power < 0.3
    assert blind[0].power < blind[2].power < 1.0
    assert blind[3].power > 0.95
    check_finding(rare, beacon.arrow)
    assert all(len(at.roc) <= 50 for at in rare.details.at)
    assert len(json.dumps(rare.to_json())) < 12_000


def test_a_large_beacon_tells_little_on_a_panel_with_few_rare_alleles() -> None:
    frequency = spectrum(4_000)
    inside, outside = people(1_000, frequency, 1, "in"), people(150, frequency, 2, "out")
    both = np.concatenate([inside.array()[:150], outside.array()])
    targets = Genotypes.of(both, persons=[*inside.persons[:150], *outside.persons])
    known = Frequencies.of_arrays(frequency, people=10**6)
    for order in ("rarest", "random"):
        found = Beacon(known, targets, order=order).mount(BeaconAnswers.of(inside), truth=inside.persons)
        assert found.value < 0.35


def test_people_of_the_reference_set_the_threshold(small: Any) -> None:
    inside, _, frequency = small
    reference = people(100, frequency, 3, "r")
    found = Beacon(reference).mount(BeaconAnswers.of(inside), truth=Truth(inside, np.arange(inside.count)))
    assert (found.details.nulls, found.details.null_people, found.details.reference_left) == ("reference", 100, 90)
    assert found.value == 1.0


def test_without_the_truth_answers_are_drawn(small: Any) -> None:
    inside, targets, frequency = small
    known = Frequencies.of_arrays(frequency, people=10**6)
    found = Beacon(known, targets).mount(BeaconAnswers.of(inside))
    assert found.note == NOT_SIMULATED
    assert found.value > 0.95
    assert 60 <= found.details.at[-1].above <= 90
    check_attack(Beacon(known, targets), BeaconAnswers.from_arrow, BeaconAnswers.of(inside).arrow)
    blind = Beacon(None, targets, order="random").mount(BeaconAnswers.of(inside), truth=inside.persons)
    assert blind.details.nulls == "targets"
    assert blind.details.at[-1].power > 0.9


def test_flipped_answers_protect(small: Any) -> None:
    inside, targets, frequency = small
    known, beacon = Frequencies.of_arrays(frequency, people=10**6), BeaconAnswers.of(inside)
    flips = np.random.default_rng(1).random(beacon.rows) < 0.5
    noise = BeaconAnswers(beacon.snps, beacon.answers ^ flips, beacon.people)
    assert Beacon(known, targets, queries=(20,)).mount(noise, truth=inside.persons).value < 0.3


def test_what_cannot_be_asked_is_told(small: Any) -> None:
    inside, targets, frequency = small
    beacon, known = BeaconAnswers.of(inside), Frequencies.of_arrays(frequency, people=100)
    elsewhere = Genotypes.of([[1, 1]], snps=["there", "yonder"])
    with pytest.raises(DataError, match=r"none of the 8000 published SNP\(s\) is among the 2 of the targets"):
        Beacon(known, elsewhere).mount(beacon)
    with pytest.raises(PolicyError, match="no targets"):
        Beacon(known).mount(beacon)
    with pytest.raises(PolicyError, match="answers of a beacon"):
        Beacon(known, targets).mount(known)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="nobody among the targets"):
        Beacon(known, targets.take(persons=[])).mount(beacon)
    for wrong in ({"queries": ()}, {"queries": (0,)}, {"order": "any"}, {"error": 0}, {"fpr": 1}, {"spectrum": (0, 1)}):
        with pytest.raises(ValueError, match=r"queries|order|error|spectrum|fpr"):
            Beacon(known, targets, **wrong)
    with pytest.raises(ValueError, match="rarest needs a reference"):
        Beacon(None, targets)
    lone = Genotypes.of(np.zeros((3, 5)))
    assert Beacon(Frequencies.of(lone), lone).mount(BeaconAnswers.of(lone)).details.asked == 0


# — what is published

SITES = Snps.of(["a", "b", "c"], chromosome=["1", "1", "X"], position=[1, 20, 3], effect=list("ACG"), other=list("TTA"))


def test_frequencies_come_back_from_their_file(tmp_path: Path) -> None:
    """Numbers or text, with an allele frequency that is not told."""
    data = Frequencies(SITES, np.array([0.25, math.nan, 1 / 3]), 12)
    pacsv.write_csv(data.arrow, tmp_path / "f.csv")
    for table in (data.arrow, Source.of(tmp_path / "f.csv").read()):
        back = Frequencies.from_arrow(table, decimals=3)
        assert back.frequency == pytest.approx(data.frequency, nan_ok=True)
        assert (back.people, back.decimals, back.published) == (12, 3, True)
        for part in ("id", "chromosome", "position", "effect", "other"):
            assert getattr(back.snps, part).tolist() == getattr(SITES, part).tolist()
    apart = Frequencies.of(Genotypes.of([[0, 1], [2, 1], [2, 2]], persons=list("xyz")), cases=["x"])
    back = Frequencies.from_arrow(apart.arrow)
    assert (back.cases.tolist(), back.controls.tolist(), back.case_people) == ([0.0, 0.5], [1.0, 0.75], 1)
    assert (back.smallest_group, back.group("controls").people) == (1, 2)


def test_frequencies_turn_with_the_allele() -> None:
    data = Frequencies(SITES, np.array([0.1, 0.2, 0.3]), 5)
    turned = Snps.of(["c", "a"], chromosome=["X", "1"], position=[3, 1], effect=["G", "T"], other=["A", "A"])
    assert data.on(turned).frequency.tolist() == [0.3, 0.9]
    with pytest.raises(DataError, match=r"none of 3 SNP\(s\) is among the 1"):
        data.on(Snps.of(["d"], chromosome=["2"], position=[5], effect=["A"], other=["C"]))


def test_nobody_is_called_somewhere() -> None:
    found = Frequencies.of(Genotypes.of([[-1, 1], [-1, 0]])).frequency
    assert math.isnan(found[0])
    assert found[1] == 0.25


@pytest.mark.parametrize(
    ("columns", "what"),
    [
        ({"id": ["a"], "frequency": [0.5]}, "id, frequency and people"),
        ({"frequency": [0.5], "people": [3]}, "no column id"),
        ({"id": ["a"], "frequency": [1.5], "people": [3]}, "1 of 1 in frequency are not from 0 to 1"),
        ({"id": ["a"], "frequency": ["high"], "people": [3]}, "not numbers"),
        ({"id": ["a", "b"], "frequency": [0.5, 0.5], "people": [3, 4]}, "2 different numbers"),
        ({"id": ["a"], "frequency": [0.5], "people": [2.5]}, "not whole numbers"),
        ({"id": ["a"], "frequency": [0.5], "people": [0]}, "of nobody"),
        ({"id": ["a", None], "frequency": [0.5, 0.5], "people": [3, 3]}, r"1 of 2 row\(s\) lack id"),
        ({"id": ["a"], "frequency": [0.5], "people": [3], "cases": [0.5]}, "go together"),
    ],
)
def test_damaged_frequencies_are_refused(columns: Any, what: str) -> None:
    with pytest.raises(DataError, match=what) as caught:
        Frequencies.from_arrow(pa.table(columns))
    assert "high" not in str(caught.value)


def test_answers_come_back_from_their_file(tmp_path: Path) -> None:
    data = BeaconAnswers(SITES, np.array([True, False, True]), 7)
    pacsv.write_csv(data.arrow, tmp_path / "b.csv")
    back = BeaconAnswers.from_arrow(Source.of(tmp_path / "b.csv").read())
    assert (back.answers.tolist(), back.people, back.published) == ([True, False, True], 7, True)
    assert data.take([2]).answers.tolist() == [True]
    for columns, what in (
        ({"id": ["a"], "answer": ["perhaps"], "people": [3]}, "1 of 1 answer"),
        ({"id": ["a"], "answer": ["yes"]}, "columns id, answer and people"),
        ({"id": ["a"], "answer": ["yes"], "people": [0]}, "of nobody"),
    ):
        with pytest.raises(DataError, match=what) as caught:
            BeaconAnswers.from_arrow(pa.table(columns))
        assert "perhaps" not in str(caught.value)
    with pytest.raises(DataError, match=r"2 answer\(s\) for 3 SNP\(s\)"):
        BeaconAnswers(SITES, np.array([True, False]), 7)
