"""The learning curve as a picture: how well a model does by the number of marked notes it was trained on."""

from __future__ import annotations

from sharewell.dossier import curves
from sharewell.dossier.curves import Axis, Line, Plot
from sharewell.dossier.markup import Html
from sharewell.notes.annotation.training import TrainingResult

_STYLE = """
svg { background: #ffffff; font: 12px system-ui, "Liberation Sans", Arial, sans-serif; color: #1d2733; }
text { fill: #1d2733; } .grid { stroke: #e3e0d8; } .axis { stroke: #55606d; }
.curve { fill: none; stroke-width: 2.2; } .alone { stroke: #a8500b; } .both { stroke: #0b66a0; }
.rules { stroke: #55606d; stroke-dasharray: 6 4; } .bar.alone { fill: #fbe6d3; stroke: #a8500b; }
.bar.both { fill: #0b66a0; }
"""


def svg(trained: TrainingResult) -> str:
    """A drawing that stands by itself."""
    sizes = [point.notes for point in trained.points]
    if not sizes or trained.rules is None:
        return ""
    alone = tuple((float(p.notes), p.alone["f2"]) for p in trained.points)
    both = tuple((float(p.notes), p.with_rules["f2"]) for p in trained.points)
    low = min(0.9, int(min(y for _, y in (*alone, *both)) * 10) / 10, trained.rules["f2"])
    low = int(low * 10) / 10
    ticks = [round(low + i * (1 - low) / 5, 3) for i in range(6)]
    right = max(float(sizes[-1]), 1.0)
    rules = ((0.0, trained.rules["f2"]), (right, trained.rules["f2"]))
    lines = (
        Line("model alone", "alone", alone), Line("model alone", "alone", alone, marked=True),
        Line("rules and model", "both", both), Line("rules and model", "both", both, marked=True),
        Line("rules", "rules", rules),
    )  # fmt: skip
    plot = Plot(
        "curve",
        f"F2 by the number of marked notes, measured on {trained.measured_on} others",
        "; ".join(
            f"{p.notes} notes: {p.alone['f2']:.3f} alone, {p.with_rules['f2']:.3f} with rules" for p in trained.points
        ),
        Axis("marked notes in training", curves.across_of(0.0, right, [0, *sizes[-4:]]), lambda n: f"{n or 0:g}"),
        Axis("F2 on other notes", curves.upwards_of(low, 1.0, ticks), lambda n: f"{n or 0:.2f}"),
        lines,
    )
    drawing = curves.svg(plot)
    return str(_alone(drawing))


def _alone(drawing: Html) -> Html:
    """A drawing of a page as a file of its own: a name space, its colours, and a key to its lines."""
    key = "".join(
        f'<g transform="translate(230 {195 + 18 * i})"><line class="curve {tone}" x1="0" y1="0" x2="26" y2="0" />'
        f'<text x="32" y="4">{name}</text></g>'
        for i, (tone, name) in enumerate(
            (("both", "rules and model"), ("rules", "rules alone"), ("alone", "model alone"))
        )
    )
    opened = drawing.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace('width="100%"', "")
    head, _, rest = opened.partition(">")
    return Html(f"{head}><style>{_STYLE}</style>{rest.removesuffix('</svg>')}{key}</svg>\n")
