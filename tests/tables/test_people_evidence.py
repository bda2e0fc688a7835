"""Whose record each published row is: kept in internal/, comparable between datasets, refused where it is altered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.people_evidence import LABELS, written_labels
from sharewell.protocols import PublishedDataset
from sharewell.tables import Table
from sharewell.tables.engine.people_evidence import people_of, person_names
from sharewell.wing import PEOPLE

KEY = Key(b"a key for tests, long enough")


def table(names: list[str | None], published: bool = False) -> Table:
    frame = pa.table({"who": pa.array(names, pa.string()), "age": ["[20-29]"] * len(names)})
    return Table.of(frame, quasi=["age"], subject="who", published=published)


def test_a_person_has_one_name_in_all_releases_of_a_key_and_none_in_others() -> None:
    one, two = KEY.for_release("r1", "a", "x"), KEY.for_release("r2", "b", "y")
    data = table(["Ann", "ann ", "Bob", None])
    first, second = (person_names(data, key, "who").arrow().to_pylist() for key in (one, two))
    assert first == second
    assert first[0] == first[1] != first[2]
    assert first[3] is None
    other = Key(b"another key for tests, long enough")
    assert not set(first) & set(person_names(data, other, "who").arrow().to_pylist()) - {None}


def test_labels_tell_files_and_columns_apart_and_name_neither(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("who,age\nAnn,20\n")
    (tmp_path / "b.csv").write_text("who,age\nAnn,21\n")
    data = table(["Ann"])
    told = [json.loads(written_labels(Source.of(tmp_path / f"{name}.csv"), data.rows, KEY, "who")) for name in "aab"]
    assert told[0] == told[1]
    assert told[0]["file"] != told[2]["file"]
    assert told[0]["names"] == told[2]["names"] != ""
    assert json.loads(written_labels(Source.of(pa.table({"a": [1]})), data.rows, KEY, None)) == {
        "names": "",
        "file": "",
    }


def written(place: Path, rows: Any, told: Any) -> PublishedDataset:
    pq.write_table(pa.table(rows), place / PEOPLE)
    (place / LABELS).write_text(told if isinstance(told, str) else json.dumps(told))
    return PublishedDataset("people", table(["x", "x", "y"], published=True), Source(), "tables", internal=place)


NAMED = {"names": "n", "file": "f"}


def test_it_is_read_again(tmp_path: Path) -> None:
    dataset = written(tmp_path, {"person": ["a", "a", "b"], "record": [2, 0, 1]}, NAMED)
    found = people_of(dataset)
    assert found is not None
    assert (found.names, found.file, found.records.tolist()) == ("n", "f", [2, 0, 1])
    (tmp_path / PEOPLE).unlink()
    assert people_of(dataset) is None


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ({"person": ["a", "a"], "record": [0, 1]}, NAMED),
        ({"person": ["a", "b", "b"], "record": [0, 1, 2]}, NAMED),
        ({"person": ["a", "a", None], "record": [0, 1, 2]}, NAMED),
        ({"person": ["a", "a", "b"], "record": [0, 0, 2]}, NAMED),
        ({"person": ["a", "a", "b"], "record": ["0", "1", "2"]}, NAMED),
        ({"person": ["a", "a", "b"]}, NAMED),
        ({"record": [0, 1, 2]}, NAMED),
        ({"person": ["a", "a", "b"], "record": [0, 1, 2]}, {"names": 3, "file": "f"}),
        ({"person": ["a", "a", "b"], "record": [0, 1, 2]}, "["),
    ],
    ids=["rows", "other persons", "nobody", "twice", "texts", "no records", "no persons", "labels", "no labels"],
)
def test_what_does_not_fit_the_certified_evidence_is_refused(tmp_path: Path, rows: Any, told: Any) -> None:
    with pytest.raises(DataError, match="damaged"):
        people_of(written(tmp_path, rows, told))
