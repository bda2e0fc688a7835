"""Say what a release would do, and the risks before; changes nothing."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.cleaning_lines import cleaning_lines
from sharewell.cli.kind_words import KindWords, of_kind
from sharewell.cli.output import LOOKALIKES, add_json, print_json, print_table, progress

if TYPE_CHECKING:
    from sharewell.pipeline.plan import Outcome, Plan
    from sharewell.pipeline.preview import Preview
    from sharewell.plain_data import JsonObject

SEVERAL = "datasets together"
"""No dataset can have this name."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("policy", type=Path, help="the policy file")
    parser.add_argument(
        "--preview",
        action="store_true",
        help="protect in memory and show what becomes of each column; on a terminal, a dozen published rows too",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.number_format import show
    from sharewell.pipeline.plan import plan
    from sharewell.policy import check

    policy = check(args.policy)
    with progress(args.policy) as step:
        result = plan(policy, step, preview=args.preview)
    if args.json:
        print_json({name: part.to_json() for name, part in result.items()} | _together_json(result))
        return 0 if result.feasible else 1
    for name, part in result.items():
        pairs = ("role", "kind", "style", "hierarchy", "distinct", "missing")
        rows = [
            (column, *map(facts.get, pairs), facts.get("unknown") or None) for column, facts in part.columns.items()
        ]
        header = ("column", "role", "read as", "published as", "hierarchy", "distinct", "missing", "unknown")
        words = of_kind(part.kind)
        known = not words.persons_by_subject or any(facts["role"] == "subject" for facts in part.columns.values())
        persons = f", {part.size['persons']} persons" if known and "persons" in part.size else ""
        print_table(header, rows, title=f"{name}: {part.size['rows']} rows{persons}")
        notes = {f.name: f" ({f.note})" if f.note and words.explains_risks else "" for f in part.risks}
        risks = [(f.name, f"{show(f.value)} {f.unit}{notes[f.name]}") for f in part.risks]
        print_table(("risk before protection", ""), risks)
        for line in cleaning_lines([one.to_json() for one in part.accounts]):
            print(f"cleaned  {line}")
        for column, count in part.lookalikes.items():
            print(f"caution  {column}: {LOOKALIKES.format(count=count)}")
        for caution in part.cautions:
            print(f"caution  {caution}")
        for criterion in part.require:
            print(f"require  {criterion}")
        print(f"using    {part.using}")
        for reason in part.chosen:
            print(f"chosen   {reason}")
        for tried in part.outcome.tried:
            print(f"tried    {tried}")
        _show_outcome(part.outcome, part.size["rows"], words)
        if part.preview is not None:
            _show_preview(name, part.preview, part.size["rows"])
    _show_together(result)
    for caution in result.cautions:
        print(f"caution  {caution}")
    for decision in policy.decisions:
        print(f"decided  {decision}")
    for deviation in policy.deviations:
        print(f"deviates {deviation}")
    for lack in result.lacking:
        print(f"lacking  {lack}")
    print(f"would write {policy.write.directory / policy.release.name} ({policy.write.format}); nothing was changed")
    return 0 if result.feasible else 1


def _together_json(result: Plan) -> JsonObject:
    cautions: JsonObject = {"cautions": list(result.cautions)} if result.cautions else {}
    if result.ties is None:
        return {SEVERAL: cautions} if cautions else {}
    joint = None if result.together is None else result.together.to_json()
    return {SEVERAL: {"ties": result.ties.to_json(), "outcome": joint, **cautions}}


def _show_together(result: Plan) -> None:
    """How datasets are tied by person, and what protecting them together would come to."""
    for line in result.ties.lines() if result.ties is not None else ():
        print(f"persons  {line}")
    if result.together is None:
        return
    for tried in result.together.mechanism.get("tried", ()):
        print(f"tried    {tried}")
    for one in result.together.mechanism.get("datasets", ()):
        print(f"together {one['dataset']}: {one['left_out']:,} of {one['facts']:,} facts would be left out")
    for finding in result.together.findings:
        print(f"together {finding}: {finding.note}")
    if not result.together.feasible:
        print("outcome  NOT feasible together")
        print("\n".join(f"         {line}" for line in result.together.why_not.splitlines()))


def _show_outcome(outcome: Outcome, rows: int, words: KindWords) -> None:
    from sharewell.number_format import show

    tried = "" if outcome.tried_rows == rows else f", tried on {outcome.tried_rows} rows"
    tried += ": the whole table keeps more" if tried and "classes" in (outcome.size or {"classes": 0}) else ""
    if not outcome.feasible:
        print(f"outcome  NOT feasible{tried}")
        print("\n".join(f"         {line}" for line in outcome.why_not.splitlines()))
        return
    size, cost = outcome.size or {}, outcome.cost or {}
    withheld = outcome.tried_rows - size.get("rows", outcome.tried_rows)
    what = f"{size['classes']} classes, " if "classes" in size else ""
    what += f"{withheld} record(s) withheld"
    reasons = [f"{reason.removeprefix('withheld_')} {count}" for reason, count in size.items() if "withheld_" in reason]
    what += f" ({', '.join(reasons)})" if reasons else ""
    what = words.outcome(size, withheld) or what
    costs = ", ".join(f"{name} {show(value)}" for name, value in cost.items())
    print(f"outcome  {what}{', ' if costs else ''}{costs}{tried}")
    for column in outcome.lost:
        print(f"LOST     {column}")
    for saving in outcome.savings:
        print(f"costly   {saving}")


def _show_preview(name: str, preview: Preview, rows: int) -> None:
    """Fates anywhere; cells on a terminal alone, where no file keeps them."""
    if preview.why_not:
        print(f"preview  {preview.why_not}")
        return
    facts = [
        (
            one.column,
            one.role,
            one.fate,
            "" if one.exact is None else f"{100 * one.exact:.0f} %",
            f"{_or_dash(one.distinct_before)} → {_or_dash(one.distinct_after)}",
            one.example,
        )
        for one in preview.columns
    ]
    part = (
        ""
        if preview.tried_rows == rows
        else f" (tried on {preview.tried_rows} of {rows} rows: the whole table keeps more detail)"
    )
    header = ("column", "role", "becomes", "exact", "distinct", "looks like (invented)")
    print_table(header, facts, title=f"{name}: what would be published{part}")
    if not on_terminal():
        print("preview  rows are shown only on a terminal, so that no file keeps them")
        return
    columns = list(preview.rows[0]) if preview.rows else []
    shown = [[row[column] for column in columns] for row in preview.rows]
    print_table(columns, shown, title=f"{name}: {len(shown)} of the rows that would be published")


def on_terminal() -> bool:
    return sys.stdout.isatty()


def _or_dash(count: int | None) -> str:
    return "—" if count is None else str(count)
