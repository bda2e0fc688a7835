# ruff: noqa: E501
"""A JSON array of objects is a table, however long its objects are and wherever a piece of the file ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.io import json_array
from sharewell.io.json_array import json_names, json_table, read_array
from sharewell.io.sources import Source

VALUES = st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"), max_size=8)
RECORDS = st.lists(st.fixed_dictionaries({"a": VALUES, "b": st.lists(VALUES, max_size=2)}), min_size=1, max_size=6)


@given(records=RECORDS, piece=st.integers(1, 9), indent=st.sampled_from([None, 1]))
def test_objects_are_read_as_a_json_parser_reads_them(
    tmp_path_factory: pytest.TempPathFactory, records: list[dict[str, object]], piece: int, indent: int | None
) -> None:
    path = tmp_path_factory.mktemp("json") / "a.json"
    path.write_text(json.dumps(records, indent=indent, ensure_ascii=False), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_array, "_PIECE", piece)
        assert [record for _, record in read_array(path)] == records


def test_numbers_keep_their_digits_and_keys_are_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[{"zip": "02139", "dose": 1.50}, {"dose": 2}]')
    assert json_names(path) == ["zip", "dose"]
    assert json_table(path, ["dose"]).to_pydict() == {"dose": ["1.50", "2"]}
    assert Source.of(path).read().to_pydict() == {"zip": ["02139", None], "dose": ["1.50", "2"]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"a": 1} {"a": 2}]', "a.json, object 2 — is not valid JSON — check that the file is complete"),
        ('[{"a": 1},]', "a.json, object 2 — is not a JSON object — an array of objects is wanted, each a row of the table"),
        ('[{"a": 1}] SECRET', "a.json — goes on after its JSON array — an array of objects is wanted, each a row of the table"),
        ('{"a": "SECRET"}', "a.json — is not a JSON array — an array of objects is wanted, each a row of the table"),
    ],
)  # fmt: skip
def test_a_broken_array_is_told_by_its_place(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(DataError) as caught:
        Source(path, "json").read()
    assert str(caught.value) == message


def test_an_empty_array_has_no_columns(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[]")
    with pytest.raises(DataError) as caught:
        Source(tmp_path / "a.json", "json").names()
    told = "holds no JSON object with a key — an array of objects is wanted, each a row of the table"
    assert str(caught.value) == f"a.json — {told}"
