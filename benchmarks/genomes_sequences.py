"""DNALA on real mitochondrial sequences: what each way of pairing costs, how long it takes, and binning beside it.

`python -m benchmarks.genomes_sequences --data DIR`, with hvr1_1074.fasta somewhere in DIR: the first 1,000 sequences of
length 360. Without it, or beside it with --sequences, sequences of a simulated line of descent.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.house import Result
from sharewell.genomes import DNALA, BasesKept, Binning, KIdentical, Sequences, SnpBins, lattice_distance
from sharewell.genomes.engine.protection.sequence_pairs import PAIRINGS, Distances

FILE, LENGTH, COUNT = "hvr1_1074.fasta", 360, 1_000
SIZES = (1_000, 2_500, 5_000, 10_000, 20_000, 50_000, 100_000)
"""For growth: as many of them as --sequences allows."""
OPTIMUM = 1_270
"""The cheapest pairing of those, as found once by other code on all pairs."""


def genomes_sequences(data: Path | None, rows: int = 10_000) -> Iterator[Result]:
    """The real sequences, then simulated ones."""
    file = None if data is None else next(data.rglob(FILE), None)
    if file is None:
        yield Result(f"HVR1: skipped, needs --data with {FILE}", None)
    else:
        whole = Sequences.from_fasta(file)
        yield from _real(whole.take(whole.lengths == LENGTH).take(range(COUNT)))
    yield from _simulated(min(rows, 10_000))
    yield from _growth([count for count in SIZES if count <= rows])
    yield from _stars(min(rows, 1_000))


def _real(people: Sequences) -> Iterator[Result]:
    DNALA().protect(people.take(range(50)), [])  # imports
    DNALA(pairing="nearest").protect(people.take(range(50)), [])
    yield from _distances(people)
    for way in PAIRINGS:
        released, seconds = _timed(DNALA(pairing=way), people)
        cost = released.details.cost
        bar = {"optimal": OPTIMUM, "nearest": 1.02 * OPTIMUM}.get(way)
        yield Result(f"HVR1, {COUNT:,} sequences, pairing {way}: cost", cost, "", bar)
        yield Result(f"HVR1, pairing {way}: above the optimum", 100 * (cost / OPTIMUM - 1), "%")
        yield Result(f"HVR1, pairing {way}, CPU", seconds, "s", 1 if way == "nearest" else None)
        if released.details.least_cost_of_pairs is not None:
            yield Result(f"HVR1, pairing {way}: no pairing costs less than", released.details.least_cost_of_pairs)
        yield Result(f"HVR1, pairing {way}: bases kept where they vary", _kept(people, released.data), "%")
    for k in (3, 5, 10):
        for improve in (False, True):
            released, seconds = _timed(DNALA(k, improve=improve), people)
            label = f"HVR1, groups of {k}, {'improved' if improve else 'as gathered'}"
            yield Result(f"{label}: cost", released.details.cost)
            yield Result(f"{label}, CPU", seconds, "s")
    released, seconds = _timed(Binning(1, 2), people)
    assert not SnpBins(1, 2).check(released.data).failed
    yield Result("HVR1, binning B = 1, B' = 2: cost", released.details.cost)
    yield Result("HVR1, binning: bases kept where they vary", _kept(people, released.data), "%")
    yield Result("HVR1, binning, CPU", seconds, "s")


def _distances(people: Sequences) -> Iterator[Result]:
    """One product, and by symbol for a hundred sequences."""
    codes = people.matrix[:, people.variable]
    seconds = min(_cpu(lambda: Distances(codes, "leaf").rows(slice(None)))[1] for _ in range(3))
    yield Result(f"HVR1, all {COUNT:,} × {COUNT:,} distances, CPU", seconds, "s", 1)
    some = Sequences(np.ascontiguousarray(codes[:100]))
    plain = [[lattice_distance(x, y) for y in some.texts] for x in some.texts]
    wrong = int((Distances(some.codes, "leaf").rows(slice(None)) != np.array(plain)).sum())
    yield Result("HVR1, distances of 100 that differ from those symbol by symbol", wrong, "", 0)


def _simulated(count: int) -> Iterator[Result]:
    people = simulated(count)
    for mechanism in (DNALA(), DNALA(pairing="greedy"), DNALA(5)):
        released, seconds = _timed(mechanism, people)
        label = f"simulated, {count:,} sequences, {mechanism.k} a group, {released.details.pairing}"
        yield Result(f"{label}: cost", released.details.cost)
        if released.details.least_cost_of_pairs is not None:
            yield Result(f"{label}: no pairing costs less than", released.details.least_cost_of_pairs)
        yield Result(f"{label}, CPU", seconds, "s")


def _growth(sizes: Sequence[int]) -> Iterator[Result]:
    """By what power of n the time of the pairing that is chosen by itself grows, beside what n log n does."""
    if len(sizes) < 2:
        return
    seconds = []
    for count in sizes:
        released, took = _timed(DNALA(), simulated(count))
        seconds.append(took)
        yield Result(f"simulated, {count:,} sequences, pairs, CPU", took, "s")
        over = released.details.cost - released.details.least_cost_of_pairs
        yield Result(f"simulated, {count:,} sequences, pairs: above the least cost of pairs", over, "", 0)
    logs, ideal = np.log(sizes), [count * np.log(count) for count in sizes]
    yield Result("simulated, exponent of CPU over sequences", float(np.polyfit(logs, np.log(seconds), 1)[0]))
    yield Result("simulated, exponent of n log n over the same", float(np.polyfit(logs, np.log(ideal), 1)[0]))


def _stars(count: int) -> Iterator[Result]:
    """Many sequences that differ from one in a single place each: all of them are equally near to all others."""
    codes = np.ones((count, count), dtype=np.uint8)
    np.fill_diagonal(codes[1:, 1:], 2)
    released, took = _timed(DNALA(), Sequences(codes))
    yield Result(f"{count:,} sequences in a star, pairs, CPU", took, "s")
    over = released.details.cost - released.details.least_cost_of_pairs
    yield Result(f"{count:,} sequences in a star, pairs: above the least cost of pairs", over, "", 0)


def simulated(count: int, places: int = 400, seed: int = 1) -> Sequences:
    """Each sequence is that of an earlier one, with a mutation or two."""
    draw = np.random.default_rng(seed)
    bases = np.array([1, 2, 4, 8], dtype=np.uint8)
    codes = np.empty((count, places), dtype=np.uint8)
    codes[0] = draw.choice(bases, places)
    for i in range(1, count):
        codes[i] = codes[draw.integers(0, i)]
        changed = draw.integers(0, places, draw.poisson(1.2))
        codes[i, changed] = draw.choice(bases, len(changed))
    return Sequences(codes)


def _timed(mechanism: Any, people: Sequences) -> tuple[Any, float]:
    """The release, judged from its texts, and CPU seconds."""
    released, seconds = _cpu(lambda: mechanism.protect(people, []))
    assert KIdentical(getattr(mechanism, "k", 2)).check(Sequences.from_arrow(released.data.arrow)).ok
    return released, seconds


def _cpu(work: Any) -> tuple[Any, float]:
    began = time.process_time()
    found = work()
    return found, time.process_time() - began


def _kept(before: Sequences, after: Sequences) -> float:
    return 100 * float(BasesKept().score(before, after).details.of_variable)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.genomes_sequences")
    parser.add_argument("--data", type=Path, help=f"directory that holds {FILE}")
    parser.add_argument("--sequences", type=int, default=3_000, help="simulated sequences (default: 3,000)")
    args = parser.parse_args()
    reached = True
    for result in genomes_sequences(args.data, args.sequences):
        print(result, flush=True)
        reached &= result.reached
    return 0 if reached else 1


if __name__ == "__main__":
    sys.exit(main())
