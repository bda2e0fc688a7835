"""Ctrl-C ends a command within a second, even while native code is at work.

Python answers a signal only between two steps of its own, and one step may be minutes of native code. So a thread waits
for the signal too. If Python has not answered after a moment, the thread does what an end would do (temporary files are
removed, the audit trail gets its line) and ends the process. Where an interruption is put off on purpose, as while a
release gets its name, the thread waits as well. Native code that keeps Python's lock, such as sorting a long list, lets
no thread run: it is finished first. `make bench BENCH=interruption` measures such stretches on a table of a million
rows, where they should be shorter than 0.3 s.
"""

from __future__ import annotations

import atexit
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

PATIENCE = 0.4
"""Seconds for Python to answer."""
STOPPED = 130


@contextmanager
def prompt_interruption(say: Callable[[], None]) -> Iterator[None]:
    """Watch over the block. `say` tells that the command was stopped, where Python itself cannot."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or usual is not signal.default_int_handler:
        yield  # nobody can interrupt this thread, or somebody else decides what an interruption does
        return
    answered = threading.Event()

    def answer(number: int, frame: FrameType | None) -> None:
        answered.set()
        signal.default_int_handler(number, frame)

    reader, writer = os.pipe()
    if hasattr(os, "set_blocking"):  # Windows has it from Python 3.12 on, and asks for it nowhere
        os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    signal.signal(signal.SIGINT, answer)
    watch = threading.Thread(target=_watch, args=(reader, answered, answer, say), daemon=True)
    watch.start()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        signal.set_wakeup_fd(before)
        os.close(writer)  # the thread reads the end, and closes the other end
        watch.join(timeout=PATIENCE)


def _watch(reader: int, answered: threading.Event, answer: object, say: Callable[[], None]) -> None:
    while signal_byte := os.read(reader, 1):
        if signal_byte[0] != signal.SIGINT:
            continue
        answered.wait(PATIENCE)
        while signal.getsignal(signal.SIGINT) is not answer and not answered.is_set():
            time.sleep(0.05)  # it is put off: whoever does that passes it on in the end
            if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                break
        if not answered.is_set() and signal.getsignal(signal.SIGINT) is answer:
            _end(say)
    os.close(reader)


def _end(say: Callable[[], None]) -> None:
    """What the end of a process does, in a thread: the main one will not come back in time."""
    try:
        say()
        atexit._run_exitfuncs()
    finally:
        os._exit(STOPPED)
