"""Language packs: every rule does justice to its examples, cannot run for ever, and a pack is whole."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sharewell.notes import Detectors
from sharewell.notes.matcher.backtracking import explodes
from sharewell.notes.matcher.language_packs import LanguagePack, language_packs
from sharewell.notes.matcher.rule_examples import failed
from sharewell.notes.matcher.rule_files import shipped, shipped_detectors

PACKS = list(language_packs().values())


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_every_rule_does_justice_to_its_examples(pack: LanguagePack) -> None:
    assert [str(one) for one in failed(pack.rules)] == []
    assert [rule.name for rule in pack.rules if explodes(rule.pattern)] == []


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
def test_a_pack_is_whole(pack: LanguagePack) -> None:
    assert len(pack.months) == 12
    assert len(pack.weekdays) == 7
    assert all(len(spellings) > 1 for spellings in (*pack.months, *pack.weekdays))
    for name in ("women", "men", "given", "surnames", "places", "words"):
        assert len(pack.words(name)) > 200, name
    assert all(rule.name.startswith(f"{pack.code}-") for rule in pack.rules)
    assert {rule.kind for rule in pack.rules} >= {
        "NAME",
        "DATE",
        "ID",
        "PHONE",
        "PLACE",
        "ADDRESS",
        "ORGANISATION",
        "AGE",
    }


def test_a_reason_tells_one_rule() -> None:
    names = [rule.name for name in shipped_detectors() for rule in shipped(name)]
    names += [rule.name for pack in PACKS for rule in pack.rules]
    assert len(names) == len(set(names))


def test_german_nouns_are_no_names() -> None:
    text = "Bei Aufnahme zeigte die Patientin eine Belastungsdyspnoe und Knöchelödeme. Frau Trawin wurde entlassen."
    [span] = Detectors.of_language("german").find(text)
    assert text[span.start : span.end] == "Trawin"


def test_an_english_file_reads_no_pack(tmp_path: Path) -> None:
    """Neither rules nor lexicons of another language are opened."""
    program = """
import sharewell.io.shipped as shipped
opened = []
usual = shipped.package_text
def watched(name):
    opened.append(name)
    return usual(name)
shipped.package_text = watched
from sharewell.notes import Replace
from sharewell.notes.engine.rewritten_text import NoteOwner
from sharewell.keys import Key
owner = NoteOwner("p", Key(b"an example key of enough bytes.."))
Replace().rewrite(["Rosa Delgado was seen on 3/5/2016 and is well."], owner)
print(any("notes/languages" in name for name in opened), any("notes/rules" in name for name in opened))
"""
    empty = os.environ | {"XDG_CACHE_HOME": str(tmp_path)}  # what is kept of the rules would be read instead of them
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=empty)
    assert answer.stdout.split() == ["False", "True"]
