"""Say whether a file is anonymous as it stands, and which of its columns cost the most risk.

Exit 0 if every class has at least k persons and, where roles are guessed, no column must go; else 1. No value is shown.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.kind_words import KindWords
from sharewell.cli.output import add_json, from_one, print_json, print_table

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
_GO = "direct identifiers, keys or free text, by their look; data that is shared cannot have them"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="CSV, Parquet or Arrow")
    parser.add_argument("--quasi", type=_names, metavar="A,B", help="columns that others may know (default: guessed)")
    parser.add_argument("--sensitive", type=_names, metavar="C,D", default=(), help="columns that others want to know")
    parser.add_argument("--subject", metavar="ID", help="the column that tells persons apart")
    parser.add_argument("--k", type=from_one, default=11, metavar="K", help="least persons in a class (default: 11)")
    parser.add_argument("--population", type=Path, metavar="FILE", help="people who exist, with some quasi columns")
    parser.add_argument("--published", action="store_true", help="FILE is a release: cells such as [20-29] are ranges")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    from sharewell.tables.engine.assessment import assess_file

    assessment = assess_file(
        args.file,
        quasi=args.quasi,
        sensitive=args.sensitive,
        subject=args.subject,
        published=args.published,
        k=args.k,
        population=args.population,
    )
    if args.json:
        print_json(assessment.to_json())
    else:
        _show(args.file.name, assessment)
    return 0 if assessment.anonymous else 1


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _show(name: str, assessment: Assessment) -> None:
    withheld = f", {assessment.withheld} of them withheld" if assessment.withheld else ""
    print(f"{name}: {assessment.rows} records{withheld}; judged by {assessment.unit}")
    if assessment.guessed:
        print("  roles were guessed from names and shapes; name them with --quasi, --sensitive and --subject")
    for role, columns in (
        ("quasi", assessment.quasi),
        ("sensitive", assessment.sensitive),
        ("subject", (assessment.subject,)),
    ):
        print(f"  {role:10} {', '.join(filter(None, columns)) or '—'}")
    if assessment.identifiers:
        print(f"  {'must go' if assessment.guessed else 'caution':10} {', '.join(assessment.identifiers)}: {_GO}")
    elsewhere = [column for column in assessment.ignored if column not in assessment.identifiers]
    if elsewhere:
        print(f"  not judged {', '.join(elsewhere)}")
    _show_risks(assessment)
    _show_columns(assessment)
    rows = [(f"{one.k}", "yes" if one.ok else "no", ", ".join(one.profiles)) for one in assessment.verdicts]
    print_table(("least class", "kept", "asked for by"), rows)
    print(_answer(assessment))


def _show_risks(assessment: Assessment) -> None:
    unit = assessment.unit
    rows = [
        (
            "smallest class",
            "—" if assessment.smallest is None else _several(assessment.smallest, unit),
            f"asked for: {assessment.k}",
        ),
        (f"{unit} alone in a class", assessment.unique, _share(assessment.unique, assessment.persons)),
        (f"{unit} in classes below {assessment.k}", assessment.below, _share(assessment.below, assessment.persons)),
        ("someone known to be in the data (prosecutor)", _percent(assessment.prosecutor.value), "at worst"),
        ("everybody at once (marketer)", _percent(assessment.marketer if assessment.persons else None), "on average"),
    ]
    if assessment.journalist is not None and assessment.journalist.value is None:
        rows.append(("a record, by the population (journalist)", "—", "undecided: no record fits anybody on the list"))
    elif assessment.journalist is not None:
        by = ", ".join(assessment.journalist.details.columns)
        rows.append(
            ("a record, by the population (journalist)", _percent(assessment.journalist.value), f"at worst, by {by}")
        )
        average = _percent(assessment.journalist.details.risk.average)
        rows.append(("all records, by the population (marketer)", average, "on average"))
    for column, one in zip(assessment.sensitive, assessment.inference, strict=True):
        if one.value is None:
            rows.append((f"value of {column} guessed", "—", "undecided: there is no record to judge"))
            continue
        certain = f"at worst; certain for {_percent(one.details.certain)} of the records"
        rows.append((f"value of {column} guessed", _percent(one.value), certain if one.details.certain else "at worst"))
    print_table(("risk as it stands", "", ""), rows)
    _show_notes(assessment)


def _show_notes(assessment: Assessment) -> None:
    """What is to be said of the population."""
    from sharewell.attack_simulation import NOT_SIMULATED

    for note in [] if assessment.journalist is None else assessment.journalist.note.split("; "):
        if note and note != NOT_SIMULATED:
            print(f"  population {note}")


def _show_columns(assessment: Assessment) -> None:
    risks = assessment.columns
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


def _answer(assessment: Assessment) -> str:
    if assessment.smallest is None:
        return "answer: undecided — there is no record to judge"
    if assessment.anonymous:
        return f"answer: yes — every class has {assessment.k} {assessment.unit} or more, by these columns; docs/risk.md says more"
    reasons = (
        [f"{_several(assessment.below, assessment.unit)} in classes of fewer than {assessment.k}"]
        if assessment.below
        else []
    )
    reasons += (
        [f"{len(assessment.identifiers)} column(s) must go"] if assessment.guessed and assessment.identifiers else []
    )
    return f"answer: no — {'; '.join(reasons)}; `sharewell init` proposes how to protect them"


def _several(number: int, unit: str) -> str:
    return f"{number} {unit.removesuffix('s') if number == 1 else unit}"


def _share(part: int, whole: int) -> str:
    return _percent(part / whole) if whole else "—"


def _percent(value: object) -> str:
    from sharewell.dossier.words import THIN, share

    return share(float(value) if isinstance(value, (int, float)) else None).replace(THIN, " ")
