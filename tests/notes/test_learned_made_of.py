"""The shipped model of notes is what `tools/build_learned.py` makes of the text and the rules that are here."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from sharewell.io.shipped import shipped_bytes
from sharewell.notes.detectors.learned import SHIPPED, shipped
from sharewell.notes.engine.lexicons import people, words

ROOT = Path(__file__).parents[2]
TOOLS = ROOT / "tools"
NOTES = ROOT / "src" / "sharewell" / "notes"
AGAIN = "train the shipped model anew: make learned"
MADE_OF = json.loads((TOOLS / "learned_made_of.json").read_text("utf-8"))
ROW = {
    "text": "Seen by Dr. Rosa DELGADO on 3 May.\nHer son mike called. Strength 4/5.",
    "spans": [
        {"start": 12, "end": 24, "label": "NAME"},
        {"start": 28, "end": 33, "label": "DATE"},
        {"start": 43, "end": 47, "label": "NAME"},
    ],
}


def asked(code: str) -> str:
    """What the training script says in a process of its own, where sets are ordered by another seed."""
    surroundings = os.environ | {"PYTHONHASHSEED": "7", "PYTHONPATH": f"{TOOLS}{os.pathsep}{ROOT / 'src'}"}
    script = f"import build_learned; print({code})"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=surroundings, check=True)
    return run.stdout.strip()


def test_the_model_was_made_of_the_text_and_the_script_that_are_here() -> None:
    now = json.loads(asked("build_learned.json.dumps(build_learned.inputs())"))
    assert now == MADE_OF["inputs"], AGAIN
    assert set(shipped().card.trained_on) == set(MADE_OF["inputs"].values()), AGAIN


def test_the_model_is_the_one_that_was_made() -> None:
    assert hashlib.sha256(shipped_bytes(SHIPPED)).hexdigest() == MADE_OF["network"], AGAIN


def test_a_network_of_a_few_notes_is_told_the_same_and_says_the_same() -> None:
    """Rules, facts, variants and trainer are those that made the shipped network. What it says may differ in the last
    places on another machine."""
    pytest.importorskip("sklearn")
    now = json.loads(asked("build_learned.json.dumps(build_learned.part())"))
    assert now["facts"] == MADE_OF["part"]["facts"], AGAIN
    assert now["says"] == pytest.approx(MADE_OF["part"]["says"], abs=0.01), AGAIN


def test_the_model_weighs_rules_by_the_names_that_they_have() -> None:
    files = [path.read_text("utf-8") for path in NOTES.rglob("*.toml")]
    named = {name for file in files for name in re.findall(r'^name = "([^"]+)"', file, re.MULTILINE)}
    code = "\n".join(path.read_text("utf-8") for path in NOTES.rglob("*.py"))
    network = shipped()
    weighed = {fact.partition("|")[2] for fact in network.facts if fact.startswith("rule=")} | network.rules
    assert [name for name in sorted(weighed) if name not in named and f'"{name}"' not in code] == [], AGAIN


@pytest.fixture
def tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(TOOLS))
    pytest.importorskip("sklearn")


def marked(row: dict[str, Any]) -> list[str]:
    return [row["text"][span["start"] : span["end"]] for span in row["spans"]]


@pytest.mark.usefixtures("tools")
def test_other_people_have_other_names_and_nothing_else_is_marked() -> None:
    from learned_redrawn import redrawn

    kept, texts = 0, set()
    for seed in range(100):
        other, written = redrawn(ROW, Random(seed))
        assert redrawn(ROW, Random(seed)) == (other, written)
        assert written.lower() == other["text"].lower()
        shouted = [name.split()[-1] for name in marked(other) if " " in name and name.split()[-1].isupper()]
        assert shouted, "a name in capitals stays in capitals"
        kept += "DELGADO" in shouted
        texts.add(written)
    assert 5 < kept < 30
    assert len(texts) > 95


@pytest.mark.usefixtures("tools")
def test_drawn_names_stand_in_no_list() -> None:
    from learned_variants import drawn_name

    drawn = {drawn_name(Random(seed)).lower() for seed in range(50)}
    assert len(drawn) > 40
    assert not drawn & (people().keys() | words().keys())


@pytest.mark.usefixtures("tools")
def test_phrases_stand_between_what_was_there_and_mark_what_they_name() -> None:
    from learned_variants import with_phrases

    rows = [with_phrases(ROW, Random(seed)) for seed in range(20)]
    assert all({"Rosa DELGADO", "3 May", "mike"} <= {*marked(row)} for row in rows)
    assert len({row["text"] for row in rows}) > 10
    assert all(line in row["text"] for row in rows for line in ("Seen by Dr. Rosa DELGADO on 3 May.\n", "4/5."))
    assert not any("{" in row["text"] for row in rows)


@pytest.mark.usefixtures("tools")
def test_gradients_are_the_slopes_of_the_loss() -> None:
    import learned_network

    random = np.random.default_rng(0)
    facts, lettered = 12, np.zeros(12, dtype=bool)
    texts = []
    for count in (7, 5, 1):
        each = random.integers(1, 4, count)
        numbers = random.integers(0, facts, each.sum()).astype(np.int32)
        labels = random.integers(0, 3, count)
        texts.append(learned_network.Encoded(numbers, each.astype(np.int32), labels))
    weights = learned_network.Weights.drawn(facts, 3, random)
    for part in weights.parts:
        weights.parts[part] = random.standard_normal(weights.parts[part].shape) * 0.05
    batch = learned_network.Batch.of(texts, facts, lettered, None)
    slopes = learned_network.Pass(weights, batch, None).gradients()

    def loss() -> float:
        once = learned_network.Pass(weights, batch, None)
        once.gradients()
        return once.loss

    for name, part in weights.parts.items():
        if name.startswith(("last", "w2", "b2")):  # behind the last kink
            for _ in range(8):
                at = tuple(random.integers(0, size) for size in part.shape)
                part[at] += 1e-5
                up = loss()
                part[at] -= 2e-5
                assert (up - loss()) / 2e-5 == pytest.approx(slopes[name][at], abs=1e-4)
                part[at] += 1e-5
        step = 1e-4 * slopes[name]
        before = loss()
        part -= step
        fallen = before - loss()
        part += step
        assert fallen == pytest.approx(float((step * slopes[name]).sum()), rel=0.1, abs=1e-9)
