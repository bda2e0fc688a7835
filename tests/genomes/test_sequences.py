"""Sequences: FASTA and frames, what is refused and how, alignment to a reference, SNPs of genotypes as symbols."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import DataError, PolicyError
from sharewell.genomes import DNALA, DiverseSequences, Genotypes, KIdentical, LatticeDistance, Sequences, Snps
from sharewell.genomes.engine.iupac_lattice import SYMBOLS

FASTA = ">one asthma\nAATTA\n>two gout and flu\r\naat\r\ngA\n\n;a remark\n>three\nA T T\tCA\n>four asthma\nAAUGA"
BASES = st.text("ACGT", min_size=1, max_size=12)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.fasta"
    path.write_bytes(FASTA.encode())
    return path


def refused(text: str, path: Path, **options: object) -> str:
    path.write_bytes(text.encode())
    with pytest.raises(DataError) as caught:
        Sequences.from_fasta(path, **options)  # type: ignore[arg-type]
    return str(caught.value)


class TestFasta:
    def test_cases_lines_and_remarks(self, file: Path) -> None:
        data = Sequences.from_fasta(file)
        assert data.ids == ("one", "two", "three", "four")
        assert data.texts == ("AATTA", "AATGA", "ATTCA", "AATGA")
        assert data.labels is None
        assert not data.published

    def test_gzipped(self, file: Path, tmp_path: Path) -> None:
        packed = tmp_path / "people.fasta.gz"
        packed.write_bytes(gzip.compress(file.read_bytes()))
        assert Sequences.from_fasta(packed).texts == Sequences.from_fasta(file).texts
        packed.write_bytes(packed.read_bytes()[:30])
        with pytest.raises(DataError, match="truncated"):
            Sequences.from_fasta(packed)

    def test_labels_and_persons(self, file: Path) -> None:
        assert Sequences.from_fasta(file, labels="description").labels == ("asthma", "gout and flu", None, "asthma")
        assert Sequences.from_fasta(file, labels={"one": "flu"}).labels == ("flu", None, None, None)
        key = {"one": "Ann", "two": None, "three": "Bob", "four": ""}
        assert Sequences.from_fasta(file, persons=key).ids == ("Ann", "Bob")
        with pytest.raises(DataError, match=r"sequences — 3 of 4 sample\(s\) are not in the key"):
            Sequences.from_fasta(file, persons={"one": "Ann"})
        with pytest.raises(PolicyError):
            Sequences.from_fasta(file, labels=["flu"])

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "no sequence"),
            ("\n\n", "no sequence"),
            ("ACGT\n", "line 1"),
            (">\nACGT\n>b\nACGT\n", "1 of 2"),
            (">a\n>b\nACGT\n", "1 of 2 are empty"),
            (">a\nAC*T!\n>b\nACGT\n", "2 symbol(s) in 1 sequence(s)"),
            (">a x\nACGT\n>a y\nACGT\n>b\nACGT\n", "1 sample name(s)"),
        ],
    )
    def test_what_is_refused(self, text: str, said: str, tmp_path: Path) -> None:
        assert said in refused(text, tmp_path / "x.fasta")

    def test_files_that_are_none(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="no such file"):
            Sequences.from_fasta(tmp_path / "absent.fasta")
        with pytest.raises(DataError, match="cannot be read"):
            Sequences.from_fasta(tmp_path)
        path = tmp_path / "bytes.fasta"
        path.write_bytes(b">a\n\xff\xfe\n")
        with pytest.raises(DataError, match="cannot be read"):
            Sequences.from_fasta(path)

    def test_round_trip(self, file: Path, tmp_path: Path) -> None:
        data = Sequences.from_fasta(file, labels="description")
        for name in ("out.fasta", "out.fasta.gz"):
            data.write_fasta(tmp_path / name)
            again = Sequences.from_fasta(tmp_path / name, labels="description")
            assert (again.ids, again.texts, again.labels) == (data.ids, data.texts, data.labels)

    def test_a_release_names_nobody_and_is_sorted(self, file: Path) -> None:
        released = DNALA().protect(Sequences.from_fasta(file), [KIdentical(2)]).data
        assert released.to_fasta() == ">1\nAATGA\n>2\nAATGA\n>3\nAWTYA\n>4\nAWTYA\n"

    def test_a_label_cannot_begin_a_record(self) -> None:
        data = Sequences.of(["AC", "GT"], ids=["a b", "c"], labels=["flu\n>evil\nACGT", None])
        assert data.to_fasta() == ">a_b flu >evil ACGT\nAC\n>c\nGT\n"


class TestData:
    def test_every_symbol(self) -> None:
        assert Sequences.of([SYMBOLS[1:], SYMBOLS[1:].lower()]).texts == (SYMBOLS[1:],) * 2

    def test_no_symbol_is_quoted(self) -> None:
        for text in ("ACGTé", "ACGT✓", "AC?T", "AC T", "EFIJ"):
            with pytest.raises(DataError) as caught:
                Sequences.of(["ACGT", text])
            assert text not in str(caught.value)
            assert "1 sequence(s)" in str(caught.value)

    def test_mistakes(self) -> None:
        with pytest.raises(PolicyError):
            Sequences.of("ACGT")
        with pytest.raises(DataError, match="1 of 2 are empty"):
            Sequences.of(["ACGT", " "])
        with pytest.raises(DataError, match=r"1 id\(s\)"):
            Sequences.of(["ACGT", "ACGA"], ids=["x", "x"])
        with pytest.raises(DataError, match="one for each"):
            Sequences.of(["ACGT", "ACGA"], ids=["x"])
        with pytest.raises(DataError, match="one for each"):
            Sequences.of(["ACGT", "ACGA"], labels=["x"])

    def test_unequal_lengths_name_the_option(self) -> None:
        data = Sequences.of(["ACGT", "ACG", "AC"])
        assert data.lengths.tolist() == [4, 3, 2]
        assert data.texts == ("ACGT", "ACG", "AC")
        for work in (
            lambda: DNALA().protect(data, []),
            lambda: data.length,
            lambda: LatticeDistance().score(data, data),
        ):
            with pytest.raises(DataError, match=r"3 lengths, 2 to 4 symbols.*aligned\(to=reference\)"):
                work()
        assert data.take(data.lengths == 3).length == 3

    def test_texts_of_several_lengths_are_told_apart(self) -> None:
        assert KIdentical(2).check(Sequences.of(["ACG", "AC", "ACG", "AC"])).value == 2
        assert KIdentical(2).check(Sequences.of(["ACG", "AC", "ACG"])).value == 1

    def test_frames(self) -> None:
        frame = pa.table({"who": ["a", "b"], "dna": ["acg", "acc"], "illness": ["flu", None], "rest": [1, 2]})
        data = Sequences.from_frame(frame, sequence="dna", subject="who", sensitive="illness")
        assert data.arrow.to_pydict() == {"dna": ["ACG", "ACC"], "illness": ["flu", None]}
        assert (data.ids, data.persons, data.unit) == (("a", "b"), ("a", "b"), "persons")
        with pytest.raises(DataError, match="no column nowhere"):
            Sequences.from_frame(frame, sequence="nowhere")
        hole = pa.table({"who": ["a", None], "dna": ["acg", "acc"]})
        with pytest.raises(DataError, match=r"column who — 1 row"):
            Sequences.from_frame(hole, sequence="dna", subject="who")

    def test_back_from_the_file(self) -> None:
        data = Sequences.of(["AWTYA", "AATGA"], labels=["flu", "gout"], published=True)
        again = Sequences.from_arrow(data.arrow, label="label")
        assert again.published
        assert again.arrow.equals(data.arrow)

    def test_order_is_that_of_content(self) -> None:
        data = Sequences.of(["CC", "AA", "AA", "AA"], ids=["1", "4", "3", "2"], labels=["x", "y", "x", "x"])
        assert data.order.tolist() == [3, 2, 1, 0]

    def test_none_at_all(self) -> None:
        data = Sequences.of([])
        assert (data.rows, data.length, data.texts, data.variable.tolist()) == (0, 0, (), [])
        assert KIdentical(2).check(data).failed
        assert DiverseSequences(2).check(Sequences.of([], labels=[])).failed

    def test_repr_shows_no_base(self) -> None:
        assert repr(Sequences.of(["ACGT"], ids=["somebody"])) == "Sequences(1 × 4)"


class TestGenotypes:
    def test_every_call(self) -> None:
        snps = Snps.of(["a", "b", "c"], effect=["A", "C", "T"], other=["G", "A", "C"])
        data = Sequences.of_genotypes(Genotypes.of([[0, 1, 2], [1, 2, -1]], persons=["x", "y"], snps=snps))
        assert data.texts == ("GMT", "RCN")
        assert data.ids == ("x", "y")

    def test_alleles_must_be_bases(self) -> None:
        for effect, other in ((None, None), (["AC", "A"], ["G", "G"]), (["R", "A"], ["G", "G"])):
            snps = Snps.of(["a", "b"], effect=effect, other=other)
            with pytest.raises(DataError, match=r"of 2 SNP\(s\) do not name two alleles"):
                Sequences.of_genotypes(Genotypes.of([[0, 1]], snps=snps))


class TestAlignment:
    def test_deletions_and_insertions(self) -> None:
        data = Sequences.of(["GATTACAGATTACA", "GATTACAATTACA", "GATTACAGCCATTACA"], ids=["1", "2", "3"])
        aligned = data.aligned(to="GATTACAGATTACA")
        assert aligned.texts == ("GATTACAG--ATTACA", "GATTACA---ATTACA", "GATTACAGCCATTACA")
        assert aligned.ids == data.ids
        assert Sequences.of([]).aligned(to="ACGT").rows == 0

    def test_a_part_finds_its_place(self) -> None:
        reference = "TTTTTTGATTACAGGCATCCCCCC"
        aligned = Sequences.of(["GATTACAGGCAT", "GATTACGGCAT"]).aligned(to=reference)
        assert aligned.length == 12
        assert aligned.texts[0] == "GATTACAGGCAT"

    def test_reference_from_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "reference.fasta"
        path.write_text(">ref\nGATTACAGG\n")
        data = Sequences.of(["GATTACAGG", "GATACAGG"])
        assert data.aligned(to=path).texts == data.aligned(to=Sequences.from_fasta(path)).texts
        path.write_text(">ref\nGATTACAGG\n>more\nGATTACAGG\n")
        with pytest.raises(PolicyError, match="2 references"):
            data.aligned(to=path)
        with pytest.raises(DataError, match="no base"):
            data.aligned(to="---")
        with pytest.raises(DataError, match=r"1 of 2 sequence\(s\) hold no base"):
            Sequences.of(["ACG", "---"]).aligned(to="ACG")

    def test_without_the_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for module in [name for name in sys.modules if name.partition(".")[0] == "Bio"] + ["Bio"]:
            monkeypatch.setitem(sys.modules, module, None)
        with pytest.raises(DataError, match=r"sharewell\[genomes\]"):
            Sequences.of(["ACG"]).aligned(to="ACG")

    @given(texts=st.lists(BASES, min_size=1, max_size=6), reference=BASES)
    @settings(max_examples=60, deadline=None)
    def test_nothing_is_lost_or_added(self, texts: list[str], reference: str) -> None:
        aligned = Sequences.of(texts).aligned(to=reference)
        assert [text.replace("-", "") for text in aligned.texts] == texts
        assert len({len(text) for text in aligned.texts}) == 1
        assert not any(set(column) == {"-"} for column in zip(*aligned.texts, strict=True))
        other = Sequences.of(texts[::-1]).aligned(to=reference)
        assert other.texts == aligned.texts[::-1]
        again = aligned.aligned(to=reference)  # gaps that are there are taken out first
        assert again.texts == aligned.texts
