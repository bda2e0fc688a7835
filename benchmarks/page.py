"""The page of figures, `docs/performance.md`: a section for each benchmark, written anew when it is run with `--page`.

Sections of other benchmarks stay as they are. Every figure is there, those that miss their bar and those where another
tool is quicker included.
"""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.house import Result

HEAD = """\
# Performance

`python -m benchmarks NAME --page docs/performance.md` writes the section of a benchmark from its last run. Seconds are
CPU seconds unless a row says otherwise. A bar is what a figure is held against; one that misses it stays in the table.
"""


def write_section(page: Path, name: str, about: str, results: Sequence[Result]) -> None:
    """Put the section of one benchmark in the place of the last one, or at the end."""
    text = page.read_text(encoding="utf-8") if page.is_file() else HEAD
    section = _section(name, about, results)
    known = re.compile(rf"^## {re.escape(name)}\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
    text = known.sub(lambda _: section + "\n", text) if known.search(text) else f"{text.rstrip()}\n\n{section}"
    page.write_text(text.rstrip() + "\n", encoding="utf-8")


def _section(name: str, about: str, results: Sequence[Result]) -> str:
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}."
    rows = [f"| {result.name.replace('|', '/')} | {_value(result)} | {_bar(result)} |" for result in results]
    table = ["| figure | value | bar |", "|---|---:|---|", *rows]
    return "\n".join([f"## {name}", "", about.strip(), "", machine, "", *table]) + "\n"


def _value(result: Result) -> str:
    return "" if result.value is None else f"{result.value:.3g} {result.unit}".strip()


def _bar(result: Result) -> str:
    if result.bar is None or result.value is None:
        return ""
    return f"{result.sense} {result.bar:g} {result.unit}".strip() + ("" if result.reached else ": **missed**")
