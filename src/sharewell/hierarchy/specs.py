"""Hierarchies as a policy names them: a word, or a mapping with one kind and its settings.

>>> from_spec("date", Path())
Dates(spans=(5, 10), on_gap='refuse')
>>> from_spec({"intervals": {"width": 10, "levels": 2}}, Path()).chain("37")
('37', '[30-39]', '[20-39]', '*')
>>> from_spec({"order": ["low", "high"], "on_gap": "root"}, Path()).chain("odd")
('odd', '*')

| in the policy | is |
|---|---|
| `date`, `prefix`, `zip`, `icd10cm`, `icd9cm`, `intervals`, `flat` | the built-in as it is |
| `safe-harbor-zip`, `safe-harbor-age`, `{safe-harbor-birth-date: {year: 2026}}` | as Safe Harbor publishes them |
| `{date: {spans: [5, 10, 100]}}`, `{prefix: {lengths: [3]}}`, `{intervals: {width: 5, levels: 3}}` | with settings |
| `{order: [low, middle, high], groups: {…}}` | an order of categories |
| `{csv: trees/drugs.csv}` | a tree of your own; the path is relative to the policy |
| `{systems: {ICD9: icd9cm, ICD10: icd10cm}}` | several side by side, for codes with a `system` column |

`on_gap: root` may stand beside or inside any kind that can have gaps. A tree of your own is used as it is, whatever
built-in would fit the column.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import ClassVar, Protocol

from sharewell.errors import Mistake, PolicyError
from sharewell.hierarchy.categories import Ordered
from sharewell.hierarchy.dates import Dates
from sharewell.hierarchy.gaps import ListingHierarchy
from sharewell.hierarchy.icd import ICD9CM, ICD10CM
from sharewell.hierarchy.intervals import Intervals
from sharewell.hierarchy.levels import Flat
from sharewell.hierarchy.prefixes import Prefixes
from sharewell.hierarchy.safe_harbor_ages import SafeHarborAge, SafeHarborBirth
from sharewell.hierarchy.systems import Systems
from sharewell.hierarchy.tree import Tree
from sharewell.hierarchy.zips import SafeHarborZip, Zip
from sharewell.io.yaml_positions import parse
from sharewell.roles import did_you_mean


class BuiltIn(ListingHierarchy, Protocol):
    """A hierarchy that its name alone can make; its settings are the fields of a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, dataclasses.Field[object]]]


NAMES: dict[str, type[BuiltIn]] = {
    "date": Dates,
    "flat": Flat,
    "icd10cm": ICD10CM,
    "icd9cm": ICD9CM,
    "intervals": Intervals,
    "prefix": Prefixes,
    "safe-harbor-age": SafeHarborAge,
    "safe-harbor-birth-date": SafeHarborBirth,
    "safe-harbor-zip": SafeHarborZip,
    "zip": Zip,
}
_KINDS = (*NAMES, "csv", "order", "systems")


def named(name: str) -> ListingHierarchy:
    """The built-in of a name, with its defaults."""
    if name not in NAMES:
        hint = did_you_mean(name, NAMES) or f"known: {', '.join(NAMES)}; a file of your own is {{csv: path}}"
        raise _mistake("no hierarchy of this name", hint)
    return NAMES[name]()


def from_spec(spec: str | Mapping[str, object], base: Path) -> ListingHierarchy:
    """The hierarchy that a policy asks for; `base` is the policy's own folder."""
    if isinstance(spec, str):
        return named(spec)
    if not isinstance(spec, Mapping):
        raise _mistake("must be a name or a mapping", "such as `date` or {csv: tree.csv}")
    kinds = [key for key in spec if key in _KINDS]
    if len(kinds) != 1:
        hints = [hint for key in spec if (hint := did_you_mean(str(key), _KINDS))] if not kinds else []
        raise _mistake(f"needs one kind, {len(kinds)} found", hints[0] if hints else f"known: {', '.join(_KINDS)}")
    kind, settings = kinds[0], {str(key): value for key, value in spec.items() if key != kinds[0]}
    content = spec[kind]
    if kind == "csv":
        return _built(Tree.from_csv, ("on_gap", "separator"), settings, base / str(content))
    if kind == "order":
        if not isinstance(content, list | tuple):
            raise _mistake("order must be a list of values", "such as [low, middle, high]")
        return _built(Ordered, ("groups", "on_gap"), settings, content)
    if kind == "systems":
        if not isinstance(content, Mapping):
            raise _mistake("systems must be a mapping", "such as {ICD9: icd9cm, ICD10: icd10cm}")
        return _built(Systems, (), settings, {str(name): from_spec(system, base) for name, system in content.items()})
    if content is not None and not isinstance(content, Mapping):
        raise _mistake(f"the settings of {kind} must be a mapping", f"such as {{{kind}: {{on_gap: root}}}}")
    fields = tuple(f.name for f in dataclasses.fields(NAMES[kind]))
    return _built(NAMES[kind], fields, {**(content or {}), **settings})


def from_text(text: str, base: Path) -> ListingHierarchy:
    """The same from a command line: a name, the path of a hierarchy file, or a mapping as a policy writes it.

    >>> from_text("{date: {spans: [10]}}", Path()).chain("2001")
    ('2001', '2000-2009', '*')
    """
    if text.lstrip().startswith("{"):
        document = parse(text)
        if document.mistakes:
            raise _mistake("cannot be read as a mapping", "such as {intervals: {width: 5}}")
        return from_spec(document.plain, base)
    if text not in NAMES and (base / text).is_file():
        return from_spec({"csv": text}, base)
    return named(text)


def _built(
    make: Callable[..., ListingHierarchy], known: tuple[str, ...], settings: Mapping[str, object], *content: object
) -> ListingHierarchy:
    for key in settings:
        if key not in known:
            hint = did_you_mean(str(key), known) or f"known: {', '.join(known) or 'none'}"
            raise _mistake(f"no setting {key!r}", hint)
    try:
        return make(*content, **settings)
    except (TypeError, ValueError, ArithmeticError, AttributeError):
        # Python's message may quote the values; the names of the settings are enough to find the place.
        raise _mistake(f"a bad value among {', '.join(settings) or 'its values'}", "see docs/hierarchies.md") from None


def _mistake(problem: str, hint: str) -> PolicyError:
    return PolicyError([Mistake(0, 0, "hierarchy", problem, hint)])
