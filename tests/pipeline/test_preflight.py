"""Whatever a release refuses before it begins, a plan refuses with the same words, before anything is protected."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sharewell.errors import MissingExtra, SharewellError
from sharewell.pipeline import dataset_stage, plan, preflight
from sharewell.pipeline.preflight import refuse_unwritable
from sharewell.pipeline.run import release
from sharewell.policy import load

POLICY = """\
sharewell: 1
release: {name: r}
secrets: {key: env:PREFLIGHT_KEY}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {who: subject, age: quasi, seen: shift, ward: keep, city: drop}
    require: [k-anonymity: {k: 2}]
    using: mondrian
"""
Change = Callable[[Path], None]


def desk(directory: Path, seen: str = "2020-05-0{day}") -> Path:
    rows = [("who", "age", "seen", "ward", "city")]
    rows += [(f"p{i}", str(30 + i // 3), seen.format(day=i + 1), "AB"[i % 2], f"town {i}") for i in range(6)]
    with (directory / "people.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    path = directory / "policy.yaml"
    path.write_text(POLICY)
    return path


def edited(old: str, new: str) -> Change:
    def change(path: Path) -> None:
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    return change


def dates(seen: str) -> Change:
    return lambda path: _rewritten(path, seen)


def _rewritten(path: Path, seen: str) -> None:
    text = path.read_text()
    desk(path.parent, seen)
    path.write_text(text)


def broken_key(path: Path) -> None:
    (path.parent / "steward.key").write_text("-----BEGIN PRIVATE KEY-----\nno key\n")
    edited("env:PREFLIGHT_KEY}", "env:PREFLIGHT_KEY, sign: file:steward.key}")(path)


def other_approval(path: Path) -> None:
    approval = {"policy_sha256": "0" * 64, "key": "0" * 32, "signature": "00"}
    path.with_name(f"{path.name}.approval").write_text(json.dumps(approval))


REFUSALS: dict[str, tuple[Change, str]] = {
    "directory is a file": (lambda path: (path.parent / "out").write_text(""), "no directory to write to"),
    "dates in two forms": (dates("0{day}/05/2020 "), "cannot be shifted"),
    "ambiguous dates": (dates("0{day}/05/2020"), "order of day and month is ambiguous"),
    "dates at the end of time": (dates("9999-12-3{day}"), "cannot be shifted"),
    "a date that might leave time": (dates("9999-12-0{day}"), "6 date(s) would leave the years 1 to 9999"),
    "an earlier release that is none": (edited("{name: r}", "{name: r, after: [earlier]}"), "earlier"),
    "a hierarchy with gaps": (edited("age: quasi", "age: {role: quasi, hierarchy: {csv: tree.csv}}"), "tree.csv"),
}


LACKING: dict[str, tuple[Change, str]] = {
    "no secret": (edited("env:PREFLIGHT_KEY", "env:NOT_SET"), "no such environment variable"),
    "no key file": (edited("env:PREFLIGHT_KEY", "file:release.key"), "no such file"),
    "no signing key": (edited("env:PREFLIGHT_KEY}", "env:PREFLIGHT_KEY, sign: file:steward.key}"), "no such file"),
    "unreadable signing key": (broken_key, "key"),
    "an approval of another text": (other_approval, "approve it anew"),
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PREFLIGHT_KEY", "a secret for these tests, long enough")


def refused(work: Callable[[], object]) -> SharewellError:
    with pytest.raises(SharewellError) as caught:
        work()
    return caught.value


@pytest.fixture
def no_protection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing may be protected: that is the long work."""

    def protected(*given: object, **named: object) -> None:
        raise AssertionError("it was protected")

    monkeypatch.setattr(plan, "choose", protected)
    monkeypatch.setattr(dataset_stage, "choose", protected)


@pytest.mark.usefixtures("no_protection")
@pytest.mark.parametrize("name", list(REFUSALS))
def test_a_plan_refuses_what_a_release_refuses(tmp_path: Path, name: str) -> None:
    path = desk(tmp_path)
    (tmp_path / "tree.csv").write_text("29,young\n")
    change, words = REFUSALS[name]
    change(path)
    policy = load(path)
    by_plan = refused(lambda: plan.plan(policy))
    by_release = refused(lambda: release(policy))
    assert words in str(by_release)
    assert (type(by_plan), str(by_plan), by_plan.exit_code) == (
        type(by_release),
        str(by_release),
        by_release.exit_code,
    )


@pytest.mark.parametrize("name", list(LACKING))
def test_a_plan_needs_no_key_and_says_which_a_release_would_lack(tmp_path: Path, name: str) -> None:
    path = desk(tmp_path)
    change, words = LACKING[name]
    change(path)
    by_release = refused(lambda: release(load(path)))
    assert words in str(by_release)
    assert plan.plan(load(path)).lacking == (str(by_release),)


def test_an_earlier_release_of_the_name_is_no_obstacle_to_a_plan(tmp_path: Path) -> None:
    """`release --replace` replaces it; anything else under the name is refused."""
    path = desk(tmp_path)
    release(load(path))
    assert plan.plan(load(path))["people"].outcome.feasible
    assert "already there" in str(refused(lambda: release(load(path))))


@pytest.mark.usefixtures("no_protection")
def test_a_plan_refuses_a_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(policy: object) -> None:
        raise MissingExtra("replace needs a package")

    monkeypatch.setattr(preflight, "refuse_missing_packages", missing)
    assert isinstance(refused(lambda: plan.plan(load(desk(tmp_path)))), MissingExtra)


@pytest.mark.usefixtures("no_protection")
def test_a_plan_refuses_columns_that_identify(tmp_path: Path) -> None:
    path = desk(tmp_path)
    with (tmp_path / "people.csv").open("w", newline="") as file:
        rows = [(f"p{i}", 30, "2020-05-01", f"{i:03d}-45-6789", "town") for i in range(100, 140)]
        csv.writer(file).writerows([("who", "age", "seen", "ward", "city"), *rows])
    by_plan, by_release = (refused(lambda work=work: work(load(path))) for work in (plan.plan, release))  # type: ignore[misc]
    assert str(by_plan) == str(by_release)


def test_a_plan_of_what_can_be_released_leaves_nothing_behind(tmp_path: Path) -> None:
    path = desk(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert plan.plan(load(path))["people"].outcome.feasible
    assert sorted(tmp_path.rglob("*")) == before
    release(load(path))


def test_a_directory_that_may_not_be_written_to_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert "cannot be written to" in str(refused(lambda: refuse_unwritable(tmp_path / "out" / "r")))


def test_files_beside_a_release_are_not_lost_when_it_is_replaced(tmp_path: Path) -> None:
    path = desk(tmp_path)
    (release(load(path)).directory / "remarks.txt").write_text("mine")
    assert "1 file(s) that would be lost" in str(refused(lambda: release(load(path), replace=True)))
    assert (tmp_path / "out/r/remarks.txt").read_text() == "mine"
