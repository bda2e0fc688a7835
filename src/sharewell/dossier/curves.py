"""Curves as SVG: lines over two axes, drawn to scale in a frame of their own size that shrinks with the page.

Lines differ by colour *and* by dashes, marks by fill, so that nothing depends on colour alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sharewell.dossier.label_layout import Scale
from sharewell.dossier.markup import Html, element, line, titled_svg
from sharewell.dossier.views import Number

WIDTH, HEIGHT = 440, 330
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 12, 50
"""Around the plot, in pixels."""

Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Line:
    """One curve. `tone` is its class in the style sheet; `marked` draws its points as marks and no line."""

    name: str
    tone: str
    points: Points
    marked: bool = False


@dataclass(frozen=True)
class Axis:
    """What runs along it, its scale, and how its ticks are written."""

    name: str
    scale: Scale
    show: Callable[[Number | None], str]


@dataclass(frozen=True)
class Plot:
    """Curves over two axes, with words for whoever does not see them."""

    key: str
    title: str
    description: str
    across: Axis
    upwards: Axis
    lines: tuple[Line, ...]


def drawn(plot: Plot) -> Html:
    """Legend and drawing."""
    return element("div", legend(plot.lines), svg(plot))


def svg(plot: Plot) -> Html:
    """The drawing, with a title and a description."""
    shapes = [*_grid(plot), *(shape for line in plot.lines for shape in _line(plot, line))]
    size = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "width": "100%"}
    return titled_svg(plot.key, plot.title, plot.description, shapes, class_="chart plot", **size)


def legend(lines: Sequence[Line]) -> Html:
    """What each curve or mark means."""
    swatches = []
    for one in lines:
        sample = _mark(9, 6, one.tone) if one.marked else _path(((0.0, 6.0), (26.0, 6.0)), one.tone)
        drawing = element("svg", sample, width="26", height="12", aria_hidden="true")
        swatches.append(element("li", drawing, one.name))
    return element("ul", *swatches, class_="legend")


def across_of(low: float, high: float, ticks: Sequence[float], *, logarithmic: bool = False) -> Scale:
    return Scale(low, high, float(LEFT), float(WIDTH - RIGHT), logarithmic, tuple(ticks))


def upwards_of(low: float, high: float, ticks: Sequence[float]) -> Scale:
    return Scale(low, high, float(HEIGHT - BOTTOM), float(TOP), False, tuple(ticks))


def _grid(plot: Plot) -> list[Html]:
    left, right, top, bottom = LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM
    shapes = []
    for tick in plot.across.scale.ticks:
        x, label = plot.across.scale.at(tick), plot.across.show(tick)
        shapes.append(line("grid", x, top, x, bottom))
        shapes.append(element("text", label, class_="value", x=f"{x:g}", y=str(bottom + 17), text_anchor="middle"))
    for tick in plot.upwards.scale.ticks:
        y, label = plot.upwards.scale.at(tick), plot.upwards.show(tick)
        shapes.append(line("grid", left, y, right, y))
        shapes.append(element("text", label, class_="value", x=str(left - 7), y=f"{y + 4:g}", text_anchor="end"))
    shapes += [line("axis", left, bottom, right, bottom), line("axis", left, top, left, bottom)]
    middle = (top + bottom) / 2
    where = {"x": f"{(left + right) / 2:g}", "y": str(HEIGHT - 10)}
    shapes.append(element("text", plot.across.name, text_anchor="middle", **where))
    turned = f"rotate(-90 14 {middle:g})"
    shapes.append(element("text", plot.upwards.name, x="14", y=f"{middle:g}", text_anchor="middle", transform=turned))
    return shapes


def _line(plot: Plot, line: Line) -> list[Html]:
    places = tuple((plot.across.scale.at(x), plot.upwards.scale.at(y)) for x, y in line.points)
    if line.marked:
        return [_mark(x, y, line.tone) for x, y in places]
    return [_path(places, line.tone)] if len(places) > 1 else []


def _path(places: Points, tone: str) -> Html:
    steps = " L ".join(f"{x:g} {y:g}" for x, y in places)
    return element("path", class_=f"curve {tone}", d=f"M {steps}")


def _mark(x: float, y: float, tone: str) -> Html:
    return element("circle", class_=f"bar {tone}", cx=f"{x:g}", cy=f"{y:g}", r="5")
