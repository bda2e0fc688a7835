"""The page of the four data sets: how much of the clusters of the original each keeps, and what that makes of risk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sharewell.dossier.curves import Axis, Line, Plot, across_of, drawn, upwards_of
from sharewell.dossier.figures import Chart, Series, figure, framed
from sharewell.dossier.markup import Html, element, table
from sharewell.dossier.style import head
from sharewell.dossier.words import count, share
from sharewell.plain_data import Json

TITLES = {"original": "original", "noD": "no doses (noD)", "noM": "no medications (noM)", "noMD": "neither (noMD)"}
_TONES = {"noD": "after", "noM": "before", "noMD": "third"}
_QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)


def page(result: Mapping[str, Json]) -> str:
    """One HTML file that needs nothing else. Counts and shares; no word of a note."""
    sets: Mapping[str, Mapping[str, Json]] = result["data_sets"]
    words = (
        f"{count(result['notes'])} notes, {count(result['flagged'])} of them with a drug or a dose. Each data set is "
        "clustered by its words from the same start; persistence is what a cluster of the original shares with the "
        "cluster paired with it: notes in both, of the notes in either."
    )
    chance = (
        f"Clustered from another start, the original itself keeps {share(result['two_starts'])}: such differences "
        "are chance, not loss."
    )
    body = element(
        "body",
        element("header", element("p", "Clinical notes", class_="over"), element("h1", "What four data sets keep")),
        element(
            "main",
            element("p", words),
            element("p", chance),
            _by_cluster(result["clusters"], sets),
            _averages(sets),
            _risks(sets),
        ),
        element("footer", element("p", "The measures follow Ghemri and Kannah, Privacy in Medical Data Publishing.")),
    )
    return "<!DOCTYPE html>\n" + element("html", head("What four data sets keep"), body, lang="en") + "\n"


def _by_cluster(sizes: Sequence[int], sets: Mapping[str, Mapping[str, Json]]) -> Html:
    names = tuple(f"cluster {i + 1}, {count(size)} notes" for i, size in enumerate(sizes))
    series = tuple(Series(TITLES[name], _TONES[name], tuple(row["by_cluster"])) for name, row in sets.items())
    summary = " ".join(f"{TITLES[name]}: on average {share(row['persistence'])}." for name, row in sets.items())
    chart = Chart("clusters", "Persistence of each cluster", summary, names, series, share, top=1)
    rows = [[name, *(share(row["by_cluster"][i]) for row in sets.values())] for i, name in enumerate(names)]
    heads = ["Cluster of the original", *(TITLES[name] for name in sets)]
    return figure("Persistence, cluster by cluster", [chart], table("Persistence by cluster", heads, rows))


def _averages(sets: Mapping[str, Mapping[str, Json]]) -> Html:
    """The original keeps everything; then what each data set keeps, on average, at best and at worst."""
    order = ["original", *sets]
    values = {"original": (1.0, 1.0, 1.0, 1.0)} | {
        name: (row["persistence"], max(row["by_cluster"]), min(row["by_cluster"]), row["records_kept"])
        for name, row in sets.items()
    }
    lines = tuple(
        Line(title, tone, tuple((float(i), values[name][part]) for i, name in enumerate(order)))
        for title, tone, part in (("average", "after", 0), ("best cluster", "guess", 1), ("worst cluster", "before", 2))
    )
    shown = dict(enumerate(order))
    plot = Plot(
        "averages",
        "Persistence of the data sets",
        " ".join(f"{TITLES[name]}: {share(values[name][0])}." for name in order),
        Axis(
            "data set",
            across_of(0.0, 3.0, tuple(range(len(order)))),
            lambda position: shown.get(int(position or 0), ""),
        ),
        Axis("persistence", upwards_of(0.0, 1.0, _QUARTERS), share),
        lines,
    )
    heads = ["Data set", "Average", "Best cluster", "Worst cluster", "Notes that stayed"]
    rows = [[TITLES[name], *map(share, values[name])] for name in order]
    return framed("Persistence, data set by data set", [drawn(plot)], table("Persistence by data set", heads, rows))


def _risks(sets: Mapping[str, Mapping[str, Json]]) -> Html:
    parts = list(next(iter(sets.values()))["risk"])
    rows = [[TITLES[name], *(f"{100 * row['risk'][part]:.2f} %" for part in parts)] for name, row in sets.items()]
    words = "Released fraction times average persistence: a figure to compare data sets by, not an attacker's success."
    return element(
        "section",
        element("h2", "Disclosure risk"),
        table("Disclosure risk by released fraction", ["Data set", *parts], rows),
        element("p", words, class_="small"),
    )
