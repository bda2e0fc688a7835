"""Earlier releases that a policy names: whole or refused, and compared by what their columns are, not how written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pipeline.forged_releases import content_of, put

from sharewell.cli import main
from sharewell.errors import DataError, Infeasible
from sharewell.pipeline.certificate import Layout
from sharewell.pipeline.dependent_columns import PublishedColumns, dependent_columns
from sharewell.pipeline.manifest import write_manifest
from sharewell.pipeline.run import Released, release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

PEOPLE = [
    (f"p{i}", illness, "A" if illness == "gout" else "B")
    for i, illness in enumerate(["flu"] * 16 + ["gout"] * 9 + ["hiv"] * 2)
]
"""An illness tells the ward: whoever subtracts the ward of gout from all knows flu and hiv together."""
MERGED = [(who, "flu" if illness == "hiv" else illness, ward) for who, illness, ward in PEOPLE]
HEADER = ("pid", "illness", "ward")


def write_rows(path: Path, rows: list[tuple[str, ...]], header: tuple[str, ...] = HEADER) -> str:
    path.write_text("\n".join([",".join(header), *(",".join(row) for row in rows)]) + "\n", encoding="utf-8")
    return path.name


def counts(file: str, renamed: dict[str, str] | None = None, **roles: str) -> dict[str, Any]:
    return {
        "kind": "reports",
        "read": {"csv": file, **({"columns": renamed} if renamed else {})},
        "columns": {"pid": "subject", **roles},
        "require": [{"cell-protection": {"threshold": 5}}],
        "using": "cell-suppression",
    }


def policy(place: Path, name: str, after: list[str] | None = None, sign: bool = False, **datasets: Any) -> Path:
    path = place / f"{name}.yaml"
    told = {"sharewell": 1, "release": {"name": name, "after": after or []}, "datasets": datasets}
    (place / "secret").write_text("a secret of the steward, of no use elsewhere")
    secrets = {"key": "file:secret"} | ({"sign": "file:steward.key"} if sign else {})
    told |= {"write": {"csv": "out"}, "secrets": secrets}
    path.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    return path


def first_release(place: Path, sign: bool = False) -> Released:
    file = write_rows(place / "people.csv", PEOPLE)
    if sign:
        assert main(["keygen", str(place / "steward")]) == 0
    return release(check(policy(place, "r1", sign=sign, t=counts(file, illness="quasi", ward="drop"))))


def again(place: Path) -> Released:
    """The same table once more, after the first: nothing new is told."""
    return release(check(policy(place, "r2", ["out/r1"], t=counts("people.csv", illness="quasi", ward="drop"))))


def alter_evidence(folder: Path) -> None:
    """The true cells say something else, and the manifest is made to fit; nobody has the key to sign it."""
    path = folder / "internal" / "persons" / "t.parquet"
    pq.write_table(pq.read_table(path).slice(1), path)
    signature = folder / "internal" / "manifest.sig"
    kept = signature.read_bytes()
    write_manifest(Layout(folder / "public", folder / "internal"), None)
    signature.write_bytes(kept)


def strip_signatures(folder: Path) -> None:
    for path in folder.rglob("*.sig"):
        path.unlink()


def exchange_signature(folder: Path) -> None:
    (folder / "public" / "certificate.sig").write_bytes((folder / "internal" / "manifest.sig").read_bytes())


def alter_published(folder: Path) -> None:
    path = folder / "public" / "t.csv"
    path.write_text(path.read_text() + "\n")


def remove_manifest(folder: Path) -> None:
    for path in (folder / "internal").glob("manifest.*"):
        path.unlink()


def alter_policy(folder: Path) -> None:
    path = folder / "internal" / "policy.yaml"
    path.write_text(path.read_text() + "\n")


ALTERED = [alter_evidence, strip_signatures, exchange_signature, alter_published, remove_manifest, alter_policy]


@pytest.mark.parametrize("alter", ALTERED, ids=lambda one: one.__name__)
def test_an_earlier_release_that_does_not_verify_is_refused(tmp_path: Path, alter: Any) -> None:
    folder = first_release(tmp_path, sign=True).directory
    second = again(tmp_path).directory
    assert verify(second, earlier=[folder]).ok, "signed by another key or by none, the new release may be judged"
    alter(folder)
    assert not verify(folder).ok
    problems = verify(second, earlier=[folder]).problems
    assert any("r1" in one and "earlier release" in one for one in problems)
    shutil.rmtree(second)
    with pytest.raises(DataError, match=r"r1 — the earlier release .* — name the folder as it was released"):
        again(tmp_path)
    assert not second.exists()


def test_an_earlier_release_need_not_be_signed_by_the_key_of_the_new_one(tmp_path: Path) -> None:
    first = first_release(tmp_path, sign=True).directory
    assert main(["keygen", str(tmp_path / "other")]) == 0
    path = policy(tmp_path, "r2", ["out/r1"], True, t=counts("people.csv", illness="quasi", ward="drop"))
    path.write_text(path.read_text().replace("steward.key", "other.key"))
    second = release(check(path)).directory
    assert verify(second, earlier=[first], key=tmp_path / "other.pub").ok
    alter_evidence(first)
    assert not verify(second, earlier=[first], key=tmp_path / "other.pub").ok, "though its own signature must fit"


def test_a_public_folder_alone_is_whole_without_its_internal_folder(tmp_path: Path) -> None:
    first = first_release(tmp_path).directory
    second = again(tmp_path).directory
    public = Path(shutil.copytree(first / "public", tmp_path / "received"))
    assert verify(second, earlier=[public]).ok


def test_an_unsigned_certificate_that_was_made_to_fit_again_is_another_release(tmp_path: Path) -> None:
    """What no signature protects is recognised by its hash alone."""
    first = first_release(tmp_path).directory
    second = again(tmp_path).directory
    put(first, content_of(first) | {"decisions": []})
    (finding,) = verify(second, earlier=[first]).findings["datasets together"]
    assert finding.tier == "attested"


def test_a_column_that_tells_a_column_of_an_earlier_table_is_found(tmp_path: Path) -> None:
    """Within one policy both tables are refused; after each other they tell the same."""
    first_release(tmp_path)
    later = counts("people.csv", illness="drop", ward="quasi")
    with pytest.raises(Infeasible) as refused:
        release(check(policy(tmp_path, "r2", ["out/r1"], u=later)))
    assert "column ward of u and column illness of t of r1 tell each other's values" in str(refused.value)
    write_rows(tmp_path / "turned.csv", PEOPLE[::-1], ("pid", "Illness ", "ward"))
    with pytest.raises(Infeasible, match="tell each other's values"):
        release(check(policy(tmp_path, "r3", ["out/r1"], u=counts("turned.csv", **{"Illness ": "drop"}, ward="quasi"))))


def test_a_column_that_another_owner_calls_otherwise_is_found_in_the_file_of_this_owner(tmp_path: Path) -> None:
    """In the first file the ward tells nothing; in the second it tells the illness, which is called dx there."""
    first = write_rows(tmp_path / "people.csv", [(f"q{i}", "flu" if i % 4 else "hiv", "AB"[i % 2]) for i in range(28)])
    other = {"csv": write_rows(tmp_path / "more.csv", PEOPLE, ("pid", "dx", "ward")), "columns": {"illness": "dx"}}
    both = counts(first, illness="quasi", ward="drop") | {"owners": [other]}
    later = counts(first, illness="drop", ward="quasi") | {"owners": [other]}
    mine, theirs = (PublishedColumns.of(check(policy(tmp_path, "r1", t=one)).datasets["t"]) for one in (both, later))
    assert list(dependent_columns(mine, theirs)) == [("illness", "ward", True)]


def test_a_column_of_an_earlier_table_that_the_file_lacks_leaves_the_pair_undecided(tmp_path: Path) -> None:
    first_release(tmp_path)
    write_rows(tmp_path / "wards.csv", [(who, ward) for who, _, ward in PEOPLE], ("pid", "ward"))
    with pytest.raises(Infeasible, match=r"undecided.*column illness of t of r1 are not in one file"):
        release(check(policy(tmp_path, "r2", ["out/r1"], u=counts("wards.csv", ward="quasi"))))


def test_columns_that_tell_nothing_of_each_other_may_follow(tmp_path: Path) -> None:
    rows = [(who, illness, "AB"[i % 2]) for i, (who, illness, _) in enumerate(PEOPLE)]
    write_rows(tmp_path / "people.csv", rows)
    release(check(policy(tmp_path, "r1", t=counts("people.csv", illness="quasi", ward="drop"))))
    done = release(check(policy(tmp_path, "r2", ["out/r1"], u=counts("people.csv", illness="drop", ward="quasi"))))
    assert [one["ok"] for one in content_of(done.directory)["together"]["judged"]] == [True]


SPELLINGS = ["illness", "Illness", "illness\u00a0", "ILLNESS", "ill\u200bness", "ｉllness"]


@pytest.mark.parametrize("spelt", SPELLINGS)
def test_another_spelling_of_a_column_hides_nothing_from_an_earlier_table(tmp_path: Path, spelt: str) -> None:
    """The later table counts hiv with flu, and shows gout, which the first one hides to protect hiv."""
    first_release(tmp_path)
    write_rows(tmp_path / "merged.csv", MERGED, ("pid", spelt, "ward"))
    with pytest.raises(Infeasible, match="tables-together"):
        release(check(policy(tmp_path, "r2", ["out/r1"], t=counts("merged.csv", **{spelt: "quasi"}, ward="drop"))))


@pytest.mark.parametrize("spelt", SPELLINGS)
def test_another_spelling_of_a_column_hides_nothing_from_records(tmp_path: Path, spelt: str) -> None:
    first_release(tmp_path)
    write_rows(tmp_path / "merged.csv", PEOPLE, ("pid", spelt, "ward"))
    records = {
        "kind": "tables",
        "read": {"csv": "merged.csv"},
        "columns": {"pid": "subject", spelt: "sensitive", "ward": "drop"},
        "require": [{"k-anonymity": {"k": 5}}],
        "using": "mondrian",
    }
    with pytest.raises(Infeasible, match="tables-together"):
        release(check(policy(tmp_path, "r2", ["out/r1"], t=records)))


def test_two_columns_of_one_table_that_are_spelt_alike_leave_it_undecided(tmp_path: Path) -> None:
    first_release(tmp_path)
    write_rows(tmp_path / "twice.csv", PEOPLE, ("pid", "illness", "Illness"))
    with pytest.raises(Infeasible, match=r"name each once"):
        release(check(policy(tmp_path, "r2", ["out/r1"], t=counts("twice.csv", illness="quasi", Illness="quasi"))))


def records_of(file: str, *, renamed: dict[str, str] | None = None, **roles: str) -> dict[str, Any]:
    return {
        "kind": "tables",
        "read": {"csv": file, **({"columns": renamed} if renamed else {})},
        "columns": roles,
        "require": [{"k-anonymity": {"k": 3}}],
        "using": "mondrian",
    }


def visits(place: Path, header: tuple[str, ...] = ("pid", "age", "town", "illness")) -> None:
    rows = [(f"p{i}", str(20 + i % 30), f"t{i % 7}", f"i{i * 5 % 6}") for i in range(60)]
    write_rows(place / "visits.csv", rows, header)


@pytest.mark.parametrize(
    ("renamed", "age", "illness"),
    [
        ({}, "age", "illness"),
        ({"Age ": "age", "ILLNESS": "illness"}, "Age ", "ILLNESS"),
        ({"a": "age"}, "a", "illness"),
    ],
    ids=["same names", "spelt otherwise", "renamed"],
)
def test_records_are_combined_by_the_names_that_columns_have_in_the_file(
    tmp_path: Path, renamed: dict[str, str], age: str, illness: str
) -> None:
    visits(tmp_path)
    every = records_of("visits.csv", pid="subject", age="quasi", town="drop", illness="sensitive")
    some = records_of(
        "visits.csv", renamed=renamed, **{"pid": "subject", age: "quasi", "town": "drop", illness: "sensitive"}
    )
    found = release(check(policy(tmp_path, "r1", every=every, some=some))).findings["together"]["attacks"]
    assert [one["name"] for one in found] == ["composition-of-datasets"]
    assert found[0]["value"] is not None
    visits(tmp_path, ("pid", "AGE", "town", "Illness"))
    later = records_of("visits.csv", pid="subject", AGE="quasi", town="drop", Illness="sensitive")
    found = release(check(policy(tmp_path, "r2", ["out/r1"], later=later))).findings["together"]["attacks"]
    (one,) = [one for one in found if one["name"] == "composition-of-datasets"]
    assert one["datasets"] == ["later", "every of r1", "some of r1"]


def test_subjects_spelt_alike_may_be_the_same_people(tmp_path: Path) -> None:
    write_rows(tmp_path / "people.csv", PEOPLE)
    write_rows(tmp_path / "others.csv", PEOPLE[::-1], ("PID\u00a0", "illness", "ward"))
    other = counts("others.csv", illness="quasi", ward="drop")
    other["columns"] = {"PID\u00a0": "subject", "illness": "quasi", "ward": "drop"}
    mine = counts("people.csv", illness="quasi", ward="drop")
    told = content_of(release(check(policy(tmp_path, "r1", mine=mine, other=other))).directory)["together"]
    assert told["not_judged"] == []
    assert told["judged"], "they are the same rows, in another order"
