"""Compiled code for large work: the only place that knows numba, which comes with the extra `fast`.

A kernel is written in a module of its own, which nothing imports at start; `numba_or_numpy` brings it in when the work
is large enough to pay for numba's import. Every kernel has a twin in numpy that gives the same result. The twin is
used for small work, and wherever there is no numba or no place that keeps what it compiled.

To compile a kernel takes seconds, once on a machine. Where the twin needs less than that, nobody waits for the
compiler: the kernel is used if it was compiled before, and compiled if the work is so large that this pays at once.
SHAREWELL_COMPILE=1 compiles for any large work, to prepare a machine.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from sharewell.io.kernel_cache import was_compiled

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """Compile at the first call and keep the result beside the source, or in the user's cache. Threads may share it."""
    import numba

    return cast(Function, numba.njit(cache=True, nogil=True)(function))


def numba_or_numpy(large: bool, kernel: str, twin: Function, pays: bool = True) -> Function:
    """The kernel `module:function` if the work is large and it can be compiled, else its twin.

    pays: is the work so large that compiling pays even if no other such work follows?
    """
    found: Function | None = _kernel(kernel) if large and (pays or _is_ready(kernel)) else None
    return twin if found is None else found


def numba_or_none(large: bool, kernel: str) -> Callable[..., Any] | None:
    """The same for a kernel whose twin is not one function: None says that the twin is to be used."""
    found: Callable[..., Any] | None = _kernel(kernel) if large else None
    return found


@cache
def _is_ready(name: str) -> bool:
    """Was it compiled before, or is it to be compiled whatever the work?"""
    module, _, function = name.partition(":")
    return bool(os.environ.get("SHAREWELL_COMPILE")) or was_compiled(module, function)


@cache
def _kernel(name: str) -> Any:
    module, _, function = name.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except (ImportError, RuntimeError):  # no numba, or it finds no place for its cache
        return None
