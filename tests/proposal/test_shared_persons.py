"""Several files of one hospital."""

from __future__ import annotations

from pathlib import Path

import plain_files

from sharewell.proposal import Proposal
from sharewell.proposal.draft import seen
from sharewell.proposal.shared_persons import Group, groups


def test_files_are_tied_by_the_values_of_their_persons(tmp_path: Path) -> None:
    paths = [plain_files.people(tmp_path / "people.csv"), plain_files.notes(tmp_path / "notes.csv")]
    other = plain_files.write(tmp_path / "x.csv", ["patient_id", "age"], [(f"q{i}", 20 + i) for i in range(30)])
    assert groups(seen([*paths, other])) == [Group(("people", "notes"), 12)]


def test_a_column_that_holds_the_persons_of_another_file_is_their_person(tmp_path: Path) -> None:
    people = plain_files.people(tmp_path / "people.csv")
    visits = plain_files.write(
        tmp_path / "visits.csv", ["Kartei", "ward"], [(f"p{i // 2}", f"w{i % 5}") for i in range(80)]
    )
    assert [one.subject for one in seen([people, visits])] == ["patient_id", "Kartei"]
    assert [one.subject for one in seen([visits])] == ["Kartei"]
    rooms = plain_files.write(
        tmp_path / "rooms.csv", ["room", "Kartei"], [(f"r{i % 30}", f"p{i // 2}") for i in range(80)]
    )
    assert [one.subject for one in seen([people, rooms])] == ["patient_id", "Kartei"], "known persons, not a guess"


def test_a_list_of_people_is_the_attackers_and_not_released(tmp_path: Path) -> None:
    people = plain_files.people(tmp_path / "people.csv")
    rows = [(f"v{i}", f"Ann{i}", f"{1930 + i}-01-01", "FM"[i % 2]) for i in range(60)]
    voters = plain_files.write(tmp_path / "voters.csv", ["voter_id", "name", "birth_date", "sex"], rows)
    found = Proposal.of([people, voters], base=tmp_path)
    assert (found.registers, [one.name for one in found.datasets]) == (("voters",), ["people"])
    assert "linkage: {population: {csv: voters.csv}}" in found.text
    assert [one.name for one in Proposal.of([voters], base=tmp_path).datasets] == ["voters"]


def test_notes_are_searched_for_what_the_table_of_their_patients_says(tmp_path: Path) -> None:
    paths = [plain_files.people(tmp_path / "people.csv"), plain_files.notes(tmp_path / "notes.csv")]
    assert "no-known-identifiers: {dataset: people" in Proposal.of(paths).text
    assert "safe-harbor" in Proposal.of(paths[1:]).text


def test_a_column_that_holds_the_samples_of_a_file_of_dna_is_its_person(tmp_path: Path) -> None:
    """Even one called sample_id, which would be dropped otherwise, and nobody saw that both name the same people."""
    names = [f"S{i:03d}" for i in range(30)]
    fixed = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t"
    calls = "1\t100\trs1\tA\tG\t.\tPASS\t.\tGT\t" + "\t".join(["0/1"] * 30)
    vcf = tmp_path / "cohort.vcf"
    vcf.write_text(f"##fileformat=VCFv4.2\n{fixed}" + "\t".join(names) + f"\n{calls}\n")
    fam = tmp_path / "chip.fam"
    fam.write_text("".join(f"f {name} 0 0 0 -9\n" for name in names))
    (tmp_path / "chip.bim").write_text("1 rs1 0 100 A G\n")
    (tmp_path / "chip.bed").write_bytes(b"\x6c\x1b\x01" + bytes(8))
    rows = [(name, 20 + i, "case") for i, name in enumerate(names)]
    clinical = plain_files.write(tmp_path / "clinical.csv", ["sample_id", "age", "diagnosis"], rows)
    for dna in (vcf, tmp_path / "chip.bed"):
        surveys = seen([clinical, dna])
        assert surveys[0].subject == "sample_id"
        assert surveys[0].columns[0].reasons[0] == "its values are the persons of another file"
        assert groups(surveys) == [Group(("clinical", dna.stem), 30)]
    assert [one.subject for one in seen([clinical])] == [None]


def test_a_table_of_snps_and_what_is_known_of_its_donors_are_tied(tmp_path: Path) -> None:
    rows = [(f"S{i:03d}", *((i * j) % 3 for j in range(1, 9))) for i in range(40)]
    snps = plain_files.write(tmp_path / "snps.csv", ["sample_id", *(f"rs{j}" for j in range(1, 9))], rows)
    people = [(f"S{i:03d}", 20 + i, "case" if i % 3 else "control") for i in range(40)]
    clinical = plain_files.write(tmp_path / "clinical.csv", ["sample_id", "age", "diagnosis"], people)
    found = Proposal.of([snps, clinical], base=tmp_path)
    assert [(one.name, one.kind) for one in found.datasets] == [("snps", "genomes"), ("clinical", "tables")]
    assert [one.subject for one in seen([snps, clinical])] == ["sample_id", "sample_id"]
    assert [one.subject for one in seen([clinical])] == [None]
