"""`sharewell notes protect`: a file of notes, with what identifies replaced, as a new file."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from sharewell.cli.output import add_json, counting, print_json, print_table

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
    "language": ("english", "any"),
}
"""What `replace` takes one word for, the usual one first."""
PROCESSES = 2


def arguments(subs: Any) -> None:
    made = subs.add_parser(VERB, help="replace what identifies, note by note, and write JSON Lines")
    made.add_argument(
        "file", type=Path, metavar="FILE", help="JSON Lines (also .gz), CSV or Parquet, one note a record"
    )
    made.add_argument("--out", type=Path, required=True, metavar="FILE", help="JSON Lines; never replaced")
    made.add_argument("--text", default="text", metavar="COLUMN", help="the column of the text (text)")
    made.add_argument("--subject", metavar="COLUMN", help="the column that says whose note it is")
    made.add_argument("--keep", action="append", default=[], metavar="COLUMN", help="write this column too; repeat it")
    made.add_argument(
        "--people", type=Path, metavar="FILE", help="a table of these people: what it says is searched for"
    )
    for name, words in WORDS.items():
        made.add_argument(f"--{name}", choices=words, metavar="HOW", help=" or ".join(words))
    made.add_argument("--drugs", metavar="HOW", help="keep, suppress, or a level: 1, 2, … or full")
    made.add_argument("--detectors", metavar="NAMES", help="their names, parted by commas, if not all")
    made.add_argument("--key", metavar="WHERE", help="env:NAME or file:PATH; the same key and notes, the same result")
    made.add_argument("--processes", type=int, default=PROCESSES, metavar="N", help=f"processes at work ({PROCESSES})")
    made.add_argument("--resume", action="store_true", help="go on from where an interrupted attempt was")
    add_json(made)


def run(args: argparse.Namespace) -> int:
    from sharewell.io.sources import Source
    from sharewell.keys import Key
    from sharewell.notes.engine.protection.note_file import FileRequest, protect_file
    from sharewell.notes.policy import identifier_columns
    from sharewell.policy.secrets import resolve

    people = None if args.people is None else Source.of(args.people)
    known = None if people is None else identifier_columns(name for name in people.names() if name != args.subject)
    listed = None if known is None else {sort: tuple(names) for sort, names in known.items()}
    asked = FileRequest(args.text, args.subject, tuple(args.keep), people, listed)
    key = None if args.key is None else Key.from_secret(resolve(args.key, Path.cwd()))
    settings = {"resume": args.resume, "processes": max(1, args.processes)}
    with counting(f"protecting {args.file.name}") as tell:
        done = protect_file(Source.of(args.file), args.out, _mechanism(args), asked, key, tell=tell, **settings)
    if args.json:
        told: dict[str, Any] = {"notes": done.notes, "published": done.published, "persons": done.persons}
        told |= {"changed": dict(done.changed), "withheld": dict(done.withheld), "searched": listed or {}}
        told |= {"not in the table of people": done.absent} if people is not None else {}
        print_json(told | {"written": str(args.out), "reproducible": done.reproducible})
        return 0
    rows = [(kind, count) for kind, count in done.changed.items()]
    print_table(("kind", "replaced"), rows, f"{args.file.name}: {done.notes} note(s), {done.published} written")
    for reason, count in done.withheld.items():
        print(f"withheld {count} ({reason})")
    for sort, names in (listed or {}).items():
        print(f"searched {sort}: {', '.join(names)}")
    if done.absent:
        what = "are not in the table: nothing known of them was searched for"
        print(f"caution  {done.absent} of {done.persons} people {what}")
    print(f"written  {args.out}")
    if not done.reproducible:
        print("note     the same file cannot be made again: no secret key was given")
    return 0


def _mechanism(args: argparse.Namespace) -> Any:
    from sharewell.errors import PolicyError
    from sharewell.notes.mechanisms.replace import Replace

    given: dict[str, Any] = {word: getattr(args, word) for word in WORDS if getattr(args, word) is not None}
    if args.drugs is not None:
        level = int(args.drugs) if args.drugs.isdigit() else args.drugs
        given["drugs"] = args.drugs if args.drugs in ("keep", "suppress") else {"generalise": level}
    if args.detectors is not None:
        given["detectors"] = [name.strip() for name in args.detectors.split(",")]
    try:
        return Replace(**given)
    except ValueError as error:
        raise PolicyError(f"notes protect — {error}") from None
