"""What was cleaned before anything was measured or protected, and what could not be read. Counts only."""

from __future__ import annotations

from sharewell.dossier.markup import Html, element, joined, name, table
from sharewell.dossier.views import Dataset, mapping, number, sequence, text
from sharewell.dossier.words import count

STEPS = {
    "split": "split into a list",
    "trim": "blanks taken off the ends",
    "case": "letters in one case",
    "recode": "recoded",
    "zip5": "cut to a postcode of five digits",
    "date": "read as a date",
    "number": "read as a number",
    "join": "joined from other columns into the person; where one is missing, the person is unknown",
    "crosswalk": "mapped to another classification",
}
_HEADS = ("Column", "Step", "Cells", "Changed", "Not read, so missing")


def cleaning(dataset: Dataset) -> Html | None:
    """A table for each file that was cleaned; nothing where none was."""
    tables = [_of_source(mapping(one)) for one in sequence(dataset.found.get("cleaning"))]
    if not tables:
        return None
    words = "The policy asked for this before anything was measured; all that follows is about the cleaned values."
    return joined([element("h4", "Cleaning"), element("p", words), *tables])


def _of_source(steps: object) -> Html:
    plain = mapping(steps)
    rows = []
    for column, account in mapping(plain.get("columns")).items():
        for step in map(mapping, sequence(mapping(account).get("steps"))):
            words = STEPS.get(text(step.get("name")), text(step.get("name")))
            if step.get("name") == "crosswalk" and (several := number(step.get("ambiguous"))):
                words += f" ({count(several)} had several counterparts)"
            counts = (mapping(account).get("cells"), step.get("changed"), step.get("unread"))
            rows.append([name(column), words, *(count(number(value)) for value in counts)])
    return table(f"Cleaned in {text(plain.get('source'))}", _HEADS, rows, words=[1])
