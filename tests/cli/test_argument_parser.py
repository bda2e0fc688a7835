"""What help looks like, and what a misspelt word is answered."""

from __future__ import annotations

import subprocess
import sys

import pytest

from sharewell.cli import main, parser
from sharewell.cli.argument_parser import command_parser
from sharewell.verbs import VERBS, groups


def refused(capsys: pytest.CaptureFixture[str], *argv: str) -> str:
    with pytest.raises(SystemExit) as stopped:
        main(argv)
    assert stopped.value.code == 2
    return capsys.readouterr().err


def test_verbs_stand_in_the_order_of_work_a_line_each() -> None:
    told = parser().format_help()
    assert max(map(len, told.splitlines())) <= 80
    places = [told.index(f"\n  {verb} ") for verb in VERBS]
    assert places == sorted(places)
    assert [told.index(f"\n{group}:\n") for group in groups()] == sorted(told.index(f"\n{g}:\n") for g in groups())


@pytest.mark.parametrize("verb", list(VERBS))
def test_every_help_fits_and_ends_with_two_examples(verb: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    one = command_parser(verb).inner()[verb]
    for inner in (one, *one.inner().values(), *(last for two in one.inner().values() for last in two.inner().values())):
        told = inner.format_help()
        assert told.split("\nexamples:\n")[1].count("\n  sharewell ") + 1 >= 2, inner.prog
        lines = told.split("\nexamples:\n")[0].splitlines()
        assert max(map(len, lines)) <= 80, inner.prog


@pytest.mark.parametrize(
    ("argv", "hint"),
    [
        (["relese", "policy.yaml"], "sharewell: there is no verb 'relese' — did you mean 'release'?"),
        (["Verify", "out"], "there is no verb 'Verify' — did you mean 'verify'?"),
        (["notes", "detekt", "x"], "sharewell notes: there is no verb 'detekt' — did you mean 'detect'?"),
        (["release", "p.yaml", "--replcae"], "release: there is no option --replcae — did you mean '--replace'?"),
        (["extract", "privacy", "f", "--subjet", "p"], "there is no option --subjet — did you mean '--subject'?"),
        (
            ["notes", "protect", "f", "--dates", "shfit"],
            "argument --dates: there is no 'shfit' — did you mean 'shift'?",
        ),
        (["verify", "--sekret=hunter2", "out"], "there is no option --sekret — did you mean '--secret'?"),
    ],
)
def test_a_misspelt_word_gets_a_hint(capsys: pytest.CaptureFixture[str], argv: list[str], hint: str) -> None:
    told = refused(capsys, *argv)
    assert hint in told
    assert "hunter2" not in told


def test_what_resembles_nothing_gets_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    assert "sharewell --help lists them" in refused(capsys, "xyzzy")
    told = refused(capsys, "completion", "tcl")
    assert "choose from bash, zsh, fish" in told
    assert "the following arguments are required: policy — see sharewell plan --help" in refused(capsys, "plan")


def test_what_stands_behind_two_dashes_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hierarchy", "show", "digits", "--", "--7"]) != 70
    assert "no option" not in capsys.readouterr().err


def test_an_unambiguous_beginning_is_enough(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalogue", "--ki", "joint"]) == 0
    assert "k-km-anonymity" in capsys.readouterr().out


LISTED = """
import atexit, runpy, sys
before = set(sys.modules)
atexit.register(lambda: sys.stderr.write(" ".join(set(sys.modules) - before)))
sys.argv[1:] = ["--help"]
runpy.run_module("sharewell", run_name="__main__", alter_sys=True)
"""


def test_help_starts_at_once() -> None:
    """Its tenth of a second goes into imports: fewer than a hundred modules, of Python and our own."""
    done = subprocess.run([sys.executable, "-c", LISTED], check=True, capture_output=True, text=True)
    assert "usage: sharewell" in done.stdout
    loaded = done.stderr.split()
    assert len(loaded) < 120
    assert {name.partition(".")[0] for name in loaded} - sys.stdlib_module_names == {"sharewell"}
    assert len([name for name in loaded if name.startswith("sharewell")]) < 15
