"""What is worked out once: used again only while nothing changed, and never from a file that others may write."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.io import kept_files
from sharewell.io.kept_files import keep, kept_content, kept_file, worked_out


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def counted(results: list[int]) -> list[int]:
    results.append(len(results))
    return list(results)


def test_it_is_worked_out_once() -> None:
    calls: list[int] = []
    assert worked_out("numbers", ("notes/rules",), lambda: counted(calls)) == [0]
    assert worked_out("numbers", ("notes/rules",), lambda: counted(calls)) == [0]
    assert calls == [0]


def test_another_state_of_the_files_works_it_out_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []
    worked_out("numbers", ("notes/rules",), lambda: counted(calls))
    monkeypatch.setattr(kept_files, "_state", lambda folders: b"changed")
    assert worked_out("numbers", ("notes/rules",), lambda: counted(calls)) == [0, 1]


def test_the_state_changes_with_any_file(tmp_path: Path) -> None:
    folder = tmp_path / "package"
    (folder / "inner").mkdir(parents=True)
    (folder / "inner" / "one.toml").write_text("a = 1\n")
    before = sorted(kept_files._facts(folder))
    (folder / "inner" / "one.toml").write_text("a = 21\n")
    changed = sorted(kept_files._facts(folder))
    (folder / "two.toml").write_text("")
    assert len({str(before), str(changed), str(sorted(kept_files._facts(folder)))}) == 3
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "module.pyc").write_text("")
    assert len(sorted(kept_files._facts(folder))) == 2


def test_what_is_damaged_or_open_to_others_is_not_read() -> None:
    file = kept_file("numbers.json")
    assert file is not None
    keep(file, b"[1, 2]")
    assert kept_content(file) == b"[1, 2]"
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o620)
    assert kept_content(file) == b""
    file.chmod(0o600)
    file.write_bytes(file.read_bytes().replace(b"1", b"3"))
    assert kept_content(file) == b""


def test_a_file_of_another_user_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    file = kept_file("numbers.json")
    keep(file, b"[1, 2]")
    monkeypatch.setattr(kept_files, "user_number", lambda: -5)
    assert kept_content(file) == b""


def test_without_a_place_it_is_worked_out_every_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    calls: list[int] = []
    assert worked_out("numbers", ("notes/rules",), lambda: counted(calls)) == [0]
    assert worked_out("numbers", ("notes/rules",), lambda: counted(calls)) == [0, 1]
    monkeypatch.setattr(kept_files, "users_cache", no_home)
    assert kept_file("numbers.json") is None
    assert worked_out("numbers", ("notes/rules",), lambda: counted(calls)) == [0, 1, 2]


def no_home() -> Path:
    raise RuntimeError("no home")
