"""`sharewell notes annotate | tag | correct | train`. The files that they write hold notes, and are private."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, print_json, print_table

if TYPE_CHECKING:
    from sharewell.notes.annotation.marked import MarkedNote

VERBS = ("annotate", "tag", "correct", "train")
_NOTES = "JSON Lines: {id, text}, and spans if there are marks already"


def arguments(subs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The verbs under `notes`."""
    mark = subs.add_parser("annotate", help="write a page for marking notes, on which findings are already marked")
    mark.add_argument("--blank", action="store_true", help="do not mark findings beforehand")
    fix = subs.add_parser("correct", help="write the same page for notes marked by `tag` or in an earlier round")
    for sub in (mark, fix):
        sub.add_argument("file", type=Path, metavar="FILE", help=_NOTES)
        sub.add_argument("--out", type=Path, required=True, metavar="PAGE", help="the page (.html); holds the notes")
    put = subs.add_parser("tag", help="mark notes by rules, and by a model")
    put.add_argument("file", type=Path, metavar="FILE", help=_NOTES)
    put.add_argument("--out", type=Path, required=True, metavar="FILE", help="marked notes; holds the notes")
    learn = subs.add_parser("train", help="train a model on marked notes of your own (extra: notes)")
    learn.add_argument("file", type=Path, nargs="+", metavar="FILE", help="marked notes; corrected ones last")
    learn.add_argument(
        "--out", type=Path, required=True, metavar="MODEL", help="the model; as confidential as the notes"
    )
    learn.add_argument("--curve", type=Path, metavar="FILE", help="draw the learning curve (SVG)")
    learn.add_argument("--least", type=int, default=3, metavar="N", help="ignore words that occur in fewer notes (3)")
    learn.add_argument("--all", action="store_true", help="after measuring on half of the notes, train on all")
    for sub in (mark, fix, put):
        sub.add_argument("--text", default="text", metavar="KEY", help="the key of the note's text (text)")
    for sub in (mark, put):
        sub.add_argument("--model", type=Path, metavar="MODEL", help="a model written by `train`, used with the rules")
    for sub in (mark, fix, put, learn):
        add_json(sub)


def run(args: argparse.Namespace) -> int:
    return {"annotate": _annotate, "correct": _correct, "tag": _tag, "train": _train}[args.what](args)


def _annotate(args: argparse.Namespace) -> int:
    from sharewell.notes.annotation.marked import read, tag

    notes = read(args.file, args.text) if args.blank else tag(args.file, args.model, key=args.text, again=False)
    return _page(args, notes)


def _correct(args: argparse.Namespace) -> int:
    from sharewell.notes.annotation.marked import read

    return _page(args, read(args.file, args.text))


def _page(args: argparse.Namespace, notes: Iterable[MarkedNote]) -> int:
    from sharewell.notes.annotation.marked import write_page

    saved = f"{args.file.name.partition('.')[0]}-marked.jsonl"
    many = write_page(args.out, notes, saved)
    if args.json:
        print_json({"notes": many, "written": str(args.out), "saves": saved})
        return 0
    print(f"{args.out}: {many} note(s) to mark — open it in a browser; it saves {saved}")
    print("The page holds the notes themselves, loads and sends nothing; delete it when you are done.")
    return 0


def _tag(args: argparse.Namespace) -> int:
    from sharewell.notes.annotation.marked import tag, write

    many = write(args.out, tag(args.file, args.model, key=args.text))
    if args.json:
        print_json({"notes": many, "written": str(args.out)})
        return 0
    print(f"{args.out}: {many} note(s) with what was found in them — look at it with `sharewell notes correct`")
    return 0


def _train(args: argparse.Namespace) -> int:
    from sharewell.io.writing import refuse_existing, write_text
    from sharewell.notes.annotation.training import svg, train

    for path in (args.out, args.curve):
        if path is not None:
            refuse_existing(path)
    learnt = train(args.file, args.out, least=args.least, whole=args.all)
    drawing = svg(learnt) if args.curve else ""
    if drawing:
        write_text(args.curve, drawing)
    if args.json:
        print_json(learnt.to_json() | {"written": str(args.out)} | ({"drawn": str(args.curve)} if drawing else {}))
        return 0
    rows = [(p.notes, *(f"{p.alone[k]:.3f}" for k in ("precision", "recall", "f2")), f"{p.with_rules['f2']:.3f}")
            for p in learnt.points]  # fmt: skip
    if learnt.rules:
        rows.insert(0, (0, "", "", "", f"{learnt.rules['f2']:.3f}"))
    title = f"{args.out.name}: {', '.join(learnt.sheet.kinds)}; measured on {learnt.measured_on} other notes"
    print_table(("notes", "precision", "recall", "F2", "F2 with the rules"), rows, title)
    print("A model is as confidential as the notes it was trained on.")
    return 0
