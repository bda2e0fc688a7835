"""Whether a kernel was compiled before is told from what numba keeps."""

import os
import sys
from pathlib import Path

import pytest

from sharewell.io.kernel_cache import was_compiled

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
