"""Forged releases of reports that a steward must notice, odd numbers, and what an order may tell."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell import reports
from sharewell.cli import main
from sharewell.io.plain_files import sha256
from sharewell.pipeline import certificate as cert
from sharewell.pipeline.manifest import write_manifest
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import Verification, verify
from sharewell.policy import check
from sharewell.randomised import Randomised
from sharewell.reports.counts.criteria.cell_protection import CellProtection
from sharewell.reports.dossier.public_page import public_page
from sharewell.reports.gathering.mechanisms.randomised_response import RandomisedResponse

NAME = "report"
PLAIN = """\
report: r
table: {values: {B: {x: 60, y: 20}, A10: {x: 71, y: 33}, A2: {x: 55, y: 44}}, domain: [0, 100], decimals: 0}
publish: {rows: {center: mean}, columns: {center: rounded}}
snoopers: {owners: [B, A2]}
protect: {default: {width: 2}, A2: {x: {below: 0.5, above: 0.75, entropy: 1, grain: 0.37}}}
"""
FIGURES = """\
report: r
table: {domain: [0, 100], decimals: 1}
published: {rows: {A: {mean: 40.0}, B: {mean: 50.5}}, columns: {x: {mean: 65.0}, y: {mean: 25.5}}}
known: {A: {x: 60.0, y: 20.0}}
protect: {default: {width: 1}}
"""
Forge = Callable[[Path, dict[str, Any]], None]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("made")
    (place / "r.yaml").write_text(PLAIN)
    return reports.load(place / "r.yaml").aggregate().release(place / "out")


def forged(made: Path, to: Path, forge: Forge, *, alone: bool = False) -> Verification:
    """A copy, edited and sealed anew: dictionary, every hash that nobody signed, and the list of them."""
    place = Path(shutil.copytree(made, to / "copy"))
    public = place / "public"
    told = json.loads((public / cert.CERTIFICATE).read_text())
    forge(place, told)
    for name, claim in told["datasets"].items():
        claim["persons_sha256"] = sha256(place / "internal" / "persons" / f"{name}.parquet")
    described = {name: claim["columns"] for name, claim in told["datasets"].items()}
    (public / cert.DICTIONARY).write_text(json.dumps(described))
    told["files"] = cert.file_hashes(public)
    (public / cert.CERTIFICATE).write_text(json.dumps(told))
    cert.write_sums(public)
    write_manifest(cert.Layout(public, place / "internal"), None)
    return verify(public if alone else place)


def edited(path: Path, change: Callable[[list[dict[str, str]]], None]) -> None:
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    change(rows)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def evidence_edited(place: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = place / "internal" / "persons" / f"{NAME}.parquet"
    told = pq.read_table(path).to_pydict()
    parts = dict(zip(told["what"], map(json.loads, told["content"]), strict=True))
    change(parts)
    texts = [json.dumps(part) for part in parts.values()]
    pq.write_table(pa.table({"what": list(parts), "content": texts}), path)


def exact_beside_a_bin(place: Path, told: dict[str, Any]) -> None:
    edited(place / "public" / "report.csv", lambda rows: rows[-1].update(value="32.33"))


def figure_of_no_axis(place: Path, told: dict[str, Any]) -> None:
    record = {"of": "cell", "name": "x", "measure": "mean", "value": "", "low": "61", "high": "63"}
    edited(place / "public" / "report.csv", lambda rows: rows.append(record))
    told["datasets"][NAME]["rows"] += 1


def record_twice(place: Path, told: dict[str, Any]) -> None:
    edited(place / "public" / "report.csv", lambda rows: rows.append(rows[-1]))
    told["datasets"][NAME]["rows"] += 1


def more_on_the_page(place: Path, told: dict[str, Any]) -> None:
    page = place / "public" / "report.html"
    page.write_text(page.read_text().replace("</main>", "<p>B, x: 60</p></main>"))


def one_more_page(place: Path, told: dict[str, Any]) -> None:
    (place / "public" / "cells.txt").write_text("B, x: 60")
    told["datasets"][NAME]["pages"].append("cells.txt")


def more_in_the_dictionary(place: Path, told: dict[str, Any]) -> None:
    told["datasets"][NAME]["columns"]["low"]["hint"] = "B, x: 60"


def all_owners_simulated(place: Path, told: dict[str, Any]) -> None:
    del told["datasets"][NAME]["findings"][0]["note"]


def persons_protected(place: Path, told: dict[str, Any]) -> None:
    told["datasets"][NAME]["unit"] = "persons"


def wider_domain(place: Path, told: dict[str, Any]) -> None:
    told["datasets"][NAME]["columns"]["value"]["table"]["domain"] = [-500, 500]
    path = place / "public" / "report.json"
    page = json.loads(path.read_text())
    page["table"]["domain"] = [-500, 500]
    path.write_text(json.dumps(page))
    (place / "public" / "report.html").write_text(public_page(page))


def lower_limit(place: Path, told: dict[str, Any]) -> None:
    def change(parts: dict[str, Any]) -> None:
        sides = next(one for one in parts["limits"] if one["name"] == "protection")
        sides["parameters"]["cells"]["A2"]["x"]["below"] = 0.1

    evidence_edited(place, change)


def dropped_limit(place: Path, told: dict[str, Any]) -> None:
    evidence_edited(place, lambda parts: parts["limits"].pop())


FORGERIES: tuple[Forge, ...] = (
    *(exact_beside_a_bin, figure_of_no_axis, record_twice, more_on_the_page, one_more_page),
    *(more_in_the_dictionary, persons_protected),
)
INSIDE = (all_owners_simulated, wider_domain, lower_limit, dropped_limit)


def test_a_release_that_is_only_sealed_anew_passes(made: Path, tmp_path: Path) -> None:
    assert forged(made, tmp_path, lambda place, told: None).ok


@pytest.mark.parametrize("forge", [*FORGERIES, *INSIDE], ids=lambda one: str(one.__name__))
def test_a_steward_notices(made: Path, tmp_path: Path, forge: Forge) -> None:
    assert not forged(made, tmp_path, forge).ok


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda one: str(one.__name__))
def test_a_recipient_notices(made: Path, tmp_path: Path, forge: Forge) -> None:
    assert not forged(made, tmp_path, forge, alone=True).ok


def test_a_report_without_evidence_is_not_taken_for_checked(made: Path, tmp_path: Path) -> None:
    """It would be judged for outsiders alone, and the verdict be passed off as that of a steward."""

    def forge(place: Path, told: dict[str, Any]) -> None:
        asked = told["policy"]["redacted"]["datasets"][NAME]
        asked["persons"] = told["datasets"][NAME]["persons"] = "none"
        for item in asked["require"]:
            item["parameters"]["owners"] = "known"

    assert any("evidence" in problem for problem in forged(made, tmp_path, forge, alone=True).problems)


def test_another_row_in_the_evidence_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "r.yaml").write_text(FIGURES)
    place = reports.load(tmp_path / "r.yaml").aggregate().release(tmp_path / "out")
    assert verify(place).ok

    def forge(place: Path, told: dict[str, Any]) -> None:
        evidence_edited(place, lambda parts: parts["true"][0].__setitem__(2, "60.01"))

    assert any("known" in problem for problem in forged(place, tmp_path, forge).problems)


def test_the_certificate_shows_no_grain_of_a_single_owner(made: Path) -> None:
    assert "0.37" not in (made / "public" / cert.CERTIFICATE).read_text()
    assert "0.37" in (made / "internal" / cert.POLICY).read_text()


def test_owners_come_by_name_not_as_the_file_ranks_them(made: Path, tmp_path: Path) -> None:
    assert json.loads((made / "public" / "report.json").read_text())["table"]["rows"] == ["A2", "A10", "B"]
    cells = PLAIN[PLAIN.index("{B:") : PLAIN.index(", domain")]
    text = PLAIN.replace(cells, "rates.csv, rows: o, columns: m")
    (tmp_path / "r.yaml").write_text(text)
    (tmp_path / "rates.csv").write_text("o,m,v\nA10,y,71\nB,x,60\nA2,x,55\nA10,x,50\nA2,y,44\nB,y,20\n")
    frame = reports.load(tmp_path / "r.yaml").publication.frame
    assert frame.rows == ("A2", "A10", "B")
    assert frame.columns == ("x", "y")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("mean: 40.0", "mean: 1e300"),
        ("mean: 40.0", "at_least: 1e300"),
        ("mean: 40.0", "mean: [0, 1e-300]"),
        ("[0, 100]", "[0, 1e300]"),
        ("decimals: 1", "decimals: 1, bin: 1e300"),
        ("decimals: 1", "decimals: 1, cut: 1e300"),
        ("decimals: 1", "decimals: 1, rows: [A, B, null]"),
        ("decimals: 1", "decimals: 1, rows: [A, B, true]"),
    ],
)
def test_numbers_and_names_that_are_none_are_mistakes(tmp_path: Path, old: str, new: str) -> None:
    assert old in FIGURES
    (tmp_path / "r.yaml").write_text(FIGURES.replace(old, new))
    assert main(["reports", "audit", str(tmp_path / "r.yaml")]) == 2


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table that is rounded, and one of answers that were drawn."""
    place = tmp_path_factory.mktemp("tables")
    people = [f"{i},{'xyz'[i % 3]},{'FM'[i % 2]}" for i in range(120)]
    (place / "people.csv").write_text("\n".join(["id,ward,sex", *people, "120,w,F"]) + "\n")
    (place / "policy.yaml").write_text("""\
sharewell: 1
release: {name: t}
write: {csv: out}
datasets:
  wards:
    kind: reports
    read: {csv: people.csv}
    columns: {id: subject, ward: quasi, sex: drop}
    require: [cell-protection: {threshold: 11}]
    using: {controlled-rounding: {base: 11, reach: 2}}
  sexes:
    kind: reports
    read: {csv: people.csv}
    columns: {id: subject, ward: drop, sex: quasi}
    require: [local-privacy: {epsilon: 1}]
    using: {randomised-response: {epsilon: 1, values: [F, M]}}
""")
    return release(check(place / "policy.yaml")).directory


def said_to_be_coarser(place: Path, told: dict[str, Any]) -> None:
    told["datasets"]["wards"]["columns"]["count"]["rounded"]["reach"] = 9


def other_answers(place: Path, told: dict[str, Any]) -> None:
    """They were not drawn, and estimates follow all the same."""
    facts = told["datasets"]["sexes"]["columns"]["count"]["randomised"]
    drawn = Randomised(int(facts["kept"]), 2)

    def change(rows: list[dict[str, str]]) -> None:
        for row, more in zip(rows[1:], (1, -1), strict=True):
            count = int(row["count"]) + more
            estimate, error = drawn.estimate(count, 121, 1), drawn.error(count, 121)
            row.update(count=str(count), estimate=f"{estimate:.2f}", error=f"{error:.2f}")

    edited(place / "public" / "sexes.csv", change)


def test_tables_that_are_only_sealed_anew_pass(tables: Path, tmp_path: Path) -> None:
    assert forged(tables, tmp_path, lambda place, told: None).ok


@pytest.mark.parametrize("forge", [said_to_be_coarser, other_answers], ids=lambda one: str(one.__name__))
def test_a_steward_notices_numbers_that_are_read_in_another_way(tables: Path, tmp_path: Path, forge: Forge) -> None:
    assert any("evidence" in problem for problem in forged(tables, tmp_path, forge).problems)


@pytest.mark.parametrize("task", ["audit", "aggregate"])
def test_fewer_steps_than_none_are_refused(tmp_path: Path, task: str) -> None:
    (tmp_path / "r.yaml").write_text(FIGURES)
    assert main(["reports", task, str(tmp_path / "r.yaml"), "--nodes", "-5"]) == 2


@pytest.mark.parametrize("named", ["threshold", "below", "above", "rounded", "p", "share"])
def test_limits_that_no_number_can_reach_are_refused(named: str) -> None:
    """Added to a cell, they would not fit into whole numbers, and might come out negative."""
    with pytest.raises(ValueError, match="at most"):
        replace(CellProtection(threshold=11), **{named: 10**20})  # type: ignore[arg-type]


def test_an_epsilon_too_small_to_be_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="so small"):
        RandomisedResponse(1e-17)
