"""Where a system lacks something, the work is done without it; where two write at once, one is refused."""

from __future__ import annotations

import builtins
import errno
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sharewell.errors import DataError
from sharewell.io import operating_system
from sharewell.io.atomic import all_or_nothing, whole_file
from sharewell.io.plain_files import memory_limit, read_plain
from sharewell.io.writing import locked_file, write_bytes


def _caller() -> str:
    return str(sys._getframe(2).f_globals["__name__"])


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much of Windows as can be had elsewhere: no fcntl, no resource, no handle of a directory."""
    usual_import, usual_open = builtins.__import__, os.open

    def no_unix(name: str, *rest: object) -> ModuleType:
        if name in ("fcntl", "resource") and _caller().startswith("sharewell"):
            raise ImportError(name)
        return usual_import(name, *rest)  # type: ignore[arg-type]

    def no_directory(path: Path, flags: int, *rest: int, **where: int) -> int:
        if _caller().startswith("sharewell") and Path(path).is_dir():
            raise PermissionError(errno.EACCES, "Permission denied")
        return usual_open(path, flags, *rest, **where)

    monkeypatch.setattr(builtins, "__import__", no_unix)
    monkeypatch.setattr(os, "open", no_directory)
    monkeypatch.setattr(operating_system, "WINDOWS", True)


@pytest.mark.usefixtures("windows")
def test_a_release_is_put_in_place_without_what_only_unix_has(tmp_path: Path) -> None:
    with all_or_nothing(tmp_path / "release") as partial:
        write_bytes(partial / "data.csv", b"a\n1\n")
    with whole_file(tmp_path / "single.csv") as partial:
        write_bytes(partial / "single.csv", b"a\n2\n")
    assert read_plain(tmp_path / "release" / "data.csv") == b"a\n1\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["release", "single.csv"]


@pytest.mark.usefixtures("windows")
def test_without_a_limit_of_memory_work_goes_on() -> None:
    with memory_limit(0.000001, "never said"):
        assert len(bytearray(10_000_000)) == 10_000_000


def test_files_are_opened_for_writing_where_only_these_are_flushed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Windows answers EBADF to a flush of a handle that can only read."""
    import fcntl

    seen: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda handle: seen.append(fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_ACCMODE))
    (tmp_path / "f").write_bytes(b"content")
    operating_system.flush_file(tmp_path / "f")
    monkeypatch.setattr(operating_system, "WINDOWS", True)
    operating_system.flush_file(tmp_path / "f")
    assert seen == [os.O_RDONLY, os.O_RDWR]
    assert (tmp_path / "f").read_bytes() == b"content"


@pytest.mark.parametrize(("number", "raised"), [(errno.EINVAL, False), (errno.ENOTSUP, False), (errno.EIO, True)])
def test_a_disk_that_cannot_flush_a_directory_is_no_error_and_a_broken_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, raised: bool
) -> None:
    def refuse(handle: int) -> None:
        raise OSError(number, "no")

    monkeypatch.setattr(os, "fsync", refuse)
    if raised:
        with pytest.raises(OSError, match="no"):
            operating_system.flush_directory(tmp_path)
    else:
        operating_system.flush_directory(tmp_path)


def test_bytes_are_written_and_read_as_they_are(tmp_path: Path) -> None:
    content = b"a\r\nb\n\x1a\x00c"
    write_bytes(tmp_path / "f", content)
    assert read_plain(tmp_path / "f") == content


def test_who_comes_second_is_refused_and_the_lock_leaves_nothing(tmp_path: Path) -> None:
    """From another process too."""
    ledger = tmp_path / "ledger"
    ledger.write_bytes(b"kept")
    code = "import sys; from pathlib import Path; from sharewell.io.writing import locked_file\n"
    code += "with locked_file(Path(sys.argv[1])): print('in')"
    with locked_file(ledger):
        with pytest.raises(DataError, match=r"^ledger — in use by another process — wait"), locked_file(ledger):
            pass
        done = subprocess.run([sys.executable, "-c", code, str(ledger)], capture_output=True, text=True, check=False)
        assert "in use by another process" in done.stderr
    with locked_file(ledger):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["ledger"]
    assert ledger.read_bytes() == b"kept"


def test_a_disk_without_locks_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import fcntl

    def refuse(handle: int, how: int) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", refuse)
    with (
        pytest.raises(DataError, match=r"cannot be locked \(Function not implemented\) — write to a local disk"),
        locked_file(tmp_path / "ledger"),
    ):
        pass


def test_a_private_file_is_new_and_its_owners_alone(tmp_path: Path) -> None:
    operating_system.new_private_file(tmp_path / "key")
    assert os.name != "posix" or (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        operating_system.new_private_file(tmp_path / "key")


def test_there_is_a_processor() -> None:
    assert 1 <= operating_system.processors() <= (os.cpu_count() or 1)
