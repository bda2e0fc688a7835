"""The page as a whole: well-formed, self-contained, honest about what is missing."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from page_structure import faults, words

from sharewell.dossier import render
from sharewell.dossier.style import CSS

Json = dict[str, Any]


def parsed(page: str) -> ElementTree.Element:
    """The page is well-formed XML as well as HTML, so a strict parser can read it."""
    doctype, _, body = page.partition("\n")
    assert doctype == "<!DOCTYPE html>"
    page.encode("utf-8")
    return ElementTree.fromstring(body)


class Seen(HTMLParser):
    """What a browser's parser makes of it."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs


def test_the_page_is_well_formed_and_its_sections_are_numbered_from_1(certificate: Json, findings: Json) -> None:
    page = render(certificate, findings)
    root = parsed(page)
    assert root.get("lang") == "en"
    assert faults(page) == []
    assert [words(h) for h in root.iter("h2")] == [
        "1 Decision",
        "2 Criteria, and who can re-check them",
        "3 The data, column by column",
        "4 What an attacker could learn",
        "5 How the data was protected, and what it cost",
        "6 Setting",
        "7 Who answers for it",
        "8 What this release does not claim",
        "Appendix A: Where the page addresses ISO/IEC 27559:2022",
        "Appendix B: Terms",
    ]
    headings = [words(h) for h in root.iter("h3")]
    places = [headings.index(one) for one in ("Singling out", "Linkability", "Inference")]
    assert places == sorted(places)


def test_details_are_folded_and_paper_shows_what_matters(certificate: Json, findings: Json) -> None:
    """What is folded is either opened by the printer or left out: nobody unfolds paper."""
    root = parsed(render(certificate, findings))
    kinds = {one.get("class") for one in root.iter("details")}
    assert kinds == {"on-paper", "on-screen"}
    printed = CSS.partition("@media print")[2]
    assert "details.on-paper::details-content { content-visibility: visible;" in printed
    assert "details.on-screen, .on-screen, nav { display: none; }" in printed
    assert ".first { break-after: page; }" in printed


def test_the_checker_of_structure_finds_what_is_wrong() -> None:
    """A checker that finds nothing would let every page pass."""
    table = "<table><tr><th>a</th><td>—</td></tr></table>"
    wrong = f'<body><h2>2 B</h2><a href="#x">x</a><details><p>a</p></details>{table}<pre>{{"a": 1}}</pre></body>'
    found = " ".join(faults(f"<!DOCTYPE html>\n{wrong}"))
    for what in ("not numbered", "no summary", "an empty row", "raw JSON", "without its target"):
        assert what in found


def test_ids_are_unique_and_every_link_and_label_has_its_target(certificate: Json, findings: Json) -> None:
    findings["datasets"]["second"] = copy.deepcopy(findings["datasets"]["patients"])
    root = parsed(render(certificate, findings))
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    asked = [a.get("href", "")[1:] for a in root.iter("a")]
    asked += [i for e in root.iter() for i in (e.get("aria-labelledby") or "").split()]
    assert set(asked) <= set(ids)


def test_every_figure_holds_a_table_with_the_numbers_that_are_drawn(certificate: Json, findings: Json) -> None:
    root = parsed(render(certificate, findings))
    figures = list(root.iter("figure"))
    assert len(figures) >= 5
    for figure in figures:
        order = [e.tag for e in figure.iter() if e.tag in ("figcaption", "desc", "table")]
        assert order[0] == "figcaption"
        assert order[-1] == "table"
        cells = {words(e) for e in figure.iter() if e.tag in ("td", "th")}
        drawn = [words(e) for e in figure.iter("text")]
        assert drawn
        assert set(drawn) <= cells or figure.get("class") == "risk"  # which has a test of its own
        for drawing in (e for e in figure.iter("svg") if e.get("role") == "img"):
            assert [e.tag for e in list(drawing)[:2]] == ["title", "desc"]
            assert all(words(e) for e in list(drawing)[:2])


def test_figures_tell_the_numbers_of_the_findings(certificate: Json, findings: Json) -> None:
    root = parsed(render(certificate, findings))
    counts = findings["datasets"]["patients"]["attacks"][0]["after"]["details"]["records_by_risk"]
    first = next(figure for figure in root.iter("figure") if figure.get("class") != "risk")
    rows = [[words(e) for e in row] for row in first.iter("tr")][1:]
    told = [int(row[2].replace(" ", "")) for row in rows]
    assert sum(told) == sum(counts.values())
    assert set(counts.values()) <= set(told)


def test_nothing_is_fetched_and_nothing_runs(certificate: Json, findings: Json) -> None:
    page = render(certificate, findings)
    assert "<script" not in page.lower()
    assert not re.search(r"https?:|//|url\(|@import|javascript:", page)
    seen = Seen()
    seen.feed(page)
    assert not {"script", "link", "img", "iframe", "object", "embed", "form", "base"} & set(seen.tags)
    names = {name for name, _ in seen.attributes}
    assert not {name for name in names if name.startswith("on")} | (names & {"src", "style", "srcset", "action"})
    assert all((value or "").startswith("#") for name, value in seen.attributes if name == "href")


def test_hostile_names_are_text(hostile: tuple[Json, Json, str], certificate: Json, findings: Json) -> None:
    """Whatever stands in a name, the tree has the same tags, and no attribute that was not written here."""
    page = render(*hostile[:2])
    root, plain = parsed(page), Seen()
    second = {"datasets": {name: one for name in ("patients", "second") for one in findings["datasets"].values()}}
    plain.feed(render(certificate, findings | second))
    assert "<script" not in page.lower()
    assert "<img" not in page
    assert "\u202e" not in page
    seen = Seen()
    seen.feed(page)
    assert set(seen.tags) <= set(plain.tags)
    assert {name for name, _ in seen.attributes} <= {name for name, _ in plain.attributes}
    assert "<script>alert('1')</script>" in words(root)


def test_equal_input_gives_equal_bytes(certificate: Json, findings: Json) -> None:
    before = copy.deepcopy((certificate, findings))
    assert render(certificate, findings) == render(*copy.deepcopy((certificate, findings)))
    assert (certificate, findings) == before


def test_no_cell_value_is_on_the_page(certificate: Json, findings: Json) -> None:
    page = render(certificate, findings)
    assert not [value for value in ("asthma", "gout", "flu", "02117") if value in page]


@pytest.mark.parametrize(
    "inputs", [({}, {}), ({"datasets": {}}, {"datasets": {}}), ({"datasets": None}, {"when": None})]
)
def test_an_empty_release_is_said_to_be_empty(inputs: tuple[Json, Json]) -> None:
    root = parsed(render(*inputs))
    assert "This release contains no dataset." in words(root)
    assert not list(root.iter("figure"))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The path of every part of a JSON value."""
    held = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in held:
        yield (*path, key)
        yield from places(inner, (*path, key))


ODD = st.sampled_from(
    (
        *(None, "", "x<y", 0, -3, 10**400, float("nan"), 1e308, True, [], {}, [None], ["a", 2, None]),
        *({"a": {"b": [1, {"c": "<i>"}]}}, {"value": None}, {"value": 0.5, "exact": "1/2"}, {"1.0": 3, "7": "x"}),
    )
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_part_may_be_missing_or_odd(data: st.DataObject, certificate: Json, findings: Json) -> None:
    """Whatever is broken in the JSON, an officer gets a page that can be read."""
    whole = copy.deepcopy({"certificate": certificate, "findings": findings})
    for _ in range(data.draw(st.integers(1, 4))):
        *way, last = data.draw(st.sampled_from(list(places(whole))))
        if not way:
            continue
        parent: Any = whole
        for step in way:
            parent = parent[step]
        if data.draw(st.booleans()) and isinstance(parent, dict):
            del parent[last]
        else:
            parent[last] = copy.deepcopy(data.draw(ODD))
    page = render(whole["certificate"], whole["findings"])
    parsed(page)
    assert not [fault for fault in faults(page) if "raw JSON" not in fault]


def test_an_unknown_kind_of_data_gets_a_generic_table() -> None:
    found = {"name": "beacon", "value": 0.61, "unit": "AUC", "details": {"power": {"0.05": 0.125}, "queries": 20}}
    findings = {
        "datasets": {"dna": {"kind": "genomes", "attacks": [{"name": "beacon", "before": None, "after": found}]}}
    }
    rows = [[words(cell) for cell in row] for row in parsed(render({}, findings)).iter("tr")]
    assert ["power · 0.05", "0.125"] in rows
    assert ["queries", "20"] in rows
    assert ["Beacon: members recognised by yes and no", "0.61 AUC"] in rows
