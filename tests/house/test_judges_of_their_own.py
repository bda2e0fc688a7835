"""A judge and the code it judges share neither code nor words: what one of them overlooks, the other may still see."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.house.test_laws import MODULES, imports

from sharewell.io.shipped import package_files, package_text, shipped_text

TABLES, NOTES = "sharewell.tables", "sharewell.notes"
JUDGES = {
    "tables": {f"{TABLES}.criteria.safe_harbor", f"{TABLES}.criteria.limited_data_set"},
    "notes": {name for name in MODULES if name.startswith(f"{NOTES}.criteria.")},
}
JUDGED = {
    "tables": {f"{TABLES}.mechanisms.safe_harbor", f"{TABLES}.mechanisms.limited_data_set"},
    "notes": {
        name
        for name in MODULES
        if name.startswith((f"{NOTES}.mechanisms.", f"{NOTES}.detectors.", f"{NOTES}.annotation."))
    },
}
RECOGNISES = {
    "tables": (
        f"{TABLES}.mechanisms.",
        f"{TABLES}.engine.protection.",
        "sharewell.proposal.",
        "sharewell.date_shift",
        "sharewell.hierarchy.zips",
        "sharewell.hierarchy.safe_harbor_ages",
        "sharewell.hierarchy.dates",
    ),
    "notes": (f"{NOTES}.mechanisms.", f"{NOTES}.detectors.", f"{NOTES}.annotation."),
}
"""By these the judged recognises columns, cells and words."""
CHECKS = ("criteria.", "engine.checks.")
"""Where the judges of a kind of data, and what they stand on, are found."""
WORDS_OF_A_LIST = 6
FRAGMENT = 28
"""So many signs in a row are no coincidence."""
COPIED = {"tables": 0, "notes": 600}
"""Fragments in common; those of notes are exceptions for measures, tubes and beds beside ages."""
FACTS = frozenset(
    re.findall(
        r"\w+",
        """
        jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october
        nov november dec december ember uary ruary ust
        one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
        eighteen nineteen twenty thirty forty fourty fifty sixty seventy eighty ninety hundred
        first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth st nd rd th
        mg mcg ml cc kg iu unit units hr hrs hour hours
        """,
    )
)
"""Months, numbers and units."""
RULES = {"tables": (), "notes": ("notes/rules", "notes/locales", "notes/languages")}
"""Folders of the package with files of rules, by which the judged recognises things as well."""
A_WORD = len(r"[^\W\d_]+")
"""A pattern no longer than this is one for words, and everybody's."""


def followed(starts: set[str], within: tuple[str, ...]) -> set[str]:
    """The modules that these import, directly or through others of the same place."""
    found, todo = set(starts), list(starts)
    while todo:
        new = {name for name in imports(MODULES[todo.pop()]) if name in MODULES and name.startswith(within)} - found
        found |= new
        todo += new
    return found


def literals(path: Path) -> set[str]:
    """Patterns and lists of words in the code of a file, and in the shipped TOML files that it names.

    Docstrings, sentences and runs of letters do not count.
    """
    tree = ast.parse(path.read_text())
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    docstrings |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings
    }
    for name in [text for text in texts if text.endswith(".toml")]:
        texts |= set(shipped_strings(tomllib.loads(shipped_text(name))))
    texts = {text for text in texts if not re.search(r"\b(and|be|the|with|without)\b", text)}
    return patterns(texts) | {text for text in texts if len(re.findall(r"\w+", text)) >= WORDS_OF_A_LIST}


def patterns(texts: set[str]) -> set[str]:
    """Those of some texts that are patterns, and more than one for a word or for a piece that both name."""
    bare = {text: re.sub(r"\{[a-z_]+\}|\(\?:|\)", "", text) for text in texts}
    return {text for text in texts if len(bare[text]) > A_WORD and re.search(r"\\[dwsbDWS]|\[[^\]]+\]|\(\?", text)}


def of_rules(kind: str) -> set[str]:
    """The patterns in files of rules; their examples and lists of words are no patterns."""
    files = [file for folder in RULES[kind] for file in package_files(folder, ".toml")]
    return patterns({text for file in files for text in shipped_strings(tomllib.loads(package_text(file)))})


def shipped_strings(content: object) -> Iterator[str]:
    """Every text of a TOML file, as it is written there."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict | list):
        for entry in content.values() if isinstance(content, dict) else content:
            yield from shipped_strings(entry)


def sides(kind: str) -> tuple[set[str], set[str]]:
    rooms = tuple(f"sharewell.{kind}.{room}" for room in CHECKS)
    return followed(JUDGES[kind], rooms), followed(JUDGED[kind], RECOGNISES[kind])


@pytest.mark.parametrize("kind", JUDGES)
def test_a_judge_uses_nothing_by_which_the_judged_recognises_things(kind: str) -> None:
    judges, _ = sides(kind)
    assert not [(name, used) for name in judges for used in imports(MODULES[name]) if used.startswith(RECOGNISES[kind])]


@pytest.mark.parametrize("kind", JUDGES)
def test_judge_and_judged_have_no_pattern_and_no_list_of_words_in_common(kind: str) -> None:
    ours, theirs = ({text for name in side for text in literals(MODULES[name])} for side in sides(kind))
    assert ours
    assert theirs
    assert bool(of_rules(kind)) == bool(RULES[kind])
    assert not ours & (theirs | of_rules(kind))


def fragments(texts: set[str]) -> set[str]:
    """Every run of `FRAGMENT` signs of some patterns and lists, without blanks and facts."""
    runs: set[str] = set()
    for text in texts:
        bare = re.sub(r"\s+", "", text)
        runs |= {bare[at : at + FRAGMENT] for at in range(len(bare) - FRAGMENT + 1)}
    return {run for run in runs if not _of_facts(run)}


def _of_facts(run: str) -> bool:
    """Are all whole words of a fragment months, numbers or units, which everybody spells alike?"""
    words = re.findall(r"(?<![a-z])[a-z]{2,}(?![a-z])", run.lower())
    inner = words[1:-1] or words
    return bool(inner) and all(word in FACTS or any(fact.startswith(word) for fact in FACTS) for word in inner)


@pytest.mark.parametrize("kind", JUDGES)
def test_judge_and_judged_have_few_fragments_in_common(kind: str) -> None:
    """A pattern copied and then changed a little overlooks the same things. The number may only fall."""
    ours, theirs = ({text for name in side for text in literals(MODULES[name])} for side in sides(kind))
    assert len(fragments(ours) & fragments(theirs | of_rules(kind))) <= COPIED[kind]


def test_fragments_are_found_in_changed_copies_and_not_in_facts(tmp_path: Path) -> None:
    original = r"(?:foley|catheter|sheath|introducer|dilator)\b"
    run = original[:FRAGMENT]
    assert not _of_facts(run)
    assert _of_facts("jan|feb|mar|apr|may|june?|ju")
    assert _of_facts("|four|five|six|seven|eight|n")


def test_the_comparison_sees_patterns_and_lists_and_no_docstring(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(
        '"""one two three four five six"""\nA = r"\\d{5}-[A-Z]x"\nB = "a b c d e f"\nC = "a"\n'
    )
    assert literals(tmp_path / "code.py") == {r"\d{5}-[A-Z]x", "a b c d e f"}
