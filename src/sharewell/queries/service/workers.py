"""Threads that do the work of requests: what has begun goes on when the client leaves, and ends with the process."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from sharewell.plain_data import JsonObject
from sharewell.queries.service.problems import Refused

Work = Callable[[], JsonObject]


class Workers:
    """A thread for each request, of which a few compute at the same moment."""

    def __init__(self, at_once: int, computing: int) -> None:
        self._most = at_once
        self._turns = threading.BoundedSemaphore(computing)
        self._lock = threading.Lock()
        self._waiting: dict[asyncio.Future[JsonObject], asyncio.AbstractEventLoop] = {}
        self._threads: set[threading.Thread] = set()
        self.stopping = False

    async def run(self, work: Work, patience: float) -> JsonObject:
        """The result of the work, or what it raised. Who does not wait for it leaves it running."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[JsonObject] = loop.create_future()
        thread = threading.Thread(target=self._work, args=(work, loop, future), daemon=True)
        with self._lock:
            if self.stopping:
                raise Refused("stopping")
            if len(self._threads) >= self._most:
                raise Refused("busy", retry_after=1)
            self._threads.add(thread)
            self._waiting[future] = loop
        thread.start()
        try:
            return await asyncio.wait_for(asyncio.shield(future), patience)
        except TimeoutError:
            raise Refused("still-working", retry_after=patience) from None
        finally:
            with self._lock:
                self._waiting.pop(future, None)
            future.cancel()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Compute when it is one's turn; none begins any more when the service stops."""
        with self._turns:
            if self.stopping:
                raise Refused("stopping")
            yield

    def stop(self) -> None:
        """Send everybody away who waits, and begin nothing new. May be called in any thread."""
        with self._lock:
            self.stopping = True
            waiting = list(self._waiting.items())
        for future, loop in waiting:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(_settle, future, {}, Refused("stopping"))

    def join(self, seconds: float) -> None:
        """Wait for work that is under way, so long in all."""
        until = time.monotonic() + seconds
        with self._lock:
            threads = list(self._threads)
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))

    def _work(self, work: Work, loop: asyncio.AbstractEventLoop, future: asyncio.Future[JsonObject]) -> None:
        result: JsonObject = {}
        error: BaseException | None = None
        try:
            result = work()
        except BaseException as raised:
            error = raised
        finally:
            with self._lock:
                self._threads.discard(threading.current_thread())
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(_settle, future, result, error)


def _settle(future: asyncio.Future[JsonObject], result: JsonObject, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)
