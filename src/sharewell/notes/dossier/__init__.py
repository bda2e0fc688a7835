"""The dossier's sections on clinical notes and on columns of text in other data: what was replaced and withheld, and
examples on notes that are invented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sharewell.dossier.curves import Axis, Line, Plot, across_of, drawn, upwards_of
from sharewell.dossier.markup import Html, element, folded, joined, name, table
from sharewell.dossier.views import Dataset, mapping, number, sequence, text
from sharewell.dossier.wing_dossier import Vocabulary, WingDossier
from sharewell.dossier.words import count, several
from sharewell.io.shipped import shipped_rows
from sharewell.plain_data import Json


class NotesDossier(WingDossier):
    """Clinical notes."""

    kind = "notes"
    title = "clinical notes"
    words = Vocabulary.shipped("notes")

    def knowledge(self, dataset: Dataset) -> str | None:
        if dataset.kind != self.kind:
            return None
        return "An attacker is assumed to read the notes, to know people who may be in them, and to look for them."

    def headline(self, dataset: Dataset) -> str | None:
        """How many people's own identifiers are left in what is written about them."""
        left = next((one for one in dataset.criteria if one.name == "no-known-identifiers"), None)
        if dataset.kind != self.kind or left is None or left.value is None:
            return None
        was = dataset.risks_before.get(left.name)
        before = f" ({count(was.value)} before protection)" if was is not None and was.value is not None else ""
        return (
            f"Patients whose own listed identifiers still appear in their notes: {count(left.value)}{before}."
            " Identifiers on no list may have been missed."
        )

    def section(self, dataset: Dataset) -> Html | None:
        return rewriting(dataset, of_notes=dataset.kind == self.kind)


CURVE = "notes/learned_curve.csv"
_LOWEST, _TICKS = 0.8, [0.8, 0.85, 0.9, 0.95, 1.0]
GROUPS = {
    "who": ("names and organisations", ("NAME", "ORGANISATION")),
    "when": ("dates and ages", ("DATE", "AGE")),
    "where": ("places and addresses", ("PLACE", "ADDRESS")),
    "number": (
        "numbers, telephone numbers and internet addresses",
        ("PHONE", "EMAIL", "URL", "IP", "SSN", "ID", "OTHER"),
    ),
    "drug": ("drugs and doses", ("DRUG", "DOSE")),
}
"""Class of a piece → what it is called, and its kinds."""
OF_KIND = {kind: group for group, (_, kinds) in GROUPS.items() for kind in kinds}
INVENTED = (
    "These notes are invented: the synthetic hospital wrote them, and the mechanism of this release protected them "
    "under a public key. No note of the release is shown here."
)
REASONS = {
    "empty": "without text",
    "language": "not in a language that the policy names",
    "could not be rewritten": "on which the mechanism failed",
    "known identifier": "from which an identifier could not be removed",
}


def rewriting(dataset: Dataset, *, of_notes: bool) -> Html | None:
    """Nothing for a dataset without text. In other data than notes, text stands in columns."""
    blocks: list[Html | None] = []
    details = mapping(mapping(dataset.found.get("mechanism")).get("details"))
    if of_notes and details:
        blocks.append(_counts(details, "notes"))
        parameters = mapping(mapping(dataset.found.get("mechanism")).get("parameters"))
        blocks.append(_by_threshold(number(parameters.get("certainty"))))
    for column, column_facts in mapping(dataset.found.get("texts")).items():
        in_column = _counts(mapping(mapping(column_facts).get("details")), "cells")
        blocks.append(joined([element("h4", "Text in ", name(column)), in_column]))
    shown = [_example(mapping(example), i) for i, example in enumerate(sequence(dataset.found.get("examples")), 1)]
    if shown:
        blocks.append(folded("How it looks, on invented notes", element("p", INVENTED), _legend(), *shown))
    return joined(blocks) if blocks else None


def _counts(details: Mapping[str, Json], unit: str) -> Html:
    """In sentences: how many pieces were replaced, of which kind, and what was withheld."""
    changed = [(kind.lower(), number(times)) for kind, times in mapping(details.get("changed")).items()]
    withheld = mapping(details.get("withheld"))
    said, listing = "", None
    if changed:
        rows = [[kind, count(times)] for kind, times in sorted(changed, key=lambda entry: -(entry[1] or 0))]
        said = f"{several(sum(times or 0 for _, times in changed), 'piece')} of text replaced. "
        listing = folded("Pieces replaced, by kind", table("Pieces replaced", ["Kind", "Pieces"], rows))
    if withheld:
        numbers = mapping(details.get("withheld_notes")) if unit == "notes" else {}
        words = "; ".join(
            f"{count(number(times))} {REASONS.get(why, why)}{_numbers(sequence(numbers.get(why)), number(times) or 0)}"
            for why, times in withheld.items()
        )
        said += f"Withheld, of the {unit}: {words}."
    else:
        said += f"None of the {unit} was withheld."
    return joined([element("p", said), listing])


def _by_threshold(certainty: float | None) -> Html | None:
    """What each threshold finds, on text of authors whom neither rules nor model had seen."""
    if certainty is None:
        return None
    rows = [(float(row["certainty"]), float(row["precision"]), float(row["recall"])) for row in shipped_rows(CURVE)]
    used = max((row for row in rows if row[0] <= certainty), default=rows[0])
    said = (
        f"A piece of text is replaced if it identifies somebody with a certainty of {certainty:g} or more. On marked"
        f" text of authors whom the model had not seen, a threshold of {used[0]:g} finds {used[2]:.1%} of the words"
        f" that identify, and {used[1]:.1%} of the words it finds do. Your notes may be harder: mark a sample of them."
    )
    cells = [[f"{least:g}", f"{recall:.1%}", f"{precision:.1%}"] for least, precision, recall in rows]
    heads = ["Threshold", "Identifying words found", "Words found that identify"]
    plot = Plot(
        "thresholds",
        "Share of the words found that identify somebody, by share of the identifying words found",
        "; ".join(f"threshold {row[0]}: {row[1]} found, {row[2]} of those right" for row in cells),
        Axis("identifying words found", across_of(_LOWEST, 1.0, _TICKS), lambda n: f"{n or 0:.0%}"),
        Axis("words found that identify", upwards_of(_LOWEST, 1.0, _TICKS), lambda n: f"{n or 0:.0%}"),
        (
            Line("thresholds", "after", tuple((max(r, _LOWEST), max(p, _LOWEST)) for _, p, r in rows)),
            Line("this release", "after", ((max(used[2], _LOWEST), max(used[1], _LOWEST)),), marked=True),
        ),
    )
    inside = (drawn(plot), table("What each threshold finds", heads, cells))
    return joined([element("p", said), folded("What other thresholds would find", *inside)])


def _numbers(numbers: Sequence[Json], times: float) -> str:
    """Withheld notes by their numbers in the file; the dossier stays with the steward."""
    if not numbers:
        return ""
    more = f" and {count(times - len(numbers))} more" if times > len(numbers) else ""
    return f" (note{'s' if times > 1 else ''} {', '.join(text(str(one)) for one in numbers)}{more})"


def _legend() -> Html:
    return element("p", joined([_piece(words, group) for group, (words, _) in GROUPS.items()], " "), class_="small")


def _piece(words: str, group: str) -> Html:
    return element("mark", words, class_=f"piece of-{group}")


def _example(example: Mapping[str, Json], place: int) -> Html:
    before, after = (_marked(sequence(example.get(side))) for side in ("before", "after"))
    return element(
        "div",
        element("p", f"Invented note {place}: {text(example.get('kind')) or 'a note'}", class_="name"),
        element("div", element("p", "before", class_="over"), element("p", before, class_="note"), class_="side"),
        element("div", element("p", "after", class_="over"), element("p", after, class_="note"), class_="side"),
        class_="invented",
    )


def _marked(pieces: Sequence[Json]) -> Html:
    marked = []
    for piece in pieces:
        words, kind = (text(part) for part in (*sequence(piece), "", "")[:2])
        marked.append(_piece(words, OF_KIND.get(kind, "number")) if kind else joined([words]))
    return joined(marked)
