"""The map of audited utility vectors: loss across, risk upwards; what lies above the line was rejected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sharewell.dossier.label_layout import Box, Scale, labels, linear, logarithmic
from sharewell.dossier.markup import Html, element, line

WIDTH, HEIGHT = 820, 440
LEFT, RIGHT, TOP, BOTTOM = 74, 20, 14, 54
LEAST, MOST = 0.01, 100.0
"""Risks beyond are drawn at the edge."""
TONES = {"safe": "bar after", "unsafe": "bar before", "undecided": "bar undecided"}
LIMIT = 1.0


@dataclass(frozen=True)
class Point:
    """One vector; risk None stands for no limit to it."""

    name: str
    loss: float
    risk: float | None
    status: str
    chosen: bool = False


def drawing(points: Sequence[Point]) -> Html:
    """The map as one SVG."""
    risks = [_within(point.risk) for point in points]
    across = linear([point.loss for point in points] or [1.0], LEFT, WIDTH - RIGHT)
    upwards = logarithmic([*risks, LIMIT, LIMIT / 2], HEIGHT - BOTTOM, TOP)
    places = [(across.at(point.loss), upwards.at(risk)) for point, risk in zip(points, risks, strict=True)]
    chosen = "; ".join(f"{p.name} at loss {p.loss:g}" for p in points if p.chosen)
    safe = sum(point.status == "safe" for point in points)
    return element(
        "svg",
        element("title", "Risk and loss of every audited vector", id="ru-title"),
        element(
            "desc", f"{len(points)} vectors, {safe} of them safe; chosen: {chosen}. A table follows.", id="ru-desc"
        ),
        *_grid(across, upwards),
        *_marks(points, places, upwards),
        class_="chart",
        role="img",
        aria_labelledby="ru-title ru-desc",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width="100%",
    )


def legend() -> Html:
    told = [("safe", "safe"), ("unsafe", "unsafe"), ("undecided", "undecided, which counts as unsafe")]
    swatches = [
        element("li", element("svg", _mark(9, 7, status), width="18", height="14", aria_hidden="true"), words)
        for status, words in told
    ]
    ring = element("svg", _ring(9, 7), _mark(9, 7, "safe"), width="18", height="14", aria_hidden="true")
    return element("ul", *swatches, element("li", ring, "released"), class_="legend")


def _grid(across: Scale, upwards: Scale) -> list[Html]:
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
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
    shapes.append(_text("loss of utility: levels, weighted", (left + right) / 2, HEIGHT - 12, anchor="middle"))
    turned = f"rotate(-90 16 {middle:g})"
    shapes.append(_text("risk: asked for / still open", 16, middle, anchor="middle", transform=turned))
    return shapes


def _marks(points: Sequence[Point], places: Sequence[tuple[float, float]], upwards: Scale) -> list[Html]:
    order = sorted(range(len(points)), key=lambda i: (not points[i].chosen, points[i].loss, points[i].name))
    y = upwards.at(LIMIT)
    kept: list[Box] = [(LEFT, y - 1, WIDTH - RIGHT, y + 1), (WIDTH - RIGHT - 44, y - 18, WIDTH - RIGHT, y)]
    frame = (LEFT + 3.0, TOP + 1.0, float(WIDTH - RIGHT), HEIGHT - BOTTOM - 2.0)
    written = labels([places[i] for i in order], [points[i].name for i in order], frame, kept)
    shapes: list[Html] = []
    for i, label in zip(order, written, strict=True):
        x, y = places[i]
        if label is not None and not label.far:
            shapes.append(_text(label.text, label.x, label.y, class_=None if points[i].chosen else "value"))
        marks = [_ring(x, y)] if points[i].chosen else []
        told = f"{points[i].name}: loss {points[i].loss:g}, risk {_shown(points[i].risk)}, {points[i].status}"
        shapes.append(element("g", element("title", told), *marks, _mark(x, y, points[i].status)))
    return shapes


def _within(risk: float | None) -> float:
    return min(max(risk if risk is not None else MOST, LEAST), MOST)


def _shown(risk: float | None) -> str:
    return "without limit" if risk is None else f"{risk:.3g}"


def _mark(x: float, y: float, status: str) -> Html:
    tone = TONES.get(status, TONES["undecided"])
    if status == "safe":
        return element("circle", class_=tone, cx=f"{x:g}", cy=f"{y:g}", r="4.5")
    if status == "unsafe":
        return element("rect", class_=tone, x=f"{x - 4:g}", y=f"{y - 4:g}", width="8", height="8")
    return element("path", class_=tone, d=f"M{x:g} {y - 5:g}L{x + 5:g} {y + 4:g}L{x - 5:g} {y + 4:g}Z")


def _ring(x: float, y: float) -> Html:
    return element("circle", class_="ring", cx=f"{x:g}", cy=f"{y:g}", r="7")


def _text(
    words: str,
    x: float,
    y: float,
    *,
    anchor: str | None = None,
    class_: str | None = None,
    transform: str | None = None,
) -> Html:
    where = {"x": f"{x:g}", "y": f"{y:g}"}
    return element("text", words, **where, text_anchor=anchor, class_=class_, transform=transform)
