"""Compiled code for large work: the only place that knows numba, which comes with the extra `fast`.

A kernel is written in a module of its own, which nothing imports at start; `numba_or_numpy` brings it in when the work
is large enough to pay for numba's import. Every kernel has a twin in numpy that gives the same result. The twin is
used for small work, and wherever there is no numba or no place that keeps what it compiled.

To compile a kernel takes seconds, once on a machine. Where the twin needs less than that, nobody waits for the
compiler: the kernel is used if it was compiled before, and compiled if the work is so large that this pays at once.
Work of middling size adds up: the seconds that twins took are kept in the user's cache (`seconds_in_numpy`), and once
they exceed those of compiling, the kernel is compiled. Whatever follows, nobody spends more than twice the least.

To load numba and what it compiled takes most of a second, once in a process. The same rule holds for that: work that is
shorter in numpy is done in numpy, until a process has spent as much on such work (`loads`).

SHAREWELL_COMPILE=1 compiles for any large work, to prepare a machine; with 0 nothing is compiled, and what was compiled
before is used.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar, cast

from sharewell.io.kernel_cache import add_seconds, recorded_seconds, was_compiled

Function = TypeVar("Function", bound=Callable[..., Any])
COMPILING = 4.0
"""CPU seconds that compiling the kernels of a module takes, roughly."""
LOADING = 0.8
"""CPU seconds that loading numba and some kernels compiled before takes, roughly."""
_NOT_WORTH_KEEPING = 0.02
_in_this_process: defaultdict[str, float] = defaultdict(float)


def jit(function: Function) -> Function:
    """Compile at the first call and keep the result beside the source, or in the user's cache. Threads may share it."""
    import numba

    return cast(Function, numba.njit(cache=True, nogil=True)(function))


def numba_or_numpy(large: bool, kernel: str, twin: Function, pays: bool = True, loads: bool = True) -> Function:
    """The kernel `module:function` if the work is large and it can be compiled, else its twin.

    pays: is the work so large that compiling pays even if no other such work follows?
    loads: is it so large that loading numba pays even if no other such work follows in this process?
    """
    function = numba_or_none(large, kernel, pays, loads)
    return twin if function is None else cast(Function, function)


def numba_or_none(large: bool, kernel: str, pays: bool = True, loads: bool = True) -> Callable[..., Any] | None:
    """The same for a kernel whose twin is not one function: None says that the twin is to be used."""
    wanted = large and _is_worth_loading(loads) and _is_worth_it(kernel, pays)
    result: Callable[..., Any] | None = _kernel(kernel) if wanted else None
    return result


@contextmanager
def seconds_in_numpy(kernel: str, large: bool = True) -> Iterator[None]:
    """Count the CPU seconds of work that a twin does, where its kernel was not worth compiling for it alone."""
    began = time.process_time()
    yield
    seconds = time.process_time() - began
    if large and seconds >= _NOT_WORTH_KEEPING:
        module, _, _ = kernel.partition(":")
        _in_this_process[module] += seconds
        add_seconds(module, seconds)


def _is_worth_loading(loads: bool) -> bool:
    """Is numba here, is this work long enough for it, or did twins take as long as loading it would have?"""
    if loads or "numba" in sys.modules or sum(_in_this_process.values()) >= LOADING:
        return True
    return os.environ.get("SHAREWELL_COMPILE") not in (None, "", "0")


def _is_worth_it(kernel: str, pays: bool) -> bool:
    """Was it compiled before, or is it time to do so?"""
    if _was_compiled(kernel):  # asked first: mechanisms ask many thousand times, and reading the environment is slow
        return True
    setting = os.environ.get("SHAREWELL_COMPILE") or ""
    return setting != "0" and (pays or bool(setting) or _is_overdue(kernel.partition(":")[0]))


def _is_overdue(module: str) -> bool:
    """Did twins take more than compiling would have, here or in earlier processes?"""
    return max(_in_this_process[module], recorded_seconds(module)) >= COMPILING


@cache
def _was_compiled(kernel: str) -> bool:
    module, _, function = kernel.partition(":")
    return was_compiled(module, function)


@cache
def _kernel(name: str) -> Any:
    module, _, function = name.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except (ImportError, RuntimeError):  # no numba, or it finds no place for its cache
        return None
