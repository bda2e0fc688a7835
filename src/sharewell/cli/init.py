"""Look at files and propose a commented draft policy.

The draft goes to the file of `-o`, which must not be there yet, or to the standard output; the table of columns is then
shown on the standard error, so that `sharewell init data.csv > policy.yaml` works. No value of the data is shown.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, print_json, print_table
from sharewell.cli.reader_options import add_reader_options, options, refuse_misplaced

if TYPE_CHECKING:
    from sharewell.proposal import Proposal, Survey
    from sharewell.proposal.dataset_kinds import DatasetDraft

_STOPPED = 130


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="the files of the release, of any kind; - for standard input",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="POLICY", help="write the draft here (default: print it)")
    parser.add_argument("--name", default="draft", help="the name of the release (default: draft)")
    parser.add_argument(
        "--interactive", action="store_true", help="ask five questions, and suggest answers from the data"
    )
    parser.add_argument(
        "--questions", action="store_true", help="draft a policy that keeps the data and answers questions about it"
    )
    add_reader_options(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.cli.interview import Stopped
    from sharewell.io.writing import write_text

    output: Path | None = args.output
    _refuse_output(output)
    try:
        with contextlib.redirect_stdout(sys.stderr) if output is None else contextlib.nullcontext():
            proposal = _proposed(args)
    except (Stopped, KeyboardInterrupt):
        print("\nsharewell init: stopped; nothing was written", file=sys.stderr)
        return _STOPPED
    if output is not None:
        write_text(output, proposal.text)
    if args.json:
        where = {"draft": proposal.text} if output is None else {"written": str(output)}
        print_json({"datasets": {one.name: one.to_json() for one in proposal.surveys}, **where})
        return 0
    with contextlib.redirect_stdout(sys.stderr) if output is None else contextlib.nullcontext():
        _show(proposal)
    if output is None:
        print(proposal.text, end="")
    else:
        print(f"wrote {output}: a draft; read every line, and create the keys that it names:")
        print(f"  sharewell keygen --secret {output.parent / 'release.key'}")
        print(f"  sharewell keygen {output.parent / 'steward'}")
        print(f"then: sharewell check {output}, and: sharewell plan {output}")
    return 0


def _refuse_output(output: Path | None) -> None:
    from sharewell.errors import DataError

    if output is not None and (output.exists() or output.is_symlink()):
        raise DataError(f"{output} — already there, and a policy is never overwritten — choose another name or move it")
    if output is not None and not output.parent.is_dir():
        raise DataError(f"{output.parent} — no such folder — make it first")


def _proposed(args: argparse.Namespace) -> Proposal:
    from sharewell.cli.interview import interview
    from sharewell.proposal import Answers, Proposal
    from sharewell.proposal.draft import refuse_name

    refuse_name(args.name)
    surveys = _seen(args)
    answers = interview(surveys) if args.interactive else Answers()
    base = Path() if args.output is None else args.output.parent
    return Proposal.from_surveys(surveys, name=args.name, base=base, questions=args.questions, answers=answers)


def _seen(args: argparse.Namespace) -> list[Survey]:
    """Look at the files. What was piped in lies in a file that is gone afterwards: a draft cannot name it."""
    from sharewell.errors import DataError
    from sharewell.io.standard_input import SIGN, spooled
    from sharewell.proposal.draft import seen
    from sharewell.proposal.survey import renamed

    given = options(args)
    if SIGN not in args.files:
        surveys = seen(args.files, given)
    elif args.files != [SIGN] or args.interactive:
        raise DataError("standard input — cannot be read beside other files or answers — write it to a file first")
    else:
        with spooled(SIGN) as path:
            surveys = [renamed(one, Path(path.name)) for one in seen([path], given)]
    if len(surveys) == 1:
        refuse_misplaced(given, surveys[0].source)
    return surveys


def _show(proposal: Proposal) -> None:
    from sharewell.proposal.draft_remarks import cautions, single_lines

    for one in proposal.surveys:
        for sentence in (*one.decided, *cautions(one)):
            print(sentence)
    for dataset in proposal.datasets:
        _show_dataset(dataset)
        if dataset.takes_roles:
            for line in single_lines(dataset.survey):
                print(line)
    for name in proposal.registers:
        print(f"{name}: a list of people without their health, as an attacker may have it; it is not released")


def _show_dataset(dataset: DatasetDraft) -> None:
    from sharewell.proposal.draft_remarks import counted
    from sharewell.proposal.yaml_text import scalar

    seen = dataset.survey
    persons = "" if seen.persons is None else f", {seen.persons} persons"
    title = f"{dataset.name} (kind {dataset.kind}, {dataset.why})"
    if not dataset.columns:
        print(title)
        return
    rows = [
        (
            scalar(column.name),
            column.kind,
            str(column.role) + ("" if column.sure else " ?"),
            column.hierarchy,
            "; ".join(column.reasons),
            counted(column),
        )
        for column in dataset.columns
    ]
    header = ("column", "kind", "role", "hierarchy", "why", "measures")
    print_table(header, rows, title=f"{title}: {seen.rows} records{persons}")
