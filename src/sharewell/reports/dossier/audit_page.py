"""The officer's page of a report: what snoopers could infer as proposed and as released, and what else was tried.

It is made from the content of `audit.json` alone, and is as confidential: intervals tell about cells.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sharewell.dossier.label_layout import LETTER
from sharewell.dossier.markup import Html, element, facts, filled_table, folded, items, joined, name, names, table
from sharewell.dossier.style import head
from sharewell.dossier.views import mapping, number, sequence, text
from sharewell.dossier.words import NOTHING, count, several
from sharewell.reports.dossier import drawings
from sharewell.reports.dossier.drawings import PlotRow, Point, Span
from sharewell.reports.dossier.levels import levels_of, published, verdict

LEVELS = {
    "center": {3: "mean", 2: "rounded mean", 1: "nothing"},
    "dispersion": {3: "standard deviation", 2: "spread", 1: "nothing"},
    "order": {3: "total order", 2: "partial order", 1: "nothing"},
    "median": {3: "median", 2: "rounded median", 1: "nothing"},
}
NESTED = {"dispersion": {2: "rounded standard deviation"}, "order": {2: "lower and upper half"}}
MEASURES = {"center": "centre", "dispersion": "dispersion", "order": "order of means", "median": "median"}
MARKS = {"safe": "✓\u00a0safe", "unsafe": "✗\u00a0unsafe", "undecided": "✗\u00a0undecided"}
CONTENTS = {
    "verdict": "Verdict",
    "published": "What is published",
    "cells": "What could be inferred",
    "rejected": "What was rejected",
    "map": "Risk and utility",
    "assumptions": "Assumptions",
}
HEADS = ("Cell", "Worst snooper", "Proven", "Shown by witnesses", "Limits", "Verdict")
"""Of the tables of cells; all of them are words."""
NO_TRUE_CELLS = "not all available: widths are judged from the figures alone"
NOT_CLAIMED = (
    "Snoopers who know more than their own rows: cells of others, earlier reports, or that cells are whole numbers.",
    "That all values of an interval are equally likely.",
    "What the choice itself discloses: a withheld figure suggests that it would have disclosed too much.",
)


def audit_page(audit: Mapping[str, object]) -> str:
    """One self-contained page; the same content gives the same bytes."""
    title = text(audit.get("report")) or "report"
    links = [
        element("li", element("a", f"{i} {words}", href=f"#{place}"))
        for i, (place, words) in enumerate(CONTENTS.items(), 1)
    ]
    header = element(
        "header",
        element("p", "Internal audit of a report — confidential", class_="over"),
        element("h1", name(title)),
        element("nav", element("ul", *links), aria_label="Contents"),
    )
    sections = (_verdict, _published, _cells, _rejected, _map, _assumptions)
    main = element("main", *(section(audit) for section in sections))
    footer = element(
        "footer", element("p", "Intervals disclose something about cells: file this page apart from the report.")
    )
    body = element("body", header, main, footer)
    return "<!DOCTYPE html>\n" + element("html", head(f"{title} — internal audit"), body, lang="en") + "\n"


def _section(place: str, *content: str | None) -> Html:
    heading = f"{[*CONTENTS].index(place) + 1} {CONTENTS[place]}"
    return element("section", element("h2", heading, id=place), *content, aria_labelledby=place)


def _words(audit: Mapping[str, object], vector: object) -> str:
    """What a vector of levels publishes; a vector that cannot be read stands as it is."""
    levels = levels_of(text(vector))
    if levels is None:
        return text(vector) or NOTHING
    return published(levels, _bins(audit), nested=_nested(audit))


def _nested(audit: Mapping[str, object]) -> bool:
    return bool(mapping(audit.get("assumptions")).get("nested"))


def _bins(audit: Mapping[str, object]) -> dict[str, str]:
    assumptions = mapping(audit.get("assumptions"))
    widths = {"center": number(assumptions.get("bin")), "dispersion": number(assumptions.get("sigma_bin"))}
    return {metric: f"{count(width)}-point " for metric, width in widths.items() if width is not None}


def _verdict(audit: Mapping[str, object]) -> Html:
    plan, worst = mapping(audit.get("plan")), mapping(audit.get("worst"))
    released, proposed = (_mappings(worst.get(key)) for key in ("released", "proposed"))
    safe = all(one.get("status") == "safe" for one in released)
    before = sum(one.get("status") != "safe" for one in proposed)
    snoopers = sequence(mapping(audit.get("assumptions")).get("snoopers"))
    levels = levels_of(text(plan.get("vector")))
    words = "Safe." if safe else "Not safe: some limit does not hold."
    if safe and levels is not None:
        words = verdict(levels, bool(plan.get("proven")), _bins(audit), nested=_nested(audit))
    held = f"every limit holds for {several(len(released), 'cell')} and {several(len(snoopers), 'snooper')}"
    loss = number(plan.get("loss"))
    others = [_words(audit, one) for one in sequence(plan.get("optima")) if one != plan.get("vector")]
    rows = [
        ("Proposed", f"{_words(audit, plan.get('proposed'))}: {count(before)} of {count(len(proposed))} cells fail"),
        ("Released", f"{_words(audit, plan.get('vector'))}{f': {held}, each by two witnesses' if safe else ''}"),
        ("Lost", f"{count(loss)} {'level' if loss == 1 else 'levels'} of detail, weighted"),
        *([("Equally good", "; ".join(others))] if others else []),
        ("Examined", f"{count(number(plan.get('audited')))} of {count(number(plan.get('vectors')))} possible reports"),
    ]
    said = element("p", words, class_=f"verdict {'holds' if safe else 'fails'}")
    return _section("verdict", said, facts(rows))


def _published(audit: Mapping[str, object]) -> Html:
    rows = []
    for one in _mappings(audit.get("measures")):
        axis, _, metric = text(one.get("measure")).partition(".")
        was, now = (int(number(one.get(key)) or 1) for key in ("proposed", "released"))
        if was > 1:
            words = [_level(metric, level, _nested(audit)) for level in (was, now)]
            rows.append([f"{MEASURES.get(metric, metric)} of {axis}", *words, count(was - now)])
    heads = ["Measure", "Proposed", "Released", "Levels lost"]
    return _section("published", table("Measures", heads, rows, words=[1, 2]))


def _level(metric: str, level: int, nested: bool) -> str:
    named = NESTED.get(metric, {}) if nested else {}
    return named.get(level, LEVELS.get(metric, {}).get(level, str(level)))


def _cells(audit: Mapping[str, object]) -> Html:
    """For each column the intervals of the worst snoopers, then all numbers."""
    worst = mapping(audit.get("worst"))
    before, after = (
        {(text(one.get("row")), text(one.get("column"))): one for one in _mappings(worst.get(key))}
        for key in ("proposed", "released")
    )
    figures = []
    for position, column in enumerate(map(str, sequence(audit.get("columns")))):
        rows = [
            _row(row, before.get((row, column)), after.get((row, column)))
            for row in map(str, sequence(audit.get("rows")))
            if (row, column) in after or (row, column) in before
        ]
        domain = [number(end) or 0.0 for end in sequence(mapping(audit.get("domain")).get(column))] or [0.0, 1.0]
        title, ends = f"Inferred intervals, {column}", (domain[0], domain[-1])
        caption = element("figcaption", "What the worst snooper infers about ", name(column))
        drawn = drawings.interval_drawing(f"cells-{position}", title, rows, ends)
        cells = [_numbers(one) for (_, at), one in after.items() if at == column]
        numbers = filled_table(f"Released: {column}", HEADS, cells, words=range(1, len(HEADS)))
        figures.append(element("figure", caption, drawn, folded("The numbers as a table", numbers)))
    note = "Numbers beside the bars: the snooper who infers most, the width of the interval, and the required width."
    return _section("cells", element("p", note), drawings.interval_legend(), *figures)


def _row(row: str, before: Mapping[str, object] | None, after: Mapping[str, object] | None) -> PlotRow:
    limits = mapping((after or before or {}).get("limits"))
    width = number(limits.get("width")) or 0.0
    low, high = (number(limits.get(end)) for end in ("low_at_most", "high_at_least"))
    return PlotRow(row, _span(before), _span(after), width, low, high)


def _span(one: Mapping[str, object] | None) -> Span | None:
    if one is None:
        return None
    low, high = number(one.get("low")) or 0.0, number(one.get("high")) or 0.0
    bounds = [number(end) for end in sequence(one.get("inner"))]
    inner = (bounds[0], bounds[1]) if len(bounds) == 2 and bounds[0] is not None and bounds[1] is not None else None
    required = number(mapping(one.get("limits")).get("width"))
    words = f"{'✓' if one.get('status') == 'safe' else '✗'} {text(one.get('snooper'))}: {high - low:.2f}"
    full = f"{words} of {required:g}" if required else words
    return Span(low, high, inner, full if LETTER * len(full) <= drawings.RIGHT else words)


def _numbers(one: Mapping[str, object]) -> list[str]:
    limits = mapping(one.get("limits"))
    required = [f"width {count(number(limits.get('width')))}"] if limits.get("width") else []
    required += [f"from {count(number(limits['low_at_most']))} or less"] if "low_at_most" in limits else []
    required += [f"to {count(number(limits['high_at_least']))} or more"] if "high_at_least" in limits else []
    inner = sequence(one.get("inner"))
    return [
        joined([name(text(one.get("row"))), ", ", name(text(one.get("column")))]),
        name(text(one.get("snooper"))),
        _between(one.get("low"), one.get("high")),
        _between(*inner) if len(inner) == 2 else NOTHING,
        ", ".join(required) or "none",
        MARKS.get(text(one.get("status")), NOTHING),
    ]


def _rejected(audit: Mapping[str, object]) -> Html:
    trace = _mappings(mapping(audit.get("plan")).get("trace"))
    rows = []
    for one in trace:
        if one.get("status") == "safe":
            continue
        reason = mapping(one.get("reason"))
        snooper, cell = text(reason.get("snooper")), f"{text(reason.get('row'))}, {text(reason.get('column'))}"
        blame = _words(audit, one.get("blame")) if text(one.get("blame")) else NOTHING
        how = "own audit" if one.get("audited") else "follows"
        status = MARKS.get(text(one.get("status")), NOTHING)
        rows.append(
            [
                _words(audit, one.get("vector")),
                count(number(one.get("loss"))),
                *(status, name(snooper), name(cell), _open(reason), blame, how),
            ]
        )
    if not rows:
        return _section("rejected", element("p", "Nothing: the proposed report is safe."))
    note = (
        "To blame is a minimal set of figures that discloses the same cell: if any of them is coarser, this is no "
        "longer proven. Every report with all these figures is unsafe too, without an audit. Still open: how many "
        "points, by proven bounds, are left of those required."
    )
    heads = ["Report", "Loss", "Verdict", "Snooper", "Cell", "Still open", "To blame", "Found by"]
    listing = table("Rejected, by growing loss", heads, rows, words=[2, 3, 4, 5, 6, 7])
    lead = f"{several(len(rows), 'more detailed or equally detailed report')} would not be safe."
    return _section("rejected", element("p", lead), folded("Which, and why", element("p", note), listing))


def _open(reason: Mapping[str, object]) -> str:
    """By proven bounds: no more than that stays open."""
    still_open, required, side = number(reason.get("open")), number(reason.get("asked")), text(reason.get("side"))
    of = "" if side == "width" else f" {side} the true value"
    return NOTHING if still_open is None else f"at most {still_open:.3g} of {count(required)}{of}"


def _map(audit: Mapping[str, object]) -> Html:
    plan = mapping(audit.get("plan"))
    audited = [one for one in _mappings(plan.get("trace")) if one.get("audited")]
    points = [
        Point(
            str(place),
            number(one.get("loss")) or 0.0,
            number(one.get("risk")),
            text(one.get("status")),
            one.get("vector") == plan.get("vector"),
        )
        for place, one in enumerate(audited, 1)
    ]
    words = (
        "Each mark is a report that was audited. Risk is the required width divided by the width that proven bounds "
        "leave open, for the worst cell: above 1, a limit is broken. For unsafe reports it is a lower bound: their "
        "audit ends with the first snooper who breaks a limit."
    )
    rows = [
        [
            *(p.name, _words(audit, one.get("vector")), count(p.loss)),
            *(NOTHING if p.risk is None else f"{p.risk:.3g}", MARKS[p.status]),
        ]
        for p, one in zip(points, audited, strict=True)
    ]
    numbers = table("Audited reports", ["Mark", "What it publishes", "Loss", "Risk", "Verdict"], rows, words=[1, 4])
    caption = element("figcaption", "Risk and utility of audited reports")
    folded_numbers = folded("The numbers as a table", numbers)
    drawn = element("figure", caption, drawings.map_legend(), drawings.map_drawing(points), folded_numbers)
    return _section("map", element("p", words), drawn)


def _assumptions(audit: Mapping[str, object]) -> Html:
    assumptions = mapping(audit.get("assumptions"))
    missing = [str(one) for one in sequence(assumptions.get("not_simulated"))]
    half = 0.5 / 10 ** int(number(assumptions.get("decimals")) or 0)
    sigma = {"sample": "sample: divided by n − 1", "population": "population: divided by n"}
    coalition = number(assumptions.get("coalitions"))
    rows = [
        ("Snoopers simulated", names([str(one) for one in sequence(assumptions.get("snoopers"))])),
        ("Not simulated", names(missing) if missing else "none of the owners"),
        ("Coalitions", "every owner alone" if coalition == 1 else f"up to {count(coalition)} owners together"),
        ("Standard deviation", sigma.get(text(assumptions.get("sigma")), NOTHING) + "; readers know which"),
        ("Rounding", f"a figure stands for itself, give or take {half:g}, ends included"),
        ("Rounded mean", f"bins of {count(number(assumptions.get('bin')))} points"),
        ("Levels 2", _levels_two(assumptions)),
        ("True cells", "available" if assumptions.get("true_cells") else NO_TRUE_CELLS),
        ("Undecided", "counts as unsafe"),
    ]
    return _section("assumptions", facts(rows), element("h3", "Not claimed"), items(NOT_CLAIMED))


def _levels_two(assumptions: Mapping[str, object]) -> str:
    if assumptions.get("nested"):
        return f"coarser forms of level 3; deviations in bins of {count(number(assumptions.get('sigma_bin')))}"
    return "rounded mean, spread, side of a public number: a spread may disclose more than a deviation"


def _between(low: object, high: object) -> str:
    bounds = [number(end) for end in (low, high)]
    return NOTHING if None in bounds else " – ".join(f"{end:.2f}" for end in bounds)


def _mappings(value: object) -> Sequence[Mapping[str, object]]:
    return [mapping(one) for one in sequence(value)]
