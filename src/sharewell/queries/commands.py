"""Ask a question of data that stays with its steward; say what its budget has left; serve analysts over HTTP."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.kind_words import KindWords
from sharewell.cli.output import add_json, print_json, print_table
from sharewell.queries.service import commands as service_commands

if TYPE_CHECKING:
    from sharewell.queries.answer import Answer, Cost
    from sharewell.queries.engine.ledger import Balance, Charge

WORDS = KindWords(counted=("cells", "cells"), outcome=lambda size, withheld: f"{size.get('cells', 0)} noisy cells")
_ASK = """\
A question names a measure (count, sum, mean, median, quantile, histogram, top), and may filter and group by columns
that have a domain in the policy. --dry-run says what it costs, and charges nothing. Asking the same question
again at the same price gives the same answer free of charge. A dataset with mode: exact answers counts and sums free
of charge, as long as no combination of answers reveals something about few people."""


def arguments(parser: argparse.ArgumentParser) -> None:
    if parser.prog.endswith((" serve", " token")):
        service_commands.arguments(parser)
        return
    asks = parser.prog.endswith(" ask")
    parser.epilog = _ASK if asks else None
    parser.add_argument("policy", type=Path, help="the policy file")
    if asks:
        parser.add_argument("question", help="the question as JSON or YAML, or @FILE with it")
        price = parser.add_mutually_exclusive_group()
        price.add_argument(
            "--epsilon", type=float, metavar="E", help="the price: how much of the budget to spend, such as 0.1"
        )
        price.add_argument("--rho", type=float, metavar="R", help="the same, for a budget in zcdp")
        parser.add_argument("--dry-run", action="store_true", help="say what it would cost; nothing is charged or read")
    else:
        parser.add_argument(
            "--apply", metavar="WHY", help="set the caps in the ledger to those of the policy, and say why"
        )
    parser.add_argument("--dataset", metavar="NAME", help="which dataset, if several answer questions")
    parser.add_argument("--analyst", metavar="NAME", help="who asks; each has an account of their own")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if args.verb in ("serve", "token"):
        return service_commands.run(args)
    return _ask(args) if args.verb == "ask" else _budget(args)


def _ask(args: argparse.Namespace) -> int:
    from sharewell.io.plain_files import small_file
    from sharewell.queries.session import USUAL_ANALYST, Session

    question = args.question
    if question.startswith("@"):
        question = small_file(Path(question[1:])).decode("utf-8-sig", "replace")
    with Session.open(args.policy, args.dataset, args.analyst or USUAL_ANALYST) as session:
        price = {"epsilon": args.epsilon, "rho": args.rho}
        if args.dry_run:
            return _show_cost(session.cost(question, **price), args.json)
        return _show_answer(session.ask(question, **price), args.json)


def _show_cost(cost: Cost, as_json: bool) -> int:
    if as_json:
        print_json(cost.to_json())
        return 0
    off = cost.accuracy.half_width
    if cost.accuracy.noise == "none":
        print(f"would be answered exactly, for {cost.groups} group(s), as far as the audit allows; nothing was stored")
        print(cost.accuracy.note)
        return 0
    print(f"would cost {cost.loss}, for {cost.groups} group(s); nothing was charged")
    print(f"{cost.accuracy.noise} noise of scale {cost.accuracy.scale:.6g}")
    if off is not None:
        print(f"each value would be off by at most {off:.6g}, with 95 % probability")
    print(cost.accuracy.note)
    return 0


def _show_answer(answer: Answer, as_json: bool) -> int:
    if as_json:
        print_json(answer.to_json())
        return 0
    columns = list(dict.fromkeys(name for row in answer.rows for name in row["group"]))
    bounded = any(row["low"] is not None for row in answer.rows)
    header = [*columns, "answer", *(["between", "and"] if bounded else [])]
    rows = [
        [*(row["group"].get(name) for name in columns), _shown(row["value"])]
        + ([_shown(row["low"]), _shown(row["high"])] if bounded else [])
        for row in answer.rows
    ]
    print_table(header, rows)
    if bounded:
        print("each true value, taken by itself, lies between its bounds with 95 % probability")
    print(answer.accuracy["note"])
    if answer.stored:
        print(f"answered before (charge {answer.charge}): this is the stored answer; nothing was charged")
    elif answer.accuracy["noise"] == "none":
        print(f"noted in the ledger as {answer.charge}: later questions are audited together with it")
    else:
        print(f"cost {answer.loss} (charge {answer.charge})")
    for account, left in answer.remaining.items() if answer.accuracy["noise"] != "none" else ():
        print(f"left: {account}: {left}")
    return 0


def _shown(value: object) -> str:
    if value is None:
        return "withheld"
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _budget(args: argparse.Namespace) -> int:
    from sharewell.policy import load
    from sharewell.queries.accounts import Accounts
    from sharewell.queries.session import queried_dataset

    accounts = Accounts.of(queried_dataset(load(args.policy), args.dataset))
    analysts = [] if args.analyst is None else [args.analyst]
    if not accounts.exists and args.apply is None:
        caps = {name: {"cap": cap.to_json()} for name, cap in accounts.caps(*analysts).items()}
        if args.json:
            print_json({"ledger": None, "accounts": caps, "history": []})
        else:
            print("there is no ledger yet: nothing was asked or published")
            for name, cap in accounts.caps(*analysts).items():
                print(f"  {name}: may spend {cap}")
        return 0
    if args.apply is not None:
        accounts.apply_caps(args.apply, *analysts)
    balances, history = accounts.statement(*analysts)
    if args.json:
        print_json(_plain(balances, history))
    else:
        _print_statement(balances, history)
    return 0


def _plain(balances: dict[str, Balance], history: list[Charge]) -> dict[str, object]:
    claim = {name: {"accounting": one.accounting, **one.to_json()} for name, one in balances.items()}
    charges = [
        {
            "charge": one.number,
            "kind": one.kind,
            "at": one.at,
            "loss": one.loss.to_json(),
            "accounts": list(one.accounts),
            "what": one.what,
            "answered": one.answered,
        }
        for one in history
    ]
    return {"ledger": "open", "accounts": claim, "history": charges}


def _print_statement(balances: dict[str, Balance], history: list[Charge]) -> None:
    from sharewell.queries.loss import NO_GUARANTEE

    rows = [[name, one.cap, one.spent, one.remaining, one.charges] for name, one in balances.items()]
    print_table(["account", "cap", "spent", "left", "charges"], rows)
    for one in balances.values():
        if one.accounting == "zcdp":
            print(f"{one.name}: all charges together keep {one.guarantee}")
        if one.guarantee == NO_GUARANTEE:
            print(f"{one.name}: its answers were exact, and no epsilon bounds what they tell")
    lines = [
        [one.number, one.at, one.kind, one.loss, " + ".join(one.accounts), "yes" if one.answered else "no"]
        for one in history
    ]
    if lines:
        print_table(["charge", "at", "for", "loss", "accounts", "answered"], lines)
    else:
        print("nothing was charged yet")
    sys.stdout.flush()
