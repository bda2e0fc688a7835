"""In what two releases differ: everything that changed is listed, and no value of the data is."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import sharewell
from sharewell.errors import DataError
from sharewell.pipeline.difference import OTHER, Change, difference

POLICY = """\
sharewell: 1
release: {name: one, recipient: University X}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {id: subject, age: quasi, town: quasi, ward: keep, illness: sensitive}
    require: [k-anonymity: {k: 2}, l-diversity: {l: 2}]
    using: mondrian
    utility: [ncp]
write: {csv: out}
"""
SECOND = [
    ("name: one, recipient: University X", "name: two, recipient: University Y"),
    ("k: 2", "k: 4"),
    (", l-diversity: {l: 2}", ""),
    ("ward: keep", "ward: drop"),
    ("using: mondrian", "using: {mondrian: {suppress: 0.1}}"),
]
TOWNS = ("Zanzibar", "Quito", "Oslo")


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    desk = tmp_path_factory.mktemp("difference")
    rows = [f"p{i},{20 + i},{TOWNS[i % 3]},w{i % 2},{('flu', 'gout')[i // 2 % 2]}\n" for i in range(24)]
    (desk / "people.csv").write_text("id,age,town,ward,illness\n" + "".join(rows))
    (desk / "one.yaml").write_text(POLICY)
    text = POLICY
    for old, new in SECOND:
        assert old in text
        text = text.replace(old, new)
    (desk / "two.yaml").write_text(text)
    return sharewell.release(desk / "one.yaml").directory, sharewell.release(desk / "two.yaml").directory


def by_place(changes: tuple[Change, ...]) -> dict[tuple[str, ...], tuple[object, object]]:
    return {(one.section, *one.place): (one.first, one.second) for one in changes}


def test_what_the_policies_differ_in_is_listed(releases: tuple[Path, Path]) -> None:
    found = by_place(difference(*releases).changes)
    assert found["release", "name"] == ("one", "two")
    assert found["release", "recipient"] == ("University X", "University Y")
    assert found["policy", "people", "require", "k-anonymity", "parameters", "k"] == (2, 4)
    assert found["policy", "people", "require", "l-diversity"] == (OTHER, None)
    assert found["policy", "people", "using", "parameters", "suppress"] == (0.0, 0.1)
    assert found["policy", "people", "columns_not_published"] == (1, 2)
    assert found["columns", "people", "ward"] == ("keep", None)
    assert found["criteria", "people", "k-anonymity", "bound"] == (2, 4)
    assert found["files", "people.csv"] == (OTHER, OTHER)
    assert ("measured", "people", "utility", "ncp", "value") in found


def test_turned_round_it_says_the_same(releases: tuple[Path, Path]) -> None:
    there, back = by_place(difference(*releases).changes), by_place(difference(*reversed(releases)).changes)
    assert {place: (b, a) for place, (a, b) in there.items()} == back


def test_a_release_is_like_itself(releases: tuple[Path, Path], tmp_path: Path) -> None:
    copied = Path(shutil.copytree(releases[0], tmp_path / "copied"))
    assert difference(releases[0], copied).same


def test_public_folders_are_enough_and_then_nothing_internal_is_said(releases: tuple[Path, Path]) -> None:
    found = difference(*(one / "public" for one in releases))
    assert not found.measured
    assert "measured" not in {change.section for change in found.changes}
    assert difference(releases[0], releases[1] / "public").measured is False


def test_no_value_of_the_data_is_told(releases: tuple[Path, Path], tmp_path: Path) -> None:
    """Not even where the dictionary lists values, or a policy gives an algorithm a text."""
    other = Path(shutil.copytree(releases[0], tmp_path / "other"))
    path = other / "public" / "certificate.json"
    certificate = json.loads(path.read_text())
    claim = certificate["datasets"]["people"]
    claim["columns"]["town"]["labels"] = {"Zanzibar": ["Quito"]}
    claim["columns"]["age"]["domain"] = "Zanzibar"
    certificate["policy"]["redacted"]["datasets"]["people"]["require"][0]["parameters"]["value"] = "Quito"
    claim["lookalikes"] = {"town": ["Oslo"]}
    path.write_text(json.dumps(certificate))
    found = difference(releases[0], other)
    assert {("columns", "people", "town: labels"), ("columns", "people", "age: domain")} <= set(by_place(found.changes))
    told = json.dumps(found.to_json())
    assert not [town for town in TOWNS if town in told]


def test_who_signed_is_told(releases: tuple[Path, Path], tmp_path: Path) -> None:
    other = Path(shutil.copytree(releases[0], tmp_path / "other"))
    path = other / "public" / "certificate.json"
    certificate = json.loads(path.read_text())
    certificate["signed_by"] = "ab12"
    path.write_text(json.dumps(certificate))
    assert by_place(difference(releases[0], other).changes)["certificate", "signed by"] == ("none", "ab12")


@pytest.mark.parametrize("damaged", ["[]", "{", '{"sharewell": 1}'])
def test_what_is_no_certificate_is_refused(releases: tuple[Path, Path], tmp_path: Path, damaged: str) -> None:
    other = Path(shutil.copytree(releases[0], tmp_path / "other"))
    (other / "public" / "certificate.json").write_text(damaged)
    with pytest.raises(DataError):
        difference(releases[0], other)


@pytest.mark.parametrize(
    "part", ["policy", "datasets", "profile", "after", "files", "release", "decisions", "together"]
)
@pytest.mark.parametrize("odd", [None, 7, "x", [], [1], {"people": 3}])
def test_an_odd_certificate_is_compared_all_the_same(
    releases: tuple[Path, Path], tmp_path: Path, part: str, odd: object
) -> None:
    other = Path(shutil.copytree(releases[0] / "public", tmp_path / "other"))
    certificate = json.loads((other / "certificate.json").read_text())
    certificate[part] = odd
    (other / "certificate.json").write_text(json.dumps(certificate))
    assert not difference(releases[0], other).same
