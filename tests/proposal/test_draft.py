"""The draft as a whole: it parses, it loads, and it never holds a value."""

from __future__ import annotations

import csv
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet
from ruamel.yaml import YAML

from sharewell.errors import DataError, PolicyError
from sharewell.policy import check
from sharewell.proposal import propose
from sharewell.proposal.yaml_text import scalar


def parsed(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


def write(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    return path


HEADER = ["patient_id", "name", "email", "birth_date", "sex", "zip", "admitted", "remarks", "diagnosis"]
HEADER += ["score", "const", "kontakt", "misc"]


def hospital(path: Path, rows: int = 300) -> Path:
    draw = random.Random(7)
    return write(
        path,
        HEADER,
        [
            (
                f"CANARY{i // 2}",
                f"Canary{i} Bird",
                f"canary{i}@bird.org",
                f"{draw.randrange(1, 29)}.{draw.randrange(1, 13)}.{draw.randrange(1930, 2000)}",
                draw.choice(["canaryF", "canaryM"]),
                f"{draw.randrange(10000, 10050)}",
                f"2020-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}",
                f"the canary sang very loudly at night and was told to stop {i}",
                draw.choice(["E11.9", "I10", "J45.909", "C50.911"]),
                draw.randrange(7_770_000, 7_770_099),
                "canary-constant",
                f"Canary{chr(97 + i % 26)}, Ann",
                draw.choice(["canary-x", "canary-y"]),
            )
            for i in range(rows)
        ],
    )


def test_the_draft_of_a_synthetic_hospital_loads_without_mistakes(tmp_path: Path) -> None:
    text = propose([hospital(tmp_path / "patients.csv")], name="demo", base=tmp_path)
    (tmp_path / "policy.yaml").write_text(text, encoding="utf-8")
    policy = check(tmp_path / "policy.yaml")
    rules = {name: str(rule.role) for name, rule in policy.datasets["patients"].columns.items()}
    assert rules == {
        "patient_id": "subject",
        "name": "drop",
        "email": "drop",
        "birth_date": "quasi",
        "sex": "quasi",
        "zip": "quasi",
        "admitted": "shift",
        "remarks": "text",
        "diagnosis": "sensitive",
        "score": "quasi",
        "const": "keep",
        "kontakt": "drop",
        "misc": "quasi",
    }
    assert {one.name for one in policy.datasets["patients"].require} == {"k-anonymity", "l-diversity"}
    assert "birth_date + sex + zip make" in text
    assert "unsure" in text


def test_no_value_is_in_the_draft(tmp_path: Path) -> None:
    """Every cell is a canary; none sings."""
    path = hospital(tmp_path / "patients.csv")
    text = propose([path], base=tmp_path)
    with path.open(encoding="utf-8") as file:
        cells = {cell for row in list(csv.reader(file))[1:] for cell in row}
    assert [cell for cell in cells if cell in text] == []
    assert "canary" not in text.lower()


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=12)
ODD = [
    "yes",
    "No",
    "null",
    "~",
    "1",
    "1e3",
    "0x1F",
    ".5",
    "a: b",
    "- a",
    "#x",
    " x ",
    "'",
    '"',
    "\\",
    "[a]",
    "{b}",
    "&a",
    "*a",
]
ODD += [
    "!t",
    "%d",
    "@x",
    "`",
    "a\nb",
    "\ta",
    "é",
    "名前",
    "=",
    "<<",
    "?",
    "|",
    ">",
    "a #b",
    "2020-01-01",
    "\x85",
    "\u2028",
    "\ufeff",
]
ODD += [
    "x" * 2000,
    "on",
    "NaN",
    ".inf",
    "+1",
    "1_000",
    "0o7",
    "12:30:45",
    "_1",
    "😀",
    "\x7f",
    "\x1b[31m",
    "y",
    "n",
    "--- a",
]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(NAMES | st.sampled_from(ODD), min_size=1, max_size=8, unique=True))
def test_any_column_names_come_back_from_the_draft(tmp_path: Path, names: list[str]) -> None:
    path = tmp_path / "odd.parquet"
    parquet.write_table(pa.table({name: ["a", "b"] for name in names}), path)
    found = parsed(propose([path]))
    assert list(found["datasets"]["odd"]["columns"]) == names


CONTROL = ["\x85", "\x7f", "\x1b[31m"]


@pytest.mark.parametrize("name", [name for name in ODD if name not in CONTROL], ids=ascii)
def test_odd_names_are_quoted_so_that_a_policy_finds_them(name: str, tmp_path: Path) -> None:
    parquet.write_table(pa.table({name: ["a", "b"]}), tmp_path / "odd.parquet")
    (tmp_path / "p.yaml").write_text(propose([tmp_path / "odd.parquet"], base=tmp_path), encoding="utf-8", newline="")
    assert list(check(tmp_path / "p.yaml").datasets["odd"].columns) == [name]


@pytest.mark.parametrize("name", CONTROL, ids=ascii)
def test_names_that_a_policy_refuses_are_mentioned(name: str, tmp_path: Path) -> None:
    parquet.write_table(pa.table({name: ["a", "b"]}), tmp_path / "odd.parquet")
    assert "1 column names hold control characters" in propose([tmp_path / "odd.parquet"])


@given(NAMES)
def test_a_scalar_is_one_line_and_comes_back(text: str) -> None:
    assert len(scalar(text).splitlines()) == 1
    assert parsed(f"k: {scalar(text)}") == {"k": text}


def test_files_become_datasets_and_shared_persons_are_mentioned(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    paths = [
        hospital(tmp_path / "Patients (new).csv"),
        hospital(tmp_path / "b" / "Patients (new).csv"),
        tmp_path / "con.csv",
    ]
    write(paths[2], ["patient_id", "drug"], [(i // 2, "ab"[i % 2]) for i in range(40)])
    text = propose(paths, base=tmp_path)
    found = parsed(text)["datasets"]
    assert list(found) == ["Patients-new", "Patients-new-2", "data-con"]
    assert found["Patients-new-2"]["read"]["csv"] == "b/Patients (new).csv"
    assert "# About the same people: Patients-new, Patients-new-2." in text


def test_paths_are_relative_to_the_policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(Path("a.csv"), ["x"], [("1",)])
    Path("policies").mkdir()
    for path, base, expected in [
        (Path("a.csv"), None, "a.csv"),
        (Path("a.csv"), Path("policies"), "../a.csv"),
        (tmp_path / "a.csv", tmp_path, "a.csv"),
        (tmp_path / "a.csv", Path("policies"), (tmp_path / "a.csv").as_posix()),
    ]:
        assert parsed(propose([path], base=base))["datasets"]["a"]["read"] == {"csv": expected}


@pytest.mark.parametrize("rows", [[], [("p1", "F", "flu", "2020-01-01")]], ids=["header only", "one row"])
def test_small_files_give_a_draft_that_says_so(rows: list[tuple[str, ...]], tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", ["patient_id", "sex", "disease", "when"], rows)
    text = propose([path], base=tmp_path)
    (tmp_path / "p.yaml").write_text(text, encoding="utf-8")
    assert str(check(tmp_path / "p.yaml").datasets["a"].columns["sex"].role) == "quasi"
    assert "Fewer than 11 persons" in text


def test_a_file_without_a_header_line_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", ["1970-01-02", "02139", "F"], [("1971-03-04", "02140", "M")])
    with pytest.raises(DataError, match="no header line, it seems: 2 of its 3"):
        propose([path])


def test_without_a_subject_the_draft_says_so(tmp_path: Path) -> None:
    assert "No column identifies the person of a record" in propose(
        [write(tmp_path / "a.csv", ["age"], [("1",), ("2",)])]
    )


@pytest.mark.parametrize(("content", "says"), [(b"", "empty"), (b"a,,b\n1,2,3\n", "without a name")])
def test_bad_files_are_data_errors(content: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(DataError, match=says):
        propose([tmp_path / "a.csv"])


def test_no_file_and_a_bad_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no file"):
        propose([])
    with pytest.raises(PolicyError, match="such as a-b"):
        propose([tmp_path / "x.csv"], name="a/b")


def test_wide_and_long_files_are_quick(tmp_path: Path) -> None:
    """Counted in processor time, so that a busy machine does not fail it."""
    draw = np.random.default_rng(1)
    parquet.write_table(pa.table({f"c{i}": draw.integers(0, 50, 2000) for i in range(300)}), tmp_path / "wide.parquet")
    long: dict[str, Any] = {f"c{i}": draw.integers(0, 10**i, 200_000).astype(str) for i in range(9)}
    long["patient_id"] = draw.integers(0, 10**5, 200_000)
    parquet.write_table(pa.table(long), tmp_path / "long.parquet")
    start = time.process_time()
    assert len(parsed(propose([tmp_path / "wide.parquet"]))["datasets"]["wide"]["columns"]) == 300
    propose([tmp_path / "long.parquet"])
    assert time.process_time() - start < 15
