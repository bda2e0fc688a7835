"""The parser of a command line that ends every help with examples and knows what a misspelt word may have meant.

It stays with argparse: what starts slowly is not tried often (docs/decisions.md has the measurements).
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from typing import Any, NoReturn

from sharewell.verb_examples import help_text
from sharewell.verbs import VERBS, groups

_DESCRIPTION = (
    "Share patient data, well: measure what an attacker could learn, protect it,\nprove it, see what it cost."
)
_ENDING = """\
sharewell VERB --help shows the options of a verb, and two examples.
A first release: init FILE -o policy.yaml, then check, plan, release, verify."""
_COLUMN = 12
"""Where the summaries of the verbs begin."""


class ExamplesFormatter(argparse.HelpFormatter):
    """Help whose examples keep their lines; everything else is wrapped as usual."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        examples, blank, rest = text.partition("\n\n") if text.startswith("examples:") else ("", "", text)
        filled = "\n\n".join(
            super(ExamplesFormatter, self)._fill_text(one, width, indent) for one in rest.split("\n\n")
        )
        return examples + blank + filled


class ArgumentParser(argparse.ArgumentParser):
    """As argparse's, with a hint where a word is not known."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"formatter_class": ExamplesFormatter, **settings})

    def inner(self) -> dict[str, ArgumentParser]:
        """Its verbs."""
        results = [one for one in self._actions if isinstance(one, argparse._SubParsersAction)]
        return {word: parser for action in results for word, parser in action.choices.items()}

    def options(self) -> list[str]:
        """Its options, and those of its verbs."""
        return [*self._option_string_actions, *(name for one in self.inner().values() for name in one.options())]

    def refuse_unknown_options(self, given: Sequence[str]) -> None:
        """Before anything is said to be missing. What is written after `=` may be anything, and is not repeated."""
        known = self.options()
        for word in given:
            name = word.partition("=")[0]
            if word == "--":
                return
            if name.startswith("--") and " " not in name and not any(one.startswith(name) for one in known):
                self.error(f"there is no option {name}{_hint(name, known)}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [str(one) for one in action.choices]
            hint = _hint(str(value), known) or f" — choose from {', '.join(known)}"
            if isinstance(action, argparse._SubParsersAction):
                self.exit(2, f"{self.prog}: there is no verb '{value}'{hint} — {self.prog} --help lists them\n")
            raise argparse.ArgumentError(action, f"there is no '{value}'{hint}")

    def format_help(self) -> str:
        """As usual, with two examples before its last words."""
        own = self.epilog
        self.epilog = "\n\n".join(part for part in (help_text(self.prog.partition(" ")[2]), own) if part)
        shown = super().format_help()
        self.epilog = own
        return shown

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.format_usage()}{self.prog}: {message} — see {self.prog} --help\n")


class CommandParser(ArgumentParser):
    """The command itself: its help lists the verbs in the order of work, a line each."""

    def format_help(self) -> str:
        lines = ["usage: sharewell VERB ...", "", _DESCRIPTION]
        for group, names in groups().items():
            lines += ["", f"{group}:", *(f"  {name:{_COLUMN}}{VERBS[name].summary}" for name in names)]
        options = [("-h, --help", "show this, or the help of a verb"), ("--version", "print the version and stop")]
        lines += ["", "Options:", *(f"  {name:{_COLUMN}}{text}" for name, text in options), "", _ENDING]
        return "\n".join(lines) + "\n"


def command_parser(*verbs: str) -> CommandParser:
    """The parser; only the named verbs get their arguments, the others a line of help."""
    top = CommandParser(prog="sharewell")
    top.add_argument("--version", action="store_true", help="print the version and stop")
    subs = top.add_subparsers(dest="verb", metavar="VERB", parser_class=ArgumentParser)
    for name, verb in VERBS.items():
        sub = subs.add_parser(name, help=verb.summary, description=_sentence(verb.summary))
        if name in verbs:
            importlib.import_module(f"sharewell.{verb.module}").arguments(sub)
    return top


def _sentence(summary: str) -> str:
    return summary[0].upper() + summary[1:] + ("" if summary.endswith("?") else ".")


def _hint(word: str, known: Sequence[str]) -> str:
    from sharewell.roles import did_you_mean

    hint = did_you_mean(word, known)
    return f" — {hint}" if hint else ""
