"""Several datasets of allele frequencies of the same people give away together what none of them does alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sharewell.errors import Infeasible
from sharewell.genomes import Frequencies, Genotypes, MembershipPower, SafeNumber, Snps
from sharewell.genomes.criteria.frequencies_together import FrequenciesTogether
from sharewell.genomes.engine.membership_statistics import bound
from sharewell.genomes.engine.sample_persons import names_of
from sharewell.genomes.engine.selection import Selection
from sharewell.io.sources import Source
from sharewell.pipeline.certificate import file_hashes, write_sums
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.policy.people import labels_of_counted, labels_of_people
from sharewell.protocols import PublishedDataset

TOGETHER = FrequenciesTogether()


def drawn(people: int, snps: int) -> tuple[Any, Any]:
    """Calls, and the frequencies of the population."""
    draw = np.random.default_rng(1)
    shares = draw.uniform(0.1, 0.5, snps)
    return draw.binomial(2, shares, (people, snps)).astype(np.int8), shares


def genotypes(people: int, snps: int) -> Genotypes:
    return Genotypes.of(drawn(people, snps)[0])


def part(data: Frequencies, *criteria: Any, name: str = "a", people: int = 0, release: str = "") -> PublishedDataset:
    return PublishedDataset(name, data, Source(), "genomes", criteria, frozenset({people}), release)


def some(pool: Genotypes, which: Any) -> Frequencies:
    """SNPs that somebody chose before looking."""
    return Frequencies.of(pool.take(snps=which))


def test_two_datasets_together_are_as_powerful_as_theory_and_an_attack_say() -> None:
    calls, shares = drawn(200, 800)
    pool = Genotypes.of(calls)
    halves = [part(some(pool, slice(0, 400)), SafeNumber(0.5)), part(some(pool, slice(400, 800)), SafeNumber(0.5))]
    assert all(one.criteria[0].check(one.data).ok for one in halves)
    found = TOGETHER.check(halves)
    assert found.ok is False
    assert found.value == pytest.approx(bound(800, 200).power(0.05))
    assert (found.details.snps, found.details.equivalent) == (800, 800)
    mix = np.concatenate([one.data.frequency for one in halves])
    draw = np.random.default_rng(7)
    ratios = []
    for people in (calls, draw.binomial(2, shares, (2000, 800))):
        ratio = people @ np.log(mix / shares) + (2 - people) @ np.log((1 - mix) / (1 - shares))
        ratios.append(ratio)
    members, others = ratios
    recognised = float((members > np.quantile(others, 0.95)).mean())
    assert found.value == pytest.approx(recognised, abs=0.1)
    assert recognised > 0.5, "the two datasets really do disclose more than either may"


def test_a_snp_of_both_datasets_counts_once_and_in_a_third_too() -> None:
    pool = genotypes(300, 500)
    whole, first = part(some(pool, slice(0, 500)), SafeNumber(0.5)), part(some(pool, slice(0, 250)))
    for datasets in ([whole, first], [first, whole], [whole, first, part(some(pool, slice(100, 400)))]):
        found = TOGETHER.check(datasets)
        assert (found.value, found.details.snps) == (pytest.approx(bound(500, 300).power(0.05)), 500)


def test_an_allele_counted_the_other_way_round_is_the_same_snp() -> None:
    snps = Snps.of(["x"], chromosome=["1"], position=[5], effect=["A"], other=["G"])
    turned = Snps.of(["x"], chromosome=["1"], position=[5], effect=["G"], other=["A"])
    chosen = Selection(1, "nobody", 100)
    one = Frequencies.of_arrays([0.25], people=100, snps=snps, selection=chosen)
    other = Frequencies.of_arrays([0.75], people=100, snps=turned, selection=chosen)
    found = TOGETHER.check([part(one, SafeNumber(0.5)), part(other, release="r0")])
    assert (found.ok, found.details.snps) == (True, 1)


def test_the_same_snps_of_other_people_are_refused() -> None:
    """One person less: the difference of the two frequencies is that person's genotype."""
    pool = genotypes(101, 40)
    all_but_one = Frequencies.of(pool.take(persons=slice(0, 100)))
    found = TOGETHER.check([part(Frequencies.of(pool), SafeNumber(0.9)), part(all_but_one)])
    assert found.ok is None
    assert "40 SNP(s) are in two datasets and not of the same people" in found.note
    swapped = Frequencies.of(pool.take(persons=slice(1, 101)))
    for other in (part(swapped, people=1), part(swapped, release="r0")):
        assert TOGETHER.check([part(all_but_one, SafeNumber(0.9)), other]).ok is None


def test_two_samples_of_one_file_are_other_people_even_if_they_are_as_many() -> None:
    """One frequency less the other is the difference between the two persons of whom each dataset leaves one out."""
    calls, _ = drawn(201, 60)
    first, second = (Frequencies.of(Genotypes.of(calls[rows])) for rows in (slice(0, 200), slice(1, 201)))
    exact = [part(data, SafeNumber(0.5)) for data in (first, second)]
    assert (first.people, TOGETHER.check(exact).ok) == (second.people, None)
    for who, verdict in ((1, None), (0, True)):  # noise explains the difference, if the same persons were counted
        noisy = [replace(exact[0], counted=0), replace(exact[1], falsified=True, counted=who)]
        assert TOGETHER.check(noisy).ok is verdict


def test_rounded_frequencies_do_not_show_that_nobody_was_exchanged() -> None:
    """The roundings of 200 people and of 199 of them with somebody else agree, and betray together who left."""
    calls, _ = drawn(201, 60)
    whole, other = (Frequencies.of(Genotypes.of(calls[rows])) for rows in (slice(0, 200), slice(1, 201)))
    first, second = (replace(one, frequency=one.frequency.round(2), decimals=2) for one in (whole, other))
    assert np.abs(first.frequency - second.frequency).max() <= 0.01 + 1e-9, "as close as rounding explains"
    one, two = replace(part(first, SafeNumber(0.5)), counted=0), replace(part(second), counted=1)
    for exchanged in (two, replace(two, counted=None), part(second, people=1), part(second, release="r0")):
        assert TOGETHER.check([one, exchanged]).ok is None
    assert TOGETHER.check([one, replace(one, name="again")]).ok is True
    assert TOGETHER.check([one, replace(one, name="again", release="r0")]).ok is None, "nobody knows who was counted"


SITES = {"chromosome": ["1", "1"], "position": [100, 200], "effect": ["A", "C"], "other": ["G", "T"]}


@pytest.mark.parametrize(
    ("ids", "written", "verdict"),
    [
        (["rs1", "rs2"], {}, True),
        (["rs1", "rs2"], {"chromosome": ["chr1", "CHR01"]}, True),
        (["x", "y"], {}, True),
        (["rs1", "rs2"], {"effect": ["T", "G"], "other": ["C", "A"]}, None),  # the other strand
        (["rs1", "RS2_T"], {"position": [150, 250]}, None),  # another assembly
        (["rs1", "rs1b"], {"position": [100, 100], "effect": ["A", "A"], "other": ["G", "G"]}, None),  # listed twice
        (["rs2", "rs1"], {"effect": ["A", "C"]}, None),  # names and places say two things
        (["x", "y"], {"position": [150, 250]}, True),  # other SNPs
    ],
)
def test_snps_that_may_be_the_same_are_undecided(ids: list[str], written: dict[str, Any], verdict: bool | None) -> None:
    chosen = Selection(2, "nobody", 100)
    ours, theirs = Snps.of(["rs1", "rs2"], **SITES), Snps.of(ids, **SITES | written)
    one, two = (Frequencies.of_arrays([0.25, 0.25], people=100, snps=snps, selection=chosen) for snps in (ours, theirs))
    for datasets in ([one, two], [two, one]):
        found = TOGETHER.check([part(datasets[0], SafeNumber(0.9)), part(datasets[1])])
        assert found.ok is verdict
        assert verdict or "may be in two datasets under other names" in found.note


def test_alternatives_of_one_site_are_clear_if_each_is_recognised() -> None:
    snps = Snps.of(["rs1", "rs1"], chromosome=["X", "X"], position=[5, 5], effect=["A", "T"], other=["G", "G"])
    again = Snps.of(["rs1", "rs1"], chromosome=["23", "23"], position=[5, 5], effect=["T", "A"], other=["G", "G"])
    assert snps.unclear(again).tolist() == []
    assert snps.unclear(again.take([1])).tolist() == [1]


def test_other_snps_of_other_people_add_up() -> None:
    pool = genotypes(400, 600)
    few = Frequencies.of(pool.take(persons=slice(0, 100), snps=slice(0, 100)))
    found = TOGETHER.check([part(some(pool, slice(100, 600)), SafeNumber(0.9)), part(few)])
    assert found.value == pytest.approx(bound(900, 400).power(0.05))  # 100/100 + 500/400


def test_cases_told_apart_in_two_ways_are_refused_and_in_one_way_are_not() -> None:
    pool = genotypes(200, 30)
    by = [Frequencies.of(pool, cases=pool.persons[a:b]) for a, b in ((0, 80), (1, 81))]
    assert TOGETHER.check([part(by[0], SafeNumber(0.9)), part(by[1])]).ok is None
    for other in (by[0], Frequencies.of(pool)):
        found = TOGETHER.check([part(by[0], SafeNumber(0.9)), part(other)])
        assert (found.ok, found.value) == (True, pytest.approx(bound(30, 48).power(0.05), abs=0.02))


def test_who_chose_snps_by_looking_tells_more() -> None:
    shares = np.full(50, 0.3)
    looked = [
        Frequencies.of_arrays(
            shares,
            people=250,
            snps=Snps.of([f"{name}{i}" for i in range(50)]),
            selection=Selection(1000, "everybody", 250),
        )
        for name in "ab"
    ]
    found = TOGETHER.check([part(one, SafeNumber(0.9)) for one in looked])
    apart = sum(one.selection.equivalent(50, 150) for one in looked if one.selection)
    assert (found.details.equivalent, found.value) == (apart, pytest.approx(bound(apart, 250).power(0.05)))


def test_a_chosen_snp_counts_as_chosen_wherever_else_it_stands() -> None:
    """Unless another dataset holds everything it was chosen from: then choosing has told nothing more."""

    def named(count: int, selection: Selection) -> PublishedDataset:
        snps = Snps.of([f"rs{i}" for i in range(count)])
        return part(Frequencies.of_arrays([0.3] * count, people=250, snps=snps, selection=selection), SafeNumber(0.9))

    chosen = named(50, Selection(1000, "everybody", 250))
    alone = chosen.data.selection.equivalent(50, 150)
    for rows, expected in ((50, 50 + alone), (60, 60 + alone), (999, 999 + alone), (1000, 1000)):
        found = TOGETHER.check([named(rows, Selection(rows, "nobody", 250)), chosen])
        assert (found.details.equivalent, found.details.snps) == (expected, rows)


def test_membership_power_is_carried_out_on_all_snps_where_theory_says_too_much() -> None:
    people = genotypes(400, 900)
    pool, others = people.take(persons=slice(0, 200)), people.take(persons=slice(200, 400))
    rule = MembershipPower(0.6, pool=pool, reference=others, knows="reference")
    halves = [part(some(pool, slice(0, 200)), rule), part(some(pool, slice(200, 400)), rule)]
    found = TOGETHER.check(halves)
    assert bound(400, 200).power(0.05) < 0.6, "theory alone will do"
    assert (found.ok, found.details.carried_out) == (True, False)
    more = [*halves, part(some(pool, slice(400, 900)))]
    found = TOGETHER.check(more)
    assert (found.ok, found.details.carried_out) == (False, True)
    whole = Frequencies.of_arrays(Frequencies.of(pool).frequency, people=200, snps=pool.snps)
    assert found.value == rule.check(whole).value


def test_what_cannot_be_judged_is_undecided_and_what_promises_nothing_is_left_out() -> None:
    pool = genotypes(100, 20)
    plain = some(pool, slice(0, 10))
    unsaid = Frequencies.of_arrays([0.3] * 10, people=100)
    assert TOGETHER.check([part(plain, SafeNumber(0.9)), part(unsaid)]).ok is None
    assert TOGETHER.relevant([part(plain), part(unsaid)]) == []
    assert len(TOGETHER.relevant([part(plain, SafeNumber(0.9)), part(unsaid)])) == 2


POLICY = """\
sharewell: 1
release: {{name: r}}
secrets: {{key: env:TEST_DNA_KEY}}
datasets:
{datasets}write: {{csv: out}}
"""
DATASET = """\
  {name}:
    kind: genomes
    read: {{csv: dna.csv}}
    columns: {{who: subject, {quasi}}}
    rest: drop
    require: [safe-number: {{max_power: {power}, copies: 0}}]
    using: {{frequency-floor: {{floor: 0.05, decimals: 3}}}}
"""


def policy(place: Path, power: float) -> Path:
    names = [f"rs{i}" for i in range(60)]
    rows = [",".join([f"p{i}", *map(str, calls)]) for i, calls in enumerate(drawn(40, 60)[0].tolist())]
    (place / "dna.csv").write_text("\n".join([",".join(["who", *names]), *rows]) + "\n")
    written = ""
    for name, of in (("first", names[:30]), ("second", names[30:])):
        written += DATASET.format(name=name, power=power, quasi=", ".join(f"{snp}: quasi" for snp in of))
    path = place / "policy.yaml"
    path.write_text(POLICY.format(datasets=written))
    return path


def by_chromosome(place: Path, form: str, power: float) -> Path:
    """A file for each chromosome; the second leaves one person out and calls the others as the first does."""
    calls, _ = drawn(40, 60)
    written = ""
    for name, which, people in (("first", range(30), range(40)), ("second", range(30, 60), range(39))):
        some_calls, snps = calls[np.ix_(people, which)], [f"rs{i}" for i in which]
        if form == "bed":
            Genotypes.of(some_calls, persons=[f"p{i}" for i in people], snps=Snps.of(snps)).write_bed(
                place / f"{name}.bed"
            )
        else:
            rows = [",".join([f"p{i}", *map(str, row)]) for i, row in zip(people, some_calls.tolist(), strict=True)]
            (place / f"{name}.csv").write_text("\n".join([",".join([f"who_{name}", *snps]), *rows]) + "\n")
        columns = "" if form == "bed" else f"    columns: {{who_{name}: subject}}\n    rest: quasi\n"
        written += CHROMOSOME.format(name=name, form=form, columns=columns, power=power)
    path = place / "policy.yaml"
    path.write_text(POLICY.format(datasets=written))
    return path


CHROMOSOME = """\
  {name}:
    kind: genomes
    read: {{{form}: {name}.{form}}}
{columns}    require: [safe-number: {{max_power: {power}, copies: 0}}]
    using: {{frequency-floor: {{floor: 0.05, decimals: 3}}}}
"""


@pytest.mark.parametrize("form", ["bed", "csv"])
def test_files_that_share_people_are_judged_together(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_DNA_KEY", "an example secret, long enough")
    with pytest.raises(Infeasible, match="taken together") as refused:
        release(check(by_chromosome(tmp_path, form, 0.3)))
    assert any("first and second: frequencies-together" in line for line in refused.value.blocking)
    done = release(check(by_chromosome(tmp_path, form, 0.9)))
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    asked = certificate["policy"]["redacted"]["datasets"]
    assert [asked[name]["people"] for name in ("first", "second")] == [[0, 2], [1, 2]]
    assert [asked[name]["counted"] for name in ("first", "second")] == [0, 1]
    assert [one["datasets"] for one in certificate["together"]["judged"]] == [["first", "second"]]
    assert verify(done.directory).ok
    certificate["together"]["judged"] = []
    certificate["files"] = file_hashes(done.directory / "public")
    (done.directory / "public" / "certificate.json").write_text(json.dumps(certificate))
    write_sums(done.directory / "public")
    assert not verify(done.directory).ok


def test_people_are_compared_by_the_names_of_their_samples_too() -> None:
    policy = SimpleNamespace(datasets={})
    names = {
        "key": names_of(["Ann", "Bob"], {"s1": "Ann", "s2": "Bob", "s3": ""}),
        "table": None,
        "plain": names_of(["s1_s1", "s4_s4"]),
        "other": names_of(["t1"]),
        "third": names_of(["Bob", "Cem"]),
        "again": names_of(["Bob", "Ann"]),
    }
    policy.datasets = {name: reading_nothing(name) for name in names}
    found = labels_of_people(policy, names)  # type: ignore[arg-type]
    assert found == {"key": [0], "table": [], "plain": [0], "other": [], "third": [0], "again": [0]}
    assert labels_of_counted(names) == {"key": 0, "plain": 1, "other": 2, "third": 3, "again": 0}


def reading_nothing(name: str) -> Any:
    """A dataset that reads no file."""
    return SimpleNamespace(name=name, read=Source(), own=SimpleNamespace(people=tuple))


def test_a_release_of_two_datasets_holds_the_budget_of_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_DNA_KEY", "an example secret, long enough")
    with pytest.raises(Infeasible, match="taken together") as refused:
        release(check(policy(tmp_path, 0.3)))
    assert any("frequencies-together" in line for line in refused.value.blocking)
    done = release(check(policy(tmp_path, 0.9)))
    public = done.directory / "public"
    certificate = json.loads((public / "certificate.json").read_text())
    (judged,) = certificate["together"]["judged"]
    assert (judged["name"], judged["datasets"]) == ("frequencies-together", ["first", "second"])
    assert certificate["together"]["not_judged"] == []
    assert verify(done.directory).ok
    certificate["together"]["judged"] = []
    certificate["files"] = file_hashes(public)
    (public / "certificate.json").write_text(json.dumps(certificate))
    write_sums(public)
    assert not verify(done.directory).ok


def test_linked_snps_of_two_datasets_are_no_columns_that_repeat_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SNPs of one haplotype tell each other's values; they count as two, which is more than they tell."""
    monkeypatch.setenv("TEST_DNA_KEY", "an example secret, long enough")
    path = policy(tmp_path, 0.9)
    rows = [line.split(",") for line in (tmp_path / "dna.csv").read_text().splitlines()]
    rows = [rows[0], *([*row[:31], row[30], *row[32:]] for row in rows[1:])]
    (tmp_path / "dna.csv").write_text("\n".join(map(",".join, rows)) + "\n")
    assert verify(release(check(path)).directory).ok
