"""Damaged Parquet and Arrow files are told as such: no crash of a native reader, and no other error."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

TABLE = pa.table(
    {
        "id": [f"p{i}" for i in range(120)],
        "age": list(range(120)),
        "code": pa.array([f"x{i % 5}" for i in range(120)]).dictionary_encode(),
        "several": [[1, 2]] * 120,
        "some": pa.array([None, "SECRET"] * 60),
    }
)
READ = """
import sys
from pathlib import Path
from sharewell.errors import DataError
from sharewell.io.coded_file import read_coded
from sharewell.io.sources import Source
for path in map(Path, sys.argv[1:]):
    print(path.name, flush=True)
    source = Source.named(path)  # whatever its first bytes have become
    for ask in (source.names, lambda: source.read().to_pylist(), lambda: list(source.batches()),
                lambda: read_coded(source, ["id", "code"])):
        try:
            ask()
        except DataError as error:
            assert "SECRET" not in str(error)
"""


def damaged(whole: bytes, draw: random.Random) -> bytes:
    content = bytearray(whole)
    if draw.random() < 0.2:
        return bytes(content[: draw.randrange(len(content))])
    for _ in range(draw.choice([1, 1, 2, 5, 20])):
        content[draw.randrange(len(content))] = draw.choice([0, 127, 128, 255, draw.randrange(256)])
    return bytes(content)


@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_damage_anywhere_is_told(tmp_path: Path, form: str) -> None:
    whole = tmp_path / f"whole.{form}"
    if form == "parquet":
        pq.write_table(TABLE, whole, compression="none")
    else:
        with pa.OSFile(str(whole), "wb") as file, pa.ipc.new_file(file, TABLE.schema) as writer:
            writer.write_table(TABLE)
    draw, paths = random.Random(1), [whole]
    for number in range(200):
        paths.append(tmp_path / f"{number}.{form}")
        paths[-1].write_bytes(damaged(whole.read_bytes(), draw))
    done = subprocess.run([sys.executable, "-c", READ, *map(str, paths)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), f"at {done.stdout.split()[-1]}"
    assert len(done.stdout.split()) == len(paths)
