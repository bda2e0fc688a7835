"""Dataframes given where an algorithm needs data with roles: refused with the line to write instead.

A frame does not say which of its columns an attacker may know, so no algorithm can judge it as it is. Without this an
AttributeError from deep inside would be the answer.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from sharewell.errors import PolicyError

_LIBRARIES = frozenset(
    {"cudf", "dask", "duckdb", "ibis", "modin", "narwhals", "pandas", "polars", "pyarrow", "pyspark"}
)


def is_bare(data: object) -> bool:
    """Is it a dataframe, or what a frame could be made of or read from, rather than data of some kind?

    >>> import pyarrow as pa
    >>> is_bare(pa.table({"age": [1]})), is_bare({"age": [1]}), is_bare("people.csv"), is_bare(7)
    (True, True, True, False)
    """
    return isinstance(data, dict | str | PurePath) or type(data).__module__.partition(".")[0] in _LIBRARIES


def refuse_bare_frames(owner: type, method: str) -> None:
    """Let a method of a class, as it is written there, refuse them."""
    written = owner.__dict__.get(method)
    if callable(written):
        setattr(owner, method, _refusing(written))


def _refusing(written: Callable[..., Any]) -> Callable[..., Any]:
    takes = next(iter(list(written.__annotations__.values())), None)

    @functools.wraps(written)
    def checked(self: object, data: object, *others: Any, **named: Any) -> Any:
        if is_bare(data):
            name = type(self).__name__
            raise PolicyError(_message(name, written.__name__, data, str(takes)), f"{name}.{written.__name__}")
        return written(self, data, *others, **named)

    return checked


def _message(algorithm: str, method: str, data: object, takes: str) -> str:
    kind = type(data)
    given = f"got a {kind.__name__} of {kind.__module__.partition('.')[0]}"
    if takes == "Table":
        call = f'{algorithm}(…).{method}(Table.of(frame, quasi=["age", "sex", …], rest="keep"))'
        return (
            f"{given}, which does not say which columns an attacker may know — write {call},"
            " with `from sharewell.tables import Table`; sharewell.risk(frame, quasi=[…]) measures a frame as it stands"
        )
    return f"{given} and can work on something else: {takes} — see help({takes})"
