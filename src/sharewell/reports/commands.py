"""Audit a proposed report of owners and measures, find or write the safe report of least loss, or gather its sums."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

from sharewell.cli.kind_words import KindWords
from sharewell.reports.figures import commands as figures
from sharewell.reports.gathering import commands as gathering


def _outcome(size: Mapping[str, int], withheld: int) -> str:
    if "cells" in size:  # a table of counts or sums
        return f"{size['hidden']} of {size['cells']} cells hidden"
    if "owners" in size:
        return f"{size['rows']} figure(s) about {size['owners']} owners, {withheld} fewer than proposed"
    return ""


WORDS = KindWords(outcome=_outcome)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Each task has its own --help, and takes --json."
    tasks = parser.add_subparsers(dest="task", metavar="TASK", required=True)
    figures.arguments(tasks)
    gathering.arguments(tasks)


def run(args: argparse.Namespace) -> int:
    return gathering.run(args) if args.task == gathering.TASK else figures.run(args)
