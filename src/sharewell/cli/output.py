"""What verbs share in showing results: JSON on request, tables on a terminal, progress on stderr."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from sharewell.plain_data import Json
from sharewell.progress import ProgressStep
from sharewell.terminal_text import legible

if TYPE_CHECKING:
    from pathlib import Path

    from sharewell.pipeline.verdict_facts import Cautions

_LINE_EVERY = 5.0
"""Seconds between two lines of one count."""
LOOKALIKES = (
    "{count} value(s) differ from another only in case, spaces, invisible characters, Unicode form or decimals; "
    "such persons and sensitive values count as one (but not persons whose decimals differ), other values as different"
)


class Legible:
    """A stream on which no name can do anything: whatever the verbs print goes through it."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        return self.stream.write(legible(text, lines=True))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def legible_streams() -> Iterator[None]:
    with contextlib.redirect_stdout(Legible(sys.stdout)), contextlib.redirect_stderr(Legible(sys.stderr)):
        yield


def _drawn_on(stream: TextIO | Legible) -> TextIO:
    """Where rich draws, with its own sequences: what it is given is legible already."""
    return stream.stream if isinstance(stream, Legible) else stream


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON instead of text")


def print_json(content: Json) -> None:
    print(json.dumps(content, ensure_ascii=False, indent=1))


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]], title: str = "") -> None:
    """A table for people; plain text where the output is no terminal. Names are shown as they are, never as markup.

    A column is never narrower than the longest word of its heading, so that a heading is not cut on a narrow terminal.
    """
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    wide = Console(width=None if sys.stdout.isatty() else 160, highlight=False, markup=False, emoji=False)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for heading in header:
        table.add_column(heading, min_width=max(map(len, heading.split()), default=0))
    for row in rows:
        table.add_row(*(Text("" if cell is None else legible(str(cell))) for cell in row))  # Text: no markup
    with wide.capture() as captured:
        if title:
            wide.print(Text(legible(title), style="bold"))
        wide.print(table)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    print("\n".join(lines), end="\n\n", file=_drawn_on(sys.stdout))


def print_verdict(verdict: str, facts: Cautions) -> None:
    """The verdict, never without what a board weighs beside it."""
    for line in facts.lines():
        print(f"weigh    {legible(line)}")
    print(legible(verdict))


@contextmanager
def progress(policy: Path | None = None) -> Iterator[Callable[[str], None]]:
    """A spinner with the present step on stderr; a plain line for each step where stderr is not a terminal.

    policy: the file whose last run says how long a step takes that cannot count what is left of it.
    """
    from sharewell.cli.late_step import shows_steps_itself
    from sharewell.io.step_paces import StepPaces
    from sharewell.io.step_times import StepTimes
    from sharewell.progress import TimedSteps, heard

    shows_steps_itself()
    times = StepTimes.of(policy) if policy is not None else None
    with _lines() if not sys.stderr.isatty() else _spinner() as show:
        timed = TimedSteps(show, times, StepPaces.of_this_machine())
        with heard(timed.count):
            yield timed.step
        timed.end()


@contextmanager
def _lines() -> Iterator[Callable[[str], None]]:
    """A line for each step; of steps that count, now and then."""
    present, shown = "", 0.0

    def step(text: str) -> None:
        nonlocal present, shown
        what = text.what if isinstance(text, ProgressStep) else str(text)
        counts = isinstance(text, ProgressStep) and text.counts
        if what == present and counts and time.monotonic() - shown < _LINE_EVERY:
            return
        present, shown = what, time.monotonic()
        print(f"… {legible(str(text))}", file=sys.stderr)

    yield step


@contextmanager
def _spinner() -> Iterator[Callable[[str], None]]:
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(file=_drawn_on(sys.stderr)), transient=True) as shown:
        task = shown.add_task("", total=None)

        present = ""

        def step(text: str) -> None:
            nonlocal present
            done, total = (text.done, text.total) if isinstance(text, ProgressStep) else (0, None)
            what = text.what if isinstance(text, ProgressStep) else str(text)
            if what != present:  # the clock shows how long this step has taken
                present = what
                shown.reset(task)
            shown.update(task, description=escape(legible(str(text))), completed=done, total=total)

        yield step


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr for work whose size is known; silent where stderr is not a terminal."""
    from sharewell.cli.late_step import shows_steps_itself

    shows_steps_itself()
    if not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.text import Text

    class Pace(ProgressColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} a second" if task.speed else "")

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Pace(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=_drawn_on(sys.stderr)), transient=True) as shown:
        task = shown.add_task(escape(legible(what)), total=None)
        yield lambda done, total: shown.update(task, completed=done, total=total)


def from_one(text: str) -> int:
    """The type of an option that counts something."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number, 1 or more")
    return int(text)
