"""Mistakes that honest stewards make must not end in a release that says more than it should."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sharewell.errors import DataError, Infeasible
from sharewell.pipeline.run import release
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {{name: r}}
datasets:
  t:
    kind: tables
    read: {{{read}}}
    columns: {{name: drop, age: quasi, ill: sensitive}}
    require: [k-anonymity: {{k: 2}}, l-diversity: {{l: 2}}]
    using: {{mondrian: {{suppress: {suppress}}}}}
write: {{parquet: out}}
"""


def released(tmp_path: Path, read: str, suppress: float = 0.0) -> Path:
    (tmp_path / "policy.yaml").write_text(POLICY.format(read=read, suppress=suppress))
    return release(check(tmp_path / "policy.yaml")).directory / "public" / "t.parquet"


def test_a_quote_that_is_never_closed_is_refused(tmp_path: Path) -> None:
    """It would swallow the records after it, dropped columns and all, into one published cell."""
    rows = [f"Secret{i},{20 + i % 5},{'cold' if i % 2 else 'flu'}" for i in range(40)]
    rows[20] = 'Secret20,21,"cold'
    (tmp_path / "t.csv").write_text("name,age,ill\n" + "\n".join(rows) + "\n")
    with pytest.raises(DataError) as caught:
        released(tmp_path, "csv: t.csv")
    assert "line 22: a quote is opened here and never closed" in str(caught.value)
    assert "Secret" not in str(caught.value)


def test_cells_may_hold_lines_if_the_policy_says_so(tmp_path: Path) -> None:
    rows = [f'Secret{i},{20 + i % 5},"{"cold" if i % 2 else "flu"}\na,b,c"' for i in range(40)]
    (tmp_path / "t.csv").write_text("name,age,ill\n" + "\n".join(rows) + "\n")
    assert pq.read_table(released(tmp_path, "csv: t.csv, newlines: true")).num_rows == 40


def test_values_of_withheld_rows_do_not_hide_in_a_dictionary(tmp_path: Path) -> None:
    """Categories of a Parquet file list values that no published row has, in an order that tells of the source."""
    ages = [20 + i % 4 for i in range(40)] + [99]
    ills = pa.array([("cold", "flu")[i % 2] for i in range(40)] + ["RARE-SECRET"]).dictionary_encode()
    pq.write_table(pa.table({"name": ["x"] * 41, "age": ages, "ill": ills}), tmp_path / "t.parquet")
    path = released(tmp_path, "parquet: t.parquet", suppress=0.05)
    assert pq.read_table(path).num_rows == 40
    assert b"RARE-SECRET" not in path.read_bytes()


@pytest.mark.parametrize(
    "ills",
    [
        pa.array(["hiv", "NA"] * 20, pa.large_string()),
        pa.array(["hiv", "NA"] * 20).dictionary_encode(),
        pa.array([7, -9] * 20),
        pa.array(["hiv", "  "] * 20),
    ],
    ids=["large strings", "categories", "numbers", "blanks"],
)
def test_what_stands_for_missing_never_counts_as_diverse(tmp_path: Path, ills: pa.Array) -> None:
    pq.write_table(pa.table({"name": ["x"] * 40, "age": [30] * 40, "ill": ills}), tmp_path / "t.parquet")
    with pytest.raises(Infeasible, match="l-diversity"):
        released(tmp_path, 'parquet: t.parquet, missing: ["NA", "-9"]')
