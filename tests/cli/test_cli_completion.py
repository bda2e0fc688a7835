"""Completion is asked of the shells themselves."""

from __future__ import annotations

import json
import shutil
import subprocess
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
