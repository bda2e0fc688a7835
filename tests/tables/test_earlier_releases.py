"""Two published files of the same people: what differencing and linking give away, and what they cannot tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.protocols import PublishedDataset
from sharewell.tables import PRAM, Noise, RankSwapping, Rounding, Table
from sharewell.tables.attacks.noise_differencing import NoiseAcrossDatasets, NoiseDifferencing
from sharewell.tables.attacks.release_linkage import LinkageAcrossDatasets, ReleaseLinkage
from sharewell.tables.engine.attackers.release_matching import PublishedFile, aligned, once_in_both

KEY = Key(b"a secret for the tests of files ")
ROWS = 600
DRAW = np.random.default_rng(5)
PAY = np.round(DRAW.lognormal(7, 1, ROWS), 1)
NOISE = DRAW.normal(0, 1, ROWS)
ORIGINAL = pa.table({"ward": [str(i) for i in range(ROWS)], "pay": PAY, "ill": ["a", "b", "c"] * (ROWS // 3)})
KEPT = {"ward": {"role": "keep"}}


def noisy(amount: float, noise: Any = NOISE, rows: int = ROWS) -> PublishedFile:
    """As mechanisms drew before: the same noise, whatever its amount."""
    values = np.round(PAY + amount * PAY.std() * noise, 1)[:rows]
    facts = {"role": "keep", "falsified": "independent noise", "share_of_standard_deviation": amount}
    return PublishedFile(pa.table({"ward": ORIGINAL["ward"][:rows], "pay": values}), {**KEPT, "pay": facts}, "first/d")


def released(mechanism: Any, key: Key = KEY) -> PublishedFile:
    table = Table.of(ORIGINAL, quasi=[], keep=["ward", "pay", "ill"])
    protected = mechanism.protect(table, [], key)
    facts = {name: {"role": "keep"} for name in ORIGINAL.column_names}
    for name, more in protected.details.dictionary.items():
        facts[name] = {**facts[name], **{k: v for k, v in more.items() if v is not None}}
    return PublishedFile(protected.data.arrow, facts)


@settings(max_examples=30, deadline=None)
@given(st.sampled_from([0.2, 0.4, 0.5, 0.8, 1.0, 1.5]), st.sampled_from([0.3, 0.6, 0.7, 1.2, 2.0]))
def test_shared_noise_gives_every_value(one: float, other: float) -> None:
    """Two equations in two unknowns. Where one amount is far larger, its spread hides the other: undecided, never 0."""
    found = NoiseDifferencing([noisy(one)]).mount(noisy(other))
    if found.value is None:
        assert max(one, other) > 4 * min(one, other)
        return
    assert found.value == 1.0
    assert found.details["pay"].shared
    with_truth = NoiseDifferencing([noisy(one)]).mount(noisy(other), ORIGINAL)
    assert with_truth.value == 1.0
    assert with_truth.details["pay"].noise_left < 0.01


@pytest.mark.parametrize(("one", "other"), [(0.5, 1.0), (0.5, 0.5), (1.0, 1.5)])
def test_what_mechanisms_draw_now_shares_nothing(one: float, other: float) -> None:
    files = [
        released(Noise({"pay": amount}), key)
        for amount, key in ((one, KEY), (other, Key(b"another example key of enough bytes")))
    ]
    if one != other:
        files[1] = released(Noise({"pay": other}))
    found = NoiseDifferencing([files[0]]).mount(files[1], ORIGINAL)
    told = found.details["pay"]
    assert told.shared is False
    assert told.noise_left == pytest.approx(one * other / np.hypot(one, other), rel=0.15)
    assert told.recovered < 0.06
    predicted = NoiseDifferencing([files[0]]).mount(files[1]).details["pay"]
    assert predicted.recovered == pytest.approx(told.recovered, abs=0.03)


def test_the_same_file_again_tells_nothing_more() -> None:
    found = NoiseDifferencing([noisy(0.5)]).mount(noisy(0.5)).details["pay"]
    assert (found.shared, found.recovered) == (True, found.alone)


def test_too_few_rows_are_undecided_and_never_zero() -> None:
    found = NoiseDifferencing([noisy(0.5, rows=12)]).mount(noisy(1.0, rows=12))
    assert found.value is None
    assert "undecided: pay" in found.note
    untied = PublishedFile(noisy(0.5).table.drop_columns(["ward"]), {"pay": noisy(0.5).columns["pay"]})
    assert NoiseDifferencing([untied]).mount(noisy(1.0)).value is None


def test_an_earlier_file_that_does_not_perturb_gives_all() -> None:
    plain = PublishedFile(ORIGINAL, {**KEPT, "pay": {"role": "sensitive"}})
    assert NoiseDifferencing([plain]).mount(noisy(1.0)).value == 1.0
    ranges = PublishedFile(ORIGINAL.set_column(1, "pay", pa.array(["[1-9]"] * ROWS)), plain.columns)
    assert NoiseDifferencing([ranges]).mount(noisy(1.0)).value == 0.0


def test_answers_that_share_draws_are_told_from_others() -> None:
    """With the draw u of both, a value stays where u < p: what stays at .6 stays at .8."""
    texts, stay = np.array(ORIGINAL["ill"].to_pylist()), DRAW.random(ROWS)
    turned = np.roll(np.array(["a", "b", "c"]), 1)[np.array([ord(one) - 97 for one in texts])]

    def answers(p: float) -> PublishedFile:
        facts = {"falsified": "post-randomised", "probability_to_stay": p, "number_of_values": 3, "role": "keep"}
        rows = pa.table({"ward": ORIGINAL["ward"], "ill": np.where(stay < p, texts, turned).tolist()})
        return PublishedFile(rows, {**KEPT, "ill": facts})

    assert NoiseDifferencing([answers(0.6)]).mount(answers(0.8)).details["ill"].shared
    own = NoiseDifferencing([released(PRAM({"ill": 0.6}))]).mount(released(PRAM({"ill": 0.8}))).details["ill"]
    assert own.shared is False
    assert 0.8 <= own.recovered < 0.95


def test_two_intervals_are_smaller_than_one() -> None:
    rounded = [released(Rounding({"pay": base}, random=True)) for base in (300, 170)]
    found = NoiseDifferencing([rounded[0]]).mount(rounded[1]).details["pay"]
    assert found.recovered >= found.alone
    swapped = [released(RankSwapping(["pay"], percent)) for percent in (1, 2)]
    found = NoiseDifferencing([swapped[0]]).mount(swapped[1]).details["pay"]
    assert found.recovered >= found.alone
    assert NoiseDifferencing([swapped[0]]).mount(noisy(0.5)).value is None


WHO = {"who": {"role": "subject"}, "came": {"role": "shift"}, "left": {"role": "shift"}}


def stays(seed: int, prefix: str, shifts: Any) -> PublishedFile:
    draw = np.random.default_rng(0)
    came, stay = draw.integers(0, 2000, 300), draw.integers(0, 30, 300)
    first = np.datetime64("2015-01-01") + (came + shifts).astype("m8[D]")
    order = np.random.default_rng(seed).permutation(300)
    columns = {"who": np.array([f"{prefix}{i // 2}" for i in range(300)])[order].tolist()}
    columns |= {"came": pa.array(first[order]), "left": pa.array((first + stay.astype("m8[D]"))[order])}
    return PublishedFile(pa.table(columns), WHO)


def test_equal_shifts_are_found_and_other_shifts_are_not() -> None:
    shifts = [np.random.default_rng(i).integers(-182, 183, 300) for i in (1, 2)]
    same = ReleaseLinkage([stays(1, "x", shifts[0])]).mount(stays(2, "y", shifts[0]))
    assert (same.value > 0.95, same.details.pseudonyms, same.details.difference) == (True, 0, 0)
    later = ReleaseLinkage([stays(1, "x", shifts[0] + 11)]).mount(stays(2, "y", shifts[0]))
    assert (later.value > 0.95, later.details.difference) == (True, 11)
    apart = ReleaseLinkage([stays(1, "x", shifts[0])]).mount(stays(2, "y", shifts[1]))
    assert (apart.value, apart.details.difference) == (0.0, None)


def test_equal_pseudonyms_are_counted() -> None:
    shifts = np.zeros(300, int)
    found = ReleaseLinkage([stays(1, "x", shifts)]).mount(stays(2, "x", shifts))
    assert (found.value, found.details.pseudonyms, found.details.persons) == (1.0, 150, 150)


@given(st.lists(st.integers(0, 5), max_size=8), st.lists(st.integers(0, 5), max_size=8))
def test_rows_are_tied_where_a_value_occurs_once_in_both(one: list[int], other: list[int]) -> None:
    here, there = once_in_both(np.array(one, np.int64), np.array(other, np.int64))
    wanted = [(i, other.index(v)) for i, v in enumerate(one) if one.count(v) == other.count(v) == 1]
    assert sorted(zip(here.tolist(), there.tolist(), strict=True)) == wanted


def published(name: str, file: PublishedFile, release: str = "") -> PublishedDataset:
    return PublishedDataset(name, None, Source.of(file.table), "tables", release=release, columns=file.columns)


def test_both_attacks_on_all_datasets_of_the_same_people() -> None:
    assert len(aligned(noisy(0.5), noisy(1.0))[0]) == ROWS
    shifts = np.zeros(300, int)
    datasets = [
        published("d", noisy(1.0)),
        published("stays", stays(1, "x", shifts)),
        published("d", noisy(0.5), "first"),
        published("stays", stays(2, "x", shifts), "first"),
    ]
    noise, linkage = NoiseAcrossDatasets(), LinkageAcrossDatasets()
    assert [one.title for one in noise.relevant(datasets)] == ["d", "d of first"]
    assert [one.title for one in linkage.relevant(datasets)] == ["stays", "stays of first"]
    for attack, column in ((noise, "d"), (linkage, "stays")):
        found = attack.mount(attack.relevant(datasets))
        assert (found.name, found.column, found.value) == (attack.name, column, 1.0)
        assert "of first" in found.note
    assert noise.relevant(datasets[1:]) == [], "what only an earlier release perturbs is not this one's matter"
