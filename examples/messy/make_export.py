"""Write export.csv: what a hospital's export looks like before anybody tidied it. People and visits are invented.

`python make_export.py [FOLDER]` always writes the same bytes. In the file: an encoding of Windows, semicolons, decimal
commas, dates in three forms, N/A and unknown, a number that means "no value", postcodes with and without their last
four digits, several codes in a cell, notes of several lines, sex written in six ways, names of columns with blanks, and
one column twice under another spelling.
"""

from __future__ import annotations

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

PATIENTS = 400
HEADER = [
    "Patient No",
    "Visit No",
    "Last Name",
    "First Name ",
    "Date of Birth",
    "Sex",
    "Zip",
    "Phone",
    "Admitted",
    "Discharged",
    "Ward",
    "ward ",
    "Weight kg",
    "HbA1c %",
    "Main Diagnosis",
    "ICD-10 Codes",
    "Remarks",
]
WOMEN = [
    "Zoë",
    "Ana",
    "Renée",
    "Ruth",
    "Inês",
    "Mary",
    "Chloé",
    "Joan",
    "Lena",
    "Fatima",
    "Grace",
    "Noor",
    "Helen",
    "Amélie",
    "Ines",
    "Rosa",
]
MEN = [
    "José",
    "André",
    "Peter",
    "Jürgen",
    "Tom",
    "Luís",
    "René",
    "Omar",
    "Carl",
    "François",
    "Björn",
    "Hugo",
    "Sean",
    "Paul",
    "Marek",
    "Ivo",
]
FAMILIES = [
    "Müller",
    "Peña",
    "Brontë",
    "Hughes",
    "García",
    "Olsen",
    "Núñez",
    "Schäfer",
    "Walker",
    "Dubois",
    "Kovac",
    "Lindqvist",
    "Moreau",
    "Okafor",
    "Romero",
    "Haas",
    "Fischer",
    "Nowak",
    "Andersen",
    "Sørensen",
    "Almeida",
    "Costa",
    "Weiß",
    "Berg",
]
DIAGNOSES = {  # the reason of a visit: its code, and codes that come with it
    "type 2 diabetes": ("E11.9", ["I10", "E78.5", "N18.9"]),
    "hypertension": ("I10", ["E78.5", "E66.9"]),
    "asthma": ("J45.909", ["J30.9", "K21.9"]),
    "chronic obstructive lung disease": ("J44.9", ["F17.210", "I10"]),
    "coronary heart disease": ("I25.10", ["I10", "E78.5", "E11.9"]),
    "atrial fibrillation": ("I48.91", ["I10", "I25.10"]),
    "depression": ("F33.1", ["F41.1", "G47.00"]),
    "pneumonia": ("J18.9", ["J44.9", "D64.9"]),
    "gallstones": ("K80.20", ["E66.9", "K21.9"]),
    "hypothyroidism": ("E03.9", ["E78.5", "F33.1"]),
}
WARDS = {"Medicine": "MED", "Surgery": "SUR", "Cardiology": "CAR", "Lungs": "LUN"}
SEXES = {"F": ["F", "F", "F", "f", "female"], "M": ["M", "M", "M", "m", "Male "]}
ZIPS = ("02138", "02139", "02140", "02141", "02143", "02144")
REMARKS = (
    "{title} {last} came in with {what}.\nFeels better since {day}; call {phone} with the results.",
    "Seen on the ward with {what}. {first} lives alone; daughter visits.\nPlan: continue, review in two weeks.",
    "Follow-up of {what}.\nBlood pressure 138/84, no fever.\nDischarged home on {day}.",
    "{title} {last} asks for a letter to the employer. No change in {what}.",
    "No complaints today. Medication taken as prescribed.",
)


def written(day: date, draw: random.Random) -> str:
    """A date in one of three forms, as three systems of a hospital write it."""
    form = draw.choices(("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y"), (5, 3, 2))[0]
    return day.strftime(form)


def decimal(number: float) -> str:
    return f"{number:.1f}".replace(".", ",")


def rows() -> list[list[str]]:
    draw = random.Random(20260117)
    visits: list[list[str]] = []
    for number in range(PATIENTS):
        sex = draw.choice("FM")
        first, last = draw.choice(WOMEN if sex == "F" else MEN), draw.choice(FAMILIES)
        born = date(1935, 1, 1) + timedelta(days=draw.randrange(24_500))
        home, suffix = draw.choice(ZIPS), f"{draw.randrange(1000, 9999)}"
        phone = f"617-555-01{draw.randrange(100):02}"
        weight = draw.gauss(68 if sex == "F" else 81, 11)
        seen = date(2024, 1, 1) + timedelta(days=draw.randrange(500))
        usual = draw.choice(list(DIAGNOSES))
        for _ in range(draw.choices((1, 2, 3, 4), (3, 4, 3, 1))[0]):
            what = usual if draw.random() < 0.7 else draw.choice(list(DIAGNOSES))
            code, others = DIAGNOSES[what]
            codes = [code, *draw.sample(others, draw.randrange(len(others) + 1))]
            ward = draw.choice(list(WARDS))
            left = seen + timedelta(days=draw.randrange(9))
            sugar = "999" if draw.random() < 0.02 else decimal(draw.gauss(7.4 if "E11.9" in codes else 5.6, 0.5))
            remark = draw.choice(REMARKS).format(
                title="Mrs." if sex == "F" else "Mr.",
                last=last,
                first=first,
                what=what,
                phone=phone,
                day=left.strftime("%d/%m/%Y"),
            )
            visits.append(
                [
                    f"P{10_000 + number * 7}",
                    f"V{500_000 + len(visits) * 3}",
                    last,
                    first,
                    written(born, draw),
                    draw.choice(SEXES[sex]),
                    home if draw.random() < 0.6 else f"{home}-{suffix}",
                    phone,
                    written(seen, draw),
                    "N/A" if draw.random() < 0.05 else written(left, draw),
                    ward if draw.random() < 0.9 else f" {ward}",
                    WARDS[ward],
                    "unknown" if draw.random() < 0.06 else decimal(weight + draw.gauss(0, 1)),
                    "N/A" if draw.random() < 0.1 else sugar,
                    what,
                    "|".join(codes),
                    remark,
                ]
            )
            seen = left + timedelta(days=draw.randrange(10, 160))
    draw.shuffle(visits)
    return visits


def main(folder: Path) -> None:
    with (folder / "export.csv").open("w", encoding="windows-1252", newline="") as file:
        writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
        writer.writerow(HEADER)
        writer.writerows(rows())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
