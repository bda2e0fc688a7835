"""Figures of attacks that look for members: how many are recognised at which rate of false alarms, and by how much."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import NormalDist

from sharewell.dossier.curves import Axis, Line, Plot, Points, across_of, drawn, upwards_of
from sharewell.dossier.figures import framed
from sharewell.dossier.label_layout import logarithmic
from sharewell.dossier.markup import Html, joined, name, table
from sharewell.dossier.views import Attack, Dataset, FindingView, mapping, number, sequence
from sharewell.dossier.words import attack_title, count, share

_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
_TOLD = (0.01, 0.05, 0.1, 0.2, 0.5)
"""False-positive rates of the table."""
_STEPS = 60
_MOST = 1e12
"""More SNPs or questions than that are a mistake, and are not drawn."""
_SHARES = upwards_of(0.0, 1.0, _QUARTERS)


def roc(dataset: Dataset, attack: Attack, key: str) -> Html | None:
    """The share of members recognised by the share of others taken for one, before and after."""
    curves = [(when, tone, _curve(result)) for when, tone, result in _sides(attack)]
    curves = [one for one in curves if one[2]]
    if not curves:
        return None
    lines = [Line(f"{when} (measured)", tone, points) for when, tone, points in curves]
    lines += [
        Line(f"{when} (theory's limit)", f"{tone} theory", limit)
        for when, tone, result in _sides(attack)
        if (limit := _theory(result))
    ]
    lines.append(Line("blind guessing", "guess", ((0.0, 0.0), (1.0, 1.0))))
    heading = f"Members recognised by false alarms, {attack.name}, {dataset.name}"
    summary = " ".join(f"{when}: {share(_at(points, 0.05))} at 5 %." for when, _, points in curves)
    plot = Plot(
        key,
        heading,
        f"{summary} The table that follows holds the numbers.",
        Axis("others mistaken for members (false-positive rate)", across_of(0.0, 1.0, _QUARTERS), share),
        Axis("members recognised (power)", _SHARES, share),
        tuple(lines),
    )
    rows = [[share(rate), *(share(_at(points, rate)) for _, _, points in curves)] for rate in _TOLD]
    numbers = table("Members recognised", ["False-positive rate", *(when for when, _, _ in curves)], rows)
    caption = joined(["Who is recognised: ", attack_title(attack), ", ", name(dataset.name)])
    note = "Thresholds are set on people who are not members. Linked SNPs and strangers of other ancestry make theory's"
    return framed(caption, [drawn(plot)], numbers, f"{note} limit too high or too low: the measured curve counts.")


def power(dataset: Dataset, attack: Attack, key: str) -> Html | None:
    """The share recognised by the number of SNPs (or, of a beacon, questions), measured and in theory."""
    asked = {when: _asked(result) for when, _, result in _sides(attack)}
    if any(asked.values()):
        lines = [Line(when, tone, asked[when]) for when, tone, _ in _sides(attack) if asked[when]]
        return _drawn(dataset, attack, key, lines, "questions")
    here = [(when, tone, _here(result)) for when, tone, result in _sides(attack)]
    marks = [Line(f"{when} (measured)", tone, (at,), True) for when, tone, at in here if at]
    most = max((line.points[0][0] for line in marks), default=0.0)
    if most < 1:
        return None
    lines = [*marks]
    source = next(
        (result for _, _, result in reversed(_sides(attack)) if result and _separation(result, "bound")), None
    )
    for part, words, tone in (
        ("bound", "theory, with this reference", "after theory"),
        ("bound_if_known", "theory, frequencies known", "guess"),
    ):
        if source is not None and (scale := _separation(source, part)) is not None:
            lines.append(Line(words, tone, _growing(scale, _rate(source), most)))
    return _drawn(dataset, attack, key, lines, "SNPs")


def _drawn(dataset: Dataset, attack: Attack, key: str, lines: Sequence[Line], what: str) -> Html:
    values = [x for line in lines for x, _ in line.points if x > 0]
    scale = logarithmic(values, 0.0, 1.0)
    ticks = [tick for tick in scale.ticks if tick >= 1] or list(scale.ticks)
    ticks = ticks if len(ticks) <= 7 else [tick for tick in ticks if math.log10(tick).is_integer()]
    across = across_of(scale.low, scale.high, ticks, logarithmic=True)
    rate = next((_rate(result) for _, _, result in _sides(attack) if result), 0.05)
    plot = Plot(
        key,
        f"Members recognised by the number of {what}, {attack.name}, {dataset.name}",
        " ".join(f"{line.name}: {share(line.points[-1][1])} at {count(line.points[-1][0])}." for line in lines),
        Axis(f"{what}, on a logarithmic scale", across, count),
        Axis(f"members recognised at {share(rate)} false alarms", _SHARES, share),
        tuple(lines),
    )
    measured = [line for line in lines if "theory" not in line.name]
    rows = [[line.name, count(x), share(y)] for line in measured for x, y in line.points]
    numbers = table("Members recognised", ["", what.capitalize() if what != "SNPs" else what, "Power"], rows)
    caption = joined([f"How many {what} it takes: ", attack_title(attack), ", ", name(dataset.name)])
    return framed(caption, [drawn(plot)], numbers, None)


def _sides(attack: Attack) -> list[tuple[str, str, FindingView | None]]:
    return [("Before", "before", attack.before), ("After", "after", attack.after)]


def _curve(view: FindingView | None) -> Points:
    """The curve of the attack; of an attack on a beacon, that after the most questions."""
    if view is None:
        return ()
    at = sequence(view.details.get("at"))
    points = sequence(view.details.get("roc")) or (sequence(mapping(at[-1]).get("roc")) if at else [])
    return _points(points, "fpr", "power")


def _asked(view: FindingView | None) -> Points:
    points = _points(sequence(view.details.get("at")), "queries", "power") if view is not None else ()
    return tuple((queries, reached) for queries, reached in points if 1 <= queries < _MOST)


def _points(points: Sequence[object], across: str, upwards: str) -> Points:
    pairs = [(number(mapping(one).get(across)), number(mapping(one).get(upwards))) for one in points]
    return tuple((float(x), float(y)) for x, y in pairs if x is not None and y is not None and 0 <= y <= 1 and x >= 0)


def _here(view: FindingView | None) -> tuple[float, float] | None:
    """SNPs published, and the power measured with them."""
    if view is None:
        return None
    snps, reached = number(view.details.get("snps")), number(view.details.get("power"))
    if snps is None or not 1 <= snps < _MOST or reached is None or not 0 <= reached <= 1:
        return None
    return float(snps), float(reached)


def _separation(view: FindingView, part: str) -> float | None:
    """Standard deviations for each SNP, under a root."""
    apart, snps = number(mapping(view.details.get(part)).get("separation")), number(view.details.get("snps"))
    if apart is None or snps is None or not 1 <= snps < _MOST or not 0 <= apart < 1e6:
        return None
    return float(apart) / math.sqrt(snps)


def _rate(view: FindingView) -> float:
    rate = number(view.details.get("fpr"))
    return float(rate) if rate is not None and 0 < rate < 1 else 0.05


def _theory(view: FindingView | None) -> Points:
    """Φ(separation − z) at every rate."""
    apart = number(mapping(view.details.get("bound")).get("separation")) if view is not None else None
    if apart is None or not 0 <= apart < 1e6:
        return ()
    normal = NormalDist()
    rates = [(i / _STEPS) ** 2 for i in range(1, _STEPS)]
    inner = [(rate, normal.cdf(float(apart) - normal.inv_cdf(1 - rate))) for rate in rates]
    return ((0.0, inner[0][1] if apart > 5 else 0.0), *inner, (1.0, 1.0))


def _growing(scale: float, rate: float, most: float) -> Points:
    """Power by SNPs from one to the most, evenly on a logarithmic scale."""
    normal = NormalDist()
    least = normal.inv_cdf(1 - rate)
    steps = [most ** (i / _STEPS) for i in range(_STEPS + 1)]
    return tuple((snps, normal.cdf(scale * math.sqrt(snps) - least)) for snps in steps)


def _at(points: Points, rate: float) -> float | None:
    """The power at a rate, between two points where need be."""
    for (x, y), (after, above) in pairwise(points):
        if x <= rate <= after:
            return y if after == x else y + (above - y) * (rate - x) / (after - x)
    return None
