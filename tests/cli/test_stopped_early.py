"""Ctrl-C while the command is still importing: exit 130 and one line, never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PRESSED = """
import os, runpy, signal, sys

class Pressing:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[0]:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may ignore it
sys.argv = sys.argv[1:]
sys.meta_path.insert(0, Pressing())
import sharewell
runpy.run_module("sharewell", run_name="__main__", alter_sys=False)
"""


def pressed(moment: str, *argv: str) -> subprocess.CompletedProcess[str]:
    """The command line, with the key pressed where a module is looked for."""
    command = [sys.executable, "-c", PRESSED, moment, *argv]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("moment", ["sharewell.cli", "argparse", "sharewell.cli.output", "sharewell.cli.release"])
def test_one_line_and_130_wherever_the_imports_are(moment: str, tmp_path: Path) -> None:
    done = pressed(moment, "release", str(tmp_path / "policy.yaml"))
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "sharewell release: stopped; nothing was released\n"


def test_a_word_that_is_no_verb_is_not_repeated() -> None:
    assert pressed("sharewell.cli", "--key", "\x1b[31m1").stderr == "sharewell: stopped; nothing was released\n"


def test_the_package_imports_next_to_nothing_before_that() -> None:
    """What comes in with `import sharewell` cannot be stopped quietly."""
    told = "import sys; before = set(sys.modules); import sharewell; print(*sorted(set(sys.modules) - before))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, timeout=60, check=True)
    assert [name for name in done.stdout.split() if name.startswith("sharewell")] == [
        "sharewell",
        "sharewell.lazy_exports",
    ]
    assert not {"dataclasses", "typing"} & set(done.stdout.split())
