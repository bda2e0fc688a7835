"""The text of `--help` of every verb, as it was agreed."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator

import pytest

from golden.store import Golden
from sharewell.cli import VERBS, main, parser


def verbs() -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Every verb, with its words and its parser, and the command itself with none."""
    yield (), parser()
    for verb in VERBS:
        yield from _under((verb,), _choices(parser(verb))[verb])


def _under(
    words: tuple[str, ...], one: argparse.ArgumentParser
) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    yield words, one
    for word, inner in _choices(one).items():
        yield from _under((*words, word), inner)


def _choices(one: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    return {
        word: inner
        for action in one._actions
        if isinstance(action, argparse._SubParsersAction)
        for word, inner in action.choices.items()
    }


def as_of_3_13(text: str) -> str:
    """From Python 3.13 on an option's value is shown once: `-o, --output POLICY`."""
    return re.sub(r"(-\w) (\S+), (--[\w-]+ \2)\b", r"\1, \3", text)


def test_help_stays(golden: Golden, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    told = {}
    for words, _ in verbs():
        with pytest.raises(SystemExit, match="0"):
            main([*words, "--help"])
        told[" ".join(("sharewell", *words))] = as_of_3_13(capsys.readouterr().out).splitlines()
    assert len(told) > 40
    golden.check_all("help", told)
