"""Datasets about the same people are judged and attacked as one, and what was not looked at is said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sharewell.cli import main
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.pipeline.certificate import file_hashes, write_sums
from sharewell.pipeline.run import Released, release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

ILLNESSES = ("flu", "asthma", "gout", "angina", "ulcer", "measles")
TABLE = """\
  {name}:
    kind: tables
    read: {{csv: {file}}}
    columns: {{person: subject, age: {age}, town: {town}, illness: sensitive}}
    require: [k-anonymity: {{k: 3}}]
    using: mondrian
"""


def write_people(path: Path) -> None:
    rows = [f"p{i},{20 + i % 30},t{i % 7},{ILLNESSES[(i * 5) % 6]}" for i in range(60)]
    path.write_text("\n".join(["person,age,town,illness", *rows]) + "\n")


def write_others(path: Path) -> None:
    rows = [f"q{i},{20 + i % 31},t{i % 7},{ILLNESSES[i % 6]}" for i in range(60)]
    path.write_text("\n".join(["person,age,town,illness", *rows]) + "\n")


def desk(place: Path, *tables: dict[str, str], release_: str = "{name: r1}") -> Path:
    place.mkdir(parents=True, exist_ok=True)
    write_people(place / "people.csv")
    shutil.copy(place / "people.csv", place / "copy.csv")
    usual = {"file": "people.csv", "age": "quasi", "town": "quasi"}
    written = "".join(TABLE.format(**{**usual, **one}) for one in tables)
    path = place / "policy.yaml"
    (place / "secret").write_text("a secret of the steward, of no use elsewhere")
    secret = "secrets: {key: file:secret}\n"
    path.write_text(f"sharewell: 1\nrelease: {release_}\n{secret}datasets:\n{written}write: {{csv: out}}\n")
    return path


def made(path: Path) -> tuple[Released, dict[str, Any]]:
    done = release(check(path))
    return done, json.loads((done.directory / "public" / "certificate.json").read_text())


ALL, AGAIN = {"name": "all"}, {"name": "again"}
BY_AGE = {"name": "by-age", "town": "drop"}
JUDGED = {"name": "composition", "sense": "≤", "bound": 0, "ok": True, "unit": "groups", "tier": "steward"}


@pytest.mark.parametrize("second", [{"file": "people.csv"}, {"file": "copy.csv"}], ids=["same file", "a copy of it"])
def test_two_tables_of_one_file_are_attacked_together_and_listed(tmp_path: Path, second: dict[str, str]) -> None:
    done, certificate = made(desk(tmp_path, ALL, {**AGAIN, **second}))
    (judged,) = certificate["together"]["judged"]
    assert judged == {"datasets": ["all", "again"], **JUDGED}
    assert certificate["together"]["not_judged"] == [["all", "again"]], "kept and shifted columns are not judged"
    (attack,) = done.findings["together"]["attacks"]
    assert attack["name"] == "composition-of-datasets"
    assert attack["value"] >= attack["details"]["by_itself"] > 0
    assert verify(done.directory).ok
    assert "Not judged together" in done.dossier.read_text()


@pytest.mark.parametrize("second", [{"file": "people.csv"}, {"file": "copy.csv"}], ids=["same file", "a copy of it"])
def test_two_tables_of_one_file_in_other_classes_are_refused(tmp_path: Path, second: dict[str, str]) -> None:
    path = desk(tmp_path, ALL, {**BY_AGE, **second})
    with pytest.raises(Infeasible, match=r"all and by-age: composition = \d+ groups .*k-anonymity of all fails in"):
        release(check(path))
    assert main(["release", str(path)]) == 4


def test_a_copy_of_the_file_with_other_names_of_persons_is_undecided(tmp_path: Path) -> None:
    path = desk(tmp_path, ALL, {**AGAIN, "file": "others.csv"})
    (tmp_path / "others.csv").write_text((tmp_path / "people.csv").read_text().replace("\np", "\nq"))
    with pytest.raises(Infeasible, match="read copies of one file that name their persons otherwise"):
        release(check(path))


def test_one_table_alone_is_about_nothing_together(tmp_path: Path) -> None:
    done, certificate = made(desk(tmp_path, {"name": "all"}))
    assert certificate["together"] == {"judged": [], "not_judged": []}
    assert done.findings["together"]["attacks"] == []


def test_tables_of_other_people_with_the_same_subject_column_are_listed_too(tmp_path: Path) -> None:
    path = desk(tmp_path, {"name": "all"}, {"name": "other", "file": "others.csv"})
    write_others(tmp_path / "others.csv")
    done, certificate = made(path)
    assert certificate["together"]["not_judged"] == [["all", "other"]]
    assert done.findings["together"]["attacks"] == [], "only datasets that surely share people are attacked together"


@pytest.mark.parametrize(("name", "pairs"), [("P{} ", [["all", "other"]]), ("q{}", [])], ids=["one in common", "none"])
def test_datasets_that_name_the_same_persons_in_columns_of_other_names_are_listed(
    tmp_path: Path, name: str, pairs: list[list[str]]
) -> None:
    """However spelt: neither the file nor the name of the column tells that they belong together."""
    path = desk(tmp_path, {"name": "all"}, {"name": "other", "file": "others.csv"})
    rows = [f"{name.format(i) if i == 7 else f'x{i}'},{20 + i % 31},t{i % 7},{ILLNESSES[i % 6]}" for i in range(60)]
    (tmp_path / "others.csv").write_text("\n".join(["patient,age,town,illness", *rows]) + "\n")
    before, after = path.read_text().split("  other:")
    path.write_text(f"{before}  other:{after.replace('person: subject', 'patient: subject')}")
    done, certificate = made(path)
    assert certificate["together"]["not_judged"] == pairs
    assert verify(done.directory).ok
    listed = any("neither judges them together nor lists them" in one for one in silenced(done))
    assert listed is bool(pairs)


def silenced(done: Released, **datasets: dict[str, Any]) -> list[str]:
    """What `verify` says once the certificate lists no pair, says other things of datasets, and is hashed anew."""
    public = done.directory / "public"
    certificate = json.loads((public / "certificate.json").read_text())
    certificate["together"]["not_judged"] = []
    for name, changed in datasets.items():
        certificate["policy"]["redacted"]["datasets"][name] |= changed
    certificate["files"] = file_hashes(public)
    (public / "certificate.json").write_text(json.dumps(certificate))
    write_sums(public)
    return list(verify(done.directory).problems)


def test_a_certificate_that_keeps_silent_about_a_pair_is_found_out(tmp_path: Path) -> None:
    done, _ = made(desk(tmp_path, ALL, AGAIN))
    assert any("neither judges them together nor lists them" in one for one in silenced(done))


@pytest.mark.parametrize("person", ["person", "who"])
def test_silence_about_datasets_that_call_their_persons_alike_is_found_out(tmp_path: Path, person: str) -> None:
    """Though the subject is not published, and though a policy renames it: its name in the file counts."""
    path = desk(tmp_path, {"name": "all"}, {"name": "other", "file": "others.csv"})
    write_others(tmp_path / "others.csv")
    if person != "person":
        last = path.read_text().rindex("{csv: others.csv}")
        renamed = path.read_text()[last:].replace("others.csv", "others.csv, columns: {who: person}", 1)
        path.write_text(path.read_text()[:last] + renamed.replace("person: subject", "who: subject"))
    done, certificate = made(path)
    assert certificate["together"]["not_judged"] == [["all", "other"]]
    assert "person" not in json.dumps(certificate["policy"]["redacted"]["datasets"]["all"]["columns"])
    assert verify(done.directory).ok
    problems = silenced(done)
    assert any("other" in one and "neither judges them together nor lists them" in one for one in problems)
    assert silenced(done, other={"subjects": None}), "without the labels nothing is verified"


def test_subjects_that_are_published_give_a_pair_away_whatever_the_labels_say(tmp_path: Path) -> None:
    path = desk(tmp_path, {"name": "all"}, {"name": "other", "file": "others.csv"})
    write_others(tmp_path / "others.csv")
    path.write_text(path.read_text().replace("    kind: tables\n", "    kind: tables\n    publish: within-class\n"))
    done, _ = made(path)
    problems = silenced(done, other={"subjects": [7]})
    assert any("neither judges them together nor lists them" in one for one in problems)


@pytest.mark.parametrize("broken", [None, 5, {"judged": 1, "not_judged": []}, {"judged": [{}], "not_judged": []}])
def test_a_damaged_entry_is_a_problem_and_no_traceback(tmp_path: Path, broken: Any) -> None:
    done, certificate = made(desk(tmp_path, ALL, AGAIN))
    (done.directory / "public" / "certificate.json").write_text(json.dumps(certificate | {"together": broken}))
    assert any("datasets together" in one for one in verify(done.directory).problems)


def test_an_earlier_release_is_attacked_with_this_one(tmp_path: Path) -> None:
    first, _ = made(desk(tmp_path / "one", ALL))
    second, certificate = made(desk(tmp_path / "two", AGAIN, release_="{name: r2, after: [../one/out/r1]}"))
    assert [one["name"] for one in certificate["after"]] == ["r1"]
    assert certificate["together"]["not_judged"] == [["again", "all of r1"]]
    assert certificate["together"]["judged"] == [{"datasets": ["again", "all of r1"], **JUDGED}]
    (attack,) = second.findings["together"]["attacks"]
    assert attack["datasets"] == ["again", "all of r1"]
    assert attack["value"] is not None
    assert verify(second.directory, earlier=[first.directory]).ok
    assert verify(second.directory).ok
    assert main(["verify", str(second.directory), "--earlier", str(first.directory)]) == 0


def test_an_earlier_release_that_is_none_is_refused(tmp_path: Path) -> None:
    path = desk(tmp_path, {"name": "all"}, release_="{name: r2, after: [nowhere]}")
    with pytest.raises(DataError, match="nowhere"):
        release(check(path))
    path = desk(tmp_path, {"name": "all"}, release_="{name: r2, after: elsewhere}")
    with pytest.raises(PolicyError, match="after"):
        check(path)


COUNTS = """\
  {name}:
    kind: reports
    read: {{csv: people.csv}}
    columns: {{person: subject, age: {age}, town: {town}, illness: {illness}}}
    require: [cell-protection: {{threshold: 5}}]
    using: cell-suppression
"""


def counted(place: Path, *tables: dict[str, str], release_: str = "{name: r1}", records: str = "") -> Path:
    """Nothing is rare by illness; by town and illness the table hides one of its own totals, too."""
    place.mkdir(parents=True, exist_ok=True)
    cells = [("flu", "a")] + [("flu", "b")] * 14 + [("gout", "a")] * 14 + [("gout", "b")] * 4
    rows = [f"p{i},{20 + i % 30},{town},{illness}" for i, (illness, town) in enumerate(cells)]
    (place / "people.csv").write_text("\n".join(["person,age,town,illness", *rows]) + "\n")
    usual = {"age": "drop", "town": "drop", "illness": "drop"}
    written = "".join(COUNTS.format(**{**usual, **one}) for one in tables)
    path = place / "policy.yaml"
    path.write_text(f"sharewell: 1\nrelease: {release_}\ndatasets:\n{written}{records}write: {{csv: out}}\n")
    return path


ONE = {"name": "by-illness", "illness": "quasi"}
BOTH = {"name": "by-both", "illness": "quasi", "town": "quasi"}


def test_two_tables_that_are_safe_alone_are_refused_together(tmp_path: Path) -> None:
    """The total that one table hides stands in the other."""
    for i, one in enumerate((ONE, BOTH)):
        assert verify(made(counted(tmp_path / str(i), one))[0].directory).ok
    path = counted(tmp_path / "both", ONE, BOTH)
    with pytest.raises(Infeasible, match=r"by-illness and by-both.*tables-together"):
        release(check(path))
    assert main(["release", str(path)]) == 4
    assert not (tmp_path / "both" / "out" / "r1").exists()


def test_a_table_is_judged_with_that_of_an_earlier_release(tmp_path: Path) -> None:
    first, _ = made(counted(tmp_path / "one", ONE))
    path = counted(tmp_path / "two", BOTH, release_="{name: r2, after: [../one/out/r1]}")
    with pytest.raises(Infeasible, match="by-both and by-illness of r1"):
        release(check(path))
    again = counted(tmp_path / "three", {**ONE, "name": "same"}, release_="{name: r2, after: [../one/out/r1]}")
    second, certificate = made(again)
    assert [one["ok"] for one in certificate["together"]["judged"]] == [True]
    assert verify(second.directory, earlier=[first.directory]).ok
    (finding,) = verify(second.directory).findings["datasets together"]
    assert finding.tier == "attested"


def test_records_beside_counts_are_judged_with_them(tmp_path: Path) -> None:
    """Records that show the illness give the count that the table hides."""
    records = TABLE.format(name="patients", file="people.csv", age="drop", town="quasi")
    with pytest.raises(Infeasible, match="by-both and patients"):
        release(check(counted(tmp_path, BOTH, records=records)))


def test_a_recipient_takes_joint_claims_at_their_word_and_a_steward_does_not(tmp_path: Path) -> None:
    done, _ = made(counted(tmp_path, BOTH, {**BOTH, "name": "again"}))
    (finding,) = verify(done.directory).findings["datasets together"]
    assert (finding.name, finding.ok, finding.tier) == ("tables-together", True, "steward")
    public = Path(shutil.copytree(done.directory / "public", tmp_path / "public"))
    (finding,) = verify(public).findings["datasets together"]
    assert (finding.ok, finding.tier) == (True, "attested")


def clinic(place: Path, second: str, release_: str = "{name: r1}") -> Path:
    """By illness a count of 3 is hidden; another table shows counts of 2 and more."""
    place.mkdir(parents=True, exist_ok=True)
    cells = [("cold", "J00")] * 30 + [("flu", "J10")] * 20 + [("gout", "M10")] * 3
    rows = [f"p{i},{illness},{icd}" for i, (illness, icd) in enumerate(cells)]
    (place / "people.csv").write_text("\n".join(["person,illness,icd", *rows]) + "\n")
    first = (
        "  a:\n    kind: reports\n    read: {csv: people.csv}\n"
        "    columns: {person: subject, illness: quasi, icd: drop}\n"
        "    require: [cell-protection: {threshold: 5}]\n    using: cell-suppression\n"
    )
    path = place / "policy.yaml"
    path.write_text(
        f"sharewell: 1\nrelease: {release_}\ndatasets:\n{first if release_ else ''}{second}write: {{csv: out}}\n"
    )
    return path


RENAMED = (
    "  b:\n    kind: reports\n    read: {csv: people.csv, columns: {dx: illness}}\n"
    "    columns: {person: subject, dx: quasi, icd: drop}\n"
    "    require: [cell-protection: {threshold: 2}]\n    using: cell-suppression\n"
)
RECORDS = (
    "  b:\n    kind: tables\n    read: {csv: people.csv, columns: {dx: illness}}\n"
    "    columns: {person: subject, dx: sensitive, icd: drop}\n"
    "    require: [k-anonymity: {k: 5}]\n    using: mondrian\n"
)
BY_CODE = (
    "  b:\n    kind: reports\n    read: {csv: people.csv}\n"
    "    columns: {person: subject, illness: drop, icd: quasi}\n"
    "    require: [cell-protection: {threshold: 2}]\n    using: cell-suppression\n"
)


@pytest.mark.parametrize(
    ("second", "why"),
    [(RENAMED, "tables-together"), (RECORDS, "tables-together"), (BY_CODE, "column illness of a and column icd of b")],
    ids=["one column under two names", "records under another name", "a column that says the same"],
)
def test_another_name_for_a_column_hides_nothing(tmp_path: Path, second: str, why: str) -> None:
    with pytest.raises(Infeasible, match=why):
        release(check(clinic(tmp_path, second)))


@pytest.mark.parametrize("bound", [{}, [], "1e99999", None, {"exact": "x"}])
def test_a_joint_bound_that_is_no_number_is_a_problem(tmp_path: Path, bound: Any) -> None:
    done, certificate = made(counted(tmp_path, BOTH, {**BOTH, "name": "again"}))
    certificate["together"]["judged"][0]["bound"] = bound
    public = Path(shutil.copytree(done.directory / "public", tmp_path / "public"))
    (public / "certificate.json").write_text(json.dumps(certificate))
    assert main(["verify", str(public)]) == 5


def test_releases_that_an_earlier_one_was_judged_with_must_be_named_too(tmp_path: Path) -> None:
    made(desk(tmp_path / "one", ALL))
    made(desk(tmp_path / "two", {"name": "all"}, release_="{name: r2, after: [../one/out/r1]}"))
    path = desk(tmp_path / "three", {"name": "all"}, release_="{name: r3, after: [../two/out/r2]}")
    with pytest.raises(DataError, match="r2 was judged together with r1"):
        release(check(path))
    both = "{name: r3, after: [../two/out/r2, ../one/out/r1]}"
    assert verify(made(desk(tmp_path / "three", {"name": "all"}, release_=both))[0].directory).ok


def test_two_tables_of_records_beside_counts_are_still_listed(tmp_path: Path) -> None:
    """Counts are judged with each of them; what they tell of each other is not."""
    records = "".join(
        TABLE.format(name=name, file="people.csv", age="quasi", town="drop").replace(
            "illness: sensitive", "illness: drop"
        )
        for name in ("one", "two")
    )
    _, certificate = made(counted(tmp_path, ONE, records=records))
    assert certificate["together"]["not_judged"] == [["one", "two"]]
    judged = {one["name"]: one["datasets"] for one in certificate["together"]["judged"]}
    assert judged == {"composition": ["one", "two"], "tables-together": ["by-illness", "one", "two"]}
