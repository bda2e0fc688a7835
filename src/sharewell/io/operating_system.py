"""What differs between operating systems: locks, handles, flushing to disk, memory limits, processors.

Everything else is written for Linux, macOS and Windows alike. No other module imports what only some systems have.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sharewell.errors import DataError

WINDOWS = sys.platform == "win32"
if sys.platform == "win32":
    _EXACT, _AT_ONCE = os.O_BINARY | os.O_NOINHERIT, 0
else:
    _EXACT, _AT_ONCE = os.O_CLOEXEC, os.O_NONBLOCK
"""Bytes as they are, without Windows' translation of line ends, and a handle that no child process inherits; and not to
wait for the writer of a pipe."""
_NO_SYNC = {errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES, errno.EPERM}
"""Answers of file systems that cannot flush a directory."""


def reading_handle(path: Path) -> int:
    """A handle for reading bytes; a pipe without a writer does not keep us waiting."""
    return os.open(path, os.O_RDONLY | _EXACT | _AT_ONCE)


def writing_handle(path: Path, *, private: bool = False) -> int:
    """A handle for writing bytes from the start; a private file must be new, and only its owner can read it."""
    how = os.O_EXCL if private else os.O_TRUNC
    return os.open(path, os.O_WRONLY | os.O_CREAT | _EXACT | how, 0o600 if private else 0o666)


def new_private_file(path: Path) -> None:
    """An empty file that only its owner can read; FileExistsError if the name is taken."""
    os.close(writing_handle(path, private=True))


def flush_file(path: Path) -> None:
    """Push the content of a file to the disk. Windows flushes only what is open for writing."""
    with path.open("r+b" if WINDOWS else "rb") as file:
        os.fsync(file.fileno())


def flush_directory(path: Path) -> None:
    """Push the names in a directory to the disk, where the system can: Windows and some network disks cannot."""
    if WINDOWS:
        return
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(handle)


@contextmanager
def lock_file(path: Path, busy: str) -> Iterator[None]:
    """Hold a lock file, which is gone in the end; whoever comes second gets a DataError that says `busy`, at once.

    The file is removed before it is unlocked. A process that had opened it by then notices that it has no name any
    more, and does not take it for the lock. Windows removes no open file: there it goes after it is unlocked, unless a
    new holder has opened it.
    """
    from filelock import FileLock, Timeout

    lock = FileLock(path, mode=0o600, fallback_to_soft=False)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise DataError(busy) from None
    except OSError as error:
        raise DataError(f"{path} — cannot be locked ({error.strerror}) — write to a local disk") from None
    try:
        yield
    finally:
        if not WINDOWS:
            path.unlink(missing_ok=True)
        lock.release()
        if WINDOWS:
            with suppress(OSError):
                path.unlink(missing_ok=True)


@contextmanager
def data_limit(most: int) -> Iterator[None]:
    """Within the block, needing this many bytes more is a MemoryError, where the system has such a limit.

    What the process holds already does not count: frames of a notebook, or pools of threads that libraries reserve.
    """
    try:
        import resource
    except ImportError:  # Windows
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    limits = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (min([_data_held() + most, *limits]), hard))
    except (OSError, ValueError):  # the system knows the limit, and does not let it be set
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _data_held() -> int:
    """Bytes that the process has reserved for data, as RLIMIT_DATA counts them; 0 where the system does not say."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmData:"))


def blocks_on_disk(facts: os.stat_result) -> int | None:
    """Bytes that a file occupies; None where the system does not say."""
    return None if sys.platform == "win32" else facts.st_blocks * 512


def user_number() -> int | None:
    """The user of this process, as files name their owners; None on Windows."""
    return os.getuid() if sys.platform != "win32" else None


def processors() -> int:
    """How many processors this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
