"""The description of the API says what the application does."""

from __future__ import annotations

import json
import re

from sharewell.queries.service.openapi import description, description_page
from sharewell.queries.service.problems import CODES


def test_every_reference_resolves_and_every_status_is_known() -> None:
    api = description()
    text = json.dumps(api)
    for name in re.findall(r"#/components/schemas/(\w+)", text):
        assert name in api["components"]["schemas"]
    for methods in api["paths"].values():
        for operation in methods.values():
            assert set(map(int, operation["responses"])) <= {200, *CODES.values()}
            assert {"summary", "description", "responses"} <= set(operation)


def test_the_page_names_every_place_and_needs_nothing_from_elsewhere() -> None:
    page = description_page()
    for path in description()["paths"]:
        assert path in page
    assert not re.search(r"https?://|<script|style=", page)
