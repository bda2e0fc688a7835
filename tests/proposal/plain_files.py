"""Small invented files of every kind."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path

CODES = ["E11.9", "I10", "J45.909", "C50.911", "E78.5", "K21.9", "N39.0", "F41.1"]


def write(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def long_codes(path: Path, patients: int = 40) -> Path:
    draw = random.Random(1)
    rows = [
        (f"p{i}", f"v{i}-{visit}", f"2020-{1 + visit:02}-{1 + i % 28:02}", place + 1, draw.choice(CODES))
        for i in range(patients)
        for visit in range(2)
        for place in range(2)
    ]
    return write(path, ["patient_id", "visit_id", "date", "position", "code"], rows)


def wide_codes(path: Path, patients: int = 60) -> Path:
    draw = random.Random(2)
    rows = []
    for i in range(patients):
        codes = draw.sample(CODES, draw.randrange(1, 4))
        rows.append((f"p{i}", 20 + i % 60, "FM"[i % 2], *codes, *[""] * (3 - len(codes))))
    return write(path, ["patient_id", "age", "sex", "dx1", "dx2", "dx3"], rows)


def codes_in_cells(path: Path, patients: int = 60) -> Path:
    draw = random.Random(3)
    rows = [(f"p{i}", 20 + i % 60, "FM"[i % 2], "|".join(draw.sample(CODES, 1 + i % 3))) for i in range(patients)]
    return write(path, ["patient_id", "age", "sex", "diagnoses"], rows)


def people(path: Path, patients: int = 60, first: str = "patient_id") -> Path:
    draw = random.Random(4)
    rows = [
        (
            f"p{i}",
            f"Ann{i}",
            f"Example{i}",
            f"{1930 + i}-0{1 + i % 9}-1{i % 9}",
            "FM"[i % 2],
            draw.choice(["flu", "gout"]),
        )
        for i in range(patients)
    ]
    return write(path, [first, "given", "family", "birth_date", "sex", "disease"], rows)


def notes(path: Path, patients: int = 12) -> Path:
    rows = [
        (
            f"n{i}",
            f"p{i // 2}",
            f"2020-03-{1 + i % 28:02}",
            "letter",
            f"Ann{i // 2} Example{i // 2} was seen today again",
        )
        for i in range(2 * patients)
    ]
    return write(path, ["note_id", "patient_id", "date", "sort", "body"], rows)


def genotypes(path: Path, people: int = 40, snps: int = 12) -> Path:
    draw = random.Random(5)
    rows = [(f"p{i}", *(draw.choice([0, 0, 1, 2]) for _ in range(snps))) for i in range(people)]
    return write(path, ["patient_id", *(f"rs{100 + i}" for i in range(snps))], rows)


def variants(path: Path, people: int = 30, sites: int = 20) -> Path:
    draw = random.Random(6)
    samples = "\t".join(f"s{i}" for i in range(people))
    lines = [
        "##fileformat=VCFv4.2",
        "##contig=<ID=1,length=100000>",
        '##FORMAT=<ID=GT,Number=1,Type=String,Description="Genotype">',
        f"#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t{samples}",
    ]
    for site in range(sites):
        calls = "\t".join(draw.choice(["0/0", "0/1", "1/1"]) for _ in range(people))
        lines.append(f"1\t{1000 + site * 500}\trs{site}\tA\tG\t.\tPASS\t.\tGT\t{calls}")
    path.write_text("\n".join(lines) + "\n")
    return path


def rates(path: Path, least: int = 40) -> Path:
    return write(
        path, ["plan", "HbA1c", "Eye exam"], [(f"HMO{i}", least + 7 * i, least + 20 - 3 * i) for i in range(5)]
    )
