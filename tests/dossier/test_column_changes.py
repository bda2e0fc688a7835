"""What became of a column, in a word."""

from __future__ import annotations

from typing import Any

import pytest

from sharewell.dossier.column_changes import LOSSES, STYLES, Fate, fate, lines, published_as
from sharewell.dossier.views import datasets
from sharewell.styles import STYLES as PUBLICATION_STYLES


@pytest.mark.parametrize(
    ("facts", "exact", "expected"),
    [
        ({"role": "drop"}, None, Fate.DROPPED),
        ({"role": "subject"}, None, Fate.PSEUDONYM),
        ({"role": "quasi", "distinct_before": 9, "distinct_after": 1}, 0.0, Fate.USELESS),
        ({"role": "quasi", "distinct_before": 1, "distinct_after": 1}, 1.0, Fate.UNCHANGED),
        ({"role": "quasi", "distinct_before": 9, "distinct_after": 4}, 0.5, Fate.COARSENED),
        ({"role": "quasi", "distinct_before": 9, "distinct_after": 9}, 1.0, Fate.UNCHANGED),
        ({"role": "shift"}, None, Fate.MOVED),
        ({"role": "text"}, None, Fate.REWRITTEN),
        ({"role": "keep"}, None, Fate.KEPT),
        ({"role": "sensitive"}, None, Fate.KEPT),
        ({"role": "sensitive", "style": "set"}, None, Fate.COARSENED),
        ({"role": "keep", "falsified": "noise", "of": []}, None, Fate.NOISY),
        ({"role": "keep", "of": []}, None, Fate.MADE),
    ],
)
def test_fates(facts: dict[str, Any], exact: float | None, expected: Fate) -> None:
    assert fate(facts, exact=exact) is expected
    assert fate(facts, exact=exact, published=False) is Fate.DROPPED


def test_every_style_of_a_policy_has_plain_words() -> None:
    assert set(PUBLICATION_STYLES) <= set(STYLES)
    assert published_as({"role": "quasi", "style": "range"}) == "ranges"


def test_losses_come_first_what_is_worst() -> None:
    assert LOSSES[:2] == (Fate.DROPPED, Fate.USELESS)


def test_a_report_is_about_the_columns_of_its_source_alone() -> None:
    vector = {"vector": "(3,1,1|2,1,1)"}
    found = {"kind": "reports", "columns": {"HbA1c": {"role": "keep"}}, "mechanism": {"details": vector}}
    claimed = {"kind": "reports", "columns": {"measure": {"role": "keep", "of": []}}, "mechanism": {"details": vector}}
    (dataset,) = datasets({"datasets": {"rates": claimed}}, {"datasets": {"rates": found}})
    told = {term: str(words) for term, words in lines(dataset)}
    assert "HbA1c" in told["About"]
    assert "measure" not in told["About"]
