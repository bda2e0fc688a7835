"""Does time grow with the input, or with its square?

A busy machine makes everything slower, some moments more than others. So tests compare processor time of a short and a
long input, and leave room on both sides: ten times the input may take forty times as long, where a loop inside a loop
takes a hundred times as long.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

Input = TypeVar("Input")

TURNS = 5
LEAST = 0.005
"""Seconds: what is shorter is taken to be as long as this."""


def cpu_seconds(work: Callable[[], object]) -> float:
    """Of this process, whoever else keeps the machine busy."""
    began = time.process_time()
    work()
    return time.process_time() - began


def grows_with_the_square(work: Callable[[Input], object], short: Input, long: Input, times: int) -> bool:
    """`long` is so many times `short`. The best of a few turns, in alternation, decides, and most need one."""
    work(short)  # whatever is loaded the first time
    least = {0: float("inf"), 1: float("inf")}
    for _ in range(TURNS):
        for which, one in enumerate((short, long)):
            least[which] = min(least[which], cpu_seconds(lambda one=one: work(one)))  # type: ignore[misc]
        if least[1] < times**1.6 * max(least[0], LEAST):
            return False
    return True
