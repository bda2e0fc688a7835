"""Ctrl-C while native code is at work: exit 130 within a moment, temporary files gone, the audit trail complete."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sharewell.cli.interruption import PATIENCE, prompt_interruption

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  d:
    kind: tables
    read: {csv: d.csv}
    columns: {id: subject, age: quasi}
    require: [k-anonymity: {k: 2}]
    using: mondrian
write: {parquet: out}
"""
STUCK = """
import ctypes, os, signal, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may ignore it
from sharewell.pipeline import dataset_stage
from sharewell.cli import main

def native(*given, **settings):
    print("at work", flush=True)
    if sys.argv[1] == "native":  # like a solver: it lets other threads run, and does not hear signals
        library = ctypes.CDLL(None)
        class Pause(ctypes.Structure):
            _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # another thread takes the signal
        library.nanosleep(ctypes.byref(Pause(200, 0)), None)
        return None
    while True:
        sum(range(1000))

dataset_stage._chosen = native
sys.exit(main(["release", sys.argv[2]]))
"""


@pytest.mark.parametrize("work", ["native", "python"])
def test_a_release_ends_at_once_and_leaves_nothing(work: str, tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("id,age\n" + "".join(f"p{i},{20 + i}\n" for i in range(8)))
    (tmp_path / "policy.yaml").write_text(POLICY)
    command = [sys.executable, "-c", STUCK, work, str(tmp_path / "policy.yaml")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "at work\n"
        begun = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, told = running.communicate(timeout=100)
        took = time.monotonic() - begun
    assert running.returncode == 130
    assert told.splitlines()[-1] == "sharewell release: stopped; nothing was released"
    assert took < 60  # the machine may be busy: the work itself takes 200 seconds
    lines = [json.loads(line) for line in (tmp_path / "out" / "audit.jsonl").read_text().splitlines()]
    assert [(one["event"], one.get("error")) for one in lines] == [("begun", None), ("failed", "KeyboardInterrupt")]
    left = {path.name for path in (tmp_path / "out").iterdir()} - {".r.partial-lock"}
    assert left == {"audit.jsonl"}


def pressed(seconds: float) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(seconds)


def test_what_answers_by_itself_is_left_alone() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with pytest.raises(KeyboardInterrupt), prompt_interruption(lambda: os._exit(3)):
        pressed(5)
    time.sleep(1.5 * PATIENCE)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interruption_that_is_put_off_is_waited_for() -> None:
    from sharewell.io.atomic import _uninterrupted

    signal.signal(signal.SIGINT, signal.default_int_handler)
    finished = []

    def work() -> None:
        with _uninterrupted():
            pressed(2 * PATIENCE)
            finished.append(True)

    with pytest.raises(KeyboardInterrupt), prompt_interruption(lambda: os._exit(3)):
        work()
    assert finished == [True]


def test_nothing_is_watched_where_somebody_else_decides() -> None:
    kept = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with prompt_interruption(lambda: None):
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, kept)


def test_a_system_without_pipes_that_do_not_wait_is_watched_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows lacks `os.set_blocking` before Python 3.12, and takes pipes as they are."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    usual, set_wakeup_fd = os.set_blocking, signal.set_wakeup_fd

    def lenient(handle: int, *, warn_on_full_buffer: bool = True) -> int:
        if handle >= 0:
            usual(handle, False)
        return set_wakeup_fd(handle, warn_on_full_buffer=warn_on_full_buffer)

    monkeypatch.setattr(signal, "set_wakeup_fd", lenient)
    monkeypatch.delattr(os, "set_blocking")
    with pytest.raises(KeyboardInterrupt), prompt_interruption(lambda: os._exit(3)):
        pressed(5)
