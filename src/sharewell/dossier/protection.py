"""How the data was protected, what that changed in each column, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence

from sharewell.dossier import charts
from sharewell.dossier.glossary import mechanism, term
from sharewell.dossier.identifiability import MOST_DETAILS, details_not_drawn
from sharewell.dossier.markup import Html, element, facts, filled_table, folded, gallery, joined, name, names
from sharewell.dossier.views import Dataset, FindingView, leaves, sequence, text
from sharewell.dossier.words import amount, detail, label, title

FALSIFIED = "Values are falsified on purpose (perturbed): a published value need not be true of its record."


def protection(data: Sequence[Dataset]) -> Html:
    """For each dataset the mechanism, the change in each column and the cost; settings and details are folded."""
    if not data:
        return element("p", "This release contains no dataset.")
    unscored = [dataset.name for dataset in data if not dataset.utility]
    return joined(
        [
            *(_dataset(dataset) for dataset in data),
            element("p", "What it cost was not measured of ", names(unscored), ".", class_="silent")
            if unscored
            else None,
        ]
    )


def _dataset(dataset: Dataset) -> Html | None:
    """Nothing where neither mechanism nor cost is known."""
    method = dataset.mechanism
    pairs: list[tuple[str, str]] = []
    if text(method.get("name")):
        pairs.append(("Mechanism", mechanism(text(method.get("name")))))
    if method.get("falsifies") is True:
        pairs.append(("Truth of the values", FALSIFIED))
    pairs += [("Chosen because", text(reason)) for reason in sequence(method.get("chosen")) if text(reason)]
    ncp = dataset.detail_lost
    if ncp is not None and ncp.value is not None:
        pairs.append((term("detail-lost", "Detail lost (NCP)"), amount(ncp)))
    drawn = (charts.columns(dataset, f"d{dataset.index}-columns"), charts.utility(dataset, f"d{dataset.index}-utility"))
    blocks = [
        facts(pairs) if pairs else None,
        gallery([one for one in drawn if one is not None]),
        folded(joined(["Settings and details: ", name(dataset.name)]), *_settings(dataset), *_costs(dataset)),
    ]
    return element("section", element("h3", name(dataset.name)), *blocks) if any(blocks) else None


def _settings(dataset: Dataset) -> list[Html]:
    method = dataset.mechanism
    given = {path: value for path, value in leaves(method.get("parameters")) if path}
    results = {path: value for path, value in leaves(method.get("details")) if path}
    rows = [[path.replace("_", " "), detail("", value)] for path, value in given.items()]
    reported = [[label(path), detail(path, value)] for path, value in list(results.items())[:MOST_DETAILS]]
    tables = [
        filled_table("Settings of the mechanism", ["Setting", "Value"], rows, words=[1]),
        filled_table("What the mechanism reported", ["Detail", "Value"], reported),
    ]
    return [one for one in tables if one is not None]


def _costs(dataset: Dataset) -> list[Html]:
    return [block for one in dataset.utility if (block := _cost(one)) is not None]


def _cost(view: FindingView) -> Html | None:
    """Details of a measure, except those that the figure of the columns shows already."""
    held = {path: value for path, value in details_not_drawn(view).items() if not path.startswith("exact_cells")}
    parts = [] if view.name == "ncp" else [part for part in view.parts if part.column or part.name != view.name]
    rows = [[label(path), detail(path, value)] for path, value in list(held.items())[:MOST_DETAILS]]
    rows += [[name(part.column or part.name), amount(part)] for part in parts]
    return filled_table(f"Details: {title(view.name)}", ["Detail", "Value"], rows)
