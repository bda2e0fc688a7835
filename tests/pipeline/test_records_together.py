"""Two tables of records of the same people, of one release or of two: judged, refused, verified again, and forged."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.cli import main
from sharewell.errors import Infeasible
from sharewell.findings import Finding
from sharewell.pipeline.certificate import Layout, file_hashes, write_sums
from sharewell.pipeline.manifest import write_manifest
from sharewell.pipeline.run import Released, release
from sharewell.pipeline.verdict_facts import Cautions
from sharewell.pipeline.verify import verify
from sharewell.policy import check
from sharewell.tables.criteria.composition import CompositionRule

SECRET = "a secret of the steward, of no use elsewhere"
ILLNESSES = ("flu", "asthma", "gout", "angina", "ulcer", "measles")
PEOPLE = [(f"p{i}", str(20 + i % 30), f"t{i % 3}", ILLNESSES[(i * 5) % 6]) for i in range(60)]


def table(**changed: Any) -> dict[str, Any]:
    usual = {
        "kind": "tables",
        "read": {"csv": "people.csv"},
        "columns": {"person": "subject", "age": "quasi", "town": "quasi", "illness": "sensitive"},
        "require": [{"k-anonymity": {"k": 3}}, {"l-diversity": {"l": 2}}],
        "using": "mondrian",
    }
    return usual | changed


def desk(place: Path, people: Sequence[tuple[str, ...]], name: str, after: list[str], **datasets: Any) -> Path:
    place.mkdir(parents=True, exist_ok=True)
    (place / "people.csv").write_text("\n".join(["person,age,town,illness", *(",".join(one) for one in people)]) + "\n")
    (place / "secret").write_text(datasets.pop("secret", SECRET))
    told = {"sharewell": 1, "release": {"name": name, "after": after}, "secrets": {"key": "file:secret"}}
    path = place / "policy.yaml"
    path.write_text(json.dumps(told | {"datasets": datasets, "write": {"csv": "out"}}))
    return path


def first(place: Path, people: Sequence[tuple[str, ...]] = PEOPLE, **datasets: Any) -> Released:
    return release(check(desk(place / "one", people, "r1", [], **(datasets or {"patients": table()}))))


def second(place: Path, people: Sequence[tuple[str, ...]], same_identifiers: bool = False, **datasets: Any) -> Released:
    path = desk(place / "two", people, "r2", ["../one/out/r1"], **datasets)
    policy = json.loads(path.read_text())
    policy["release"] |= {"same_identifiers": True} if same_identifiers else {}
    path.write_text(json.dumps(policy))
    return release(check(path))


EARLIER = table(using={"earlier-cells": {"earlier": {"csv": "../one/out/r1/public/patients.csv"}, "suppress": 0.3}})


def composition(done: Released, **how: Any) -> Finding:
    (found,) = [one for one in verify(done.directory, **how).findings["datasets together"] if one.name == "composition"]
    return found


def test_a_second_release_in_classes_of_its_own_is_refused(tmp_path: Path) -> None:
    first(tmp_path)
    joined = [*PEOPLE[5:], *((f"n{i}", str(25 + i), "t1", ILLNESSES[i % 6]) for i in range(9))]
    with pytest.raises(Infeasible, match="patients and patients of r1: composition"):
        second(tmp_path, joined, patients=table())


def test_a_second_release_with_the_earlier_cells_is_published_and_verified(tmp_path: Path) -> None:
    """Everybody is still there; those who joined are enough in their class, or wait."""
    before = first(tmp_path)
    joined = [(f"n{i}", str(20 + i), "t1", ILLNESSES[i % 6]) for i in range(10)]
    after = second(tmp_path, [*PEOPLE, *joined], patients=EARLIER)
    found = composition(after, earlier=[before.directory])
    assert (found.ok, found.tier) == (True, "steward")
    assert composition(after).tier == "attested"
    assert main(["verify", str(after.directory), "--earlier", str(before.directory)]) == 0


def test_newcomers_by_themselves_are_published(tmp_path: Path) -> None:
    """By whoever claims that they are not the same people under other names; the certificate says so."""
    before = first(tmp_path, PEOPLE[:40])
    with pytest.raises(Infeasible, match="newcomers, or renumbered"):
        second(tmp_path, PEOPLE[40:], patients=table())
    after = second(tmp_path, PEOPLE[40:], patients=table(), same_identifiers=True)
    assert composition(after, earlier=[before.directory]).ok
    certificate = json.loads((after.directory / "public" / "certificate.json").read_text())
    assert certificate["release"]["same_identifiers"] is True
    assert any("persons have the same identifiers" in line for line in Cautions.of(certificate).lines())


@pytest.mark.parametrize("order", [1, 7], ids=["as they were", "shuffled"])
def test_the_same_people_with_other_names_are_not_taken_for_newcomers(tmp_path: Path, order: int) -> None:
    """A year later, in another order, numbered anew: each table by itself is safe, and nobody is found in both."""
    first(tmp_path)
    in_order = [PEOPLE[i * order % 60] for i in range(60)]
    older = [(f"n{i}", str(int(one[1]) + 1), *one[2:]) for i, one in enumerate(in_order)]
    with pytest.raises(Infeasible, match="fewer than half of the persons are in both patients"):
        second(tmp_path, older, patients=table(columns=table()["columns"] | {"town": "drop"}))


def test_names_that_are_numbers_of_lines_are_not_taken_for_persons(tmp_path: Path) -> None:
    """Both files number their lines: by these names both tables have the same classes, and one person is in two of
    them alone: young, in a town of old people."""
    ages = [20 if i == 0 or i > 30 else 60 for i in range(60)]
    people = [(ages[i], "t0" if i < 30 else "t1", ILLNESSES[i % 6]) for i in range(60)]
    rows = [(str(age), *rest) for age, *rest in people]
    by_age = sorted(range(60), key=lambda i: people[i], reverse=True)
    columns = table()["columns"]
    first(tmp_path, [(str(i), *row) for i, row in enumerate(rows)], patients=table(columns=columns | {"age": "drop"}))
    ages_alone = table(columns=columns | {"town": "drop"})
    with pytest.raises(Infeasible, match="persons with one identifier look like different people"):
        second(tmp_path, [(str(line), *rows[i]) for line, i in enumerate(by_age)], patients=ages_alone)
    with pytest.raises(Infeasible, match="k-anonymity of patients fails in 2 of 4 groups"):
        second(tmp_path, [(str(i), *rows[i]) for i in by_age], patients=ages_alone)


def test_another_secret_leaves_it_undecided(tmp_path: Path) -> None:
    first(tmp_path)
    with pytest.raises(Infeasible, match="same column under the same secret key"):
        second(tmp_path, PEOPLE, patients=table(), secret="another secret of the steward, as long")


def test_without_the_internal_folder_of_the_earlier_release_it_is_undecided(tmp_path: Path) -> None:
    first(tmp_path)
    shutil.rmtree(tmp_path / "one" / "out" / "r1" / "internal")
    with pytest.raises(Infeasible, match="patients of r1 publishes is recorded in its internal/ folder"):
        second(tmp_path, PEOPLE, patients=table())


def test_a_table_without_persons_is_compared_by_its_file(tmp_path: Path) -> None:
    """Each row is somebody else; both tables read the same bytes."""
    columns = {"person": "drop", "age": "quasi", "town": "quasi", "illness": "sensitive"}
    nameless = table(columns=columns)
    done = first(tmp_path, a=nameless, b=nameless)
    assert composition(done).tier == "steward"
    with pytest.raises(Infeasible, match="composition"):
        first(tmp_path / "again", a=nameless, b=table(columns=columns | {"town": "drop"}))


def test_a_recipient_takes_it_at_its_word(tmp_path: Path) -> None:
    done = first(tmp_path, a=table(publish="within-class"), b=table(publish="within-class"))
    assert composition(done).tier == "steward"
    public = Path(shutil.copytree(done.directory / "public", tmp_path / "public"))
    (found,) = verify(public).findings["datasets together"]
    assert (found.name, found.ok, found.tier) == ("composition", True, "attested")


def passed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody whose copy of the software finds nothing."""
    held = Finding.judge("composition", 0, "≤", 0, unit="groups")
    monkeypatch.setattr(CompositionRule, "check", lambda self, datasets: held)


def test_a_certificate_of_somebody_who_did_not_look_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_age = table(columns=table()["columns"] | {"town": "drop"})
    with monkeypatch.context() as forger:
        passed(forger)
        done = first(tmp_path, every=table(), some=by_age)
        assert verify(done.directory).ok
    seen = verify(done.directory)
    assert not seen.ok
    assert any("every and some: composition" in one and "FAILS" in one for one in seen.problems)
    assert main(["verify", str(done.directory)]) == 5


def test_a_certificate_without_the_claim_is_found_out(tmp_path: Path) -> None:
    done = first(tmp_path, a=table(), b=table())
    public = done.directory / "public"
    certificate = json.loads((public / "certificate.json").read_text())
    certificate["together"]["judged"] = []
    certificate["files"] = file_hashes(public)
    (public / "certificate.json").write_text(json.dumps(certificate))
    write_sums(public)
    assert any("the certificate claims something else" in one for one in verify(done.directory).problems)


def test_evidence_that_was_altered_is_found_out(tmp_path: Path) -> None:
    """Even by somebody who writes the manifest anew: it must agree with the persons that the certificate knows."""
    done = first(tmp_path, a=table(), b=table())
    path = done.directory / "internal" / "b" / "_people.parquet"
    rows = pq.read_table(path)
    pq.write_table(rows.set_column(0, "person", pa.array(rows["person"].to_pylist()[::-1])), path)
    assert any("changed since the release" in one for one in verify(done.directory).problems)
    pq.write_table(rows.set_column(0, "person", pa.array(["x"] * rows.num_rows)), path)
    write_manifest(Layout.of(done.directory), None)
    assert any("damaged" in one for one in verify(done.directory).problems)


def test_names_of_persons_stay_out_of_every_file(tmp_path: Path) -> None:
    named = [(f"Mrs-{one[0]}-Canary", *one[1:]) for one in PEOPLE]
    done = first(tmp_path, named, a=table(), b=table())
    for path in done.directory.rglob("*"):
        assert path.is_dir() or b"Canary" not in path.read_bytes(), path.name
        if path.suffix == ".parquet":
            assert "Canary" not in str(pq.read_table(path).to_pylist())
