"""Whose each published record of codes is: kept in internal/, comparable between releases, refused where altered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.codes import CodeSets
from sharewell.codes.engine.published_owners import owner_labels, owners_of, owners_table
from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.people_evidence import LABELS, lasting_names
from sharewell.protocols import PublishedDataset
from sharewell.wing import PEOPLE

KEY = Key(b"a key for tests, long enough")
ORIGINAL = CodeSets.of([["a"], ["b"], ["c"]], persons=["Ann", "Bob", "Cleo"])


def test_a_person_has_one_name_in_all_releases_of_a_key() -> None:
    tables = [
        owners_table(ORIGINAL, np.array([2, 0]), KEY.for_release(name, "dx", name), "who") for name in ("r1", "r2")
    ]
    assert tables[0].equals(tables[1])
    assert tables[0]["record"].to_pylist() == [2, 0]
    assert tables[0]["person"].to_pylist() == [lasting_names(KEY, "who").pseudonym(name) for name in ("Cleo", "Ann")]
    assert owners_table(ORIGINAL, np.array([0]), KEY, None).column_names == ["record"]


def test_records_are_compared_only_where_nobody_is_named(tmp_path: Path) -> None:
    (tmp_path / "dx.csv").write_text("who,code\nAnn,a\n")
    source = Source.of(tmp_path / "dx.csv")
    named = json.loads(owner_labels(ORIGINAL, source, KEY, "who", ("person", "code")))
    nameless = [json.loads(owner_labels(ORIGINAL, source, KEY, None, ("person", one))) for one in ("code", "dx")]
    assert named["names"]
    assert not named["file"]
    assert not nameless[0]["names"]
    assert nameless[0]["file"] != nameless[1]["file"] != ""


def written(place: Path, persons: list[str], records: list[Any]) -> PublishedDataset:
    pq.write_table(pa.table({"person": persons, "record": records}), place / PEOPLE)
    (place / LABELS).write_text(json.dumps({"names": "n", "file": ""}))
    data = CodeSets.of([["a"], ["a"], ["b"]], published=True, persons=["x", "y", "z"])
    return PublishedDataset("dx", data, Source(), "codes", internal=place)


def test_it_is_read_again_and_refused_where_it_contradicts_the_certified_persons(tmp_path: Path) -> None:
    read = owners_of(written(tmp_path, ["1", "2", "3"], [0, 1, 2]))
    assert read is not None
    assert read.persons is not None
    assert read.persons.to_pylist() == ["1", "2", "3"]
    for persons, records in ((["1", "1", "3"], [0, 1, 2]), (["1", "2", "3"], [0, 0, 2]), (["1", "2"], [0, 1])):
        with pytest.raises(DataError, match="damaged"):
            owners_of(written(tmp_path, persons, records))


def test_without_the_folder_there_is_none(tmp_path: Path) -> None:
    data = CodeSets.of([["a"]], published=True)
    assert owners_of(PublishedDataset("dx", data, Source(), "codes")) is None
    assert owners_of(PublishedDataset("dx", data, Source(), "codes", internal=tmp_path)) is None
