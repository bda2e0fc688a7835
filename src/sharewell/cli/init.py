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

if TYPE_CHECKING:
    from sharewell.proposal import Survey


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="CSV, Parquet or Arrow, one dataset each")
    parser.add_argument("-o", "--output", type=Path, metavar="POLICY", help="write the draft here (default: print it)")
    parser.add_argument("--name", default="draft", help="the name of the release (default: draft)")
    parser.add_argument(
        "--questions", action="store_true", help="draft a policy that keeps the data and answers questions about it"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.errors import DataError
    from sharewell.io.writing import write_text
    from sharewell.proposal import Proposal

    output: Path | None = args.output
    if output is not None and (output.exists() or output.is_symlink()):
        raise DataError(f"{output} — already there, and a policy is never overwritten — choose another name or move it")
    if output is not None and not output.parent.is_dir():
        raise DataError(f"{output.parent} — no such folder — make it first")
    base = None if output is None else output.parent
    found = Proposal.of(args.files, name=args.name, base=base, questions=args.questions)
    if output is not None:
        write_text(output, found.text)
    if args.json:
        where = {"draft": found.text} if output is None else {"written": str(output)}
        print_json({"datasets": {one.name: one.to_json() for one in found.surveys}, **where})
        return 0
    with contextlib.redirect_stdout(sys.stderr) if output is None else contextlib.nullcontext():
        for one in found.surveys:
            _show(one)
    if output is None:
        print(found.text, end="")
    else:
        print(f"wrote {output}: a draft; read every line, then: sharewell check {output}")
        print(f"before you release, make a key to sign with: sharewell keygen {output.parent / 'steward'}")
    return 0


def _show(one: Survey) -> None:

    from sharewell.proposal.draft import counted, scalar, single_lines

    rows = [
        (
            scalar(column.name),
            column.kind,
            str(column.role) + ("" if column.sure else " ?"),
            column.hierarchy,
            "; ".join(column.reasons),
            counted(column),
        )
        for column in one.columns
    ]
    persons = "" if one.persons is None else f", {one.persons} persons"
    title = f"{one.name}: {one.rows} records{persons}"
    print_table(("column", "kind", "role", "hierarchy", "why", "measures"), rows, title=title)
    for line in single_lines(one):
        print(line)
