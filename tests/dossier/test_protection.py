"""How the data was protected: the mechanism first, its settings folded, nothing told twice."""

from __future__ import annotations

from typing import Any

from sharewell.dossier.protection import FALSIFIED, protection
from sharewell.dossier.views import datasets


def said(mechanism: dict[str, Any], utility: list[dict[str, Any]]) -> str:
    return protection(datasets({}, {"datasets": {"d": {"mechanism": mechanism, "utility": utility}}}))


def test_settings_are_folded_and_values_that_are_changed_on_purpose_are_not() -> None:
    page = said({"name": "noise", "parameters": {"scale": 2}, "falsifies": True, "chosen": ["it was asked for"]}, [])
    before, _, folded = page.partition("<details")
    assert FALSIFIED in before
    assert "it was asked for" in before
    assert "scale" not in before
    assert "scale" in folded
    assert "What it cost was not measured of" in page


def test_one_measure_is_a_line_and_several_are_drawn() -> None:
    ncp = {"name": "ncp", "value": 0.25}
    assert "Detail lost (NCP)" in said({"name": "m"}, [ncp])
    assert "<figure" not in said({"name": "m"}, [ncp])
    assert "<figure" in said({"name": "m"}, [ncp, {"name": "other", "value": 0.5, "unit": "share"}])


def test_a_dataset_of_which_nothing_is_known_has_no_heading() -> None:
    assert "<h3" not in said({}, [])
