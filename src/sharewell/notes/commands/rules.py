"""`sharewell notes rules` and `sharewell notes explain`: the rules' own examples, and why a span was found."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.cli.output import add_json, print_json, print_table
from sharewell.notes.commands.language import LANGUAGE, language_detectors

if TYPE_CHECKING:
    from sharewell.notes.matcher.rule import Rule

VERBS = ("rules", "explain")


def arguments(subs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    rules = subs.add_parser("rules", help="test the rules of detectors on their own examples, or list the guards")
    rules.add_argument("action", choices=("test", "list", "guards"), help="what to do")
    rules.add_argument("file", type=Path, nargs="?", metavar="FILE", help="a file of rules; the shipped ones if none")
    show = "print the words of failed examples, which may be patient data"
    rules.add_argument("--show-values", action="store_true", help=show)
    explain = subs.add_parser("explain", help="show all findings in a text, the rule behind each, and which ones won")
    explain.add_argument("text", metavar="TEXT", help="the text itself; - for standard input")
    explain.add_argument("--language", default="english", metavar="NAME", help=LANGUAGE)
    explain.add_argument("--rules", type=Path, action="append", default=[], metavar="FILE", help="your own rules too")
    for sub in (rules, explain):
        add_json(sub)


def run(args: argparse.Namespace) -> int:
    if args.what == "explain":
        return _explain(args)
    return {"test": _test, "list": _list, "guards": _guards}[args.action](args)


def _rules(args: argparse.Namespace) -> Sequence[Rule]:
    from sharewell.notes.matcher.language_packs import language_packs
    from sharewell.notes.matcher.rule_files import read, shipped, shipped_detectors

    if args.file:
        return read(args.file)
    packed = [rule for pack in language_packs().values() for rule in pack.rules]
    return [*(rule for name in shipped_detectors() for rule in shipped(name)), *packed]


def _test(args: argparse.Namespace) -> int:
    from sharewell.notes.matcher.rule_examples import failed

    rules = _rules(args)
    wrong = list(failed(rules))
    examples = sum(len(rule.found) + len(rule.not_found) for rule in rules)
    failures = [one.with_words if args.show_values else str(one) for one in wrong]
    if args.json:
        print_json({"rules": len(rules), "examples": examples, "failed": failures})
    else:
        for line in failures:
            print(line)
        print(f"{len(rules)} rules, {examples} examples, {len(wrong)} failed")
    return 1 if wrong else 0


def _list(args: argparse.Namespace) -> int:
    rows = [(rule.detector, rule.name, rule.kind, rule.certainty, rule.place) for rule in _rules(args)]
    if args.json:
        print_json([dict(zip(("detector", "rule", "kind", "certainty", "file"), row, strict=True)) for row in rows])
    else:
        print_table(("detector", "rule", "kind", "certainty", "file"), rows)
    return 0


def _guards(args: argparse.Namespace) -> int:
    from sharewell.notes.matcher.named_guards import described

    if args.json:
        print_json(described())
    else:
        print_table(("guard", "what it asks"), list(described().items()))
    return 0


def _explain(args: argparse.Namespace) -> int:
    from sharewell.notes.matcher.explanation import explain
    from sharewell.notes.matcher.matching import RuleDetector

    text = sys.stdin.read() if args.text == "-" else args.text
    own = [RuleDetector.from_file(path) for path in args.rules]
    note, explanations = explain(text, language_detectors(args.language, own))
    if args.json:
        print_json([one.to_json() | {"text": note[one.span.start : one.span.end]} for one in explanations])
        return 0
    rows = [
        (f"{span.start}–{span.end}", note[span.start : span.end], span.kind, span.certainty, *one.rule_and_fate)
        for one in explanations
        if (span := one.span)
    ]
    print_table(("where", "text", "kind", "certainty", "detector", "rule", "what became of it"), rows)
    return 0
