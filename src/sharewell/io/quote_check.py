"""Whether every quote of a delimited file opens and closes a whole field, as RFC 4180 has it.

Readers treat other quotes differently, and some merge two records into one cell, which then publishes columns that are
to be dropped. So a quote may only begin a field, end it, or be doubled inside a quoted field; any other is an error,
reported by its line. In a correct file quotes open and close in turn (a doubled one closes and opens again), so the
neighbours of a quote and its parity decide: a few array operations a piece, and none for a piece without quotes.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.io.compression import open_unpacked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_QUOTE, _LINE_ENDS = 0x22, (0x0A, 0x0D)
_PIECE = 1 << 16
_LINE_END = re.compile(r"\r\n|\r|\n")
Pieces = Callable[[], Iterable[bytes]]


class Misquoted(Exception):
    """A quote in the wrong place; the message gives its line and no text of the file."""


def pieces_of(path: Path, encoding: str) -> Iterator[bytes]:
    """The text of a file in UTF-8, piece by piece, unpacked and without a byte order mark."""
    name = codecs.lookup(encoding).name
    with open_unpacked(path) as file:
        if name in ("utf-8", "utf-8-sig", "ascii"):
            start = file.read(_PIECE)
            yield start.removeprefix(codecs.BOM_UTF8)
            while piece := file.read(_PIECE):
                yield piece
            return
        decoder = codecs.getincrementaldecoder(encoding)("strict")
        while piece := file.read(_PIECE):
            yield decoder.decode(piece).encode("utf-8", "surrogatepass")
        yield decoder.decode(b"", final=True).encode("utf-8", "surrogatepass")


def check_quotes(pieces: Pieces, separator: str) -> bool:
    """Raise Misquoted at the first quote in the wrong place; else say whether some quoted cell goes over a line end.

    >>> check_quotes(lambda: [b'a,b\\n"x ""y"" z",2\\n'], ",")
    False
    >>> check_quotes(lambda: [b'a,b\\n1,"x\\n2,"y\\n'], ",")
    Traceback (most recent call last):
    sharewell.io.quote_check.Misquoted: line 3: a field goes on after its closing quote; it was opened on line 2
    """
    scan = _Scan(separator.encode()[-1], separator.encode()[0])
    for piece in pieces():
        scan.add(piece)
        if scan.fault is not None:
            break
    else:
        scan.end()
    if scan.fault is not None:
        raise Misquoted(_message(pieces, *scan.fault))
    return scan.over_lines


def swallows_records(cell: str, column: int, width: int, separator: str) -> bool:
    """Could this cell of many lines be records of `width` fields between two misplaced quotes?

    A quote that begins field `column` of one record and one that ends that field of a later record read as one cell:
    the rest of the first record, the records between, and the beginning of the last.

    >>> swallows_records("Rome,30\\n2,Oslo", 1, 3, ","), swallows_records("well\\nno fever", 1, 3, ",")
    (True, False)
    """
    first, *between, last = (line.count(separator) for line in _LINE_END.split(cell))
    rest = width - 1 - column
    if width == 1 or width - 1 in (*between, last):
        return True
    return (rest > 0 and first == rest) or (column > 0 and last == column and rest > 0)


@dataclass
class _Scan:
    """The state between pieces. The last byte of a piece is judged with the next one, since its successor decides."""

    last_of_separator: int
    first_of_separator: int
    inside: bool = False
    over_lines: bool = False
    done: int = 0
    """Bytes judged so far."""
    held: bytes = b"\n"
    """The last byte that was judged (at the very start a line end), and one that was not."""
    opened: int = 0
    fault: tuple[str, int, int] | None = None
    """The problem, its place, and the place where the field was opened."""

    def add(self, piece: bytes) -> None:
        text = self.held + piece
        if text.find(_QUOTE, 1) < 0:
            self.over_lines |= self.inside and any(text.find(end, 1, -1) > 0 for end in _LINE_ENDS)
        elif len(text) > 2:
            self._judge(text)
        if len(text) > 2:
            self.done += len(text) - 2
            text = text[-2:]
        self.held = text

    def end(self) -> None:
        self.add(b"\n")
        if self.inside and self.fault is None:
            self.fault = "a quote is opened here and never closed", self.opened, self.opened

    def _judge(self, content: bytes) -> None:
        import numpy as np

        text = np.frombuffer(content, dtype=np.uint8)
        middle = text[1:-1]
        quote = middle == _QUOTE
        within = _parity(quote) ^ self.inside  # after this byte
        opening = quote & within
        unfit = opening & ~_among(text[:-2], self.last_of_separator)
        unfit |= (quote ^ opening) & ~_among(text[2:], self.first_of_separator)
        if unfit.any():
            self.fault = self._first_of(text)
            return
        if not self.over_lines:
            self.over_lines = bool((((middle == _LINE_ENDS[0]) | (middle == _LINE_ENDS[1])) & within).any())
        self.inside = bool(within[-1])
        begins = opening & (text[:-2] != _QUOTE)
        if begins.any():
            self.opened = self.done + len(begins) - 1 - int(begins[::-1].argmax())

    def _first_of(self, text: NDArray[np.uint8]) -> tuple[str, int, int]:
        """The first quote in the wrong place: what is wrong, where, and where its field was opened."""
        import numpy as np

        quotes = np.flatnonzero(text[1:-1] == _QUOTE) + 1
        opening, closing = quotes[int(self.inside) :: 2], quotes[1 - self.inside :: 2]
        begins = opening[text[opening - 1] != _QUOTE]
        opening = opening[~_among(text[opening - 1], self.last_of_separator)]
        closing = closing[~_among(text[closing + 1], self.first_of_separator)]
        place = min(int(places[0]) for places in (opening, closing) if len(places))
        earlier = begins[begins < place]
        opened = self.opened if not len(earlier) else self.done + int(earlier[-1]) - 1
        in_field = len(opening) and place == opening[0]
        problem = "a quote stands inside a field" if in_field else "a field goes on after its closing quote"
        return problem, self.done + place - 1, opened


def _parity(marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Is the number of marks up to each byte odd? Within eight bytes at a time, then from each eight to the next."""
    import numpy as np

    padded = np.zeros(-(-len(marked) // 8) * 8, np.bool_)
    padded[: len(marked)] = marked
    eight = padded.view("<u8")
    for shift in (8, 16, 32):
        eight ^= eight << np.uint64(shift)
    before = np.bitwise_xor.accumulate((eight >> np.uint64(56)).astype(np.uint8))
    eight[1:] ^= before[:-1] * np.uint64(0x0101010101010101)
    odd: NDArray[np.bool_] = padded[: len(marked)]
    return odd


def _among(text: NDArray[np.uint8], separator: int) -> NDArray[np.bool_]:
    """Which of these bytes may stand beside a quote."""
    result: NDArray[np.bool_] = text == _QUOTE
    for byte in (separator, *_LINE_ENDS):
        result |= text == byte
    return result


def _message(pieces: Pieces, problem: str, place: int, opened: int) -> str:
    line, begun = _line(pieces, place), _line(pieces, opened)
    further = f"; it was opened on line {begun}" if problem.startswith("a field") and begun < line else ""
    return f"line {line}: {problem}{further}"


def _line(pieces: Pieces, place: int) -> int:
    """The line of a byte; called only when something is wrong."""
    line, seen, previous = 1, 0, b""
    for piece in pieces():
        part = piece[: place - seen]
        line += part.count(b"\n") + part.count(b"\r") - part.count(b"\r\n")
        line -= previous == b"\r" and part[:1] == b"\n"
        seen, previous = seen + len(piece), piece[-1:] or previous
        if seen >= place:
            break
    return line
