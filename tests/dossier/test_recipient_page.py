"""The page for recipients: from the certificate alone, the same bytes each time, and nothing confidential."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from page_structure import faults, words
from test_dossier_page import ODD, parsed, places

from sharewell.dossier.recipient_page import recipient_page

Json = dict[str, Any]


def said(certificate: Json) -> str:
    return words(parsed(recipient_page(certificate)))


def test_it_says_what_the_columns_are_how_to_re_check_and_what_not_to_assume(certificate: Json) -> None:
    page = said(certificate)
    assert faults(recipient_page(certificate)) == []
    for column in certificate["datasets"]["patients"]["columns"]:
        assert column in page
    assert "sha256sum -c SHA256SUMS" in page
    assert "sharewell verify . --key SIGNER.pub" in page
    assert "ranges, wherever the exact value would disclose too much" in page
    assert "the holder of key SHA256:4mZ0bq1v7cXo" in page
    assert "That the data is legally anonymous" in page
    assert "in 1 point, which the certificate lists" in page


def test_codes_are_said_to_be_left_out_too(certificate: Json) -> None:
    """A reader who counts them must know that a code that is not shown may still be there."""
    columns = certificate["datasets"]["patients"]["columns"]
    columns["codes"] = {"role": "quasi", "kind": "codes", "style": "labels", "hierarchy": "icd10cm"}
    assert "labels of several codes by icd10cm, or left out, wherever the exact value" in said(certificate)


def test_an_unsigned_release_is_said_to_be_unsigned(certificate: Json) -> None:
    page = said(certificate | {"signed_by": None})
    assert "not signed" in page
    assert "--key" not in page


def test_it_depends_on_nothing_but_what_the_certificate_says_of_the_data(certificate: Json) -> None:
    """Hashes of files and versions of software are no part of it: the hash of this page is among them."""
    page = recipient_page(certificate)
    other = copy.deepcopy(certificate) | {"files": {}, "versions": {"python": "4"}, "version": "9"}
    assert recipient_page(other) == page
    reordered = json.loads(json.dumps(certificate))
    assert recipient_page(reordered) == page
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", page.partition("</style>")[2].replace("diabetes-2026", ""))


def test_labels_and_values_of_a_dictionary_are_not_repeated(certificate: Json) -> None:
    """Names of columns only: what cells may hold stays in the dictionary."""
    columns = certificate["datasets"]["patients"]["columns"]
    columns["zip"] |= {"style": "public labels", "labels": ["CANARY-1"], "above": {"CANARY-2": "CANARY-3"}}
    columns["age"]["settings"] = {"width": "CANARY-4"}
    assert "CANARY" not in recipient_page(certificate)


def test_hostile_names_are_text(hostile: tuple[Json, Json, str], certificate: Json) -> None:
    page = recipient_page(hostile[0])
    assert "<script" not in page.lower()
    assert "<img" not in page
    tags = set(re.findall(r"<([a-z0-9]+)", recipient_page(certificate))) | {"td"}
    assert set(re.findall(r"<([a-z0-9]+)", page)) <= tags


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_part_may_be_missing_or_odd(data: st.DataObject, certificate: Json) -> None:
    whole = copy.deepcopy(certificate)
    *way, last = data.draw(st.sampled_from(list(places(whole))))
    parent: Any = whole
    for step in way:
        parent = parent[step]
    parent[last] = copy.deepcopy(data.draw(ODD))
    parsed(recipient_page(whole))


def test_the_page_of_a_release_holds_no_cell_value(small_release: Path) -> None:
    import pyarrow.parquet as pq

    page = said(json.loads((small_release / "public" / "certificate.json").read_text()))
    assert (small_release / "public" / "README.html").is_file()
    for column in ("person", "diagnosis", "plan"):
        values = {str(v) for v in pq.read_table(small_release / "public" / "patients.parquet")[column].to_pylist()}
        assert not [value for value in values if len(value) > 3 and value in page]


def test_what_holds_of_a_column_of_text_is_listed_with_its_column(certificate: Json) -> None:
    """It may be the only claim that a recipient can re-check."""
    finding = {"name": "text-agrees-with-table", "column": "remarks", "bound": 0, "sense": "≤", "tier": "recipient"}
    altered = json.loads(json.dumps(certificate))
    name = next(iter(altered["datasets"]))
    altered["datasets"][name]["texts"] = {"columns": {"remarks": {"findings": [finding | {"ok": True, "value": 0}]}}}
    page = recipient_page(altered)
    assert "Texts that say more than the published cells of their row: remarks" in page
    assert "text-agrees-with-table" not in page
