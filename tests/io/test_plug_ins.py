"""What installed packages add is seen, and nothing is asked where none adds anything."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from sharewell.io.plug_ins import plug_ins


def installed(place: Path, content: str) -> None:
    package = place / "guest-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.1\nName: guest\nVersion: 1\n")
    (package / "entry_points.txt").write_text(content)


def test_a_package_with_the_group_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = plug_ins()
    monkeypatch.syspath_prepend(tmp_path)
    installed(tmp_path, "[console_scripts]\nguest = guest:main\n\n[sharewell]\nnotes.detectors.guest = guest:Guest\n")
    assert plug_ins() == before | {"notes.detectors.guest": "guest:Guest"}


def test_a_package_that_only_has_a_command_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "missing")])
    installed(tmp_path, "[console_scripts]\nsharewell = guest:main\n")
    monkeypatch.setattr("importlib.metadata.entry_points", refuse)
    assert plug_ins() == {}


def test_where_packages_may_be_packed_python_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "packed.zip").write_bytes(b"")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "packed.zip")])
    monkeypatch.setattr("importlib.metadata.entry_points", refuse)
    with pytest.raises(AssertionError, match="asked"):
        plug_ins()


def refuse(group: str) -> None:
    raise AssertionError("asked")
