"""A table as it would be read under the cleaning that is proposed for it: the same as a release reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyarrow as pa

from sharewell.io.number_forms import NumberForm
from sharewell.io.sources import Source
from sharewell.policy import check
from sharewell.proposal import Proposal
from sharewell.proposal.tidy_table import tidied

TEXT = (
    "patient;First Name ;seen;weight\n"
    "p1;Ann;24.12.2020;71,5\n"
    "p2;Bo;N/A;64\n"
    "p3;Cy;2020-01-02;unknown\n"
    "p4;Di;13/01/2020;80,1\n"
)


def test_the_table_is_the_one_that_a_release_will_read(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(TEXT)
    source = Source(tmp_path / "a.csv", separator=";")
    found = tidied(source, source.read())
    release = replace(found.source, clean={name: need.cleaning for name, need in found.needs.items()})
    assert found.table.to_pydict() == release.read().to_pydict()
    assert found.table.to_pydict() == {
        "patient": ["p1", "p2", "p3", "p4"],
        "First Name": ["Ann", "Bo", "Cy", "Di"],
        "seen": ["2020-12-24", None, "2020-01-02", "2020-01-13"],
        "weight": ["71.5", "64", None, "80.1"],
    }


def test_one_column_tells_the_order_of_day_and_month_for_all() -> None:
    table = pa.table({"born": ["24/12/1950", "13/01/1960"], "seen": ["03/04/2020", "05/06/2020"]})
    needs = tidied(Source(frame=table), table).needs
    assert {name: need.cleaning.date for name, need in needs.items()} == dict.fromkeys(("born", "seen"), ("%d/%m/%Y",))


def test_the_steward_may_say_the_order() -> None:
    table = pa.table({"seen": ["03/04/2020", "05/06/2020"]})
    assert tidied(Source(frame=table), table).needs["seen"].undecided == 2
    assert tidied(Source(frame=table, day_first=False), table).needs["seen"].cleaning.date == ("%m/%d/%Y",)


def test_one_column_with_decimal_commas_makes_points_of_others_signs_of_thousands() -> None:
    columns = {"cells": ["7.915", "10.162", "990"], "ratio": ["71.5", "80", "3.125"]}
    german = pa.table({**columns, "weight": ["71,5", "80,2", "60"]})
    needs = tidied(Source(frame=german), german).needs
    assert {name: str(need.cleaning.number) for name, need in needs.items()} == {
        "weight": str(NumberForm(",")),
        "cells": str(NumberForm(",", ".")),
    }
    english = pa.table(columns)
    assert not tidied(Source(frame=english), english).needs


def test_results_among_many_words_stay_text_and_lose_nothing(tmp_path: Path) -> None:
    """Most values are numbers, but two cells in five are words: read as numbers, every `positive` would be lost."""
    results = [("positive", "negative", f"{i},5", f"{i},7", f"{i},1")[i % 5] for i in range(200)]
    (tmp_path / "labs.csv").write_text("patient;result\n" + "".join(f"p{i // 4};{r}\n" for i, r in enumerate(results)))
    source = Source(tmp_path / "labs.csv", separator=";")
    found = tidied(source, source.read())
    assert found.table["result"].to_pylist() == results
    assert "80 of 200 cells are none of the numbers" in found.needs["result"].reasons[0]
    draft = Proposal.of([tmp_path / "labs.csv"], base=tmp_path).text
    assert "result: {role: sensitive, type: text}" in draft
    (tmp_path / "policy.yaml").write_text(draft)
    assert check(tmp_path / "policy.yaml").datasets["labs"].columns["result"].type == "text"


def test_a_few_words_among_numbers_are_for_the_steward_to_decide() -> None:
    table = pa.table({"result": [*(f"{i},5" for i in range(60)), "positive"]})
    need = tidied(Source(frame=table), table).needs["result"]
    assert (need.unread, need.cleaning.number is not None) == (1, True)
