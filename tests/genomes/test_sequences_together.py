"""Releases of DNA sequences of the same people: judged as one, refused, and verified again."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.errors import Infeasible
from sharewell.genomes import DiverseSequences, KIdentical, MinorFrequency, Sequences, SnpBins
from sharewell.genomes.criteria.sequences_together import LinkedSequences, SequencesTogether, judge_sequences
from sharewell.io.sources import Source
from sharewell.people_evidence import PeopleEvidence
from sharewell.pipeline.run import Released, release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.protocols import PublishedDataset

Shown = dict[int, tuple[str, str]]
"""Person → the published text, and the label beside it."""
WIDER = {"A": "ARN", "C": "CMN", "G": "GRN", "T": "TN"}


def drawn(draw: random.Random) -> list[Shown]:
    """Two or three releases about at most six persons, each with wider symbols of its own."""
    true = ["".join(draw.choice("AC") for _ in range(2)) for _ in range(draw.randint(2, 6))]
    labels = [draw.choice(["flu", "gout"]) for _ in true]
    releases = []
    for _ in range(draw.choice([2, 2, 3])):
        wide = {base: draw.choice(WIDER[base]) for base in "ACGT"}
        local = draw.random() < 0.3
        shown: Shown = {}
        for person, text in enumerate(true):
            if draw.random() < 0.9:
                symbols = [draw.choice(WIDER[base]) if local else wide[base] for base in text]
                label = labels[person] if draw.random() < 0.9 else draw.choice(["flu", "gout", ""])
                shown[person] = "".join(symbols), label
        releases.append(shown)
    return [shown for shown in releases if shown]


def linked(releases: Sequence[Shown]) -> list[LinkedSequences]:
    results = []
    for number, shown in enumerate(releases):
        people = PeopleEvidence("names", "", pa.array([f"p{one}" for one in shown]), np.arange(len(shown)))
        texts, labels = [text for text, _ in shown.values()], [label or None for _, label in shown.values()]
        data = Sequences.of(texts, labels=labels, published=True)
        results.append(LinkedSequences(f"r{number}", data, people, same_identifiers=True))
    return results


def alike(releases: Sequence[Shown], person: int) -> list[int]:
    """Everybody of whom all releases show the same."""
    seen = [one.get(person, ("", ""))[0] for one in releases]
    return [other for other in range(6) if [one.get(other, ("", ""))[0] for one in releases] == seen]


@pytest.mark.parametrize("seed", range(8))
def test_it_holds_exactly_if_k_persons_and_l_labels_are_in_every_group(seed: int, full_size: bool) -> None:
    draw = random.Random(seed)
    verdicts = set()
    for _ in range(150 if full_size else 40):
        releases = drawn(draw)
        if len(releases) < 2:
            continue
        k = draw.choice([1, 2, 3])
        titles = [f"r{i}" for i in range(len(releases))]
        found = judge_sequences(linked(releases), {one: [KIdentical(k)] for one in titles})
        everybody = {person for one in releases for person in one}
        assert found.ok is all(len(alike(releases, person)) >= k for person in everybody)
        diverse = judge_sequences(linked(releases), {one: [DiverseSequences(k)] for one in titles})
        assert diverse.ok is all(
            count >= k for own in releases for person in own for count in label_counts(releases, own, person)
        )
        verdicts |= {("k", found.ok), ("l", diverse.ok)}
    assert len(verdicts) == 4


def label_counts(releases: Sequence[Shown], own: Shown, person: int) -> list[int]:
    """The labels of a person's group, and of those in it who have the same one everywhere, or none somewhere."""

    def stays(one: int) -> bool:
        others = [shown[one][1] for shown in releases if one in shown]
        return all(not own[one][1] or not label or label == own[one][1] for label in others)

    group = [one for one in alike(releases, person) if one in own]
    parts = [group, [one for one in group if stays(one)]]
    return [len({own[one][1] for one in part} - {""}) for part in parts if part]


@pytest.mark.parametrize("seed", range(4))
def test_no_world_singles_anybody_out_where_it_holds(seed: int, full_size: bool) -> None:
    """All ways to give the rows of two releases to at most five persons in which the target's true sequence fits."""
    draw, looked = random.Random(50 + seed), 0
    while looked < (25 if full_size else 8):
        releases = drawn(draw)[:2]
        if len(releases) < 2 or set(releases[0]) != set(releases[1]) or len(releases[0]) > 5:
            continue
        if not judge_sequences(linked(releases), {"r0": [KIdentical(2)], "r1": [KIdentical(2)]}).ok:
            continue
        looked += 1
        people = sorted(releases[0])
        pairs = [(releases[0][one][0], releases[1][one][0]) for one in people]
        for target in range(len(people)):
            true = Sequences.of(pairs[target]).codes
            fitting = set()
            for world in permutations(range(len(people))):
                row = Sequences.of(pairs[world[target]]).codes
                # whatever the true sequence is that the target's own rows leave possible, these rows show no less
                if ((row & true) == true).all():
                    fitting.add(world[target])
            assert len(fitting) >= 2


def test_bins_are_judged_by_whole_sequences_and_other_promises_are_not() -> None:
    same = [{0: ("AR", "flu"), 1: ("AR", "flu")}, {0: ("AA", "flu"), 1: ("AG", "flu")}]
    assert judge_sequences(linked(same), {"r0": [SnpBins(1, 2)], "r1": []}).value == 2
    assert judge_sequences(linked(same), {"r0": [SnpBins(1, 2, snps=[1])], "r1": []}).ok is None
    again = [same[0], same[0]]
    assert judge_sequences(linked(again), {"r0": [SnpBins(1, 2, snps=[1])], "r1": []}).ok
    frequent = MinorFrequency(0.1)
    assert judge_sequences(linked(again), {"r0": [frequent], "r1": []}).ok is None


def test_it_speaks_of_sequences_with_an_earlier_release() -> None:
    def dataset(release: str = "", *criteria: Any) -> PublishedDataset:
        return PublishedDataset(
            "dna", Sequences.of(["A"], published=True), Source(), "genomes", criteria, release=release
        )

    assert len(SequencesTogether().relevant([dataset("", KIdentical(2)), dataset("r1")])) == 2
    assert SequencesTogether().relevant([dataset("", KIdentical(2)), dataset()]) == []
    assert SequencesTogether().relevant([dataset(), dataset("r1")]) == []


PEOPLE = {f"p{i}": ["AATTA", "AATGA", "ATTCA", "CATCA"][i % 4] for i in range(24)}


def done(place: Path, name: str, people: dict[str, str], after: Sequence[str] = (), **changed: Any) -> Released:
    place.mkdir(parents=True, exist_ok=True)
    (place / "dna.csv").write_text("\n".join(["who,dna", *map(",".join, people.items())]) + "\n")
    (place / "secret").write_text("a secret of the steward, of no use elsewhere")
    dataset = {
        "kind": "genomes",
        "read": {"csv": "dna.csv"},
        "columns": {"who": "subject", "dna": "quasi"},
        "require": [{"k-identical": {"k": 3}}],
        "using": "dnala",
    }
    told = {"sharewell": 1, "release": {"name": name, "after": list(after), **changed}}
    told |= {"secrets": {"key": "file:secret"}, "datasets": {"dna": dataset}, "write": {"csv": "out"}}
    (place / "policy.yaml").write_text(json.dumps(told))
    return release(check(place / "policy.yaml"))


def test_a_second_release_is_judged_with_the_first(tmp_path: Path) -> None:
    before = done(tmp_path / "one", "r1", PEOPLE)
    again = done(tmp_path / "two", "r2", PEOPLE, ["../one/out/r1"])
    (finding,) = verify(again.directory, earlier=[before.directory]).findings["datasets together"]
    assert (finding.name, finding.ok, finding.tier) == ("sequences-together", True, "steward")
    certificate = json.loads((again.directory / "public" / "certificate.json").read_text())
    assert certificate["together"]["not_judged"] == []
    changed = PEOPLE | {"p0": PEOPLE["p1"], "p1": PEOPLE["p0"]}
    with pytest.raises(Infeasible, match="nothing was released") as refused:
        done(tmp_path / "three", "r3", changed, ["../one/out/r1"], same_identifiers=True)
    assert "sequences-together" in str(refused.value)
    renumbered = {f"n{who}": text for who, text in PEOPLE.items()}
    with pytest.raises(Infeasible) as refused:
        done(tmp_path / "four", "r4", renumbered, ["../one/out/r1"])
    assert "fewer than half of the persons" in str(refused.value)
