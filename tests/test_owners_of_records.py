"""Whose each published record is: kept in internal/, comparable between releases, refused where altered."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.people_evidence import (
    LABELS,
    NotComparable,
    PeopleEvidence,
    joined_places,
    lasting_names,
    owners_of,
    owners_table,
)
from sharewell.protocols import PublishedDataset
from sharewell.wing import PEOPLE

KEY = Key(b"a key for tests, long enough")
PERSONS = ["Ann", "Bob", "Cleo"]


def test_a_person_has_one_name_in_all_releases_of_a_key() -> None:
    tables = [
        owners_table(PERSONS, np.array([2, 0]), KEY.for_release(name, "dx", name), "who") for name in ("r1", "r2")
    ]
    assert tables[0].equals(tables[1])
    assert tables[0]["record"].to_pylist() == [2, 0]
    assert tables[0]["person"].to_pylist() == [lasting_names(KEY, "who").pseudonym(name) for name in ("Cleo", "Ann")]
    assert owners_table(PERSONS, np.array([0]), KEY, None).column_names == ["record"]


def written(place: Path, persons: list[str], records: list[Any]) -> PublishedDataset:
    pq.write_table(pa.table({"person": persons, "record": records}), place / PEOPLE)
    (place / LABELS).write_text(json.dumps({"names": "n", "file": ""}))
    return PublishedDataset("dx", None, Source(), "codes", internal=place)


def test_it_is_read_again_and_refused_where_it_contradicts_the_certified_persons(tmp_path: Path) -> None:
    read = owners_of(written(tmp_path, ["1", "2", "3"], [0, 1, 2]), 3, ["x", "y", "z"])
    assert read is not None
    assert read.persons is not None
    assert read.persons.to_pylist() == ["1", "2", "3"]
    for persons, records in ((["1", "1", "3"], [0, 1, 2]), (["1", "2", "3"], [0, 0, 2]), (["1", "2"], [0, 1])):
        with pytest.raises(DataError, match="damaged"):
            owners_of(written(tmp_path, persons, records), 3, ["x", "y", "z"])


def test_without_the_folder_there_is_none(tmp_path: Path) -> None:
    assert owners_of(PublishedDataset("dx", None, Source(), "codes"), 1, None) is None
    assert owners_of(PublishedDataset("dx", None, Source(), "codes", internal=tmp_path), 1, None) is None


@dataclass(frozen=True)
class Owned:
    title: str
    people: PeopleEvidence | None
    files: frozenset[int] = frozenset()


def owned(title: str, persons: str) -> Owned:
    return Owned(title, PeopleEvidence("n", "", pa.array(list(persons)), np.arange(len(persons))))


def test_records_stand_beside_every_record_of_their_person() -> None:
    own, other = owned("own", "xyz"), owned("other", "yxx")
    alone, both = sorted((one.tolist() for one in joined_places(own, 3, [other], 10)), key=len)
    assert alone == [[2, -1]]
    assert both == [[0, 1], [0, 2], [1, 0]]
    with pytest.raises(NotComparable, match="too many"):
        joined_places(own, 3, [other], 3)
    with pytest.raises(NotComparable, match="is missing"):
        joined_places(own, 3, [Owned("other", None)], 10)
