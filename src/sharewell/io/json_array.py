"""A JSON array of objects, read as a table: an object is a row, and its keys are the columns.

The array is read piece by piece, one object at a time, so that a long one does not have to fit into memory.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from sharewell.errors import DataError
from sharewell.io.compression import open_unpacked
from sharewell.io.jsonlines import PIECE_ROWS, Objects, keys_of, tables_of
from sharewell.plain_data import JsonObject

if TYPE_CHECKING:
    import pyarrow as pa

_PIECE = 1 << 20
_LARGEST = 1 << 26
"""Characters of one object beyond which the array is taken for a broken one."""
_WANTED = "an array of objects is wanted, each a row of the table"


def json_names(path: Path) -> list[str]:
    """The keys of the first objects, in the order in which they are met."""
    return keys_of(path, _elements(path), _WANTED)


def json_pieces(path: Path, only: Sequence[str] | None = None, rows: int = PIECE_ROWS) -> Iterator[pa.Table]:
    """Arrow tables of text, piece by piece; at least one. Numbers keep their digits; lists and objects stay JSON."""
    return tables_of(path, _elements(path), json_names(path), only, rows)


def json_table(path: Path, only: Sequence[str] | None = None) -> pa.Table:
    import pyarrow as pa

    return pa.concat_tables(json_pieces(path, only)).combine_chunks()


def _elements(path: Path) -> Objects:
    return lambda exact: read_array(path, exact=exact)


def read_array(path: Path, *, exact: bool = False) -> Iterator[tuple[str, JsonObject]]:
    """Places, such as "object 3", and objects. No message quotes the file."""
    try:
        with open_unpacked(path) as raw, io.TextIOWrapper(raw, encoding="utf-8-sig") as text:
            for number, record in enumerate(_Array(path.name, text, exact), 1):
                yield f"object {number}", record
    except UnicodeDecodeError:
        raise DataError(f"{path.name} — is not text in UTF-8 — save the JSON array as UTF-8") from None
    except OSError as error:
        raise DataError(f"{path.name} — {error.strerror or 'cannot be read'}") from None


class _Array:
    """The objects of one array, with as much of the text in memory as one of them needs."""

    def __init__(self, label: str, text: TextIO, exact: bool) -> None:
        self._label, self._text, self._held, self._at = label, text, "", 0
        self._decoder = json.JSONDecoder(parse_int=str, parse_float=str) if exact else json.JSONDecoder()

    def __iter__(self) -> Iterator[JsonObject]:
        if self._next() != "[":
            raise DataError(f"{self._label} — is not a JSON array — {_WANTED}")
        self._at += 1
        number, sign = 0, self._next()
        while sign != "]" or number:
            number += 1
            yield self._object(number)
            sign = self._next()
            if sign == "]":
                break
            if sign != ",":
                raise self._broken(number + 1)
            self._at += 1
        self._at += 1
        if self._next():
            raise DataError(f"{self._label} — goes on after its JSON array — {_WANTED}")

    def _next(self) -> str:
        """The next sign that is no space, which stays; empty at the end."""
        while True:
            while self._at < len(self._held) and self._held[self._at] in " \t\r\n":
                self._at += 1
            if self._at < len(self._held):
                return self._held[self._at]
            if not self._more():
                return ""

    def _more(self) -> bool:
        piece = self._text.read(max(_PIECE, len(self._held) - self._at))
        self._held, self._at = self._held[self._at :] + piece, 0
        return bool(piece)

    def _object(self, number: int) -> JsonObject:
        if self._next() != "{":
            problem = "is not a JSON object" if self._next() else "is missing: the array has no end"
            raise DataError(f"{self._label}, object {number} — {problem} — {_WANTED}")
        while True:
            try:
                value, end = self._decoder.raw_decode(self._held, self._at)
            except (ValueError, RecursionError):
                if len(self._held) - self._at > _LARGEST or not self._more():
                    raise self._broken(number) from None
                continue
            self._at = end
            assert isinstance(value, dict)
            return value

    def _broken(self, number: int) -> DataError:
        return DataError(f"{self._label}, object {number} — is not valid JSON — check that the file is complete")
