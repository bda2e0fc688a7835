"""Ways to carry messages: a shared folder, and the loopback. Noise, silence and odd callers stop nobody else."""

from __future__ import annotations

import ast
import socket
import struct
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sharewell.errors import DataError, Infeasible
from sharewell.io import loopback
from sharewell.io.folder_post import FolderLine, FolderPost
from sharewell.io.loopback import HOST, LoopbackLine, LoopbackPost


def taker(known: tuple[str, ...]) -> tuple[list[bytes], Callable[[bytes], str | None]]:
    """Takes messages such as b"A: …", and refuses others."""
    taken: list[bytes] = []

    def accept(raw: bytes) -> str | None:
        name = raw[:1].decode("latin-1")
        if name not in known:
            return None
        taken.append(raw)
        return name

    return taken, accept


def test_the_folder_carries_both_ways(tmp_path: Path) -> None:
    post, first, second = FolderPost(tmp_path, ["A", "B"]), FolderLine(tmp_path, 1), FolderLine(tmp_path, 2)
    taken, accept = taker(("A", "B"))
    first.send(0, b"A: one")
    second.send(0, b"B: two")
    post.collect(0, ["A", "B"], accept, 5)
    assert sorted(taken) == [b"A: one", b"B: two"]
    post.deliver(0, {"A": b"to A", "B": b"to B"})
    assert (first.receive(0, 1), second.receive(0, 1)) == (b"to A", b"to B")
    assert not list(tmp_path.glob(".*"))


def test_the_folder_waits_no_longer_than_told(tmp_path: Path) -> None:
    post, line = FolderPost(tmp_path, ["A", "B"]), FolderLine(tmp_path, 1)
    taken, accept = taker(("B",))
    line.send(0, b"A is refused here")
    start = time.monotonic()
    post.collect(0, ["A", "B"], accept, 0.2)
    assert time.monotonic() - start < 30
    assert taken == []
    with pytest.raises(Infeasible, match="no answer"):
        line.receive(0, 0.1)


def test_a_used_folder_is_refused(tmp_path: Path) -> None:
    line = FolderLine(tmp_path, 1)
    line.send(0, b"A")
    with pytest.raises(DataError, match="spoken here before"):
        line.send(0, b"A")
    FolderPost(tmp_path, ["A"]).deliver(0, {"A": b"x"})
    with pytest.raises(DataError, match="earlier gathering"):
        FolderPost(tmp_path, ["A"])
    with pytest.raises(DataError, match="no such folder"):
        FolderPost(tmp_path / "none", ["A"])
    with pytest.raises(DataError, match="no such folder"):
        FolderLine(tmp_path / "none", 1).send(0, b"A")


def test_the_loopback_carries_both_ways_and_large_messages() -> None:
    large = b"B" * 3_000_000
    taken, accept = taker(("A", "B"))
    with LoopbackPost() as post, LoopbackLine(post.port, 5) as first, LoopbackLine(post.port, 5) as second:
        sending = threading.Thread(target=lambda: (first.send(0, b"A"), second.send(0, large)))
        sending.start()
        post.collect(0, ["A", "B"], accept, 20)
        sending.join()
        assert sorted(taken) == [b"A", large]
        post.deliver(0, {"A": b"to A", "B": b"to B"})
        assert (second.receive(0, 5), first.receive(0, 5)) == (b"to B", b"to A")


def test_noise_and_silence_on_the_loopback_stop_nobody() -> None:
    taken, accept = taker(("A",))
    with LoopbackPost() as post:
        callers = [socket.create_connection((HOST, post.port)) for _ in range(4)]
        callers[0].sendall(b"\xff" * 100)
        callers[1].sendall(struct.pack(">I", 5) + b"noise")
        callers[2].sendall(b"\x00\x00")
        with LoopbackLine(post.port, 5) as line:
            line.send(0, b"A: here")
            post.collect(0, ["A"], accept, 10)
            assert taken == [b"A: here"]
        start = time.monotonic()
        post.collect(1, ["A"], accept, 120)  # A has hung up: no reason to wait
        assert time.monotonic() - start < 60
        for caller in callers:
            caller.close()


def test_a_caller_cannot_speak_for_two() -> None:
    _, accept = taker(("A", "B"))
    with LoopbackPost() as post, LoopbackLine(post.port, 5) as line:
        line.send(0, b"A")
        post.collect(0, ["A"], accept, 5)
        line.send(1, b"B")
        post.collect(1, ["A"], accept, 5)
        assert post.callers == {}
        with pytest.raises(Infeasible):
            line.receive(1, 5)


def test_no_mediator_and_odd_ports() -> None:
    with LoopbackPost() as post:
        with pytest.raises(DataError, match="cannot be listened on"):
            LoopbackPost(post.port)
        port = post.port
        with LoopbackLine(port, 5) as line, pytest.raises(Infeasible, match="no answer"):
            line.receive(0, 0.1)
    with pytest.raises(Infeasible, match="no mediator"):
        LoopbackLine(port, 0.1)
    for odd in (70_000, -1):
        with pytest.raises(DataError, match="port"):
            LoopbackPost(odd)
        with pytest.raises(DataError, match="port"):
            LoopbackLine(odd, 0.1)


def test_a_message_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback, "MOST_BYTES", 10)
    taken, accept = taker(("A",))
    with LoopbackPost() as post, LoopbackLine(post.port, 5) as line:
        line.send(0, b"A")
        post.collect(0, ["A"], accept, 5)
        post.deliver(0, {"A": b"x" * 11})
        with pytest.raises(DataError, match="too long"):
            line.receive(0, 5)
        line.send(1, b"A" * 11)
        post.collect(1, ["A"], accept, 5)
    assert taken == [b"A"]


def test_the_address_is_the_loopback_and_nothing_else() -> None:
    """No parameter names a host, and every address in the file is that constant."""
    tree = ast.parse(Path(loopback.__file__).read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    addressed = [call for call in calls if call.func.attr in ("bind", "create_connection", "connect", "sendto")]  # type: ignore[attr-defined]
    assert len(addressed) == 2
    for call in addressed:
        address = call.args[0]
        assert isinstance(address, ast.Tuple)
        assert ast.unparse(address.elts[0]) == "HOST"
    assert HOST == "127.0.0.1"
