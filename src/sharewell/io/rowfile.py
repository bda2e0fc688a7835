"""Rows streamed to CSV or JSON-lines files in constant memory."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.io.operating_system import new_private_file


class RowFile:
    """A CSV file that grows by blocks of columns (Arrow tables of text or numbers): much faster than row by row."""

    def __init__(self, path: Path, header: Sequence[str]) -> None:
        self.rows = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = path.open("wb")
        self._file.write((",".join(header) + "\n").encode())

    def write(self, block: pa.Table) -> None:
        """Append the rows of a block; its columns must be those of the header, in that order."""
        if block.num_rows == 0:
            return
        cells = [_quoted(column.combine_chunks()) for column in block.columns]
        lines = pc.binary_join_element_wise(*cells, ",") if len(cells) > 1 else cells[0]
        text = pc.binary_join(pa.ListArray.from_arrays(pa.array([0, len(lines)], pa.int32()), lines), "\n")
        self._file.write(text[0].as_buffer())
        self._file.write(b"\n")
        self.rows += block.num_rows

    def close(self) -> None:
        """Finish the file."""
        self._file.close()


def _quoted(column: pa.Array) -> pa.Array:
    """Cells as CSV text: quoted where a comma, a quote or a line break stands in them; nothing for a missing one."""
    text = pc.fill_null(column.cast(pa.string()), "")
    if not pa.types.is_string(column.type):
        return text
    special = pc.match_substring_regex(text, '[",\r\n]')
    if not pc.any(special).as_py():
        return text
    doubled = pc.replace_substring(text, '"', '""')
    return pc.if_else(special, pc.binary_join_element_wise('"', doubled, '"', ""), text)


class LineFile:
    """A JSON-lines file that grows object by object; a private one must be new, and only its owner can read it."""

    def __init__(self, path: Path, *, private: bool = False) -> None:
        self.rows = 0
        path.parent.mkdir(parents=True, exist_ok=True)
        if private:
            new_private_file(path)
        # half of a surrogate pair has no UTF-8; its escape, \ud800, is valid JSON and reads back unchanged
        self._file = path.open("w", encoding="utf-8", errors="backslashreplace", newline="")

    def write(self, rows: Iterable[Mapping[str, object]]) -> None:
        """Append objects."""
        for row in rows:
            self._file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
            self._file.write("\n")
            self.rows += 1

    def close(self) -> None:
        """Finish the file."""
        self._file.close()
