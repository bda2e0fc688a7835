"""Bar charts as SVG: pure functions from numbers to shapes.

Across, everything is in percent of the drawing's width and text keeps its size, so one drawing serves a telephone, a
desk and a sheet of A4. Down, everything is in pixels. Each category has its label above its bars: long names fit, and
nothing depends on the width. Series differ by fill *and* outline, never by colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sharewell.dossier.markup import Html, element, folded, titled_svg
from sharewell.dossier.views import Number

REACH = 74.0
"""Percent of the width that the longest bar takes; the rest is for its number."""
LEAST = 0.6
"""What is not nothing is drawn at least this wide."""
LINE, THICK, BETWEEN, AFTER = 18, 12, 2, 8
"""Pixels: a label's line, a bar, the gap between two bars, the gap after a category."""
DRAWN = 16
"""Categories drawn at most, so that a figure stays on one page; its table holds all of them."""
LABEL = 46
"""Letters of a category's name that fit a telephone; the table has the whole name."""


@dataclass(frozen=True)
class Series:
    """One colour of bars. `tone` is its class in the style sheet; None is a number that is not known."""

    name: str
    tone: str
    values: tuple[Number | None, ...]


@dataclass(frozen=True)
class Chart:
    """Bars for each category and series. `top` is the value of a full bar; without it, the largest one."""

    key: str
    title: str
    description: str
    categories: tuple[str, ...]
    series: tuple[Series, ...]
    show: Callable[[Number | None], str]
    top: Number | None = None

    @property
    def drawn(self) -> int:
        return min(len(self.categories), DRAWN)

    @property
    def row(self) -> int:
        """Pixels from one category to the next."""
        return LINE + len(self.series) * (THICK + BETWEEN) + AFTER

    @property
    def height(self) -> int:
        return max(1, self.drawn) * self.row


@dataclass(frozen=True)
class Bar:
    """x and width in percent, y and height in pixels."""

    series: int
    category: int
    value: Number | None
    x: float
    y: int
    width: float
    height: int


def bars(chart: Chart) -> list[Bar]:
    """Every bar's place. Longer is more; nothing, less than nothing and the unknown have no length."""
    known = [v for series in chart.series for v in series.values[: chart.drawn] if v is not None]
    top = chart.top if chart.top is not None else max(known, default=0)
    return [
        Bar(s, c, value, 0.0, c * chart.row + LINE + s * (THICK + BETWEEN), length(value, top), THICK)
        for c in range(chart.drawn)
        for s, value in enumerate(series.values[c] for series in chart.series)
    ]


def length(value: Number | None, top: Number) -> float:
    """Percent of the width: in proportion, no shorter than a hair, no longer than the reach.

    >>> length(0, 10), length(5, 10), length(None, 10), length(10, 10)
    (0.0, 37.0, 0.0, 74.0)
    """
    if value is None or value <= 0 or top <= 0:
        return 0.0
    return round(min(REACH, max(LEAST, REACH * min(1.0, value / top))), 2)


def svg(chart: Chart) -> Html:
    """The drawing, with a title and a description for whoever does not see it."""
    shapes: list[Html] = []
    for c in range(chart.drawn):
        text = chart.categories[c]
        short = text if len(text) <= LABEL else text[: LABEL - 1] + "…"
        shapes.append(element("text", short, class_="label", x="0", y=str(c * chart.row + LINE - 5)))
    for bar in bars(chart):
        shapes.extend(_bar(bar, chart))
    return titled_svg(chart.key, chart.title, chart.description, shapes, width="100%", height=str(chart.height))


def _bar(bar: Bar, chart: Chart) -> list[Html]:
    y, height = str(bar.y), str(bar.height)
    shapes = []
    if chart.top is not None:
        shapes.append(element("rect", class_="track", x="0", y=y, width=f"{REACH:g}%", height=height))
    if bar.width:
        tone = chart.series[bar.series].tone
        shapes.append(element("rect", class_=f"bar {tone}", x="0", y=y, width=f"{bar.width:g}%", height=height))
    end = REACH if chart.top is not None else bar.width
    number = chart.show(bar.value)
    shapes.append(element("text", number, class_="value", x=f"{end:g}%", dx="6", y=str(bar.y + bar.height - 2)))
    return shapes


def legend(series: Sequence[Series]) -> Html:
    """What each kind of bar means; a drawing with one kind needs none."""
    swatches = []
    for one in series:
        sample = element("rect", class_=f"bar {one.tone}", x="1", y="1", width="14", height="10")
        swatches.append(element("li", element("svg", sample, width="16", height="12", aria_hidden="true"), one.name))
    return element("ul", *swatches, class_="legend")


def figure(caption: str, charts: Sequence[Chart], table: Html, note: str | None = None) -> Html:
    """Drawings and, folded below them, the same numbers as a table."""
    drawings = []
    for chart in charts:
        cut = len(chart.categories) - chart.drawn
        more = f"The first {chart.drawn} are drawn; the table has all {len(chart.categories)}." if cut else None
        drawings.append(
            element(
                "div",
                element("p", chart.title, class_="over", aria_hidden="true") if len(charts) > 1 else None,
                legend(chart.series) if len(chart.series) > 1 else None,
                svg(chart),
                element("p", more, class_="small") if more else None,
            )
        )
    return framed(caption, drawings, table, note)


def framed(caption: str, drawings: Sequence[Html], table: Html, note: str | None = None) -> Html:
    """A figure around drawings that are made already, and their table."""
    return element(
        "figure",
        element("figcaption", caption),
        element("div", *drawings, class_="drawings"),
        element("p", note, class_="small") if note else None,
        folded("The numbers as a table", table),
    )
