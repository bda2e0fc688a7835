"""What an attacker could learn, under the three questions of WP216."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sharewell.dossier import charts, verdict
from sharewell.dossier.glossary import algorithm
from sharewell.dossier.markup import ON_SCREEN, Html, element, filled_table, folded, gallery, joined, name, names
from sharewell.dossier.views import Attack, Dataset, FindingView, Number, leaves
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
    count,
    detail,
    label,
    required,
    title,
)

NOT_MEASURED = "Not measured by this release."
WHERE = "GDPR recital 26 and WP216 (Opinion 05/2014 on anonymisation techniques) ask three questions."
QUESTIONS = {
    SINGLING_OUT: "Can the records of one person be told apart from all others?",
    LINKABILITY: "Can records about one person be tied together, or to a list of named people?",
    INFERENCE: "Can a person's sensitive value, or presence in the data, be deduced with high probability?",
}
MOST_DETAILS = 60
"""Rows of a record of unknown shape; the findings file has the rest."""


def identifiability(data: Sequence[Dataset]) -> Html:
    """Each question with what was measured; drawings and details are folded."""
    other = [block for dataset in data if (block := _measured(OTHER, dataset, len(data) == 1)) is not None]
    return joined(
        [
            element("p", WHERE),
            *(_concern(which, question, data) for which, question in QUESTIONS.items()),
            element("section", element("h3", OTHER), *other) if other else None,
            _attacks(data),
        ]
    )


def unmeasured(which: str, dataset: Dataset) -> bool:
    """Did nothing, neither criterion nor attack, speak to this question on the published data?"""
    return not any(concern(one.name) == which for one in verdict.criteria(dataset)) and not any(
        concern(one.name) == which and one.after is not None for one in dataset.attacks
    )


def _concern(which: str, question: str, data: Sequence[Dataset]) -> Html:
    blocks = [block for dataset in data if (block := _measured(which, dataset, len(data) == 1)) is not None]
    silent = [dataset.name for dataset in data if unmeasured(which, dataset)]
    said = None
    if silent and len(silent) == len(data):
        said = element("p", NOT_MEASURED, class_="silent")
    elif silent:
        said = element("p", "Not measured for ", names(silent), ".", class_="silent")
    return element("section", element("h3", which), element("p", question, class_="question"), *blocks, said)


def _measured(which: str, dataset: Dataset, alone: bool) -> Html | None:
    """Table of what was measured, then its figures and its details.

    alone: of a release with one dataset the drawings are printed too.
    """
    if unmeasured(which, dataset):
        return None
    criteria = [one for one in verdict.criteria(dataset) if concern(one.name) == which]
    attacks = [one for one in dataset.attacks if concern(one.name) == which]
    rows = [row for one in criteria for row in _criterion(one, dataset.risks_before.get(one.name))]
    rows += [[_attack(one), _judged(one.after), amount(one.before), *_reached(one.after)] for one in attacks]
    heads = ["Measured", "Verdict", "Before", "After", "Required"]
    drawings = _drawings(which, dataset, criteria, attacks)
    shown = "The drawing" if len(drawings) == 1 else f"{count(len(drawings))} drawings"
    return joined(
        [
            filled_table(joined([name(dataset.name), f": {which.lower()}"]), heads, rows, words=[1]),
            folded(joined([shown, ": ", name(dataset.name)]), gallery(drawings), paper=alone),
            folded(
                joined(["Remarks and details: ", name(dataset.name)]),
                *_notes([*criteria, *(one.after for one in attacks)]),
                *_details(dataset, criteria, attacks),
            ),
        ]
    )


def _attack(one: Attack) -> Html:
    return joined([algorithm(one.name), f" ({one.knowing})" if one.knowing else None])


def _criterion(view: FindingView, before: FindingView | None) -> Iterator[list[str]]:
    was = amount(before) if before is not None and before.column == view.column else NOTHING
    heading = joined([algorithm(view.name), joined([" of ", name(view.column)]) if view.column else None])
    yield [heading, _judged(view), was, amount(view), required(view)]
    for part in view.parts:
        heading = joined(
            ["— ", part.name if part.name != view.name else "", " ", name(part.column) if part.column else ""]
        )
        yield [heading, _judged(part), NOTHING, amount(part), required(part)]


def _judged(view: FindingView | None) -> Html | str:
    if view is None or not view.judges:
        return "measured, not judged"
    return verdict.mark(view.verdict)


def _reached(view: FindingView | None) -> tuple[str, str]:
    return (amount(view), required(view)) if view is not None else (NOTHING, NOTHING)


def _notes(views: Sequence[FindingView | None]) -> list[Html]:
    noted = [one for one in views if one is not None and one.note]
    return [element("p", f"{title(one.name)}: {one.note}", class_="small") for one in noted]


def _drawings(which: str, dataset: Dataset, criteria: Sequence[FindingView], attacks: Sequence[Attack]) -> list[Html]:
    """Risk for every attack that has a histogram; class sizes once, from the first criterion that tells them."""
    key = f"d{dataset.index}-{which.split()[0].lower()}"
    drawn = [charts.risk(dataset, attack, f"{key}-risk{i}") for i, attack in enumerate(attacks)]
    drawn += [charts.support(dataset, attack, f"{key}-support{i}") for i, attack in enumerate(attacks)]
    for one in dossiers():
        drawn += one.drawings(dataset, attacks, key)
    criterion = next((one for one in criteria if "classes_by_size" in one.details), None)
    if which == SINGLING_OUT:
        was, now = dataset.risks_before, dataset.risks_after
        if not any(drawn):
            plain = Attack("prosecutor", was.get("prosecutor"), now.get("prosecutor"))
            drawn.append(charts.risk(dataset, plain, f"{key}-plain"))
        criterion = criterion or now.get("k-anonymity")
        drawn.append(charts.sizes(dataset, was.get("k-anonymity"), criterion, f"{key}-sizes"))
    return [one for one in drawn if one is not None]


def _details(dataset: Dataset, criteria: Sequence[FindingView], attacks: Sequence[Attack]) -> list[Html]:
    """What else each finding says, as a table: known by its words, unknown as it is."""
    facts: list[tuple[str, FindingView | None, FindingView | None]] = [
        (title(one.name), dataset.risks_before.get(one.name), one) for one in criteria
    ]
    facts += [(attack_title(one), one.before, one.after) for one in attacks]
    blocks = [_pair_of_details(named, before, after) for named, before, after in facts]
    return [block for block in blocks if block is not None]


def _pair_of_details(named: str, before: FindingView | None, after: FindingView | None) -> Html | None:
    was, now = details_not_drawn(before), details_not_drawn(after)
    paths = list(dict.fromkeys([*now, *was]))
    if not paths:
        return None
    rows = [[label(path), detail(path, was.get(path)), detail(path, now.get(path))] for path in paths[:MOST_DETAILS]]
    if len(paths) > MOST_DETAILS:
        rows.append([f"… and {len(paths) - MOST_DETAILS} more in the findings", "", ""])
    return filled_table(f"Details: {named}", ["Detail", "Before", "After"], rows)


def details_not_drawn(view: FindingView | None) -> dict[str, str | Number | None]:
    """Details that no drawing shows, by their path."""
    if view is None:
        return {}
    unsaid = charts.HISTOGRAMS if view.judges else charts.HISTOGRAMS | {"failing"}  # nothing fails unless judged
    return {path: value for path, value in leaves(view.details) if path and not unsaid & set(path.split(" · "))}


def _attacks(data: Sequence[Dataset]) -> Html:
    """All attacks of a dataset beside each other, folded: the first page has the worst of them."""
    drawn = [(one, charts.attacks(one, f"d{one.index}-attacks")) for one in data]
    drawings = [folded(joined([name(one.name), ": all attacks"]), drawing) for one, drawing in drawn if drawing]
    return element(
        "section",
        element("h3", "Attacks, before and after"),
        *(drawings or [element("p", "No attack was mounted.")]),
        class_=ON_SCREEN if drawings else None,
    )
