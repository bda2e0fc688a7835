"""The two drawings of an audit, as SVG. Nothing depends on colour alone.

Intervals: for each cell what could be inferred before (an outline) and after (filled), and under them the limit, a
bracket. The map of audited utility vectors: loss across, risk upwards; what lies above the line was rejected.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sharewell.dossier.label_layout import Box, Scale, labels, linear, logarithmic
from sharewell.dossier.markup import Html, element, line, titled_svg

WIDTH, LEFT, RIGHT, TOP, BOTTOM = 900, 150, 250, 6, 30
"""Of the drawing of intervals, and around its plot, in pixels; names stand left of it, numbers right."""
ROW, THICK = 52, 11
"""Pixels of a cell's row, and of a bar."""
LABEL = 19
"""Letters of a name that find room."""
MAP_WIDTH, MAP_HEIGHT = 820, 440
MAP_LEFT, MAP_RIGHT, MAP_TOP, MAP_BOTTOM = 74, 800, 14, 386
"""The plot of the map."""
LEAST, MOST = 0.01, 100.0
"""Risks beyond are drawn at the edge."""
LIMIT = 1.0
TONES = {"safe": "bar after", "unsafe": "bar before", "undecided": "bar undecided"}


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
class Point:
    """One vector; risk None stands for no limit to it."""

    name: str
    loss: float
    risk: float | None
    status: str
    chosen: bool = False


def interval_drawing(key: str, title: str, rows: Sequence[PlotRow], domain: tuple[float, float]) -> Html:
    """All cells of one column, on one scale."""
    scale = _interval_scale(rows, domain)
    bottom = TOP + ROW * len(rows)
    shapes = []
    for tick in scale.ticks:
        x = scale.at(tick)
        shapes.append(line("grid", x, TOP, x, bottom))
        tick_text = {"class_": "value", "x": f"{x:g}", "y": str(bottom + 18), "text_anchor": "middle"}
        shapes.append(element("text", f"{tick:g}", **tick_text))
    shapes.append(line("axis", LEFT, bottom, WIDTH - RIGHT, bottom))
    for number, row in enumerate(rows):
        shapes += _row(row, scale, TOP + number * ROW)
    description = "; ".join(f"{one.name}: {one.after.words}" for one in rows if one.after is not None)
    return titled_svg(key, title, description, shapes, viewBox=f"0 0 {WIDTH} {bottom + BOTTOM}", width="100%")


def interval_legend() -> Html:
    return _legend(
        (27, 13),
        [
            ([_rect("bar before", 1, 1, 24, 10)], "as proposed, proven"),
            ([_rect("bar after", 1, 1, 24, 10)], "as released, shown by two witnesses"),
            ([_reach(1, 25, 1)], "as released, proven"),
            ([_bracket(1, 25, 6)], "must stay open (width)"),
            ([element("path", class_="limit", d="M13 0V12")], "must be reached (below, above)"),
        ],
    )


def map_drawing(points: Sequence[Point]) -> Html:
    risks = [min(max(MOST if point.risk is None else point.risk, LEAST), MOST) for point in points]
    across = linear([point.loss for point in points] or [1.0], MAP_LEFT, MAP_RIGHT)
    upwards = logarithmic([*risks, LIMIT, LIMIT / 2], MAP_BOTTOM, MAP_TOP)
    places = [(across.at(point.loss), upwards.at(risk)) for point, risk in zip(points, risks, strict=True)]
    chosen = "; ".join(f"{p.name} at loss {p.loss:g}" for p in points if p.chosen)
    safe = sum(point.status == "safe" for point in points)
    description = f"{len(points)} reports, {safe} of them safe; chosen: {chosen}. A table follows."
    shapes = [*_map_grid(across, upwards), *_map_marks(points, places, upwards)]
    title, view = "Risk and loss of every audited report", f"0 0 {MAP_WIDTH} {MAP_HEIGHT}"
    return titled_svg("ru", title, description, shapes, viewBox=view, width="100%")


def map_legend() -> Html:
    words = {"safe": "safe", "unsafe": "unsafe", "undecided": "undecided, which counts as unsafe"}
    swatches = [([_mark(9, 7, status)], text) for status, text in words.items()]
    return _legend((18, 14), [*swatches, ([_ring(9, 7), _mark(9, 7, "safe")], "released")])


def _legend(size: tuple[int, int], swatches: Iterable[tuple[Sequence[Html], str]]) -> Html:
    width, height = map(str, size)
    entries = [
        element("li", element("svg", *shapes, width=width, height=height, aria_hidden="true"), words)
        for shapes, words in swatches
    ]
    return element("ul", *entries, class_="legend")


def _interval_scale(rows: Sequence[PlotRow], domain: tuple[float, float]) -> Scale:
    """From the least to the greatest end of any interval, between round numbers, within the domain."""
    spans = [span for row in rows for span in (row.before, row.after) if span is not None]
    ends = [end for span in spans for end in (span.low, span.high)] or [*domain]
    low, high = max(min(ends), domain[0]), min(max(ends), domain[1])
    if high <= low:
        low, high = domain
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


def _row(row: PlotRow, scale: Scale, top: int) -> list[Html]:
    short = row.name if len(row.name) <= LABEL else row.name[: LABEL - 1] + "…"
    shapes = [element("text", short, x="0", y=str(top + 24))]
    for span, tone, y in ((row.before, "before", top + 5), (row.after, "after", top + 21)):
        if span is None:
            continue
        if tone == "after":
            shapes.append(_reach(_clipped(span.low, scale), _clipped(span.high, scale), y))
        bar = (span.low, span.high) if tone == "before" else span.inner
        if bar is not None:
            low, high = (_clipped(end, scale) for end in bar)
            shapes.append(_rect(f"bar {tone}", low, y, max(high - low, 2.0), THICK))
        shapes.append(element("text", span.words, class_="value", x=str(WIDTH - RIGHT + 12), y=str(y + THICK - 1)))
    shown = row.after or row.before
    if row.width and shown is not None:
        low = min(max((shown.low + shown.high) / 2 - row.width / 2, scale.low), scale.high - row.width)
        shapes.append(_bracket(_clipped(low, scale), _clipped(low + row.width, scale), top + 40))
    for end in (row.low_at_most, row.high_at_least):
        if end is not None:
            shapes.append(element("path", class_="limit", d=f"M{_clipped(end, scale):g} {top + 2}V{top + 36}"))
    return shapes


def _clipped(value: float, scale: Scale) -> float:
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


def _map_grid(across: Scale, upwards: Scale) -> list[Html]:
    left, right, top, bottom = MAP_LEFT, MAP_RIGHT, MAP_TOP, MAP_BOTTOM
    shapes = []
    for tick in across.ticks:
        x = across.at(tick)
        shapes.append(line("grid", x, top, x, bottom))
        shapes.append(_text(f"{tick:g}", x, bottom + 18, anchor="middle", class_="value"))
    for tick in upwards.ticks:
        y = upwards.at(tick)
        shapes.append(line("grid", left, y, right, y))
        shapes.append(_text(f"{tick:g}", left - 8, y + 4, anchor="end", class_="value"))
    y, middle = upwards.at(LIMIT), (top + bottom) / 2
    shapes += [line("axis", left, bottom, right, bottom), line("axis", left, top, left, bottom)]
    shapes.append(element("path", class_="limit", d=f"M{left} {y:g}H{right}"))
    shapes.append(_text("limit", right - 4, y - 5, anchor="end"))
    shapes.append(_text("loss of utility: levels, weighted", (left + right) / 2, MAP_HEIGHT - 12, anchor="middle"))
    turned = f"rotate(-90 16 {middle:g})"
    shapes.append(_text("risk: required / still open", 16, middle, anchor="middle", transform=turned))
    return shapes


def _map_marks(points: Sequence[Point], places: Sequence[tuple[float, float]], upwards: Scale) -> list[Html]:
    order = sorted(range(len(points)), key=lambda i: (not points[i].chosen, points[i].loss, points[i].name))
    y = upwards.at(LIMIT)
    kept_free: list[Box] = [(MAP_LEFT, y - 1, MAP_RIGHT, y + 1), (MAP_RIGHT - 44, y - 18, MAP_RIGHT, y)]
    frame = (MAP_LEFT + 3.0, MAP_TOP + 1.0, float(MAP_RIGHT), MAP_BOTTOM - 2.0)
    written = labels([places[i] for i in order], [points[i].name for i in order], frame, kept_free)
    shapes: list[Html] = []
    for i, label in zip(order, written, strict=True):
        (x, y), point = places[i], points[i]
        if label is not None and not label.far:
            shapes.append(_text(label.text, label.x, label.y, class_=None if point.chosen else "value"))
        marks = [*([_ring(x, y)] if point.chosen else []), _mark(x, y, point.status)]
        risk = "without limit" if point.risk is None else f"{point.risk:.3g}"
        title = f"{point.name}: loss {point.loss:g}, risk {risk}, {point.status}"
        shapes.append(element("g", element("title", title), *marks))
    return shapes


def _mark(x: float, y: float, status: str) -> Html:
    tone = TONES.get(status, TONES["undecided"])
    if status == "safe":
        return element("circle", class_=tone, cx=f"{x:g}", cy=f"{y:g}", r="4.5")
    if status == "unsafe":
        return _rect(tone, x - 4, y - 4, 8, 8)
    return element("path", class_=tone, d=f"M{x:g} {y - 5:g}L{x + 5:g} {y + 4:g}L{x - 5:g} {y + 4:g}Z")


def _ring(x: float, y: float) -> Html:
    return element("circle", class_="ring", cx=f"{x:g}", cy=f"{y:g}", r="7")


def _text(words: str, x: float, y: float, *, anchor: str | None = None, **attributes: str | None) -> Html:
    return element("text", words, x=f"{x:g}", y=f"{y:g}", text_anchor=anchor, **attributes)
