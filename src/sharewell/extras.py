"""Packages that only some algorithms need: what is not installed is said by name, before any work begins.

An algorithm declares what it imports as `packages`, a tuple of import names (or a property, where its parameters
decide). Checking a policy, releasing and verifying ask for all of them first.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Collection, Iterable
from types import ModuleType
from typing import Protocol

from sharewell.errors import MissingExtra

_EXTRAS = {
    "Bio": ("biopython", "genomes"),
    "clarabel": ("clarabel", "reports"),
    "cyvcf2": ("cyvcf2", "genomes"),
    "highspy": ("highspy", "reports"),
    "mbi": ("mbi", "synthetic"),
    "opendp": ("opendp", "genomes,queries"),
    "pandas": ("pandas", "synthetic"),
    "polars": ("polars", "queries"),
    "psycopg": ("psycopg[binary]", "queries"),
    "python_calamine": ("python-calamine", "excel"),
    "pycrfsuite": ("python-crfsuite", "notes"),
    "pyscipopt": ("pyscipopt", "reports"),
    "rustworkx": ("rustworkx", "genomes"),
    "scipy": ("scipy", "notes,genomes,queries,reports"),
    "sklearn": ("scikit-learn", "learn"),
    "snowballstemmer": ("snowballstemmer", "notes"),
    "striprtf": ("striprtf", "notes"),
    "starlette": ("starlette", "queries"),
    "uvicorn": ("uvicorn", "queries"),
}
"""Import name → package, and the extra that brings it."""
_NOT_ON_WINDOWS = ("cyvcf2",)


class NeedsPackages(Protocol):
    """An algorithm, or whatever else says which packages it imports."""

    @property
    def packages(self) -> tuple[str, ...]: ...


def package(name: str, what: str) -> ModuleType:
    """The module of an extra, for `what`; or MissingExtra.

    >>> package("scipy", "linkage").__name__
    'scipy'
    """
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtra(_message(name, what)) from None


def is_installed(name: str) -> bool:
    return importlib.util.find_spec(name.partition(".")[0]) is not None


def refuse_missing(algorithms: Iterable[tuple[str, NeedsPackages]]) -> None:
    """Raise MissingExtra if (name, algorithm) needs a package that is not there; all of them are told at once."""
    missing = [(name, need) for name, one in algorithms for need in _packages(one) if not is_installed(need)]
    if missing:
        shared = set.intersection(*(set(_extras_of(need)) for _, need in missing))
        raise MissingExtra("\n".join(dict.fromkeys(_message(need, name, shared) for name, need in missing)))


def _packages(algorithm: NeedsPackages) -> tuple[str, ...]:
    result: object = algorithm.packages
    return result if isinstance(result, tuple) else ()  # of a class: what its parameters decide is not known


def _extras_of(name: str) -> list[str]:
    return _EXTRAS[name.partition(".")[0]][1].split(",")


def _message(name: str, what: str, preferred: Collection[str] = ()) -> str:
    """preferred: extras that bring everything that is missing, so that one installation is enough."""
    result = _EXTRAS[name.partition(".")[0]][0]
    if result in _NOT_ON_WINDOWS and sys.platform == "win32":
        return f"{what} — needs the package {result}, which is not made for Windows — use Linux or macOS for it"
    extras = _extras_of(name)
    usual = next((extra for extra in extras if extra in preferred), extras[0])
    return f"{what} — needs the package {result}, which is not installed — pip install 'sharewell[{usual}]'"
