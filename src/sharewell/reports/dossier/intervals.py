"""Intervals as SVG: for each cell what could be inferred before and after, and under them what must stay open.

"Before" is an outline, "after" is filled, and the limit is a bracket: nothing depends on colour alone.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sharewell.dossier.label_layout import LETTER, Scale
from sharewell.dossier.markup import Html, element, line

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 900, 150, 250, 6, 30
"""Of the drawing, and around the plot, in pixels; names stand left of it, numbers right."""
ROW, THICK = 52, 11
"""Pixels of a cell's row, and of a bar."""
LABEL = 19
"""Letters of a name that find room."""


@dataclass(frozen=True)
class Span:
    """What the most dangerous snooper infers about a cell; `inner` is what two witnesses show to be possible."""

    low: float
    high: float
    inner: tuple[float, float] | None
    words: str


@dataclass(frozen=True)
class PlotRow:
    """One cell: as proposed, as released, and its limits."""

    name: str
    before: Span | None
    after: Span | None
    width: float
    low_at_most: float | None = None
    high_at_least: float | None = None


@dataclass(frozen=True)
class IntervalPlot:
    """All cells of one column, on one scale."""

    key: str
    title: str
    description: str
    rows: tuple[PlotRow, ...]
    domain: tuple[float, float]


def svg(plot: IntervalPlot) -> Html:
    """The drawing, with a title and a description."""
    scale = scale_of(plot)
    height = TOP + ROW * len(plot.rows) + BOTTOM
    shapes = _grid(scale, height)
    for number, row in enumerate(plot.rows):
        shapes += _row(row, scale, TOP + number * ROW)
    return element(
        "svg",
        element("title", plot.title, id=f"{plot.key}-title"),
        element("desc", plot.description, id=f"{plot.key}-desc"),
        *shapes,
        class_="chart",
        role="img",
        aria_labelledby=f"{plot.key}-title {plot.key}-desc",
        viewBox=f"0 0 {WIDTH} {height}",
        width="100%",
    )


def scale_of(plot: IntervalPlot) -> Scale:
    """From the least to the greatest end of any interval, between round numbers, within the domain."""
    spans = [span for row in plot.rows for span in (row.before, row.after) if span is not None]
    ends = [end for span in spans for end in (span.low, span.high)] or [*plot.domain]
    low, high = max(min(ends), plot.domain[0]), min(max(ends), plot.domain[1])
    if high <= low:
        low, high = plot.domain
    ticks = round_numbers(low, high)
    return Scale(ticks[0], ticks[-1], float(LEFT), float(WIDTH - RIGHT), ticks=ticks)


def round_numbers(low: float, high: float) -> tuple[float, ...]:
    """Some round numbers that enclose two others.

    >>> round_numbers(43.2, 61.0)
    (40.0, 45.0, 50.0, 55.0, 60.0, 65.0)
    """
    size = 10.0 ** math.floor(math.log10((high - low) / 4))
    step = next(size * factor for factor in (1, 2, 2.5, 5, 10) if size * factor >= (high - low) / 4 * 0.999)
    first, last = math.floor(round(low / step, 6)), math.ceil(round(high / step, 6))
    return tuple(round(i * step, 10) for i in range(first, last + 1))


def legend() -> Html:
    """What the shapes mean."""
    told = [
        (_rect("bar before", 1, 1, 24, 10), "as proposed, proven"),
        (_rect("bar after", 1, 1, 24, 10), "as released, shown by two witnesses"),
        (_reach(1, 25, 1), "as released, proven"),
        (_bracket(1, 25, 6), "must stay open (width)"),
        (element("path", class_="limit", d="M13 0V12"), "must be reached (below, above)"),
    ]
    swatches = [
        element("li", element("svg", drawn, width="27", height="13", aria_hidden="true"), words)
        for drawn, words in told
    ]
    return element("ul", *swatches, class_="legend")


def _grid(scale: Scale, height: int) -> list[Html]:
    shapes = []
    for tick in scale.ticks:
        x = scale.at(tick)
        shapes.append(line("grid", x, TOP, x, height - BOTTOM))
        words = f"{tick:g}"
        shapes.append(
            element("text", words, class_="value", x=f"{x:g}", y=str(height - BOTTOM + 18), text_anchor="middle")
        )
    shapes.append(line("axis", LEFT, height - BOTTOM, WIDTH - RIGHT, height - BOTTOM))
    return shapes


def _row(row: PlotRow, scale: Scale, top: int) -> list[Html]:
    short = row.name if len(row.name) <= LABEL else row.name[: LABEL - 1] + "…"
    shapes = [element("text", short, x="0", y=str(top + 24))]
    for span, tone, y in ((row.before, "before", top + 5), (row.after, "after", top + 21)):
        if span is None:
            continue
        low, high = (_inside(end, scale) for end in (span.low, span.high))
        if tone == "after":
            shapes.append(_reach(low, high, y))
        shown = (span.low, span.high) if tone == "before" else span.inner
        if shown is not None:
            low, high = (_inside(end, scale) for end in shown)
            shapes.append(_rect(f"bar {tone}", low, y, max(high - low, 2.0), THICK))
        shapes.append(element("text", span.words, class_="value", x=str(WIDTH - RIGHT + 12), y=str(y + THICK - 1)))
    return shapes + _limits(row, scale, top)


def _limits(row: PlotRow, scale: Scale, top: int) -> list[Html]:
    shapes = []
    seen = row.after or row.before
    if row.width and seen is not None:
        middle = (seen.low + seen.high) / 2
        low = min(max(middle - row.width / 2, scale.low), scale.high - row.width)
        shapes.append(_bracket(_inside(low, scale), _inside(low + row.width, scale), top + 40))
    for end in (row.low_at_most, row.high_at_least):
        if end is not None:
            x = _inside(end, scale)
            shapes.append(element("path", class_="limit", d=f"M{x:g} {top + 2}V{top + 36}"))
    return shapes


def _inside(value: float, scale: Scale) -> float:
    return scale.at(min(max(value, scale.low), scale.high))


def _bracket(low: float, high: float, y: float) -> Html:
    return element("path", class_="limit", d=f"M{low:g} {y - 4:g}V{y:g}H{high:g}V{y - 4:g}")


def _reach(low: float, high: float, y: float) -> Html:
    """A line with ends, behind the bar: it shows where witnesses do not come as far as the bounds."""
    middle, bottom = y + THICK / 2, y + THICK
    path = f"M{low:g} {y:g}V{bottom:g}M{low:g} {middle:g}H{high:g}M{high:g} {y:g}V{bottom:g}"
    return element("path", class_="reach", d=path)


def _rect(tone: str, x: float, y: float, width: float, height: float) -> Html:
    return element("rect", class_=tone, x=f"{x:g}", y=f"{y:g}", width=f"{width:g}", height=f"{height:g}")


def room_for(words: str) -> bool:
    """Does a text find room right of the plot?"""
    return LETTER * len(words) <= RIGHT
