"""The documentation holds together: links and anchors lead somewhere, terms are explained, nothing is left out."""

from __future__ import annotations

import ast
import importlib.util
import posixpath
import re
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from sharewell import registry
from sharewell.dossier import words

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sharewell"
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)")
EVERYDAY = {
    *(
        "a",
        "adds",
        "after",
        "allows",
        "b",
        "alone by it",
        "answered",
        "required by",
        "met",
        "smallest class allowed",
        "at",
        "before",
        "can make these hold",
    ),
    *("charges", "column", "datasets", "dataset", "example", "expires", "few columns together", "for", "found"),
    *("F2 with the rules", "if left out", "in a sentence", "is", "kept", "kind", "left", "made", "mean", "measures"),
    *("name", "notes", "pairs", "parameter", "reached", "replaced", "risk without it", "row", "rows", "share"),
    *("shown by witnesses", "source", "spent", "state", "status", "table", "unit", "value", "values"),
    *("who can re-check", "why", "width", "accounts", "file", "where", "what became of it", "what it asks"),
}
"""Words of headings that need no explanation, or that the glossary has in another form."""


@cache
def tool() -> ModuleType:
    """tools/build_docs.py, which is in no package."""
    spec = importlib.util.spec_from_file_location("build_docs", ROOT / "tools" / "build_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def site() -> dict[str, str]:
    pages: dict[str, str] = tool().pages()
    return pages


def prose(text: str) -> str:
    """Without blocks of code."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """Of headings, as GitHub and the site make them."""
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE):
        words_only = re.sub(r"\]\([^)]*\)", "", heading)
        anchor = re.sub(r"[^\w\- ]", "", words_only.lower()).strip().replace(" ", "-")
        found.add(next(a for a in (anchor, *(f"{anchor}-{i}" for i in range(1, 99))) if a not in found))
    return found


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_of_a_document_lead_somewhere(path: Path) -> None:
    for target in LINK.findall(prose(path.read_text(encoding="utf-8"))):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        there = path.parent / file if file else path
        assert there.exists(), target
        assert not anchor or anchor in anchors(there.read_text(encoding="utf-8")), f"{target} — no such heading"


def test_links_of_the_site_lead_somewhere() -> None:
    for name, text in site().items():
        for target in LINK.findall(prose(text)) if name.endswith(".md") else ():
            file = target.partition("#")[0]
            if "://" not in target and file:
                there = posixpath.normpath(posixpath.join(posixpath.dirname(name), file))
                assert there in site(), f"{name} links to {target}"


def test_no_page_has_what_the_builder_takes_for_a_declaration_of_html() -> None:
    """`<![` opens one, even in a lookbehind between backticks: Python's parser of HTML stops there."""
    assert [name for name, text in site().items() if name.endswith(".md") and "<![" in prose(text)] == []


def test_every_algorithm_has_a_page_with_its_parameters() -> None:
    for entry in registry.entries():
        page = site()[tool().catalogue_name(entry)]
        assert page.startswith(f"# {entry.name}\n"), entry.name
        assert page.count("```") % 2 == 0, f"{entry.name}: a block of code does not end"
    mondrian = site()["catalogue/tables/mechanisms/mondrian.md"]
    assert "- **suppress**: the share of persons" in mondrian
    assert "| `split` | one of gain, width, label, queries |  | `gain` |" in mondrian
    assert "```pycon\n>>> import pyarrow as pa" in mondrian


def test_the_menu_has_every_page_once() -> None:
    shown = re.findall(r"'([^']+\.md)'", str(tool().menu(set(site()))))
    assert sorted(shown) == sorted(name for name in site() if name.endswith(".md"))


@pytest.mark.parametrize("kind", [kind for kind in registry.kinds() if kind != "joint"])
def test_every_kind_of_data_has_a_page(kind: str) -> None:
    """Codes beside demographics are on the page of codes."""
    assert (ROOT / "docs" / f"{kind}.md").is_file()


def test_the_index_of_examples_has_all_of_them() -> None:
    index = (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")
    policies = {path.parent.name for path in (ROOT / "examples").glob("*/policy.yaml")}
    assert set(re.findall(r"\.\./examples/([\w-]+)/", index)) == policies


def headings() -> set[str]:
    """The first row of every table that a command prints."""
    return {
        constant.value
        for path in SOURCE.rglob("*.py")
        if "cli" in path.parts or "commands" in path.as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print_table"
        and node.args
        for constant in ast.walk(node.args[0])
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str) and constant.value
    }


def explained() -> set[str]:
    rows = re.findall(r"^\| ([^|]+) \|", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    return {term.strip().lower() for row in rows for term in row.split(",")}


def test_every_term_on_the_screen_is_in_the_glossary() -> None:
    concerns = {words.SINGLING_OUT, words.LINKABILITY, words.INFERENCE}
    usual = {"ncp", "discernibility", "prosecutor risk", "journalist risk", "marketer risk", "context"}
    roles = {{"quasi": "quasi-identifier"}.get(role, role) for role in words.ROLES}
    shown = {term.lower() for term in headings() | concerns | usual | roles | set(words.TIERS)}
    assert sorted(shown - explained() - {word.lower() for word in EVERYDAY}) == []


def test_the_glossary_is_in_the_order_of_the_alphabet() -> None:
    rows = re.findall(r"^\| ([^|]+) \|", (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"), re.MULTILINE)
    terms = [row.strip().lower() for row in rows if row.strip() != "word"]
    assert terms == sorted(terms)
