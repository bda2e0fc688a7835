"""A verb that shows no steps of its own says after two seconds that it is at work, and about how long that takes.

What counts within it is shown now and then. How long it took, by the bytes of the files that it was given, is kept for
the next time (`sharewell.io.step_paces`).
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from sharewell.progress import HARDLY_A_WAIT, ProgressStep, heard, lasting

SILENT = ("completion", "schema", "serve")
"""Verbs that wait for others, or whose output a program reads at once."""
_EVERY = 5.0
"""Seconds between two lines of one count."""
_POLICIES = (".yaml", ".yml")
_present: list[LateStep] = []


class LateStep:
    """What a verb shows if it takes long."""

    def __init__(self, args: argparse.Namespace, stream: TextIO) -> None:
        self.what, self.amount = args.verb, _bytes_given(args)
        action = next((getattr(args, name) for name in ("task", "what") if hasattr(args, name)), "")
        self.what += f" {action}" if isinstance(action, str) and action else ""
        self.stream, self.begun, self.shown = stream, time.monotonic(), 0.0
        self.timer = threading.Timer(HARDLY_A_WAIT, self.tell)
        self.timer.daemon = True

    @property
    def work(self) -> str:
        return f"verb {self.what}"

    def tell(self) -> None:
        from sharewell.io.step_paces import StepPaces

        about = StepPaces.of_this_machine().estimate(self.work, self.amount)
        known = "" if about is None or about < HARDLY_A_WAIT else f" (about {lasting(about)})"
        print(f"… {self.what} is at work{known}", file=self.stream, flush=True)

    def count(self, unit: str, done: int, total: int, seconds: float) -> None:
        now = time.monotonic()
        if now - self.begun < HARDLY_A_WAIT or now - self.shown < _EVERY:
            return
        self.shown = now
        print(f"… {ProgressStep.of(self.what, done, total, seconds, unit)}", file=self.stream, flush=True)

    def finish(self) -> None:
        self.timer.cancel()
        seconds = time.monotonic() - self.begun
        if seconds >= HARDLY_A_WAIT and self.amount:
            from sharewell.io.step_paces import StepPaces

            paces = StepPaces.of_this_machine()
            paces.add(self.work, self.amount, seconds)
            paces.save()


@contextmanager
def late_step(args: argparse.Namespace) -> Iterator[None]:
    if args.verb in SILENT or getattr(args, "interactive", False):
        yield
        return
    step = LateStep(args, sys.stderr)
    _present.append(step)
    step.timer.start()
    try:
        with heard(step.count):
            yield
    finally:
        step.timer.cancel()
        if step in _present:
            _present.remove(step)
            step.finish()


def shows_steps_itself() -> None:
    """Whoever shows steps from now on says more than that the verb is at work."""
    while _present:
        _present.pop().timer.cancel()


def _bytes_given(args: argparse.Namespace) -> int:
    """Of all files among the arguments; of a policy, of the files that it names."""
    from sharewell.io.step_paces import files_named_in

    given = [one for value in vars(args).values() for one in (value if isinstance(value, list) else [value])]
    try:
        files = [path for path in given if isinstance(path, Path) and path.is_file()]
        named = [beside for path in files if path.suffix in _POLICIES for beside in files_named_in(path)]
        return sum(path.stat().st_size for path in (*named, *files) if path.suffix not in _POLICIES)
    except (OSError, ValueError):
        return 0
