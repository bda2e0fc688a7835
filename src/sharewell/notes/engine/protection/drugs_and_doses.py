"""Drugs and doses in a note: drugs at one level of a hierarchy, or all called "medication"; doses left out.

*Global recoding*: one level for the whole data set. Level 0 keeps the name, 1 writes its parent, 2 its grandparent, and
"full" the top of the tree, "medication". Words for whole classes ("vasopressors") stay at levels 1 and 2 and become
"medication" at full. A drug that the tree does not list is written as its top: nothing stays because nobody knew it.

>>> generalise_drug("Ativan", 1), generalise_drug("Ativan", "full")
('benzodiazepine', 'medication')
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal

from sharewell.hierarchy.tree import Tree
from sharewell.io.sources import Source
from sharewell.notes.engine.drug_lexicon import TOP, by_ending, chain, drug_tree, lexicon
from sharewell.notes.engine.drug_names import drug_spans
from sharewell.notes.engine.drug_spelling import listed_form
from sharewell.notes.engine.rewritten_text import Edit
from sharewell.notes.engine.spans import Text, resolve_overlaps
from sharewell.notes.matcher.matching import RuleDetector
from sharewell.notes.replacers.tags import omitted_span

Level = int | Literal["full"]


def drug_and_dose_edits(
    text: str, drugs: Level, doses: Literal["keep", "suppress"], tree: Tree | None = None
) -> Iterator[Edit]:
    """What is done to the drugs and doses of a note; nothing where there are none."""
    text = Text.of(text)
    last_end = 0
    for span in resolve_overlaps([*drug_spans(text), *_doses().find(text)], text=text):
        if span.start < last_end:
            continue
        if span.kind == "DRUG":
            written = text[span.start : span.end]
            above = generalise_drug(written, drugs, tree)
            if above != written:
                yield Edit(span.start, span.end, span.kind, above)
            last_end = span.end
        elif doses == "suppress":
            start, last_end = omitted_span(text, span.start, span.end, last_end)
            yield Edit(start, last_end, span.kind, "")


@lru_cache(maxsize=1)
def _doses() -> RuleDetector:
    """One detector for all notes: its cues are prepared once."""
    return RuleDetector.shipped("doses")


def generalise_drug(written: str, level: Level, tree: Tree | None = None) -> str:
    """A drug as written, at a level of a hierarchy (the shipped one unless another is given).

    >>> generalise_drug("Ativan", 1), generalise_drug("lorazapam", 2)
    ('benzodiazepine', 'sedative')
    >>> generalise_drug("antibiotics", 2), generalise_drug("antibiotics", "full")
    ('antibiotics', 'medication')
    """
    if level == 0:
        return written
    top = _top(tree) if tree else TOP
    form = listed_form(written)
    term = lexicon().terms.get(form)
    if term is not None and not term.name and not (tree and tree.lists(form)):
        return top if level == "full" else written
    listed = tree is None or any(name and tree.lists(name) for name in (form, term.name if term else ""))
    if level == "full" or not listed:
        return top
    if tree is None and not drug_tree().lists(term.name if term else form) and not by_ending(form):
        return top
    above = chain(form, tree)
    return above[min(level, len(above) - 1)]


def drug_hierarchy(tree: Source | Tree | None) -> Tree | None:
    """A hierarchy of the user's own, from its file or as it is; None stands for the shipped one."""
    if not isinstance(tree, Source):
        return tree
    return None if tree.path is None else Tree.from_csv(tree.path)


def _top(tree: Tree) -> str:
    """The most general label that says something."""
    labels = [label for label in tree.chain(tree.leaves[0]) if label.strip("*")]
    return labels[-1]
