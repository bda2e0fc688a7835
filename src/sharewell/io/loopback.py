"""Messages between processes of one machine over TCP, always at the loopback address.

A message is its length in four bytes, then its content. Where a message came from proves nothing: each message is
signed by its author.
"""

from __future__ import annotations

import selectors
import socket
import struct
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from sharewell.errors import DataError, Infeasible

HOST = "127.0.0.1"
MOST_BYTES = 32_000_000
MOST_CALLERS = 2_000
_PATIENCE = 10.0
"""Seconds after which a message to a caller who does not read is given up."""
_PIECE = 1 << 16


@dataclass
class _Caller:
    """A connection; its owner's `name` is known from the first accepted message on."""

    socket: socket.socket
    received: bytearray = field(default_factory=bytearray)
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
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.listener, selectors.EVENT_READ)
        self.callers: dict[int, _Caller] = {}

    @property
    def port(self) -> int:
        return int(self.listener.getsockname()[1])

    def __enter__(self) -> LoopbackPost:
        return self

    def __exit__(self, *error: object) -> None:
        for caller in list(self.callers.values()):
            self._close(caller)
        self.selector.close()
        self.listener.close()

    def collect(
        self, stage: int, expected: Collection[str], accept: Callable[[bytes], str | None], seconds: float
    ) -> None:
        """Read until all expected have spoken, have hung up (after the first stage), or time is up."""
        until, waiting = time.monotonic() + seconds, set(expected)
        while waiting and (remaining := until - time.monotonic()) > 0:
            if stage and not waiting & {caller.name for caller in self.callers.values()}:
                return
            for key, _ in self.selector.select(remaining):
                if key.fileobj is self.listener:
                    self._welcome()
                    continue
                caller = self.callers[key.fd]
                for message in self._messages(caller):
                    sender = accept(message)
                    if sender is None or caller.name not in (None, sender):
                        self._close(caller)
                        break
                    caller.name = sender
                    waiting.discard(sender)

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
        self.selector.register(connection, selectors.EVENT_READ)

    def _messages(self, caller: _Caller) -> list[bytes]:
        """The messages that are complete by now; a caller who hangs up or sends too much is dismissed."""
        try:
            piece = caller.socket.recv(_PIECE)
        except BlockingIOError:
            return []
        except OSError:
            piece = b""
        caller.received += piece
        messages = []
        while len(caller.received) >= 4:
            length = _length(caller.received)
            if length > MOST_BYTES:
                piece = b""
            if length > MOST_BYTES or len(caller.received) < 4 + length:
                break
            messages.append(bytes(caller.received[4 : 4 + length]))
            del caller.received[: 4 + length]
        if not piece:
            self._close(caller)
        return messages

    def _close(self, caller: _Caller) -> None:
        if self.callers.pop(caller.socket.fileno(), None) is not None:
            self.selector.unregister(caller.socket)
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

    def __exit__(self, *error: object) -> None:
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
            raise DataError("the mediator's message — too long — it does not belong to the protocol")
        return self._exactly(length, until)

    def _exactly(self, length: int, until: float) -> bytes:
        content = bytearray()
        while len(content) < length:
            remaining = until - time.monotonic()
            try:
                self.socket.settimeout(max(remaining, 0.001))
                piece = self.socket.recv(min(length - len(content), _PIECE))
            except OSError:
                piece = b""
            if not piece or remaining <= 0:
                raise Infeasible("the gathering — no answer of the mediator, or it is gone — nothing more is sent")
            content += piece
        return bytes(content)


def _framed(message: bytes) -> bytes:
    return struct.pack(">I", len(message)) + message


def _length(start: bytes | bytearray) -> int:
    return int(struct.unpack(">I", start[:4])[0])
