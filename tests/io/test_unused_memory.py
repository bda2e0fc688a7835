"""What was freed goes back to the system."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import os
os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
from pathlib import Path
from sharewell.io.unused_memory import give_back
give_back()  # before Arrow is there
import pyarrow as pa
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
held = [pa.array([str(i)] * 1000) for i in range(20_000)]  # too small to be given back one by one
kept, before = held[-1], resident()
del held
give_back()
print(before - resident())
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux says how much memory a process has")
def test_freed_memory_is_given_back() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 50_000_000
