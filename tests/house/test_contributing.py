"""CONTRIBUTING's six steps work when followed to the letter."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

POLICY = """\
sharewell: 1
release: {name: six-steps}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {age: quasi, illness: sensitive}
    require: [k-anonymity: {k: 2}, largest-share: {most: 60}]
    using: mondrian
write: {csv: out}
"""


def test_the_six_steps(tmp_path: Path) -> None:
    """A copy of the source gets the new criterion; then its tests, a policy and the verifier use it."""
    text = (ROOT / "CONTRIBUTING.md").read_text()
    module, entry, test = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    source = tmp_path / "src"
    shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
    package = source / "sharewell"
    (package / "tables" / "criteria" / "largest_share.py").write_text(module)  # step 1
    registry = package / "registry.py"
    anchor = '    ("tables", "mechanisms", "mondrian")'
    assert anchor in registry.read_text()
    registry.write_text(registry.read_text().replace(anchor, entry.rstrip("\n") + "\n" + anchor))  # step 2
    exports = package / "tables" / "__init__.py"
    listed = exports.read_text().replace('    "LDiversity",\n', '    "LDiversity",\n    "LargestShare",\n')
    lazy = '        "LDiversity": "sharewell.tables.criteria.l_diversity",\n'
    assert lazy in listed
    mine = lazy.replace("LDiversity", "LargestShare").replace("l_diversity", "largest_share")
    listed = listed.replace(lazy, lazy + mine)
    exports.write_text(listed)  # step 3
    (tmp_path / "test_largest_share.py").write_text(test)  # step 4
    (tmp_path / "policy.yaml").write_text(POLICY)  # step 5
    rows = "".join(f"{20 + i},{'flu' if i % 2 else 'asthma'}\n" for i in range(12))
    (tmp_path / "people.csv").write_text("age,illness\n" + rows)
    environment = {"PYTHONPATH": str(source), "PATH": "/usr/bin:/bin"}

    def run(*command: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    run("pytest", "-q", "-p", "no:cacheprovider", "test_largest_share.py")
    run("doctest", str(package / "tables" / "criteria" / "largest_share.py"))
    assert "largest-share" in run("sharewell", "catalogue")
    assert "largest-share" in run("sharewell", "schema")
    run("sharewell", "check", "policy.yaml")
    run("sharewell", "release", "policy.yaml")
    assert "largest-share" in run("sharewell", "verify", "out/six-steps/public")
    assert "largest-share" in (tmp_path / "out" / "six-steps" / "internal" / "dossier.html").read_text()
