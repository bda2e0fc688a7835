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
    assert set(shipped().model.sheet.trained_on) == set(MADE_OF["inputs"].values()), AGAIN


def test_the_model_is_the_one_that_was_made() -> None:
    assert hashlib.sha256(shipped_bytes(SHIPPED)).hexdigest() == MADE_OF["model"], AGAIN


def test_a_model_of_a_few_notes_comes_out_the_same_byte_for_byte() -> None:
    """Rules, features, variants and trainer are those that made the shipped model."""
    pytest.importorskip("pycrfsuite")
    pytest.importorskip("sklearn")
    assert asked("build_learned.part()") == MADE_OF["part"], AGAIN


def test_the_model_weighs_rules_by_the_names_that_they_have() -> None:
    files = [path.read_text("utf-8") for path in NOTES.rglob("*.toml")]
    named = {name for file in files for name in re.findall(r'^name = "([^"]+)"', file, re.MULTILINE)}
    code = "\n".join(path.read_text("utf-8") for path in NOTES.rglob("*.py"))
    model = shipped().model
    weighed = {fact.partition("|")[2] for fact in model.weights if fact.startswith("rule=")} | model.rules
    assert [name for name in sorted(weighed) if name not in named and f'"{name}"' not in code] == [], AGAIN


def variants(name: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Label → what is marked so in a variant of the row, drawn with several seeds."""
    monkeypatch.syspath_prepend(str(TOOLS))
    import learned_variants

    found: dict[str, list[str]] = {"NAME": [], "DATE": [], "text": []}
    for seed in range(20):
        made = getattr(learned_variants, name)(ROW, Random(seed))
        assert made == getattr(learned_variants, name)(ROW, Random(seed))
        for span in made["spans"]:
            found.setdefault(span["label"], []).append(made["text"][span["start"] : span["end"]])
        found["text"].append(made["text"])
    return found


def test_other_names_stand_in_no_list_and_are_written_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    found = variants("with_unlisted_names", monkeypatch)
    for given, son in zip(found["NAME"][::2], found["NAME"][1::2], strict=True):
        assert not {word.lower() for word in (*given.split(), son)} & (people().keys() | words().keys())
        assert given.split()[1].isupper()
        assert son.islower()
    assert found["DATE"] == ["3 May"] * 20
    assert {re.sub(r"Dr\. \w+ \w+|son \w+", "", text) for text in found["text"]} == {
        "Seen by  on 3 May.\nHer  called. Strength 4/5."
    }


def test_phrases_stand_between_what_was_there_and_mark_what_they_name(monkeypatch: pytest.MonkeyPatch) -> None:
    found = variants("with_phrases", monkeypatch)
    assert found["NAME"].count("Rosa DELGADO") == found["NAME"].count("mike") == 20
    assert len({*found["text"]}) > 10
    assert all(line in text for text in found["text"] for line in ("Seen by Dr. Rosa DELGADO on 3 May.\n", "4/5."))
    assert not any("{" in text or "#" in text for text in found["text"])
