"""Messages between processes of one machine over TCP. The address is the loopback's, and cannot be another.

A message is its length in four bytes, and itself. Nothing is believed because of where it came from: the messages
themselves tell who made them.
"""

from __future__ import annotations

import selectors
import socket
import struct
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import TracebackType

from sharewell.errors import DataError, Infeasible

HOST = "127.0.0.1"
MOST_BYTES = 32_000_000
MOST_CALLERS = 2_000
_PATIENCE = 10.0
"""Seconds to get rid of one message to somebody who does not read."""
_PIECE = 1 << 16


@dataclass
class _Caller:
    """A connection: what came of the next message, and who its owner is, once that is known."""

    socket: socket.socket
    read: bytearray = field(default_factory=bytearray)
    name: str | None = None


class LoopbackPost:
    """The mediator's end: listens, and keeps one connection for each owner that has proven itself."""

    def __init__(self, port: int = 0) -> None:
        self.listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self.listener.bind((HOST, port))
        except (OSError, OverflowError):
            self.listener.close()
            raise DataError(f"port {port} — cannot be listened on — choose another, or 0 for any") from None
        self.listener.listen(128)
        self.listener.setblocking(False)
        self.looking = selectors.DefaultSelector()
        self.looking.register(self.listener, selectors.EVENT_READ)
        self.callers: dict[int, _Caller] = {}

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def __enter__(self) -> LoopbackPost:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for caller in list(self.callers.values()):
            self._close(caller)
        self.looking.close()
        self.listener.close()

    def collect(
        self, stage: int, expected: Collection[str], accept: Callable[[bytes], str | None], seconds: float
    ) -> None:
        """Read until all expected have spoken, have hung up (after the first stage), or time is up."""
        until, waiting = time.monotonic() + seconds, set(expected)
        while waiting and (left := until - time.monotonic()) > 0:
            if stage and not waiting & {caller.name for caller in self.callers.values()}:
                return
            for key, _ in self.looking.select(left):
                if key.fileobj is self.listener:
                    self._welcome()
                    continue
                caller = self.callers[key.fd]
                for message in self._messages(caller):
                    spoke = accept(message)
                    if spoke is None or caller.name not in (None, spoke):
                        self._close(caller)
                        break
                    caller.name = spoke
                    waiting.discard(spoke)

    def deliver(self, stage: int, messages: Mapping[str, bytes]) -> None:
        for caller in list(self.callers.values()):
            if caller.name is not None and caller.name in messages:
                try:
                    caller.socket.settimeout(_PATIENCE)
                    caller.socket.sendall(_framed(messages[caller.name]))
                    caller.socket.setblocking(False)
                except OSError:
                    self._close(caller)

    def _welcome(self) -> None:
        try:
            connection, _ = self.listener.accept()
        except OSError:
            return
        if len(self.callers) >= MOST_CALLERS:
            connection.close()
            return
        connection.setblocking(False)
        self.callers[connection.fileno()] = _Caller(connection)
        self.looking.register(connection, selectors.EVENT_READ)

    def _messages(self, caller: _Caller) -> list[bytes]:
        """What is complete of what came; a caller who hangs up or sends too much is dismissed."""
        try:
            piece = caller.socket.recv(_PIECE)
        except BlockingIOError:
            return []
        except OSError:
            piece = b""
        caller.read += piece
        found = []
        while len(caller.read) >= 4:
            length = _length(caller.read)
            if length > MOST_BYTES:
                piece = b""
            if length > MOST_BYTES or len(caller.read) < 4 + length:
                break
            found.append(bytes(caller.read[4 : 4 + length]))
            del caller.read[: 4 + length]
        if not piece:
            self._close(caller)
        return found

    def _close(self, caller: _Caller) -> None:
        if self.callers.pop(caller.socket.fileno(), None) is not None:
            self.looking.unregister(caller.socket)
            caller.socket.close()


class LoopbackLine:
    """An owner's end: one connection for the whole session. The mediator may start later than its owners."""

    def __init__(self, port: int, seconds: float = 60) -> None:
        if not 0 < port < 1 << 16:
            raise DataError(f"port {port} — there is no such port")
        until = time.monotonic() + seconds
        while True:
            try:
                self.socket = socket.create_connection((HOST, port), timeout=max(seconds, 0.001))
                return
            except OSError:
                if time.monotonic() >= until:
                    raise Infeasible(f"port {port} — no mediator listens there within {seconds:g} s") from None
                time.sleep(0.05)

    def __enter__(self) -> LoopbackLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def send(self, stage: int, message: bytes) -> None:
        try:
            self.socket.sendall(_framed(message))
        except OSError:
            raise Infeasible("the gathering — the mediator is gone — nothing more is sent") from None

    def receive(self, stage: int, seconds: float) -> bytes:
        until = time.monotonic() + seconds
        length = _length(self._exactly(4, until))
        if length > MOST_BYTES:
            raise DataError("the mediator's message — too long — it is none of the protocol")
        return self._exactly(length, until)

    def _exactly(self, length: int, until: float) -> bytes:
        found = bytearray()
        while len(found) < length:
            left = until - time.monotonic()
            try:
                self.socket.settimeout(max(left, 0.001))
                piece = self.socket.recv(min(length - len(found), _PIECE))
            except OSError:
                piece = b""
            if not piece or left <= 0:
                raise Infeasible("the gathering — no answer of the mediator, or it is gone — nothing more is sent")
            found += piece
        return bytes(found)


def _framed(message: bytes) -> bytes:
    return struct.pack(">I", len(message)) + message


def _length(start: bytes | bytearray) -> int:
    return int(struct.unpack(">I", start[:4])[0])
