"""Whoever names a profile keeps it, or says where not: a certificate cannot drop either."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pipeline.forged_releases import content_of, put

from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {name: r}
profile: el-emam/5
datasets:
  added:
    kind: tables
    read: {csv: people.csv}
    columns: {age: quasi, ill: sensitive}
    require: [l-diversity: {l: 2}]
    using: mondrian
  weaker:
    kind: tables
    read: {csv: people.csv}
    columns: {age: quasi, ill: sensitive}
    require: [k-anonymity: {k: 3}]
    using: mondrian
write: {csv: out}
"""
Change = Callable[[dict[str, Any]], Any]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    desk = tmp_path_factory.mktemp("profile")
    rows = [f"{20 + i % 7},{['flu', 'gout', 'asthma'][i % 3]}" for i in range(42)]
    (desk / "people.csv").write_text("age,ill\n" + "\n".join(rows) + "\n")
    (desk / "policy.yaml").write_text(POLICY)
    return release(check(desk / "policy.yaml")).directory


def asked(content: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = content["policy"]["redacted"]["datasets"][name]
    return found


def everywhere(part: str, value: Any) -> Change:
    return lambda content: [one.update({part: value}) for one in (content, content["policy"]["redacted"])]


def without_the_criterion(content: dict[str, Any]) -> None:
    for listed in (asked(content, "added")["require"], content["datasets"]["added"]["findings"]):
        listed[:] = [item for item in listed if item["name"] != "k-anonymity"]


def weakened(content: dict[str, Any]) -> None:
    for item in asked(content, "added")["require"]:
        item["parameters"].update({"k": 2} if item["name"] == "k-anonymity" else {})
    for finding in content["datasets"]["added"]["findings"]:
        finding.update({"bound": 2} if finding["name"] == "k-anonymity" else {})


FORGERIES: dict[str, tuple[str, Change]] = {
    "the deviation dropped": ("no deviation says so", everywhere("deviations", [])),
    "the deviation of another dataset": (
        *("no deviation says so",),
        everywhere("deviations", ["datasets.added: k-anonymity k = 3 is weaker than profile el-emam/5 (k = 5)"]),
    ),
    "the criterion of the profile dropped": ("adds k-anonymity, which is not required", without_the_criterion),
    "the criterion of the profile weakened": ("asks for more than the k-anonymity", weakened),
    "a criterion that no profile adds": (
        *("does not add l-diversity",),
        lambda content: asked(content, "added")["require"][0].update(from_profile=True),
    ),
    "the profile dropped": ("no profile is named", everywhere("profile", None)),
    "a profile that nobody knows": (
        "this version does not know",
        everywhere("profile", {"name": "el-emam/4"}),
    ),
}


@pytest.mark.parametrize("forgery", FORGERIES.values(), ids=FORGERIES)
def test_the_profile_contradicts_it(made: Path, tmp_path: Path, forgery: tuple[str, Change]) -> None:
    copied = Path(shutil.copytree(made, tmp_path / "release"))
    shutil.rmtree(copied / "internal")
    content = content_of(copied)
    put(copied, content)
    assert verify(copied).ok
    words, change = forgery
    change(content)
    put(copied, content)
    found = verify(copied).problems
    assert any(words in problem for problem in found), found
