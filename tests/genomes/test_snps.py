"""One SNP that two files write in two ways is recognised, or the pair of files is undecided; never other SNPs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import Infeasible
from sharewell.genomes import Frequencies, SafeNumber, Snps
from sharewell.genomes.criteria.frequencies_together import FrequenciesTogether
from sharewell.genomes.data.snps import chromosome_of, identities, place_in
from sharewell.genomes.engine.selection import Selection
from sharewell.io.sources import Source
from sharewell.pipeline.run import release
from sharewell.policy import check
from sharewell.protocols import PublishedDataset

COUNT = 3
IDS, AT = [f"rs{i + 101}" for i in range(COUNT)], [1000 * (i + 1) for i in range(COUNT)]


def published(snps: Snps, people: int, name: str) -> PublishedDataset:
    shares = [0.25] * len(snps)
    data = Frequencies.of_arrays(shares, people=people, snps=snps, selection=Selection(len(snps), "nobody", people))
    return PublishedDataset(name, data, Source(), "genomes", (SafeNumber(0.9),), frozenset({0}))


def sites(ids: list[str], chromosome: str = "0", at: list[int] | None = None) -> Snps:
    alleles = {"effect": ["A"] * COUNT, "other": ["C"] * COUNT} if at else {}
    return Snps.of(ids, chromosome=[chromosome] * COUNT, position=at or [0] * COUNT, **alleles)


BARE = ["."] * COUNT
ELSEWHERE = [at + 7 for at in AT]
UNLIKE = {
    **{f"chromosome {name}": sites(BARE, name, AT) for name in (
        "NC_000001.11", "nc_000001", "CM000663.2", "chrom1", "CHROMOSOME_1", "１", "chr 1", "0", "un", "1p36", "LG1",
        "GL000008.2", "I", "ch1", "chr-1",
    )},
    "1:1000": sites([f"1:{at}" for at in AT]),
    "chr1:1000:A:C": sites([f"chr1:{at}:A:C" for at in AT]),
    "1:1000_A_C": sites([f"1:{at}_A_C" for at in AT]),
    "chr1_1000_A_C": sites([f"chr1_{at}_A_C" for at in AT]),
    "NC_000001.11:g.1000A>C": sites([f"NC_000001.11:g.{at}A>C" for at in AT]),
    "zero width": sites([f"{name}\u200b" for name in IDS], "1", ELSEWHERE),
    "full width": sites([f"ｒ{name[1:]}" for name in IDS]),
    "list": sites([f"{name};rs9{name[2:]}" for name in IDS], "1", ELSEWHERE),
    "chip": sites([f"GSA-{name}" for name in IDS]),
    "own names": sites([f"c{i}" for i in range(COUNT)]),
}  # fmt: skip


@pytest.mark.parametrize("how", UNLIKE)
def test_snps_written_otherwise_are_never_taken_for_other_snps(how: str) -> None:
    ours, theirs = published(sites(IDS, "1", AT), 100, "a"), published(UNLIKE[how], 99, "b")
    for pair in ([ours, theirs], [theirs, ours]):
        assert FrequenciesTogether().check(pair).ok is None


@pytest.mark.parametrize(("one", "other"), [("X", "25"), ("X", "PAR1"), ("23", "XY"), ("MT", "NC_012920.1")])
def test_chromosomes_with_letters(one: str, other: str) -> None:
    found = FrequenciesTogether().check(
        [published(sites(BARE, one, AT), 100, "a"), published(sites(BARE, other, AT), 99, "b")]
    )
    assert found.ok is None


def test_places_cannot_be_told_from_rs_numbers_alone() -> None:
    found = FrequenciesTogether().check([published(sites(BARE, "1", AT), 100, "a"), published(sites(IDS), 99, "b")])
    assert found.ok is None
    assert "rs number or chromosome and position" in found.note


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (sites(IDS), sites(["rs1", "rs2", "rs3"])),
        (sites(BARE, "1", AT), sites(BARE, "chr1", ELSEWHERE)),
        (sites(["a", "b", "c"]), sites(["d", "e", "f"])),
        (sites(IDS, "GL000008.2", AT), sites(["x", "y", "z"], "GL000008.2", ELSEWHERE)),
        (sites(IDS, "1", AT), sites(["rs7", "x", "."], "2", AT)),
    ],
)
def test_other_snps_of_one_way_of_naming_add_up(one: Snps, other: Snps) -> None:
    assert FrequenciesTogether().check([published(one, 100, "a"), published(other, 99, "b")]).ok


def test_one_position_of_an_unknown_chromosome_may_be_one_snp() -> None:
    one, other = (
        published(sites(list(names), "0", AT), people, names) for names, people in (("abc", 100), ("xyz", 99))
    )
    assert FrequenciesTogether().check([one, other]).ok is None


def test_the_same_lists_of_names_in_both_are_the_same_snps() -> None:
    snps = Snps.of(["rs1;rs2", "rs2", "1:5"], chromosome=["1"] * 3, position=[10, 20, 30])
    assert snps.unclear(snps).tolist() == []


@given(
    st.integers(1, 22),
    st.sampled_from(
        ["{}", "chr{}", "Chr0{}", "chromosome {}", "CHROM_{}", "NC_0000{:02}.9", "CM000{:03}.1", " {}\u200b"]
    ),
    st.integers(1, 10**9),
    st.sampled_from([":", "_", "-", " ", "."]),
)
def test_every_spelling_of_a_place_is_one_place(number: int, form: str, at: int, between: str) -> None:
    written = form.format(number + 662 if form.startswith("CM") else number)
    assert chromosome_of(written) == str(number)
    assert (str(number), at) in identities(".", written, at).keys
    assert place_in(f"{written}:{at}:A:C") == (str(number), at)
    assert place_in(f"chr{number}{between}{at}{between}A") == (str(number), at)


DATASET: dict[str, Any] = {
    "kind": "genomes",
    "columns": {"id": "subject"},
    "rest": "quasi",
    "require": [{"safe-number": {"max_power": 0.5, "copies": 0}}],
    "using": {"frequency-floor": {"floor": 0.0}},
}


def test_columns_that_a_policy_renames_are_compared_by_their_names_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_DNA_KEY", "an example secret, long enough")
    for name, first in (("a", 0), ("b", 1)):
        rows = [f"P{i}," + ",".join(str((i * k) % 3) for k in (1, 2, 4)) for i in range(first, 60)]
        (tmp_path / f"{name}.csv").write_text("\n".join([",".join(["id", *IDS]), *rows]) + "\n")
    columns = {f"rs{i + 1}": name for i, name in enumerate(IDS)}
    policy = {
        "sharewell": 1,
        "release": {"name": "r"},
        "secrets": {"key": "env:TEST_DNA_KEY"},
        "datasets": {
            "a": {**DATASET, "read": {"csv": "a.csv"}},
            "b": {**DATASET, "read": {"csv": "b.csv", "columns": columns}},
        },
        "write": {"csv": "out"},
    }
    (tmp_path / "policy.yaml").write_text(json.dumps(policy))
    with pytest.raises(Infeasible) as refused:
        release(check(tmp_path / "policy.yaml"))
    assert any("frequencies-together" in line for line in refused.value.blocking)
