"""A step of long work, for whoever shows progress: text like any other, with what an estimate of its length needs.

A step that counts says what is left of it. One that calls something which cannot count says what work it is and how
much of it there is; how long that takes is then estimated (`sharewell.io.step_paces`).

>>> ProgressStep.of("protecting notes", 250, 1000, seconds=5)
'protecting notes: 250 of 1,000, 50 a second, 15 s left'
>>> ProgressStep.part("attacking visits", "linkage", 3, 9, seconds=6)
'attacking visits: linkage (4 of 9), about 12 s left'
>>> SizedStep.of("reading visits", "reading tables", 40_000_000)
'reading visits'
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

Progress = Callable[[str], None]
"""What is called with each step of long work."""
HARDLY_A_WAIT = 2.0
"""Seconds: shorter steps need no estimate."""


class ProgressStep(str):
    """What is being done, and how far it is."""

    what: str
    done: int
    total: int
    work: str = ""
    """What is done in this part, if its length can be estimated."""
    amount: int = 0
    counts: bool = False
    """Many small records, rather than a few parts with names."""

    @classmethod
    def of(cls, what: str, done: int, total: int, seconds: float, unit: str = "") -> ProgressStep:
        """A step that counts many small records."""
        pace = done / seconds if seconds > 0 else 0.0
        left = f", {lasting((total - done) / pace)} left" if pace and done < total else ""
        counted = f"{total:,}{unit and ' '}{unit}"
        made = cls._made(f"{what}: {done:,} of {counted}, {_pace(pace)}{left}", what, done, total)
        made.counts = True
        return made

    @classmethod
    def part(cls, what: str, part: str, done: int, total: int, seconds: float) -> ProgressStep:
        """The begin of one of a few parts. The estimate takes all of them to last as long as those that are done."""
        left = f", about {lasting(seconds / done * (total - done))} left" if done else ""
        return cls._made(f"{what}: {part} ({done + 1} of {total}){left}", what, done, total)

    def within(self, whole: str) -> ProgressStep:
        """This step as a part of something larger."""
        made = self._made(f"{whole}: {self}", f"{whole}: {self.what}", self.done, self.total)
        made.work, made.amount, made.counts = self.work, self.amount, self.counts
        return made

    def in_other_words(self, text: str) -> ProgressStep:
        """The same step in other words."""
        made = self._made(text, self.what, self.done, self.total)
        made.counts = self.counts
        return made

    @classmethod
    def _made(cls, text: str, what: str, done: int, total: int) -> ProgressStep:
        made = cls(text)
        made.what, made.done, made.total = what, done, total
        return made


class SizedStep(str):
    """What is being done, which work that is, and how much of it there is: cells, bytes or whatever it grows with."""

    work: str
    amount: int

    @classmethod
    def of(cls, what: str, work: str, amount: int) -> SizedStep:
        made = cls(what)
        made.work, made.amount = work, amount
        return made

    def within(self, whole: str) -> SizedStep:
        """This step as a part of something larger."""
        return self.of(f"{whole}: {self}", self.work, self.amount)


class PartsOf:
    """To be called with the name of each of a few parts when it begins.

    >>> begin = PartsOf("attacking visits", 2, print)
    >>> begin("linkage")
    attacking visits: linkage (1 of 2)
    """

    def __init__(self, what: str, total: int, progress: Progress) -> None:
        self.what, self.total, self.progress = what, total, progress
        self.done, self.begun = 0, time.monotonic()

    def __call__(self, part: str, work: str = "", amount: int = 0) -> None:
        total = max(self.total, self.done + 1)
        step = ProgressStep.part(self.what, part, self.done, total, time.monotonic() - self.begun)
        step.work, step.amount = work, amount
        self.progress(step)
        self.done += 1


_listener: ContextVar[Callable[[str, int, int, float], None] | None] = ContextVar("listener", default=None)


@contextmanager
def heard(listener: Callable[[str, int, int, float], None]) -> Iterator[None]:
    """Whatever counts within the block is told to this: the unit, how many are done, of how many, in what time."""
    before = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(before)


def counter(unit: str, total: int, every: float = 0.5) -> Callable[[int], None]:
    """For loops that count, wherever they are: call it with how many more are done. Nobody may be listening."""
    listener = _listener.get()
    if listener is None or total <= 1:
        return lambda more: None
    done, begun = 0, time.monotonic()
    shown = begun

    def count(more: int) -> None:
        nonlocal done, shown
        done, now = done + more, time.monotonic()
        if now - shown >= every:
            shown = now
            listener(unit, min(done, total), total, now - begun)

    return count


class LastTimes(Protocol):
    """What is known of an earlier run."""

    def last(self, step: str) -> float | None: ...

    def add(self, step: str, seconds: float) -> None: ...

    def save(self) -> None: ...


class Paces(Protocol):
    """How long work of some size takes."""

    def estimate(self, work: str, amount: int) -> float | None: ...

    def add(self, work: str, amount: int, seconds: float) -> None: ...

    def save(self) -> None: ...


class TimedSteps:
    """Passes steps on; one that cannot say what is left of it says how long it took the last time, or about takes."""

    def __init__(
        self,
        show: Progress,
        times: LastTimes | None = None,
        paces: Paces | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.show, self.times, self.paces, self.clock = show, times, paces, clock or time.monotonic
        self.present, self.begun, self.text = "", 0.0, ""
        self.work, self.amount, self.work_begun = "", 0, 0.0

    def step(self, text: str) -> None:
        what = text.what if isinstance(text, ProgressStep) else str(text)
        self._work_finished()
        if isinstance(text, ProgressStep | SizedStep):
            self.work, self.amount, self.work_begun = text.work, text.amount, self.clock()
        if what != self.present:
            self._finish()
            self.present, self.begun = what, self.clock()
        self.text = f"{text}{self._estimate(text)}"
        if isinstance(text, ProgressStep):
            self.show(text.in_other_words(self.text))
        else:
            self.show(self.text)

    def _estimate(self, text: str) -> str:
        """What a step is expected to take that does not say it itself."""
        if isinstance(text, ProgressStep):
            about = None if text.done else self._expected()
            return "" if about is None else f", about {lasting(about)} for this"
        seconds = None if self.times is None else self.times.last(str(text))
        if seconds is not None:
            return f" (last time: {lasting(seconds)})"
        about = self._expected()
        return "" if about is None else f" (about {lasting(about)})"

    def _expected(self) -> float | None:
        """None if that is not known, or hardly a wait."""
        about = None if self.paces is None or not self.work else self.paces.estimate(self.work, self.amount)
        return None if about is None or about < HARDLY_A_WAIT else about

    def count(self, unit: str, done: int, total: int, seconds: float) -> None:
        """Something within the present step counts what it does."""
        self.show(ProgressStep.of(self.present or unit, done, total, seconds, unit))

    def end(self) -> None:
        """The last step is finished too: keep what was measured."""
        self._work_finished()
        self._finish()
        for kept in (self.times, self.paces):
            if kept is not None:
                kept.save()

    def _finish(self) -> None:
        if self.present and self.times is not None:
            self.times.add(self.present, self.clock() - self.begun)

    def _work_finished(self) -> None:
        if self.work and self.paces is not None:
            self.paces.add(self.work, self.amount, self.clock() - self.work_begun)
        self.work = ""


def within(whole: str, progress: Progress) -> Progress:
    """Steps of something, as steps of a whole; their numbers stay."""

    def step(text: str) -> None:
        progress(text.within(whole) if isinstance(text, ProgressStep | SizedStep) else f"{whole}: {text}")

    return step


def _pace(pace: float) -> str:
    """
    >>> _pace(250.4), _pace(0.25)
    ('250 a second', '15 a minute')
    """
    return f"{pace:,.0f} a second" if pace >= 1 or not pace else f"{60 * pace:,.0f} a minute"


def lasting(seconds: float) -> str:
    """
    >>> lasting(7), lasting(150), lasting(9000)
    ('7 s', '2 min', '2 h 30 min')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = int(seconds // 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
