"""The people on whom tools are compared: Adult where its files are at hand, else people like them, made up."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv

QUASI = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex", "native-country"]
SENSITIVE = "salary-class"
ROWS = 30_162
_SIZES = {"workclass": 7, "education": 16, "marital-status": 7, "occupation": 14, "race": 5, "native-country": 41}


class People:
    """One file of rows and one hierarchy for each quasi column, in the layout that ARX reads."""

    def __init__(self, data: Path | None, scratch: Path) -> None:
        given = None if data is None else data / "arx"
        self.real = given is not None and (given / "adult.csv").is_file()
        folder = given if self.real and given is not None else scratch
        self.label = "Adult" if self.real else "people like Adult's"
        self.file = folder / "adult.csv"
        self.hierarchies = {name: folder / f"adult_hierarchy_{name}.csv" for name in QUASI}
        if not self.real:
            _write(folder)


def _write(folder: Path) -> None:
    pacsv.write_csv(adult_like(ROWS), folder / "adult.csv", pacsv.WriteOptions(delimiter=";", quoting_style="none"))
    ages = [[str(a), *(f"{a // w * w}-{a // w * w + w - 1}" for w in (5, 10, 20)), "*"] for a in range(17, 91)]
    _write_rows(folder, "age", ages)
    _write_rows(folder, "sex", [["Female", "*"], ["Male", "*"]])
    for name, size in _SIZES.items():
        width = 2 if size < 10 else 4
        _write_rows(folder, name, [[f"{name} {i:02d}", f"{name} group {i // width}", "*"] for i in range(size)])


def _write_rows(folder: Path, name: str, rows: Sequence[Sequence[str]]) -> None:
    with (folder / f"adult_hierarchy_{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows(rows)


def adult_like(rows: int, seed: int = 1) -> pa.Table:
    """Columns that hang together as Adult's do: schooling decides on work, age on marriage, all of them on pay."""
    draw = np.random.default_rng(seed)
    age = np.clip(17 + draw.gamma(2.6, 8.2, rows), 17, 90).astype(np.int64)
    male = draw.random(rows) < 0.67
    education = np.clip(draw.normal(9.5, 2.6, rows) - (age < 22), 0, 15).astype(np.int64)
    country = np.where(draw.random(rows) < 0.91, 0, 1 + (40 * draw.random(rows) ** 2).astype(np.int64))
    race = np.where(draw.random(rows) < np.where(country == 0, 0.88, 0.45), 0, draw.integers(1, 5, rows))
    occupation = np.clip(0.8 * education + draw.normal(0, 3, rows), 0, 13).astype(np.int64)
    occupation = np.where(male, occupation, 13 - occupation)
    workclass = np.where(draw.random(rows) < 0.74, 0, np.clip(draw.geometric(0.4, rows), 1, 6))
    never = draw.random(rows) < np.exp(-(age - 17) / 12)
    married = draw.random(rows) < np.where(male, 0.75, 0.45)
    marital = np.where(never, 0, np.where(married, 1, 2 + (5 * draw.random(rows) ** 2).astype(np.int64)))
    pay = 0.35 * (education - 11) + 0.03 * (age - 45) + 1.2 * (marital == 1) + draw.normal(0, 1, rows)
    codes = {"workclass": workclass, "education": education, "marital-status": marital, "occupation": occupation}
    codes |= {"race": race, "native-country": country}
    named = {name: pa.array([f"{name} {i:02d}" for i in range(_SIZES[name])]) for name in codes}
    columns = {"age": pa.array(age), "sex": pa.array(["Female", "Male"]).take(pa.array(male.astype(np.int64)))}
    columns |= {name: named[name].take(pa.array(code)) for name, code in codes.items()}
    columns |= {SENSITIVE: pa.array(["<=50K", ">50K"]).take(pa.array((pay > 0).astype(np.int64)))}
    return pa.table(columns)
