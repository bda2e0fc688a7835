"""Run the tests with the lowest versions that pyproject.toml allows, and with the newest ones: `make test-floors`.

Each combination gets a virtual environment of its own under `build/floors`, made by `uv` (a package of that name, or
`--uv PATH`). Lowest: the floors of all dependencies on Python 3.11. Newest: whatever the index has, on each further
Python that is named and found. Core: the newest without any extra, and without numba.
With `--platforms`, nothing is installed: it resolves the core and each extra for Windows, macOS and Linux from wheels
alone, and says what cannot be had there.
All of it takes about an hour and a half of processor time; `--only lowest`, `newest` or `core` runs one kind.
Run: python tools/check_floors.py [--newest 3.13] [--only KIND] [--platforms] [--tests PATH …]
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
HOME = ROOT / "build" / "floors"
OLDEST = "3.11"
KINDS = ("lowest", "newest", "core")
BOUND_TO_VERSIONS = {"golden", "house"}
"""Folders of tests that compare bytes, or look at the sources: with other packages they say nothing."""
TESTS = sorted(
    str(path.relative_to(ROOT))
    for path in (ROOT / "tests").iterdir()
    if path.name.startswith("test_") or (path.is_dir() and path.name.isalpha() and path.name not in BOUND_TO_VERSIONS)
)
CORE_TESTS = ["tests/tables", "tests/policy", "tests/io"]
TOOLS = ["pytest", "pytest-xdist", "hypothesis", "pandas", "polars", "scipy", "scikit-learn", "jsonschema"]
"""What tests of the core need: the frames that they compare, and oracles."""
PLATFORMS = ("x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-apple-darwin", "windows")


def uv() -> str:
    found = shutil.which("uv") or (Path(sys.executable).with_name("uv"))
    if not Path(found).exists():
        raise SystemExit("uv — is not installed — pip install uv")
    return str(found)


def run(*command: str, **environment: str) -> int:
    print("+", " ".join(command), flush=True)
    return subprocess.run(command, cwd=ROOT, check=False, env=os.environ | environment).returncode


def tested(name: str, python: str, packages: list[str], tests: list[str]) -> bool:
    """Install these packages into a fresh environment, and run the tests there."""
    home = HOME / name
    shutil.rmtree(home, ignore_errors=True)
    inside = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if run(uv(), "venv", "-q", "-p", python, str(home)):
        raise SystemExit(f"Python {python} — was not found — name another with --newest, or install it")
    if run(uv(), "pip", "install", "-q", "-p", str(inside), *packages):
        return False
    run(uv(), "pip", "list", "-p", str(inside))
    return run(str(inside), "-m", "pytest", "-p", "no:cacheprovider", "-n", "2", "--other-versions", *tests) == 0


def unresolved() -> list[str]:
    """Extras that have no wheels on a system, for the oldest and the newest Python."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    extras = sorted(set(document["project"]["optional-dependencies"]) - {"all", "docs", "test"})
    missing = []
    for system in PLATFORMS:
        for version in (OLDEST, "3.14"):
            for extra in ("", *extras):
                where = ["--python-platform", system, "--python-version", version, "--only-binary", ":all:"]
                wanted = ["--extra", extra] if extra else []
                command = [uv(), "pip", "compile", "-q", "pyproject.toml", *where, *wanted]
                if subprocess.run(command, cwd=ROOT, check=False, capture_output=True).returncode:
                    missing.append(f"{system}, Python {version}: {extra or 'the core'}")
    return missing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--newest", action="append", default=[], metavar="VERSION", help="a Python to try (3.13)")
    parser.add_argument("--only", choices=KINDS, help="one kind of combination instead of all three")
    parser.add_argument("--platforms", action="store_true", help="only resolve the packages for other systems")
    parser.add_argument("--tests", nargs="+", help="other tests than the usual ones")
    args = parser.parse_args()
    if args.platforms:
        for one in (missing := unresolved()):
            print(f"no wheels — {one}")
        return int(any("the core" in one for one in missing))
    tests = args.tests or TESTS
    extras = ".[fast,genomes,learn,notes,queries,reports,test]"
    wanted = [args.only] if args.only else KINDS
    failed = []
    if "lowest" in wanted and not tested("lowest", OLDEST, ["--resolution", "lowest-direct", "-e", extras], tests):
        failed.append("lowest versions")
    for version in args.newest or ["3.13"]:
        if "newest" in wanted and not tested(f"newest-{version}", version, ["-e", extras], tests):
            failed.append(f"newest versions on Python {version}")
        if "core" in wanted and not tested(f"core-{version}", version, ["-e", ".", *TOOLS], args.tests or CORE_TESTS):
            failed.append(f"the core alone on Python {version}")
    print("failed: " + ", ".join(failed) if failed else f"pass: {', '.join(wanted)}")
    return int(bool(failed))


if __name__ == "__main__":
    raise SystemExit(main())
