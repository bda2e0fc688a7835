"""Every term that the page links to is explained, in the sentence that the catalogue has for it."""

from __future__ import annotations

import re
from typing import Any

from sharewell import registry
from sharewell.dossier import glossary, render

Json = dict[str, Any]


def test_every_criterion_attack_measure_and_mechanism_leads_to_its_meaning(certificate: Json, findings: Json) -> None:
    page = render(certificate, findings)
    for name in ("k-anonymity", "l-diversity", "prosecutor", "linkage", "mondrian", "detail-lost"):
        assert f'href="#term-{name}"' in page
        assert f'id="term-{name}"' in page
    entry = next(one for one in registry.entries("tables", "criteria") if one.name == "k-anonymity")
    assert entry.summary.partition(": ")[2][1:] in page


def test_terms_that_are_not_used_are_not_explained(certificate: Json, findings: Json) -> None:
    page = render(certificate, findings)
    explained = set(re.findall(r'id="term-([a-z0-9-]+)"', page))
    assert explained == set(re.findall(r'href="#term-([a-z0-9-]+)"', page))
    assert "t-closeness" not in explained


def test_what_the_catalogue_does_not_know_is_no_link() -> None:
    assert glossary.algorithm("average risk") == "average risk"
    assert glossary.meaning("average risk", "tables") == ""
    assert "href" in glossary.algorithm("k-anonymity")
