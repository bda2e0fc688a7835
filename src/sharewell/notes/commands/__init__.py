"""`sharewell notes`: detect identifiers in clinical notes, score detectors, annotate, train, protect."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.kind_words import KindWords
from sharewell.cli.output import add_json, print_json, print_table
from sharewell.cli.reader_options import add_reader_options, detected
from sharewell.notes.commands import annotate, persistence, protect, rules
from sharewell.notes.commands.language import LANGUAGE, language_detectors
from sharewell.plain_data import JsonObject

if TYPE_CHECKING:
    from sharewell.io.sources import Source

WORDS = KindWords(
    risks={"no-known-identifiers": "persons whose own identifiers are in their notes"}, explains_risks=True
)
_FILE = "a note (.txt, .rtf, .docx), a folder of them, or a table with a note a row; - for standard input"


def arguments(parser: argparse.ArgumentParser) -> None:
    subs = parser.add_subparsers(dest="what", metavar="WHAT", required=True)
    score = subs.add_parser(
        "evaluate", help="measure precision, recall and F2 of the detectors on notes marked by people"
    )
    score.add_argument("file", type=Path, metavar="FILE", help="JSON Lines: {id, text, spans: [{start, end, label}]}")
    find = subs.add_parser("detect", help="find names, dates, places, numbers, drugs and doses")
    find.add_argument("file", type=Path, metavar="FILE", help=_FILE)
    find.add_argument("--text", default="text", metavar="KEY", help="for a table: the column of the note's text (text)")
    find.add_argument("--out", type=Path, metavar="FILE", help="write spans as JSON Lines; never replaced")
    add_reader_options(find)
    for sub in (score, find):
        sub.add_argument("--language", default="english", metavar="NAME", help=LANGUAGE)
        add_json(sub)
    annotate.arguments(subs)
    persistence.arguments(subs)
    protect.arguments(subs)
    rules.arguments(subs)


def run(args: argparse.Namespace) -> int:
    if args.what in annotate.VERBS:
        return annotate.run(args)
    if args.what in rules.VERBS:
        return rules.run(args)
    verbs = {"evaluate": _evaluate, "detect": _detect, persistence.VERB: persistence.run, protect.VERB: protect.run}
    return verbs[args.what](args)


def _evaluate(args: argparse.Namespace) -> int:
    from sharewell.notes.engine.detection_scores import evaluate

    scores = evaluate(args.file, language_detectors(args.language))
    if args.json:
        print_json(scores)
        return 0
    rows: list[tuple[object, ...]] = []
    phi = scores.get("phi")
    if phi:
        rows.append(("identifying", phi["precision"], phi["recall"], phi["f2"]))
        rows += [(f"  {label}", "", recall, "") for label, recall in phi["by_label"].items()]
    rows += [
        (part, scores[part]["precision"], scores[part]["recall"], "") for part in ("drug", "dose") if part in scores
    ]
    print_table(("", "precision", "recall", "F2"), rows)
    if phi:
        print(
            f"{phi['clean']} of {phi['documents']} notes without a leak; {phi['full']:.1%} of the spans covered wholly"
        )
    print(f"{scores['notes_per_cpu_second']:g} notes a CPU second")
    return 0


def _detect(args: argparse.Namespace) -> int:
    from sharewell.io.standard_input import spooled

    with spooled(args.file) as path:
        return _detected(args, detected(args, path, documents=True))


def _detected(args: argparse.Namespace, source: Source) -> int:
    from collections import Counter
    from contextlib import ExitStack

    from sharewell.io.atomic import whole_file
    from sharewell.io.rowfile import LineFile
    from sharewell.notes.engine.detection_scores import detect_file

    kinds: Counter[str] = Counter()
    notes = 0
    listed: list[JsonObject] = []
    with ExitStack() as stack:
        written = None
        if args.out:
            written = LineFile(stack.enter_context(whole_file(args.out)) / args.out.name)
            stack.callback(written.close)
        for note in detect_file(source, args.text, language_detectors(args.language)):
            notes += 1
            kinds.update(span.kind for span in note.spans)
            if written:
                written.write([note.to_json()])
            elif args.json:
                listed.append(note.to_json())
    counts = dict(sorted(kinds.items()))
    if args.json:
        print_json(
            {"notes": notes, "by_kind": counts} | ({"written": str(args.out)} if args.out else {"found": listed})
        )
        return 0
    print_table(("kind", "found"), list(counts.items()), f"{source.label}: {notes} note(s)")
    if args.out:
        print(f"{args.out}: offsets, kinds and certainties, one note a line")
    return 0
