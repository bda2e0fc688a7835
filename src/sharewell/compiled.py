"""Compiled code for large work: the only place that knows numba, which comes with the extra `fast`.

A kernel is written in a module of its own, which nothing imports at start; `numba_or_numpy` brings it in when the work
is large enough to pay for numba's import. Every kernel has a twin in numpy that gives the same result. The twin is
used for small work, and wherever there is no numba or no place that keeps what it compiled.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

Function = TypeVar("Function", bound=Callable[..., Any])


def jit(function: Function) -> Function:
    """Compile at the first call and keep the result beside the source, or in the user's cache. Threads may share it."""
    import numba

    return cast(Function, numba.njit(cache=True, nogil=True)(function))


def numba_or_numpy(large: bool, kernel: str, twin: Function) -> Function:
    """The kernel `module:function` if the work is large and it can be compiled, else its twin."""
    found: Function | None = _kernel(kernel) if large else None
    return twin if found is None else found


def numba_or_none(large: bool, kernel: str) -> Callable[..., Any] | None:
    """The same for a kernel whose twin is not one function: None says that the twin is to be used."""
    found: Callable[..., Any] | None = _kernel(kernel) if large else None
    return found


@cache
def _kernel(name: str) -> Any:
    module, _, function = name.partition(":")
    try:
        return getattr(importlib.import_module(module), function)
    except (ImportError, RuntimeError):  # no numba, or it finds no place for its cache
        return None
