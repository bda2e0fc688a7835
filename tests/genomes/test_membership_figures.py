"""ROC and power curves: drawn where there is something to draw, whatever the findings hold."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.dossier.views import Attack, Dataset, FindingView
from sharewell.genomes.dossier.membership import power, roc

DATASET = Dataset("cohort", 0, {}, {})


def finding(snps: int, reached: float, separation: float) -> dict[str, Any]:
    curve = [{"fpr": i / 10, "power": min(1.0, reached + i / 10)} for i in range(11)]
    bound = {"separation": separation, "auc": 0.9, "power": 0.5}
    details = {"snps": snps, "fpr": 0.05, "power": reached, "roc": curve, "bound": bound, "bound_if_known": bound}
    return {"name": "wip", "value": reached, "unit": "probability", "details": details}


def attack(before: Any, after: Any, name: str = "wip") -> Attack:
    return Attack(name, FindingView.of(before), FindingView.of(after))


def test_both_curves_and_both_limits_are_drawn() -> None:
    drawn = roc(DATASET, attack(finding(900, 0.4, 2.0), finding(100, 0.1, 0.6)), "k")
    assert drawn is not None
    page = ET.fromstring(drawn)
    lines = [one for one in page.iter("path") if one.attrib["class"].startswith("curve")]
    assert len(lines) == 10  # five curves, each in the drawing and in the legend
    assert "Before (measured)" in drawn
    assert "45 %" in drawn.replace("\u202f", " ")  # at 5 % false alarms, between two points
    assert page.find(".//table") is not None


def test_power_by_snps_has_a_mark_for_each_side() -> None:
    drawn = power(DATASET, attack(finding(900, 0.4, 2.0), finding(100, 0.1, 0.6)), "k")
    assert drawn is not None
    page = ET.fromstring(drawn)
    marks = [one for one in page.iter("circle") if "bar" in one.attrib["class"]]
    assert len(marks) == 4
    svg = next(one for one in page.iter("svg") if "plot" in one.attrib.get("class", ""))
    wide, high = (float(size) for size in svg.attrib["viewBox"].split()[2:])
    for mark in svg.iter("circle"):
        assert 0 < float(mark.attrib["cx"]) < wide
        assert 0 < float(mark.attrib["cy"]) < high


def test_a_beacon_is_drawn_by_questions() -> None:
    at = [{"queries": n, "power": n / 200, "roc": [{"fpr": 0, "power": 0}, {"fpr": 1, "power": 1}]} for n in (5, 100)]
    beacon = attack(None, {"name": "beacon", "value": 0.5, "details": {"fpr": 0.05, "at": at}}, "beacon")
    drawn = power(DATASET, beacon, "k")
    assert drawn is not None
    assert "questions" in drawn
    assert roc(DATASET, beacon, "k") is not None


def test_without_curves_there_is_no_figure() -> None:
    plain = attack({"name": "kinship", "value": 1, "details": {"pairs": 3}}, None, "kinship")
    assert roc(DATASET, plain, "k") is None
    assert power(DATASET, plain, "k") is None


odd = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=4) | st.just([]) | st.just({})


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(["snps", "fpr", "power", "roc", "bound", "at"]), odd | st.lists(odd, max_size=3), st.booleans())
def test_odd_findings_raise_nothing(key: str, value: Any, inner: bool) -> None:
    plain = finding(900, 0.4, 2.0)
    plain["details"][key] = {"separation": value} if inner else value
    for draw in (roc, power):
        drawn = draw(DATASET, attack(plain, finding(100, 0.1, 0.6)), "k")
        assert drawn is None or ET.fromstring(drawn) is not None


@pytest.mark.parametrize("separation", [0.0, 0.5, 3.0, 44.7, 1e5])
def test_theory_lies_inside_the_frame(separation: float) -> None:
    drawn = roc(DATASET, attack(None, finding(10, 0.2, separation)), "k")
    assert drawn is not None
    for path in ET.fromstring(drawn).iter("path"):
        numbers = [float(word) for word in path.attrib["d"].split() if word not in ("M", "L")]
        assert all(-1 <= number <= 440 for number in numbers)
