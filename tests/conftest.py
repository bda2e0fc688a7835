"""What several tests share: a small synthetic hospital, and one finished release of it."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no defect: neither a slow example nor slow generation fails a test.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

collect_ignore_glob = ["*conftest.py"]  # they hold fixtures, not examples, and share one name


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """A directory that is made by the first process that asks for it, and shared by all of one run."""
    base = factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    directory, ready = base / name, base / f"{name}.ready"
    with (base / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not ready.exists():
            shutil.rmtree(directory, ignore_errors=True)  # whoever began it failed
            make(directory)
            ready.touch()
    return directory


@pytest.fixture(scope="session")
def small_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo directory with hospital, keys, policy and release; tests must not change it."""
    from sharewell.release.demo import demo

    return made_once(tmp_path_factory, "shared-demo", lambda directory: demo(directory, patients=300))


@pytest.fixture(scope="session")
def small_release(small_demo: Path) -> Path:
    return small_demo / "release"
