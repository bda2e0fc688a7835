"""Print the script by which a shell completes verbs, options, choices and the names of files."""

from __future__ import annotations

import argparse
from pathlib import Path

from sharewell.cli.output import add_json, print_json

SHELLS = ("bash", "zsh", "fish")
_WHERE = {
    "bash": "~/.local/share/bash-completion/completions/sharewell",
    "zsh": "_sharewell in a folder of $fpath",
    "fish": "~/.config/fish/completions/sharewell.fish",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell for which to write it")
    parser.epilog = "Where it belongs: " + "; ".join(f"{shell}: {place}" for shell, place in _WHERE.items()) + "."
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    script = completion_script(args.shell)
    if args.json:
        print_json({"shell": args.shell, "belongs": _WHERE[args.shell], "script": script})
    else:
        print(script, end="")
    return 0


def completion_script(shell: str) -> str:
    """The script of a shell, made from the parsers of all verbs."""
    import shtab

    from sharewell.cli.argument_parser import command_parser
    from sharewell.verbs import VERBS

    top = command_parser(*VERBS)
    for parser in (top, *_all(top)):
        for action in parser._actions:
            if action.type is Path and action.choices is None:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(top, shell))


def _all(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    from sharewell.cli.argument_parser import ArgumentParser

    inner = parser.inner().values() if isinstance(parser, ArgumentParser) else ()
    return [result for one in inner for result in (one, *_all(one))]
