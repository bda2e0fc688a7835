"""Whether a kernel was compiled before is told from what numba keeps."""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sharewell.io.kernel_cache import add_seconds, recorded_seconds, was_compiled

MODULE = "sharewell.tables.engine.protection.clustering.mdav_kernel"


def test_compiled_code_counts_unless_its_source_is_newer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert not was_compiled(MODULE, "form")
    kept = tmp_path / "clustering_0" / f"mdav_kernel.form-20.py{sys.version_info.major}{sys.version_info.minor}.nbi"
    kept.parent.mkdir()
    kept.write_bytes(b"")
    assert was_compiled(MODULE, "form")
    assert not was_compiled(MODULE, "other")
    assert not was_compiled("sharewell.no_such_module", "form")
    os.utime(kept, (0, 0))
    assert not was_compiled(MODULE, "form")


def test_seconds_of_all_processes_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each writes lines of its own; what is not a number counts nothing, and a file does not grow for ever."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert recorded_seconds(MODULE) == 0
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda seconds: add_seconds(MODULE, seconds), [0.25] * 200))
    assert recorded_seconds(MODULE) == pytest.approx(50)
    assert recorded_seconds("another.module") == 0
    (kept,) = (tmp_path / "sharewell").iterdir()
    kept.write_text("1.5\nnonsense\nnan\n-7\n")
    assert recorded_seconds(MODULE) == 1.5
    kept.write_bytes(b"1\n" * (1 << 13))
    add_seconds(MODULE, 3.0)
    assert recorded_seconds(MODULE) == 1 << 13


def test_nothing_is_counted_where_nothing_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a file").write_bytes(b"")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "a file"))
    add_seconds(MODULE, 3.0)
    assert recorded_seconds(MODULE) == 0
