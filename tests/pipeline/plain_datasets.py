"""Datasets of every kind that read one file, what is published of them, and what it tells, by counting alone."""

from __future__ import annotations

import csv
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
from hypothesis import strategies as st

AGES, TOWNS, K, THRESHOLD = ("30", "31"), ("a", "b"), 2, 3
SORTS = list(product(AGES, TOWNS))
NAMES = ("Rosa", "Wei", "Amadou", "Ingrid", "Pavel", "Sunita", "Tomas")
HEAD = ["person", "age", "town", "illness", "cost", "code", "note"]
_TABLE = """
    kind: tables
    read: {csv: visits.csv}
    rest: drop
    require: [k-anonymity: {k: 2}]
    columns: {person: subject, """
_COUNTS = """
    kind: reports
    read: {csv: visits.csv}
    rest: drop
    require: [cell-protection: {threshold: 3}]
    using: cell-suppression
    columns: {person: subject, """
_CODES = """
    kind: codes
    read: {csv: visits.csv}
    rest: drop
    columns: {person: subject, code: {role: quasi, hierarchy: icd9cm}}
    require: [km-anonymity: {k: 2, m: 2}]
    using: """
DATASETS = {
    "classes": _TABLE
    + "age: quasi, town: quasi, illness: sensitive}\n    using: mondrian\n    publish: within-class\n",
    "chosen": _TABLE + "age: quasi, town: quasi}\n    using: {record-suppression: {suppress: 0.6}}\n",
    "noisy": _TABLE + "town: quasi, cost: sensitive}\n    using: {noise: {columns: {cost: 0.5}}}\n",
    "by-both": _COUNTS + "age: quasi, town: quasi}\n",
    "by-town": _COUNTS + "town: quasi}\n",
    "by-age": _COUNTS + "age: quasi}\n",
    "codes": _CODES + "apriori\n",
    "fewer": _CODES + "{global-suppression: {below: 0.3}}\n",
    "joint": """
    kind: joint
    read: {csv: visits.csv}
    demographics: {csv: people.csv}
    rest: drop
    columns: {person: subject, code: {role: quasi, hierarchy: icd9cm}, born: quasi}
    require: [k-km-anonymity: {k: 2, m: 1}]
    using: {rt-anonymization: {bound: 1.0}}
""",
    "notes": """
    kind: notes
    read: {csv: visits.csv}
    rest: drop
    columns: {person: subject, note: text}
    require: [no-known-identifiers: {people: {csv: people.csv}, subject: person, names: [given], ids: [mrn]}]
    using: replace
""",
    "dna": """
    kind: genomes
    read: {csv: people.csv}
    rest: drop
    columns: {person: subject, dna: quasi}
    require: [k-identical: {k: 2}]
    using: dnala
""",
}
COUNTED = {"by-both": (0, 1), "by-town": (1,), "by-age": (0,)}
LISTED = {"classes": ("age", "town"), "chosen": ("age", "town"), "noisy": ("town",)}


@dataclass(frozen=True)
class World:
    """Who came, and what each visit was."""

    people: list[tuple[tuple[str, str], str]]
    visits: list[list[tuple[str, int, str]]]

    def write(self, place: Path) -> None:
        place.mkdir(parents=True)
        with (place / "people.csv").open("w", newline="") as file:
            told = [(f"p{i}", named(i), 1950 + i % 3, mrn(i), dna) for i, (_, dna) in enumerate(self.people)]
            csv.writer(file).writerows([("person", "given", "born", "mrn", "dna"), *told])
        with (place / "visits.csv").open("w", newline="") as file:
            rows = [
                (f"p{i}", *sort, ill, cost, code, f"{named(i)}, MRN {mrn(i)}, was seen and has {ill}.")
                for i, ((sort, _), mine) in enumerate(zip(self.people, self.visits, strict=True))
                for ill, cost, code in mine
            ]
            csv.writer(file).writerows([HEAD, *rows])

    def count(self, dims: tuple[int, ...], cell: tuple[str, ...]) -> int:
        return sum(
            all(at == "*" or sort[dim] == at for dim, at in zip(dims, cell, strict=True)) for sort, _ in self.people
        )


def named(person: int) -> str:
    return NAMES[person % len(NAMES)]


def mrn(person: int) -> str:
    return f"00{person}771{person}9"


_visit = st.tuples(
    st.sampled_from(["flu", "gout", "asthma"]), st.integers(0, 900), st.sampled_from(["401.1", "401.9", "250.00"])
)


@st.composite
def worlds(draw: Any) -> World:
    person = st.tuples(st.sampled_from(SORTS), st.sampled_from(["AATT", "AATG", "CATG"]))
    people = draw(st.lists(person, min_size=4, max_size=7))
    most = draw(st.sampled_from([1, 3]))
    return World(people, [draw(st.lists(_visit, min_size=1, max_size=most)) for _ in people])


def policy(place: Path, names: list[str], release: str, after: str = "") -> Path:
    told = "".join(f"  {name}:{DATASETS[name]}" for name in names)
    path = place / f"{release}.yaml"
    path.write_text(
        f"sharewell: 1\nrelease: {{name: {release}{after}}}\nsecrets: {{key: env:TEST_BATTERY_KEY}}\n"
        f"datasets:\n{told}write: {{csv: out}}\n"
    )
    return path


def rows_of(directory: Path, name: str) -> list[dict[str, str]]:
    with (directory / "public" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def whose(directory: Path, name: str) -> list[str]:
    """Of each published row, a name for its person: published, or in the steward's evidence."""
    rows = rows_of(directory, name)
    if rows and "person" in rows[0]:
        return [row["person"] for row in rows]
    return [str(one) for one in pq.read_table(directory / "internal" / "persons" / f"{name}.parquet")["person"]]


def fewest(directory: Path, name: str) -> int:
    """Persons, not rows, behind the rarest thing that somebody may know of one: cells, or two codes."""
    people: dict[Any, set[str]] = defaultdict(set)
    for who, row in zip(whose(directory, name), rows_of(directory, name), strict=True):
        if name in LISTED:
            cells = tuple(row[column] for column in LISTED[name])
            if any(cells):  # a withheld row is blank
                people[cells].add(who)
            continue
        labels = [label for label in row.get("code", "").split() if label != "()"]  # which is an empty set
        beside = row.get("born") or row.get("sequence") or row.get("dna")
        most = 1 if name == "joint" else 2
        for size in range(1 if beside is None else 0, most + 1):
            for some in combinations(sorted(set(labels)), size):
                people[(beside, some)].add(who)
    return min(map(len, people.values()), default=K)


def determined(world: World, releases: dict[Path, list[str]]) -> list[tuple[str, ...]]:
    """Small counts that everything published of all releases leaves no doubt about: by trying every set of people."""
    asked = [(path, name) for path, names in releases.items() for name in names]
    tables = [(COUNTED[name], rows_of(path, name)) for path, name in asked if name in COUNTED]
    lists = [_covers(rows_of(path, name), LISTED[name]) for path, name in asked if name in ("classes", "chosen")]
    most = len(world.people) + 3
    possible = [
        numbers
        for numbers in product(range(most + 1), repeat=len(SORTS))
        if sum(numbers) <= most and all(_agrees(numbers, *one) for one in tables)
    ]
    possible = [numbers for numbers in possible if all(_fits(numbers, covers) for covers in lists)]
    assert possible, "the truth itself does not fit"
    found = []
    for dims, rows in tables:
        for row in rows:
            cell = tuple(row[("age", "town")[dim]] for dim in dims)
            counts = {_counted(numbers, dims, cell) for numbers in possible}
            if 0 < world.count(dims, cell) < THRESHOLD and max(counts) - min(counts) < max(THRESHOLD - 2, 1):
                found.append(cell)
    return found


def _counted(numbers: tuple[int, ...], dims: tuple[int, ...], cell: tuple[str, ...]) -> int:
    inside = [all(at in ("*", sort[dim]) for dim, at in zip(dims, cell, strict=True)) for sort in SORTS]
    return sum(n for n, here in zip(numbers, inside, strict=True) if here)


def _agrees(numbers: tuple[int, ...], dims: tuple[int, ...], rows: list[dict[str, str]]) -> bool:
    """A count that is shown is that; a hidden one is at least 1; nobody has a value that is not listed."""
    cells = [tuple(row[("age", "town")[dim]] for dim in dims) for row in rows]
    for dim_at, dim in enumerate(dims):
        listed = {cell[dim_at] for cell in cells}
        if any(n and sort[dim] not in listed for n, sort in zip(numbers, SORTS, strict=True)):
            return False
    for row, cell in zip(rows, cells, strict=True):
        count = _counted(numbers, dims, cell)
        if count != int(row["count"]) if row["count"] else count < 1:
            return False
    return True


def _covers(rows: list[dict[str, str]], columns: tuple[str, ...]) -> list[set[int]]:
    """Of each published record, the sorts of person that it may be; one row a person, or they would be refused."""
    may = [
        {i for i, sort in enumerate(SORTS) if all(row[c] in ("", "*") or _in(row[c], sort) for c in columns)}
        for row in rows
    ]
    return [one for one, row in zip(may, rows, strict=True) if any(row[c] for c in columns)]


def _in(cell: str, sort: tuple[str, str]) -> bool:
    return any(value in cell for value in sort)


def _fits(numbers: tuple[int, ...], covers: list[set[int]]) -> bool:
    """Can every record be somebody of its own? By Hall's theorem."""
    for size in range(1, len(SORTS) + 1):
        for some in combinations(range(len(SORTS)), size):
            if sum(numbers[i] for i in some) < sum(one <= set(some) for one in covers):
                return False
    return True
