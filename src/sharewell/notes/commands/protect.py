"""`sharewell notes protect`: a file of notes, with what identifies replaced, as a new file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, counting, print_json, print_table
from sharewell.cli.reader_options import add_reader_options, detected, recognised
from sharewell.plain_data import JsonObject

if TYPE_CHECKING:
    from sharewell.notes.mechanisms.replace import Replace

VERB = "protect"
_HIDDEN = ("surrogate", "tag", "suppress")
WORDS: dict[str, tuple[str, ...]] = {
    "names": _HIDDEN,
    "dates": ("shift", "year", "tag", "suppress"),
    "ages": ("cap", "tag", "keep"),
    "places": (*_HIDDEN, "keep"),
    "organisations": (*_HIDDEN, "keep"),
    "contacts": _HIDDEN,
    "ids": _HIDDEN,
    "zips": ("surrogate", "zip3", "suppress"),
    "doses": ("keep", "suppress", "round"),
    "mark": ("kind", "line", "nothing"),
}
"""What `replace` takes one word for, the usual one first."""
PROCESSES = 2


def arguments(subs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subs.add_parser(VERB, help="replace identifiers, note by note, and write JSON Lines")
    parser.add_argument(
        "file",
        type=Path,
        metavar="FILE",
        help="a table with one note per row (JSON Lines, CSV …), or a folder of notes",
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="JSON Lines; never replaced")
    parser.add_argument("--text", default="text", metavar="COLUMN", help="the column of the text (text)")
    parser.add_argument("--subject", metavar="COLUMN", help="the column that identifies the person of a note")
    parser.add_argument(
        "--keep", action="append", default=[], metavar="COLUMN", help="write this column too; repeatable"
    )
    parser.add_argument(
        "--people", type=Path, metavar="FILE", help="a table of these people, whose values are searched for"
    )
    for name, words in WORDS.items():
        parser.add_argument(f"--{name}", choices=words, metavar="HOW", help=" or ".join(words))
    parser.add_argument("--drugs", metavar="HOW", help="keep, suppress, or a level: 1, 2, … or full")
    parser.add_argument("--language", metavar="NAMES", help="english, german, …, several separated by commas, or any")
    parser.add_argument("--detectors", metavar="NAMES", help="their names, separated by commas, if not all")
    parser.add_argument("--certainty", type=float, metavar="SHARE", help="how certain a piece must be (0.12)")
    parser.add_argument(
        "--key", metavar="WHERE", help="env:NAME or file:PATH; the same key and notes give the same result"
    )
    parser.add_argument(
        "--processes", type=int, default=PROCESSES, metavar="N", help=f"processes at work ({PROCESSES})"
    )
    parser.add_argument("--resume", action="store_true", help="continue an interrupted attempt")
    add_reader_options(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.keys import Key
    from sharewell.notes.engine.protection.note_file import FileRequest, protect_file
    from sharewell.notes.policy import identifier_columns
    from sharewell.policy.secrets import resolve

    people = None if args.people is None else recognised(args.people)
    known = None if people is None else identifier_columns(name for name in people.names() if name != args.subject)
    listed = None if known is None else {sort: tuple(names) for sort, names in known.items()}
    request = FileRequest(args.text, args.subject, tuple(args.keep), people, listed)
    key = None if args.key is None else Key.from_secret(resolve(args.key, Path.cwd()))
    settings = {"resume": args.resume, "processes": max(1, args.processes)}
    source = detected(args, args.file, documents=True)
    with counting(f"protecting {args.file.name}") as tell:
        counts = protect_file(source, args.out, _mechanism(args), request, key, tell=tell, **settings)
    if args.json:
        answer: JsonObject = {"notes": counts.notes, "published": counts.published, "persons": counts.persons}
        answer |= {"changed": dict(counts.changed), "withheld": dict(counts.withheld), "searched": listed or {}}
        answer |= {"withheld notes": {reason: list(numbers) for reason, numbers in counts.withheld_notes.items()}}
        answer |= {"not in the table of people": counts.absent} if people is not None else {}
        print_json(answer | {"written": str(args.out), "reproducible": counts.reproducible})
        return 0
    rows = [(kind, count) for kind, count in counts.changed.items()]
    print_table(("kind", "replaced"), rows, f"{args.file.name}: {counts.notes} note(s), {counts.published} written")
    for reason, count in counts.withheld.items():
        print(f"withheld {count} ({reason}): {_numbers(counts.withheld_notes.get(reason, ()), count)}")
    for sort, names in (listed or {}).items():
        print(f"searched {sort}: {', '.join(names)}")
    if counts.absent:
        problem = "are not in the table: nothing known of them was searched for"
        print(f"caution  {counts.absent} of {counts.persons} people {problem}")
    print(f"written  {args.out}")
    if not counts.reproducible:
        print("note     this file cannot be reproduced: no secret key was given")
    return 0


def _numbers(numbers: Sequence[int], count: int) -> str:
    """The withheld notes by their numbers in the file, and how many more there are."""
    more = f" and {count - len(numbers)} more" if count > len(numbers) else ""
    return f"note{'s' if count > 1 else ''} {', '.join(map(str, numbers))}{more}"


def _mechanism(args: argparse.Namespace) -> Replace:
    from sharewell.errors import PolicyError
    from sharewell.notes.mechanisms.replace import Replace

    given = vars(args)
    parameters: JsonObject = {word: given[word] for word in WORDS if given[word] is not None}
    if args.drugs is not None:
        level = int(args.drugs) if args.drugs.isdigit() else args.drugs
        parameters["drugs"] = args.drugs if args.drugs in ("keep", "suppress") else {"generalise": level}
    if args.detectors is not None:
        parameters["detectors"] = [name.strip() for name in args.detectors.split(",")]
    if args.language is not None:
        names = [name.strip() for name in args.language.split(",")]
        parameters["language"] = names if len(names) > 1 else names[0]
    if args.certainty is not None:
        parameters["certainty"] = args.certainty
    try:
        return Replace(**parameters)
    except ValueError as error:
        raise PolicyError(f"notes protect — {error}") from None
