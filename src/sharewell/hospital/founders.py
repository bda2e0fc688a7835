"""Alleles of people: drawn for the grown, passed on to the children of a household by both parents.

A person has two haplotypes. Those of a child are, block by block, one of the mother's two and one of the father's two;
where a parent is not in the register, that haplotype is drawn. Parents are always drawn, so one step back is enough.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from sharewell.hospital.draws import Floats, Ints, Lane, Stream
from sharewell.hospital.people import People

Haplotypes = NDArray[np.int8]
Drawn = Callable[[Lane, Ints], Haplotypes]


def inherited(people: People, place: Ints, seed: int, table: str, draw: Drawn, blocks: Ints) -> Haplotypes:
    """Haplotypes (people x 2 x variants); `draw(lane, race)` makes one haplotype a person, `blocks` groups variants."""
    stream = Stream(seed, table)

    def own(who: Ints) -> Haplotypes:
        lane = stream.of(people.number[who])
        sides = [draw(lane.deeper(np.full(len(who), side)), people.race[who]) for side in range(2)]
        return np.stack(sides, axis=1)

    result = own(place)
    for side, parents in enumerate((people.mother, people.father)):
        child = np.flatnonzero(parents[place] >= 0)
        if len(child) == 0:
            continue
        given = own(parents[place[child]])
        lane = stream.of(people.number[place[child]])
        second = np.stack([lane.chance(f"pass/{side}/{block}", 0.5) for block in range(int(blocks[-1]) + 1)], axis=1)
        result[child, side] = np.where(second[:, blocks], given[:, 1], given[:, 0])
    return result


def by_frequency(frequencies: Floats) -> Drawn:
    """Independent alleles with a frequency for each race and variant (races x variants)."""

    def draw(lane: Lane, race: Ints) -> Haplotypes:
        units = np.stack([lane.unit(f"allele/{variant}") for variant in range(frequencies.shape[1])], axis=1)
        return (units < frequencies[race]).astype(np.int8)

    return draw
