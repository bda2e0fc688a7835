"""How a certificate names a hierarchy, and how a verifier gets the same hierarchy from it.

| hierarchy | the certificate says | who can use it |
|---|---|---|
| a built-in | its name, and its settings if they are not the usual ones | everybody |
| a file of the steward's, or an order in the policy | `of its own`, and its hash | whoever has the same file |

The certificate holds neither the file's name nor its labels.

>>> from sharewell.hierarchy import Dates
>>> certificate_entry(Dates(), "date"), certificate_entry(Dates(spans=[10]), {"date": {"spans": [10]}})
({'hierarchy': 'date'}, {'hierarchy': 'date', 'settings': {'date': {'spans': [10]}}})
>>> built_in(certificate_entry(Dates(spans=[10]), {"date": {"spans": [10]}})).chain("1987")
('1987', '1980-1989', '*')
>>> sorted(certificate_entry(Ordered(["low", "high"]), {"order": ["low", "high"]}))
['hierarchy', 'tree']
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from sharewell.errors import DataError
from sharewell.hierarchy.categories import Ordered
from sharewell.hierarchy.levels import Hierarchy
from sharewell.hierarchy.specs import NAMES, from_spec, named
from sharewell.hierarchy.tree import Tree

OWN = "of its own"


def certificate_entry(hierarchy: Hierarchy, spec: object) -> dict[str, object]:
    """What the certificate says of a column's hierarchy; `spec` is how the policy wrote it."""
    if hierarchy.name in NAMES and not isinstance(hierarchy, Tree):
        settings = {"settings": dict(spec)} if isinstance(spec, Mapping) and hierarchy != named(hierarchy.name) else {}
        return {"hierarchy": hierarchy.name, **settings}
    facts: dict[str, object] = {"sha256": digest(hierarchy)}
    if isinstance(hierarchy, Tree) and hierarchy.on_gap != "refuse":
        facts["on_gap"] = hierarchy.on_gap
    if isinstance(spec, Mapping) and "csv" in spec and spec.get("separator"):
        facts["separator"] = spec["separator"]
    return {"hierarchy": OWN, **({"tree": facts} if facts["sha256"] else {})}


def digest(hierarchy: Hierarchy) -> str:
    """The hash of a steward's own hierarchy: of its file, or of what the policy says; empty for any other."""
    if isinstance(hierarchy, Tree):
        return hierarchy.sha256
    if isinstance(hierarchy, Ordered):
        groups = {str(label): [str(member) for member in members] for label, members in hierarchy.groups.items()}
        written = json.dumps([list(hierarchy.values), groups, hierarchy.on_gap], ensure_ascii=False)
        return hashlib.sha256(written.encode()).hexdigest()
    return ""


def built_in(facts: Mapping[str, object]) -> Hierarchy | None:
    """The built-in that a certificate names; None for anything else. It opens no file."""
    name, settings = facts.get("hierarchy"), facts.get("settings")
    if name not in NAMES:
        return None
    if settings is None:
        return named(str(name))
    if not isinstance(settings, Mapping) or set(settings) - {"on_gap"} != {name}:
        raise DataError("the settings of a hierarchy are damaged or were edited")
    return from_spec(settings, Path())
