"""A step of known size, for whoever shows progress: text like any other step, with numbers for a bar.

>>> ProgressStep.of("protecting notes", 250, 1000, seconds=5)
'protecting notes: 250 of 1,000, 50 a second, 15 s left'
>>> ProgressStep.part("attacking visits", "linkage", 3, 9, seconds=6)
'attacking visits: linkage (4 of 9), about 12 s left'
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

Progress = Callable[[str], None]
"""What is called with each step of long work."""


class ProgressStep(str):
    """What is being done, and how far it is."""

    what: str
    done: int
    total: int

    @classmethod
    def of(cls, what: str, done: int, total: int, seconds: float) -> ProgressStep:
        """A step that counts many small records."""
        pace = done / seconds if seconds > 0 else 0.0
        left = f", {_lasting((total - done) / pace)} left" if pace and done < total else ""
        return cls._made(f"{what}: {done:,} of {total:,}, {pace:,.0f} a second{left}", what, done, total)

    @classmethod
    def part(cls, what: str, part: str, done: int, total: int, seconds: float) -> ProgressStep:
        """The begin of one of a few parts. The estimate takes all of them to last as long as those that are done."""
        left = f", about {_lasting(seconds / done * (total - done))} left" if done else ""
        return cls._made(f"{what}: {part} ({done + 1} of {total}){left}", what, done, total)

    def within(self, whole: str) -> ProgressStep:
        """This step as a part of something larger."""
        return self._made(f"{whole}: {self}", f"{whole}: {self.what}", self.done, self.total)

    @classmethod
    def _made(cls, text: str, what: str, done: int, total: int) -> ProgressStep:
        made = cls(text)
        made.what, made.done, made.total = what, done, total
        return made


def parts_of(what: str, total: int, progress: Progress) -> Progress:
    """To be called with the name of each of so many parts when it begins.

    >>> begin = parts_of("attacking visits", 2, print)
    >>> begin("linkage")
    attacking visits: linkage (1 of 2)
    """
    done, begun = 0, time.monotonic()

    def begin(part: str) -> None:
        nonlocal done
        progress(ProgressStep.part(what, part, done, total, time.monotonic() - begun))
        done += 1

    return begin


class LastTimes(Protocol):
    """What is known of an earlier run."""

    def last(self, step: str) -> float | None: ...

    def add(self, step: str, seconds: float) -> None: ...

    def save(self) -> None: ...


class TimedSteps:
    """Passes steps on; one that cannot say what is left of it says how long it took the last time."""

    def __init__(self, show: Progress, times: LastTimes) -> None:
        self.show, self.times = show, times
        self.present, self.begun = "", 0.0

    def step(self, text: str) -> None:
        counted = isinstance(text, ProgressStep)
        what = text.what if isinstance(text, ProgressStep) else str(text)
        if what != self.present:
            self._finish()
            self.present, self.begun = what, time.monotonic()
            seconds = self.times.last(what)
            if seconds is not None and not counted:
                text = f"{text} (last time: {_lasting(seconds)})"
        self.show(text)

    def end(self) -> None:
        """The last step is finished too: keep what was measured."""
        self._finish()
        self.times.save()

    def _finish(self) -> None:
        if self.present:
            self.times.add(self.present, time.monotonic() - self.begun)


def within(whole: str, progress: Progress) -> Progress:
    """Steps of something, as steps of a whole; their numbers stay."""

    def step(text: str) -> None:
        progress(text.within(whole) if isinstance(text, ProgressStep) else f"{whole}: {text}")

    return step


def _lasting(seconds: float) -> str:
    """
    >>> _lasting(7), _lasting(150), _lasting(9000)
    ('7 s', '2 min', '2 h 30 min')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes = int(seconds // 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
