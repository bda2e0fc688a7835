"""Packages that export names without importing their modules before they are asked for."""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any


class Exports:
    """What a package exports: `load` is its `__getattr__`, `listed` its `__dir__` (PEP 562), `names` its `__all__`.

    `modules` has the module of each name, absolute or, with a dot before it, below the package. Names that are not in
    `shown` can be imported too, but neither `dir()` nor `*` shows them.

    >>> door = Exports("sharewell", {"Finding": ".findings", "Tier": ".findings"}, shown=["Finding"])
    >>> door.names, door.load("Tier").__name__
    (['Finding'], 'Tier')
    """

    def __init__(self, package: str, modules: Mapping[str, str], shown: Sequence[str] | None = None) -> None:
        self.package = package
        self.modules = {name: package + module if module[0] == "." else module for name, module in modules.items()}
        self.names = sorted(self.modules if shown is None else shown)

    def load(self, name: str) -> Any:
        if name not in self.modules:
            raise AttributeError(f"module '{self.package}' has no attribute '{name}'")
        return getattr(importlib.import_module(self.modules[name]), name)

    def listed(self) -> list[str]:
        return list(self.names)
