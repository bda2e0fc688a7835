"""Serve questions over HTTP; make, list and revoke the tokens of analysts."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, from_one, print_json, print_table

if TYPE_CHECKING:
    from sharewell.queries.accounts import Accounts
    from sharewell.queries.service.tokens import Token, Tokens

_SERVE = "Analysts log in with a token that `sharewell token new` makes. Ctrl-C stops the service within a second."


def arguments(parser: argparse.ArgumentParser) -> None:
    if parser.prog.endswith(" serve"):
        _serve_arguments(parser)
    else:
        _token_arguments(parser)


def _serve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = _SERVE
    _add_dataset(parser)
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1: only this machine)")
    parser.add_argument("--port", type=int, default=8400, help="the port (8400); 0: any that is free")
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", help="the certificate, in PEM")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", help="its key, in PEM")
    parser.add_argument(
        "--insecure", action="store_true", help="listen to others without TLS, behind a proxy that has it"
    )
    parser.add_argument(
        "--rate", type=from_one, default=120, metavar="N", help="requests per minute with one token (120)"
    )
    parser.add_argument(
        "--rate-all", type=from_one, default=1200, metavar="N", help="requests per minute with all tokens (1200)"
    )
    parser.add_argument(
        "--minimum", type=_seconds, default=0.25, metavar="S", help="every reply takes a multiple of S seconds (0.25)"
    )
    add_json(parser)


def _token_arguments(parser: argparse.ArgumentParser) -> None:
    jobs = parser.add_subparsers(dest="job", metavar="JOB", required=True)
    new = jobs.add_parser("new", help="create a token for an analyst; it is shown only once")
    new.add_argument("--analyst", required=True, metavar="NAME", help="whose token it is, and whose account it spends")
    new.add_argument("--scopes", default="ask,budget", metavar="A,B", help="what it allows (ask,budget)")
    new.add_argument("--days", type=from_one, default=30, metavar="N", help="how long it is valid (30)")
    known = jobs.add_parser("list", help="list all tokens, without their secrets")
    known.add_argument("--analyst", metavar="NAME", help="only those of one analyst")
    revoke = jobs.add_parser("revoke", help="revoke tokens, which are then refused")
    which = revoke.add_mutually_exclusive_group(required=True)
    which.add_argument("--token", metavar="NAME", help="the name of one token, as the list shows it")
    which.add_argument("--analyst", metavar="NAME", help="all tokens of one analyst")
    for one in (new, known, revoke):
        _add_dataset(one)
        add_json(one)


def _add_dataset(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("policy", type=Path, help="the policy file")
    parser.add_argument("--dataset", metavar="NAME", help="which dataset, if several answer questions")


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.01 <= value <= 60:
        raise argparse.ArgumentTypeError("must be a number of seconds from 0.01 to 60")
    return value


def run(args: argparse.Namespace) -> int:
    if args.verb == "serve":
        return _serve(args)
    return {"new": _new, "list": _list, "revoke": _revoke}[args.job](args)


def _serve(args: argparse.Namespace) -> int:
    from sharewell.extras import refuse_missing
    from sharewell.queries.service.server import Place, serve

    place = Place(args.host, args.port, args.tls_cert, args.tls_key, args.insecure)
    refuse_missing([("the service", place)])
    from sharewell.policy import load
    from sharewell.queries.open_dataset import OpenDataset
    from sharewell.queries.service.app import Service
    from sharewell.queries.service.limits import Limits
    from sharewell.queries.session import queried_dataset

    data = OpenDataset(queried_dataset(load(args.policy), args.dataset))
    data.accounts.open_in(data.ledger())  # a ledger that cannot be used, or has another cap, is found now
    limits = Limits(minimum=args.minimum, per_token=args.rate, everybody=args.rate_all)

    def ready(url: str) -> None:
        if args.json:
            print_json({"dataset": data.name, "url": url, "minimum_seconds": limits.minimum})
        else:
            print(f"questions about {data.name} are answered at {url} — Ctrl-C stops the service")
        sys.stdout.flush()

    def log(line: str) -> None:
        print(f"sharewell serve: {line}", file=sys.stderr, flush=True)

    serve(Service(data, limits, log), place, ready)
    return 0


def _new(args: argparse.Namespace) -> int:
    with _open_tokens(args) as (accounts, tokens):
        accounts.of_analyst(args.analyst)  # a name that no account can have is refused
        token, shown = tokens.new(args.analyst, args.scopes.split(","), args.days)
    if args.json:
        print_json({**_plain(token), "secret": shown})
    else:
        print(shown)
        print(f"token {token.name} of {token.analyst} is valid until {token.expires}; its secret is not shown again")
    return 0


def _list(args: argparse.Namespace) -> int:
    with _open_tokens(args) as (_, tokens):
        results = [token for token in tokens.listed() if args.analyst in (None, token.analyst)]
    if args.json:
        print_json({"tokens": [_plain(token) for token in results]})
    elif results:
        rows = [[one.name, one.analyst, ", ".join(one.scopes), one.made, one.expires, one.state] for one in results]
        print_table(["token", "analyst", "allows", "made", "expires", "state"], rows)
    else:
        print("there is no token")
    return 0


def _revoke(args: argparse.Namespace) -> int:
    with _open_tokens(args) as (_, tokens):
        if args.token is not None:
            names = [args.token]
        else:
            names = [one.name for one in tokens.listed() if one.analyst == args.analyst.strip() and one.revoked is None]
        for name in names:
            tokens.revoke(name)
    if args.json:
        print_json({"revoked": names})
    else:
        print(f"{len(names)} token(s) revoked: they are refused from now on")
    return 0 if names else 1


@contextmanager
def _open_tokens(args: argparse.Namespace) -> Iterator[tuple[Accounts, Tokens]]:
    from sharewell.policy import load
    from sharewell.queries.accounts import Accounts
    from sharewell.queries.engine.ledger import Ledger
    from sharewell.queries.service.tokens import Tokens
    from sharewell.queries.session import queried_dataset

    accounts = Accounts.of(queried_dataset(load(args.policy), args.dataset))
    with Ledger.open(accounts.where) as ledger:  # whatever its caps are: a token can be revoked at any time
        yield accounts, Tokens(ledger, accounts.dataset)


def _plain(token: Token) -> dict[str, object]:
    claim: dict[str, object] = {"token": token.name, "analyst": token.analyst, "scopes": list(token.scopes)}
    return {**claim, "made": token.made, "expires": token.expires, "revoked": token.revoked, "state": token.state}
