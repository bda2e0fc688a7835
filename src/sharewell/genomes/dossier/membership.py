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
    curves = [(when, tone, _curve(found)) for when, tone, found in _sides(attack)]
    curves = [one for one in curves if one[2]]
    if not curves:
        return None
    lines = [Line(f"{when} (measured)", tone, points) for when, tone, points in curves]
    lines += [
        Line(f"{when} (theory's limit)", f"{tone} theory", limit)
        for when, tone, found in _sides(attack)
        if (limit := _theory(found))
    ]
    lines.append(Line("blind guessing", "guess", ((0.0, 0.0), (1.0, 1.0))))
    heading = f"Members recognised by false alarms, {attack.name}, {dataset.name}"
    told = " ".join(f"{when}: {share(_at(points, 0.05))} at 5 %." for when, _, points in curves)
    plot = Plot(
        key,
        heading,
        f"{told} The table that follows holds the numbers.",
        Axis("others taken for members (false-positive rate)", across_of(0.0, 1.0, _QUARTERS), share),
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
    asked = {when: _asked(found) for when, _, found in _sides(attack)}
    if any(asked.values()):
        lines = [Line(when, tone, asked[when]) for when, tone, _ in _sides(attack) if asked[when]]
        return _drawn(dataset, attack, key, lines, "questions")
    here = [(when, tone, _here(found)) for when, tone, found in _sides(attack)]
    marks = [Line(f"{when} (measured)", tone, (at,), True) for when, tone, at in here if at]
    most = max((line.points[0][0] for line in marks), default=0.0)
    if most < 1:
        return None
    lines = [*marks]
    source = next((found for _, _, found in reversed(_sides(attack)) if found and _separation(found, "bound")), None)
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
    rate = next((_rate(found) for _, _, found in _sides(attack) if found), 0.05)
    plot = Plot(
        key,
        f"Members recognised by the number of {what}, {attack.name}, {dataset.name}",
        " ".join(f"{line.name}: {share(line.points[-1][1])} at {count(line.points[-1][0])}." for line in lines),
        Axis(f"{what}, on a logarithmic scale", across, count),
        Axis(f"members recognised at {share(rate)} false alarms", _SHARES, share),
        tuple(lines),
    )
    told = [line for line in lines if "theory" not in line.name]
    rows = [[line.name, count(x), share(y)] for line in told for x, y in line.points]
    numbers = table("Members recognised", ["", what.capitalize() if what != "SNPs" else what, "Power"], rows)
    caption = joined([f"How many {what} it takes: ", attack_title(attack), ", ", name(dataset.name)])
    return framed(caption, [drawn(plot)], numbers, None)


def _sides(attack: Attack) -> list[tuple[str, str, FindingView | None]]:
    return [("Before", "before", attack.before), ("After", "after", attack.after)]


def _curve(found: FindingView | None) -> Points:
    """Of the attack, or of a beacon after the most questions."""
    if found is None:
        return ()
    at = sequence(found.details.get("at"))
    told = sequence(found.details.get("roc")) or (sequence(mapping(at[-1]).get("roc")) if at else [])
    return _points(told, "fpr", "power")


def _asked(found: FindingView | None) -> Points:
    told = _points(sequence(found.details.get("at")), "queries", "power") if found is not None else ()
    return tuple((queries, reached) for queries, reached in told if 1 <= queries < _MOST)


def _points(told: Sequence[object], across: str, upwards: str) -> Points:
    pairs = [(number(mapping(one).get(across)), number(mapping(one).get(upwards))) for one in told]
    return tuple((float(x), float(y)) for x, y in pairs if x is not None and y is not None and 0 <= y <= 1 and x >= 0)


def _here(found: FindingView | None) -> tuple[float, float] | None:
    """SNPs published, and the power measured with them."""
    if found is None:
        return None
    snps, reached = number(found.details.get("snps")), number(found.details.get("power"))
    if snps is None or not 1 <= snps < _MOST or reached is None or not 0 <= reached <= 1:
        return None
    return float(snps), float(reached)


def _separation(found: FindingView, part: str) -> float | None:
    """Standard deviations for each SNP, under a root."""
    apart, snps = number(mapping(found.details.get(part)).get("separation")), number(found.details.get("snps"))
    if apart is None or snps is None or not 1 <= snps < _MOST or not 0 <= apart < 1e6:
        return None
    return float(apart) / math.sqrt(snps)


def _rate(found: FindingView) -> float:
    told = number(found.details.get("fpr"))
    return float(told) if told is not None and 0 < told < 1 else 0.05


def _theory(found: FindingView | None) -> Points:
    """Φ(separation − z) at every rate."""
    apart = number(mapping(found.details.get("bound")).get("separation")) if found is not None else None
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
