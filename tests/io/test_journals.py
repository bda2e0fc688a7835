"""Long work on disk: sorted, cut, kept when it is finished, and taken over by the same work alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError
from sharewell.io.atomic import JOURNAL, all_or_nothing, journal_in, whole_file
from sharewell.io.work_blocks import Journal, sorted_by_content, unfolded


def interrupted(target: Path, error: type[BaseException], work: str = "w") -> None:
    def attempt() -> None:
        with all_or_nothing(target) as partial:
            (journal_in(partial, work) / "block").write_text("finished")
            (partial / "public").mkdir()
            (partial / "note").write_text("unfinished")
            raise error

    with pytest.raises(error):
        attempt()


def test_an_interruption_leaves_the_journal_and_nothing_else(tmp_path: Path) -> None:
    interrupted(tmp_path / "r", KeyboardInterrupt)
    (left,) = tmp_path.iterdir()
    assert [path.name for path in left.iterdir()] == [JOURNAL]
    assert left.stat().st_mode & 0o077 == 0
    with all_or_nothing(tmp_path / "r") as partial:
        assert (journal_in(partial, "w") / "block").read_text() == "finished"
    assert [path.name for path in tmp_path.iterdir()] == ["r"]
    assert not list((tmp_path / "r").iterdir())


def test_an_error_leaves_nothing(tmp_path: Path) -> None:
    interrupted(tmp_path / "r", ValueError)
    assert not list(tmp_path.iterdir())


def test_other_work_finds_nothing(tmp_path: Path) -> None:
    interrupted(tmp_path / "r", KeyboardInterrupt)
    with all_or_nothing(tmp_path / "r") as partial:
        assert not list(journal_in(partial, "other").iterdir())
        assert [path.name for path in (partial / JOURNAL).iterdir()] == ["other"]


@pytest.mark.parametrize("take_over", [True, False])
def test_a_file_is_whole_or_not_there(tmp_path: Path, take_over: bool) -> None:
    target = tmp_path / "out.jsonl"

    def attempt() -> None:
        with whole_file(target) as partial:
            (journal_in(partial, "w") / "block").write_text("finished")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempt()
    assert not target.exists()
    with whole_file(target, take_over=take_over) as partial:
        assert (journal_in(partial, "w") / "block").exists() is take_over
        (partial / target.name).write_text("all of it")
    assert target.read_text() == "all of it"
    assert [path.name for path in tmp_path.iterdir()] == ["out.jsonl"]
    with pytest.raises(DataError, match="already there"), whole_file(target):
        pass


def pieces(wrong: bool = False) -> Iterator[Any]:
    yield pa.table({"who": ["b", "a"], "n": [1, 2]})
    if wrong:
        raise DataError("the file — line 7 — mend it")
    yield pa.table({"who": ["a", "c"], "n": [0, 3]})


def test_rows_that_belong_together_are_put_together_once(tmp_path: Path) -> None:
    journal = Journal.of(tmp_path / "j", {"a": "1"})
    path = journal.together(pieces(), "who")
    rows = pq.read_table(path).to_pylist()
    assert [row["n"] for row in rows if row["who"] == "a"] == [2, 0]
    whose = [row["who"] for row in rows]
    assert [who for at, who in enumerate(whose) if who not in whose[:at]] == list(dict.fromkeys(whose))
    assert abs(whose.index("a") - (len(whose) - 1 - whose[::-1].index("a"))) == 1
    assert pq.read_table(journal.together(iter([]), "who")).num_rows == 4
    assert not Journal.of(tmp_path / "j", {"a": "2"}).blocks()
    assert not (tmp_path / "j" / "sorted.parquet").exists()


def test_what_a_reader_says_is_passed_on(tmp_path: Path) -> None:
    journal = Journal.of(tmp_path / "j", {})
    with pytest.raises(DataError, match="line 7"):
        journal.together(pieces(wrong=True), "who")
    assert pq.read_table(journal.together(pieces(), "who")).num_rows == 4


def test_blocks_and_tables_are_published_alike(tmp_path: Path) -> None:
    kind = pa.list_(pa.struct([("start", pa.int64())]))
    rows = [("b", "q", [{"start": 4}]), ("a", "p", []), (None, "r", []), ("a", "o", [{"start": 1}, {"start": 2}])]
    texts, whose, places = zip(*rows, strict=True)
    table = pa.table({"text": pa.array(texts), "who": pa.array(whose), "at": pa.array(places, kind)})
    journal = Journal.of(tmp_path / "j", {})
    journal.write(0, table.slice(0, 1))
    journal.write(1, table.slice(1))
    made = [
        sorted_by_content(given, {"text": "text"}, {"who": "who", "at": "at"}, "text", tmp_path / name)
        for name, given in (("one", table), ("two", journal))
    ]
    first, second = (pa.concat_tables(rows_made.tables()).to_pylist() for rows_made in made)
    assert first == second
    assert sorted((row["text"], row["who"]) for row in first) == [("a", "o"), ("a", "p"), ("b", "q")]
    for rows_made in made:
        flat = pa.concat_tables(unfolded(rows_made, "at", "row", tmp_path / "one").tables()).to_pylist()
        told = [(first[row["row"]]["who"], row["start"]) for row in flat]
        assert sorted(told) == [("o", 1), ("o", 2), ("q", 4)]
        assert flat == sorted(flat, key=lambda row: row["row"])
