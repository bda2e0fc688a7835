"""The dossier of a noisy table says what the noise is and where it was paid."""

from __future__ import annotations

from pathlib import Path

from small_visits import POLICY, PUBLISHED, desk

import sharewell
from sharewell.dossier.views import Dataset
from sharewell.queries.dossier import QueriesDossier


def test_the_page_speaks_of_noise_and_budget(tmp_path: Path) -> None:
    page = sharewell.release(desk(tmp_path, POLICY + PUBLISHED)).dossier.read_text()
    for words in (
        "Differential privacy",
        "sharewell budget",
        "may be negative",
        "the draw cannot",
        "73",
        "one person more or less",
    ):
        assert words in page


def test_other_kinds_of_data_get_no_such_remarks() -> None:
    assert QueriesDossier().remarks(Dataset("a", 0, {"kind": "tables"}, {})) == []
    assert QueriesDossier().remarks(Dataset("a", 0, {"kind": "queries"}, {}))
