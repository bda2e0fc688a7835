"""What several tests share: a small synthetic hospital, and one finished release of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A busy machine is no defect: neither a slow example nor slow generation fails a test.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

collect_ignore_glob = ["*conftest.py"]  # they hold fixtures, not examples, and share one name


@pytest.fixture(scope="session")
def small_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo directory with hospital, keys, policy and release; tests must not change it."""
    from sharewell.release.demo import demo

    directory = tmp_path_factory.mktemp("demo")
    demo(directory, patients=300)
    return directory


@pytest.fixture(scope="session")
def small_release(small_demo: Path) -> Path:
    return small_demo / "release"
