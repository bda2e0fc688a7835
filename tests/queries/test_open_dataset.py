"""A dataset that several analysts ask at once is read once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from small_visits import desk

from sharewell.policy import load
from sharewell.queries import Session
from sharewell.queries import open_dataset as module
from sharewell.queries.open_dataset import OpenDataset
from sharewell.queries.session import queried_dataset


def test_sessions_share_rows_and_ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    class Counted(module.RowStore):
        def __init__(self, table: object) -> None:
            made.append(1)
            super().__init__(table)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "RowStore", Counted)
    data = OpenDataset(queried_dataset(load(desk(tmp_path))))
    sessions = [Session(data, f"analyst {i}") for i in range(4)]
    threads = [threading.Thread(target=one.ask, args=("count",), kwargs={"epsilon": 0.1}) for one in sessions]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert made == [1]
    assert data.ledger().balance("dataset:visits").charges == 1  # the same question, answered once
    rows = data.rows().path
    assert rows.exists()
    data.close()
    assert not rows.exists()
    data.close()
