"""The page: from a certificate and its findings, and nothing else, to one HTML file."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping

from sharewell.dossier.identifiability import identifiability
from sharewell.dossier.markup import Html, element, joined, name
from sharewell.dossier.sections import context, data_assessment, governance
from sharewell.dossier.style import CSS
from sharewell.dossier.together import together
from sharewell.dossier.verdict import verdict
from sharewell.dossier.views import datasets, mapping, text
from sharewell.plain_data import Json

CONTENTS = {
    "verdict": "Verdict",
    "together": "Datasets together",
    "context": "6 Context",
    "data": "7 Data",
    "identifiability": "8 Identifiability",
    "governance": "9 Governance",
    "not-claimed": "Not claimed",
}


def render(certificate: Mapping[str, Json], findings: Mapping[str, Json]) -> str:
    """One self-contained page. Equal JSON gives equal bytes; whatever is missing is said to be missing."""
    certificate, findings = mapping(certificate), mapping(findings)
    data = datasets(certificate, findings)
    title = text(mapping(certificate.get("release")).get("name")) or "unnamed release"
    jointly = together(findings)
    body = element(
        "body",
        _header(certificate, findings, title, {n: w for n, w in CONTENTS.items() if jointly or n != "together"}),
        element(
            "main",
            verdict(certificate, data),
            jointly,
            context(certificate),
            data_assessment(data),
            identifiability(data),
            governance(certificate, data),
        ),
        element(
            "footer",
            element("p", "Rendered from the certificate and the findings alone. Names and counts; no cell values."),
        ),
    )
    return "<!DOCTYPE html>\n" + element("html", head(f"{title} — release dossier"), body, lang="en") + "\n"


def head(title: str) -> Html:
    """The content policy forbids whatever this page does not need: scripts, pictures, fonts, forms, and any address."""
    digest = base64.b64encode(hashlib.sha256(CSS.encode()).digest()).decode()
    rules = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=rules),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Html(CSS)),
    )


def _header(
    certificate: Mapping[str, Json], findings: Mapping[str, Json], title: str, contents: Mapping[str, str]
) -> Html:
    recipient = text(mapping(certificate.get("release")).get("recipient"))
    when = text(findings.get("when"))
    version = text(certificate.get("version")) or text(mapping(certificate.get("versions")).get("sharewell"))
    told = [
        joined(["for ", recipient]) if recipient else None,
        element("time", when, datetime=when) if when else None,
        f"sharewell {version}" if version else None,
    ]
    links = [element("li", element("a", words, href=f"#{place}")) for place, words in contents.items()]
    return element(
        "header",
        element("p", "Release dossier", class_="over"),
        element("h1", name(title)),
        element("p", joined([one for one in told if one], " · "), class_="small"),
        element("nav", element("ul", *links), aria_label="Contents"),
    )
