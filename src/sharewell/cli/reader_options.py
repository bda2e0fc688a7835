"""How a file is to be read, as options of every verb that looks at one: the same words as under `read:` of a policy."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sharewell.io.sources import Source

_TAB = ("tab", "\\t")
_GOES_WITH = {
    "separator": ("csv",),
    "newlines": ("csv",),
    "sheet": ("excel",),
    "skip": ("csv", "excel"),
    "encoding": ("csv", "notes-folder"),
}
_WHOSE = {
    "separator": "delimited text",
    "newlines": "delimited text",
    "sheet": "workbooks",
    "skip": "delimited text or workbooks",
    "encoding": "delimited text or plain notes",
}


def add_reader_options(parser: argparse.ArgumentParser) -> None:
    """The options; `options` and `detected` read them."""
    group = parser.add_argument_group(
        "how the file is read", "what you leave out is detected from the file, and reported"
    )
    group.add_argument("--encoding", metavar="NAME", help="of text, such as windows-1252 or utf-16-le")
    group.add_argument("--separator", metavar="SIGN", type=_sign, help="the character between columns, or the word tab")
    group.add_argument(
        "--missing",
        action="append",
        default=[],
        metavar="TEXT",
        help='text that means "no value", such as N/A; repeatable',
    )
    group.add_argument("--newlines", action="store_true", help="cells may hold lines that look like records")
    group.add_argument("--decimal", metavar="SIGN", choices=(".", ","), help="the decimal sign: . or ,")
    group.add_argument("--day-first", action="store_true", default=None, help="in 03/04/2021 the day comes first")
    group.add_argument("--sheet", metavar="NAME", help="the sheet of a workbook with several")
    group.add_argument("--skip", metavar="N", type=_lines, default=0, help="lines above the header, such as a title")


def options(args: argparse.Namespace) -> Source:
    """What was said about reading, as a source without a file."""
    from sharewell.io.sources import Source

    return Source(
        encoding=args.encoding,
        separator=args.separator,
        missing=tuple(args.missing),
        newlines=args.newlines,
        decimal=args.decimal,
        day_first=args.day_first,
        sheet=args.sheet,
        skip=args.skip,
    )


def detected(args: argparse.Namespace, path: Path, *, documents: bool = False) -> Source:
    """The file as it was recognised, with the options; what was decided is said on the standard error.

    documents: may it be one document, or a folder of them?
    """
    from dataclasses import replace

    from sharewell.io.sources import DNA, Source

    given = options(args)
    result, recognised = Source.detected(path, given, documents=documents)
    if result.format in DNA:  # options are for the tables beside it
        return result
    refuse_misplaced(given, result)
    say(recognised.decided)
    return replace(given, path=path, format=result.format, encoding=result.encoding, skip=result.skip)


def recognised(path: Path) -> Source:
    """A second file of a command, to which its options do not apply; what was decided is said."""
    from sharewell.io.sources import Source

    result, known = Source.detected(path)
    say(known.decided)
    return result


def refuse_misplaced(source: Source, result: Source) -> None:
    """An option that says nothing about a file of this format."""
    from sharewell.errors import Mistake, PolicyError

    given = {
        "separator": source.separator,
        "newlines": source.newlines,
        "sheet": source.sheet,
        "skip": source.skip,
        "encoding": source.encoding,
    }
    for name, value in given.items():
        if value and result.format not in _GOES_WITH[name]:
            problem = f"is for {_WHOSE[name]}, and {result.label} is none"
            raise PolicyError([Mistake(0, 0, "", problem, "leave it out")], f"--{name}")


def say(sentences: Iterable[str]) -> None:
    """What was decided about reading."""
    for sentence in sentences:
        print(f"reading  {sentence}", file=sys.stderr)


def _lines(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("a number of lines is wanted, such as 3")
    return int(text)


def _sign(text: str) -> str:
    if text in _TAB:
        return "\t"
    if len(text) != 1 or text in '"\r\n':
        raise argparse.ArgumentTypeError('one character is wanted, such as ";" or tab')
    return text
