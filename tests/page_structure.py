"""What every dossier keeps to, whatever it is about: asked of small pages and of every example."""

from __future__ import annotations

import re
from xml.etree import ElementTree

HEADINGS = {"h2", "h3", "h4"}


def words(element: ElementTree.Element) -> str:
    return " ".join("".join(element.itertext()).split())


def faults(page: str) -> list[str]:
    """What is wrong with the structure of a page, each as a sentence."""
    doctype, _, body = page.partition("\n")
    root = ElementTree.fromstring(body)
    found = [] if doctype == "<!DOCTYPE html>" else ["it has no doctype"]
    found += _numbering([words(h) for h in root.iter("h2")])
    for one in root.iter("details"):
        summary, *rest = list(one)
        if summary.tag != "summary" or not words(summary) or not rest:
            found.append(f"something folded has no summary or no content: {words(one)[:60]}")
    for table in root.iter("table"):
        rows = [row for row in table.iter("tr") if row.find("td") is not None]
        if not rows:
            found.append(f"an empty table: {words(table)}")
        found += [f"an empty row: {words(row)}" for row in rows if not any(map(_told, row.findall("td")))]
    for figure in root.iter("figure"):
        if not any(list(one.iter("table")) for one in figure.iter("details")):
            found.append(f"a drawing without its folded table: {words(figure)[:60]}")
    for section in root.iter("section"):
        if all(one.tag in HEADINGS for one in section):
            found.append(f"an empty section: {words(section)}")
    if list(root.iter("pre")) or re.search(r'[{\[]\s*"[^"]*"\s*[:,]', words(root)):
        found.append("raw JSON")
    ids = [one.get("id") for one in root.iter() if one.get("id")]
    targets = [a.get("href", "")[1:] for a in root.iter("a")]
    found += [f"a link without its target: {one}" for one in targets if one not in ids]
    return found + [f"two elements are called {one}" for one in set(ids) if ids.count(one) > 1]


def _told(cell: ElementTree.Element) -> bool:
    return words(cell) not in ("", "—")


def _numbering(headings: list[str]) -> list[str]:
    numbers = [heading.split()[0] for heading in headings if not heading.startswith("Appendix ")]
    letters = [heading.split()[1].rstrip(":") for heading in headings if heading.startswith("Appendix ")]
    fine = numbers == [str(i) for i in range(1, len(numbers) + 1)] and letters == [*"ABCDEF"][: len(letters)]
    last = all(heading.startswith("Appendix ") for heading in headings[len(numbers) :])
    return [] if fine and last else [f"its sections are not numbered from 1: {headings}"]
