"""Every example of every property, and every random world: `make test` tries a part of them, others in each run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.house import Result

TESTS = Path(__file__).parents[1] / "tests"


def properties(data: Path | None, rows: int) -> Iterator[Result]:
    """How many of the tests that draw their examples fail at full size; those are named."""
    command = [sys.executable, "-m", "pytest", "--full-size", "-n", str(os.cpu_count() or 1), "--tb=no", str(TESTS)]
    done = subprocess.run(command, cwd=TESTS.parent, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stdout + done.stderr)
    failed = re.findall(r"^FAILED (\S+)", done.stdout, re.MULTILINE)
    yield Result("properties and random worlds at full size: failed", len(failed), "", 0)
    yield from (Result(f"  {name}", None) for name in failed)
