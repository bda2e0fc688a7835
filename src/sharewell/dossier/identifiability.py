"""Clause 8: what an attacker could learn, under the three questions of WP216, and what was done about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sharewell.dossier import charts, verdict
from sharewell.dossier.markup import Html, element, facts, joined, name, table
from sharewell.dossier.views import Attack, Dataset, FindingView, Number, leaves, sequence, text
from sharewell.dossier.wing_dossier import dossiers
from sharewell.dossier.words import (
    INFERENCE,
    LINKABILITY,
    NOTHING,
    OTHER,
    SINGLING_OUT,
    amount,
    attack_title,
    concern,
    detail,
    label,
    required,
    title,
)

NOT_MEASURED = "Not measured by this release."
QUESTIONS = {
    SINGLING_OUT: "Can the records of one person be told apart from all others?",
    LINKABILITY: "Can records about one person be tied together, or to a list of named people?",
    INFERENCE: "Can a person's sensitive value, or presence in the data, be deduced with high probability?",
}
FALSIFIED = "Values are falsified on purpose (perturbed): a published value need not be true of its record."
MOST_DETAILS = 60
"""Rows of a record of unknown shape; the findings file has the rest."""


def identifiability(data: Sequence[Dataset]) -> Html:
    where = "GDPR recital 26 and WP216 (Opinion 05/2014 on anonymisation techniques) ask three questions."
    asked = [_concern(which, question, data) for which, question in QUESTIONS.items()]
    other = [block for dataset in data if (block := _measured(OTHER, dataset)) is not None]
    return element(
        "section",
        element("h2", "8 Identifiability assessment and mitigation", id="identifiability"),
        element("p", where),
        *asked,
        element("section", element("h3", OTHER), *other) if other else None,
        _each(data, "Attacks, before and after", charts.attacks, "attacks", "No attack was mounted."),
        _mitigation(data),
        aria_labelledby="identifiability",
    )


def unmeasured(which: str, dataset: Dataset) -> bool:
    """Did nothing, neither criterion nor attack, speak to this question on the published data?"""
    return not any(concern(one.name) == which for one in verdict.criteria(dataset)) and not any(
        concern(one.name) == which and one.after is not None for one in dataset.attacks
    )


def _concern(which: str, question: str, data: Sequence[Dataset]) -> Html:
    blocks = [_measured(which, dataset) or _silent(dataset) for dataset in data]
    return element(
        "section",
        element("h3", which),
        element("p", question, class_="question"),
        *(blocks or [element("p", NOT_MEASURED)]),
    )


def _silent(dataset: Dataset) -> Html:
    return joined([element("h4", name(dataset.name)), element("p", NOT_MEASURED, class_="silent")])


def _measured(which: str, dataset: Dataset) -> Html | None:
    """Table of what was measured, then its figures and its details."""
    if unmeasured(which, dataset):
        return None
    criteria = [one for one in verdict.criteria(dataset) if concern(one.name) == which]
    attacks = [one for one in dataset.attacks if concern(one.name) == which]
    rows = [row for one in criteria for row in _criterion(one, dataset.risks_before.get(one.name))]
    rows += [[attack_title(one), _judged(one.after), amount(one.before), *_reached(one.after)] for one in attacks]
    heads = ["Measured", "Verdict", "Before", "After", "Required"]
    return joined(
        [
            element("h4", name(dataset.name)),
            table(f"{which}: what was measured", heads, rows, words=[1]),
            *_notes([*criteria, *(one.after for one in attacks)]),
            *_drawings(which, dataset, criteria, attacks),
            *_details(dataset, criteria, attacks),
        ]
    )


def _criterion(found: FindingView, before: FindingView | None) -> Iterator[list[str]]:
    was = amount(before) if before is not None and before.column == found.column else NOTHING
    told = joined([title(found.name), joined([" of ", name(found.column)]) if found.column else None])
    yield [told, _judged(found), was, amount(found), required(found)]
    for part in found.parts:
        told = joined(
            ["— ", part.name if part.name != found.name else "", " ", name(part.column) if part.column else ""]
        )
        yield [told, _judged(part), NOTHING, amount(part), required(part)]


def _judged(found: FindingView | None) -> Html | str:
    if found is None or not found.judges:
        return "measured, not judged"
    return verdict.mark(found.verdict)


def _reached(found: FindingView | None) -> tuple[str, str]:
    return (amount(found), required(found)) if found is not None else (NOTHING, NOTHING)


def _notes(found: Sequence[FindingView | None]) -> list[Html]:
    told = [one for one in found if one is not None and one.note]
    return [element("p", f"{title(one.name)}: {one.note}", class_="small") for one in told]


def _drawings(which: str, dataset: Dataset, criteria: Sequence[FindingView], attacks: Sequence[Attack]) -> list[Html]:
    """Risk for every attack that has a histogram; class sizes once, from the first criterion that tells them."""
    key = f"d{dataset.index}-{which.split()[0].lower()}"
    drawn = [charts.risk(dataset, attack, f"{key}-risk{i}") for i, attack in enumerate(attacks)]
    drawn += [charts.support(dataset, attack, f"{key}-support{i}") for i, attack in enumerate(attacks)]
    for one in dossiers():
        drawn += one.drawings(dataset, attacks, key)
    told = next((one for one in criteria if "classes_by_size" in one.details), None)
    if which == SINGLING_OUT:
        was, now = dataset.risks_before, dataset.risks_after
        if not any(drawn):
            plain = Attack("prosecutor", was.get("prosecutor"), now.get("prosecutor"))
            drawn.append(charts.risk(dataset, plain, f"{key}-plain"))
        told = told or now.get("k-anonymity")
        drawn.append(charts.sizes(dataset, was.get("k-anonymity"), told, f"{key}-sizes"))
    return [one for one in drawn if one is not None]


def _details(dataset: Dataset, criteria: Sequence[FindingView], attacks: Sequence[Attack]) -> list[Html]:
    """What else each finding says, as a table: known by its words, unknown as it is."""
    told: list[tuple[str, FindingView | None, FindingView | None]] = [
        (title(one.name), dataset.risks_before.get(one.name), one) for one in criteria
    ]
    told += [(attack_title(one), one.before, one.after) for one in attacks]
    blocks = [_pair_of_details(named, before, after) for named, before, after in told]
    return [block for block in blocks if block is not None]


def _pair_of_details(named: str, before: FindingView | None, after: FindingView | None) -> Html | None:
    was, now = _leaves(before), _leaves(after)
    paths = list(dict.fromkeys([*now, *was]))
    if not paths:
        return None
    rows = [[label(path), detail(path, was.get(path)), detail(path, now.get(path))] for path in paths[:MOST_DETAILS]]
    if len(paths) > MOST_DETAILS:
        rows.append([f"… and {len(paths) - MOST_DETAILS} more in the findings", "", ""])
    return table(f"Details: {named}", ["Detail", "Before", "After"], rows)


def _leaves(found: FindingView | None) -> dict[str, str | Number | None]:
    if found is None:
        return {}
    unsaid = charts.HISTOGRAMS if found.judges else charts.HISTOGRAMS | {"failing"}  # nothing fails unless judged
    return {path: value for path, value in leaves(found.details) if path and not unsaid & set(path.split(" · "))}


def _each(
    data: Sequence[Dataset], heading: str, draw: Callable[[Dataset, str], Html | None], key: str, none: str
) -> Html:
    """One figure for each dataset under one heading, or a sentence that there is none."""
    blocks = []
    for dataset in data:
        drawn = draw(dataset, f"d{dataset.index}-{key}")
        missing = joined([name(dataset.name), " — ", none])
        blocks.append(drawn if drawn is not None else element("p", missing, class_="silent"))
    return element("section", element("h3", heading), *(blocks or [element("p", none)]))


def _mitigation(data: Sequence[Dataset]) -> Html:
    methods = [block for dataset in data if (block := _method(dataset)) is not None]
    return joined(
        [
            element("section", element("h3", "Mitigation: how the data was protected"), *methods) if methods else None,
            _each(data, "What was changed", charts.columns, "columns", "No change per column is recorded."),
            _each(data, "What it cost", charts.utility, "utility", "Utility was not measured."),
            *(block for dataset in data if (block := _costs(dataset)) is not None),
        ]
    )


def _method(dataset: Dataset) -> Html | None:
    method = dataset.mechanism
    if not method:
        return None
    given = {path: value for path, value in leaves(method.get("parameters")) if path}
    found = {path: value for path, value in leaves(method.get("details")) if path}
    told = [("Mechanism", text(method.get("name")) or NOTHING)]
    if method.get("falsifies") is True:
        told.append(("Truth of the values", FALSIFIED))
    told += [("Chosen because", text(reason)) for reason in sequence(method.get("chosen")) if text(reason)]
    told += [(f"Parameter: {path.replace('_', ' ')}", detail("", value)) for path, value in given.items()]
    told += [(f"Reported: {label(path)}", detail(path, value)) for path, value in list(found.items())[:MOST_DETAILS]]
    return joined([element("h4", name(dataset.name)), facts(told)])


def _costs(dataset: Dataset) -> Html | None:
    blocks = [_cost(dataset, one) for one in dataset.utility]
    return joined(blocks) if any(blocks) else None


def _cost(dataset: Dataset, found: FindingView) -> Html | None:
    """Details of a measure, except those that the figure of the columns shows already."""
    held = {path: value for path, value in _leaves(found).items() if not path.startswith("exact_cells")}
    parts = [] if found.name == "ncp" else [part for part in found.parts if part.column or part.name != found.name]
    rows = [[label(path), detail(path, value)] for path, value in list(held.items())[:MOST_DETAILS]]
    rows += [[name(part.column or part.name), amount(part)] for part in parts]
    if not rows:
        return None
    return table(joined(["Details: ", title(found.name), ", ", name(dataset.name)]), ["Detail", "Value"], rows)
