"""Geometry of the bars, and the names of bins."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.dossier import bins, words
from sharewell.dossier.figures import DRAWN, REACH, Chart, Series, bars, figure, svg
from sharewell.dossier.markup import table
from sharewell.dossier.style import CSS
from sharewell.tables.attacks import prosecutor
from sharewell.tables.engine.checks import class_criterion

NUMBERS = st.none() | st.integers(-5, 10**12) | st.floats(-1, 1e9, allow_nan=False)


@st.composite
def charts(draw: st.DrawFn) -> Chart:
    size = draw(st.integers(0, DRAWN + 5))
    row = st.lists(NUMBERS, min_size=size, max_size=size).map(tuple)
    series = tuple(Series(f"s{i}", "after", draw(row)) for i in range(draw(st.integers(1, 3))))
    names = tuple(draw(st.lists(st.text(max_size=80), min_size=size, max_size=size)))
    top = draw(st.none() | st.floats(0.1, 1e6))
    return Chart("key", "title", "description", names, series, words.count, top)


@given(charts())
def test_bars_lie_inside_the_drawing_and_apart(chart: Chart) -> None:
    placed = bars(chart)
    assert len(placed) == chart.drawn * len(chart.series)
    for bar in placed:
        assert bar.x >= 0
        assert 0 <= bar.width <= REACH < 100
        assert 0 <= bar.y < bar.y + bar.height <= chart.height
    rows = sorted(placed, key=lambda bar: bar.y)
    assert all(a.y + a.height < b.y for a, b in pairwise(rows))


@given(charts())
def test_a_longer_bar_is_never_less(chart: Chart) -> None:
    known = sorted((bar for bar in bars(chart) if bar.value is not None), key=lambda bar: (bar.value, bar.width))
    assert all(a.width <= b.width for a, b in pairwise(known))
    assert all((bar.width > 0) == (bar.value is not None and bar.value > 0) for bar in bars(chart))


@given(charts())
def test_drawings_are_well_formed_and_tell_every_number(chart: Chart) -> None:
    drawing = ElementTree.fromstring(svg(chart))
    told = [e.text for e in drawing.iter("text") if e.get("class") == "value"]
    assert told == [words.count(bar.value) for bar in bars(chart)]
    assert all(0 <= float(e.get("width", "").rstrip("%")) <= 100 for e in drawing.iter("rect"))


def test_more_categories_than_fit_are_left_to_the_table() -> None:
    names = tuple(map(str, range(DRAWN + 3)))
    chart = Chart("k", "t", "d", names, (Series("s", "after", tuple(range(DRAWN + 3))),), words.count)
    told = figure("caption", [chart], table("t", ["a", "b"], [[n, n] for n in names]))
    assert f"The first {DRAWN} are drawn; the table has all {DRAWN + 3}." in told
    assert f">{DRAWN + 2}<" in told


def test_bins_are_those_of_the_tables_wing() -> None:
    assert bins.SIZE_EDGES == class_criterion.SIZE_EDGES
    assert bins.RISK_EDGES == prosecutor.RISK_EDGES


@given(st.dictionaries(st.sampled_from([float(e) for e in bins.SIZE_EDGES]), st.integers(0, 9)))
def test_every_known_bin_has_its_own_name(counts: dict[float, int]) -> None:
    edges = bins.filled(bins.SIZE_EDGES, counts)
    names = [bins.size_name(edge, edges) for edge in edges]
    assert len(set(names)) == len(names)
    assert {edge for edge, n in counts.items() if n} <= set(edges)


def colours(scheme: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6})", scheme))


def contrast(one: str, other: str) -> float:
    """WCAG 2: relative luminances, each with a little stray light."""

    def luminance(colour: str) -> float:
        channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_and_bars_have_enough_contrast(scheme: str) -> None:
    light, _, rest = CSS.partition("@media screen and (prefers-color-scheme: dark)")
    known = colours(light if scheme == "light" else rest.partition("body {")[0])
    for ground in ("ground", "card"):
        assert all(contrast(known[text], known[ground]) >= 4.5 for text in ("ink", "soft", "link"))
        assert all(contrast(known[bar], known[ground]) >= 3 for bar in ("before", "after"))
    assert all(contrast(known[tone], known[f"{tone}-ground"]) >= 4.5 for tone in ("good", "bad", "mild"))
    assert contrast(known["after"], known["track"]) >= 3
    assert contrast(known["ink"], known["mild-ground"]) >= 4.5


def test_paper_is_never_dark() -> None:
    assert "prefers-color-scheme" not in CSS.replace("@media screen and (prefers-color-scheme: dark)", "")
    assert "break-inside: avoid" in CSS.partition("@media print")[2]
