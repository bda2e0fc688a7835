"""Copies of one file are judged as the file itself: in another order, with other columns, in another format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from sharewell.errors import Infeasible
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

NAMES = ("person", "age", "town", "illness")
OTHER_NAMES = {"person": "patient", "age": "years", "town": "place", "illness": "dx"}
COUNTS = """\
  {name}:
    kind: reports
    read: {{{read}}}
    columns: {columns}
    require: [cell-protection: {{threshold: 5}}]
    using: cell-suppression
"""
RECORDS = """\
  {name}:
    kind: tables
    read: {{{read}}}
    columns: {columns}
    require: [k-anonymity: {{k: 3}}]
    using: mondrian
"""


def people() -> pa.Table:
    cells = [("flu", "a")] + [("flu", "b")] * 14 + [("gout", "a")] * 14 + [("gout", "b")] * 4
    return pa.table(
        {
            "person": [f"p{i}" for i in range(len(cells))],
            "age": [20 + i % 30 for i in range(len(cells))],
            "town": [town for _, town in cells],
            "illness": [illness for illness, _ in cells],
        }
    )


def write_csv(table: pa.Table, path: Path) -> None:
    rows = [",".join("" if cell is None else str(cell) for cell in row.values()) for row in table.to_pylist()]
    path.write_text("\n".join([",".join(table.column_names), *rows]) + "\n")


def in_another_order(place: Path) -> tuple[str, dict[str, str]]:
    table = people()
    write_csv(table.take(list(range(len(table)))[::-1]), place / "copy.csv")
    return "csv: copy.csv", {}


def with_columns_in_another_order(place: Path) -> tuple[str, dict[str, str]]:
    write_csv(people().select(list(NAMES)[::-1]), place / "copy.csv")
    return "csv: copy.csv", {}


def under_other_names(place: Path) -> tuple[str, dict[str, str]]:
    write_csv(people().rename_columns([OTHER_NAMES[name] for name in NAMES]), place / "copy.csv")
    return "csv: copy.csv", OTHER_NAMES


def as_parquet(place: Path) -> tuple[str, dict[str, str]]:
    pq.write_table(people(), place / "copy.parquet")
    return "parquet: copy.parquet", {}


def as_arrow(place: Path) -> tuple[str, dict[str, str]]:
    feather.write_feather(people(), place / "copy.arrow", compression="uncompressed")
    return "arrow: copy.arrow", {}


def with_one_column_more(place: Path) -> tuple[str, dict[str, str]]:
    write_csv(people().append_column("visit", pa.array([f"v{i}" for i in range(33)])), place / "copy.csv")
    return "csv: copy.csv", {"visit": "visit"}


def with_other_numbers_for_persons(place: Path) -> tuple[str, dict[str, str]]:
    """Rows that nearly all differ are the same people, whatever they are called."""
    table = people().set_column(0, "person", pa.array([f"q{i}" for i in range(33)]))
    write_csv(table, place / "copy.csv")
    return "csv: copy.csv", {}


COPIES = [
    in_another_order,
    with_columns_in_another_order,
    under_other_names,
    as_parquet,
    as_arrow,
    with_one_column_more,
    with_other_numbers_for_persons,
]


def policy(
    place: Path, first: str, second: str, copy: Callable[[Path], tuple[str, dict[str, str]]], alone: str = "illness"
) -> Path:
    """By one column nothing is hidden. By both, from the copy: hidden cells that the first table gives away."""
    write_csv(people(), place / "people.csv")
    read, names = copy(place)

    def columns(**roles: str) -> str:
        return "{" + ", ".join(f"{name}: {role}" for name, role in roles.items()) + "}"

    ours = columns(**{"person": "subject", "age": "drop", "town": "drop", "illness": "drop", alone: "quasi"})
    shown = {"person": "subject", "age": "drop", "town": "quasi", "illness": "quasi"}
    roles = {names.get(name, name): role for name, role in shown.items()}
    theirs = columns(**roles, **dict.fromkeys({"visit"} & {*names}, "drop"))
    written = first.format(name="by-one", read="csv: people.csv", columns=ours)
    written += second.format(name="by-both", read=read, columns=theirs)
    path = place / "policy.yaml"
    path.write_text(f"sharewell: 1\nrelease: {{name: r1}}\ndatasets:\n{written}write: {{csv: out}}\n")
    return path


@pytest.mark.parametrize("copy", COPIES, ids=lambda one: one.__name__)
def test_counts_of_a_copy_are_judged_with_counts_of_the_file(
    tmp_path: Path, copy: Callable[[Path], tuple[str, dict[str, str]]]
) -> None:
    with pytest.raises(Infeasible, match=r"by-one and by-both.*tables-together = [1-9]"):
        release(check(policy(tmp_path, COUNTS, COUNTS, copy)))


@pytest.mark.parametrize("copy", COPIES, ids=lambda one: one.__name__)
def test_records_of_a_copy_are_attacked_with_records_of_the_file(
    tmp_path: Path, copy: Callable[[Path], tuple[str, dict[str, str]]]
) -> None:
    path = policy(tmp_path, RECORDS, RECORDS, copy, "town")
    path.write_text(re.sub(r"(illness|dx): (drop|quasi)", r"\1: sensitive", path.read_text()))
    if copy in (under_other_names, with_other_numbers_for_persons):  # nobody can say who is who
        with pytest.raises(Infeasible, match=r"composition = — groups .*by-both and by-one"):
            release(check(path))
        return
    done = release(check(path))
    (attack,) = done.findings["together"]["attacks"]
    assert (attack["name"], attack["datasets"]) == ("composition-of-datasets", ["by-one", "by-both"])
    assert verify(done.directory).ok
    certificate = json.loads((done.directory / "public" / "certificate.json").read_text())
    asked = certificate["policy"]["redacted"]["datasets"]
    assert asked["by-one"]["people"] == asked["by-both"]["people"]


def test_a_copy_that_is_cleaned_to_the_same_values_is_found(tmp_path: Path) -> None:
    """Dates in another form are the same dates once the policy has read them."""
    from sharewell.io.cleaning import Cleaning
    from sharewell.io.sources import Source
    from sharewell.same_rows import columns_in_common

    days = [(f"19{50 + i}-03-0{1 + i % 9}", f"0{1 + i % 9}.03.19{50 + i}") for i in range(20)]
    (tmp_path / "a.csv").write_text("born,ward\n" + "".join(f"{one},w{i % 3}\n" for i, (one, _) in enumerate(days)))
    (tmp_path / "b.csv").write_text("born,ward\n" + "".join(f"{two},w{i % 3}\n" for i, (_, two) in enumerate(days)))
    first, second = Source.of(tmp_path / "a.csv"), Source.of(tmp_path / "b.csv")
    read = replace(second, clean={"born": Cleaning(date=("%d.%m.%Y",))})
    assert columns_in_common(first, read) == {"born": "born", "ward": "ward"}
    assert columns_in_common(first, second) is None
