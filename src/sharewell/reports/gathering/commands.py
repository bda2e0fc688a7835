"""Gather sums from owners who show nobody their rows, or answers of patients that are true with a known probability.

`sharewell reports gather plan|mediator|owner|randomise|estimate …`: one of the tasks of `sharewell reports`.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sharewell.cli.output import add_json, print_json, print_table
from sharewell.errors import PolicyError

if TYPE_CHECKING:
    from sharewell.reports.gathering.engine.proposed_report import Proposed

TASK = "gather"


def arguments(tasks: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """The task `gather` and what can be done in it."""
    gather = tasks.add_parser(
        TASK, help="pass sums from owners to a mediator who sees no row; or handle randomised answers"
    )
    jobs = gather.add_subparsers(dest="job", metavar="JOB", required=True)
    plan = jobs.add_parser("plan", help="read a plan, and say whom it protects against what")
    mediator = jobs.add_parser("mediator", help="lead a gathering, and write the report")
    owner = jobs.add_parser("owner", help="take part with one row")
    for one in (plan, mediator, owner):
        one.add_argument("plan", type=Path, metavar="PLAN", help="the plan, in YAML; everybody has the same")
    for one in (mediator, owner):
        way = one.add_mutually_exclusive_group(required=True)
        way.add_argument("--folder", type=Path, metavar="DIR", help="messages are files in this shared folder")
        way.add_argument("--port", type=int, help="messages go over TCP on this machine's loopback")
        one.add_argument(
            "--wait", type=_seconds, default=60, metavar="SECONDS", help="how long to wait at each stage (60)"
        )
    mediator.add_argument(
        "--decimals",
        type=int,
        choices=range(13),
        metavar="N",
        help="decimals of the figures in the report (those of the plan)",
    )
    mediator.add_argument("--out", type=Path, required=True, metavar="FILE", help="the report, in YAML; never replaced")
    owner.add_argument("--name", required=True, help="which owner of the plan this is")
    owner.add_argument("--key", type=Path, required=True, metavar="FILE", help="the owner's .key file")
    owner.add_argument(
        "--values", type=Path, required=True, metavar="FILE", help="one line, with one measure per column"
    )
    owner.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="the report with this owner's row, for its own audit, if the plan shows it",
    )
    owner.add_argument(
        "--ledger", type=Path, metavar="FILE", help="the record of rows already used (default: beside the values)"
    )
    owner.add_argument("--again", action="store_true", help="take part although this row was already in a sum")
    _add_randomised(jobs)
    for one in jobs.choices.values():
        add_json(one)


def _add_randomised(jobs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    randomise = jobs.add_parser("randomise", help="draw answers of patients, each true with a known probability")
    randomise.add_argument("file", type=Path, metavar="FILE", help="one patient per row")
    randomise.add_argument("--subject", required=True, metavar="COLUMN", help="the column that identifies patients")
    randomise.add_argument("--columns", required=True, metavar="A,B", help="the measures")
    randomise.add_argument("--values", default="no,yes", metavar="A,B", help="all values of a measure (no,yes)")
    randomise.add_argument("--epsilon", type=float, required=True, help="for all answers of one patient together")
    randomise.add_argument("--key", required=True, metavar="PLACE", help="the secret key: env:NAME or file:PATH")
    randomise.add_argument("--out", type=Path, required=True, metavar="FILE", help="the answers, CSV; never replaced")
    estimate = jobs.add_parser("estimate", help="estimate true shares from randomised answers, with standard errors")
    estimate.add_argument("file", type=Path, metavar="FILE", help="what randomise wrote, with its .json beside it")


def run(args: argparse.Namespace) -> int:
    jobs = {"plan": _plan, "mediator": _mediator, "owner": _owner, "randomise": _randomise, "estimate": _estimate}
    return jobs[args.job](args)


def _plan(args: argparse.Namespace) -> int:
    from sharewell.reports.gathering.engine.plan import load_plan

    plan = load_plan(args.plan)
    facts = {
        "owners": len(plan.owners),
        "threshold": plan.threshold,
        "may_drop": plan.may_drop,
        "curious_owners": plan.curious,
        "owners_with_a_lying_mediator": plan.liars,
    }
    if args.json:
        print_json({"gathering": plan.name, "fingerprint": plan.fingerprint, **facts})
        return 0
    print(
        f"{plan.name}: fingerprint {plan.fingerprint} — every owner compares it with the others, by telephone or letter"
    )
    print(f"{len(plan.owners)} owners, {len(plan.measures)} measure(s); no sum over fewer than {plan.threshold} owners")
    print(f"{plan.may_drop} may leave at any time, and the others still get their sums")
    print(f"a mediator who lies about who is there opens no row, even if {plan.liars} owner(s) tell it all they know")
    print(f"nor does one who only looks, even if {plan.curious} owner(s) tell it all they know")
    return 0


def _mediator(args: argparse.Namespace) -> int:
    from sharewell.io.folder_post import FolderPost
    from sharewell.io.loopback import LoopbackPost
    from sharewell.io.writing import refuse_existing, write_text
    from sharewell.reports.gathering.engine.exchange import mediate
    from sharewell.reports.gathering.engine.plan import load_plan

    plan = load_plan(args.plan)
    refuse_existing(args.out)
    way: AbstractContextManager[Any]
    way = LoopbackPost(args.port) if args.folder is None else nullcontext(FolderPost(args.folder, plan.names))
    with way as post:
        if args.folder is None:
            _note(f"listening on port {post.port} of this machine")
        gathered = mediate(plan, post, seconds=args.wait, note=_note)
    report = gathered.proposed(args.decimals)
    write_text(args.out, report.to_yaml(), private=True)
    if args.json:
        print_json({**gathered.to_json(), "written": str(args.out)})
        return 0
    _show(report, f"{plan.name}: {len(gathered.owners)} of {len(plan.owners)} owners")
    if gathered.dropped:
        print(f"not in the sums: {', '.join(gathered.dropped)}")
    if gathered.left_out:
        print(f"left out, for fewer than {plan.threshold} owners report them: {', '.join(gathered.left_out)}")
    print(f"{args.out}: audit it before it is published (sharewell reports audit {args.out})")
    return 0


def _owner(args: argparse.Namespace) -> int:
    from sharewell.io.folder_post import FolderLine
    from sharewell.io.loopback import LoopbackLine
    from sharewell.io.signatures import load_private
    from sharewell.io.writing import locked_file, refuse_existing, write_text
    from sharewell.reports.gathering.engine.exchange import join
    from sharewell.reports.gathering.engine.fixed_point import OwnerRow
    from sharewell.reports.gathering.engine.ledger import refuse_used, remember
    from sharewell.reports.gathering.engine.owner import taking_part
    from sharewell.reports.gathering.engine.plan import load_plan, read_row

    plan, values, key = load_plan(args.plan), read_row(args.values), load_private(args.key)
    ledger = args.ledger or args.values.with_name(args.values.name + ".ledger")
    if args.out is not None:
        refuse_existing(args.out)
        if not plan.show_owners:
            raise PolicyError("show_owners — the plan does not show the report to owners — leave --out away")
    taking, row = taking_part(plan, args.name, values, key), OwnerRow.of(plan, values)
    place = plan.place[args.name]
    way: AbstractContextManager[Any]
    with locked_file(ledger):  # two gatherings at once would both find the cells unused
        refuse_used(ledger, plan, row, key, again=args.again)
        way = LoopbackLine(args.port, args.wait) if args.folder is None else nullcontext(FolderLine(args.folder, place))
        with way as line:
            noting = partial(remember, ledger, plan, row, key, again=args.again)
            report = join(plan, taking, line, seconds=args.wait, before_unmasking=noting)
    if report is not None and args.out is not None:
        write_text(args.out, report.to_yaml({args.name: row.known(plan, report.measures)}), private=True)
    written = None if args.out is None else str(args.out)
    if args.json:
        shown = None if report is None else report.to_json()
        print_json({"gathering": plan.name, "finished": True, "report": shown, "written": written})
        return 0
    print(f"{plan.name}: finished; the mediator has the sums, and no row")
    if report is not None:
        _show(report, f"proposed, over {len(report.rows)} of {len(plan.owners)} owners")
    if written is not None:
        print(f"{written}: holds your row; audit it for yourself (sharewell reports audit {written})")
    return 0


def _show(report: Proposed, title: str) -> None:
    rows = [
        (name, f"{float(mean):g}", f"{float(report.sigmas[name]):g}" if name in report.sigmas else "")
        for name, mean in report.means.items()
    ]
    print_table(("measure", "mean", "sigma"), rows, title=title)


def _randomise(args: argparse.Namespace) -> int:
    from sharewell.keys import Key
    from sharewell.policy.secrets import resolve
    from sharewell.reports.gathering.engine.answer_files import randomise_file

    settings = randomise_file(
        args.file,
        subject=args.subject,
        columns=args.columns.split(","),
        values=tuple(args.values.split(",")),
        epsilon=args.epsilon,
        key=Key.from_secret(resolve(args.key, Path())),
        out=args.out,
    )
    if args.json:
        print_json({"written": str(args.out), **settings})
    else:
        print(f"{args.out}: {settings['people']} patient(s), epsilon {args.epsilon:g} for all answers of one together")
    return 0


def _estimate(args: argparse.Namespace) -> int:
    from sharewell.reports.gathering.engine.answer_files import estimate_file

    estimates = estimate_file(args.file)
    if args.json:
        print_json(
            {
                name: {"people": one.people, "shares": one.shares, "standard_errors": one.errors}
                for name, one in estimates.items()
            }
        )
        return 0
    rows = [
        (name, value, f"{100 * share:.2f} %", f"± {100 * one.errors[value]:.2f}")
        for name, one in estimates.items()
        for value, share in one.shares.items()
    ]
    print_table(("measure", "value", "share", "standard error"), rows)
    return 0


def _seconds(text: str) -> float:
    """A time to wait; neither for ever nor no number."""
    seconds = float(text)
    if not 0 <= seconds <= 604_800:
        raise argparse.ArgumentTypeError("must be from 0 to 604800, a week")
    return seconds


def _note(text: str) -> None:
    print(f"… {text}", file=sys.stderr, flush=True)
