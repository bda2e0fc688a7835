"""What only withheld persons have stands nowhere in public/: not in a cell, a label, the dictionary or the certificate.

Names of a classification that ships with sharewell are no values: the nodes `401` and `401-405` may stand there. Values
that the policy itself lists, such as the domains of queries and of figures, are public before any release. Tables of
counts name every category of their file, also those whose counts they hide.
"""

from __future__ import annotations

import csv
import random
import re
from pathlib import Path
from typing import Any

import pytest

from sharewell.errors import Infeasible
from sharewell.pipeline import dataset_stage
from sharewell.pipeline.run import release
from sharewell.policy import check

HEAD = "sharewell: 1\nrelease: {name: r}\nsecrets: {key: env:WITHHELD_KEY}\n"
TIE = """\
person:
  table: people
  key: who
  require: [joined-k-anonymity: {k: 3, knows: {people: [town, age], dx: 1}}]
  using: {joined-suppression: {suppress: 0.5}}
"""
PEOPLE = """\
  people:
    kind: tables
    read: {csv: people.csv}
    link: LINK
    columns: {who: subject, town: quasi, age: {role: quasi, type: number}, ill: sensitive}
    require: [k-anonymity: {k: 3}]
    using: {MECHANISM: {suppress: 0.3}}
"""
CODES = """\
  dx:
    kind: codes
    read: {csv: dx.csv}
    link: true
    columns: {who: subject, code: {role: quasi, hierarchy: icd9cm}}
    require: [REQUIRED]
    using: MECHANISM
"""
JOINT = """\
  dx:
    kind: joint
    read: {csv: dx.csv}
    demographics: {csv: people.csv}
    columns:
      who: subject
      code: {role: quasi, hierarchy: icd9cm}
      town: quasi
      age: {role: quasi, type: number}
      ill: keep
    require: [k-km-anonymity: {k: 3, m: 1}]
    using: {rt-anonymization: {suppress: 0.3}}
"""
WRITE = "write: {csv: out}\n"
KM = "km-anonymity: {k: 3, m: 1}"
LISTED = "privacy-policy: {k: 3, file: {csv: pairs.csv}}"
WORD = r"[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*"
LINKED = [
    ("apriori", KM),
    ("lra", KM),
    ("vpa", KM),
    ("greedy-partitioning", "complete-k-anonymity: {k: 3}"),
    ("pcta", LISTED),
    ("coat", LISTED),
    ("ugaclip", LISTED),
    ("aclip", LISTED),
    ("cba", LISTED),
]


def linked(mechanism: str, required: str) -> str:
    people = PEOPLE.replace("LINK", "true").replace("MECHANISM", "mondrian")
    codes = CODES.replace("REQUIRED", required).replace("MECHANISM", mechanism)
    return f"{HEAD}{TIE}datasets:\n{people}{codes}{WRITE}"


POLICIES = {f"linked {mechanism}": linked(mechanism, required) for mechanism, required in LINKED}
POLICIES["joint"] = f"{HEAD}datasets:\n{JOINT}{WRITE}"
for name in ("mondrian", "optimal-recoding", "local-recoding"):
    POLICIES[f"tables {name}"] = f"{HEAD}datasets:\n{PEOPLE.replace('LINK', 'false').replace('MECHANISM', name)}{WRITE}"


def desk(directory: Path, policy: str, seed: int) -> dict[str, list[dict[str, str]]]:
    """A steward's files. Most persons have common values, a few have one of their own."""
    draw = random.Random(seed)
    count = 24
    people = [
        {
            "who": f"P{i}",
            "town": draw.choice(["Ulm", "Bonn", "Kiel"]),
            "age": str(draw.randint(20, 29)),
            "ill": draw.choice(["flu", "gout"]),
        }
        for i in range(count)
    ]
    common = ["401.1", "401.9", "402.10", "250.00"]
    codes = [{"who": f"P{i}", "code": code} for i in range(count) for code in draw.sample(common, draw.randint(1, 2))]
    for i, (town, age, ill, code) in enumerate(
        [("Xanadu", "71", "yaws", "404.93"), ("Ys", "13", "pinta", "250.73"), ("Oz", "55", "sodoku", "405.99")]
    ):
        place = draw.randrange(count)
        people[place] |= {"town": town} if i != 1 else {"age": age}
        people[place] |= {"ill": ill}
        codes.append({"who": f"P{draw.choice([place, draw.randrange(count)])}", "code": code})
    directory.mkdir()
    for name, rows in (("people", people), ("dx", codes)):
        with (directory / f"{name}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
    (directory / "pairs.csv").write_text("\n".join(sorted({row["code"] for row in codes})) + "\n")
    (directory / "policy.yaml").write_text(policy)
    return {"people": people, "dx": codes}


def published_persons(dataset: Any) -> set[str]:
    """Who is in a published file, by what the mechanism said of its rows."""
    original, rows = dataset.original, dataset.chosen.protected.rows
    if dataset.kind == "tables":
        return {original.subject.texts[original.subject.codes[row]] for row in rows}
    persons = (original.codes if dataset.kind == "joint" else original).persons
    return {persons[row] for row in rows}


def words_in(public: Path) -> dict[str, set[str]]:
    """Every word of every file, and every end of a range; pseudonyms are drawn, and any number may stand in one."""
    found = {}
    for path in sorted(public.iterdir()):
        if path.suffix == ".csv":
            with path.open(newline="") as file:
                cells = [text for row in csv.DictReader(file) for name, text in row.items() if name != "person"]
            found[path.name] = {word for text in cells for word in re.findall(rf"{WORD}|[0-9]+", text)}
        else:
            found[path.name] = set(re.findall(WORD, path.read_text()))
    return found


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WITHHELD_KEY", "an example secret, long enough")


@pytest.mark.parametrize("name", POLICIES)
def test_no_value_of_withheld_persons_alone_is_public(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: dict[str, Any] = {}
    finished = dataset_stage.Stage._finished

    def remembering(stage: dataset_stage.Stage, ready: Any) -> Any:
        written[ready.dataset.name] = ready
        return finished(stage, ready)

    monkeypatch.setattr(dataset_stage.Stage, "_finished", remembering)
    released = 0
    for seed in range(5):
        files = desk(tmp_path / str(seed), POLICIES[name], seed)
        try:
            directory = release(check(tmp_path / str(seed) / "policy.yaml")).directory
        except Infeasible:
            continue
        released += 1
        standing = words_in(directory / "public")
        for dataset, ready in written.items():
            persons = published_persons(ready)
            rows = files[dataset] + (files["people"] if ready.kind == "joint" else [])
            held: dict[str, set[str]] = {}
            for row in rows:
                for column, value in row.items():
                    if column != "who":
                        held.setdefault(value, set()).add(row["who"])
            hidden = {value for value, of in held.items() if not of & persons}
            files_of = (f"{dataset}.csv", "dictionary.json", "certificate.json")
            leaks = {file: found for file in files_of if (found := hidden & standing[file])}
            assert not leaks, (seed, dataset, len(persons))
    assert released
