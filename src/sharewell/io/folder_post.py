"""Messages as files in a shared folder: one file a message, complete from the moment it has its name.

Anybody who can write to the folder can disturb the exchange, but not forge a message: each is signed by its author.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sharewell.errors import DataError, Infeasible
from sharewell.io.plain_files import small_file

PAUSE = 0.02
"""Seconds between two looks at the folder."""


@dataclass
class FolderPost:
    """The mediator's end. Owners are known by their place among `names`, for a name may not do as a file's."""

    folder: Path
    names: Sequence[str]
    refused: set[bytes] = field(default_factory=set)

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise DataError(f"{self.folder} — no such folder — make it, where owners can write")
        if any(self.folder.glob("*.for-*")):
            raise DataError(f"{self.folder} — holds messages of an earlier gathering — take an empty folder")

    def collect(
        self, stage: int, expected: Collection[str], accept: Callable[[bytes], str | None], seconds: float
    ) -> None:
        """Look until all expected have spoken or time is up. A refused file is not looked at again."""
        until = time.monotonic() + seconds
        waiting = {name: self.folder / f"{stage}.from-{self._place(name)}" for name in expected}
        while waiting:
            for path in list(waiting.values()):
                if not path.is_file():
                    continue
                try:
                    raw = small_file(path)
                except DataError:  # too large, or gone: as if it were not there
                    continue
                digest = hashlib.sha256(raw).digest()
                if digest not in self.refused:
                    sender = accept(raw)
                    if sender is None:
                        self.refused.add(digest)
                    waiting.pop(sender or "", None)
            if not waiting or time.monotonic() >= until:
                return
            time.sleep(PAUSE)

    def deliver(self, stage: int, messages: Mapping[str, bytes]) -> None:
        for name, message in messages.items():
            _put(self.folder / f"{stage}.for-{self._place(name)}", message)

    def _place(self, name: str) -> int:
        return list(self.names).index(name) + 1


@dataclass(frozen=True)
class FolderLine:
    """An owner's end."""

    folder: Path
    place: int

    def send(self, stage: int, message: bytes) -> None:
        path = self.folder / f"{stage}.from-{self.place}"
        if not self.folder.is_dir():
            raise DataError(f"{self.folder} — no such folder — take the one that the mediator made")
        if path.exists():
            raise DataError(f"{self.folder} — this owner has spoken here before — take an empty folder")
        _put(path, message)

    def receive(self, stage: int, seconds: float) -> bytes:
        path, until = self.folder / f"{stage}.for-{self.place}", time.monotonic() + seconds
        while not path.is_file():
            if time.monotonic() >= until:
                raise Infeasible(
                    f"the gathering — no answer of the mediator within {seconds:g} s — nothing more is sent"
                )
            time.sleep(PAUSE)
        return small_file(path)


def _put(path: Path, message: bytes) -> None:
    """The name appears when every byte is written. Others write here too, so no existing file or link is opened."""
    partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    with partial.open("xb") as file:
        file.write(message)
    partial.replace(path)
