"""The oracles themselves: a difference is seen and named, and what changes of itself is no difference."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from golden.canonical import public_digests, shape
from golden.store import Golden


def test_a_difference_is_named(tmp_path: Path) -> None:
    Golden(True, tmp_path).check("some", "one", {"a": 1, "b": [1, "x"], "c": None})
    Golden(False, tmp_path).check("some", "one", {"c": None, "b": (1, "x"), "a": 1})
    with pytest.raises(AssertionError, match=r"some\.json:\n  two: new"):
        Golden(False, tmp_path).check("some", "two", {})
    with pytest.raises(AssertionError) as told:
        Golden(False, tmp_path).check("some", "one", {"a": True, "b": [1, "y"], "d": 0})
    for part in ("one › a: was 1, is true", 'one › b › 2: was "x", is "y"', "one › c: gone", "one › d: new", "--write"):
        assert part in str(told.value)


def test_what_is_gone_is_named(tmp_path: Path) -> None:
    for name in ("one", "two"):
        Golden(True, tmp_path).check("some", name, 1)
    with pytest.raises(AssertionError, match="what is gone: two"):
        Golden(False, tmp_path).names("some", ["one"])
    with pytest.raises(AssertionError, match="does not speak of three"):
        Golden(False, tmp_path).names("some", ["one", "two", "three"])
    Golden(True, tmp_path).names("some", ["one"])
    assert Golden(False, tmp_path).read("some") == {"one": 1}


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """The public folder of a release with one file and a signature."""
    told = {"release": "r", "files": {"a.csv": hashlib.sha256(b"1").hexdigest()}, "versions": {"sharewell": "0.1"}}
    contents = {"a.csv": "1", "certificate.json": json.dumps(told), "certificate.sig": '{"key": "k", "signature": "s"}'}
    for name, content in contents.items():
        (tmp_path / name).write_text(content)
    sums = [f"{hashlib.sha256(content.encode()).hexdigest()}  {name}" for name, content in contents.items()]
    (tmp_path / "SHA256SUMS").write_text("\n".join(sums) + "\n")
    return tmp_path


def test_versions_are_no_difference_and_everything_else_is(public: Path) -> None:
    agreed = public_digests(public)
    assert agreed["a.csv"] == hashlib.sha256(b"1").hexdigest()
    (public / "SHA256SUMS").unlink()  # it would tell of every edit below
    path = public / "certificate.json"
    path.write_text(path.read_text().replace("0.1", "0.2"))
    (public / "certificate.sig").write_text('{"signature": "t", "key": "k"}')
    found = public_digests(public)
    assert found == {name: one for name, one in agreed.items() if name != "SHA256SUMS"}
    path.write_text(path.read_text().replace('"r"', '"s"'))
    (public / "certificate.sig").write_text('{"signature": "t", "key": "l"}')
    (public / "a.csv").write_text("2")
    found = public_digests(public)
    assert [name for name in found if found[name] == agreed[name]] == []


def test_sums_that_are_wrong_are_seen(public: Path) -> None:
    (public / "a.csv").write_text("2")
    with pytest.raises(AssertionError, match=r"a\.csv"):
        public_digests(public)


def test_what_no_key_repeats_is_compared_by_the_rest(public: Path) -> None:
    def first(path: Path) -> str:
        return path.read_text()[:1]

    agreed = public_digests(public, {"a.csv": first})
    (public / "a.csv").write_text("1 and noise")
    (public / "SHA256SUMS").unlink()
    told = json.loads((public / "certificate.json").read_text())
    told["files"]["a.csv"] = hashlib.sha256(b"1 and noise").hexdigest()
    (public / "certificate.json").write_text(json.dumps(told))
    assert public_digests(public, {"a.csv": first}) | {"SHA256SUMS": agreed["SHA256SUMS"]} == agreed


def test_shapes_of_items_are_joined() -> None:
    assert shape([]) == []
    assert shape([1, "a", None, 2]) == ["integer or null or string"]
    assert shape([{"a": [1]}, {"a": [], "b": True}]) == [{"a": ["integer"], "b?": "boolean"}]
    assert shape([[{"a": 1}], [{"b": 1}, 2]]) == [[{"one of": ["integer", {"a?": "integer", "b?": "integer"}]}]]
    assert shape([{"x": [{"a": 1}, {"b": 1}]}, {"x": [{"a": 1}]}]) == [{"x": [{"a?": "integer", "b?": "integer"}]}]
