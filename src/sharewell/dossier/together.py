"""What several datasets of the same people tell together: joint criteria, joint attacks, and what nobody looked at."""

from __future__ import annotations

from collections.abc import Mapping

from sharewell.dossier.glossary import algorithm
from sharewell.dossier.markup import Html, element, filled_table, items, joined, names
from sharewell.dossier.verdict import mark
from sharewell.dossier.views import FindingView, found_all, mapping, sequence, text
from sharewell.dossier.words import amount, required
from sharewell.plain_data import Json

LEAD = (
    "These datasets are about the same people. Several of them together may disclose more than each alone. Each "
    "was also judged alone, in the section before."
)
SILENT = "No criterion judged everything that these pairs disclose together: weigh what both disclose about one person."
MOST_PAIRS = 12


def together(findings: Mapping[str, Json]) -> Html | None:
    """A section of its own right after the verdict; nothing where no two datasets are about the same people."""
    joint = mapping(findings.get("together"))
    criteria, attacks = _rows(joint, "criteria"), _rows(joint, "attacks")
    pairs = [_pair(pair) for pair in sequence(joint.get("not_judged"))]
    alike = [text(one) for one in sequence(joint.get("near_copies")) if text(one)]
    if not (criteria or attacks or pairs or alike):
        return None
    judged = [[algorithm(one.name), mark(one.ok), required(one), amount(one), which] for one, which in criteria]
    tried = [[algorithm(one.name), amount(one), which, one.note or ""] for one, which in attacks]
    left = len(pairs) - MOST_PAIRS
    shown = [*pairs[:MOST_PAIRS], *([joined([f"and {left} more pairs"])] if left > 0 else [])]
    parts = [
        element("p", LEAD) if criteria or attacks or pairs else None,
        filled_table(
            "Joint criteria", ["Criterion", "Verdict", "Required", "Reached", "Datasets"], judged, words=[1, 4]
        )
        if judged
        else None,
        filled_table("Joint attacks", ["Attack", "Reached", "Datasets", "Remark"], tried, words=[2, 3])
        if tried
        else None,
        joined([element("h3", "Not judged together"), element("p", SILENT), items(shown)]) if pairs else None,
        joined([element("h3", "Files that look alike"), items(alike)]) if alike else None,
    ]
    return joined(parts)


def _rows(claim: Mapping[str, Json], room: str) -> list[tuple[FindingView, Html]]:
    """Findings, with the datasets that each is about."""
    rows = []
    for plain in map(mapping, sequence(claim.get(room))):
        for result in found_all([plain]):
            rows.append((result, _pair(plain.get("datasets"))))
    return rows


def _pair(listed: object) -> Html:
    return names([text(one) for one in sequence(listed) if text(one)])
