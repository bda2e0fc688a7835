"""Day and month in notes follow the policy, else what most of a person's dates say."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from sharewell.keys import Key
from sharewell.notes import Notes, Replace
from sharewell.policy import load

KEY = Key(b"an example key of enough bytes..")
POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  notes:
    kind: notes
    read: {csv: notes.csv, ORDER}
    columns: {who: subject, body: text}
    require: [safe-harbor]
    using: USING
  people:
    kind: tables
    read: {csv: people.csv, ORDER}
    columns: {who: subject, age: quasi, remarks: text}
    require: [k-anonymity: {k: 2}]
    using: mondrian
"""


def moved(text: str, day_first: bool | None) -> str:
    notes = Notes.of([f"Seen 2016-01-01 and {text}."], ["p"])
    [published] = Replace(day_first=day_first).protect(notes, [], KEY).data.texts
    first, second = published.removeprefix("Seen ").removesuffix(".").split(" and ")
    days = date.fromisoformat(first) - date(2016, 1, 1)
    a, b, year = map(int, second.split("/"))
    shown = date(year, b, a) if day_first else date(year, a, b)
    return (shown - days).isoformat()


def test_an_ambiguous_date_moves_as_the_policy_reads_it() -> None:
    assert moved("3/5/2016", True) == "2016-05-03"
    assert moved("3/5/2016", False) == "2016-03-05"
    assert moved("3/5/2016", None) == "2016-03-05"
    assert timedelta(0) == date(2016, 5, 3) - date.fromisoformat(moved("3/5/2016", True))


@pytest.mark.parametrize(
    ("order", "using", "expected"),
    [
        ("day_first: true", "replace", True),
        ("day_first: true", "{replace: {dates: shift}}", True),
        ("day_first: true", "{replace: {day_first: false}}", False),
        ("missing: [x]", "replace", None),
        ('clean: {who: {date: ["%Y-%m-%d", "%d.%m.%Y"], unreadable: missing}}', "replace", True),
        ('clean: {who: {date: ["%m/%d/%Y"], unreadable: missing}}', "replace", False),
        ('clean: {who: {date: ["%Y-%m-%d"], unreadable: missing}}', "replace", None),
        ('clean: {who: {date: ["%d.%m.%Y", "%m/%d/%Y"], unreadable: missing}}', "replace", None),
    ],
)
def test_what_a_source_says_holds_in_its_notes(tmp_path: Path, order: str, using: str, expected: bool | None) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY.replace("ORDER", order).replace("USING", using))
    datasets = load(path).datasets
    assert datasets["notes"].using.built == Replace(dates="shift")
    assert datasets["notes"].mechanism.day_first is expected
    in_table = datasets["people"].columns["remarks"].using
    assert in_table is not None
    assert in_table.built.day_first is (True if order.startswith("day_first") else expected)  # type: ignore[union-attr]
