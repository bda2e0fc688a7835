"""The public page of a report: its figures and how to read them. It knows nothing of any audit."""

from __future__ import annotations

from collections.abc import Mapping

from sharewell.dossier.markup import Html, element, items, name, table
from sharewell.dossier.style import head
from sharewell.dossier.views import mapping, number, sequence, text
from sharewell.dossier.words import NOTHING

HEADS = {
    "mean": "Mean",
    "median": "Median",
    "sigma": "Standard deviation",
    "spread": "Spread",
    "side": "Mean lies",
    "rank": "Rank",
}
AXES = {"rows": "Owners", "columns": "Measures"}
SIGMAS = {"sample": "n − 1", "population": "n"}


def public_page(report: Mapping[str, object]) -> str:
    """From the content of the published JSON file, and nothing else."""
    title = text(report.get("report")) or "report"
    tables = [*(_axis(report, axis) for axis in AXES), *_within(report)]
    body = element(
        "body",
        element("header", element("p", "Report", class_="over"), element("h1", name(title))),
        element("main", *tables, element("h2", "How to read the figures"), items(_notes(report))),
        element("footer", element("p", "The same figures are in the files beside this page.")),
    )
    return "<!DOCTYPE html>\n" + element("html", head(title), body, lang="en") + "\n"


def _axis(report: Mapping[str, object], axis: str) -> Html | None:
    """One line a row, one measure a column; only what is published."""
    shown, of = mapping(report.get("published")), mapping(report.get("table"))
    ranks = _ranks(sequence(mapping(shown.get("order")).get(axis)))
    lines = [*map(str, sequence(of.get(axis))), *(_units(of) if axis == "rows" else ())]
    listing = _listing(mapping(shown.get(axis)), of, lines, AXES[axis].removesuffix("s"), ranks)
    return None if listing is None else element("section", element("h2", AXES[axis]), listing)


def _listing(
    figures: Mapping[str, object], of: Mapping[str, object], lines: list[str], one: str, ranks: Mapping[str, str]
) -> Html | None:
    decimals = int(number(of.get("decimals")) or 0)
    by_line = {
        line: _figures(mapping(figures.get(line)), decimals) | ({"rank": ranks[line]} if line in ranks else {})
        for line in lines
    }
    heads = [key for key in HEADS if any(key in figures for figures in by_line.values())]
    if not heads:
        return None
    rows = [[name(line), *(figures.get(key, NOTHING) for key in heads)] for line, figures in by_line.items()]
    return table(f"Figures by {one.lower()}", [one, *(HEADS[key] for key in heads)], rows)


def _within(report: Mapping[str, object]) -> list[Html]:
    """Measures over all units of a level, or over the units below one unit, where there are several levels."""
    shown, of = mapping(report.get("published")), mapping(report.get("table"))
    columns, sections = [*map(str, sequence(of.get("columns")))], []
    levels = {text(of.get("lowest")), *mapping(of.get("levels"))}
    for scope, figures in mapping(shown.get("within")).items():
        listing = _listing(mapping(figures), of, columns, "Measure", {})
        title = f"Measures over all of level {scope}" if scope in levels else f"Measures within {scope}"
        sections += [] if listing is None else [element("section", element("h2", name(title)), listing)]
    return sections


def _units(of: Mapping[str, object]) -> list[str]:
    return [unit for units in mapping(of.get("levels")).values() for unit in mapping(units)]


def _figures(published: Mapping[str, object], decimals: int) -> dict[str, str]:
    texts = {key: _shown(published[key], decimals) for key in ("mean", "median", "sigma", "spread") if key in published}
    sides = {"at_most": "at or below", "at_least": "at or above"}
    side = next((f"{words} {_plain(published[key])}" for key, words in sides.items() if key in published), None)
    return texts if side is None else texts | {"side": side}


def _shown(value: object, decimals: int) -> str:
    if isinstance(value, list):
        return f"{_plain(value[0])} to {_plain(value[1])}"
    return f"{value:.{decimals}f}"


def _plain(value: object) -> str:
    return f"{value:.12g}"


def _ranks(order: list[object]) -> dict[str, str]:
    groups = [one if isinstance(one, list) else [one] for one in order]
    return {str(line): str(rank) for rank, group in enumerate(groups, start=1) for line in group}


def _notes(report: Mapping[str, object]) -> list[str]:
    """Only of what is there."""
    shown, of = mapping(report.get("published")), mapping(report.get("table"))
    figures = [mapping(f) for axis in AXES for f in mapping(shown.get(axis)).values()]
    figures += [mapping(f) for scope in mapping(shown.get("within")).values() for f in mapping(scope).values()]
    notes = []
    if any(not isinstance(value, list) for one in figures for key, value in one.items() if not key.startswith("at_")):
        half = 0.5 / 10 ** int(number(of.get("decimals")) or 0)
        notes.append(f"A number is rounded: it stands for itself, give or take {half:g}.")
    if any(isinstance(value, list) for one in figures for value in one.values()):
        notes.append("“65 to 70” says that the figure lies between the two numbers, ends included.")
    if any("sigma" in one for one in figures):
        divisor = SIGMAS.get(text(shown.get("sigma")), "n − 1")
        notes.append(f"Standard deviations are those of the {text(shown.get('sigma'))}: divided by {divisor}.")
    if any("median" in one for one in figures):
        notes.append("The median is the middle value; of an even number of values, the mean of the two in the middle.")
    if any("spread" in one for one in figures):
        notes.append("The spread is the greatest value minus the least.")
    if of.get("levels") is not None:
        how = "the sum" if of.get("roll_up") == "sum" else "the mean"
        notes.append(f"The value of a unit is {how} of the values of the units directly below it.")
    if mapping(shown.get("order")):
        notes.append("Ranks run from the lowest mean to the highest; the order within equal ranks is not published.")
    domain = of.get("domain")
    if isinstance(domain, list):
        all_values = "All values" if of.get("levels") is None else "All values of the lowest level"
        notes.append(f"{all_values} lie between {_plain(domain[0])} and {_plain(domain[1])}.")
    absent = mapping(of.get("absent"))
    if absent:
        notes.append("Not reported: " + "; ".join(f"{r}: {', '.join(map(str, c))}" for r, c in absent.items()) + ".")
    return notes
