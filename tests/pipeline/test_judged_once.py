"""What a release wrote is opened and judged once: what `verify` finds is what the certificate says."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import sharewell
from sharewell.findings import Finding
from sharewell.tables import KAnonymity, Table
from sharewell.tables.wing import TablesWing

EXAMPLE = Path(__file__).parents[2] / "examples" / "visits"


def test_a_written_file_is_judged_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: Counter[str] = Counter()
    opened: list[object] = []
    really_open, really_check = TablesWing.reopen, KAnonymity.check

    def open_again(self: TablesWing, *given: Any, **named: Any) -> Table:
        opened.append(result := really_open(self, *given, **named))
        return result

    def check(self: KAnonymity, data: Table) -> Finding:
        calls["written" if any(data is one for one in opened) else "in memory"] += 1
        return really_check(self, data)

    monkeypatch.setattr(TablesWing, "reopen", open_again)
    monkeypatch.setattr(KAnonymity, "check", check)
    monkeypatch.setenv("SHAREWELL_KEY", "an example key of enough bytes, for a test")
    shutil.copytree(EXAMPLE, tmp_path / "visits")
    released = sharewell.release(tmp_path / "visits" / "policy.yaml")
    assert released.verification.ok
    assert len(opened) == 1
    assert calls["written"] == 1
