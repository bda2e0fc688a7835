"""What the software works out of its own files, kept in the user's cache so that the next process need not do it again.

It is JSON or numbers, never objects. A hash tells damage, and a file that is not the user's own, or that others may
write, is not read: nobody but the user can change what is worked out, and the user could as well change the program.
What was worked out counts as long as no file of the package that it depends on, sources included, has changed. Where
nothing can be read or written it is worked out anew.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

from sharewell.io.operating_system import user_number
from sharewell.io.step_times import users_cache

_LARGEST = 16_000_000
_HASH = 32
Worked = TypeVar("Worked")
"""What JSON can hold: texts, numbers, lists, and dicts with texts as keys."""


def worked_out(name: str, folders: Iterable[str], work: Callable[[], Worked]) -> Worked:
    """What `work` gives, as JSON has it: from the cache if no file in these folders of the package changed since."""
    given = worked_out_bytes(f"{name}.json", folders, lambda: json.dumps(work(), ensure_ascii=False).encode())
    return cast(Worked, json.loads(given))


def worked_out_bytes(name: str, folders: Iterable[str], work: Callable[[], bytes]) -> bytes:
    """The same for a file of numbers, under a name with its ending."""
    file, state = kept_file(name), _state(tuple(folders))
    kept_state, _, content = kept_content(file).partition(b"\n")
    if kept_state != state:
        content = work()
        keep(file, state + b"\n" + content)
    return content


def kept_file(name: str) -> Path | None:
    """Where it is kept; None if the user has no home."""
    try:
        return users_cache() / "sharewell" / "worked-out" / name
    except RuntimeError:
        return None


def kept_content(file: Path | None) -> bytes:
    """What was kept; nothing if it is not there, damaged, or of a file that others may write."""
    if file is None:
        return b""
    try:
        with file.open("rb") as handle:
            facts = os.fstat(handle.fileno())
            if facts.st_size > _LARGEST or not _is_own(facts):
                return b""
            content = handle.read()
    except OSError:
        return b""
    whole = hashlib.sha256(content[_HASH:]).digest() == content[:_HASH]
    return content[_HASH:] if whole else b""


def keep(file: Path | None, content: bytes) -> None:
    """Keep it, if that is possible here."""
    if file is None or len(content) > _LARGEST - _HASH:
        return
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        written = file.with_suffix(f".{os.getpid()}")
        written.write_bytes(hashlib.sha256(content).digest() + content)
        written.chmod(0o600)
        written.replace(file)


def _is_own(facts: os.stat_result) -> bool:
    """May this user alone write it? Windows keeps the folders of users apart, and gives files no such marks."""
    user = user_number()
    return user is None or (facts.st_uid == user and not facts.st_mode & 0o022)


@cache
def _state(folders: tuple[str, ...]) -> bytes:
    """Names, sizes and times of all files in some folders of the package: another state, another text."""
    package = Path(__file__).parents[1]
    facts = sorted(fact for folder in folders for fact in _facts(package / folder))
    return hashlib.sha256(f"{package}{facts}".encode("utf-8", "surrogatepass")).hexdigest().encode()


def _facts(folder: Path) -> Iterable[tuple[str, int, int]]:
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.name != "__pycache__":
                        yield from _facts(Path(entry.path))
                else:
                    facts = entry.stat()
                    yield entry.path, facts.st_size, facts.st_mtime_ns
    except NotADirectoryError:  # the package is inside an archive, which is one file
        return
