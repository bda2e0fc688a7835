"""Whether every quote of a delimited file opens and closes a whole field, as RFC 4180 has it.

Readers differ in what they make of other quotes, and some merge two records into one cell, which then publishes what
was to be dropped. So a quote stands where a field begins, or where it ends, or is doubled inside a quoted field; any
other is an error, told by its line. In a correct file quotes open and close in turn (a doubled one closes and opens
again), so that neighbours and turn decide: a few array operations a piece, and none for a piece without quotes.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_QUOTE, _LINE_ENDS = 0x22, (0x0A, 0x0D)
_PIECE = 1 << 22
_LINE_END = re.compile(r"\r\n|\r|\n")
Places: TypeAlias = "NDArray[np.intp]"
Pieces = Callable[[], Iterable[bytes]]


class Misquoted(Exception):
    """A quote in the wrong place; the message says on which line, and nothing of what stands there."""


def pieces_of(path: Path, encoding: str) -> Iterator[bytes]:
    """The text of a file in UTF-8, piece by piece, without a byte order mark."""
    name = codecs.lookup(encoding).name
    with path.open("rb") as file:
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
        raise Misquoted(_told(pieces, *scan.fault))
    return scan.over_lines


def swallows_records(cell: str, column: int, width: int, separator: str) -> bool:
    """Could this cell of many lines be records of so many fields between two quotes that went astray?

    Quotes at the begin of field `column` of one record and at the end of that field of another one read as one cell:
    the rest of the one, whole records, the begin of the other.

    >>> swallows_records("Rome,30\\n2,Oslo", 1, 3, ","), swallows_records("well\\nno fever", 1, 3, ",")
    (True, False)
    """
    first, *whole, last = (line.count(separator) for line in _LINE_END.split(cell))
    rest = width - 1 - column
    if width == 1 or width - 1 in (*whole, last):
        return True
    return (rest > 0 and first == rest) or (column > 0 and last == column and rest > 0)


@dataclass
class _Scan:
    """The state between pieces. The last byte waits, since what follows it decides."""

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
    """What, where, and where the field was opened."""

    def add(self, piece: bytes) -> None:
        held = self.held + piece
        if held.find(_QUOTE, 1) < 0:
            self.over_lines |= self.inside and any(held.find(end, 1, -1) > 0 for end in _LINE_ENDS)
        elif len(held) > 2:
            self._judge(held)
        if len(held) > 2:
            self.done += len(held) - 2
            held = held[-2:]
        self.held = held

    def end(self) -> None:
        self.add(b"\n")
        if self.inside and self.fault is None:
            self.fault = "a quote is opened here and never closed", self.opened, self.opened

    def _judge(self, held: bytes) -> None:
        import numpy as np

        text = np.frombuffer(held, dtype=np.uint8)
        quotes = np.flatnonzero(text[1:-1] == _QUOTE) + 1
        opening, closing = quotes[int(self.inside) :: 2], quotes[1 - self.inside :: 2]
        before, after = text[opening - 1], text[closing + 1]
        begins = opening[before != _QUOTE]
        wrong = (opening[~_among(before, self.last_of_separator)], closing[~_among(after, self.first_of_separator)])
        if len(wrong[0]) or len(wrong[1]):
            self.fault = self._first_of(*wrong, begins)
            return
        if not self.over_lines:
            ends = np.flatnonzero((text[1:-1] == _LINE_ENDS[0]) | (text[1:-1] == _LINE_ENDS[1])) + 1
            self.over_lines = bool(((np.searchsorted(quotes, ends) + self.inside) % 2 == 1).any())
        self.inside ^= len(quotes) % 2 == 1
        if len(begins):
            self.opened = self.done + int(begins[-1]) - 1

    def _first_of(self, opening: Places, closing: Places, begins: Places) -> tuple[str, int, int]:
        at = min(int(places[0]) for places in (opening, closing) if len(places))
        earlier = begins[begins < at]
        opened = self.opened if not len(earlier) else self.done + int(earlier[-1]) - 1
        inside = len(opening) and at == opening[0]
        what = "a quote stands inside a field" if inside else "a field goes on after its closing quote"
        return what, self.done + at - 1, opened


def _among(text: NDArray[np.uint8], separator: int) -> NDArray[np.bool_]:
    """Which of these bytes may stand beside a quote."""
    import numpy as np

    fitting = np.zeros(256, dtype=np.bool_)
    fitting[[_QUOTE, separator, *_LINE_ENDS]] = True
    found: NDArray[np.bool_] = fitting[text]
    return found


def _told(pieces: Pieces, what: str, at: int, opened: int) -> str:
    line, begun = _line(pieces, at), _line(pieces, opened)
    further = f"; it was opened on line {begun}" if what.startswith("a field") and begun < line else ""
    return f"line {line}: {what}{further}"


def _line(pieces: Pieces, at: int) -> int:
    """The line on which a byte stands; looked for only when something is wrong."""
    line, seen, previous = 1, 0, b""
    for piece in pieces():
        part = piece[: at - seen]
        line += part.count(b"\n") + part.count(b"\r") - part.count(b"\r\n")
        line -= previous == b"\r" and part[:1] == b"\n"
        seen, previous = seen + len(piece), piece[-1:] or previous
        if seen >= at:
            break
    return line
