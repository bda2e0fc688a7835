"""`sharewell notes persistence`: what clusters of notes keep without doses, without medications, without both."""

from __future__ import annotations

import argparse
from pathlib import Path

from sharewell.cli.output import add_json, print_json, print_table, progress

VERB = "persistence"


def arguments(subs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subs.add_parser(
        VERB, help="measure how clusters of notes change without doses, medications, or both (extra: learn)"
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="JSON Lines, one note per line")
    parser.add_argument("--text", default="text", metavar="KEY", help="the key of the note's text (text)")
    parser.add_argument("--clusters", type=int, default=5, metavar="K", help="how many clusters (5)")
    parser.add_argument("--seed", type=int, default=0, help="of k-means (0)")
    parser.add_argument("--tree", type=Path, metavar="CSV", help="a hierarchy of drugs instead of the shipped one")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write a page with both charts; never replaced")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.hierarchy.tree import Tree
    from sharewell.io.writing import refuse_existing, write_text
    from sharewell.notes.engine.detection_scores import read_notes
    from sharewell.notes.engine.measures.four_data_sets import four_data_sets

    if args.out:
        refuse_existing(args.out)
    texts = [text for _, text in read_notes(args.file, args.text)]
    tree = None if args.tree is None else Tree.from_csv(args.tree)
    with progress() as step:
        result = four_data_sets(texts, args.clusters, args.seed, tree=tree, progress=step)
    if args.out:
        from sharewell.notes.dossier.persistence import page

        write_text(args.out, page(result.to_json()))
    if args.json:
        print_json(result.to_json() | ({"written": str(args.out)} if args.out else {}))
        return 0
    rows = [
        (name, f"{kept.average:.1%}", f"{kept.records_kept:.1%}", *(f"{r:.2%}" for r in result.risks[name].values()))
        for name, kept in result.kept.items()
    ]
    heads = ("data set", "persistence", "notes that stayed", "risk at 1 %", "at 5 %", "at 10 %")
    print_table(heads, rows, f"{args.file.name}: {result.notes} notes, {result.flagged} with a drug or a dose")
    print(f"from another start, the original itself keeps {result.two_starts:.1%}")
    if args.out:
        print(f"wrote    {args.out}")
    return 0
