"""The page: from a certificate and its findings, and nothing else, to one HTML file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sharewell.dossier import glossary
from sharewell.dossier.decision import PLACE, decision
from sharewell.dossier.identifiability import identifiability
from sharewell.dossier.markup import Html, element, filled_table, folded, joined, name
from sharewell.dossier.protection import protection
from sharewell.dossier.sections import data_section, governance, not_claimed, setting
from sharewell.dossier.style import head
from sharewell.dossier.together import together
from sharewell.dossier.verdict import criteria_section, judgements
from sharewell.dossier.views import datasets, mapping, text
from sharewell.plain_data import Json

CLAUSES = (
    ("6 Context assessment", "setting", "Recipient, setting, profile; what has to be filed beside the page"),
    ("7 Data assessment", "data", "Every dataset and column, and what an attacker is taken to know"),
    ("8 Identifiability assessment", "attacks", "Singling out, linkability and inference, measured or not"),
    ("8 Mitigation", "protection", "How the data was protected, and what it cost"),
    ("9 Governance", "governance", "Signature, approval, deviations, hashes"),
)
"""Clauses of ISO/IEC 27559:2022, where this page speaks to them, and what it says there."""


@dataclass(frozen=True)
class Section:
    """One numbered section; without content it is left out."""

    place: str
    title: str
    content: Html | None


def render(certificate: Mapping[str, Json], findings: Mapping[str, Json]) -> str:
    """One self-contained page. Equal JSON gives equal bytes; whatever is missing is said to be missing."""
    certificate, findings = mapping(certificate), mapping(findings)
    data = datasets(certificate, findings)
    judged = [one for dataset in data for one in judgements(dataset)]
    title = text(mapping(certificate.get("release")).get("name")) or "unnamed release"
    sections = [
        Section(PLACE, "Decision", decision(certificate, findings, data, judged)),
        Section("criteria", "Criteria, and who can re-check them", criteria_section(judged)),
        Section("together", "Datasets taken together", together(findings)),
        Section("data", "The data, column by column", data_section(data)),
        Section("attacks", "What an attacker could learn", identifiability(data)),
        Section("protection", "How the data was protected, and what it cost", protection(data)),
        Section("setting", "Setting", setting(certificate)),
        Section("governance", "Who answers for it", governance(certificate)),
        Section("not-claimed", "What this release does not claim", not_claimed(data)),
    ]
    shown = [(f"{i} {one.title}", one) for i, one in enumerate([one for one in sections if one.content], 1)]
    numbered = [_section(heading, one) for heading, one in shown]
    terms = glossary.appendix(joined(numbered), data)
    appendices = [
        Section("clauses", "Where the page addresses ISO/IEC 27559:2022", _clauses({one.place: h for h, one in shown})),
        Section("terms", "Terms", terms),
    ]
    lettered = [
        (f"Appendix {letter}: {one.title}", one)
        for letter, one in zip("AB", [one for one in appendices if one.content], strict=False)
    ]
    links = [*shown, *lettered]
    body = element(
        "body",
        _header(certificate, findings, title, [(one.place, heading) for heading, one in links]),
        element("main", *numbered, *(_section(heading, one) for heading, one in lettered)),
        element(
            "footer",
            element("p", "Rendered from the certificate and the findings alone. Names and counts; no cell values."),
            element("p", "Tables behind drawings, settings and further details unfold on screen only.", class_="paper"),
        ),
    )
    return "<!DOCTYPE html>\n" + element("html", head(f"{title} — release dossier"), body, lang="en") + "\n"


def _section(heading: str, one: Section) -> Html:
    return element(
        "section",
        element("h2", heading, id=one.place),
        one.content,
        aria_labelledby=one.place,
        class_="first" if one.place == PLACE else None,
    )


def _clauses(headings: Mapping[str, str]) -> Html | None:
    """Which clause is spoken to where. It claims no conformity."""
    rows = [
        [clause, element("a", headings[place], href=f"#{place}"), words]
        for clause, place, words in CLAUSES
        if place in headings
    ]
    table = filled_table("Clauses and sections", ["Clause", "Section", "What it says"], rows, words=[1, 2])
    return folded("Clauses, and where the page addresses them", table, paper=True)


def _header(
    certificate: Mapping[str, Json], findings: Mapping[str, Json], title: str, contents: Sequence[tuple[str, str]]
) -> Html:
    recipient = text(mapping(certificate.get("release")).get("recipient"))
    when = text(findings.get("when"))
    version = text(certificate.get("version")) or text(mapping(certificate.get("versions")).get("sharewell"))
    facts = [
        joined(["for ", recipient]) if recipient else None,
        element("time", when, datetime=when) if when else None,
        f"sharewell {version}" if version else None,
    ]
    links = [element("li", element("a", words, href=f"#{place}")) for place, words in contents]
    return element(
        "header",
        element("p", "Release dossier — confidential", class_="over"),
        element("h1", name(title)),
        element("p", joined([one for one in facts if one], " · "), class_="small"),
        folded("Contents", element("nav", element("ul", *links), aria_label="Contents")),
    )
