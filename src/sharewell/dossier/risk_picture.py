"""The picture of the first page: how far the attacks get on the original and on the release, on one scale.

Before is a ring, after is a filled mark, with a line from one to the other, so that nothing depends on colour. Across,
everything is in percent of the drawing's width and text keeps its size, from a telephone to a sheet of A4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sharewell.dossier.markup import Html, element, folded, joined, name, table, titled_svg
from sharewell.dossier.views import Attack, Dataset, FindingView, Number
from sharewell.dossier.words import (
    INFERENCE,
    LINKABILITY,
    NOTHING,
    OTHER,
    SINGLING_OUT,
    amount,
    attack_title,
    concern,
    in_percent,
    several,
    share,
)

MOST = 8
"""Attacks that are drawn, so that the first page stays one page."""
REACH = 66.0
"""Percent of the width that 100 % takes; the numbers stand beside it."""
LEFT = 1.0
"""Percent of the width left of 0 %, so that a mark at 0 % is whole."""
ROW, FOOT = 32, 19
"""Pixels: an attack, the scale."""
LABEL = 54
"""Letters that fit a telephone; the table has the whole name."""
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
NOTE = (
    "The probability of success, or the share of the people or records affected: of each question, the attack that gets"
    " furthest."
)


@dataclass(frozen=True)
class Row:
    """One attack on one dataset. A side that was not measured is None."""

    dataset: str
    attack: Attack
    before: Number | None
    after: Number


def chosen(data: Sequence[Dataset]) -> list[Row]:
    """For each dataset and question the attack that gets furthest, and the one that can be compared with before."""
    each = [_of_dataset(dataset) for dataset in data]
    picked: set[tuple[int, int]] = set()
    for place in range(max(map(len, each), default=0)):  # every dataset has its first before any has its second
        for which, rows in enumerate(each):
            if place < len(rows) and len(picked) < MOST:
                picked.add((which, place))
    return [row for which, rows in enumerate(each) for place, row in enumerate(rows) if (which, place) in picked]


def _of_dataset(dataset: Dataset) -> list[Row]:
    rows = [row for attack in dataset.attacks if (row := _row(dataset, attack)) is not None]
    results: list[Row] = []
    for which in (SINGLING_OUT, LINKABILITY, INFERENCE, OTHER):
        asked = sorted((row for row in rows if concern(row.attack.name) == which), key=lambda row: -row.after)
        compared = [row for row in asked if row.before is not None]
        results += compared[:1] + [row for row in asked[:1] if row not in compared[:1]]
    return results


def _row(dataset: Dataset, attack: Attack) -> Row | None:
    after, before = attack.after, attack.before
    if after is None or after.value is None or not in_percent(after) or not 0 <= after.value <= 1:
        return None
    return Row(dataset.name, attack, _within(before), after.value)


def _within(view: FindingView | None) -> Number | None:
    comparable = view is not None and view.value is not None and in_percent(view) and 0 <= view.value <= 1
    return view.value if view is not None and comparable else None


def risk_picture(data: Sequence[Dataset]) -> Html | None:
    """The figure, with its numbers folded; None where no attack was measured in percent."""
    rows = chosen(data)
    if not rows:
        return None
    several_datasets = len(data) > 1
    left = sum(len(_of_dataset(dataset)) for dataset in data) - len(rows)
    more = f" {several(left, 'more attack')} {'is' if left == 1 else 'are'} described further down." if left else ""
    sentences = [
        [
            attack_title(row.attack),
            *([name(row.dataset)] if several_datasets else []),
            _side(row.before),
            share(row.after),
        ]
        for row in rows
    ]
    heads = ["Attack", *(["Dataset"] if several_datasets else []), "Before", "After"]
    numbers = table("Risk before and after", heads, sentences, words=[1] if several_datasets else [])
    return element(
        "figure",
        element("figcaption", "Risk before and after protection", _legend()),
        _svg(rows, several_datasets),
        element("p", f"{NOTE}{more}", class_="small"),
        folded("The numbers as a table", numbers),
        class_="risk",
    )


def other_risks(data: Sequence[Dataset]) -> list[Html]:
    """Attacks that are not told in percent, in words."""
    lines = []
    for dataset in data:
        for attack in dataset.attacks:
            if attack.before is None or attack.after is None or in_percent(attack.after):
                continue
            if attack.before.value is not None and attack.after.value is not None:
                change = f": {amount(attack.before)} → {amount(attack.after)}"
                lines.append(joined([name(dataset.name), ", ", attack_title(attack), change]))
    return list(dict.fromkeys(lines))


def _legend() -> Html:
    marks = (("before protection", _ring("8", "7")), ("after protection", _dot("8", "7")))
    return element(
        "span",
        *(
            element("span", element("svg", mark, width="16", height="14", aria_hidden="true"), words)
            for words, mark in marks
        ),
        class_="legend",
    )


def _svg(rows: Sequence[Row], several_datasets: bool) -> Html:
    shapes: list[Html] = []
    dataset = None
    for place, row in enumerate(rows):
        shapes += _drawn(row, place * ROW, row.dataset if several_datasets and row.dataset != dataset else "")
        dataset = row.dataset
    bottom = len(rows) * ROW + FOOT
    scale = [
        element("text", share(tick), class_="value tick", x=_at(tick), y=str(bottom - 6), text_anchor=_anchor(tick))
        for tick in TICKS
    ]
    said = " ".join(f"{attack_title(row.attack)}, {row.dataset}: {_change(row)}." for row in rows)
    size = {"width": "100%", "height": str(bottom)}
    return titled_svg("risk", "Risk before and after protection", said, [*shapes, *scale], **size)


def _drawn(row: Row, y: int, dataset: str) -> Iterator[Html]:
    """The name of the attack, after that of the dataset where it is another one, and its marks below."""
    middle = y + 23
    group = joined([element("tspan", _short(dataset, LABEL // 2), class_="group"), " · "]) if dataset else None
    room = LABEL - (len(dataset[: LABEL // 2]) + 3 if dataset else 0)
    yield element("text", group, _short(attack_title(row.attack), room), class_="label", x="0", y=str(y + 12))
    yield element("line", class_="axis", x1=_at(0), y1=str(middle), x2=_at(1), y2=str(middle))
    for tick in TICKS:
        yield element("line", class_="axis", x1=_at(tick), y1=str(middle - 3), x2=_at(tick), y2=str(middle + 3))
    if row.before is not None:
        yield element("line", class_="change", x1=_at(row.before), y1=str(middle), x2=_at(row.after), y2=str(middle))
        yield _ring(_at(row.before), str(middle))
    yield _dot(_at(row.after), str(middle))
    yield element("text", _change(row), class_="number", x=f"{REACH + 4:g}%", y=str(middle + 4))


def _ring(x: str, y: str) -> Html:
    return element("circle", class_="bar before", cx=x, cy=y, r="5.5")


def _dot(x: str, y: str) -> Html:
    return element("circle", class_="bar after", cx=x, cy=y, r="5.5")


def _at(value: Number) -> str:
    return f"{LEFT + (REACH - LEFT) * value:.4g}%"


def _anchor(tick: float) -> str:
    return "start" if tick == 0 else "middle"


def _side(value: Number | None) -> str:
    return NOTHING if value is None else share(value)


def _change(row: Row) -> str:
    return share(row.after) if row.before is None else f"{share(row.before)} → {share(row.after)}"


def _short(words: str, room: int) -> str:
    """What fits on a line of a narrow screen; of a title that does not, its name before the colon.

    >>> _short("Trail linkage: the pseudonym of a person found by all rows", 40), _short("patients-of-2026", 10)
    ('Trail linkage', 'patients-…')
    """
    lead, colon, _ = words.partition(":")
    if len(words) > room and colon and len(lead) <= room:
        return lead
    return words if len(words) <= room else words[: room - 1] + "…"
