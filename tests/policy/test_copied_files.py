"""Which datasets read the same table, by content."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.policy import check
from sharewell.policy.copied_files import CopiedFiles
from sharewell.policy.redact import redacted

DATASET = """\
  {name}:
    kind: tables
    read: {{csv: {file}}}
    columns: {columns}
    require: [k-anonymity: {{k: 2}}]
    using: mondrian
"""
ROWS = [f"p{i},{20 + i},{'FM'[i % 2]}" for i in range(10)]


def policy(place: Path, second: list[str], columns: str) -> Path:
    (place / "one.csv").write_text("\n".join(["person,age,sex", *ROWS]) + "\n")
    (place / "two.csv").write_text("\n".join(second) + "\n")
    first = DATASET.format(name="first", file="one.csv", columns="{person: subject, age: quasi, sex: drop}")
    other = DATASET.format(name="second", file="two.csv", columns=columns)
    path = place / "policy.yaml"
    path.write_text(f"sharewell: 1\nrelease: {{name: r}}\ndatasets:\n{first}{other}write: {{csv: out}}\n")
    return path


def test_columns_of_a_copy_are_known_by_the_names_that_are_published(tmp_path: Path) -> None:
    """`sex` is published by nobody under that name, so the certificate does not show it."""
    path = policy(tmp_path, ["who,years,gender", *ROWS[::-1]], "{who: subject, years: quasi, gender: sensitive}")
    found = check(path)
    copied = CopiedFiles.of(found)
    assert copied.labels == {"first": [0], "second": [0]}
    assert copied.first_names(found.datasets["second"]) == {"who": "person", "years": "age", "gender": "sex"}
    assert redacted(found)["datasets"]["second"]["renamed"] == {"years": "age"}


@pytest.mark.parametrize(
    ("rows", "labels"),
    [([f"P{i} ,{i % 3}" for i in range(10)], [0]), ([f"p{i},1" for i in range(11)], [1]), (["p1,1"] * 10, [1])],
    ids=["the same persons", "one more person", "one person with all rows"],
)
def test_files_with_one_row_for_each_of_the_same_persons_are_one_table(
    tmp_path: Path, rows: list[str], labels: list[int]
) -> None:
    path = policy(tmp_path, ["who,ward", *rows], "{who: subject, ward: quasi}")
    assert CopiedFiles.of(check(path)).labels["second"] == labels
