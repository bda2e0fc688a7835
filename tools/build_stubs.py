"""Write `__init__.pyi` of every package that exports names lazily, for type checkers and editors.

Such a package (see `sharewell.lazy_exports`) names its exports in tables that a type checker does not read. Run this
(`make stubs`) after a line of `src/sharewell/registry.py` or an `__init__.py` has changed; a test says when it is due.
"""

from __future__ import annotations

import importlib
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
HEAD = "# Written by `make stubs`; do not edit.\n"


def stubs() -> dict[Path, str]:
    """What each stub should hold."""
    written = {}
    for path in sorted(SOURCE.rglob("__init__.py")):
        if "lazy_exports" in path.read_text(encoding="utf-8"):
            package = importlib.import_module(".".join(path.parent.relative_to(SOURCE).parts))
            exports = sorted((module, name) for name, module in package._exports.modules.items())
            lines = (f"from {module} import {name} as {name}\n" for module, name in exports)
            written[path.with_suffix(".pyi")] = HEAD + "".join(lines)
    return written


def main() -> None:
    for path, text in stubs().items():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
