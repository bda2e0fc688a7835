"""Rounded or noisy frequencies of the same SNPs again: counts that the steward keeps show that they tell no more."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sharewell.errors import DataError, Infeasible
from sharewell.genomes import Frequencies, Genotypes, MembershipPower, SafeNumber, Snps
from sharewell.genomes.criteria.frequencies_together import NOT_KNOWN, OTHER_PEOPLE, FrequenciesTogether
from sharewell.genomes.engine.exact_counts import counts_file, exact_counts
from sharewell.genomes.engine.selection import Selection
from sharewell.io.sources import Source
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.protocols import PublishedDataset

TOGETHER = FrequenciesTogether()


def drawn(people: int, snps: int, seed: int = 1) -> tuple[Any, Any]:
    """Calls, and the frequencies of the population."""
    draw = np.random.default_rng(seed)
    shares = draw.uniform(0.1, 0.5, snps)
    return draw.binomial(2, shares, (people, snps)).astype(np.int8), shares


def rounded(calls: Any, decimals: int | None, which: slice = slice(None)) -> Frequencies:
    """As frequency-floor would publish them, had it left nothing out."""
    pool = Genotypes.of(calls, snps=Snps.of([f"rs{i}" for i in range(calls.shape[1])])).take(snps=which)
    exact = Frequencies.of(pool)
    shown = exact.frequency if decimals is None else exact.frequency.round(decimals)
    return replace(exact, frequency=shown, decimals=decimals)


def part(
    place: Path, calls: Any, decimals: int | None, which: slice = slice(None), *criteria: Any, **more: Any
) -> PublishedDataset:
    """A published dataset, whose counts lie in a folder of internal/."""
    data = rounded(calls, decimals, which)
    place.mkdir()
    for name, content in counts_file(Genotypes.of(calls), data, np.arange(calls.shape[1])[which]).items():
        (place / name).write_text(content)
    return PublishedDataset(place.name, data, Source(), "genomes", criteria, internal=place, **more)


@pytest.mark.parametrize(("first", "second"), [(2, 2), (1, 3), (2, None), (None, 1)])
def test_two_roundings_of_the_same_people_are_as_powerful_as_their_counts(
    tmp_path: Path, first: int | None, second: int | None
) -> None:
    """An attacker who knows the population joins both files, and recognises no more members than the finding says."""
    calls, shares = drawn(150, 450)
    one = part(tmp_path / "one", calls, first, slice(0, 300), SafeNumber(0.9))
    two = part(tmp_path / "two", calls, second, slice(150, 450), release="r0")
    found = TOGETHER.check([one, two])
    assert (found.ok, found.details.snps) == (True, 450)
    low, high = np.zeros(450), np.ones(450)
    for data, where in ((one.data, slice(0, 300)), (two.data, slice(150, 450))):
        half = 0.0 if data.decimals is None else 0.5 * 10.0**-data.decimals
        low[where] = np.maximum(low[where], data.frequency - half)
        high[where] = np.minimum(high[where], data.frequency + half)
    recognised = power(calls, (low + high) / 2, shares)
    assert recognised <= float(found.value) + 0.08, "within what 150 members and 4,000 others can show"


def power(calls: Any, mix: Any, shares: Any, fpr: float = 0.05) -> float:
    """The share of members whose likelihood ratio exceeds that of all but fpr of others of the population."""
    mix = np.clip(mix, 1e-3, 1 - 1e-3)
    others = np.random.default_rng(7).binomial(2, shares, (4000, len(shares)))
    members, others = (
        people @ np.log(mix / shares) + (2 - people) @ np.log((1 - mix) / (1 - shares)) for people in (calls, others)
    )
    return float((members > np.quantile(others, 1 - fpr)).mean())


def test_who_was_exchanged_behind_the_rounding_is_noticed(tmp_path: Path) -> None:
    """The published numbers agree as far as rounding goes; the counts do not, and one person's genotype is at stake."""
    calls, _ = drawn(201, 60)
    one = part(tmp_path / "one", calls[:200], 2, slice(None), SafeNumber(0.9))
    two = part(tmp_path / "two", calls[1:], 2, release="r0")
    assert np.abs(one.data.frequency - two.data.frequency).max() <= 0.01 + 1e-9
    found = TOGETHER.check([one, two])
    assert found.ok is None
    assert OTHER_PEOPLE in found.note
    again = part(tmp_path / "again", calls[:200], 2, release="r0")
    assert TOGETHER.check([one, again]).ok is True
    unknown = TOGETHER.check([one, replace(again, internal=None)])
    assert unknown.ok is None
    assert NOT_KNOWN in unknown.note
    assert "internal/" in unknown.note


def test_decimals_finer_than_one_allele_need_no_file_of_the_steward(tmp_path: Path) -> None:
    calls, _ = drawn(41, 60)
    one, other = (
        part(tmp_path / name, calls[rows], 2, slice(None), SafeNumber(0.9))
        for name, rows in (("one", slice(0, 40)), ("other", slice(1, 41)))
    )
    one, other = (replace(data, internal=None) for data in (one, other))
    assert TOGETHER.check([one, replace(one, release="r0")]).ok is True
    assert OTHER_PEOPLE in TOGETHER.check([one, replace(other, release="r0")]).note
    coarse = replace(one, data=rounded(calls[:40], 1))
    assert NOT_KNOWN in TOGETHER.check([one, replace(coarse, release="r0")]).note
    some_missing = replace(one, data=replace(one.data, selection=Selection(60, "nobody", 39)), release="r0")
    assert NOT_KNOWN in TOGETHER.check([one, some_missing]).note, "of 39 people 0.33 is another count than of 40"


def test_noise_twice_around_the_same_counts_tells_no_more_than_they_do(tmp_path: Path) -> None:
    calls, _ = drawn(100, 60)
    plain = part(tmp_path / "plain", calls, None, slice(None), SafeNumber(0.9))
    shaken = np.clip(plain.data.frequency + np.random.default_rng(3).normal(0, 0.05, 60), 0, 1)
    noisy = replace(plain, name="noisy", data=replace(plain.data, frequency=shaken), falsified=True, release="r0")
    assert TOGETHER.check([plain, noisy]).ok is True
    assert TOGETHER.check([noisy, replace(noisy, release="")]).ok is True
    assert NOT_KNOWN in TOGETHER.check([plain, replace(noisy, internal=None)]).note
    calls[0, 0] = -1
    fewer = replace(part(tmp_path / "fewer", calls, None, release="r0"), falsified=True)
    assert OTHER_PEOPLE in TOGETHER.check([plain, fewer]).note


def test_an_attack_on_all_datasets_uses_the_sharper_numbers(tmp_path: Path) -> None:
    """The coarse dataset alone would be safe, and stands first; the same SNPs are published exactly beside it."""
    calls, _ = drawn(400, 700)
    pool, others = (
        Genotypes.of(
            calls[rows], snps=Snps.of([f"rs{i}" for i in range(700)]), persons=[f"{name}{i}" for i in range(200)]
        )
        for name, rows in (("p", slice(0, 200)), ("q", slice(200, 400)))
    )
    rule = MembershipPower(0.5, pool=pool, reference=others, knows="reference")
    coarse = part(tmp_path / "coarse", calls[:200], 1, slice(None), rule)
    sharp = part(tmp_path / "sharp", calls[:200], None, release="r0")
    alone = rule.check(replace(coarse.data, selection=None))
    whole = rule.check(replace(sharp.data, selection=None))
    assert (alone.ok, whole.ok) == (True, False)
    for datasets in ([coarse, sharp], [sharp, coarse]):
        found = TOGETHER.check(datasets)
        assert (found.details.carried_out, found.value) == (True, whole.value)
    twice = TOGETHER.check([coarse, replace(coarse, release="r0")])
    assert twice.value == whole.value, "two roundings count as the number itself"


def test_a_file_of_other_counts_is_refused(tmp_path: Path) -> None:
    calls, _ = drawn(50, 5)
    made = part(tmp_path / "made", calls, 1)
    file = tmp_path / "made" / "counts.csv"
    good = file.read_text()
    assert exact_counts(made.data, False, made.internal) is not None
    for bad in (good.replace("alleles", "a"), good + "1,2\n", good.replace("50", "51"), good.replace("50", "x")):
        file.write_text(bad)
        with pytest.raises(DataError, match=r"internal/made/counts.csv"):
            exact_counts(made.data, False, made.internal)
    assert counts_file(Genotypes.of(calls), replace(made.data, people=49), np.arange(5)) == {}


POLICY = """\
sharewell: 1
release: {{name: {name}{after}}}
secrets: {{key: env:TEST_DNA_KEY}}
datasets:
  dna:
    kind: genomes
    read: {{csv: {file}.csv}}
    columns: {{who: subject, {snps}}}
    rest: drop
    require: [safe-number: {{max_power: {power}, copies: 0}}]
    using: {{frequency-floor: {{floor: 0.05, decimals: {decimals}}}}}
write: {{csv: out}}
"""


def released(place: Path, name: str, snps: range, decimals: int, power: float = 0.9, file: str = "dna") -> Path:
    after = "" if name == "r1" else ", after: [out/r1]"
    columns = ", ".join(f"rs{i}: quasi" for i in snps)
    path = place / f"{name}.yaml"
    path.write_text(POLICY.format(name=name, after=after, snps=columns, decimals=decimals, power=power, file=file))
    return release(check(path)).directory


def write(place: Path, calls: Any, file: str = "dna") -> None:
    head = ",".join(["who", *(f"rs{i}" for i in range(calls.shape[1]))])
    rows = [",".join([f"p{i}", *map(str, row)]) for i, row in enumerate(calls.tolist())]
    (place / f"{file}.csv").write_text("\n".join([head, *rows]) + "\n")


def test_rounded_frequencies_after_an_earlier_release_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_DNA_KEY", "an example secret, long enough")
    calls, _ = drawn(201, 60)
    write(tmp_path, calls[:200])
    write(tmp_path, calls[1:], "exchanged")
    one = released(tmp_path, "r1", range(40), 2)
    two = released(tmp_path, "r2", range(20, 60), 3)
    told = json.loads((two / "public" / "certificate.json").read_text())["together"]
    assert [judged["datasets"] for judged in told["judged"]] == [["dna", "dna of r1"]]
    assert verify(two, earlier=[one]).ok
    assert verify(two / "public", earlier=[one / "public"]).ok, "attested"
    with pytest.raises(Infeasible, match=r"20 SNP\(s\) are in two datasets and not of the same people"):
        released(tmp_path, "r3", range(20, 60), 2, file="exchanged")
    released(tmp_path, "r4", range(40, 60), 2, file="exchanged")
    with pytest.raises(Infeasible, match=r"frequencies-together = 0\.\d+ probability \(≤ 0\.125: FAILS\)"):
        released(tmp_path, "r5", range(20, 60), 2, power=0.125)


def test_the_counts_of_an_earlier_release_must_be_those_it_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_DNA_KEY", "an example secret, long enough")
    write(tmp_path, drawn(200, 30)[0])
    one = released(tmp_path, "r1", range(30), 2)
    kept = one / "internal" / "dna" / "counts.csv"
    good = kept.read_text()
    kept.write_text(good + "\n")
    with pytest.raises(DataError, match=r"internal/dna/counts.csv — changed since the release"):
        released(tmp_path, "r2", range(30), 2)
    kept.rename(tmp_path / "elsewhere.csv")
    kept.symlink_to(tmp_path / "elsewhere.csv")
    with pytest.raises(DataError, match=r"counts.csv — listed in its manifest, but not there"):
        released(tmp_path, "r2", range(30), 2)
    kept.unlink()
    with pytest.raises(DataError, match=r"counts.csv — listed in its manifest, but not there"):
        released(tmp_path, "r2", range(30), 2)
