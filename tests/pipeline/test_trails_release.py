"""One pseudonym for all rows of a person, from policy to verification, and what a forger cannot change."""

from __future__ import annotations

import csv
import datetime
import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from forged_releases import content_of, put, put_page

from sharewell.cli import main
from sharewell.errors import PolicyError
from sharewell.findings import Tier
from sharewell.io.plain_files import sha256
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import Verification, verify
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {{name: visits}}
secrets: {{key: env:TEST_TRAILS_KEY}}
datasets:
  visits:
    kind: tables
    read: {{csv: visits.csv}}
    publish: dataset
    columns:
      who: subject
      age: quasi
      ward: quasi
      came: {{role: shift, type: {{date: "%d.%m.%Y"}}, most_days: 60}}
      left: {{role: shift, type: {{date: "%d.%m.%Y"}}, most_days: 60}}
      illness: sensitive
    require: [trail-k-anonymity: {{k: 3}}, k-anonymity: {{k: 3}}]
    using: {using}
write: {{csv: out}}
"""
GROUPING, BREAKING = "{trail-grouping: {suppress: 0.5}}", "{trail-breaking: {suppress: 0.5}}"
Rows = list[dict[str, str]]


def visits() -> list[str]:
    drawn, lines = random.Random(3), []
    for person in range(60):
        age, day = drawn.randint(20, 60), datetime.date(2021, 1, 1) + datetime.timedelta(days=drawn.randint(0, 300))
        for _ in range(drawn.choice([1, 2, 2, 3])):
            gone = day + datetime.timedelta(days=drawn.randint(1, 9))
            came = "" if drawn.random() < 0.05 else f"{day:%d.%m.%Y}"
            row = (f"person {person}", age, drawn.choice("AB"), came, f"{gone:%d.%m.%Y}", drawn.choice(["flu", "hiv"]))
            lines.append(",".join(map(str, row)))
            day = gone + datetime.timedelta(days=drawn.randint(9, 90))
    return lines


def made(directory: Path, using: str, lines: list[str] | None = None) -> Path:
    directory.mkdir(exist_ok=True)
    text = "\n".join(["who,age,ward,came,left,illness", *(lines or visits())]) + "\n"
    (directory / "visits.csv").write_text(text)
    (directory / "policy.yaml").write_text(POLICY.format(using=using))
    return release(check(directory / "policy.yaml")).directory


@pytest.fixture(autouse=True)
def secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_TRAILS_KEY", "an example secret, long enough")


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TEST_TRAILS_KEY", "an example secret, long enough")
        at = tmp_path_factory.mktemp("trails")
        return {"grouping": made(at / "grouping", GROUPING), "breaking": made(at / "breaking", BREAKING)}


def rows_of(directory: Path) -> Rows:
    with (directory / "public" / "visits.csv").open() as file:
        return list(csv.DictReader(file))


def forged(released: Path, into: Path, change: Callable[[Rows], Rows]) -> Path:
    """The release with other rows, and with every hash made to fit."""
    shutil.copytree(released, into)
    rows = change(rows_of(released))
    path = into / "public" / "visits.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), quoting=csv.QUOTE_ALL)
        writer.writeheader()
        writer.writerows(rows)
    certificate = content_of(into)
    certificate["files"]["visits.csv"] = sha256(path)
    put_page(into / "public", certificate)
    put(into, certificate)
    return into


def merged(rows: Rows) -> Rows:
    """Two persons under one pseudonym."""
    first, second = sorted({row["who"] for row in rows})[:2]
    return [row | {"who": first} if row["who"] == second else row for row in rows]


def split(rows: Rows) -> Rows:
    """One row of a person under a pseudonym of its own."""
    several = next(row for row in rows if sum(other["who"] == row["who"] for other in rows) > 1)
    at = rows.index(several)
    return [row | {"who": "0" * 20} if i == at else row for i, row in enumerate(rows)]


def moved(rows: Rows) -> Rows:
    return [rows[0] | {"left": "2021-02-03"}, *rows[1:]]


def tiers(found: Verification) -> set[Tier | None]:
    return {one.tier for one in found.findings["visits"]}


def test_recipients_can_count_persons_and_follow_them(releases: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(releases["grouping"] / "public", tmp_path / "public")
    found = verify(tmp_path / "public")
    assert found.ok, found.problems
    assert found.verdict == "verified"
    assert tiers(found) == {Tier.RECIPIENT}
    rows = rows_of(releases["grouping"])
    trails: dict[str, list[tuple[str, ...]]] = {}
    for row in rows:
        trails.setdefault(row["who"], []).append((row["age"], row["ward"], row["came"], row["left"]))
    shown = [tuple(sorted(trail)) for trail in trails.values()]
    assert min(shown.count(trail) for trail in shown) >= 3
    assert any(len(trail) > 1 for trail in shown)


def test_pieces_are_the_stewards_to_check(releases: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(releases["breaking"] / "public", tmp_path / "public")
    found = verify(tmp_path / "public")
    assert found.ok, found.problems
    assert tiers(found) == {Tier.ATTESTED}
    assert all("pseudonyms were counted" in one.note for one in found.findings["visits"])
    with_evidence = verify(releases["breaking"])
    assert with_evidence.ok, with_evidence.problems
    assert tiers(with_evidence) == {Tier.STEWARD}
    details = json.loads((releases["breaking"] / "internal" / "findings.json").read_text())
    assert "trail-linkage" in json.dumps(details)


@pytest.mark.parametrize("change", [merged, split, moved])
@pytest.mark.parametrize("name", ["grouping", "breaking"])
def test_another_pseudonym_or_date_is_found(
    releases: dict[str, Path], tmp_path: Path, name: str, change: Callable[[Rows], Rows]
) -> None:
    found = verify(forged(releases[name], tmp_path / "forged", change))
    assert not found.ok
    assert any("trail-k-anonymity" in problem or "pseudonym" in problem for problem in found.problems), found.problems


@pytest.mark.parametrize("change", [merged, split, moved])
def test_recipients_find_it_where_trails_are_whole(
    releases: dict[str, Path], tmp_path: Path, change: Callable[[Rows], Rows]
) -> None:
    found = verify(forged(releases["grouping"], tmp_path / "forged", change) / "public")
    assert any("trail-k-anonymity" in problem for problem in found.problems), found.problems


def test_an_honest_copy_is_not_faulted(releases: dict[str, Path], tmp_path: Path) -> None:
    for name, released in releases.items():
        assert verify(forged(released, tmp_path / name, lambda rows: rows)).ok


def test_pieces_cannot_be_passed_off_as_persons(releases: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(releases["breaking"], tmp_path / "forged")
    certificate = content_of(tmp_path / "forged")
    claim = certificate["datasets"]["visits"]
    claim["persons"] = certificate["policy"]["redacted"]["datasets"]["visits"]["persons"] = "published"
    del claim["persons_sha256"]
    for one in claim["findings"]:
        one["tier"] = "recipient"
    put(tmp_path / "forged", certificate)
    shutil.rmtree(tmp_path / "forged" / "internal")
    found = verify(tmp_path / "forged" / "public")
    assert any("a person may have several pseudonyms" in problem for problem in found.problems), found.problems


@pytest.mark.parametrize("using", [GROUPING, BREAKING])
def test_the_order_of_the_source_leaves_no_trace(tmp_path: Path, using: str) -> None:
    lines = visits()
    one, other = made(tmp_path / "one", using, lines), made(tmp_path / "other", using, lines[::-1])
    assert (one / "public" / "visits.csv").read_bytes() == (other / "public" / "visits.csv").read_bytes()


def test_without_a_trail_criterion_it_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "visits.csv").write_text("who,age,ward,came,left,illness\n")
    text = POLICY.format(using="mondrian").replace("trail-k-anonymity: {k: 3}, ", "")
    (tmp_path / "policy.yaml").write_text(text)
    with pytest.raises(PolicyError, match="require trail-k-anonymity, or use within-class"):
        check(tmp_path / "policy.yaml")
    assert main(["check", str(tmp_path / "policy.yaml")]) == 2
    (tmp_path / "policy.yaml").write_text(POLICY.format(using="mondrian"))
    with pytest.raises(PolicyError, match="'mondrian' cannot make 'trail-k-anonymity' hold"):
        check(tmp_path / "policy.yaml")


def test_auto_takes_a_mechanism_for_trails(tmp_path: Path) -> None:
    lines = [line for line in visits() if line.startswith("person 1")]
    (tmp_path / "visits.csv").write_text("\n".join(["who,age,ward,came,left,illness", *lines]) + "\n")
    undated = {"came": "      came: drop", "left": "      left: drop"}
    written = POLICY.format(using="auto").splitlines()
    text = "\n".join(undated.get(line.strip().partition(":")[0], line) for line in written)
    (tmp_path / "policy.yaml").write_text(text.replace("k: 3", "k: 2"))
    done = release(check(tmp_path / "policy.yaml"))
    assert content_of(done.directory)["datasets"]["visits"]["mechanism"]["name"].startswith("trail-")
