"""The R-U confidentiality map: loss across, risk upwards, so that the best corner is the one at the bottom left.

Each mechanism has a colour and a shape of its own (the colours of Okabe and Ito, which stay apart for every common
colour blindness). What another variant dominates is grey, hollow and thin; the front is filled and joined by a line; a
ring marks what the policy says. Where a larger value is safer, the axis of risk runs the other way.
The drawing needs no style sheet, so that it can be taken out of the page and put into a report.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from sharewell.dossier.label_layout import LETTER, Box, Label, Scale, labels, linear, logarithmic
from sharewell.dossier.markup import Html, element, items, joined, name, table
from sharewell.dossier.style import head
from sharewell.dossier.words import count, share
from sharewell.number_format import show

if TYPE_CHECKING:
    from sharewell.pipeline.compare import Comparison, Point

WIDTH, HEIGHT = 820, 600
LEFT, RIGHT, TOP, BOTTOM = 84, 28, 64, 112
"""Around the plot, in pixels; the legend lies above, the axis and what both axes mean below."""
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8c6d31")
SHAPES = ("circle", "square", "triangle", "diamond", "pentagon", "down", "hourglass", "bar")
INK, SOFT, FAINT, GREY = "#1d2733", "#55606d", "#e4e1d9", "#8b929a"
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', Arial, sans-serif"
CUSTOMARY = 1 / 11
SPREAD = 8
"""Risks whose largest is this many times the least are drawn on a logarithmic axis."""


def drawing(comparison: Comparison) -> Html:
    """The map as one SVG."""
    title = f"Risk and loss of {len(comparison.drawn)} variants" + (f", {comparison.name}" if comparison.name else "")
    across, upwards = _scales(comparison)
    shapes: list[Html] = [element("rect", x="0", y="0", width=str(WIDTH), height=str(HEIGHT), fill="#ffffff")]
    shapes += _grid(comparison, across, upwards)
    shapes += _guides(comparison, across, upwards)
    shapes += _marks(comparison, across, upwards)
    shapes += _legend(comparison)
    if not comparison.drawn:
        shapes.append(_text("No variant holds: nothing to draw.", WIDTH / 2, HEIGHT / 2, anchor="middle", fill=SOFT))
    return element(
        "svg",
        element("title", title),
        element("desc", _description(comparison)),
        *shapes,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width="100%",
        role="img",
        font_family=FONT,
        font_size="12.5",
    )


def page(comparisons: Sequence[Comparison]) -> str:
    """All maps with their tables, as one HTML file that needs nothing else."""
    sections = [_section(one) for one in comparisons]
    words = (
        "Each mark is the same data, protected in one way: how much detail was lost, and how much risk is left. "
        "Towards the bottom left is better. What lies on the line is the front: no other variant has less risk without "
        "more loss. Grey marks are dominated: another variant is at least as good in both, and better in one. A ring "
        "is around what the policy says."
    )
    caution = (
        "Risk is that of the attacker named, and no other; loss is that of the measure named. Which point of the front "
        "to take is a decision for people: nothing was released."
    )
    body = element(
        "body",
        element("header", element("p", "Comparison", class_="over"), element("h1", "Risk and utility, side by side")),
        element("main", element("p", words), element("p", caution), *sections),
        element("footer", element("p", "The map follows Duncan, Keller-McNulty and Stokes, 2001. No cell values.")),
    )
    return "<!DOCTYPE html>\n" + element("html", head("Risk and utility, side by side"), body, lang="en") + "\n"


def _section(comparison: Comparison) -> Html:
    heads, rows = comparison.table
    shown = [
        [
            row[0],
            row[1],
            _amount(row[2], comparison.probability),
            show(row[3]),
            count(row[4]),
            share(row[5]) if row[5] else "",
            row[6].replace("yes", "✓ yes"),
        ]
        for row in rows
        if not row[7]
    ]
    tried = (
        ""
        if comparison.rows == comparison.of_rows
        else f" Tried on {count(comparison.rows)} of {count(comparison.of_rows)} rows."
    )
    before = f"As the data stands, the risk is {_amount(comparison.risk_before, comparison.probability)}.{tried}"
    numbers = table("Every variant, least risk first", list(heads[:-1]), shown, words=[1, 6])
    missing = [joined([f"{p.criteria} with {p.mechanism}: {p.why_not}"]) for p in comparison.infeasible]
    return element(
        "section",
        element("h2", name(comparison.name)) if comparison.name else None,
        element("p", before),
        element("figure", element("figcaption", "R-U confidentiality map"), drawing(comparison)),
        numbers if shown else None,
        joined([element("h3", "What could not be done"), items(missing)]) if missing else None,
    )


def _scales(comparison: Comparison) -> tuple[Scale, Scale]:
    losses = [p.loss for p in comparison.drawn if p.loss is not None]
    losses += [comparison.loss_bound] if comparison.loss_bound is not None else []
    risks = [p.risk for p in comparison.drawn if p.risk is not None]
    risks += [comparison.risk_before] if comparison.risk_before is not None else []
    ends = (WIDTH - RIGHT, LEFT) if comparison.more_is_better else (LEFT, WIDTH - RIGHT)
    across = linear(losses or [0.0, 1.0], *ends)
    bottom, top = HEIGHT - BOTTOM, TOP
    wide = min(risks, default=0) > 0 and max(risks) >= SPREAD * min(risks)
    edges = (top, bottom) if comparison.larger_is_safer else (bottom, top)
    return across, (logarithmic if wide else linear)(risks or [0.0, 1.0], *edges)


def _grid(comparison: Comparison, across: Scale, upwards: Scale) -> list[Html]:
    """Axes with their ticks and titles."""
    left, right, top, bottom = float(LEFT), float(WIDTH - RIGHT), float(TOP), float(HEIGHT - BOTTOM)
    shapes = []
    for tick in across.ticks:
        x = across.at(tick)
        shapes += [_line(x, top, x, bottom, FAINT), _text(_tick(tick), x, bottom + 18, anchor="middle", fill=SOFT)]
    for tick in upwards.ticks:
        y = upwards.at(tick)
        shapes += [_line(left, y, right, y, FAINT), _text(_tick(tick), left - 8, y + 4, anchor="end", fill=SOFT)]
    shapes += [_line(left, bottom, right, bottom, INK), _line(left, top, left, bottom, INK)]
    scale = (", larger is safer" if comparison.larger_is_safer else "") + (
        ", logarithmic" if upwards.logarithmic else ""
    )
    what, less = ("utility", "more kept") if comparison.more_is_better else ("loss of utility", "less lost")
    middle, below = (top + bottom) / 2, bottom + 44
    shapes.append(_text(f"{what}: {comparison.measure}", (left + right) / 2, below, anchor="middle", weight="600"))
    shapes.append(_text(f"← {less}", left, below, fill=SOFT))
    turned = f"rotate(-90 22 {middle:g})"
    shapes.append(_text(f"risk: {comparison.risk}{scale}", 22, middle, anchor="middle", weight="600", transform=turned))
    if LETTER * len(f"risk: {comparison.risk}{scale}") < bottom - top - 180:  # else the words would meet
        shapes.append(_text("← less risk", 22, bottom, fill=SOFT, transform=f"rotate(-90 22 {bottom:g})"))
    meant = [
        f"{axis}: {text}"
        for axis, text in (("Up", comparison.risk_words), ("Across", comparison.measure_words))
        if text
    ]
    shapes += [_text(text, 10, below + 26 + 17 * i, fill=SOFT, size="11.5") for i, text in enumerate(meant)]
    return shapes


def _guides(comparison: Comparison, across: Scale, upwards: Scale) -> list[Html]:
    """The risk as it stands, the customary threshold, and the bound that the policy promises."""
    left, right, top, bottom = float(LEFT), float(WIDTH - RIGHT), float(TOP), float(HEIGHT - BOTTOM)
    shapes = []
    if comparison.risk_before is not None:
        y = upwards.at(comparison.risk_before)
        sentence = f"before protection: {show(comparison.risk_before)}"
        shapes += [_line(left, y, right, y, SOFT, dash="2 3"), _text(sentence, right, y - 5, anchor="end", fill=SOFT)]
    if comparison.picks_record and upwards.low < CUSTOMARY < upwards.high:
        y = upwards.at(CUSTOMARY)
        shapes += [_line(left, y, right, y, SOFT, dash="2 3")]
        shapes.append(_text("customary: 1/11", right, y - 5, anchor="end", fill=SOFT))
    if comparison.loss_bound is not None:
        x = across.at(comparison.loss_bound)
        sentence = (
            f"promised: {comparison.measure} {'≥' if comparison.more_is_better else '≤'} {show(comparison.loss_bound)}"
        )
        shapes.append(_line(x, top, x, bottom, "#8f1d1d", dash="6 4"))
        anchor, shift = ("end", -6) if x > (left + right) / 2 else ("start", 6)
        shapes.append(_text(sentence, x + shift, bottom - 8, anchor=anchor, fill="#8f1d1d"))
    return shapes


def _marks(comparison: Comparison, across: Scale, upwards: Scale) -> list[Html]:
    """The front as a staircase, every variant as a mark, and as many labels as find a place."""
    mechanisms = _mechanisms(comparison)
    points = sorted(comparison.drawn, key=lambda p: (not p.best, p.risk, p.loss))
    places = [(across.at(p.loss or 0.0), upwards.at(p.risk or 0.0)) for p in points]
    front = sorted((place for p, place in zip(points, places, strict=True) if p.best), key=lambda at: (at[0], -at[1]))
    shapes = [element("path", d=_staircase(front), fill="none", stroke=INK, stroke_width="1.4")] if front else []
    frame = (LEFT + 3.0, TOP + 3.0, float(WIDTH - RIGHT - 3), float(HEIGHT - BOTTOM - 3))
    written = labels(places, [p.label for p in points], frame, _kept_free(comparison, across, upwards, front))
    for point, (x, y), label in reversed(list(zip(points, places, written, strict=True))):
        number = mechanisms.index(_family(point))
        tip = f"{point.criteria}, {point.mechanism}: risk {show(point.risk)}, {comparison.measure} {show(point.loss)}"
        if label is not None:
            shapes += _label(label, x, y, point)
        ring = [_ring(x, y)] if point.current else []
        shapes.append(element("g", element("title", tip), *ring, _mark(x, y, number, point.best)))
    return shapes


def _kept_free(
    comparison: Comparison, across: Scale, upwards: Scale, front: Sequence[tuple[float, float]]
) -> list[Box]:
    """Where the guides, their words and the front stand."""
    left, right, top, bottom = float(LEFT), float(WIDTH - RIGHT), float(TOP), float(HEIGHT - BOTTOM)
    boxes: list[Box] = []
    risks = [
        comparison.risk_before,
        CUSTOMARY if comparison.picks_record and upwards.low < CUSTOMARY < upwards.high else None,
    ]
    for y in (upwards.at(risk) for risk in risks if risk is not None):
        boxes += [(right - 150, y - 18, right, y), (left, y - 1, right, y + 1)]
    if comparison.loss_bound is not None:
        x = across.at(comparison.loss_bound)
        boxes += [(x - 190, bottom - 22, x + 190, bottom), (x - 1, top, x + 1, bottom)]
    for (x, y), (nx, ny) in pairwise(front):
        boxes += [(x, y - 1, nx, y + 1), (nx - 1, y, nx + 1, ny)]
    return boxes


def _label(label: Label, x: float, y: float, point: Point) -> list[Html]:
    fill, weight = (INK, "600") if point.best else (SOFT, "400")
    shapes = [_text(label.text, label.x, label.y, fill=fill, weight=weight, halo=True)]
    if label.far:
        width = LETTER * len(label.text)
        end = min(max(x, label.x), label.x + width)
        shapes.insert(0, _line(x, y, end, label.y - 4, GREY))
    return shapes


def _staircase(front: Sequence[tuple[float, float]]) -> str:
    """Right, then down: what lies above and to the right of it is dominated."""
    (x, y), *rest = front
    path = f"M{x:g} {y:g}"
    for nx, ny in rest:
        path += f"H{nx:g}V{ny:g}"
    return path


def _ring(x: float, y: float) -> Html:
    """Around what the policy says."""
    return element("circle", cx=f"{x:g}", cy=f"{y:g}", r="11", fill="none", stroke=INK, stroke_width="1.6")


def _mark(x: float, y: float, number: int, best: bool) -> Html:
    shape = SHAPES[number % len(SHAPES)]
    colour = COLOURS[number % len(COLOURS)]
    paint = (colour, "#ffffff", "1.2") if best else ("#ffffff", GREY, "1.4")
    if shape == "circle":
        return element("circle", cx=f"{x:g}", cy=f"{y:g}", r="6", **_paint(paint))
    return element("path", d=_outline(shape, x, y), **_paint(paint))


def _paint(paint: tuple[str, str, str]) -> dict[str, str]:
    return {"fill": paint[0], "stroke": paint[1], "stroke_width": paint[2]}


OUTLINES: dict[str, tuple[tuple[float, float], ...]] = {
    "square": ((-5.4, -5.4), (5.4, -5.4), (5.4, 5.4), (-5.4, 5.4)),
    "triangle": ((0, -7), (6.6, 5), (-6.6, 5)),
    "diamond": ((0, -7.4), (7.4, 0), (0, 7.4), (-7.4, 0)),
    "down": ((0, 7), (6.6, -5), (-6.6, -5)),
    "pentagon": ((0, -7), (6.7, -2.2), (4.1, 5.7), (-4.1, 5.7), (-6.7, -2.2)),
    "hourglass": ((-6, -6), (6, -6), (-6, 6), (6, 6)),
    "bar": ((-3, -7), (3, -7), (3, 7), (-3, 7)),
}


def _outline(shape: str, x: float, y: float) -> str:
    return "M" + "L".join(f"{x + dx:g} {y + dy:g}" for dx, dy in OUTLINES[shape]) + "Z"


def _legend(comparison: Comparison) -> list[Html]:
    """Mechanisms by colour and shape, then the front and what it dominates."""
    shapes, x, y = [], float(LEFT), 20.0
    for number, mechanism in enumerate(_mechanisms(comparison)):
        width = 40 + LETTER * len(mechanism)
        if x + width > WIDTH - RIGHT:
            x, y = float(LEFT), y + 20
        shapes += [_mark(x + 7, y - 4, number, True), _text(mechanism, x + 19, y)]
        x += width
    if any(not p.best for p in comparison.drawn):
        if x + 120 > WIDTH - RIGHT:
            x, y = float(LEFT), y + 20
        shapes += [_mark(x + 7, y - 4, 0, False), _text("dominated", x + 19, y, fill=SOFT)]
        x += 120
    if any(p.current for p in comparison.drawn):
        if x + 120 > WIDTH - RIGHT:
            x, y = float(LEFT), y + 20
        shapes += [_ring(x + 7, y - 4), _text("the policy", x + 24, y)]
    return shapes


def _mechanisms(comparison: Comparison) -> list[str]:
    return list(dict.fromkeys(map(_family, comparison.drawn)))


def _family(point: Point) -> str:
    """Ways to set one mechanism have one colour."""
    return point.family or point.mechanism


def _description(comparison: Comparison) -> str:
    """The drawing in words."""
    best = "; ".join(
        f"{p.criteria} with {p.mechanism}: risk {show(p.risk)}, {comparison.measure} {show(p.loss)}"
        for p in comparison.pareto
    )
    own = next((f" The policy itself: risk {show(p.risk)}, {show(p.loss)}." for p in comparison.drawn if p.current), "")
    return f"The front, least risk first: {best or 'empty'}.{own} The table that follows holds every number."


def _amount(value: float | None, probability: bool) -> str:
    return share(value) if probability else show(value)


def _tick(value: float) -> str:
    return f"{value:g}" if abs(value) < 10_000 else show(round(value))


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, dash: str | None = None) -> Html:
    places = {"x1": f"{x1:g}", "y1": f"{y1:g}", "x2": f"{x2:g}", "y2": f"{y2:g}"}
    return element("line", **places, stroke=colour, stroke_width="1", stroke_dasharray=dash)


def _text(
    words: str,
    x: float,
    y: float,
    *,
    anchor: str | None = None,
    fill: str = INK,
    weight: str | None = None,
    transform: str | None = None,
    halo: bool = False,
    size: str | None = None,
) -> Html:
    around = {"stroke": "#ffffff", "stroke_width": "3", "paint_order": "stroke"} if halo else {}
    place = {"x": f"{x:g}", "y": f"{y:g}"}
    return element(
        "text",
        words,
        **place,
        **around,
        fill=fill,
        text_anchor=anchor,
        font_weight=weight,
        font_size=size,
        transform=transform,
    )
