"""Labels that datasets about the same people have in common."""

from __future__ import annotations

from pathlib import Path

from sharewell.policy import load
from sharewell.policy.people import labels_of_subjects
from sharewell.protocols import NamesOfPeople

POLICY = """\
sharewell: 1
release: {name: together}
datasets:
  clinical:
    kind: tables
    read: {csv: clinical.csv}
    columns: {sample: subject, age: quasi}
    require: [k-anonymity: {k: 2}]
    using: mondrian
  cohort:
    kind: genomes
    read: {vcf: cohort.vcf}
    require: [safe-number: {max_power: 0.5}]
    using: {safe-snps: {max_power: 0.5}}
write: {csv: out/}
"""


def test_the_samples_of_dna_are_compared_with_the_persons_of_a_table(tmp_path: Path) -> None:
    """Else nothing would tell that a table and a file of DNA are about the same people."""
    (tmp_path / "clinical.csv").write_text("sample,age\nS1,20\nS2,30\n")
    fixed = "#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT"
    (tmp_path / "cohort.vcf").write_text(f"##fileformat=VCFv4.2\n{fixed}\tS1\tS2\n")
    (tmp_path / "policy.yaml").write_text(POLICY)
    policy = load(tmp_path / "policy.yaml")
    same, others = (NamesOfPeople(frozenset(names)) for names in (["s2", "s9"], ["x1", "x2"]))
    assert labels_of_subjects(policy, {"cohort": same}) == {"clinical": [0], "cohort": [0]}
    assert labels_of_subjects(policy, {"cohort": others}) == {"clinical": [0], "cohort": []}
    assert labels_of_subjects(policy, {"cohort": None}) == {"clinical": [0], "cohort": []}
