"""Files and directories that appear whole or not at all, even if others write there or the work is interrupted.

Work goes into a hidden directory beside its target, which a rename puts in place. One process at a time works for a
target: it holds a lock file beside it from before the directory is made until after the rename. Only the holder of
the lock clears away what killed attempts have left. From the rename on, the work counts as finished: an interruption
from the keyboard waits until the audit trail has recorded it.

A directory that replaces another changes names with it in one step where the system can; otherwise the old one is moved
aside under a hidden name first, and whoever works for the target next moves it back if nothing took its place. The old
one is removed last of all.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from sharewell.errors import DataError
from sharewell.io.exchange import exchange
from sharewell.io.operating_system import flush_directory, flush_file, lock_file
from sharewell.io.writing import refuse_existing

PARTIAL = ".partial-"
"""Marks the name of a directory in which a release is being made."""
REPLACED = ".replaced"
"""Ends the name of a directory that was moved aside to be replaced."""
JOURNAL = "journal"
"""In such a directory: what of long work is finished."""
finished: list[Path] = []
"""What this process has put in place; after an interruption the message names it."""


@contextmanager
def all_or_nothing(target: Path, then: Callable[[], None] = lambda: None, *, replace: bool = False) -> Iterator[Path]:
    """A temporary sibling directory that becomes `target` if the block succeeds, and vanishes if it fails.

    A killed or interrupted process leaves at most hidden files with `partial` in their names; the next attempt clears
    them away, but takes over a journal of long work. An existing target is never touched, unless it is to be replaced.
    `then` is called once the target is in place.
    """
    with _locked(target, replace), _sibling(target, replace=replace) as partial:
        yield partial
        shutil.rmtree(partial / JOURNAL, ignore_errors=True)
        _flush(partial)
        written = _listing(partial)
        partial.chmod(0o755)
        if not replace:
            refuse_existing(target)
        with _uninterrupted():
            old = _put_in_place(partial, target)
            flush_directory(target.parent)
            if _listing(target) != written:
                if old is not None and not exchange(old, target):
                    target.rename(partial)
                    old.rename(target)
                raise DataError(f"{target} — changed by another program while it was put in place — make it again")
            finished.append(target)
            then()
            if old is not None:
                shutil.rmtree(old, ignore_errors=True)


def _put_in_place(new: Path, target: Path) -> Path | None:
    """Give `new` the name of the target; returns where the directory is that had it."""
    if not os.path.lexists(target):
        new.rename(target)
        return None
    if exchange(new, target):
        return new
    aside = _aside(target)
    target.rename(aside)
    new.rename(target)
    return aside


def _aside(target: Path) -> Path:
    return target.parent / f".{target.name}{REPLACED}"


def _restore(target: Path) -> None:
    """What a killed attempt moved aside gets its name back, or is removed if its successor has the name."""
    aside = _aside(target)
    if aside.is_dir() and not os.path.lexists(target):
        aside.rename(target)
        flush_directory(target.parent)
    shutil.rmtree(aside, ignore_errors=True)


@contextmanager
def whole_file(target: Path, *, take_over: bool = False) -> Iterator[Path]:
    """A temporary sibling directory; the file in it with the name of `target` is put in place in the end.

    take_over: keep the journal that an interrupted attempt has left; otherwise it is removed.
    """
    with _locked(target), _sibling(target, take_over) as partial:
        yield partial
        flush_file(partial / target.name)
        refuse_existing(target)
        with _uninterrupted():
            (partial / target.name).rename(target)
            finished.append(target)
            shutil.rmtree(partial, ignore_errors=True)
            flush_directory(target.parent)


def journal_in(partial: Path, work: str) -> Path:
    """Where long work of this name keeps what is finished; journals of other work are removed."""
    journal = partial / JOURNAL / work
    for other in (partial / JOURNAL).iterdir() if (partial / JOURNAL).is_dir() else ():
        if other != journal:
            shutil.rmtree(other, ignore_errors=True)
    journal.mkdir(parents=True, exist_ok=True, mode=0o700)
    return journal


@contextmanager
def _locked(target: Path, replace: bool = False) -> Iterator[None]:
    """Lock a target for this process; another process is refused at once, not kept waiting."""
    if not replace:
        refuse_existing(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    busy = f"{target} — another process is writing it — wait until that has ended"
    with lock_file(target.parent / f".{target.name}{PARTIAL}lock", busy):
        yield


@contextmanager
def _sibling(target: Path, take_over: bool = True, *, replace: bool = False) -> Iterator[Path]:
    """A private directory beside the target, gone in the end; an interruption leaves its journal."""
    _restore(target)
    if not replace:
        refuse_existing(target)  # the last holder of the lock may have finished
    partial = Path(tempfile.mkdtemp(prefix=f".{target.name}{PARTIAL}", dir=target.parent))

    def clear() -> None:  # for an end that this block does not see
        _clear_failed(partial, keep_journal=True)

    atexit.register(clear)
    try:
        _clear_dead(target, partial, take_over)
        yield partial
    except BaseException as error:
        _clear_failed(partial, keep_journal=isinstance(error, KeyboardInterrupt))
        raise
    finally:
        atexit.unregister(clear)


def _clear_dead(target: Path, partial: Path, take_over: bool) -> None:
    """Remove what killed attempts left behind, but for one journal; none is running, since the lock is ours."""
    remains = re.compile(re.escape(f".{target.name}{PARTIAL}") + "[a-z0-9_]{8}")
    for remnant in sorted(path for path in target.parent.iterdir() if remains.fullmatch(path.name)):
        if remnant != partial:
            if take_over and (remnant / JOURNAL).is_dir() and not (partial / JOURNAL).exists():
                (remnant / JOURNAL).rename(partial / JOURNAL)
            shutil.rmtree(remnant, ignore_errors=True)


def _clear_failed(partial: Path, keep_journal: bool) -> None:
    if not (keep_journal and (partial / JOURNAL).is_dir()):
        shutil.rmtree(partial, ignore_errors=True)
        return
    for path in partial.iterdir():
        if path.is_dir() and path.name != JOURNAL:
            shutil.rmtree(path, ignore_errors=True)
        elif path.is_file():
            path.unlink(missing_ok=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Delay an interruption from the keyboard to the end of the block, so that the audit trail stays true."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield  # interruptions reach the main thread alone, or are ignored
        return
    waiting: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: waiting.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if waiting:
        usual(*waiting[0])


def _listing(directory: Path) -> list[tuple[str, int]]:
    return sorted((str(path.relative_to(directory)), path.stat().st_size) for path in directory.rglob("*"))


def _flush(directory: Path) -> None:
    """Push every file to the disk before the name appears."""
    for path in sorted(directory.rglob("*")):
        if path.is_file():
            flush_file(path)
    for path in [directory, *directory.rglob("*")]:
        if path.is_dir():
            flush_directory(path)
