"""Releases of files whose person is named by several columns: planned, released, verified, judged with others."""

from __future__ import annotations

import csv
import json
import random
import re
import shutil
from collections import defaultdict
from pathlib import Path

import pytest

import sharewell
from sharewell.dossier.verdict import points
from sharewell.dossier.views import datasets
from sharewell.io.sources import LARGE
from sharewell.pipeline.plan import plan
from sharewell.policy import check

CLEAN = 'clean: {born: {date: "%d.%m.%Y"}, person: {join: [last, first, born]JOIN}}'
LETTERS = "bcdfghklmnprstvw"


def _visits(folder: Path, people: int = 90, typos: int = 0, seed: int = 1) -> dict[str, set[int]]:
    """Writes v.csv; returns which person each spelling belongs to by record number."""
    draw = random.Random(seed)
    rows, persons = [], defaultdict(set)
    for i in range(people):
        last = "".join(draw.choices(LETTERS, k=6)) + draw.choice(["ü", "ß", "'x", "é", "n"])
        first = "".join(draw.choices(LETTERS, k=6))
        born = f"{draw.randint(1, 28):02d}.{draw.randint(1, 12):02d}.{draw.randint(1940, 1990)}"
        for v in range(draw.randint(1, 3)):
            a, b = last.title(), first.title()
            for old, new in (("ü", "ue"), ("ß", "ss"), ("'", ""), ("é", "e")) if draw.random() < 0.5 else ():
                a = a.replace(old, new)
            a, b = (b, a.upper()) if draw.random() < 0.2 else (a, b)
            a = a[:3] + "q" + a[4:] if i < typos and v == 1 else a
            rows.append((a, b, born, draw.choice("FM"), f"101{i % 3}", draw.choice(["flu", "gout", "asthma"])))
            persons[str(i)].add(len(rows) - 1)
    with (folder / "v.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("last", "first", "born", "sex", "zip", "illness"), *rows])
    return persons


def _policy(folder: Path, name: str = "r", more: str = "", join: str = "", file: str = "v.csv") -> Path:
    path = folder / f"{name}.yaml"
    path.write_text(
        f"sharewell: 1\nrelease: {{name: {name}{more}}}\nsecrets: {{key: file:secret.key}}\ndatasets:\n  visits:\n"
        f"    kind: tables\n    read: {{csv: {file}, {CLEAN.replace('JOIN', join)}}}\n"
        "    columns: {person: subject, born: quasi, sex: quasi, zip: quasi, illness: sensitive}\n"
        "    require: [k-anonymity: {k: 5}]\n    using: mondrian\n    map: true\n    publish: within-class\n"
        "write: {csv: out}\n"
    )
    (folder / "secret.key").write_text("an example key that is long enough for anything: 4711\n")
    return path


def test_it_is_planned_released_and_verified(tmp_path: Path) -> None:
    persons = _visits(tmp_path)
    part = plan(check(_policy(tmp_path)))["visits"]
    assert part.size["persons"] == len(persons)
    assert part.cautions[0].startswith(f"person of v.csv: no entries of its {len(persons)} persons")
    done = sharewell.release(tmp_path / "r.yaml")
    assert sharewell.verify(done.directory / "public").ok
    shutil.copytree(done.directory / "public", tmp_path / "received" / "public")
    assert sharewell.verify(tmp_path / "received" / "public").ok
    claim = json.loads((done.directory / "public" / "certificate.json").read_text())["datasets"]["visits"]
    assert (claim["unit"], claim["joined_person"]) == ("persons", {"columns": 3, "perhaps_twice": 0})
    with (done.directory / "public" / "visits.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["person", "born", "sex", "zip", "illness"]
    classes = defaultdict(set)
    for row in rows:
        classes[row["born"], row["sex"], row["zip"]].add(row["person"])
    assert min(map(len, classes.values())) >= 5
    assert len(rows) == sum(map(len, persons.values()))


def test_no_part_of_a_person_leaves_the_house(tmp_path: Path) -> None:
    _visits(tmp_path)
    done = sharewell.release(_policy(tmp_path))
    with (tmp_path / "v.csv").open() as file:
        names = {value.lower() for row in csv.DictReader(file) for value in (row["last"], row["first"])}
    published = "".join(one.read_text().lower() for one in (done.directory / "public").iterdir())
    assert not any(name in published for name in names)
    dossier = (done.directory / "internal" / "dossier.html").read_text().lower()
    assert not any(name in dossier for name in names)


def test_persons_who_may_count_twice_stand_on_the_first_page(tmp_path: Path) -> None:
    _visits(tmp_path, typos=40)
    with pytest.raises(sharewell.PolicyError, match="may be counted twice"):
        plan(sharewell.load(_policy(tmp_path)))
    with pytest.raises(sharewell.PolicyError, match="may be counted twice"):
        sharewell.release(tmp_path / "r.yaml")
    done = sharewell.release(_policy(tmp_path, join=", doubtful: 0.5"))
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    twice = certificate["datasets"]["visits"]["joined_person"]["perhaps_twice"]
    assert twice > 10
    findings = json.loads((done.directory / "internal" / "findings.json").read_text())
    for shown in (datasets(certificate, findings), datasets(certificate, {})):
        assert any(f"{twice}" in str(one) and "counted twice" in str(one) for one in points(certificate, shown, []))
    assert any(f"{twice} may count twice" in line for line in done.facts.lines())


def test_the_same_file_gives_the_same_release_whatever_its_order(tmp_path: Path) -> None:
    _visits(tmp_path)
    first = sharewell.release(_policy(tmp_path)).directory / "public" / "visits.csv"
    head, *rows = (tmp_path / "v.csv").read_text().splitlines()
    random.Random(2).shuffle(rows)
    (tmp_path / "v.csv").write_text("\n".join([head, *rows]) + "\n")
    (tmp_path / "out").rename(tmp_path / "earlier")
    again = sharewell.release(tmp_path / "r.yaml").directory / "public" / "visits.csv"
    assert (tmp_path / "earlier" / "r" / "public" / "visits.csv").read_bytes() == again.read_bytes()
    assert first == again


def test_a_later_release_knows_the_same_persons(tmp_path: Path) -> None:
    """Evidence about persons is kept under the joined name: other spellings in a later file are the same people."""
    _visits(tmp_path, seed=1)
    done = sharewell.release(_policy(tmp_path, "one"))
    text = (tmp_path / "v.csv").read_text()
    (tmp_path / "w.csv").write_text(text.replace("ü", "ue").replace("é", "É"))
    more = f", after: [{done.directory}], same_identifiers: true"
    with pytest.raises(sharewell.Infeasible, match=r"composition = \d+ groups"):  # decided, for persons are matched
        sharewell.release(_policy(tmp_path, "two", more=more, file="w.csv"))


def test_another_file_may_spell_persons_otherwise(tmp_path: Path) -> None:
    """Pseudonyms of an earlier release tell nothing of spellings, so that only the policy can say it of two files."""
    _visits(tmp_path, seed=1)

    def only(quasi: str, path: Path) -> Path:
        roles = {"born": "drop", "sex": "drop", "zip": "drop", "illness": "drop", quasi: "quasi"}
        columns = ", ".join(f"{name}: {role}" for name, role in roles.items())
        path.write_text(re.sub(r"columns: {.*}", f"columns: {{person: subject, {columns}}}", path.read_text()))
        return path

    done = sharewell.release(only("sex", _policy(tmp_path, "one")))
    file = tmp_path / "v.csv"
    file.write_text(file.read_text().replace("flu", "gout", 1))  # another file, though of the same persons
    after = f", after: [{done.directory}]"
    with pytest.raises(sharewell.Infeasible, match=r"composition = —.* entries that two files may spell differently"):
        sharewell.release(only("zip", _policy(tmp_path, "two", more=after)))
    later = sharewell.release(only("zip", _policy(tmp_path, "two", more=f"{after}, same_identifiers: true")))
    assert sharewell.verify(later.directory, earlier=[done.directory]).ok


def test_a_large_file_gives_the_same_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that nobody computes with stay on disk there, and the person is joined piece by piece."""
    _visits(tmp_path)
    small = sharewell.release(_policy(tmp_path)).directory
    shutil.move(small, tmp_path / "small")
    monkeypatch.setitem(LARGE, "csv", 10)
    large = sharewell.release(tmp_path / "r.yaml").directory
    assert (large / "public" / "visits.csv").read_bytes() == (tmp_path / "small" / "public" / "visits.csv").read_bytes()
