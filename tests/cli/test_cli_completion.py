"""Completion is asked of the shells themselves."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.cli.completion import SHELLS, completion_script
from sharewell.verbs import VERBS

ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
handler=$(complete -p sharewell | sed 's/.*-F \\([^ ]*\\).*/\\1/')
"$handler" sharewell "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("completion")
    found = {shell: folder / f"sharewell.{shell}" for shell in SHELLS}
    for shell, path in found.items():
        path.write_text(completion_script(shell))
    return found


def completed(scripts: dict[str, Path], folder: Path, *words: str) -> set[str]:
    command = ["bash", "--norc", "-c", ASK, "ask", str(scripts["bash"]), "sharewell", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder, timeout=30)
    return {line.strip() for line in done.stdout.splitlines() if line.strip()}


def test_bash_completes_verbs_options_choices_and_files(scripts: dict[str, Path], tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").touch()
    assert completed(scripts, tmp_path, "re") == {"release", "reports"}
    assert completed(scripts, tmp_path, "") >= set(VERBS)
    assert "--replace" in completed(scripts, tmp_path, "release", "--re")
    assert completed(scripts, tmp_path, "completion", "") == set(SHELLS)
    assert completed(scripts, tmp_path, "notes", "de") == {"detect"}
    assert "policy.yaml" in completed(scripts, tmp_path, "check", "pol")
    assert completed(scripts, tmp_path, "notes", "protect", "--dates", "s") == {"shift", "suppress"}


def test_fish_completes_verbs_options_choices_and_files(scripts: dict[str, Path], tmp_path: Path) -> None:
    fish = shutil.which("fish")
    if fish is None:
        pytest.skip("fish is not installed")
    (tmp_path / "policy.yaml").touch()

    def offered(line: str) -> set[str]:
        ask = f"source {scripts['fish']}; complete -C '{line}'"
        command = [fish, "--no-config", "-c", ask]
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path, timeout=30)
        return {one.split("\t")[0] for one in done.stdout.splitlines()}

    assert offered("sharewell re") == {"release", "reports"}
    assert offered("sharewell ") >= set(VERBS)
    assert "--replace" in offered("sharewell release --re")
    assert offered("sharewell completion ") == set(SHELLS)
    assert offered("sharewell notes de") == {"detect"}
    assert offered("sharewell check pol") == {"policy.yaml"}
    assert offered("sharewell notes protect --dates s") == {"shift", "suppress"}


TYPED = {
    "sharewell rel": "sharewell release ",
    "sharewell notes det": "sharewell notes detect ",
    "sharewell release --rep": "sharewell release --replace ",
    "sharewell check pol": "sharewell check policy.yaml ",
    "sharewell completion f": "sharewell completion fish ",
}
_CONTROL = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[=>])|.\x08")


def test_zsh_completes_what_is_typed(scripts: dict[str, Path], tmp_path: Path) -> None:
    """At a terminal: zsh completes only there."""
    zsh = shutil.which("zsh")
    if zsh is None:
        pytest.skip("zsh is not installed")
    import pty

    (tmp_path / "policy.yaml").touch()
    (tmp_path / "functions").mkdir()
    shutil.copy(scripts["zsh"], tmp_path / "functions" / "_sharewell")
    ours, theirs = pty.openpty()
    with subprocess.Popen([zsh, "-f", "-i"], stdin=theirs, stdout=theirs, stderr=theirs, cwd=tmp_path) as shell:
        os.close(theirs)
        try:
            begin = f"fpath=({tmp_path}/functions $fpath); autoload -U compinit; compinit -u -D; echo rea''dy\r"
            _typed(ours, begin, "ready")
            for line, whole in TYPED.items():
                assert whole in _typed(ours, f"{line}\t", whole)
                _typed(ours, "\x15echo clea''red\r", "cleared")
        finally:
            shell.kill()
            os.close(ours)


def _typed(terminal: int, keys: str, awaited: str) -> str:
    """What the terminal shows after some keys, up to what is awaited, or for so long."""
    os.write(terminal, keys.encode())
    shown, end = "", time.monotonic() + 30
    while awaited not in _CONTROL.sub("", shown) and time.monotonic() < end:
        if select.select([terminal], [], [], 0.2)[0]:
            shown += os.read(terminal, 65536).decode("utf-8", "replace")
    return _CONTROL.sub("", shown)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_shell_reads_its_script(scripts: dict[str, Path], shell: str) -> None:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed")
    option = "--no-execute" if shell == "fish" else "-n"
    done = subprocess.run([found, option, str(scripts[shell])], capture_output=True, text=True, check=False, timeout=30)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(verb in scripts[shell].read_text() for verb in VERBS)


def test_it_speaks_json_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "fish", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["script"] == completion_script("fish")
    assert told["belongs"].endswith("sharewell.fish")
