"""The first page: the verdict and what to weigh beside it, the risk before and after, the columns lost, who signs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sharewell.dossier.column_changes import in_short, lines
from sharewell.dossier.glossary import algorithm
from sharewell.dossier.markup import Html, element, facts, items, joined, name, names
from sharewell.dossier.risk_picture import other_risks, risk_picture
from sharewell.dossier.verdict import Judgement, points, sentence, tone
from sharewell.dossier.views import Dataset, found_all, mapping, sequence, text
from sharewell.dossier.wing_dossier import first_answer
from sharewell.dossier.words import amount, required
from sharewell.pipeline.verdict_facts import Cautions
from sharewell.plain_data import Json

PLACE = "decision"
HEADINGS = ("Who can re-check it", "Unchanged, or free text", "Not measured")
"""Of the three cautions, in their order."""
REPEATED = "Not measured: "
"""What the heading says already."""
FEW_DATASETS = 3
"""Of this many, the first page names the columns that are lost; of more it counts them, so that it stays one sheet."""
MOST_DATASETS = 12
"""Of which the first page speaks; others stand further down."""
LOST = "What was lost and changed"
DECIDE = "People must decide whether to release: weigh the following as well."


def decision(
    certificate: Mapping[str, Json],
    findings: Mapping[str, Json],
    data: Sequence[Dataset],
    judged: Sequence[Judgement],
) -> Html:
    """Everything that a board needs in order to say yes or no."""
    joint = map(mapping, sequence(mapping(findings.get("together")).get("criteria")))
    verdicts = [one.found.ok is True for one in judged] + [one.get("ok") is True for one in joint]
    return joined(
        [
            element(
                "p",
                sentence(data, verdicts),
                element("small", DECIDE) if verdicts else None,
                class_=f"verdict {tone(verdicts)}",
            ),
            _cautions(Cautions.of(certificate, findings)) if data else None,
            _headlines(data),
            _joint(findings),
            _risks(data),
            _columns(data),
            _weigh(points(certificate, data, judged)),
            _signatures(certificate),
        ]
    )


def _cautions(cautions: Cautions) -> Html:
    pairs = zip(HEADINGS, (one.removeprefix(REPEATED) for one in cautions.lines()), strict=True)
    blocks = [
        element("li", element("strong", heading), element("span", words[:1].upper() + words[1:]))
        for heading, words in pairs
    ]
    return element("ol", *blocks, class_="cautions")


def _headlines(data: Sequence[Dataset]) -> Html | None:
    headlines = [(one.name, words) for one in data if (words := _headline(one)) is not None]
    if not headlines:
        return None
    if len(data) == 1:
        return element("p", headlines[0][1], class_="headline")
    many = " on-screen" if len(headlines) > FEW_DATASETS else ""  # on paper the picture says it, and there must be room
    return element(
        "ul", *(element("li", name(which), ": ", words) for which, words in headlines), class_=f"headlines{many}"
    )


def _headline(dataset: Dataset) -> str | None:
    return first_answer(lambda one: one.headline(dataset))


def _joint(findings: Mapping[str, Json]) -> Html | None:
    """What holds of all that is published of a person."""
    joint = mapping(findings.get("together"))
    judged = [one for one in map(mapping, sequence(joint.get("criteria"))) if text(one.get("note")) and one.get("ok")]
    lines = [
        joined(
            [
                algorithm(view.name),
                f": {amount(view)}, {required(view)} required, where ",
                text(one.get("note")),
                " (",
                names([text(name) for name in sequence(one.get("datasets")) if text(name)]),
                ")",
            ]
        )
        for one in judged
        for view in found_all([one])
    ]
    return joined([element("h3", "All data of a person together"), items(lines)]) if lines else None


def _risks(data: Sequence[Dataset]) -> Html | None:
    picture, others = risk_picture(data), other_risks(data)
    if picture is None and not others:
        return element("p", "No attack was mounted, so the risk before and after is not known.") if data else None
    return joined([picture, items(others) if others else None])


def _columns(data: Sequence[Dataset]) -> Html | None:
    if len(data) > FEW_DATASETS:
        return _counted_columns(data)
    by_dataset = [(dataset, lines(dataset)) for dataset in data]
    shown = [(dataset, result) for dataset, result in by_dataset if result]
    if not shown:
        return None
    blocks = [
        element("div", element("h4", name(dataset.name)) if len(data) > 1 else None, facts(result, "facts narrow"))
        for dataset, result in shown
    ]
    return joined([element("h3", LOST), element("div", *blocks, class_="fates" if len(blocks) > 1 else "fate")])


def _counted_columns(data: Sequence[Dataset]) -> Html | None:
    shown = [joined([name(one.name), ": ", short]) for one in data if (short := in_short(one)) is not None]
    left = len(shown) - MOST_DATASETS
    more = [f"{left} more datasets are described further down."] if left > 0 else []
    return joined([element("h3", LOST), items([*shown[:MOST_DATASETS], *more])]) if shown else None


def _weigh(weigh: Sequence[Html]) -> Html | None:
    return element("div", element("h3", "Weigh as well"), items(weigh), class_="weigh") if weigh else None


def _signatures(certificate: Mapping[str, Json]) -> Html:
    """Who answers for the release: the keys that signed and approved it, and lines to sign on paper."""
    policy = mapping(certificate.get("policy"))
    signer, approver = text(certificate.get("signed_by")), text(policy.get("approved_by"))
    blocks = [
        _lines("Data steward", ["Files signed with key ", element("code", signer)] if signer else ["Files not signed"]),
        _lines(
            "Second person",
            ["Policy approved with key ", element("code", approver)] if approver else ["Policy not approved by key"],
        ),
        _lines("For the board", ["On paper only"]),
    ]
    return joined([element("h3", "Who signs"), element("div", *blocks, class_="signatures")])


def _lines(who: str, by_key: Sequence[str]) -> Html:
    blanks = [element("p", element("span", what), class_="blank") for what in ("Name, date", "Signature")]
    return element("div", element("p", element("strong", who)), element("p", *by_key, class_="small"), *blanks)
