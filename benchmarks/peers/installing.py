"""An environment for each peer, made once under `.venv-peers` and used again; what cannot be installed is skipped."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ENVIRONMENTS = HERE.parent.parent / ".venv-peers"
CONSTRAINTS = HERE / "constraints.txt"
NEEDS = {
    "acro": ("acro",),
    "anjana": ("anjana",),
    "anonypy": ("anonypy", "pandas", "numpy"),
    "bed_reader": ("bed-reader",),
    "drug_ner": ("drug-named-entity-recognition",),
    "philter": ("philter-lite",),
    "presidio": ("presidio-analyzer", "spacy"),
    "pycanon": ("pycanon",),
    "pytauargus": ("pytauargus", "pandas"),
    "scrubadub": ("scrubadub",),
    "smartnoise": ("smartnoise-sql", "pyarrow"),
}
"""anonypy does not say what it needs."""


def interpreter(peer: str) -> Path | None:
    """The Python that knows the peer; None if it cannot be installed here."""
    place = ENVIRONMENTS / peer
    python, ready = place / "bin" / "python", place / "ready"
    wanted = CONSTRAINTS.read_text(encoding="utf-8")
    if ready.is_file() and ready.read_text(encoding="utf-8") == wanted:
        return python
    install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    for command in ([sys.executable, "-m", "venv", str(place)], [*install, "-c", str(CONSTRAINTS), *NEEDS[peer]]):
        if subprocess.run(command, capture_output=True, check=False).returncode:
            return None
    ready.write_text(wanted, encoding="utf-8")
    return python


def ask(python: Path, peer: str, **question: Any) -> Any:
    """What the peer's runner answers, both in JSON."""
    command = [str(python), str(HERE / f"run_{peer}.py"), json.dumps(question)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{peer} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])
