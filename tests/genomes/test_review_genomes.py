"""What a review of released DNA found: each test is a way in which a release, or a verdict on one, was wrong."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from sharewell.errors import DataError, Infeasible
from sharewell.genomes import DNALA, DiverseSequences, Genotypes, KIdentical, Sequences
from sharewell.genomes.engine.sample_persons import named
from sharewell.io.fasta import read_fasta
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:TEST_GENOMES_KEY}
datasets:
  d:
    kind: genomes
    read: {csv: d.csv}
    columns: {who: subject}
    rest: quasi
    require: [REQUIRE]
    using: {frequency-floor: {floor: 0.1, decimals: 2}}
write: {csv: out}
"""
HEADER = "##fileformat=VCFv4.2\n##contig=<ID=1>\n##FORMAT=<ID=GT,Number=1,Type=String,Description=g>\n"
COLUMNS = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ta\tb\n"
Written = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Written:
    monkeypatch.setenv("TEST_GENOMES_KEY", "an example secret, long enough")

    def write(require: str) -> Path:
        draw = np.random.default_rng(0)
        for name, people in (("d", 40), ("ref", 40)):
            calls = draw.binomial(2, 0.4, (people, 12))
            rows = "".join(f"{name}{i},{','.join(map(str, row))}\n" for i, row in enumerate(calls))
            (tmp_path / f"{name}.csv").write_text(f"who,{','.join(f's{j}' for j in range(12))}\n{rows}")
        policy = tmp_path / "p.yaml"
        policy.write_text(POLICY.replace("REQUIRE", require))
        return policy

    return write


def test_a_pool_of_other_people_proves_nothing(written: Written) -> None:
    """As many strangers as members were attacked in their place, and the finding was called checked."""
    policy = written("membership-power: {max_power: 0.9, pool: {csv: ref.csv}, reference: {csv: d.csv}}")
    with pytest.raises(DataError, match="40 of 40 person"):
        release(check(policy))


@pytest.mark.parametrize("what", ["digits", "order"])
def test_rounding_and_order_are_read_from_the_file(written: Written, what: str) -> None:
    policy = written("minor-frequency: {floor: 0.1}")
    release(check(policy))
    public = policy.parent / "out" / "r" / "public"
    lines = (public / "d.csv").read_text().splitlines()
    if what == "digits":
        cells = lines[1].split(",")
        lines[1] = ",".join([*cells[:5], "0.4123456", *cells[6:]])
    else:
        lines[1:] = lines[:0:-1]
    (public / "d.csv").write_text("\n".join(lines) + "\n")
    certificate = json.loads((public / "certificate.json").read_text())
    certificate["files"] = {name: _sha(public / name) for name in certificate["files"]}
    (public / "certificate.json").write_text(json.dumps(certificate))
    files = sorted(path for path in public.iterdir() if path.name != "SHA256SUMS")
    (public / "SHA256SUMS").write_text("".join(f"{_sha(path)}  {path.name}\n" for path in files))
    assert [("decimals" if what == "digits" else "order") in one for one in verify(public).problems] == [True]


def _sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_blank_makes_no_other_label() -> None:
    data = Sequences.of(["AA", "AA", "AA"], labels=["flu", " flu", "flu "])
    assert DiverseSequences(2).check(data).value == 1


@pytest.mark.parametrize("read", [Sequences.from_frame, Genotypes.from_frame])
@pytest.mark.parametrize("who", [["a", "a "], [" ", "b"], [1.0, float("nan")], [["a"], ["b"]]])
def test_a_blank_makes_no_other_person(read: Any, who: list[Any]) -> None:
    column = {"sequence": ["AA", "AA"]} if read == Sequences.from_frame else {"s": [0, 1]}
    with pytest.raises(DataError):
        read(pa.table({"who": who, **column}), subject="who")


def test_a_blank_makes_no_other_person_in_a_key() -> None:
    with pytest.raises(DataError, match="more than once"):
        named(["s1", "s2"], pa.table({"sample": ["s1", "s2"], "person": ["Ann", "Ann "]}))


def test_one_label_is_asked_for_too() -> None:
    """With l = 1 a sequence of persons without labels was made, and the release failed only when it was verified."""
    texts, labels = ["AAAA", "AAAT", "TTTT", "TTTA", "GGGG", "GGGC"], [None, None, "x", "x", None, "y"]
    must: list[Any] = [KIdentical(2), DiverseSequences(1)]
    data = Sequences.of(texts, labels=labels)
    released = DNALA().protect(data, must).data
    assert all(one.check(released).ok for one in must)
    with pytest.raises(Infeasible):
        DNALA().protect(Sequences.of(texts, labels=[None] * 6), must)


@pytest.mark.parametrize("line", ["\n", "junk\n"])
def test_a_line_without_columns_does_not_end_the_process(tmp_path: Path, line: str) -> None:
    """htslib crashed on it, and took Python along."""
    pytest.importorskip("cyvcf2")
    path = tmp_path / "a.vcf"
    path.write_text(f"{HEADER}{COLUMNS}1\t10\t.\tA\tC\t.\t.\t.\tGT\t0/1\t0/0\n{line}")
    with pytest.raises(DataError, match="line 6 has 1 columns where the header names"):
        Genotypes.from_vcf(path)


def test_a_tab_ends_the_name_of_a_sequence(tmp_path: Path) -> None:
    path = tmp_path / "a.fa"
    path.write_text(">p1\tflu shot\nAC\n>p2\nAC\n")
    assert [(one.name, one.description) for one in read_fasta(path)] == [("p1", "flu shot"), ("p2", "")]
