"""The demo publishes the same bytes as ever; the examples are compared where they are released (test_examples.py)."""

from __future__ import annotations

from pathlib import Path

from golden.canonical import public_digests
from golden.store import Golden

EXAMPLES = Path(__file__).parents[2] / "examples"
DEMO = "demo of 100 patients"


def test_the_demo_publishes_the_same_bytes(small_release: Path, golden: Golden) -> None:
    golden.check("public", DEMO, public_digests(small_release / "public"))


def test_every_example_has_its_hashes(golden: Golden) -> None:
    names = {path.parent.name for path in EXAMPLES.glob("*/policy.yaml")} | {DEMO}
    golden.names("public", names)
