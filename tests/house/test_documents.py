"""README, CONTRIBUTING and docs say what is true: their commands and code are run."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from sharewell import registry
from sharewell.cli import VERBS, main

ROOT = Path(__file__).parents[2]
README_PAGE = ROOT / "README.md"
README = README_PAGE.read_text()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


COMMANDS = [
    shlex.split(line, comments=True)
    for block in blocks(README, "sh")
    for line in block.splitlines()
    if line.startswith("sharewell ")
]


def test_every_command_of_the_readme_runs(tmp_path: Path, small_demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the order they stand, in an empty directory. In place of a demo of 300 patients, the small one is copied."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHAREWELL_KEY", "an example secret, long enough")
    assert len(COMMANDS) >= 7
    for command in COMMANDS:
        if command[1] == "demo":
            assert command[3:] == ["--patients", "300"]
            shutil.copytree(small_demo, command[2])
        else:
            assert main(command[1:]) == 0, " ".join(command)


PAGES = [README_PAGE, ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_policies_in_pages_are_yaml(page: Path) -> None:
    """Whoever copies one must not first mend its indentation. A line of `…` stands for what is left out."""
    for block in blocks(page.read_text(encoding="utf-8"), "yaml"):
        YAML(typ="safe").load(re.sub(r"(?m)^ *…\n", "", block))


def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_python_example_of_the_readme_runs(tmp_path: Path) -> None:
    code = "\n".join(blocks(README, "python"))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert "k-anonymity" in done.stdout
    assert "holds" in done.stdout


@pytest.mark.parametrize("verb", list(VERBS))
def test_every_verb_is_documented_and_speaks_json(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert f"`sharewell {verb}" in (ROOT / "docs" / "commands.md").read_text()
    with pytest.raises(SystemExit) as stopped:
        main([verb, "--help"])
    assert stopped.value.code == 0
    shown = capsys.readouterr().out
    if inner := {"hierarchy": "gaps", "genomes": "membership", "notes": "evaluate", "token": "new"}.get(verb):
        with pytest.raises(SystemExit):
            main([verb, inner, "--help"])
        shown = capsys.readouterr().out
    assert "--json" in shown


def test_documents_name_only_files_that_exist() -> None:
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text()):
            assert (path.parent / target).exists(), f"{path.name} links to {target}"


@pytest.mark.parametrize("page", [README_PAGE, *sorted((ROOT / "docs").glob("*.md"))], ids=lambda page: page.name)
def test_headings_and_tables_begin_a_line(page: Path) -> None:
    """A heading behind something else on its line is shown as text, and so is a table without a blank line above."""
    lines = re.sub(r"```.*?```|`[^`]*`", "", page.read_text(), flags=re.DOTALL).splitlines()
    assert [line for line in lines if re.search(r"\S.*\s#{2,4} [A-Z]", line)] == []
    unseen = [
        line for above, line in pairwise(lines) if line.startswith("|") and above.strip() and not above.startswith("|")
    ]
    assert unseen == []


def test_twenty_one_changes_have_their_place() -> None:
    rows = re.findall(r"^\| (?!you want|---)([^|]+)\|(.+)$", (ROOT / "docs" / "where.md").read_text(), re.MULTILINE)
    assert len(rows) == 21
    for change, places in rows:
        paths = re.findall(r"`(src/[^`]+)`", places)
        assert paths, change
        assert not [path for path in paths if not (ROOT / path).exists()], change


def test_where_it_says_that_nothing_else_imports_duckdb() -> None:
    found = {
        path.name for path in (ROOT / "src").rglob("*.py") if re.search(r"^\s*import duckdb$", path.read_text(), re.M)
    }
    assert found == {"grouped_files.py", "duckdb_file.py"}


def test_the_catalogue_lists_every_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalogue"]) == 0
    shown = capsys.readouterr().out
    assert all(entry.name in shown for entry in registry.entries())


def test_the_project_speaks_of_itself_alone() -> None:
    """No machine's path, no registry's host."""
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
    hosts = re.compile("py" + r"pi\.org|python" + r"hosted|registry\.npm" + r"js|deb\.deb" + r"ian\.org")
    paths = re.compile(r"(^|[^\w.])/(wo" + "rk|ro" + "ot)/")
    for name in tracked:
        path = ROOT / name
        if path.suffix in (".py", ".md", ".toml", ".txt", ".yaml", "") and path.is_file() and path.name != "LICENSE":
            text = path.read_text(encoding="utf-8")
            assert not hosts.search(text), name
            assert not paths.search(text), name
