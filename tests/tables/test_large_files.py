"""Files in, files out: the same cells as from a frame, whatever the order of the source."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_mondrian import TREES, opened, people

from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.tables import DeltaDisclosure, KAnonymity, LDiversity, Mondrian
from sharewell.tables.engine import large_files as large_files
from sharewell.tables.engine.large_files import protect_file

QUASI = ["age", "sex", "zip", "born", "ward"]
ROLES: dict[str, Any] = {"quasi": QUASI, "sensitive": ["illness"], "subject": "who", "hierarchies": TREES}


def rows_of(table: pa.Table) -> list[tuple[Any, ...]]:
    return list(zip(*(table[name].to_pylist() for name in [*QUASI, "illness"]), strict=True))


def by_text(rows: list[tuple[Any, ...]]) -> list[str]:
    return sorted(map(str, rows))


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10_000), rows=st.integers(1, 90), k=st.integers(1, 6), suppress=st.sampled_from([0.0, 0.1]))
def test_cells_are_those_of_a_frame_and_the_source_order_is_gone(
    seed: int, rows: int, k: int, suppress: float, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder, frame = tmp_path_factory.mktemp("files"), people(seed, rows, 60)
    must, mechanism = [KAnonymity(k), LDiversity(2)], Mondrian(suppress=suppress)
    pq.write_table(frame, folder / "in.parquet", row_group_size=17)
    pq.write_table(frame.take(np.random.default_rng(seed).permutation(rows)), folder / "shuffled.parquet")
    try:
        expected = mechanism.protect(opened(frame), must)
    except Infeasible:
        with pytest.raises(Infeasible):
            protect_file(folder / "in.parquet", folder / "out.parquet", must=must, mechanism=mechanism, **ROLES)
        assert not list(folder.glob("*out.parquet*"))
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(large_files, "_PIECE", 20)
        for name in ("in", "shuffled"):
            out = folder / f"{name}-out.parquet"
            details = protect_file(folder / f"{name}.parquet", out, must=must, mechanism=mechanism, **ROLES)
            assert details == expected.details
    written, again = (pq.read_table(folder / f"{name}-out.parquet") for name in ("in", "shuffled"))
    assert written.equals(again)
    assert by_text(rows_of(written)) == by_text(rows_of(expected.data.arrow))
    assert "who" not in written.column_names


def test_text_files_numbers_and_types_are_kept(tmp_path: Path) -> None:
    """CSV is text; Parquet keeps the types of what is not generalised; unnamed columns are left out."""
    frame = pa.table({"age": [30, 31, None, 33] * 5, "cost": [1.5, 2.5, None, 4.5] * 5, "name": ["n"] * 20})
    pq.write_table(frame, tmp_path / "in.parquet")
    pacsv.write_csv(frame, tmp_path / "in.csv")
    for source in ("in.parquet", "in.csv"):
        out = tmp_path / f"{source}.parquet"
        protect_file(tmp_path / source, out, quasi=["age"], keep=["cost"], must=[KAnonymity(10)])
        written = pq.read_table(out)
        assert written.column_names == ["age", "cost"]
        assert sorted(set(written["age"].to_pylist())) == ["*", "[30-31]"]
        assert written["cost"].null_count == 5
        assert written["cost"].type == (pa.float64() if source == "in.parquet" else pa.string())


def test_what_cannot_be_done_is_said_before_anything_is_written(tmp_path: Path) -> None:
    pq.write_table(
        pa.table({"age": [1, 2, 3], "list": [[1], [2], [3]], "ill": ["x", "y", "x"]}), tmp_path / "in.parquet"
    )
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    with pytest.raises(DataError, match="no column 'agee'"):
        protect_file(source, out, quasi=["agee"], must=[KAnonymity(1)])
    with pytest.raises(DataError, match="has no codes"):
        protect_file(source, out, quasi=["age"], keep=["list"], must=[KAnonymity(1)])
    with pytest.raises(PolicyError, match="two roles"):
        protect_file(source, out, quasi=["age"], keep=["age"], must=[KAnonymity(1)])
    with pytest.raises(PolicyError, match="delta-disclosure may fail"):
        protect_file(source, out, quasi=["age"], sensitive=["ill"], must=[DeltaDisclosure(3)])  # type: ignore[arg-type]
    with pytest.raises(DataError, match="no such file"):
        protect_file(tmp_path / "absent.parquet", out, quasi=["age"], must=[KAnonymity(1)])
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(DataError, match="not a readable Parquet file"):
        protect_file(tmp_path / "broken.parquet", out, quasi=["age"], must=[KAnonymity(1)])
    assert not out.exists()
    protect_file(source, out, quasi=["age"], must=[KAnonymity(1)])
    with pytest.raises(DataError, match="there already"):
        protect_file(source, out, quasi=["age"], must=[KAnonymity(1)])
    pq.write_table(pa.table({"age": pa.array([], pa.int64())}), tmp_path / "empty.parquet")
    with pytest.raises(Infeasible, match="no rows"):
        protect_file(tmp_path / "empty.parquet", tmp_path / "none.parquet", quasi=["age"], must=[KAnonymity(1)])
