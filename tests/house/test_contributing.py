"""CONTRIBUTING's recipes work when followed to the letter, all of them in one copy of the project."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import orc

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "CONTRIBUTING.md").read_text()
STEP = re.compile(
    r"(?P<verb>Create|Add to|and to) `(?P<path>[^`]+)`(?:, below `(?P<line>[^`]+)`)?"
    r"(?:(?!```|(?:Create|Add to|and to) `).)*?:\n\n```(?:python|toml)\n(?P<code>.*?)```",
    re.DOTALL,
)
POLICY = """\
sharewell: 1
release: {name: recipes}
datasets:
  people:
    kind: tables
    read: {orc: people.orc}
    columns: {age: quasi, illness: sensitive}
    require: [k-anonymity: {k: 2}, largest-share: {most: 60}]
    using: mondrian
write: {csv: out}
"""
SEVERAL_END = "-- next --"
SEVERAL = f"""\
import sys
from sharewell.cli import main
for command in sys.argv[1:]:
    assert main(command.split()) == 0, command
    print({SEVERAL_END!r})
"""
"""Several commands in one process, which imports everything once."""


def steps() -> list[re.Match[str]]:
    return list(STEP.finditer(TEXT))


def follow(step: re.Match[str], house: Path) -> None:
    path = house / step["path"]
    if step["verb"] == "Create":
        assert not path.exists(), f"{step['path']} is there already: the recipe needs another example"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(step["code"])
        return
    lines = path.read_text().splitlines(keepends=True)
    [place] = [i for i, line in enumerate(lines) if step["line"] in line]
    lines.insert(place + 1, step["code"])
    path.write_text("".join(lines))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which every recipe has been followed."""
    copy = tmp_path_factory.mktemp("house")
    for part in ("src", "tools"):
        shutil.copytree(ROOT / part, copy / part)  # with what Python compiled: files keep their times
    (copy / "tests" / "notes").mkdir(parents=True)
    shutil.copy(ROOT / "tests" / "notes" / "marked_text.py", copy / "tests" / "notes")
    shutil.copytree(ROOT / "tests" / "house", copy / "tests" / "house")
    shutil.copy(ROOT / "pyproject.toml", copy)
    for step in steps():
        follow(step, copy)
    return copy


def run(house: Path, *command: str) -> str:
    environment = {"PYTHONPATH": str(house / "src"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=house, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_block_of_code_belongs_to_a_step() -> None:
    assert len(steps()) == TEXT.count("```python") + TEXT.count("```toml")
    for recipe in TEXT.split("\n## Add ")[1:]:
        assert STEP.search(recipe), recipe.splitlines()[0]


def test_the_tests_of_every_recipe_pass(house: Path) -> None:
    made = [step["path"] for step in steps() if step["path"].startswith("tests/")]
    assert len(made) == TEXT.count("\n## Add ")
    run(house, "pytest", "-q", "-p", "no:cacheprovider", *made, "src/sharewell/tables/criteria/largest_share.py")


def test_the_code_of_every_recipe_is_in_style(house: Path) -> None:
    made = [step["path"] for step in steps() if step["path"].endswith(".py")]
    run(house, "ruff", "check", "--no-cache", *made)
    run(house, "ruff", "format", "--no-cache", "--check", *made)


def test_the_new_rule_finds_its_own_examples(house: Path) -> None:
    assert "0 failed" in run(house, "sharewell", "notes", "rules", "test")
    assert "swedish-personal-number" in run(house, "sharewell", "notes", "rules", "list")


def test_a_policy_can_name_what_was_added(house: Path) -> None:
    (house / "policy.yaml").write_text(POLICY)
    rows = {"age": [str(20 + i) for i in range(12)], "illness": ["flu", "asthma"] * 6}
    orc.write_table(pa.table(rows), house / "people.orc")
    commands = ("catalogue", "schema", "check policy.yaml", "release policy.yaml", "verify out/recipes/public")
    (house / "several.py").write_text(SEVERAL)
    answers = run(house, "several", *commands).split(SEVERAL_END)
    for place in (0, 1, 4):
        assert "largest-share" in answers[place], commands[place]
    assert "largest-share" in (house / "out" / "recipes" / "internal" / "dossier.html").read_text()


def test_the_house_needs_no_exception_for_a_new_kind_of_data(house: Path) -> None:
    run(
        house,
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "tests/house/test_no_kind_named.py",
        "-k",
        "counts or within or registered or specs",
    )


def test_stubs_follow(house: Path) -> None:
    subprocess.run(
        [sys.executable, "tools/build_stubs.py"], cwd=house, env={"PYTHONPATH": str(house / "src")}, check=True
    )
    stub = (house / "src" / "sharewell" / "tables" / "__init__.pyi").read_text()
    assert "from sharewell.tables.criteria.largest_share import LargestShare as LargestShare\n" in stub
