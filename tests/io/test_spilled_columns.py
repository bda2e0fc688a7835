"""Files larger than memory give the same release as files that fit."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from sharewell.hospital import Hospital
from sharewell.io import sources
from sharewell.io.external_sort import join_and_sort
from sharewell.io.sources import Source
from sharewell.io.spilled_columns import spill
from sharewell.pipeline.run import release
from sharewell.pipeline.verify import verify
from sharewell.policy import check

POLICY = """\
sharewell: 1
release: {{name: {name}}}
secrets: {{key: env:TEST_RELEASE_KEY}}
datasets:
  visits:
    kind: tables
    read: {{csv: visits.csv}}
    map: true
    publish: {publish}
    columns:
      visit_id: drop
      patient_id: subject
      mrn: drop
      source: keep
      type: quasi
      admitted: shift
      discharged: drop
      reason: {{role: quasi, hierarchy: icd10cm}}
      "odd 'name'; --": {{role: sensitive}}
    require: [k-anonymity: {{k: 5}}]
    using: mondrian
write: {{{form}: out}}
"""


@pytest.mark.parametrize("form", ["parquet", "csv"])
@pytest.mark.parametrize("publish", ["none", "within-class"])
def test_a_large_file_gives_the_same_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str, publish: str
) -> None:
    """With the limit at one byte every column that nothing computes with is spilled to disk and joined again."""
    monkeypatch.setenv("TEST_RELEASE_KEY", "an example secret, long enough")
    Hospital(patients=150, seed=2, notes=False, dirty=False).write(tmp_path)
    text = (tmp_path / "visits.csv").read_text().splitlines()
    odd = ["odd 'name'; --", *('"a, ""b"""' if i % 3 else "" for i in range(len(text) - 1))]
    (tmp_path / "visits.csv").write_text("".join(f"{a},{b}\n" for a, b in zip(text, odd, strict=True)))
    tables = []
    for name, limit in (("small", 1 << 30), ("large", 1)):
        monkeypatch.setitem(sources.LARGE, "csv", limit)
        (tmp_path / "policy.yaml").write_text(POLICY.format(name="visits", form=form, publish=publish))
        done = release(check(tmp_path / "policy.yaml"))
        assert verify(done.directory).ok
        assert not (done.directory / "scratch").exists()
        read = pq.read_table if form == "parquet" else pyarrow.csv.read_csv
        public = read(done.directory / "public" / f"visits.{form}")
        mapping = pq.read_table(done.directory / "internal" / "maps" / "visits.parquet")
        done.directory.rename(tmp_path / "out" / name)  # the same release again: another name would draw otherwise
        tables.append((public.to_pydict(), mapping.to_pydict()))
    assert tables[0] == tables[1]


def test_spilling_keeps_every_row_in_its_place(tmp_path: Path) -> None:
    table = pa.table({"a": ["x", None, "y", "x"], "b": ["1", "2", None, "4"], "c": ["p", "q", "r", "s"]})
    pyarrow.csv.write_csv(table, tmp_path / "t.csv")
    resident, spilled = spill(Source.of(tmp_path / "t.csv"), ["a"], ["b", "c"], tmp_path / "scratch")
    assert resident["a"].to_pylist() == ["x", None, "y", "x"]
    assert spilled.take([3, 0])["b"].to_pylist() == ["4", "1"]
    kept = spilled.take([3, 1, 0])
    rows = join_and_sort(resident.take([3, 1, 0]), kept, ["a", "c"], ["b"], tmp_path / "scratch")
    rows.write(tmp_path / "sorted.parquet", "parquet")
    assert pq.read_table(tmp_path / "sorted.parquet").to_pylist() == [
        {"a": "x", "c": "p", "b": "1"},
        {"a": "x", "c": "s", "b": "4"},
        {"a": None, "c": "q", "b": "2"},
    ]


def test_a_header_alone_can_be_spilled(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,b\n")
    resident, spilled = spill(Source.of(tmp_path / "t.csv"), ["a"], ["b"], tmp_path / "scratch")
    assert (resident.num_rows, len(spilled.rows)) == (0, 0)
