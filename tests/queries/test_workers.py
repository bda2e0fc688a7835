"""Threads of requests: bounded, patient, and stopped at once."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from sharewell.queries.service.problems import Refused
from sharewell.queries.service.workers import Workers


def code(raised: pytest.ExceptionInfo[Refused]) -> str:
    return raised.value.code


def test_results_and_errors_come_back() -> None:
    def fail() -> dict[str, int]:
        raise ValueError("of the work")

    async def main() -> None:
        workers = Workers(2, 1)
        assert await workers.run(lambda: {"a": 1}, 5) == {"a": 1}
        with pytest.raises(ValueError, match="of the work"):
            await workers.run(fail, 5)
        workers.join(1)

    asyncio.run(main())


def test_work_goes_on_when_nobody_waits() -> None:
    done, gate = threading.Event(), threading.Event()

    def slow() -> dict[str, int]:
        gate.wait(5)
        done.set()
        return {}

    async def main() -> None:
        workers = Workers(1, 1)
        with pytest.raises(Refused) as raised:
            await workers.run(slow, 0.01)
        assert code(raised) == "still-working"
        with pytest.raises(Refused) as raised:
            await workers.run(dict, 1)
        assert code(raised) == "busy"
        gate.set()
        workers.join(5)
        assert await workers.run(dict, 5) == {}

    asyncio.run(main())
    assert done.is_set()


def test_stopping_sends_away_who_waits_and_begins_nothing() -> None:
    gate, began = threading.Event(), []

    async def main() -> None:
        workers = Workers(4, 1)

        def slow() -> dict[str, int]:
            with workers.turn():
                began.append(1)
                gate.wait(60)
            return {}

        waiting = [asyncio.create_task(workers.run(slow, 60)) for _ in range(3)]
        while not began:
            await asyncio.sleep(0.01)
        start = time.monotonic()
        threading.Thread(target=workers.stop).start()
        found = await asyncio.gather(*waiting, return_exceptions=True)
        assert [one.code for one in found if isinstance(one, Refused)] == ["stopping"] * 3
        assert time.monotonic() - start < 30
        gate.set()
        workers.join(5)
        with pytest.raises(Refused) as raised:
            await workers.run(slow, 5)
        assert code(raised) == "stopping"

    asyncio.run(main())
    assert len(began) == 1
