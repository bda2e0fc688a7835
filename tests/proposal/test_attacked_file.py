"""What a file is, said or recognised, for attacks on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.errors import DataError, PolicyError
from sharewell.proposal.attacked_file import described
from sharewell.roles import Role

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_what_is_said_is_taken_as_it_is() -> None:
    found = described(
        EXAMPLES / "diagnoses" / "diagnoses.csv", kind="codes", roles={"code": Role.QUASI}, keys={"visit": "v"}
    )
    assert found == {"diagnoses": {"kind": "codes", "columns": {"code": "quasi"}, "rest": "drop", "visit": "v"}}


def test_what_is_not_said_is_recognised_without_what_is_about_a_release() -> None:
    [one] = described(EXAMPLES / "diagnoses" / "diagnoses.csv", roles={}, keys={}).values()
    assert one["kind"] == "codes"
    assert {"require", "using", "utility", "read"}.isdisjoint(one)


def test_named_columns_are_all_that_count() -> None:
    [one] = described(EXAMPLES / "register" / "patients.csv", roles={"age": Role.QUASI}, keys={}).values()
    assert (one["columns"], one["rest"]) == ({"age": "quasi"}, "drop")


def test_another_kind_than_the_file_looks_like_needs_columns() -> None:
    with pytest.raises(PolicyError, match=r"looks like tables, not like genomes — name columns"):
        described(EXAMPLES / "register" / "patients.csv", kind="genomes", roles={}, keys={})


def test_figures_of_unknown_range_are_asked_about(tmp_path: Path) -> None:
    (tmp_path / "costs.csv").write_text("ward,first,second\nA,1200,300\nB,900,150\nC,2200,310\n")
    with pytest.raises(DataError, match="the least and greatest that one can be are not known"):
        described(tmp_path / "costs.csv", roles={}, keys={})
