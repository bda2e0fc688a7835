"""Names of drugs, their shorthand and their classes, loaded once; and the tree name → class → group → medication.

The shipped table is a file of facts: `# group`, then `class: name (brand, shorthand, …), name, …`. A tilde marks a form
that is also something else (neo, levo, potassium); it counts only where the words around it speak of a drug. The last
line lists words for whole classes (pressors, antibiotics). A longer list adds names without a class. A written form is
looked up as its tokens in lower case joined by blanks, so that solu-medrol, Solu Medrol and SOLU/MEDROL are one.

>>> chain("Levophed")
('Levophed', 'catecholamine', 'vasopressor', 'medication')
>>> chain("tenovimab")  # a name in no list, told by its ending
('tenovimab', 'monoclonal antibody', 'other medication', 'medication')
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from sharewell.io.kept_files import worked_out
from sharewell.io.shipped import shipped_text
from sharewell.notes.engine.spans import tokens

if TYPE_CHECKING:
    from sharewell.hierarchy.tree import Tree

TOP = "medication"
OTHER = "other medication"
_NOT_BY_ENDING = frozenset(["chamomycin", "subcaine"])
_LINE = re.compile(r",(?![^(]*\)) *")


class Term(NamedTuple):
    """What a written form stands for."""

    name: str
    """The generic name; empty for a word for a whole class."""
    sure: bool
    """False for forms that are also something else."""
    known: bool = True
    """False if it comes from the longer list, without a class."""
    spelt: bool = True
    """False for brands that are looked for as they are written, never misspelt: they are near to too many names."""


_MAKE_TERM: partial[Term] = partial(tuple.__new__, Term)
"""Quicker than Term(…): there are some twenty thousand."""


@dataclass(frozen=True)
class Lexicon:
    terms: dict[str, Term]
    longest: dict[str, int]
    """First token → the most tokens a form that begins with it has."""
    classes: dict[str, tuple[str, str]]
    """Generic name → class and group."""

    def leaf(self, written: str) -> str | None:
        """The generic name of a written form."""
        term = self.terms.get(key(written))
        return term.name or None if term else None


def key(written: str) -> str:
    """The form under which a name is looked up.

    >>> key("Solu-Medrol")
    'solu medrol'
    """
    low = written.lower()
    if low.isalnum():
        return low
    return " ".join(low[start:end] for start, end in tokens(low))


@cache
def lexicon() -> Lexicon:
    """The shipped lists, read once on a machine."""
    listed = worked_out("drugs", ("notes/engine", "data/drugs"), _listed)
    forms = listed["forms"].split("\n")
    marks = [(mark & 1 > 0, mark & 2 > 0, mark & 4 > 0) for mark in range(8)]
    columns = zip(*[marks[int(mark)] for mark in listed["marks"]], strict=True)
    terms = dict(zip(forms, map(_MAKE_TERM, zip(listed["names"].split("\n"), *columns, strict=True)), strict=True))
    classes = {name: (label, group) for name, (label, group) in listed["classes"].items()}
    return Lexicon(terms, listed["longest"], classes)


def _listed() -> dict[str, Any]:
    """Forms, their names and their marks (1 sure, 2 known, 4 spelt), each as one text; the rest as in `Lexicon`."""
    terms: dict[str, Term] = {}
    classes: dict[str, tuple[str, str]] = {}
    for form, name, label, group in _entries():
        low = form.lower()
        term = _MAKE_TERM((name, form[:1] != "~", True, form[:1] != "="))
        terms.setdefault(low if low.isalnum() else key(form), term)
        if name and name not in classes:
            classes[name] = label, group
    more = shipped_text("drugs/more_names.txt.gz").split()
    terms |= {form: _MAKE_TERM((form, True, False, True)) for form in more if form not in terms}
    longest: dict[str, int] = {}
    for form in [form for form in terms if " " in form]:
        first, count = form[: form.index(" ")], form.count(" ") + 1
        if longest.get(first, 1) < count:
            longest[first] = count
    marks = "".join(str(term.sure + 2 * term.known + 4 * term.spelt) for term in terms.values())
    names = "\n".join(term.name for term in terms.values())
    return {"forms": "\n".join(terms), "names": names, "marks": marks, "longest": longest, "classes": classes}


@cache
def drug_tree() -> Tree:
    """The shipped hierarchy of generic names: class, group, medication."""
    from sharewell.hierarchy.tree import Tree  # whoever only looks for drugs needs none

    return Tree([[name, label, group, TOP] for name, (label, group) in lexicon().classes.items()], name="drugs")


def chain(written: str, tree: Tree | None = None) -> tuple[str, ...]:
    """A written form and what generalises it, up to the top; a form nobody knows goes to the top at once."""
    tree = tree or drug_tree()
    leaf = lexicon().leaf(written)
    for name in (key(written), written.lower(), leaf or ""):
        if name and tree.lists(name):
            return (written, *(label for label in tree.chain(name)[1:] if label.strip("*")))
    label = by_ending(key(written))
    if label:
        above = tree.chain(label) if tree.lists(label) else (label, OTHER, TOP)
        return (written, *(part for part in above if part.strip("*")))
    return (written, OTHER, OTHER, TOP)


def by_ending(word: str) -> str:
    """The class that the end of a name tells, or nothing."""
    last_letters, pattern = _ending_pattern()
    match = pattern.fullmatch(word) if word.endswith(last_letters) else None
    return endings()[match[1]] if match and word not in _NOT_BY_ENDING else ""


@cache
def endings() -> dict[str, str]:
    """Endings of international nonproprietary names → the class they tell."""
    return dict(line.split(": ") for line in shipped_text("drugs/endings.txt").splitlines())


@cache
def _ending_pattern() -> tuple[tuple[str, ...], re.Pattern[str]]:
    longest_first = sorted(endings(), key=len, reverse=True)
    return tuple(endings()), re.compile(rf"[a-z]{{2,}}({'|'.join(longest_first)})\b")


def _entries() -> Iterator[tuple[str, str, str, str]]:
    """Written form, generic name, class and group of each entry of the table: ~ marks a form that is also something
    else, = one that counts only as it is written."""
    group = ""
    for line in shipped_text("drugs/drugs.txt").splitlines():
        if line.startswith("#"):
            group = line[1:].strip()
        elif line.startswith("!"):
            yield from ((form.strip(), "", "", "") for form in line[1:].split(","))
        elif line:
            label, _, listed = line.partition(": ")
            for entry in _LINE.split(listed):
                name, _, aliases = entry.rstrip(")").partition(" (")
                plain = name.lstrip("~=")
                for form in (name, *filter(None, aliases.split(", "))):
                    yield form, plain, label, group
