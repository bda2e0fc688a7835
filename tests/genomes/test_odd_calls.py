"""Odd calls read alike in every file of a dataset; linked SNPs are no family; damaged VCF is refused."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from sharewell.cli import main
from sharewell.errors import DataError
from sharewell.genomes import Genotypes, Kinship
from sharewell.genomes.data.snps import Snps
from sharewell.genomes.engine.inspection import membership
from sharewell.io.vcf import read_samples, read_variants
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import load

HEADER = (
    '##fileformat=VCFv4.2\n##contig=<ID=20>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">\n'
    "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t{names}\n"
)


def write_vcf(path: Path, people: list[str], rows: list[tuple[str, str]]) -> Path:
    """Rows of (alternatives, calls)."""
    lines = [
        f"20\t{100 * (i + 1)}\trs{i}\tA\t{alternatives}\t.\tPASS\t.\tGT\t" + "\t".join(calls.split())
        for i, (alternatives, calls) in enumerate(rows)
    ]
    path.write_text(HEADER.format(names="\t".join(people)) + "\n".join(lines) + "\n")
    return path


ODD = [("G", "0/1 1/1"), ("G,T", "0/1 1/2"), ("G", "0 1")]


def test_a_source_of_a_criterion_reads_odd_calls_as_its_dataset_does(tmp_path: Path) -> None:
    write_vcf(tmp_path / "pool.vcf", ["Ann", "Bob"], ODD)
    (tmp_path / "policy.yaml").write_text(
        "sharewell: 1\nrelease: {name: r}\ndatasets:\n  cohort:\n    kind: genomes\n    read: {vcf: pool.vcf}\n"
        "    multiallelic: split\n    haploid: double\n"
        "    require: [membership-power: {max_power: 0.5, pool: {vcf: pool.vcf},"
        " reference: {vcf: pool.vcf, haploid: missing}}]\n"
        "    using: {safe-snps: {max_power: 0.5}}\n"
    )
    (criterion,) = load(tmp_path / "policy.yaml").datasets["cohort"].require
    pool, reference = criterion.built.pool, criterion.built.reference
    assert (pool.multiallelic, pool.haploid) == ("split", "double")
    assert (reference.multiallelic, reference.haploid) == ("split", "missing"), "its own word comes first"


RELEASED = """\
sharewell: 1
release: {name: r}
secrets: {key: env:TEST_ODD_KEY}
datasets:
  cohort:
    kind: genomes
    read: {vcf: pool.vcf}
    multiallelic: split
    haploid: double
    require:
      - membership-power: {max_power: 0.99, knows: reference, pool: {vcf: pool.vcf}, reference: {vcf: others.vcf}}
    using: {frequency-floor: {floor: 0}}
    attacks: [likelihood-ratio: {reference: {vcf: others.vcf}}]
write: {csv: out}
"""


def test_odd_calls_of_pool_and_reference_are_read_when_a_release_is_made_and_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_ODD_KEY", "an example secret, long enough")
    draw = np.random.default_rng(2)
    for name in ("pool", "others"):
        sites = [("G", ["0/0", "0/1", "1/1"]), ("G,T", ["0/1", "1/2", "0/2"]), ("G", ["0", "1", "0/1"])] * 4
        rows = [(alternatives, " ".join(draw.choice(calls, 80))) for alternatives, calls in sites]
        write_vcf(tmp_path / f"{name}.vcf", [f"{name}{i}" for i in range(80)], rows)
    (tmp_path / "policy.yaml").write_text(RELEASED)
    done = release(load(tmp_path / "policy.yaml"))
    (attack,) = (one for one in done.findings["datasets"]["cohort"]["attacks"] if one["name"] == "likelihood-ratio")
    assert attack["after"]["value"] is not None
    found = verify(done.directory, with_=tmp_path)
    assert found.ok
    assert [str(one.tier) for one in found.findings["cohort"]] == ["steward"]


@pytest.mark.parametrize("verb", ["kinship", "frequencies", "membership"])
def test_commands_can_be_told_how_odd_calls_are_read(
    tmp_path: Path, verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write_vcf(tmp_path / "x.vcf", ["Ann", "Bob"], ODD))
    given = {
        "kinship": [path],
        "frequencies": [path, "--out", str(tmp_path / "f.csv")],
        "membership": ["--pool", path, "--reference", path],
    }[verb]
    assert main(["genomes", verb, *given]) == 3
    assert main(["genomes", verb, *given, "--multiallelic", "split", "--haploid", "double"]) == 0
    if verb == "membership":
        assert "caution  2 of 2 people of the reference are in the pool" in capsys.readouterr().out


def linked_strangers(people: int, snps: int, rng: np.random.Generator) -> Genotypes:
    """One region: every stranger has two of a few founders' stretches, so that all SNPs of it go together."""
    founders = rng.random((8, snps)) < 0.4
    calls = founders[rng.integers(8, size=people)].astype(np.int8) + founders[rng.integers(8, size=people)]
    names = [f"rs{i}" for i in range(snps)]
    sites = Snps.of(names, chromosome=["20"] * snps, position=list(range(1_000, 1_000 + 50 * snps, 50)))
    return Genotypes.of(calls, snps=sites)


def test_linked_snps_of_one_region_make_no_family_of_strangers() -> None:
    found = Kinship().mount(linked_strangers(60, 3_000, np.random.default_rng(3)))
    assert found.details.unlinked < 100
    assert found.value is None
    assert "too few unlinked SNPs" in found.note


def test_real_relatives_are_still_found_among_unlinked_snps() -> None:
    rng = np.random.default_rng(4)
    parents = rng.binomial(1, 0.4, (20, 2, 6_000))
    child = [parents[i, rng.integers(2, size=6_000), np.arange(6_000)] for i in (0, 1)]
    calls = np.vstack([parents.sum(axis=1), sum(child)[None]]).astype(np.int8)
    names = [f"rs{i}" for i in range(6_000)]
    sites = Snps.of(names, chromosome=["1"] * 6_000, position=[1 + 400_000 * i for i in range(6_000)])
    found = Kinship().mount(Genotypes.of(calls, snps=sites))
    assert (found.details.first, found.details.same) == (2, 0)


def test_a_pool_that_is_its_own_reference_is_said_so(tmp_path: Path) -> None:
    calls = np.random.default_rng(5).binomial(2, 0.3, (30, 200))
    people = [f"p{i}" for i in range(30)]
    path = write_vcf(
        tmp_path / "pool.vcf",
        people,
        [("G", " ".join(("0/0", "0/1", "1/1")[call] for call in column)) for column in calls.T],
    )
    (caution,) = membership(path, path)["cautions"]
    assert "30 of 30 people of the reference are in the pool" in caution


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("20\t99999999999\trs9\tA\tG\t.\tPASS\t.\tGT\t0/1\t0/0", "position"),
        ("20\t2147483648\trs9\tA\tG\t.\tPASS\t.\tGT\t0/1\t0/0", "position"),
        ("20\t900\trs9\tA\tG\t.\tPASS\t.\tGT\t0/1\t0/0\t1/1", "columns"),
        ("#a remark among variants\twith\ttabs", "header line"),
        ("nowhere\tx\trs9\tA\tG\t.\tPASS\t.\tGT\t0/1\t0/0", "not a variant"),
        ("20\t900\trs9\tA\tG\t.\tPASS\t.\tGT\t0/1\tx/y", "genotype"),
        ("", "columns"),
    ],
)
def test_lines_that_break_the_format_are_named_by_their_number(tmp_path: Path, line: str, why: str) -> None:
    path = write_vcf(tmp_path / "x.vcf", ["Ann", "Bob"], [("G", "0/1 1/1")])
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(DataError, match=rf"line 6 .*{why}"):
        list(read_variants(path))


def test_mutated_files_are_read_or_refused(tmp_path: Path) -> None:
    """A crash of the reading library would end this very process."""
    whole = write_vcf(tmp_path / "x.vcf", ["Ann", "Bob"], ODD).read_bytes()
    rng, path = random.Random(7), tmp_path / "y.vcf"
    for _ in range(150):
        raw = bytearray(whole)
        for _ in range(rng.randint(1, 4)):
            place = rng.randrange(len(raw))
            raw[place : place + rng.randint(0, 3)] = bytes(rng.choices(b"\t\n#019AG/|.:,;=<\x00", k=rng.randint(0, 3)))
        path.write_bytes(bytes(raw) + b"\n")
        try:
            read_samples(path)
            list(read_variants(path))
        except DataError:
            continue
