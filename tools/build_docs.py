"""Build the documentation as a site that needs no network: `make docs`, then open build/site/index.html.

Pages are the README, every page of `docs/`, CONTRIBUTING, the changelog, the shipped examples, and one page for every
algorithm of the catalogue, from the docstring of its module. They are gathered in `build/docs`, with links that fit
there; mkdocs then makes `build/site` of them, and stops at the first link that leads nowhere.
Run: python tools/build_docs.py [--pages-only]
"""

from __future__ import annotations

import argparse
import importlib
import logging
import posixpath
import re
import shutil
from collections.abc import Callable
from pathlib import Path

from sharewell import registry
from sharewell.parameters import parameters_of
from sharewell.registry import Entry

ROOT = Path(__file__).parents[1]
PAGES, SITE = ROOT / "build" / "docs", ROOT / "build" / "site"
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FOREIGN_SHIM = re.compile(r'<script src="https://[^"]*iframe-worker[^"]*"></script>')
FOREIGN = re.compile(r'<(?:script|img|iframe)[^>]*\bsrc="?https?:|<link[^>]*rel="?stylesheet[^>]*href="?https?:')
GROUPS: dict[str, list[str]] = {
    "Start": [
        *("install", "tutorial", "init", "reading", "cleaning", "preview"),
        *("risk", "choosing", "dossier", "examples"),
    ],
    "Kinds of data": [
        *("tables", "codes", "joint", "notes", "genomes"),
        *("reports", "reports-tables", "gathering", "queries"),
    ],
    "Reference": ["policy", "commands", "hierarchies", "together", "randomised", "service", "ledger", "exact-answers"],
    "Background": ["why", "threat-model", "case-study", "experiments", "hospital", "decisions", "glossary"],
    "Contributing": ["contributing", "where", "changelog"],
}
"""Pages in the order of the menu; a page that is not here comes last in the second to last group."""
KINDS = {
    "tables": "Tables",
    "codes": "Codes",
    "joint": "Codes beside demographics and DNA",
    "notes": "Notes",
    "genomes": "Genomes",
    "reports": "Reports",
    "queries": "Questions",
    "together": "Datasets together",
}
ROOMS = {
    "criteria": "what must hold",
    "mechanisms": "how it is made to hold",
    "attacks": "what somebody could try",
    "utility": "what it cost",
}
NAMES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def site_name(path: str) -> str:
    """Where a file of the repository stands on the site.

    >>> site_name("docs/notes.md"), site_name("README.md"), site_name("examples/notes/policy.yaml")
    ('notes.md', 'index.md', 'examples/notes/policy.yaml')
    """
    return NAMES.get(path, path.removeprefix("docs/"))


def fitted(text: str, source: str, known: Callable[[str], bool]) -> str:
    """The links of a page as they are on the site; the words alone where a link leads to a file that is not on it."""

    def link(match: re.Match[str]) -> str:
        words, target = match.groups()
        path, mark, anchor = target.partition("#")
        if "://" in target or not path:
            return match[0]
        name = site_name(posixpath.normpath(posixpath.join(posixpath.dirname(source), path)))
        name = f"{name}/policy.yaml" if known(f"{name}/policy.yaml") else name
        if not known(name):
            return words
        return f"[{words}]({posixpath.relpath(name, posixpath.dirname(site_name(source)) or '.')}{mark}{anchor})"

    outside_code = re.split(r"(^```.*?^```)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if i % 2 else LINK.sub(link, part) for i, part in enumerate(outside_code))


def catalogue_name(entry: Entry) -> str:
    return f"catalogue/{entry.kind}/{entry.room}/{entry.name}.md"


def catalogue_page(entry: Entry) -> str:
    """The docstring of the module as a page, with its parameters as a table."""
    first, _, rest = (importlib.import_module(entry.target.partition(":")[0]).__doc__ or "").strip().partition("\n")
    kind = KINDS.get(entry.kind, entry.kind.capitalize())
    head = f"# {entry.name}\n\n{first.strip()}\n\n*{kind} · {entry.room} ({ROOMS[entry.room]})*\n"
    return f"{head}{_examples(_parameter_list(rest))}\n{_parameter_table(entry)}"


def _parameter_list(page: str) -> str:
    """What the docstring says of each parameter, as a list."""
    head, mark, rest = page.partition("## Parameters\n")
    if not mark:
        return page
    section, after, tail = rest.partition("\n## ")
    items = re.sub(r"^(\w+): ", r"\n- **\1**: ", section, flags=re.MULTILINE)
    return f"{head}{mark}{items}{after}{tail}"


def _examples(page: str) -> str:
    """Worked examples, each with what it prints, as code."""
    lines, code, shown = page.splitlines(), False, []
    for line in lines:
        if line.startswith(">>>") and not code:
            shown += ["", "```pycon"]
            code = True
        elif code and not line.strip():
            shown.append("```")
            code = False
        shown.append(line)
    return "\n".join([*shown, "```"] if code else shown) + "\n"


def _parameter_table(entry: Entry) -> str:
    rows = [
        f"| `{one.name}` | {_cell(one.words)} | {_cell(one.unit)} | "
        f"{'needed' if one.required else '' if one.default is None else f'`{_cell(one.default)}`'} |"
        for one in parameters_of(entry.load())
    ]
    head = "## In a policy\n\n| parameter | is | unit | if left out |\n|---|---|---|---|\n"
    return head + "\n".join(rows) + "\n" if rows else ""


def _cell(content: object) -> str:
    text = str(content).lower() if isinstance(content, bool) else str(content or "")
    return text.replace("|", "\\|").replace("\n", " ")


def catalogue_index() -> str:
    """Every name with its sentence, by kind of data and by what it is."""
    lines = ["# Catalogue", "", "Every name that a policy can use. `sharewell catalogue NAME` shows the same page."]
    for kind in dict.fromkeys(entry.kind for entry in registry.entries()):
        lines += ["", f"## {KINDS.get(kind, kind.capitalize())}"]
        for room in registry.ROOMS:
            entries = list(registry.entries(kind, room))
            if entries:
                lines += ["", f"**{room.capitalize()}**: {ROOMS[room]}", "", "| name | in a sentence |", "|---|---|"]
                lines += [f"| [{e.name}]({e.kind}/{e.room}/{e.name}.md) | {_cell(e.summary)} |" for e in entries]
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """Name on the site → text, of all pages and all policies of the examples."""
    sources = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"]
    sources += sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").glob("*.md"))
    policies = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "examples").glob("*/*.yaml"))
    names = {site_name(path) for path in (*sources, *policies)} | {"catalogue/index.md"}
    names |= {catalogue_name(entry) for entry in registry.entries()}
    texts = {path: (ROOT / path).read_text(encoding="utf-8") for path in (*sources, *policies)}
    found = {site_name(path): fitted(text, path, names.__contains__) for path, text in texts.items()}
    found |= {catalogue_name(entry): catalogue_page(entry) for entry in registry.entries()}
    return found | {"catalogue/index.md": catalogue_index()}


def menu(names: set[str]) -> list[object]:
    """What the site shows at its left."""
    listed = {name for group in GROUPS.values() for name in group}
    others = sorted(n.removesuffix(".md") for n in names if "/" not in n and n.endswith(".md"))
    groups = {title: [f"{name}.md" for name in group if f"{name}.md" in names] for title, group in GROUPS.items()}
    groups["Background"] += [f"{name}.md" for name in others if name not in listed | {"index"}]
    kinds: dict[str, list[object]] = {}
    for entry in registry.entries():
        rooms = kinds.setdefault(KINDS.get(entry.kind, entry.kind.capitalize()), [])
        title = entry.room.capitalize()
        if not rooms or not isinstance(last := rooms[-1], dict) or title not in last:
            last = {title: []}
            rooms.append(last)
        last[title].append({entry.name: catalogue_name(entry)})
    catalogue: list[object] = ["catalogue/index.md", *({kind: rooms} for kind, rooms in kinds.items())]
    shown: list[object] = [{"sharewell": "index.md"}]
    for title, group in groups.items():
        shown.append({title: group})
        if title == "Kinds of data":
            shown.append({"Catalogue": catalogue})
    return shown


def write_pages() -> dict[str, str]:
    shutil.rmtree(PAGES, ignore_errors=True)
    texts = pages()
    for name, text in texts.items():
        (PAGES / name).parent.mkdir(parents=True, exist_ok=True)
        (PAGES / name).write_bytes(text.encode())
    return texts


def write_site(names: set[str]) -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config
    from pymdownx.slugs import slugify

    logging.basicConfig(level=logging.WARNING, format="%(message)s")
    extensions: list[object] = ["admonition", "tables", "pymdownx.superfences", "pymdownx.highlight"]
    config = load_config(
        config_file=str(ROOT / "tools" / "mkdocs.yml"),
        docs_dir=str(PAGES),
        site_dir=str(SITE),
        nav=menu(names),
        strict=True,
        markdown_extensions=[*extensions, {"toc": {"slugify": slugify(case="lower"), "permalink": True}}],
    )
    build(config)
    make_self_contained(SITE)


def make_self_contained(site: Path) -> None:
    """Put our own script in place of the one that the theme loads from elsewhere, and allow no other such script."""
    script = "assets/frame_worker.js"
    shutil.copyfile(ROOT / "tools" / "docs_frame_worker.js", site / script)
    for path in site.rglob("*.html"):
        here = posixpath.relpath(script, path.parent.relative_to(site).as_posix())
        page = FOREIGN_SHIM.sub(f'<script src="{here}"></script>', path.read_text(encoding="utf-8"))
        path.write_bytes(page.encode())
        if foreign := FOREIGN.findall(page):
            raise SystemExit(f"{path.name} — would load {len(foreign)} files from elsewhere — ship them with the site")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages-only", action="store_true", help="gather the pages, and make no site of them")
    texts = write_pages()
    if not parser.parse_args().pages_only:
        write_site(set(texts))


if __name__ == "__main__":
    main()
