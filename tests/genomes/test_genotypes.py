"""Genotypes against a plain dictionary; PLINK and VCF files as they come, whole and damaged."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sharewell.errors import DataError
from sharewell.genomes import Genotypes, Snps
from sharewell.genomes.engine import packed_calls
from sharewell.genomes.engine.sample_persons import named

CALLS = arrays(np.int8, st.tuples(st.integers(0, 11), st.integers(0, 9)), elements=st.integers(-1, 2))


def plain(data: Genotypes) -> dict[tuple[str, str], int]:
    """What the packed bytes say, two bits after the other, as PLINK's format is described."""
    meaning = {0b00: 2, 0b01: -1, 0b10: 1, 0b11: 0}
    return {
        (person, name): meaning[int(data.packed[j, i // 4]) >> 2 * (i % 4) & 3]
        for i, person in enumerate(data.persons)
        for j, name in enumerate(data.snps.id)
    }


def expected(calls: Any) -> dict[tuple[str, str], int]:
    return {(f"person{i + 1}", f"snp{j + 1}"): int(calls[i, j]) for i, j in np.ndindex(*calls.shape)}


# ── in memory ────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(CALLS, st.integers(1, 4), st.integers(0, 255))
@settings(max_examples=150, deadline=None)
def test_all_ways_to_look_agree_with_a_dictionary(calls: Any, size: int, noise: int) -> None:
    data = Genotypes.of(calls)
    assert plain(data) == expected(calls)
    assert (data.rows, data.count) == calls.shape
    if data.rows % 4:  # bits left over mean nothing, whatever they are
        data.packed[:, -1] |= np.uint8(noise << 2 * (data.rows % 4) & 255)
    assert data.array().tolist() == calls.tolist()
    seen = [(row, which.start) for which, block in data.blocks(size) for row in block.tolist()]
    assert [row for row, _ in seen] == calls.T.tolist()
    alleles, called = data.counts()
    known = calls >= 0
    assert alleles.tolist() == np.where(known, calls, 0).sum(axis=0).tolist()
    assert called.tolist() == known.sum(axis=0).tolist()


@given(CALLS, st.data())
@settings(max_examples=100, deadline=None)
def test_take(calls: Any, choose: st.DataObject) -> None:
    data = Genotypes.of(calls)
    who = choose.draw(st.permutations(range(data.rows)).flatmap(lambda p: st.integers(0, len(p)).map(lambda n: p[:n])))
    which = choose.draw(st.lists(st.integers(0, data.count - 1)) if data.count else st.just([]))
    taken = data.take(persons=who, snps=which)
    assert taken.persons == tuple(data.persons[i] for i in who)
    assert taken.array().tolist() == calls[np.ix_(who, which)].tolist()
    mask = np.isin(np.arange(data.rows), who)
    assert data.take(persons=mask).array().tolist() == calls[mask].tolist()
    assert data.take([data.persons[i] for i in who]).array().tolist() == calls[who].tolist()
    assert data.take(snps=slice(1, None)).array().tolist() == calls[:, 1:].tolist()


def test_more_persons_than_sixteen_bits_count() -> None:
    """All of them with two effect alleles is the most there can be."""
    calls = np.full((3, 70_001), 2, dtype=np.int8)
    calls[1, ::3], calls[2, ::2] = -1, 0
    alleles, called = packed_calls.count(packed_calls.pack(calls), 70_001)
    assert alleles.tolist() == [140_002, 2 * (70_001 - 23_334), 70_000]
    assert called.tolist() == [70_001, 70_001 - 23_334, 70_001]


@pytest.mark.parametrize("persons", [1, 31, 32, 33, 4 * 8 * 31, 4 * 8 * 62 + 7, 9_001])
def test_the_kernel_and_its_twin_count_every_bit(persons: int) -> None:
    """Any bits, in rows that begin at any byte, as those of a mapped file do."""
    pytest.importorskip("numba")
    wide = packed_calls.width(persons)
    raw = np.random.default_rng(persons).integers(0, 256, 3 + 5 * wide, dtype=np.uint8)
    raw[3 + wide : 3 + 3 * wide] = [0x55] * wide + [0xFF] * wide
    packed = raw[3:].reshape(5, wide)
    calls = packed_calls.unpack(packed, persons).astype(np.int64)
    expected = np.maximum(calls, 0).sum(axis=1), (calls >= 0).sum(axis=1)
    for large in (False, True):
        counted = packed_calls.count(packed, persons, large=large)
        assert [one.tolist() for one in counted] == [one.tolist() for one in expected]


@given(CALLS)
@settings(max_examples=50, deadline=None)
def test_counting_the_other_allele(calls: Any) -> None:
    flipped = packed_calls.unpack(packed_calls.flip(Genotypes.of(calls).packed), len(calls)).T
    assert flipped.tolist() == np.where(calls < 0, -1, 2 - calls).tolist()


@pytest.mark.parametrize("array", [[[0.0, np.nan], [2.0, -1.0]], [[0, None], [2, -1]], np.array([[0, -1], [2, -1]])])
def test_missing_calls_as_people_write_them(array: Any) -> None:
    assert Genotypes.of(array).array().tolist() == [[0, -1], [2, -1]]


@pytest.mark.parametrize(
    ("array", "told"),
    [
        ([[0, 3], [1, 7]], "2 call(s) are not 0, 1, 2 or missing"),
        ([[0.5]], "1 call(s)"),
        ([[-2, np.inf]], "2 call(s)"),
        ([0, 1], "1 dimension(s)"),
        ([["A/G"]], "not a table of numbers"),
        ([[1], [1, 2]], "not a table of numbers"),
        ([[{}]], "not a table of numbers"),
    ],
)
def test_what_is_no_call_is_refused(array: Any, told: str) -> None:
    with pytest.raises(DataError) as caught:
        Genotypes.of(array)
    assert told in str(caught.value)


def test_names_must_fit() -> None:
    with pytest.raises(DataError, match="of 1 person"):
        Genotypes.of([[0], [1]], persons=["a"])
    with pytest.raises(DataError, match=r"and 2\s+SNP"):
        Genotypes.of([[0], [1]], snps=["a", "b"])
    with pytest.raises(DataError, match=r"1 person.* more than once, 2 too many"):
        Genotypes.of([[0], [1], [2]], persons=["a", "a", "a"])
    data = Genotypes.of([[0], [1]])
    for wrong in ([5], ["nobody"], [True]):
        with pytest.raises(DataError) as caught:
            data.take(persons=wrong)
        assert "nobody" not in str(caught.value)
    with pytest.raises(ValueError, match="one SNP or more"):
        list(data.blocks(0))


# ── SNPs of two sides ────────────────────────────────────────────────────────────────────────────────────────────────


def test_shared_snps_by_place_alleles_and_name() -> None:
    ours = Snps.of(
        ["a", "b", "c", "d", "e", "f"],
        chromosome=["1", "1", "1", "2", "0", "3"],
        position=[10, 20, 20, 30, 0, 50],
        effect=["A", "G", "T", "C", "A", "0"],
        other=["G", "A", "A", "T", "C", "G"],
    )
    theirs = Snps.of(
        ["x", "y", "z", "d", "e", "f", "g"],
        chromosome=["chr1", "chr1", "1", "2", "0", "3", "4"],
        position=[20, 20, 10, 30, 0, 50, 60],
        effect=["A", "A", "T", "A", "C", "G", "A"],
        other=["T", "G", "C", "C", "A", "C", "C"],
    )
    mine, others, flipped = ours.shared(theirs)
    # a: other alleles; b and c: alleles tell which of two; d: alleles do not agree; e: by name; f: an unknown allele
    assert list(zip(mine.tolist(), others.tolist(), flipped.tolist(), strict=True)) == [
        (1, 1, True),
        (2, 0, True),
        (4, 4, True),
        (5, 5, True),
    ]


def test_twins_on_one_side_are_shared_with_none() -> None:
    one = Snps.of(["a"], chromosome=["1"], position=[10], effect=["A"], other=["G"])
    two = Snps.of(["a", "b"], chromosome=["1", "1"], position=[10, 10], effect=["A", "G"], other=["G", "A"])
    assert [len(found) for found in (*one.shared(two), *two.shared(one))] == [0] * 6


def test_on_the_snps_of_another() -> None:
    data = Genotypes.of([[0, 1, -1], [2, 2, 0]], snps=Snps.of(["a", "b", "c"], effect=list("ACG"), other=list("GTT")))
    there = data.on(Snps.of(["c", "x", "a"], effect=list("TAA"), other=list("GCG")))
    assert there.snps.id.tolist() == ["c", "a"]
    assert there.array().tolist() == [[-1, 0], [2, 2]]
    assert data.array().tolist() == [[0, 1, -1], [2, 2, 0]], "the original stays"
    with pytest.raises(DataError, match=r"none of 3 SNP\(s\) is among the 1"):
        data.on(Snps.of(["elsewhere"]))


def test_unnamed_snps_take_their_place_for_a_name() -> None:
    snps = Snps.of(
        ["rs1", ".", ""], chromosome=["1", "2", "3"], position=[5, 6, 7], effect=list("ACG"), other=list("TTT")
    )
    assert snps.id.tolist() == ["rs1", "2:6:T:C", "3:7:T:G"]
    with pytest.raises(DataError, match=r"1 name.* but 2 of position"):
        Snps.of(["a"], position=[1, 2])


# ── PLINK ────────────────────────────────────────────────────────────────────────────────────────────────────────────

BED = bytes.fromhex("6c1b01dc0fe70f6b01")
BIM = "1 snp1 0 1 G A\n1 snp2 0 2 1 2\n1 snp3 0 3 A C\n"
FAM = "".join(f"{family} {family}{i} 0 0 1 0\n" for family in "12" for i in "123")
"""The example of PLINK's own description of the format."""


def plink(folder: Path, bed: bytes = BED, bim: str = BIM, fam: str = FAM) -> Path:
    for end, content in (("bed", bed), ("bim", bim.encode()), ("fam", fam.encode())):
        (folder / f"x.{end}").write_bytes(content)
    return folder / "x.bed"


def test_the_example_of_the_format(tmp_path: Path) -> None:
    data = Genotypes.from_bed(plink(tmp_path))
    assert data.array().tolist() == [[2, 0, 0], [0, -1, 1], [-1, 1, 1], [0, 0, -1], [0, 0, -1], [0, 0, 2]]
    assert data.persons == ("11", "12", "13", "21", "22", "23")
    assert data.snps.effect.tolist() == ["G", "1", "A"]
    assert data.snps.position.tolist() == [1, 2, 3]
    assert isinstance(data.packed, np.memmap)
    assert isinstance(data.take(snps=slice(0, 2)).packed, np.memmap), "a slice stays on disk"
    assert plain(Genotypes.from_bed(str(tmp_path / "x"))) == plain(data), "the suffix may be left out"
    data.write_bed(tmp_path / "again.bed")
    assert (tmp_path / "again.bed").read_bytes() == BED
    data.write_bed(tmp_path / "x.bed")  # onto the file that is being read
    assert Genotypes.from_bed(tmp_path / "x.bed").array().tolist() == data.array().tolist()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        f"{name}.{end}" for name in ("x", "again") for end in ("bed", "bim", "fam")
    )


@given(CALLS)
@settings(max_examples=40, deadline=None)
def test_written_and_read_again(tmp_path_factory: pytest.TempPathFactory, calls: Any) -> None:
    path = tmp_path_factory.mktemp("bed") / "x.bed"
    count = calls.shape[1]
    snps = Snps.of(
        [f"rs{i}" for i in range(count)],
        chromosome=["X"] * count,
        position=range(count),
        effect=["A"] * count,
        other=["GATTACA"] * count,
    )
    data = Genotypes.of(calls, snps=snps)
    data.write_bed(path)
    again = Genotypes.from_bed(path)
    assert plain(again) == plain(data)
    assert again.packed.tobytes() == data.packed.tobytes()
    for name in ("id", "chromosome", "position", "effect", "other"):
        assert getattr(again.snps, name).tolist() == getattr(snps, name).tolist()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"bed": b"\x6c\x1b\x00" + BED[3:]}, "individual-major order"),
        ({"bed": b"\x6c\x1b\x02" + BED[3:]}, "damaged"),
        ({"bed": b"\x00" + BED[1:]}, "not a PLINK .bed file"),
        ({"bed": b""}, "not a PLINK .bed file"),
        ({"bed": BED[:-1]}, "8 bytes where 3 SNP(s) of 6 sample(s) take 9"),
        ({"bed": BED + b"\0"}, "10 bytes where"),
        ({"bim": BIM + "1 snp4 0 4 A C\n"}, "9 bytes where 4 SNP(s)"),
        ({"fam": ""}, "0 sample(s)"),
        ({"bim": BIM + "1 snp4\n"}, "x.bim — not 6 columns in every line"),
        ({"bim": BIM.replace(" 2 1 ", " here 1 ")}, "positions, whole numbers"),
        ({"fam": FAM + "1 one\n"}, "x.fam — not 6 columns"),
    ],
)
def test_damaged_files_are_refused(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    with pytest.raises(DataError) as caught:
        Genotypes.from_bed(plink(tmp_path, **change))
    assert told in str(caught.value)
    assert "snp4" not in str(caught.value)


@pytest.mark.parametrize("end", ["bed", "bim", "fam"])
def test_files_that_are_not_there(tmp_path: Path, end: str) -> None:
    path = plink(tmp_path)
    path.with_suffix(f".{end}").unlink()
    with pytest.raises(DataError, match=f"x.{end} — cannot be read"):
        Genotypes.from_bed(path)


def test_texts_as_they_come(tmp_path: Path) -> None:
    """Tabs, several blanks, Windows line ends, no last line end, quotes that mean nothing."""
    bim = '  1\tsnp"1 0   1 G A\r\n1 snp2\t0 2 1 2  \r\n1 . 0 3 A C'
    data = Genotypes.from_bed(plink(tmp_path, bim=bim))
    assert data.snps.id.tolist() == ['snp"1', "snp2", "1:3:C:A"]
    assert data.snps.other.tolist() == ["A", "2", "C"]


def test_names_with_blanks_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="1 sample name"):
        Genotypes.of([[0]], persons=["Ann Other"]).write_bed(tmp_path / "x.bed")
    with pytest.raises(DataError, match="1 name or allele"):
        Genotypes.of([[0]], snps=["a b"]).write_bed(tmp_path / "x.bed")
    with pytest.raises(DataError, match="cannot be written"):
        Genotypes.of([[0]]).write_bed(tmp_path / "nowhere" / "x.bed")
    assert not list(tmp_path.iterdir())


def test_a_file_is_streamed_in_little_memory(tmp_path: Path) -> None:
    """Peak memory of a process that counts a file of 128 MB and walks through its blocks."""
    people, snps = 32_768, 16_384
    plink(
        tmp_path,
        BED[:3],
        "".join(f"1 s{i} 0 {i} A C\n" for i in range(snps)),
        "".join(f"0 p{i} 0 0 0 0\n" for i in range(people)),
    )
    with (tmp_path / "x.bed").open("r+b") as file:
        file.truncate(3 + snps * people // 4)  # a file of holes: all of it zeros, which is two effect alleles
    code = (
        "import resource, sys; from sharewell.genomes import Genotypes; import pyarrow, pyarrow.csv\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3\n"
        "data = Genotypes.from_bed(sys.argv[1]); before = peak(); alleles, called = data.counts()\n"
        "assert set(alleles) == {65_536} and set(called) == {32_768}\n"
        "for number, (which, calls) in enumerate(data.take(snps=slice(2_000)).blocks(64)): assert calls[0, 0] == 2\n"
        "sys.stdout.write(str(peak() - before))"
    )
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "x.bed"], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 80  # megabytes


# ── whose samples ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_samples_of_one_name(tmp_path: Path) -> None:
    path = plink(tmp_path, fam=FAM.replace("2 21", "2 11"))
    with pytest.raises(DataError, match=r"1 sample name\(s\) there more than once, 1 too many — families=True"):
        Genotypes.from_bed(path)
    assert Genotypes.from_bed(path, families=True).persons == ("1:11", "1:12", "1:13", "2:11", "2:22", "2:23")
    path = plink(tmp_path, fam=FAM.replace("2 21", "1 11"))
    with pytest.raises(DataError, match="sample name"):
        Genotypes.from_bed(path, families=True)


def test_a_key_from_samples_to_persons(tmp_path: Path) -> None:
    path, key = plink(tmp_path), tmp_path / "key.csv"
    key.write_text("person,sample\nAnn,11\nBob,23\n,12\n,13\n,21\n,22\n")
    data = Genotypes.from_bed(path, persons=key)
    assert data.persons == ("Ann", "Bob")
    assert data.array().tolist() == [[2, 0, 0], [0, 0, 2]]
    everybody = {sample: f"P{sample}" for sample in ("11", "12", "13", "21", "22", "23")}
    assert Genotypes.from_bed(path, persons=everybody).persons == tuple(everybody.values())
    for wrong, told in (
        ({"11": "Ann"}, "5 of 6 sample"),
        (dict.fromkeys(everybody, "Ann"), "1 person.* more than once, 5 too many"),
    ):
        with pytest.raises(DataError, match=told) as caught:
            Genotypes.from_bed(path, persons=wrong)
        assert "Ann" not in str(caught.value)
    with pytest.raises(DataError, match=r"sample.* of the key there more than once"):
        named(["a"], pa.table({"sample": ["a", "a"], "person": ["x", "y"]}))
    with pytest.raises(DataError, match="no column 'person'"):
        named(["a"], pa.table({"sample": ["a"]}))


# ── frames ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("kind", ["text", "numbers", "floats", "pandas"])
def test_frames(kind: str) -> None:
    texts: dict[str, list[Any]] = {"who": ["a", "b", "c"], "rs1": ["0", "1", " 2"], "rs2": ["", None, "-1"]}
    numbers: dict[str, list[Any]] = {"who": [1, 2, 3], "rs1": [0, 1, 2], "rs2": [None, None, -1]}
    frame: Any = pa.table(texts if kind == "text" else numbers)
    if kind == "floats":
        frame = frame.set_column(1, "rs1", pa.array([0.0, 1.0, 2.0])).set_column(
            2, "rs2", pa.array([np.nan, None, -1.0])
        )
    if kind == "pandas":
        frame = frame.to_pandas()
    data = Genotypes.from_frame(frame, subject="who")
    assert data.persons == (("a", "b", "c") if kind == "text" else ("1", "2", "3"))
    assert data.snps.id.tolist() == ["rs1", "rs2"]
    assert data.array().tolist() == [[0, -1], [1, -1], [2, -1]]


def test_frames_with_other_columns() -> None:
    frame = pa.table({"who": ["a", "b"], "rs1": [0, 1], "repeats": ["41", None], "remark": ["x", "y"]})
    with pytest.raises(DataError, match=r"2 column.*: repeats, remark — name the SNPs with snps=") as caught:
        Genotypes.from_frame(frame, subject="who")
    assert "41" not in str(caught.value)
    for data in (
        Genotypes.from_frame(frame, subject="who", snps=["rs1"]),
        Genotypes.from_frame(frame, subject="who", leave=["repeats", "remark"]),
    ):
        assert data.array().tolist() == [[0], [1]]
    with pytest.raises(DataError, match="no column rs9"):
        Genotypes.from_frame(frame, subject="who", snps=["rs9"])
    with pytest.raises(DataError, match=r"1 row\(s\) belong to nobody"):
        Genotypes.from_frame(pa.table({"who": ["a", None], "rs1": [0, 1]}), subject="who")
    with pytest.raises(DataError, match=r"1 person\(s\) there more than once"):
        Genotypes.from_frame(pa.table({"who": ["a", "a"], "rs1": [0, 1]}), subject="who")


def test_the_synthetic_hospital() -> None:
    from sharewell.hospital import Hospital

    frame = Hospital(patients=200, seed=5).frame("genotypes")
    data = Genotypes.from_frame(frame, subject="patient_id", leave=["htt_repeats"])
    assert data.count == 100
    assert data.rows == frame.num_rows
    assert data.array()[:, 7].tolist() == [int(cell) for cell in frame[data.snps.id[7]].to_pylist()]


# ── VCF ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

HEADER = (
    '##fileformat=VCFv4.2\n##contig=<ID=7>\n##FORMAT=<ID=GT,Number=1,Type=String,Description="calls">\n'
    '##FORMAT=<ID=DP,Number=1,Type=Integer,Description="depth">\n'
    "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t"
)


def vcf(path: Path, lines: list[str], samples: tuple[str, ...] = ("s1", "s2", "s3")) -> Path:
    """Lines: name, alternatives and the calls, parted by blanks; the reference is A."""
    rows = [line.split() for line in lines]
    text = HEADER + "\t".join(samples) + "\n"
    for i, (name, alternatives, *calls) in enumerate(rows):
        text += "\t".join(["7", str(10 * (i + 1)), name, "A", alternatives, ".", ".", ".", "GT", *calls]) + "\n"
    path.write_text(text)
    return path


def test_calls_of_all_kinds(tmp_path: Path) -> None:
    lines = ["rs1 G 0/1 1|1 ./.", ". T 0|0 .|1 .", "rs3 . 0/0 0/0 ./."]
    data = Genotypes.from_vcf(vcf(tmp_path / "x.vcf", lines))
    assert data.persons == ("s1", "s2", "s3")
    assert data.array().T.tolist() == [[1, 2, -1], [0, -1, -1], [0, 0, -1]]
    assert data.snps.id.tolist() == ["rs1", "7:20:A:T", "rs3"]
    assert data.snps.effect.tolist() == ["G", "T", "0"]
    assert data.snps.other.tolist() == ["A", "A", "A"]
    assert data.snps.position.tolist() == [10, 20, 30]


def test_sites_of_several_alternatives(tmp_path: Path) -> None:
    path = vcf(tmp_path / "x.vcf", ["rs1 G 0/1 1/1 0/0", "rs2 G,T 0/1 1|2 2/2", ". G,T 0/0 ./2 0/2"])
    with pytest.raises(DataError, match=r"2 site\(s\) with several alternatives — multiallelic='split'"):
        Genotypes.from_vcf(path)
    data = Genotypes.from_vcf(path, multiallelic="split")
    assert data.snps.id.tolist() == ["rs1", "rs2:G", "rs2:T", "7:30:A:G", "7:30:A:T"]
    assert data.array().T.tolist() == [[1, 2, 0], [1, 1, 0], [0, 1, 2], [0, -1, 0], [0, -1, 1]]
    wrong: Any = "guess"
    with pytest.raises(ValueError, match="refuse"):
        Genotypes.from_vcf(path, multiallelic=wrong)
    with pytest.raises(ValueError, match="refuse"):
        Genotypes.from_vcf(path, haploid=wrong)


def test_calls_of_one_allele(tmp_path: Path) -> None:
    path = vcf(tmp_path / "x.vcf", ["rs1 G 0 1 .", "rs2 G 0/1 1 ."])
    with pytest.raises(DataError, match=r"3 call\(s\) of one allele — haploid='double'"):
        Genotypes.from_vcf(path)
    assert Genotypes.from_vcf(path, haploid="double").array().T.tolist() == [[0, 2, -1], [1, 2, -1]]
    assert Genotypes.from_vcf(path, haploid="missing").array().T.tolist() == [[-1, -1, -1], [1, -1, -1]]


def test_everything_odd_is_counted_in_one_message(tmp_path: Path) -> None:
    path = vcf(tmp_path / "x.vcf", ["a G 0/0/1 0/1 0/1", "b G 0 0/1 0/1", "c G,T 0/1 0/1 0/1", "d G 0/9 0/1 0/1"])
    path.write_text(path.read_text() + "7\t90\te\tA\tG\t.\t.\t.\tDP\t3\t4\t5\n")
    with pytest.raises(DataError) as caught:
        Genotypes.from_vcf(path)
    told = str(caught.value)
    for part in ("1 call(s) of one", "1 site(s) with several", "1 site(s) with calls of three", "1 site(s) without"):
        assert part in told
    assert "1 call(s) of an allele that the site does not list" in told


@pytest.mark.parametrize("mode", ["wz", "wbu", "wb"])
def test_packed_files_say_the_same(tmp_path: Path, mode: str) -> None:
    from cyvcf2 import VCF, Writer

    lines = [f"rs{i} G 0/1 1|{i % 2} {'./.' if i % 3 else '0/0'}" for i in range(200)]
    plainly = vcf(tmp_path / "x.vcf", lines)
    packed = tmp_path / ("x.vcf.gz" if mode == "wz" else "x.bcf")
    source = VCF(str(plainly))
    writer = Writer(str(packed), source, mode)
    for line in source:
        writer.write_record(line)
    writer.close()
    ours, theirs = Genotypes.from_vcf(plainly), Genotypes.from_vcf(packed)
    assert plain(ours) == plain(theirs)
    assert ours.snps.id.tolist() == theirs.snps.id.tolist()
    whole = packed.read_bytes()
    ends = {"last block": whole[:-28], "half": whole[: len(whole) // 2], "header": whole[:40]}
    for what, content in ends.items():
        if mode == "wbu" and what == "last block":
            continue
        packed.write_bytes(content)
        with pytest.raises(DataError, match=r"truncated|cannot be read|no VCF"):
            Genotypes.from_vcf(packed)


def test_plain_gzip(tmp_path: Path) -> None:
    path = vcf(tmp_path / "x.vcf", [f"rs{i} G 0/1 1|1 ./." for i in range(500)])
    packed = tmp_path / "x.vcf.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert plain(Genotypes.from_vcf(packed)) == plain(Genotypes.from_vcf(path))
    packed.write_bytes(packed.read_bytes()[:-12])
    with pytest.raises(DataError, match="truncated"):
        Genotypes.from_vcf(packed)


def test_text_cut_anywhere_in_its_last_line(tmp_path: Path) -> None:
    path = vcf(tmp_path / "x.vcf", ["rs1 G 0/1 1|1 ./.", "rs2 G 0/1 1|1 1/1"])
    whole = path.read_bytes()
    for end in range(whole.rstrip().rfind(b"\n") + 2, len(whole)):
        path.write_bytes(whole[:end])
        with pytest.raises(DataError, match="truncated"):
            Genotypes.from_vcf(path)


def test_samples_twice_or_none(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = vcf(tmp_path / "x.vcf", ["rs1 G 0/1 1|1 ./."], ("Ann", "Bob", "Ann"))
    with pytest.raises(DataError, match=r"1 sample name.* more than once, 1 too many"):
        Genotypes.from_vcf(path)
    path.write_text(HEADER.replace("\tFORMAT\t", "\n"))
    with pytest.raises(DataError, match="no samples"):
        Genotypes.from_vcf(path)
    path = vcf(tmp_path / "x.vcf", ["rs1 G 0/1 1|1", "rs2 G 0/1"], ("Ann", "Bob"))
    with pytest.raises(DataError, match="line 7 has 10 columns"):
        Genotypes.from_vcf(path)
    assert capfd.readouterr().err == "", "nobody's name goes to the terminal"


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"hello\n", b"##fileformat=VCFv4.2\n", b"\x1f\x8b\x08", b"BCF\x02\x02", b"\xff\xfe"]
)
def test_what_is_no_vcf(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.vcf").write_bytes(content)
    with pytest.raises(DataError):
        Genotypes.from_vcf(tmp_path / "x.vcf")
    with pytest.raises(DataError, match="no such file"):
        Genotypes.from_vcf(tmp_path / "y.vcf")
    with pytest.raises(DataError):
        Genotypes.from_vcf(tmp_path)


def test_no_variants_and_a_key(tmp_path: Path) -> None:
    assert Genotypes.from_vcf(vcf(tmp_path / "x.vcf", [])).array().shape == (3, 0)
    path = vcf(tmp_path / "x.vcf", ["rs1 G 0/1 1|1 ./.", "rs2 G 0 0/0 0/1"])
    data = Genotypes.from_vcf(path, persons={"s1": "", "s2": "Bob", "s3": "Ann"})
    assert data.persons == ("Bob", "Ann")
    assert data.array().tolist() == [[2, 0], [-1, 1]]


def test_without_cyvcf2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = vcf(tmp_path / "x.vcf", ["rs1 G 0/1 1|1 ./."])
    monkeypatch.setitem(sys.modules, "cyvcf2", None)
    with pytest.raises(DataError, match="pip install 'sharewell\\[genomes]'"):
        Genotypes.from_vcf(path)


CALL = st.tuples(st.sampled_from("0012."), st.sampled_from("/|"), st.sampled_from("0012.")).map("".join)


@given(st.lists(st.tuples(st.integers(1, 2), st.lists(CALL, min_size=5, max_size=5)), max_size=6))
@settings(max_examples=60, deadline=None)
def test_vcf_against_a_dictionary(tmp_path_factory: pytest.TempPathFactory, sites: list[tuple[int, list[str]]]) -> None:
    path = tmp_path_factory.mktemp("vcf") / "x.vcf"
    rows = [(n, [call.replace("2", str(n)) for call in calls]) for n, calls in sites]
    lines = [f"rs{i} {'GT'[0] if n == 1 else 'G,T'} {' '.join(calls)}" for i, (n, calls) in enumerate(rows)]
    data = Genotypes.from_vcf(vcf(path, lines, tuple("abcde")), multiallelic="split")
    told = []
    for alternatives, calls in rows:
        for allele in range(1, alternatives + 1):
            told.append([-1 if "." in call else call.count(str(allele)) for call in calls])
    assert data.array().T.tolist() == told
