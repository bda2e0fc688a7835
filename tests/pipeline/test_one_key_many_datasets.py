"""Every kind of data through whole releases: several rows a person, several datasets of one file, one key used again.

What a release accepts is counted again from its files alone, together with what was published before.
"""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import plain_genomes as dna
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from plain_datasets import (
    COUNTED,
    DATASETS,
    NAMES,
    SORTS,
    K,
    World,
    determined,
    fewest,
    mrn,
    policy,
    rows_of,
    whose,
    worlds,
)

from sharewell.errors import Infeasible
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_BATTERY_KEY", "an example secret, long enough")


def made(place: Path, names: list[str], name: str, after: str = "") -> Path | None:
    """The release, or nothing where it was refused."""
    try:
        return release(check(policy(place, names, name, after))).directory
    except Infeasible:
        return None


EASY = World(
    [(SORTS[i % 4], ["AATT", "AATG"][i % 2]) for i in range(7)], [[("flu", 100 * i, "401.1")] for i in range(7)]
)
SEVERAL = World(EASY.people, [[*one, ("gout", 50, "401.1"), *one] for one in EASY.visits])
chosen = st.lists(st.sampled_from(sorted(DATASETS)), min_size=1, max_size=3, unique=True)


@settings(max_examples=9, deadline=None, phases=[Phase.explicit, Phase.generate])  # to shrink takes many releases
@given(worlds(), chosen, st.lists(st.sampled_from(sorted(DATASETS)), min_size=1, max_size=1))
@example(SEVERAL, ["by-both", "classes"], ["by-town"])
def test_what_is_released_together_holds_together(
    tmp_path_factory: pytest.TempPathFactory, world: World, first: list[str], second: list[str]
) -> None:
    place = tmp_path_factory.mktemp("world") / "desk"
    world.write(place)
    done: dict[Path, list[str]] = {}
    one = made(place, first, "r1")
    if one is not None:
        done[one] = first
        same_again(place, one, first)
        two = made(place, second, "r2", ", after: [out/r1]")
        if two is not None:
            done[two] = second
            nothing_shared(one, two, set(first) & set(second))
            listed_or_judged(two, [*second, *(f"{name} of r1" for name in first)])
        listed_or_judged(one, first)
    for directory, names in done.items():
        assert verify(directory, earlier=[place / "out"]).ok
        holds(world, directory, names)
    if sum(name in COUNTED for names in done.values() for name in names):
        assert determined(world, done) == [], "several tables give a hidden count"


def holds(world: World, directory: Path, names: list[str]) -> None:
    for name in set(names) - {"notes", *COUNTED}:
        assert fewest(directory, name) >= K, name
    for name in {"codes", "fewer", "joint", "dna"} & set(names):
        assert len(set(whose(directory, name))) == len(rows_of(directory, name)), "a person has one row"
    if "notes" in names:
        text = (directory / "public" / "notes.csv").read_text()
        assert not [i for i in range(len(world.people)) if f"{NAMES[i]}, MRN" in text or mrn(i) in text]


def same_again(place: Path, before: Path, names: list[str]) -> None:
    """The same key, name and rows give the same files."""
    kept = before.rename(before.with_name("kept"))
    again = made(place, names, "r1")
    assert again is not None
    files = {path.name: path.read_bytes() for path in (again / "public").iterdir()}
    assert files == {path.name: path.read_bytes() for path in (kept / "public").iterdir()}


def nothing_shared(one: Path, two: Path, names: set[str]) -> None:
    """Under another name the same key draws anew: no pseudonym, no noise, no false number is met again."""
    for name in names - set(COUNTED) - {"notes"}:
        assert not set(whose(one, name)) & set(whose(two, name)), name
    if "noisy" in names:
        costs = [[row["cost"] for row in rows_of(directory, "noisy")] for directory in (one, two)]
        assert costs[0] != costs[1] or len({*costs[0]}) == 1
    if "notes" in names:
        texts = [" ".join(row["note"] for row in rows_of(directory, "notes")) for directory in (one, two)]
        numbers = [set(re.findall(r"\d{6,}", text)) for text in texts]
        assert not numbers[0] & numbers[1]


def listed_or_judged(directory: Path, titles: list[str]) -> None:
    """The certificate is silent about no two datasets of the same people."""
    told = json.loads((directory / "public" / "certificate.json").read_text())["together"]
    here = {title for title in titles if " of " not in title}
    spoken: list[set[Any]] = [set(pair) for pair in told["not_judged"]]
    spoken += [set(pair) for joint in told["judged"] for pair in combinations(joint["datasets"], 2)]
    for pair in combinations(titles, 2):
        if here & set(pair):
            assert set(pair) in spoken or separate(pair), pair


def separate(pair: tuple[str, str]) -> bool:
    """People alone are read by the DNA; visits by all others but those that read both."""
    kinds = {title.partition(" of ")[0] for title in pair}
    return "dna" in kinds and not {"joint", "notes"} & kinds and all(" of " not in title for title in pair)


@pytest.mark.parametrize("name", sorted(DATASETS))
def test_every_dataset_can_be_released(tmp_path: Path, name: str) -> None:
    """Or the test above would hold of nothing; twice under one key, and with several rows a person."""
    people = [*EASY.people[:3], EASY.people[0], EASY.people[1], EASY.people[2]]
    world = World(people, [[("flu", 100, "401.1")] * 2 for _ in people])
    world.write(tmp_path / "desk")
    one = made(tmp_path / "desk", [name], "r1")
    assert one is not None
    two = made(tmp_path / "desk", [name], "r2", ", after: [out/r1]")
    assert two is not None
    nothing_shared(one, two, {name})
    holds(world, two, [name])


def test_the_counting_finds_what_two_tables_give_away(tmp_path: Path) -> None:
    """And a class of one person with two rows: the oracles above can say no."""
    sorts = [("30", "a"), *[("30", "b")] * 3, *[("31", "a")] * 3]
    world = World([(sort, "") for sort in sorts], [[("flu", 1, "401.1")] for _ in sorts])
    (tmp_path / "public").mkdir()
    hidden = "age,town,count\n*,*,\n30,*,4\n31,*,\n30,a,\n30,b,3\n31,a,3\n*,a,\n*,b,3\n"
    (tmp_path / "public" / "by-both.csv").write_text(hidden.replace("30,*,4", "30,*,"))
    assert determined(world, {tmp_path: ["by-both"]}) == []
    (tmp_path / "public" / "by-age.csv").write_text("age,count\n*,7\n30,4\n31,3\n")
    assert ("30", "a") in determined(world, {tmp_path: ["by-both", "by-age"]})
    (tmp_path / "public" / "classes.csv").write_text("person,age,town,illness\nx,30,a,flu\nx,30,a,gout\n")
    assert fewest(tmp_path, "classes") == 1
    (tmp_path / "public" / "codes.csv").write_text("person,code\nx,1 2\ny,1\nz,2\n")
    assert fewest(tmp_path, "codes") == 1


def genomes_made(place: Path, cohort: dna.Cohort, names: list[str], name: str, after: str = "") -> dna.Published | None:
    """What the files of a release of DNA say, or nothing where it was refused."""
    try:
        directory = release(check(dna.policy(place, cohort, names, name, after))).directory
    except Infeasible:
        return None
    assert verify(directory, earlier=[place / "out"]).ok
    listed_or_judged(directory, [*names, *(f"{one} of r1" for one in published_by(place / "out" / "r1") if after)])
    return [(one, rows_of(directory, one)) for one in names]


def published_by(directory: Path) -> list[str]:
    return list(json.loads((directory / "public" / "certificate.json").read_text())["datasets"])


FEW = dna.Cohort(24, (6, 9), 0.5, 1)
some_dna = st.lists(st.sampled_from(dna.DATASETS), min_size=1, max_size=3, unique=True)


@settings(max_examples=6, deadline=None, phases=[Phase.explicit, Phase.generate])
@given(dna.cohorts(), some_dna, st.sampled_from(dna.DATASETS))
@example(FEW, ["first", "coarse", "renamed"], "whole")
@example(FEW, ["second", "rows"], "exchanged")
def test_dna_of_one_cohort_betrays_no_more_members_together(
    tmp_path_factory: pytest.TempPathFactory, cohort: dna.Cohort, first: list[str], second: str
) -> None:
    """Files for each chromosome, other names, alleles or strands, somebody less, and all of it again."""
    place = tmp_path_factory.mktemp("cohort") / "desk"
    cohort.write(place)
    published = genomes_made(place, cohort, first, "r1")
    if published is None:
        return
    published += genomes_made(place, cohort, [second], "r2", ", after: [out/r1]") or []
    assert all(dna.fewest_alike(rows) >= K for name, rows in published if name == dna.ROWS)
    assert dna.differences(cohort, published) == [], "one frequency less another is a genotype"
    for attack, share in dna.most_recognised(cohort, published).items():
        assert share <= cohort.power + 0.04, attack


@pytest.mark.parametrize("name", dna.DATASETS)
def test_every_dataset_of_dna_can_be_released_again(tmp_path: Path, name: str) -> None:
    """Rounded or noisy, of other names or alleles; the noise is drawn anew, and all else is the same."""
    cohort = dna.Cohort(48, (4, 5), 0.9, 3)
    cohort.write(tmp_path / "desk")
    one = genomes_made(tmp_path / "desk", cohort, [name], "r1")
    two = genomes_made(tmp_path / "desk", cohort, [name], "r2", ", after: [out/r1]")
    assert one is not None
    assert two is not None
    assert (one == two) is (name != "noisy")
    evidence = [set(whose(tmp_path / "desk" / "out" / release, name)) for release in ("r1", "r2")]
    assert len(evidence[0]) == len(evidence[1]) >= 47
    assert not evidence[0] & evidence[1]


def test_the_attacks_on_dna_find_what_two_chromosomes_give_away() -> None:
    """The oracles above can say no: a chromosome is within the bound, two are not; nor is who left."""
    cohort = dna.Cohort(24, (40, 40), 0.5, 1)
    first, second = ([{"id": f"rs{site}"} for site in cohort.sites(name)] for name in "12")
    alone = dna.most_recognised(cohort, [("first", first)])
    both = dna.most_recognised(cohort, [("first", first), ("second", second)])
    assert alone["likelihood ratio"] < 0.5 < both["likelihood ratio"]
    assert both["Homer"] > alone["Homer"]
    assert dna.differences(cohort, [("second", second), ("left", second)]) == [("second", "left")]
    assert dna.fewest_alike([{"sequence": "A"}, {"sequence": "A"}, {"sequence": "C"}]) == 1
