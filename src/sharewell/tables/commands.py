"""Say whether a file is anonymous as it stands, and which of its columns cost the most risk.

Exit 0 if every class has at least k persons and, where roles are guessed, no column must go; else 1. No value is shown.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.kind_words import KindWords
from sharewell.cli.output import add_json, from_one, print_json, print_table
from sharewell.cli.reader_options import add_reader_options, detected, recognised, say

if TYPE_CHECKING:
    from sharewell.tables.engine.assessment import Assessment
    from sharewell.tables.engine.column_risk import SetRisk

WORDS = KindWords(
    risks={"k-anonymity": "smallest class ({unit})", "prosecutor": "largest re-identification risk"},
    averages={"prosecutor": "average re-identification risk"},
    persons_by_subject=True,
)
_BAR = 30
"""Characters of the longest bar."""
_MOST_SETS = 5
_GO = "they look like direct identifiers, keys or free text, which shared data cannot hold"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="CSV, Excel, Parquet …; - for standard input")
    parser.add_argument("--quasi", type=_names, metavar="A,B", help="columns that others may know (default: guessed)")
    parser.add_argument("--sensitive", type=_names, metavar="C,D", default=(), help="columns that others want to know")
    parser.add_argument("--subject", metavar="ID", help="the column that identifies persons")
    parser.add_argument("--k", type=from_one, default=11, metavar="K", help="the smallest class allowed (default: 11)")
    parser.add_argument("--population", type=Path, metavar="FILE", help="a list of people, with some quasi columns")
    parser.add_argument("--published", action="store_true", help="FILE is a release: cells such as [20-29] are ranges")
    add_reader_options(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.io.standard_input import spooled

    with spooled(args.file) as path:
        return _judged(args, path)


def _judged(args: argparse.Namespace, path: Path) -> int:
    from itertools import islice

    from sharewell.io.stated_forms import with_stated_forms
    from sharewell.proposal.header_check import WITHOUT_SCHEMA, refuse_headless
    from sharewell.tables.engine.assessment import assess_file

    source, decided = with_stated_forms(detected(args, path))
    say(decided)
    if source.format in WITHOUT_SCHEMA:
        for rows in islice(source.batches(), 1):
            refuse_headless(rows, source.label)
    result = assess_file(
        source,
        quasi=args.quasi,
        sensitive=args.sensitive,
        subject=args.subject,
        published=args.published,
        k=args.k,
        population=None if args.population is None else recognised(args.population),
    )
    if args.json:
        print_json(result.to_json())
    else:
        _show(path.name, result)
    return 0 if result.anonymous else 1


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _show(name: str, result: Assessment) -> None:
    withheld = f", {result.withheld} of them withheld" if result.withheld else ""
    print(f"{name}: {result.rows} records{withheld}; judged by {result.unit}")
    if result.guessed:
        print("  roles were guessed from names and shapes; name them with --quasi, --sensitive and --subject")
    for role, columns in (("quasi", result.quasi), ("sensitive", result.sensitive), ("subject", (result.subject,))):
        print(f"  {role:10} {', '.join(filter(None, columns)) or '—'}")
    if result.identifiers:
        print(f"  {'must go' if result.guessed else 'caution':10} {', '.join(result.identifiers)}: {_GO}")
    elsewhere = [column for column in result.ignored if column not in result.identifiers]
    if elsewhere:
        print(f"  not judged {', '.join(elsewhere)}")
    _show_risks(result)
    _show_columns(result)
    rows = [(f"{one.k}", "yes" if one.ok else "no", ", ".join(one.profiles)) for one in result.verdicts]
    print_table(("smallest class allowed", "met", "required by"), rows)
    print(_answer(result))


def _show_risks(result: Assessment) -> None:
    from sharewell.attack_simulation import NOT_SIMULATED

    unit = result.unit
    smallest = "—" if result.smallest is None else _several(result.smallest, unit)
    rows = [
        ("smallest class", smallest, f"required: {result.k}"),
        (f"{unit} alone in a class", result.unique, _share(result.unique, result.persons)),
        (f"{unit} in classes below {result.k}", result.below, _share(result.below, result.persons)),
        ("someone known to be in the data (prosecutor)", _percent(result.prosecutor.value), "worst case"),
        ("everybody at once (marketer)", _percent(result.marketer if result.persons else None), "on average"),
    ]
    if result.journalist is not None and result.journalist.value is None:
        rows.append(("a record, by the population (journalist)", "—", "undecided: no record fits anybody on the list"))
    elif result.journalist is not None:
        by = f"worst case, by {', '.join(result.journalist.details.columns)}"
        rows.append(("a record, by the population (journalist)", _percent(result.journalist.value), by))
        average = _percent(result.journalist.details.risk.average)
        rows.append(("all records, by the population (marketer)", average, "on average"))
    for column, one in zip(result.sensitive, result.inference, strict=True):
        if one.value is None:
            rows.append((f"value of {column} guessed", "—", "undecided: there is no record to judge"))
            continue
        certain = f"worst case; certain for {_percent(one.details.certain)} of the records"
        rows.append(
            (f"value of {column} guessed", _percent(one.value), certain if one.details.certain else "worst case")
        )
    print_table(("risk before protection", "", ""), rows)
    for note in [] if result.journalist is None else result.journalist.note.split("; "):
        if note and note != NOT_SIMULATED:
            print(f"  population {note}")


def _show_columns(result: Assessment) -> None:
    risks = result.columns
    if not risks.columns:
        return
    top = max((one.contribution for one in risks.columns), default=0.0)
    rows = [
        (
            one.column,
            one.distinct,
            _percent(one.alone),
            _percent(one.without),
            _percent(max(0.0, one.contribution)),
            "█" * round(_BAR * max(0.0, one.contribution) / top) if top > 0 else "",
        )
        for one in risks.columns
    ]
    how = "exact" if risks.exact else f"from {risks.orders} drawn orders of the columns"
    title = f"risk by column: average {_percent(risks.risk)}, and what each column adds to it ({how})"
    print_table(("column", "values", "alone by it", "risk without it", "adds", ""), rows, title=title)
    few: list[SetRisk] = []
    for one in risks.sets:  # a set that holds a smaller one of the same distinction tells nothing new
        if len(few) < _MOST_SETS and len(one.columns) > 1 and not any({*a.columns} < {*one.columns} for a in few):
            few.append(one)
    sets = [(" + ".join(one.columns), _percent(one.distinction), _percent(one.separation)) for one in few]
    if sets:
        print_table(("few columns together", "distinction", "separation"), sets)


def _answer(result: Assessment) -> str:
    if result.smallest is None:
        return "answer: undecided — there is no record to judge"
    if result.anonymous:
        return (
            f"answer: yes — every class has {result.k} {result.unit} or more, by these columns; docs/risk.md says more"
        )
    reasons = [f"{_several(result.below, result.unit)} in classes of fewer than {result.k}"] if result.below else []
    reasons += [f"{len(result.identifiers)} column(s) must go"] if result.guessed and result.identifiers else []
    return f"answer: no — {'; '.join(reasons)}; `sharewell init` proposes how to protect them"


def _several(number: int, unit: str) -> str:
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"


def _share(part: int, whole: int) -> str:
    return _percent(part / whole) if whole else "—"


def _percent(value: object) -> str:
    from sharewell.dossier.words import THIN, share

    return share(float(value) if isinstance(value, (int, float)) else None).replace(THIN, " ")
