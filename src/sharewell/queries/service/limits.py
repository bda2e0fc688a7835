"""What the service allows: how much at once, how often, how large, and how long an answer takes at least."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

Clock = Callable[[], float]


@dataclass(frozen=True)
class Limits:
    """All limits of a service. Times are in seconds, rates in requests a minute."""

    minimum: float = 0.25
    """No answer comes sooner, and one that takes longer comes at the next multiple of it."""
    patience: float = 60.0
    """So long an answer is waited for; it is stored all the same."""
    body: int = 65_536
    """Bytes of a request."""
    sending: float = 10.0
    """So long a client may take to send them."""
    per_token: int = 120
    everybody: int = 1_200
    strangers: int = 60
    """Requests without a valid token, of everybody together."""
    at_once: int = 64
    """Requests that are worked on or wait; more are turned away."""
    computing: int = 4
    """Questions that are planned or answered at the same moment; the others wait their turn."""


def remaining_wait(elapsed: float, minimum: float) -> float:
    """How long to hold back an answer that is ready, so that it goes out at a multiple of the minimum.

    >>> [round(remaining_wait(elapsed, 0.25), 3) for elapsed in (0.01, 0.25, 0.26, 1.9)]
    [0.24, 0.0, 0.24, 0.1]
    """
    return max(1, math.ceil(elapsed / minimum)) * minimum - elapsed if minimum > 0 else 0.0


class Bucket:
    """A token bucket: this many requests a minute, a quarter of them at once.

    >>> now = 0.0
    >>> bucket = Bucket(8, lambda: now)
    >>> [bucket.wait(), bucket.wait(), bucket.wait()]
    [0.0, 0.0, 7.5]
    """

    def __init__(self, per_minute: int, clock: Clock = time.monotonic) -> None:
        self._rate = per_minute / 60
        self._most = max(1.0, per_minute / 4)
        self._left = self._most
        self._clock = clock
        self._then = clock()
        self._lock = threading.Lock()

    def wait(self) -> float:
        """Take one: 0 if there was one, or else the seconds until there is."""
        with self._lock:
            now = self._clock()
            self._left = min(self._most, self._left + max(0.0, now - self._then) * self._rate)
            self._then = now
            if self._left >= 1:
                self._left -= 1
                return 0.0
            return (1 - self._left) / self._rate


class RateLimits:
    """A bucket for each token, one for all of them, and one for whoever has none. Kept in memory."""

    def __init__(self, limits: Limits, clock: Clock = time.monotonic) -> None:
        self._limits, self._clock = limits, clock
        self._everybody, self._strangers = Bucket(limits.everybody, clock), Bucket(limits.strangers, clock)
        self._tokens: dict[str, Bucket] = {}
        self._lock = threading.Lock()

    def wait(self, token: str | None) -> float:
        """Seconds until this token may be used again; 0: now. Strangers use up nothing of those who have a token."""
        if token is None:
            return self._strangers.wait()
        with self._lock:
            bucket = self._tokens.setdefault(token, Bucket(self._limits.per_token, self._clock))
        return bucket.wait() or self._everybody.wait()
