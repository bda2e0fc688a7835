"""How long `init` looks at an untidy export."""

from __future__ import annotations

import csv
import runpy
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.house import SHAREWELL, Result, run

EXPORT = Path(__file__).parents[1] / "examples" / "messy" / "make_export.py"
ROWS = 100_000


def init(data: Path | None, rows: int) -> Iterator[Result]:
    """The messy export, its patients again and again under other numbers."""
    script = runpy.run_path(str(EXPORT))
    visits: list[list[str]] = script["rows"]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "export.csv"
        with path.open("w", encoding="windows-1252", newline="") as file:
            writer = csv.writer(file, delimiter=";")
            writer.writerow(script["HEADER"])
            for number in range(ROWS):
                patient, visit, *rest = visits[number % len(visits)]
                writer.writerow([f"{patient}{number // len(visits)}", f"{visit}{number}", *rest])
        wall, processor, memory = run([*SHAREWELL, "init", str(path), "-o", str(Path(folder) / "policy.yaml")])
    yield Result(f"init on {ROWS} untidy rows, processor time", processor, "s", 5)
    yield Result("  wall time", wall, "s")
    yield Result("  memory", memory, "GB", 2)
